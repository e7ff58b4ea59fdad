//! The files attached to a document.

use crate::damage::Damage;
use crate::file::{Document, Entry};
use crate::limits::Limits;
use crate::syntax::Ref;

/// Files beyond this are left out.
const MAX_ATTACHMENTS: usize = 16;

/// The files embedded in a document, decoded, within the limits of reading.
pub fn attached(pdf: &[u8], limits: &Limits) -> Result<Vec<Vec<u8>>, Damage> {
    let document = Document::open(pdf, limits)?;
    let mut files = Vec::new();
    for (number, entry) in document.entries() {
        let Entry::At { generation, .. } = entry else {
            continue;
        };
        let id = Ref { number, generation };
        let Ok(stream) = document.stream(id) else { continue };
        if stream.dict.name("Type") == Some(b"EmbeddedFile".as_slice()) && files.len() < MAX_ATTACHMENTS {
            files.push(document.decoded(id)?);
        }
    }
    Ok(files)
}
