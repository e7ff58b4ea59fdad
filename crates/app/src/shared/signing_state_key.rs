//! Authenticates the signing state of documents: the stored bytes from which the next increment is made,
//! which decide what a signature covers. The key is not in the database, so database access alone cannot
//! make a signer sign another file.

use crate::{Error, MasterKey};
use aws_lc_rs::hmac;
use domain::{DocumentIndex, FolioId};
use pdf::prepare::Prepared;

/// What the key is derived for; it is kept when the master key is replaced by another.
pub(crate) const PURPOSE: &str = "signing states";
const MAC_BYTES: usize = 32;

/// Authenticates what increments are made from, document by document.
#[derive(Debug, Clone)]
pub(crate) struct SigningStateKey(hmac::Key);

impl SigningStateKey {
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, &master.derive(PURPOSE)))
    }

    /// The bytes that are kept, followed by their MAC.
    pub(crate) fn seal(&self, folio: FolioId, position: DocumentIndex, mut prepared: Vec<u8>) -> Vec<u8> {
        let mac = self.mac(folio, position, &prepared);
        prepared.extend(mac.sign().as_ref());
        prepared
    }

    /// What was kept, if it is this document's and as it was written.
    pub(crate) fn open(
        &self,
        folio: FolioId,
        position: DocumentIndex,
        kept: &[u8],
    ) -> Result<Prepared, Error> {
        let forged = || Error::Internal("what a document's next increment is made from was changed".into());
        let (prepared, mac) = kept.split_last_chunk::<MAC_BYTES>().ok_or_else(forged)?;
        let expected = self.mac(folio, position, prepared).sign();
        aws_lc_rs::constant_time::verify_slices_are_equal(expected.as_ref(), mac).map_err(|_| forged())?;
        Prepared::from_bytes(prepared).map_err(|error| Error::Internal(error.into()))
    }

    fn mac(&self, folio: FolioId, position: DocumentIndex, prepared: &[u8]) -> hmac::Context {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(folio.as_bytes());
        context.update(&u64::try_from(position.0).unwrap_or(u64::MAX).to_be_bytes());
        context.update(prepared);
        context
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_for_its_document_alone_and_unchanged() {
        let key = |text: &str| SigningStateKey::new(&MasterKey::from_hex(&text.repeat(32)).unwrap());
        let folio = FolioId::from_bytes([7; 16]);
        let kept = key("5a").seal(folio, DocumentIndex(1), b"prepared".to_vec());
        let is_forged =
            |opened: Result<Prepared, Error>| opened.unwrap_err().to_string().contains("was changed");
        assert!(
            !is_forged(key("5a").open(folio, DocumentIndex(1), &kept)),
            "only no state of a document"
        );
        assert!(is_forged(key("5a").open(folio, DocumentIndex(0), &kept)));
        assert!(is_forged(key("5a").open(
            FolioId::from_bytes([8; 16]),
            DocumentIndex(1),
            &kept
        )));
        assert!(is_forged(key("5b").open(folio, DocumentIndex(1), &kept)));
        assert!(is_forged(key("5a").open(folio, DocumentIndex(1), &kept[1..])));
        assert!(is_forged(key("5a").open(folio, DocumentIndex(1), b"")));
    }
}
