//! The text fields of a form, and the errors in them.

use super::errors::{ApiError, Cause};
use super::invalid_field::InvalidField;
use super::json;
use super::request::ApiRequest;
use crate::http::body::BodyError;
use crate::http::form::MultipartForm;
use app::IdempotencyKey;
use domain::FieldError;
use encoding_rs::{Encoding, UTF_8};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// Bytes of one text field.
pub(crate) const MAX_FIELD_BYTES: usize = 64 * 1024;
/// Bytes of a form without documents.
const MAX_TEXT_FORM_BYTES: u64 = 512 * 1024;
/// Invalid fields that one response lists: more than an honest mistake makes.
const MAX_REPORTED_FIELDS: usize = 100;

/// The invalid fields found while a form is read, up to a limit.
#[derive(Debug, Default)]
pub(crate) struct InvalidFields(pub(crate) Vec<InvalidField>);

impl InvalidFields {
    /// The value; an invalid one is recorded, and `None`.
    pub(crate) fn check<T>(
        &mut self,
        field: impl Into<Cow<'static, str>>,
        read: Result<T, FieldError>,
    ) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(problem) => {
                if self.0.len() < MAX_REPORTED_FIELDS {
                    self.0.push(InvalidField::new(field, problem));
                }
                None
            }
        }
    }

    /// The values, if all fields are valid.
    pub(crate) fn into_result<T>(self, value: Option<T>) -> Result<T, ApiError> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => {
                let missing = self
                    .0
                    .iter()
                    .any(|invalid_field| invalid_field.problem == FieldError::Missing);
                Err(ApiError::Fields(
                    if missing { Cause::Missing } else { Cause::Malformed },
                    self.0,
                ))
            }
        }
    }
}

/// The field that names the encoding of all others.
const CHARSET_FIELD: &str = "_charset_";

/// Fields whose bytes were not read as text yet: the field that names their encoding may be the last.
#[derive(Debug, Default)]
pub(crate) struct FieldParts {
    parts: Vec<FieldPart>,
}

#[derive(Debug)]
struct FieldPart {
    name: String,
    /// What the part itself says.
    charset: Option<&'static Encoding>,
    value: Result<Vec<u8>, FieldError>,
}

impl FieldParts {
    /// Adds a field.
    pub(crate) fn push(&mut self, name: &str, charset: Option<&'static Encoding>, value: Vec<u8>) {
        self.add(name, charset, Ok(value));
    }

    fn add(&mut self, name: &str, charset: Option<&'static Encoding>, value: Result<Vec<u8>, FieldError>) {
        self.parts.push(FieldPart {
            name: name.to_owned(),
            charset,
            value,
        });
    }

    /// Reads the content of a form's part into a field.
    pub(crate) async fn read_part(
        &mut self,
        form: &mut MultipartForm<'_>,
        name: &str,
        charset: Option<&'static Encoding>,
    ) -> Result<(), BodyError> {
        let mut value = Vec::new();
        let mut too_long = false;
        while let Some(bytes) = form.chunk().await? {
            too_long |= value.len() + bytes.len() > MAX_FIELD_BYTES;
            if !too_long {
                value.extend_from_slice(&bytes);
            }
        }
        let max = MAX_FIELD_BYTES;
        self.add(
            name,
            charset,
            if too_long {
                Err(FieldError::TooLong { max })
            } else {
                Ok(value)
            },
        );
        Ok(())
    }

    /// The encoding that the form names, as far as it came.
    pub(crate) fn form_charset(&self) -> Option<&'static Encoding> {
        let named = self.parts.iter().find(|part| part.name == CHARSET_FIELD)?;
        Encoding::for_label(named.value.as_deref().ok()?)
    }

    /// The fields as text: in the encoding that a part names, else that of the form, else UTF-8.
    pub(crate) fn into_fields(self) -> Fields {
        let form_charset = self.form_charset();
        let text = |part: FieldPart| {
            let text = part
                .value
                .and_then(|bytes| decode(bytes, part.charset.or(form_charset)));
            (part.name, text)
        };
        Fields {
            values: self.parts.into_iter().map(text).collect(),
        }
    }
}

fn decode(bytes: Vec<u8>, charset: Option<&'static Encoding>) -> Result<String, FieldError> {
    match charset.filter(|charset| *charset != UTF_8) {
        None => String::from_utf8(bytes).map_err(|_| FieldError::Characters),
        Some(charset) => {
            let text = charset.decode_without_bom_handling_and_without_replacement(&bytes);
            text.map(Cow::into_owned).ok_or(FieldError::Characters)
        }
    }
}

/// The text fields of a form.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    values: Vec<(String, Result<String, FieldError>)>,
}

impl Fields {
    /// A single field.
    pub(crate) fn single(name: &str, value: Vec<u8>) -> Self {
        Self {
            values: vec![(name.to_owned(), decode(value, None))],
        }
    }

    /// The field's one value.
    pub(crate) fn text(&self, name: &str) -> Result<&str, FieldError> {
        let mut values = self
            .values
            .iter()
            .filter(|(field, _)| field == name)
            .map(|(_, value)| value);
        let value = values
            .next()
            .ok_or(FieldError::Missing)?
            .as_ref()
            .map_err(Clone::clone)?;
        if values.next().is_some() {
            return Err(FieldError::Repeated);
        }
        if value.trim().is_empty() {
            Err(FieldError::Missing)
        } else {
            Ok(value)
        }
    }

    /// The field's value as JSON.
    pub(crate) fn json(&self, name: &str) -> Result<Value, FieldError> {
        json::read(self.text(name)?.as_bytes())
    }

    /// The field's value as a list of texts.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, FieldError> {
        texts(self.json(name)?)
    }

    /// The fingerprint of the form: independent of the order of its fields and of its boundary.
    pub(crate) fn fingerprint(&self, operation: &str, more: &[&[u8]]) -> [u8; 32] {
        let mut values: Vec<_> = self.values.iter().collect();
        values.sort_by_key(|(name, _)| name);
        let mut hash = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        add(operation.as_bytes());
        for (name, value) in values {
            add(name.as_bytes());
            match value {
                Ok(text) => add(text.as_bytes()),
                Err(problem) => add(&problem_bytes(problem)),
            }
        }
        for bytes in more {
            add(bytes);
        }
        hash.finalize().into()
    }
}

/// The bytes of an unreadable value in a fingerprint: invalid UTF-8, so that no text collides with them.
pub(crate) fn problem_bytes(problem: &FieldError) -> Vec<u8> {
    format!("{problem:?}")
        .into_bytes()
        .into_iter()
        .chain([0xff])
        .collect()
}

/// Reads a form that has text fields only.
pub(crate) async fn read_text_form(request: &mut ApiRequest) -> Result<Fields, ApiError> {
    let content_type = request.content_type().to_owned();
    let mut form = MultipartForm::open(&content_type, &mut request.body, MAX_TEXT_FORM_BYTES)?;
    let mut parts = FieldParts::default();
    while let Some(part) = form.next().await? {
        let name = part.name.unwrap_or_default();
        parts.read_part(&mut form, &name, part.charset).await?;
    }
    form.drain().await?;
    Ok(parts.into_fields())
}

/// The same with the request's idempotency key.
pub(crate) async fn read_idempotent_form(
    request: &mut ApiRequest,
) -> Result<(Fields, Option<IdempotencyKey>), ApiError> {
    let fields = read_text_form(request).await?;
    let fingerprint = || Some(fields.fingerprint(request.operation.name(), &[]));
    let idempotency_key = request.idempotency_key(fingerprint)?;
    Ok((fields, idempotency_key))
}

/// A list of texts out of JSON.
pub(crate) fn texts(value: Value) -> Result<Vec<String>, FieldError> {
    let Value::Array(items) = value else {
        return Err(FieldError::NotJson);
    };
    let text = |item| {
        if let Value::String(text) = item {
            Ok(text)
        } else {
            Err(FieldError::NotJson)
        }
    };
    items.into_iter().map(text).collect()
}
