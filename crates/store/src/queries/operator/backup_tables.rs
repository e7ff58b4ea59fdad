//! Copies of tables between databases, of either engine. For the operator: no company.

use crate::dialect::ColumnType;
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Column, Param, only_column};

/// The tables of a backup, each after those it refers to. The others belong to one database and one
/// storage: its migrations, the marks and holds on its blobs, their last sweep, the scrubber's place among them, and the pace of erasures. Forms and files that were
/// not sent yet live for days only, and completed sign-ins for an hour: they are in no backup.
pub const BACKUP_TABLES: [&str; 50] = [
    "companies",
    "api_keys",
    "api_requests",
    "folios",
    "documents",
    "signers",
    "events",
    "bulks",
    "bulk_folios",
    "outbox",
    "outbox_folios",
    "resends",
    "reminders",
    "reminder_replans",
    "idempotency_keys",
    "idempotency_folios",
    "signing_states",
    "increments",
    "codes",
    "code_sends",
    "signer_sessions",
    "recorded_visits",
    "shown_pages",
    "accepted_documents",
    "authority",
    "revocations",
    "kept_keys",
    "extensions",
    "increment_moves",
    "mailbox",
    "users",
    "recovery_codes",
    "identity_providers",
    "panel_sessions",
    "sign_in_failures",
    "password_links",
    "invitations",
    "account_emails",
    "saved_searches",
    "folio_templates",
    "template_documents",
    "audit",
    "folio_changes",
    "daily_stats",
    "search_index",
    "webhook_endpoints",
    "webhook_deliveries",
    "webhook_attempts",
    "sandbox_clock",
    "sandbox_bounces",
];

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub kind: ColumnType,
}

impl Tx<'_> {
    /// The columns of a table; none where there is no such table.
    pub fn columns(&mut self, table: &str) -> Result<Vec<ColumnInfo>, Error> {
        let sql = self.dialect().columns();
        self.query(sql, &[table.into()], |row| {
            let kind = match row.get::<String>("type")?.to_lowercase().as_str() {
                "integer" | "bigint" => ColumnType::Int,
                "text" => ColumnType::Text,
                "bytea" => ColumnType::Bytes,
                _ => return Err(Error::Corrupt("column type")),
            };
            Ok(ColumnInfo {
                name: row.get("name")?,
                kind,
            })
        })
    }

    /// Hands over every row of a table, in no particular order, one at a time.
    pub fn each_row<E: From<Error>>(
        &mut self,
        table: &str,
        columns: &[ColumnInfo],
        mut take: impl FnMut(&[Column<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("SELECT {} FROM {}", names(columns), checked_table(table)?);
        self.each(&sql, |row| {
            let cells: Result<Vec<_>, Error> =
                columns.iter().map(|column| row.column(&column.name)).collect();
            take(&cells?)
        })
    }

    /// Puts rows into a table, value after value, in the order of the columns.
    pub fn insert_rows(
        &mut self,
        table: &str,
        columns: &[ColumnInfo],
        cells: &[Column<'_>],
    ) -> Result<(), Error> {
        let params: Vec<Param<'_>> = cells.iter().map(|cell| (*cell).into()).collect();
        let kinds: Vec<ColumnType> = columns.iter().map(|column| column.kind).collect();
        let sql = format!(
            "INSERT INTO {} ({}) VALUES",
            checked_table(table)?,
            names(columns)
        );
        self.run_rows(&sql, &kinds, &params)
    }

    /// Has a table that was copied give out numbers after those it holds.
    pub fn continue_row_numbers(&mut self, table: &str, columns: &[ColumnInfo]) -> Result<(), Error> {
        match self.dialect().reset_sequence(checked_table(table)?) {
            Some(sql) if columns.iter().any(|column| column.name == "seq") => self.batch(&sql),
            _ => Ok(()),
        }
    }

    /// The tables of a database server's schema, as they are written in statements.
    pub(crate) fn tables(&mut self) -> Result<Vec<String>, Error> {
        let sql = "SELECT quote_ident(CAST(relname AS TEXT)) AS name FROM pg_class WHERE relkind = 'r'
                       AND relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace) ORDER BY relname";
        self.query(sql, &[], only_column)
    }

    /// Whether the role that is connected to a database server owns its tables.
    pub(crate) fn owns_tables(&mut self) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM pg_class WHERE relname = 'folios' AND pg_has_role(relowner, 'USAGE')
                       AND relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace)";
        let owned = self.query_one(sql, &[], only_column::<i64>)?;
        Ok(owned == Some(1))
    }

    /// Whether that role owns the database.
    pub(crate) fn owns_database(&mut self) -> Result<bool, Error> {
        let sql = "SELECT COUNT(*) FROM pg_database WHERE datname = current_database()
                       AND pg_has_role(datdba, 'USAGE')";
        let owned = self.query_one(sql, &[], only_column::<i64>)?;
        Ok(owned == Some(1))
    }

    /// Whether the database holds nothing yet.
    pub fn is_empty_database(&mut self) -> Result<bool, Error> {
        let sql = "SELECT (SELECT COUNT(*) FROM companies) + (SELECT COUNT(*) FROM authority)";
        let rows = self.query_one(sql, &[], only_column::<i64>)?;
        Ok(rows == Some(0))
    }
}

/// The table, if it is one of those that are copied: names go into statements as they are.
fn checked_table(table: &str) -> Result<&'static str, Error> {
    let known = BACKUP_TABLES.iter().find(|one| **one == table);
    known.copied().ok_or(Error::Corrupt("table"))
}

fn names(columns: &[ColumnInfo]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    names.join(", ")
}
