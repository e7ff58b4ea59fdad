//! The columns that are sealed under the master key, for the rotation of that key. For the operator: no
//! company.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::rows::SealedRow;
use crate::tx::Tx;
use crate::value::Rows;

/// A column of sealed secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedColumn {
    /// Codes in messages that wait.
    Outbox,
    /// Secrets of emails to panel users.
    AccountEmails,
    /// Second factors of people of the panel.
    Totp,
    /// Secrets that sign webhooks.
    Webhooks,
    /// The previous secrets, until they expire.
    PreviousWebhooks,
    /// Secrets by which identity providers know us.
    IdentityProviders,
}

impl SealedColumn {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Outbox,
        Self::AccountEmails,
        Self::Totp,
        Self::Webhooks,
        Self::PreviousWebhooks,
        Self::IdentityProviders,
    ];

    const fn table_and_column(self) -> (&'static str, &'static str) {
        match self {
            Self::Outbox => ("outbox", "secret"),
            Self::AccountEmails => ("account_emails", "secret"),
            Self::Totp => ("users", "totp_secret"),
            Self::Webhooks => ("webhook_endpoints", "secret"),
            Self::PreviousWebhooks => ("webhook_endpoints", "previous_secret"),
            Self::IdentityProviders => ("identity_providers", "client_secret"),
        }
    }
}

impl Tx<'_> {
    /// The next secrets after a row number, each with its row number.
    pub fn sealed_values(
        &mut self,
        kind: SealedColumn,
        after: SealedRow,
        limit: i64,
    ) -> Result<Vec<(SealedRow, Vec<u8>)>, Error> {
        let (table, column) = kind.table_and_column();
        let lock = self.dialect().for_update();
        let sql = format!(
            "SELECT seq, {column} FROM {table} WHERE seq > $1 AND {column} IS NOT NULL
             ORDER BY seq LIMIT $2{lock}"
        );
        self.query(&sql, &[after.into(), limit.into()], |row| {
            Ok((row.get("seq")?, row.get(column)?))
        })
    }

    /// Replaces secrets by their row numbers.
    pub fn reseal(&mut self, kind: SealedColumn, secrets: &[(SealedRow, Vec<u8>)]) -> Result<(), Error> {
        let (table, column) = kind.table_and_column();
        let sql = format!(
            "UPDATE {table} SET {column} = c.column2 FROM (VALUES {{rows}}) AS c WHERE {table}.seq = c.column1"
        );
        let mut rows = Rows::new();
        for (seq, sealed) in secrets {
            rows.push([(*seq).into(), sealed.as_slice().into()]);
        }
        self.run_rows(&sql, &[Int, Bytes], &rows)
    }

    /// Keys that are derived from an earlier master key and are still in use, sealed, by name.
    pub fn retained_keys(&mut self) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let sql = "SELECT name, sealed FROM kept_keys ORDER BY name";
        self.query(sql, &[], |row| Ok((row.get("name")?, row.get("sealed")?)))
    }

    /// Replaces the retained keys.
    pub fn set_retained_keys(&mut self, keys: &[(String, Vec<u8>)]) -> Result<(), Error> {
        self.execute("DELETE FROM kept_keys", &[])?;
        let mut rows = Rows::new();
        for (name, sealed) in keys {
            rows.push([name.into(), sealed.as_slice().into()]);
        }
        self.run_rows(
            "INSERT INTO kept_keys (name, sealed) VALUES",
            &[Text, Bytes],
            &rows,
        )
    }
}
