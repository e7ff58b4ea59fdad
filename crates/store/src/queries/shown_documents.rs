//! What is shown of a folio's documents, kept in the folio's own row: it never changes, and to read a folio is to look in
//! one place less. Document after document: identifier (16 bytes), when it came (8), bytes of its name (2), its name.

use super::shown::ShownDocument;
use crate::error::Error;
use domain::{DocumentId, Timestamp};

/// Adds a document to what the row keeps.
pub(super) fn pack(packed: &mut Vec<u8>, document: &ShownDocument<'_>) -> Result<(), Error> {
    let length = u16::try_from(document.name.len()).map_err(|_| Error::Corrupt("file name"))?;
    packed.extend_from_slice(document.id.as_bytes());
    packed.extend_from_slice(&document.created_at.as_micros().to_be_bytes());
    packed.extend_from_slice(&length.to_be_bytes());
    packed.extend_from_slice(document.name.as_bytes());
    Ok(())
}

/// Each of them, in the folio's order.
pub(super) fn unpack<'p>(mut packed: &'p [u8], mut take: impl FnMut(ShownDocument<'p>)) -> Result<(), Error> {
    while !packed.is_empty() {
        let (document, rest) = first(packed).ok_or(Error::Corrupt("shown documents"))?;
        take(document);
        packed = rest;
    }
    Ok(())
}

fn first(packed: &[u8]) -> Option<(ShownDocument<'_>, &[u8])> {
    let (id, rest) = packed.split_first_chunk()?;
    let (created_at, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (name, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    let document = ShownDocument {
        id: DocumentId::from_bytes(*id),
        name: std::str::from_utf8(name).ok()?,
        created_at: Timestamp::from_micros(i64::from_be_bytes(*created_at)),
    };
    Some((document, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn document(id: u8, name: &str, micros: i64) -> ShownDocument<'_> {
        ShownDocument {
            id: DocumentId::from_bytes([id; 16]),
            name,
            created_at: Timestamp::from_micros(micros),
        }
    }

    fn unpacked(packed: &[u8]) -> Result<Vec<String>, Error> {
        let mut all = Vec::new();
        unpack(packed, |document| all.push(format!("{document:?}")))?;
        Ok(all)
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let longest = "🖋".repeat(domain::limits::FILE_NAME);
        let documents = [
            document(1, "contrato.pdf", 1_700_000_000_000_001),
            document(2, "", -1),
            document(3, &longest, i64::MAX),
        ];
        let mut packed = Vec::new();
        for document in &documents {
            pack(&mut packed, document).unwrap();
        }
        let shown = documents.map(|document| format!("{document:?}"));
        assert_eq!(unpacked(&packed).unwrap(), shown);
        assert_eq!(unpacked(&[]).unwrap(), [""; 0]);
        let endless = "n".repeat(1 << 16);
        assert!(pack(&mut packed, &document(4, &endless, 0)).is_err());
    }

    #[test]
    fn what_is_cut_or_no_text_is_refused() {
        let mut packed = Vec::new();
        pack(&mut packed, &document(1, "é.pdf", 7)).unwrap();
        for length in 1..packed.len() {
            let refused = unpacked(&packed[..length]);
            assert!(matches!(refused, Err(Error::Corrupt(_))), "{length}: {refused:?}");
        }
        packed[26] = 0xff;
        assert!(matches!(unpacked(&packed), Err(Error::Corrupt(_))));
    }
}
