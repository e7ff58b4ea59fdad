//! The form that sends a request from the page, made from the description of the operation.

use crate::page::PanelLang;
use askama::Template;
use serde_json::Value;

#[derive(Template)]
#[template(path = "docs_try_it.html")]
struct TryForm<'a> {
    l: PanelLang,
    method: String,
    path: &'a str,
    fields: Vec<TryField<'a>>,
}

struct TryField<'a> {
    name: &'a str,
    /// `query`, `header` or `form`.
    location: &'a str,
    required: bool,
    input: Input<'a>,
}

enum Input<'a> {
    Text { example: &'a str },
    Json { example: &'a str },
    Choice(Vec<&'a str>),
    Files,
}

const FOLIO_LIST: &str = r#"["3f0c9a52d1b84e7f9c6a0d4e8b7f1a23"]"#;

/// The form of an operation; a text that names it, if the description does not have it.
pub(super) fn form(lang: PanelLang, description: &Value, operation_id: &str) -> String {
    let Some((path, method, operation)) = find(description, operation_id) else {
        return operation_id.to_owned();
    };
    let form = TryForm {
        l: lang,
        method: method.to_uppercase(),
        path,
        fields: fields(description, operation),
    };
    // The template is checked when the program is built, and it writes to memory.
    form.render().unwrap_or_default()
}

fn find<'a>(description: &'a Value, operation_id: &str) -> Option<(&'a str, &'a str, &'a Value)> {
    let paths = description["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().into_iter().flatten();
            methods.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
        })
        .find(|(_, _, operation)| operation["operationId"] == operation_id)
}

fn fields<'d>(description: &'d Value, operation: &'d Value) -> Vec<TryField<'d>> {
    let content = &operation["requestBody"]["content"];
    // The description has the JSON form of this list; the page sends the other one.
    let list = content.get("application/json").map(|_| TryField {
        name: "folios",
        location: "form",
        required: true,
        input: Input::Json { example: FOLIO_LIST },
    });
    let form = &content["multipart/form-data"]["schema"];
    let properties = form["properties"].as_object().into_iter().flatten();
    let of_form = properties.map(|(name, schema)| TryField {
        name,
        location: "form",
        required: form["required"]
            .as_array()
            .is_some_and(|names| names.iter().any(|required| required == name)),
        input: input(resolved(description, schema)),
    });
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let of_address = parameters.map(|parameter| TryField {
        name: text(&parameter["name"]),
        location: text(&parameter["in"]),
        required: parameter["required"] == true,
        input: input(resolved(description, &parameter["schema"])),
    });
    list.into_iter().chain(of_form).chain(of_address).collect()
}

/// The named shape that a schema refers to, or the schema itself.
fn resolved<'d>(description: &'d Value, schema: &'d Value) -> &'d Value {
    let name = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
    name.and_then(|at| description.pointer(at)).unwrap_or(schema)
}

fn input(schema: &Value) -> Input<'_> {
    if let Some(choices) = schema["enum"].as_array() {
        return Input::Choice(choices.iter().filter_map(Value::as_str).collect());
    }
    let example = text(&schema["examples"][0]);
    if schema["contentMediaType"] == "application/json" {
        Input::Json { example }
    } else if schema["type"] == "array" {
        Input::Files
    } else {
        Input::Text { example }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::chapters;
    use super::*;

    #[test]
    fn every_form_of_the_chapters_has_its_operation() {
        let description = crate::openapi::document("http://localhost", 20);
        let mut forms = 0;
        for chapter in chapters::ALL {
            for lang in PanelLang::ALL {
                let text = chapter.source(lang).text;
                for place in text.split("<!-- probar: ").skip(1) {
                    let operation = place.split(" -->").next().unwrap();
                    assert!(find(&description, operation).is_some(), "{operation}");
                    forms += 1;
                }
            }
        }
        assert_eq!(forms, 18, "nine operations, two languages");
    }

    #[test]
    fn a_form_has_the_fields_of_its_operation() {
        let description = crate::openapi::document("http://localhost", 20);
        let html = form(PanelLang::Es, &description, "createFolio");
        assert!(html.contains("data-path=\"/api/integrations/sign\""), "{html}");
        for name in ["signers", "signatureType", "documents[]", "Idempotency-Key"] {
            assert!(html.contains(&format!("name=\"{name}\"")), "{name}: {html}");
        }
        assert!(html.contains("type=\"file\"") && html.contains("<option>base64</option>"));
        assert!(html.contains("<option>2</option>"), "{html}");
        let html = form(PanelLang::Es, &description, "readFolios");
        assert!(html.contains("name=\"folios\""), "{html}");
    }
}
