//! The owner of a link, a session or a code: a signer of a folio, or the signer of a bulk signature.

use domain::{BulkId, FolioId};
use std::fmt;
use std::str::FromStr;

/// A signer of one folio, or of many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// The signer with that index in a folio.
    Signer {
        /// The folio.
        folio: FolioId,
        /// The signer's index.
        place: usize,
    },
    /// The signer of a bulk signature.
    Bulk(BulkId),
}

/// A text that names no signing party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a holder")]
pub struct MalformedHolder;

impl Holder {
    /// The party as bytes. Codes and sessions are stored under them.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Signer { folio, place } => {
                let mut bytes = vec![b's'];
                bytes.extend(folio.as_bytes());
                bytes.push(u8::try_from(place).unwrap_or(u8::MAX));
                bytes
            }
            Self::Bulk(bulk) => [b"b", bulk.as_bytes().as_slice()].concat(),
        }
    }

    /// The bulk signature, where it is one.
    pub const fn bulk(self) -> Option<BulkId> {
        match self {
            Self::Signer { .. } => None,
            Self::Bulk(bulk) => Some(bulk),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signer { folio, place } => write!(f, "{folio}-{place}"),
            Self::Bulk(bulk) => write!(f, "b{bulk}"),
        }
    }
}

impl FromStr for Holder {
    type Err = MalformedHolder;

    fn from_str(text: &str) -> Result<Self, MalformedHolder> {
        if let Some(bulk) = text.strip_prefix('b').filter(|rest| rest.len() == 32) {
            return bulk.parse().map(Self::Bulk).map_err(|_| MalformedHolder);
        }
        let (folio, place) = text.split_once('-').ok_or(MalformedHolder)?;
        let folio = folio.parse().map_err(|_| MalformedHolder)?;
        let place = place.parse::<u8>().map_err(|_| MalformedHolder)?;
        let holder = Self::Signer {
            folio,
            place: place.into(),
        };
        // One name each: no leading zeros or signs.
        if holder.to_string() == text {
            Ok(holder)
        } else {
            Err(MalformedHolder)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_have_one_form() {
        let folio = FolioId::from_bytes([0xbb; 16]);
        for holder in [
            Holder::Signer { folio, place: 0 },
            Holder::Signer { folio, place: 9 },
            Holder::Bulk(BulkId::from_bytes([0xb0; 16])),
        ] {
            assert_eq!(holder.to_string().parse(), Ok(holder));
        }
        for bad in [
            "",
            "b",
            "-0",
            &format!("{folio}-00"),
            &format!("{folio}-+1"),
            &format!("{folio}-256"),
        ] {
            assert_eq!(bad.parse::<Holder>(), Err(MalformedHolder), "{bad}");
        }
    }
}
