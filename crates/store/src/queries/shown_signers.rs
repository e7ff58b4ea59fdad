//! What is shown of a folio's signers, kept in the folio's own row. First when the folio changed last: every act says so in
//! the row, and if the row says otherwise, the act was that of a version which does not know this column. Then signer after
//! signer. Every field is its length (2 bytes) and its bytes; a field that has no value has none.

use super::shown::ShownSigner;
use super::words;
use crate::error::Error;
use crate::value::{Column, FromColumn};
use domain::Timestamp;
use std::net::IpAddr;

/// Bytes that a signer seldom takes more of.
const ORDINARY: usize = 128;

/// What the row keeps of these signers once the folio has changed at that time, or is new.
pub(super) fn pack<'s>(
    changed_at: Option<Timestamp>,
    signers: impl IntoIterator<Item = ShownSigner<'s>>,
) -> Result<Vec<u8>, Error> {
    let signers = signers.into_iter();
    let mut packed = Vec::with_capacity(ORDINARY * signers.size_hint().0);
    put_time(&mut packed, changed_at)?;
    for signer in signers {
        pack_signer(&mut packed, &signer)?;
    }
    Ok(packed)
}

/// Adds a signer to what the row keeps.
pub(super) fn pack_signer(packed: &mut Vec<u8>, signer: &ShownSigner<'_>) -> Result<(), Error> {
    for text in [
        signer.name,
        signer.document_type.code(),
        signer.document_number,
        signer.email,
        signer.mobile,
        words::signer_state(signer.state),
    ] {
        put(packed, text.as_bytes())?;
    }
    match signer.signed_from {
        Some(IpAddr::V4(address)) => put(packed, &address.octets())?,
        Some(IpAddr::V6(address)) => put(packed, &address.octets())?,
        None => put(packed, &[])?,
    }
    put_time(packed, signer.updated_at)
}

fn put_time(packed: &mut Vec<u8>, time: Option<Timestamp>) -> Result<(), Error> {
    match time {
        Some(time) => put(packed, &time.as_micros().to_be_bytes()),
        None => put(packed, &[]),
    }
}

fn put(packed: &mut Vec<u8>, field: &[u8]) -> Result<(), Error> {
    let length = u16::try_from(field.len()).map_err(|_| Error::Corrupt("signer"))?;
    packed.extend_from_slice(&length.to_be_bytes());
    packed.extend_from_slice(field);
    Ok(())
}

/// The signers, if they are as the folio left them when it last changed.
pub(super) fn current(packed: &[u8], changed_at: Option<Timestamp>) -> Result<Option<Signers<'_>>, Error> {
    let mut signers = Signers(packed);
    Ok((signers.time()? == changed_at).then_some(signers))
}

/// Packed signers that are still to be read.
#[derive(Debug)]
pub(super) struct Signers<'p>(&'p [u8]);

impl<'p> Signers<'p> {
    /// All of them, as [`pack_signer`] adds them.
    pub(super) const fn packed(&self) -> &'p [u8] {
        self.0
    }

    /// Hands over each of them, in the folio's order.
    pub(super) fn each(mut self, mut take: impl FnMut(ShownSigner<'p>)) -> Result<(), Error> {
        while !self.0.is_empty() {
            take(ShownSigner {
                name: self.text()?,
                document_type: self.word()?,
                document_number: self.text()?,
                email: self.text()?,
                mobile: self.text()?,
                state: self.word()?,
                signed_from: self.address()?,
                updated_at: self.time()?,
            });
        }
        Ok(())
    }

    fn field(&mut self) -> Result<&'p [u8], Error> {
        let split = self.0.split_first_chunk().and_then(|(length, rest)| {
            let length = u16::from_be_bytes(*length);
            rest.split_at_checked(length.into())
        });
        let (field, rest) = split.ok_or(UNREADABLE)?;
        self.0 = rest;
        Ok(field)
    }

    fn text(&mut self) -> Result<&'p str, Error> {
        std::str::from_utf8(self.field()?).map_err(|_| UNREADABLE)
    }

    fn word<T: FromColumn>(&mut self) -> Result<T, Error> {
        T::from_column(Column::Text(self.text()?))
    }

    fn time(&mut self) -> Result<Option<Timestamp>, Error> {
        match self.field()? {
            [] => Ok(None),
            bytes => {
                let micros = bytes.try_into().map_err(|_| UNREADABLE)?;
                Ok(Some(Timestamp::from_micros(i64::from_be_bytes(micros))))
            }
        }
    }

    fn address(&mut self) -> Result<Option<IpAddr>, Error> {
        let bytes = self.field()?;
        if let Ok(octets) = <[u8; 4]>::try_from(bytes) {
            Ok(Some(octets.into()))
        } else if let Ok(octets) = <[u8; 16]>::try_from(bytes) {
            Ok(Some(octets.into()))
        } else if bytes.is_empty() {
            Ok(None)
        } else {
            Err(UNREADABLE)
        }
    }
}

const UNREADABLE: Error = Error::Corrupt("shown signers");

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{DocumentType, SignerState};

    const BEFORE: Option<Timestamp> = Some(Timestamp::from_micros(-1));
    const NOW: Option<Timestamp> = Some(Timestamp::from_micros(1_700_000_000_000_001));
    const AT_LAST: Option<Timestamp> = Some(Timestamp::from_micros(i64::MAX));

    fn signer(name: &str) -> ShownSigner<'_> {
        ShownSigner {
            name,
            document_type: DocumentType::CitizenCard,
            document_number: "1001",
            email: "maría@ejemplo.com.co",
            mobile: "",
            state: SignerState::Pending,
            signed_from: None,
            updated_at: None,
        }
    }

    fn unpacked(packed: &[u8], changed_at: Option<Timestamp>) -> Result<Option<Vec<String>>, Error> {
        let Some(signers) = current(packed, changed_at)? else {
            return Ok(None);
        };
        let mut all = Vec::new();
        signers.each(|signer| all.push(format!("{signer:?}")))?;
        Ok(Some(all))
    }

    #[test]
    fn what_is_packed_comes_out_again_unless_the_folio_changed_since() {
        let longest = "🖋".repeat(domain::limits::PERSON_NAME);
        let signers = || {
            [
                signer("María Ñáñez"),
                ShownSigner {
                    state: SignerState::Signed,
                    signed_from: Some("192.0.2.7".parse().unwrap()),
                    updated_at: BEFORE,
                    ..signer(&longest)
                },
                ShownSigner {
                    document_type: DocumentType::TaxNumber,
                    state: SignerState::Rejected,
                    signed_from: Some("::ffff:192.0.2.7".parse().unwrap()),
                    updated_at: AT_LAST,
                    ..signer("")
                },
            ]
        };
        let shown = signers().map(|signer| format!("{signer:?}")).to_vec();
        for changed_at in [None, BEFORE, NOW] {
            let packed = pack(changed_at, signers()).unwrap();
            assert_eq!(unpacked(&packed, changed_at).unwrap(), Some(shown.clone()));
            assert_eq!(unpacked(&packed, AT_LAST).unwrap(), None);
        }
        assert_eq!(unpacked(&pack(NOW, signers()).unwrap(), None).unwrap(), None);
        assert_eq!(unpacked(&pack(None, []).unwrap(), None).unwrap(), Some(vec![]));
        assert!(pack(None, [signer(&"n".repeat(1 << 16))]).is_err());
    }

    #[test]
    fn what_is_cut_or_makes_no_sense_is_refused() {
        let packed = pack(
            NOW,
            [ShownSigner {
                signed_from: Some("192.0.2.7".parse().unwrap()),
                updated_at: AT_LAST,
                ..signer("é")
            }],
        )
        .unwrap();
        let refused = |packed: &[u8]| matches!(unpacked(packed, NOW), Err(Error::Corrupt(_)));
        let times = 10;
        for length in (0..packed.len()).filter(|length| *length != times) {
            assert!(refused(&packed[..length]), "{length}");
        }
        for (place, byte) in [
            (1, 7),
            (times + 2, 0xff),
            (times + 6, b'X'),
            (packed.len() - 15, 5),
        ] {
            let mut other = packed.clone();
            other[place] = byte;
            assert!(refused(&other), "{place}");
        }
    }
}
