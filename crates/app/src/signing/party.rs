//! The owner of a link, a session or a code: a signer of a folio, or the signer of a bulk signature.

use domain::{BulkId, FolioId, SignerIndex};
use std::fmt;
use std::str::FromStr;

/// A signer of one folio, or of many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SigningParty {
    /// The signer with that index in a folio.
    Signer {
        /// The folio.
        folio: FolioId,
        /// The signer's index.
        signer_index: SignerIndex,
    },
    /// The signer of a bulk signature.
    Bulk(BulkId),
}

/// A text that names no signing party.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a party")]
pub struct MalformedSigningParty;

impl SigningParty {
    /// The party as bytes. Codes and sessions are stored under them.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Signer { folio, signer_index } => {
                let mut bytes = vec![b's'];
                bytes.extend(folio.as_bytes());
                bytes.push(u8::try_from(signer_index.0).unwrap_or(u8::MAX));
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

impl fmt::Display for SigningParty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signer { folio, signer_index } => write!(f, "{folio}-{signer_index}"),
            Self::Bulk(bulk) => write!(f, "b{bulk}"),
        }
    }
}

impl FromStr for SigningParty {
    type Err = MalformedSigningParty;

    fn from_str(text: &str) -> Result<Self, MalformedSigningParty> {
        if let Some(bulk) = text.strip_prefix('b').filter(|rest| rest.len() == 32) {
            return bulk.parse().map(Self::Bulk).map_err(|_| MalformedSigningParty);
        }
        let (folio, signer_index) = text.split_once('-').ok_or(MalformedSigningParty)?;
        let folio = folio.parse().map_err(|_| MalformedSigningParty)?;
        let signer_index = signer_index.parse::<u8>().map_err(|_| MalformedSigningParty)?;
        let party = Self::Signer {
            folio,
            signer_index: SignerIndex(signer_index.into()),
        };
        // One name each: no leading zeros or signs.
        if party.to_string() == text {
            Ok(party)
        } else {
            Err(MalformedSigningParty)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_have_one_form() {
        let folio = FolioId::from_bytes([0xbb; 16]);
        for party in [
            SigningParty::Signer {
                folio,
                signer_index: SignerIndex(0),
            },
            SigningParty::Signer {
                folio,
                signer_index: SignerIndex(9),
            },
            SigningParty::Bulk(BulkId::from_bytes([0xb0; 16])),
        ] {
            assert_eq!(party.to_string().parse(), Ok(party));
        }
        for bad in [
            "",
            "b",
            "-0",
            &format!("{folio}-00"),
            &format!("{folio}-+1"),
            &format!("{folio}-256"),
        ] {
            assert_eq!(bad.parse::<SigningParty>(), Err(MalformedSigningParty), "{bad}");
        }
    }
}
