//! A signed attribute of our own: the head of a history that is kept outside of the document, at the time of signing.
//! A history that is rewritten afterwards no longer matches the signature.

use super::error::CmsError;
use super::read_der::Values;
use super::signed_data::{SignedData, octets};
use super::write_der::{self, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE, SET};

/// 2.25.304236989486343053377998927515256543988: the arc of a random UUID, which needs no registration (ITU-T X.667).
const OID: [u8; 20] = [
    0x69, 0x83, 0xc9, 0xe1, 0xf4, 0xeb, 0xdb, 0x8b, 0xd2, 0xa6, 0xab, 0xb6, 0x9d, 0xba, 0x80, 0xd5, 0xbc,
    0xfb, 0xb5, 0x74,
];
/// The longest encoding of the attribute.
pub(crate) const MAX_ANCHOR_BYTES: usize = 80;

/// The head of a history: the number of its last entry, and the hash that chains all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// How many entries there were.
    pub number: u64,
    /// The hash of the last of them.
    pub hash: [u8; 32],
}

impl Anchor {
    /// The attribute: its type, and a SEQUENCE of the number and the hash.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        write_der::nested(out, SEQUENCE, |out| {
            write_der::value(out, OBJECT_IDENTIFIER, &OID);
            write_der::nested(out, SET, |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::unsigned(out, &self.number.to_be_bytes());
                    write_der::value(out, OCTET_STRING, &self.hash);
                });
            });
        });
    }
}

impl SignedData {
    /// The head of the history that the signature carries, if there is one.
    pub fn anchor(&self) -> Result<Option<Anchor>, CmsError> {
        const WHAT: &str = "anchor";
        let Some(value) = self.signer.attribute_of(&OID, WHAT)? else {
            return Ok(None);
        };
        let mut fields = Values::of_sequence(value.raw, WHAT)?;
        let number = fields.next(WHAT)?.small(WHAT)?;
        let hash = octets(&fields.next(WHAT)?, WHAT)?.try_into();
        fields.end(WHAT)?;
        let hash = hash.map_err(|_| super::Malformed(WHAT))?;
        Ok(Some(Anchor { number, hash }))
    }
}
