//! A PDF of a folio: what it is called, and which bytes it is.

use crate::ids::DocumentId;
use crate::limits;
use crate::text::{is_hostile, is_pasted_mark};
use crate::time::Timestamp;
use serde::Serialize;

/// The name of a file without one.
const NO_NAME: &str = "documento.pdf";
/// Bytes of an extension, with its dot. What is longer is no extension.
const MAX_EXTENSION_BYTES: usize = 16;

fn is_dropped(c: char) -> bool {
    is_hostile(c) || is_pasted_mark(c)
}

/// What is before the extension, and the extension with its dot.
fn split_extension(name: &str) -> (&str, &str) {
    let dot = name
        .rfind('.')
        .filter(|dot| name.len() - dot <= MAX_EXTENSION_BYTES);
    name.split_at(dot.unwrap_or(name.len()))
}

/// The name of a file, as it was sent, without folders and control characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct FileName(String);

impl FileName {
    /// The name in what was sent; `documento.pdf` where there is none.
    pub fn new(sent: &str) -> Self {
        let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
        let clean: String = last.chars().filter(|c| !is_dropped(*c)).collect();
        if clean.trim().is_empty() {
            return Self(NO_NAME.into());
        }
        if clean.chars().count() <= limits::FILE_NAME {
            return Self(clean);
        }
        // A name that is cut begins with something that is seen.
        let (stem, extension) = split_extension(clean.trim_start());
        let room = limits::FILE_NAME - extension.chars().count();
        Self(stem.chars().take(room).chain(extension.chars()).collect())
    }

    /// The name for a copy on disk: harmless on every system, and a PDF by its extension.
    pub fn for_download(&self) -> String {
        let plain: String = self
            .0
            .chars()
            .map(|c| if r#"<>:"|?*"#.contains(c) { '_' } else { c })
            .collect();
        let plain = plain
            .trim_start_matches(|c: char| c == '.' || c.is_whitespace())
            .trim_end();
        let (stem, extension) = split_extension(plain);
        match (stem.trim_end(), extension) {
            ("", _) => NO_NAME.into(),
            (stem, extension) if extension.eq_ignore_ascii_case(".pdf") => format!("{stem}{extension}"),
            _ => format!("{plain}.pdf"),
        }
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
    /// How it was made from what was sent, if it is not that.
    pub repair: Option<Repair>,
}

/// A document that could not be signed as it was sent, and of which a sound copy was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// The SHA-256 of what was sent.
    pub sent: [u8; 32],
    /// What was done.
    pub kind: RepairKind,
}

/// What was done to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    /// Its structure was put right.
    Structure,
    /// Actions or scripts were left out.
    Actions,
    /// What no page shows was left out.
    Hidden,
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
    fn names_are_kept_and_harmless_on_disk() {
        let cases = [
            ("contrato.pdf", "contrato.pdf", "contrato.pdf"),
            (
                "Contrato \u{d1}and\u{fa}.PDF",
                "Contrato \u{d1}and\u{fa}.PDF",
                "Contrato \u{d1}and\u{fa}.PDF",
            ),
            (
                "\u{bf}Acta 10:30?.pdf",
                "\u{bf}Acta 10:30?.pdf",
                "\u{bf}Acta 10_30_.pdf",
            ),
            ("../../etc/passwd", "passwd", "passwd.pdf"),
            (r"C:\temp\a.pdf", "a.pdf", "a.pdf"),
            ("a\r\nX-Evil: 1.pdf", "aX-Evil: 1.pdf", "aX-Evil_ 1.pdf"),
            ("factura\u{202e}fdp.exe", "facturafdp.exe", "facturafdp.exe.pdf"),
            ("a\u{feff}\u{200b}.pdf", "a.pdf", "a.pdf"),
            ("\"quoted\".pdf", "\"quoted\".pdf", "_quoted_.pdf"),
            ("", "documento.pdf", "documento.pdf"),
            (" ", "documento.pdf", "documento.pdf"),
            ("...", "...", "documento.pdf"),
            (".pdf", ".pdf", "pdf.pdf"),
            (". a .pdf", ". a .pdf", "a.pdf"),
            ("\u{e9}", "\u{e9}", "\u{e9}.pdf"),
        ];
        for (sent, kept, on_disk) in cases {
            let name = FileName::new(sent);
            assert_eq!(
                (name.as_str(), name.for_download().as_str()),
                (kept, on_disk),
                "{sent:?}"
            );
        }
        let long = FileName::new(&format!("{}.PDF", "\u{f1}".repeat(400)));
        assert_eq!(long.as_str(), format!("{}.PDF", "\u{f1}".repeat(196)));
        let without_extension = FileName::new(&"a".repeat(400));
        assert_eq!(without_extension.as_str().len(), 200);
    }
}
