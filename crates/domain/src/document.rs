//! A PDF of a folio: what it is called, and which bytes it is.

use crate::ids::DocumentId;
use crate::limits;
use crate::text::is_hostile;
use crate::time::Timestamp;

/// A file name that is harmless wherever it is shown: no path, no control or direction marks, ends in `.pdf`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct FileName(String);

impl FileName {
    /// Makes a harmless name out of whatever was sent.
    pub fn sanitized(sent: &str) -> Self {
        let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
        let plain: String = last
            .chars()
            .filter(|c| !is_hostile(*c))
            .map(|c| if r#"<>:"|?*"#.contains(c) { '_' } else { c })
            .collect();
        let stem = plain
            .trim_start_matches(|c: char| c == '.' || c.is_whitespace())
            .trim_end();
        let stem = match stem.char_indices().rev().nth(3) {
            Some((at, _)) if stem[at..].eq_ignore_ascii_case(".pdf") => stem[..at].trim_end(),
            _ => stem,
        };
        let kept: String = stem.chars().take(limits::FILE_NAME - ".pdf".len()).collect();
        Self(match kept.trim_end() {
            "" => "documento.pdf".into(),
            kept => format!("{kept}.pdf"),
        })
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name that was made before and is read back.
    pub const fn stored(text: String) -> Self {
        Self(text)
    }
}

/// A document that was taken in and found fit to be signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDocument {
    /// What it is called.
    pub name: FileName,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
    /// How many pages it has.
    pub pages: u32,
}

/// A document of a folio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its identifier.
    pub id: DocumentId,
    /// What it is called.
    pub name: FileName,
    /// The SHA-256 of the bytes that were sent.
    pub sha256: [u8; 32],
    /// How many bytes were sent.
    pub size: u64,
    /// How many pages it had when it came; 0 when they were not counted.
    pub pages: u32,
    /// When it came.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::FileName;

    #[test]
    fn names_become_harmless() {
        let cases = [
            ("contrato.pdf", "contrato.pdf"),
            ("Contrato Ñandú.PDF", "Contrato Ñandú.pdf"),
            ("../../etc/passwd", "passwd.pdf"),
            (r"C:\temp\a.pdf", "a.pdf"),
            ("a\r\nX-Evil: 1.pdf", "aX-Evil_ 1.pdf"),
            ("factura\u{202e}fdp.exe", "facturafdp.exe.pdf"),
            ("\"quoted\".pdf", "_quoted_.pdf"),
            ("", "documento.pdf"),
            ("...", "documento.pdf"),
            (".pdf", "pdf.pdf"),
            (". a .pdf", "a.pdf"),
            ("é", "é.pdf"),
        ];
        for (sent, kept) in cases {
            assert_eq!(FileName::sanitized(sent).as_str(), kept, "{sent:?}");
        }
        assert_eq!(
            FileName::sanitized(&"ñ".repeat(400)).as_str().chars().count(),
            200
        );
    }
}
