//! Links by which people choose a password: found by the hash of their token, used once.

use crate::error::Error;
use crate::queries::panel::users::{self, StoredUser};
use crate::rows::UserRow;
use crate::tx::Tx;
use crate::value::sql_int;
use domain::Timestamp;

impl Tx<'_> {
    /// Keeps a link of that user.
    pub fn add_password_link(
        &mut self,
        digest: &[u8; 32],
        user: UserRow,
        at: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        let sql =
            "INSERT INTO password_links (digest, person, created_at, expires_at) VALUES ($1, $2, $3, $4)";
        self.execute(sql, &[digest.into(), user.into(), at.into(), expires_at.into()])
            .map(drop)
    }

    /// Whose link that is, if it still works and the user may sign in.
    pub fn password_link(&mut self, digest: &[u8; 32], now: Timestamp) -> Result<Option<StoredUser>, Error> {
        let sql = format!(
            "SELECT {} FROM password_links l JOIN users u ON u.seq = l.person
             WHERE l.digest = $1 AND l.expires_at > $2 AND u.disabled_at IS NULL",
            users::COLUMNS
        );
        self.query_one(&sql, &[digest.into(), now.into()], users::read)
    }

    /// Uses a link up. False when another request used it first.
    pub fn use_password_link(&mut self, digest: &[u8; 32]) -> Result<bool, Error> {
        Ok(self.execute("DELETE FROM password_links WHERE digest = $1", &[digest.into()])? > 0)
    }

    /// Ends every link of a user.
    pub fn end_password_links(&mut self, user: UserRow) -> Result<(), Error> {
        self.execute("DELETE FROM password_links WHERE person = $1", &[user.into()])
            .map(drop)
    }

    /// Deletes expired links, up to `max`. Returns how many.
    pub fn delete_old_password_links(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM password_links WHERE digest IN (
                       SELECT digest FROM password_links WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";
        self.execute(sql, &[before.into(), sql_int(max)?.into()])
    }
}
