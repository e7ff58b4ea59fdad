//! A multipart form, as the API takes it.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// Its fields, in their order.
#[derive(Debug, Default)]
pub(super) struct Form {
    parts: Vec<(String, Vec<u8>)>,
}

impl Form {
    pub(super) fn field(mut self, name: &str, value: &str) -> Self {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"");
        self.parts.push((head, value.as_bytes().to_vec()));
        self
    }

    /// Adds a PDF. Its name is written as browsers write it.
    pub(super) fn pdf(mut self, name: &str, file_name: &str, content: Vec<u8>) -> Self {
        let escaped = file_name
            .replace('"', "%22")
            .replace('\r', "%0D")
            .replace('\n', "%0A");
        let head = format!(
            "Content-Disposition: form-data; name=\"{name}\"; filename=\"{escaped}\"\r\nContent-Type: application/pdf"
        );
        self.parts.push((head, content));
        self
    }

    /// The content type and the body. The boundary is a hash of the content, so the content cannot have it.
    pub(super) fn finish(self) -> (String, Vec<u8>) {
        let mut hash = Sha256::new();
        for (head, content) in &self.parts {
            hash.update(head);
            hash.update(content);
        }
        let boundary = format!("firmeza-{}", &HEXLOWER.encode(&hash.finalize())[..32]);
        let length: usize = self.parts.iter().map(|(_, content)| content.len() + 512).sum();
        let mut body = Vec::with_capacity(length);
        for (head, content) in self.parts {
            body.extend_from_slice(format!("--{boundary}\r\n{head}\r\n\r\n").as_bytes());
            body.extend_from_slice(&content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        (format!("multipart/form-data; boundary={boundary}"), body)
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn a_form_is_written_as_it_is_read() {
        let form =
            Form::default()
                .field("folioName", "Año")
                .pdf("documents[]", "a\"\r\nb.pdf", b"%PDF".to_vec());
        let (kind, body) = form.finish();
        let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
        let expected = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"folioName\"\r\n\r\nAño\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"documents[]\"; filename=\"a%22%0D%0Ab.pdf\"\r\n\
             Content-Type: application/pdf\r\n\r\n%PDF\r\n--{boundary}--\r\n"
        );
        assert_eq!(str::from_utf8(&body), Ok(expected.as_str()));
    }
}
