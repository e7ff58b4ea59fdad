//! Why an authority gave no timestamp.

use std::fmt;

/// Why an authority gives no timestamp (RFC 3161, section 2.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureInfo {
    /// The digest algorithm is unknown or not supported.
    BadAlgorithm,
    /// The request is not permitted or not supported.
    BadRequest,
    /// The data has the wrong format.
    BadDataFormat,
    /// The authority's source of time is not available.
    TimeNotAvailable,
    /// The requested policy is not supported.
    UnacceptedPolicy,
    /// A requested extension is not supported.
    UnacceptedExtension,
    /// Requested additional information is not available.
    AddInfoNotAvailable,
    /// The request cannot be handled because of an internal failure.
    SystemFailure,
}

impl FailureInfo {
    const BITS: [(Self, u8); 8] = [
        (Self::BadAlgorithm, 0),
        (Self::BadRequest, 2),
        (Self::BadDataFormat, 5),
        (Self::TimeNotAvailable, 14),
        (Self::UnacceptedPolicy, 15),
        (Self::UnacceptedExtension, 16),
        (Self::AddInfoNotAvailable, 17),
        (Self::SystemFailure, 25),
    ];

    fn bit(self) -> u8 {
        Self::BITS
            .iter()
            .find(|(failure, _)| *failure == self)
            .map_or(25, |(_, bit)| *bit)
    }

    /// The contents of a BIT STRING with this bit alone.
    pub(super) fn bits(self) -> Vec<u8> {
        let bit = self.bit();
        let mut bits = vec![0; usize::from(bit / 8) + 2];
        bits[0] = 7 - bit % 8;
        bits[usize::from(bit / 8) + 1] = 0x80 >> (bit % 8);
        bits
    }

    pub(super) fn from_bits(bits: &[u8]) -> Option<Self> {
        let octets = bits.get(1..)?;
        let set = |bit: u8| {
            octets
                .get(usize::from(bit / 8))
                .is_some_and(|octet| octet & (0x80 >> (bit % 8)) != 0)
        };
        Self::BITS
            .iter()
            .find(|(_, bit)| set(*bit))
            .map(|(failure, _)| *failure)
    }
}

/// A refusal as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The `PKIStatus`.
    pub status: u64,
    /// The reason, if a known one was given.
    pub failure: Option<FailureInfo>,
    /// The authority's text, cut and without control characters: not to be trusted.
    pub text: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.status)?;
        if let Some(failure) = self.failure {
            write!(f, ", {failure:?}")?;
        }
        if self.text.is_empty() {
            Ok(())
        } else {
            write!(f, ", {:?}", self.text)
        }
    }
}
