//! Revoking a certificate of the authority: an issuer's, the service's, that of its timestamps, or a signer's. The
//! lists carry it from then on; instances that run take it up by themselves.

use crate::{App, Error, Notary};
use data_encoding::HEXLOWER;
use domain::Timestamp;
use futures_util::StreamExt;
use pades::verify::{Policy, verify};
use pki::authority::Reason;
use pki::cms::Certificate;
use store::{DocumentFile, DocumentLookup, RevocationRow};

/// A certificate that was revoked.
#[derive(Debug)]
pub struct RevokedCertificate {
    /// Whose it is; none where nothing but its serial number is known.
    pub subject: Option<String>,
    /// Whether the authority used it: then it is to be rotated.
    pub in_use: bool,
    /// Whether it was revoked only now.
    pub now: bool,
}

/// Why a certificate was not revoked.
#[derive(Debug, thiserror::Error)]
pub enum NotRevoked {
    /// Neither a fingerprint nor a serial number.
    #[error("a certificate is named by its SHA-256 or its serial number, in hexadecimal")]
    Malformed,
    /// No list can name the root: none is signed above it.
    #[error("the root cannot be revoked by itself: tell those who trust it")]
    Root,
    /// No certificate has that fingerprint.
    #[error(
        "the installation made no certificate with that SHA-256, or has dropped the folio: name it by its serial number"
    )]
    Unknown,
    /// The time has not come.
    #[error("a certificate is revoked now or since some time, not in advance")]
    Future,
    /// The certificate did not exist then.
    #[error("the certificate was made later than that")]
    TooEarly,
    /// Something broke.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<store::Error> for NotRevoked {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// How a certificate is named.
enum Name {
    Sha256([u8; 32]),
    /// The contents of an INTEGER.
    Serial(Vec<u8>),
}

/// Octets of a serial number (RFC 5280, section 4.1.2.2).
const MAX_SERIAL_BYTES: usize = 20;

impl Name {
    fn read(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(|c| *c != ':').collect();
        let padding = if digits.len().is_multiple_of(2) { "" } else { "0" };
        let digits = format!("{padding}{}", digits.to_ascii_lowercase());
        let bytes = HEXLOWER.decode(digits.as_bytes()).ok()?;
        if let Ok(sha256) = <[u8; 32]>::try_from(bytes.as_slice()) {
            return Some(Self::Sha256(sha256));
        }
        let mut serial: Vec<u8> = bytes.into_iter().skip_while(|octet| *octet == 0).collect();
        if serial.first()? & 0x80 != 0 {
            serial.insert(0, 0);
        }
        (serial.len() <= MAX_SERIAL_BYTES).then_some(Self::Serial(serial))
    }
}

impl App {
    /// Revokes the certificate with that fingerprint or serial number, since a time or from now on.
    pub async fn revoke_certificate(
        &self,
        name: &str,
        reason: Reason,
        since: Option<Timestamp>,
    ) -> Result<RevokedCertificate, NotRevoked> {
        let now = self.clock.now();
        let since = since.unwrap_or(now);
        if since > now {
            return Err(NotRevoked::Future);
        }
        let name = Name::read(name).ok_or(NotRevoked::Malformed)?;
        let is_named = |certificate: &Certificate| match &name {
            Name::Sha256(sha256) => certificate.sha256() == sha256,
            Name::Serial(serial) => certificate.serial() == serial,
        };
        if is_named(self.notary.root()) {
            return Err(NotRevoked::Root);
        }
        let own = self.notary.own(is_named);
        let in_use = own
            .as_ref()
            .is_some_and(|(one, _)| self.notary.certificates().iter().any(|(_, used)| used == one));
        let known = match (own, &name) {
            (Some(own), _) => Some(own),
            (None, Name::Sha256(sha256)) => Some(self.signers_certificate(*sha256).await?),
            (None, Name::Serial(_)) => None,
        };
        if known.as_ref().is_some_and(|(one, _)| since < Notary::starts(one)) {
            return Err(NotRevoked::TooEarly);
        }
        let serial = match (&known, name) {
            (Some((one, _)), _) => one.serial().to_vec(),
            (None, Name::Serial(serial)) => serial,
            (None, Name::Sha256(_)) => return Err(NotRevoked::Unknown),
        };
        let row = RevocationRow {
            serial,
            issuer: known.as_ref().map(|(_, issuer)| *issuer.sha256()),
            reason: reason.code(),
            revoked_at: since,
        };
        let added = self.store.write(move |tx| tx.add_revocation(&row, now)).await?;
        self.notary.refresh(&self.store).await?;
        Ok(RevokedCertificate {
            subject: known.map(|(one, _)| one.subject()),
            in_use,
            now: added,
        })
    }

    /// A signer's certificate, out of the document that it signed, with its issuer's.
    async fn signers_certificate(&self, sha256: [u8; 32]) -> Result<(Certificate, Certificate), NotRevoked> {
        let digits = HEXLOWER.encode(&sha256);
        let documents = self
            .store
            .read(move |tx| tx.documents_signed_with(&digits))
            .await?;
        for (company, document) in documents {
            let found = self
                .store
                .read(move |tx| tx.find_document(company, document))
                .await?;
            let DocumentLookup::Own(file) = found else {
                continue;
            };
            let certificate = self.certificate_in(&file, sha256).await?;
            let issuer = certificate.as_ref().and_then(|one| self.notary.issuer_of(one));
            if let (Some(certificate), Some(issuer)) = (certificate, issuer) {
                return Ok((certificate, issuer));
            }
        }
        Err(NotRevoked::Unknown)
    }

    async fn certificate_in(
        &self,
        file: &DocumentFile,
        sha256: [u8; 32],
    ) -> Result<Option<Certificate>, Error> {
        let mut bytes = Vec::new();
        let mut reader = self.document_bytes(file, 0..file.size).await?;
        while let Some(frame) = reader.next().await {
            bytes.extend_from_slice(&frame?);
        }
        let found = tokio::task::spawn_blocking(move || {
            let mut policy = Policy::new(&[], jiff::Timestamp::UNIX_EPOCH);
            policy.limits.bytes = policy.limits.bytes.max(bytes.len());
            let signatures = verify(&bytes, &policy).signatures.into_iter();
            signatures
                .filter_map(|signature| signature.certificate)
                .find(|certificate| *certificate.sha256() == sha256)
        });
        found.await.map_err(|error| Error::Internal(error.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn a_certificate_is_named_by_fingerprint_or_serial() {
        let sha256 = |text: &str| matches!(Name::read(text), Some(Name::Sha256(_)));
        assert!(sha256(&"ab".repeat(32)) && sha256(&["AB"; 32].join(":")));
        let serial = |text: &str| match Name::read(text) {
            Some(Name::Serial(serial)) => Some(serial),
            _ => None,
        };
        assert_eq!(serial("5"), Some(vec![5]));
        assert_eq!(serial("00:4F:01"), Some(vec![0x4f, 1]));
        assert_eq!(serial("ff01"), Some(vec![0, 0xff, 1]));
        for wrong in ["", "0", "xyz", "4f 01", &"ab".repeat(21), &"ab".repeat(33)] {
            assert!(Name::read(wrong).is_none(), "{wrong}");
        }
    }
}
