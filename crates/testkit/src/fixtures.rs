//! What a caller sends, right in every field until a test says otherwise.

use crate::Form;
use crate::pdf;
use serde_json::{Value, json};

/// A signer with that number; name and contacts follow from it.
pub fn signer(number: &str) -> Value {
    json!({
        "name": format!("María Pérez {number}"),
        "email": format!("maria.{number}@example.com"),
        "documentType": "CC",
        "documentNumber": number,
        "cellPhoneNumber": "300 123-4567",
    })
}

/// That many signers, numbered from 1001.
pub fn signers(count: usize) -> Value {
    (1001..1001 + count)
        .map(|number| signer(&number.to_string()))
        .collect()
}

/// A signer's contact as a resend gives it.
pub fn correction(number: &str, email: &str, mobile: &str) -> Value {
    json!({ "documentNumber": number, "email": email, "cellPhoneNumber": mobile })
}

/// A folio to create: two signers, one document.
pub fn folio() -> FolioFields {
    let texts = [
        ("signers", signers(2).to_string()),
        ("folioName", "Contrato de arriendo".to_owned()),
        ("folioMessage", "Por favor revise y firme.".to_owned()),
        ("signatureType", "1".to_owned()),
        ("urlReturn", "https://cliente.example.com/gracias".to_owned()),
        ("fileType", "file".to_owned()),
        ("sendEmail", "true".to_owned()),
    ];
    FolioFields {
        texts: texts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into_bytes()))
            .collect(),
        files: vec![("contrato.pdf".to_owned(), pdf::contract())],
    }
}

/// The fields of a create, to be changed one by one.
#[derive(Debug, Clone)]
pub struct FolioFields {
    texts: Vec<(String, Vec<u8>)>,
    files: Vec<(String, Vec<u8>)>,
}

impl FolioFields {
    /// The field with another value, or one field more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        match self.texts.iter_mut().find(|(known, _)| known == name) {
            Some(field) => field.1 = value.into(),
            None => self.texts.push((name.to_owned(), value.into())),
        }
        self
    }

    /// The field once more.
    #[must_use]
    pub fn and(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.texts.push((name.to_owned(), value.into()));
        self
    }

    /// Without a field.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.texts.retain(|(known, _)| known != name);
        self
    }

    /// With these signers.
    #[must_use]
    pub fn signers(self, signers: &Value) -> Self {
        self.with("signers", signers.to_string())
    }

    /// With these documents and no other.
    #[must_use]
    pub fn documents<S: Into<String>>(mut self, files: impl IntoIterator<Item = (S, Vec<u8>)>) -> Self {
        self.files = files
            .into_iter()
            .map(|(name, bytes)| (name.into(), bytes))
            .collect();
        self
    }

    /// With documents in the other form: a JSON text of names and base64.
    #[must_use]
    pub fn base64(self, documents: impl Into<Vec<u8>>) -> Self {
        self.documents::<String>([])
            .with("fileType", "base64")
            .with("documentsBase64", documents)
    }

    /// The form, fields before files.
    pub fn form(&self) -> Form {
        let texts = self
            .texts
            .iter()
            .fold(Form::new(), |form, (name, value)| form.text(name, value));
        self.files
            .iter()
            .fold(texts, |form, (name, bytes)| form.file("documents[]", name, bytes))
    }
}

impl From<FolioFields> for Form {
    fn from(fields: FolioFields) -> Self {
        fields.form()
    }
}
