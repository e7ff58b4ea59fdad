//! A multipart form, written byte by byte, so that a test can also send what no library would.

/// A form under way.
#[derive(Debug, Clone, Default)]
pub struct Form {
    parts: Vec<u8>,
}

impl Form {
    /// The boundary between parts.
    pub const BOUNDARY: &'static str = "firmeza-test-boundary-5f1c";

    /// What the form says it is.
    pub fn content_type() -> String {
        format!("multipart/form-data; boundary={}", Self::BOUNDARY)
    }

    /// An empty form.
    pub fn new() -> Self {
        Self::default()
    }

    /// A text field.
    #[must_use]
    pub fn text(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.part(&format!("Content-Disposition: form-data; name=\"{name}\""), value)
    }

    /// A PDF file. The name is written as it is.
    #[must_use]
    pub fn file(self, name: &str, file_name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let headers = format!(
            "Content-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"\r\n\
             Content-Type: application/pdf"
        );
        self.part(&headers, bytes)
    }

    /// A part with these header lines.
    #[must_use]
    pub fn part(mut self, headers: &str, content: impl AsRef<[u8]>) -> Self {
        let begin = format!("--{}\r\n{headers}\r\n\r\n", Self::BOUNDARY);
        self.parts.extend_from_slice(begin.as_bytes());
        self.parts.extend_from_slice(content.as_ref());
        self.parts.extend_from_slice(b"\r\n");
        self
    }

    /// The whole body.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.parts
            .extend_from_slice(format!("--{}--\r\n", Self::BOUNDARY).as_bytes());
        self.parts
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Form {
    fn from(fields: [(&str, &str); N]) -> Self {
        fields
            .into_iter()
            .fold(Self::new(), |form, (name, value)| form.text(name, value))
    }
}
