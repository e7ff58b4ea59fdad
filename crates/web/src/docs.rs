//! `/openapi.json` and `/docs`: the API for machines and for people. The page is drawn from the same document,
//! once, and asks nothing of the network.

use crate::Web;
use askama::Template;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::Value;
use std::fmt::Write;

const POLICY: &str =
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const STYLE: &str = include_str!("assets/docs.css");

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    title: &'a str,
    version: &'a str,
    description: DocsText,
    server: &'a str,
    operations: Vec<OperationView<'a>>,
}

struct OperationView<'a> {
    anchor: &'a str,
    method: String,
    path: &'a str,
    summary: &'a str,
    description: DocsText,
    inputs: Vec<Input<'a>>,
    responses: Vec<ResponseView<'a>>,
    curl: String,
}

struct Input<'a> {
    name: &'a str,
    location: &'static str,
    required: bool,
    description: DocsText,
    example: &'a str,
}

/// Text in which backticks mark code.
struct DocsText(Vec<(bool, String)>);

impl DocsText {
    fn new(text: &str) -> Self {
        let parts = text.split('`').enumerate();
        Self(
            parts
                .map(|(index, part)| (index % 2 == 1, part.to_owned()))
                .collect(),
        )
    }

    fn spans(&self) -> &[(bool, String)] {
        &self.0
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, text)| text.is_empty())
    }
}

struct ResponseView<'a> {
    status: &'a str,
    description: &'a str,
    examples: Vec<String>,
}

/// The two addresses.
pub(crate) fn routes(document: &Value) -> Router<Web> {
    let json = Bytes::from(document.to_string());
    // The template is checked when the program is built, and it writes to memory.
    let page = Bytes::from(page(document).render().unwrap_or_default());
    let serve = |body: Bytes, kind: &'static str| {
        get(move || {
            let headers = [
                (CONTENT_TYPE, kind),
                (CONTENT_SECURITY_POLICY, POLICY),
                (CACHE_CONTROL, "no-cache"),
            ];
            async move { (headers, body).into_response() }
        })
    };
    Router::new()
        .route("/openapi.json", serve(json, "application/json"))
        .route("/docs", serve(page, "text/html; charset=utf-8"))
        .route(
            "/docs/style.css",
            serve(Bytes::from_static(STYLE.as_bytes()), "text/css; charset=utf-8"),
        )
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn page(document: &Value) -> DocsPage<'_> {
    let server = text(document, "/servers/0/url");
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            operations.push(operation_view(server, path, method, operation));
        }
    }
    DocsPage {
        title: text(document, "/info/title"),
        version: text(document, "/info/version"),
        description: DocsText::new(text(document, "/info/description")),
        server,
        operations,
    }
}

fn operation_view<'a>(server: &str, path: &'a str, method: &str, operation: &'a Value) -> OperationView<'a> {
    let form = operation.pointer("/requestBody/content/multipart~1form-data/schema");
    let mut inputs: Vec<Input<'a>> = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        inputs.push(Input {
            name: text(parameter, "/name"),
            location: if text(parameter, "/in") == "query" {
                "consulta"
            } else {
                "encabezado"
            },
            required: parameter["required"] == true,
            description: describe(parameter, &parameter["schema"]),
            example: text(&parameter["schema"], "/examples/0"),
        });
    }
    for (name, schema) in form
        .and_then(|form| form["properties"].as_object())
        .into_iter()
        .flatten()
    {
        let required = form.and_then(|form| form["required"].as_array());
        inputs.push(Input {
            name,
            location: "formulario",
            required: required.is_some_and(|names| names.iter().any(|n| n == name)),
            description: describe(schema, schema),
            example: text(schema, "/examples/0"),
        });
    }
    let responses = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, response)| {
            let examples = response
                .pointer("/content/application~1json/examples")
                .and_then(Value::as_object);
            let examples = examples
                .into_iter()
                .flat_map(|map| map.values())
                .map(|example| example["value"].to_string());
            ResponseView {
                status,
                description: text(response, "/description"),
                examples: examples.collect(),
            }
        });
    let curl = curl(server, path, method, &inputs);
    OperationView {
        anchor: text(operation, "/operationId"),
        method: method.to_uppercase(),
        path,
        summary: text(operation, "/summary"),
        description: DocsText::new(text(operation, "/description")),
        responses: responses.collect(),
        curl,
        inputs,
    }
}

fn describe(described: &Value, schema: &Value) -> DocsText {
    let mut parts: Vec<String> = Vec::new();
    if !text(described, "/description").is_empty() {
        parts.push(text(described, "/description").to_owned());
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        parts.push(format!("Valores: {}.", words.join(", ")));
    }
    if let Some(max) = schema["maxLength"].as_u64() {
        parts.push(format!("Máximo {max} caracteres."));
    }
    DocsText::new(&parts.join(" "))
}

/// A line to paste: every required input as a placeholder.
fn curl(server: &str, path: &str, method: &str, inputs: &[Input<'_>]) -> String {
    let query: Vec<String> = inputs
        .iter()
        .filter(|input| input.location == "consulta" && input.required)
        .map(|input| format!("{0}=<{0}>", input.name))
        .collect();
    let question = if query.is_empty() {
        String::new()
    } else {
        format!("?{}", query.join("&"))
    };
    let mut line = format!(
        "curl -X {} '{server}{path}{question}' \\\n  -H 'x-api-key: Bearer <API_KEY>'",
        method.to_uppercase()
    );
    for input in inputs
        .iter()
        .filter(|input| input.location == "formulario" && input.required)
    {
        let _ = write!(line, " \\\n  -F '{0}=<{0}>'", input.name);
    }
    if path.ends_with("/sign") {
        line.push_str(" \\\n  -F 'documents[]=@contrato.pdf;type=application/pdf'");
    }
    line
}
