//! Certificates that were revoked. For the operator: no company.

use crate::error::Error;
use crate::tx::Tx;
use domain::{CompanyId, DocumentId, Timestamp};

/// A certificate that was revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevocationRow {
    /// Its serial number: the contents of its INTEGER.
    pub serial: Vec<u8>,
    /// SHA-256 of its issuer's certificate; none where any issuer may have made it.
    pub issuer: Option<[u8; 32]>,
    /// Why, as certificate revocation lists number it.
    pub reason: u8,
    /// Since when.
    pub revoked_at: Timestamp,
}

impl Tx<'_> {
    /// Everything that was revoked, in a fixed order.
    pub fn revocations(&mut self) -> Result<Vec<RevocationRow>, Error> {
        let sql = "SELECT serial, issuer, reason, revoked_at FROM revocations ORDER BY serial, issuer";
        self.query(sql, &[], |row| {
            let issuer: Vec<u8> = row.get("issuer")?;
            Ok(RevocationRow {
                serial: row.get("serial")?,
                issuer: match issuer.as_slice() {
                    [] => None,
                    issuer => Some(issuer.try_into().map_err(|_| Error::Corrupt("issuer"))?),
                },
                reason: u8::try_from(row.get::<i64>("reason")?).map_err(|_| Error::Corrupt("reason"))?,
                revoked_at: row.get("revoked_at")?,
            })
        })
    }

    /// Keeps a revocation; false where the certificate was revoked before, which stays as it was.
    pub fn add_revocation(&mut self, row: &RevocationRow, now: Timestamp) -> Result<bool, Error> {
        let sql = "INSERT INTO revocations (serial, issuer, reason, revoked_at, recorded_at)
                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
        let issuer = row.issuer.as_ref().map_or(&[][..], <[u8; 32]>::as_slice);
        let params = [
            row.serial.as_slice().into(),
            issuer.into(),
            i64::from(row.reason).into(),
            row.revoked_at.into(),
            now.into(),
        ];
        Ok(self.execute(sql, &params)? > 0)
    }

    /// The documents of the folio whose history contains a signer's certificate, by its SHA-256 in hexadecimal. Reads
    /// every event: the histories have no index of certificates.
    pub fn documents_signed_with(
        &mut self,
        certificate: &str,
    ) -> Result<Vec<(CompanyId, DocumentId)>, Error> {
        let sql = "SELECT f.company, d.id FROM documents d JOIN folios f ON f.seq = d.folio
                   WHERE f.seq = (SELECT e.folio FROM events e WHERE e.body LIKE $1 ORDER BY e.folio LIMIT 1)
                   ORDER BY d.position";
        let pattern = format!("%\"certificates\":[%\"{certificate}\"%");
        self.query(sql, &[(&pattern).into()], |row| {
            Ok((CompanyId(row.get("company")?), row.get("id")?))
        })
    }
}
