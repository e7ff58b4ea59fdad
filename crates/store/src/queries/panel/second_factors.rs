//! Second factors: the secret that codes are made from, and the codes for the day the telephone is lost.

use crate::dialect::ColumnType::{Bytes, Int};
use crate::error::Error;
use crate::rows::UserRow;
use crate::tx::Tx;
use crate::value::{Rows, only_column};
use domain::Timestamp;

impl Tx<'_> {
    /// Gives a user a second factor whose steps up to this one are used up, or takes it away.
    pub fn set_totp(&mut self, user: UserRow, sealed: Option<&[u8]>, step: i64) -> Result<(), Error> {
        let sql = "UPDATE users SET totp_secret = $1, totp_step = $2 WHERE seq = $3";
        self.execute(sql, &[sealed.into(), step.into(), user.into()])
            .map(drop)
    }

    /// Uses a time step up. False when it was used before, or a later one was.
    pub fn use_totp_step(&mut self, user: UserRow, step: i64) -> Result<bool, Error> {
        let sql = "UPDATE users SET totp_step = $1 WHERE seq = $2 AND totp_step < $1";
        Ok(self.execute(sql, &[step.into(), user.into()])? > 0)
    }

    /// Gives a user new recovery codes in the place of all before, by their keyed hashes.
    pub fn put_recovery_codes(&mut self, user: UserRow, digests: &[[u8; 32]]) -> Result<(), Error> {
        self.execute("DELETE FROM recovery_codes WHERE person = $1", &[user.into()])?;
        let mut params = Rows::new();
        for digest in digests {
            params.push([user.into(), digest.into()]);
        }
        self.run_rows(
            "INSERT INTO recovery_codes (person, digest) VALUES",
            &[Int, Bytes],
            &params,
        )
    }

    /// Uses a recovery code up. False when it is none, or was used before.
    pub fn use_recovery_code(
        &mut self,
        user: UserRow,
        digest: &[u8; 32],
        at: Timestamp,
    ) -> Result<bool, Error> {
        let sql =
            "UPDATE recovery_codes SET used_at = $1 WHERE person = $2 AND digest = $3 AND used_at IS NULL";
        Ok(self.execute(sql, &[at.into(), user.into(), digest.into()])? > 0)
    }

    /// How many recovery codes a user has left.
    pub fn recovery_codes_left(&mut self, user: UserRow) -> Result<usize, Error> {
        let sql = "SELECT COUNT(*) FROM recovery_codes WHERE person = $1 AND used_at IS NULL";
        let left = self.query_one(sql, &[user.into()], only_column)?;
        Ok(left.unwrap_or(0))
    }
}
