//! The installation's own authority: one certificate a role, its key sealed.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::tx::Tx;
use domain::Timestamp;

/// A certificate and its sealed key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityRow {
    /// Its purpose.
    pub role: String,
    /// The certificate, in DER.
    pub certificate: Vec<u8>,
    /// The sealed key; none when the key is kept elsewhere.
    pub sealed_key: Option<Vec<u8>>,
}

impl Tx<'_> {
    /// The rows of the authority.
    pub fn authority(&mut self) -> Result<Vec<AuthorityRow>, Error> {
        let sql = "SELECT role, certificate, sealed_key FROM authority ORDER BY role";
        self.query(sql, &[], |row| {
            Ok(AuthorityRow {
                role: row.get("role")?,
                certificate: row.get("certificate")?,
                sealed_key: row.get("sealed_key")?,
            })
        })
    }

    /// Keeps a new authority, unless another instance has kept its own first.
    pub fn insert_authority(&mut self, rows: &[AuthorityRow], at: Timestamp) -> Result<(), Error> {
        if self.dialect() == crate::dialect::Dialect::Postgres {
            self.batch("LOCK TABLE authority IN EXCLUSIVE MODE")?;
        }
        if !self.authority()?.is_empty() {
            return Ok(());
        }
        let mut params = crate::value::Rows::new();
        for row in rows {
            params.push([
                (&row.role).into(),
                row.certificate.as_slice().into(),
                row.sealed_key.as_deref().into(),
                at.into(),
            ]);
        }
        self.run_rows(
            "INSERT INTO authority (role, certificate, sealed_key, created_at) VALUES",
            &[Text, Bytes, Bytes, Int],
            &params,
        )
    }

    /// Puts other rows in place of the authority's: rotated, or sealed under another key. [`Error::Stale`] when it is
    /// no longer what it was taken for.
    pub fn replace_authority(
        &mut self,
        from: &[AuthorityRow],
        to: &[AuthorityRow],
        at: Timestamp,
    ) -> Result<(), Error> {
        if self.dialect() == crate::dialect::Dialect::Postgres {
            self.batch("LOCK TABLE authority IN EXCLUSIVE MODE")?;
        }
        if self.authority()? != from {
            return Err(Error::Stale);
        }
        self.execute("DELETE FROM authority", &[])?;
        self.insert_authority(to, at)
    }
}
