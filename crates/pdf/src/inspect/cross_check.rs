//! A second, independent reader must see the same document. It is shown only the bytes that our own reader has read:
//! so it cannot be led elsewhere, and all bytes it works on have been counted against the limits.

use std::sync::Arc;

use hayro_syntax::{Pdf, PdfData};
use memmap2::MmapMut;

use super::Refused;
use super::pages::Page;
use crate::damage::Damage;
use crate::file::Document;
use crate::syntax::{Ref, Value};

/// Refuses a file that the second reader understands differently.
pub(super) fn check(doc: &Document<'_>, root: Ref, pages: &[Page]) -> Result<(), Refused> {
    // The second reader always reads the document's information dictionary, so ours must have read it as well.
    if let Some(info) = doc.trailer()?.get("Info").and_then(Value::as_ref) {
        doc.get(info)?;
    }
    doc.check_time_if_started()?;
    if may_scan_quadratically(doc) {
        return Err(Refused::TooComplex(Damage::TooComplex));
    }
    let shown = masked(doc).map_err(|_| Refused::TooComplex(Damage::TooComplex))?;
    let agrees = Pdf::new(shown).is_ok_and(|pdf| {
        let same_root = pdf.xref().root_id().obj_number == root.number;
        same_root && pdf.pages().len() == pages.len()
    });
    if agrees {
        Ok(())
    } else {
        Err(Refused::Damaged(Damage::ReadersDisagree))
    }
}

/// Documents of which less was read are not checked: even a quadratic scan of them is short.
const MIN_CHECKED_BYTES: usize = 128 * 1024;
/// Bytes that the second reader may read again and again in a scan.
const MAX_RESCANNED_BYTES: usize = 1 << 31;

/// Whether the second reader might take hours. Where the cross-references fail, it scans all bytes for objects,
/// strings and comments included, and reads on from each to its end.
fn may_scan_quadratically(doc: &Document<'_>) -> bool {
    let touched = doc.touched();
    let all: usize = touched.iter().map(|(from, to)| to - from).sum();
    if all <= MIN_CHECKED_BYTES {
        return false;
    }
    let parts = touched
        .iter()
        .filter_map(|(from, to)| doc.bytes().get(*from..*to));
    let lookalikes: usize = parts.map(object_lookalikes).sum();
    lookalikes.saturating_mul(all) > MAX_RESCANNED_BYTES
}

/// Counts the beginnings of objects and dictionaries inside strings and comments.
fn object_lookalikes(part: &[u8]) -> usize {
    let (mut open, mut comment, mut lookalikes) = (0usize, false, 0);
    let mut at = 0;
    while let Some(&byte) = part.get(at) {
        match byte {
            b'\n' | b'\r' => comment = false,
            b'\\' if open > 0 => at += 1,
            b'(' if !comment => open += 1,
            b')' if !comment => open = open.saturating_sub(1),
            b'%' if open == 0 => comment = true,
            b'<' | b'o' if open > 0 || comment => {
                let (before, rest) = part.split_at(at);
                let numbered = || before.trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
                lookalikes += usize::from(rest.starts_with(b"<<") || rest.starts_with(b"obj") && numbered());
            }
            _ => {}
        }
        at += 1;
    }
    lookalikes
}

/// Documents from this length on get their zeros from the system, which has none in memory until they are written. The
/// allocator of glibc keeps vectors of up to 32 MiB once it has freed one: 32 uploads of 25 MiB took 320 MiB.
const MIN_MAPPED_BYTES: usize = 1 << 20;

/// The document as the second reader is shown it: the bytes that our own reader has read, and zeros elsewhere.
fn masked(doc: &Document<'_>) -> std::io::Result<PdfData> {
    if doc.bytes().len() < MIN_MAPPED_BYTES {
        let mut shown = vec![0; doc.bytes().len()];
        show(doc, &mut shown);
        return Ok(shown.into());
    }
    let mut shown = MmapMut::map_anon(doc.bytes().len())?;
    show(doc, &mut shown);
    Ok(Arc::new(shown).into())
}

/// Copies the bytes that our own reader has read.
fn show(doc: &Document<'_>, shown: &mut [u8]) {
    let bytes = doc.bytes();
    let head = (0, bytes.len().min(1024));
    for (from, to) in doc.touched().into_iter().chain([head]) {
        if let (Some(target), Some(source)) = (shown.get_mut(from..to), bytes.get(from..to)) {
            target.copy_from_slice(source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    const ROOT: Ref = Ref {
        number: 1,
        generation: 0,
    };

    /// A document with one object between two comments of `around` bytes.
    fn document(around: usize) -> Vec<u8> {
        let comment = "x".repeat(around);
        let head = format!("%PDF-1.7\n%{comment}\n");
        let body = format!("{head}1 0 obj\n<</Type/Catalog>>\nendobj\n%{comment}\n");
        let (at, start) = (head.len(), body.len());
        let rows = format!("0000000000 65535 f \n{at:010} 00000 n \n");
        format!("{body}xref\n0 2\n{rows}trailer\n<</Size 2/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").into()
    }

    #[test]
    fn only_what_our_reader_has_read_is_shown() {
        for around in [5_000, MIN_MAPPED_BYTES] {
            let bytes = document(around);
            let doc = Document::open(&bytes, &Limits::default()).unwrap();
            let object = memchr::memmem::find(&bytes, b"1 0 obj").unwrap();
            let is_shown = |shown: &[u8]| shown[object..].starts_with(b"1 0 obj");
            assert!(!is_shown(masked(&doc).unwrap().as_ref()));
            assert!(doc.get(ROOT).unwrap().is_some());
            let shown = masked(&doc).unwrap();
            let shown = shown.as_ref();
            assert!(is_shown(shown) && shown.ends_with(b"%%EOF\n"));
            assert_eq!(shown[..1_024], bytes[..1_024]);
            assert_eq!(shown[2_000..2_900], [0; 900]);
        }
    }

    #[test]
    fn only_what_passes_for_an_object_is_a_lookalike() {
        assert_eq!(
            object_lookalikes(b"<</Title(El objeto y 3 objetivos)/A<</B 1>>>>"),
            1
        );
        assert_eq!(object_lookalikes(b"(1 0 obj 2 0\nobj << (<<)) 3 0 obj << >>"), 4);
        assert_eq!(object_lookalikes(b"% 1 0 obj\n2 0 obj <<>> % <<"), 2);
        assert_eq!(object_lookalikes(b"(\\) << ) << (\\( << \\))"), 2);
    }
}
