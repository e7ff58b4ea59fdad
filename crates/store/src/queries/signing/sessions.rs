//! Signers' sessions: rows from the first form or document on.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::{only_column, sql_int};
use domain::limits::MAX_CLOCK_SKEW;
use domain::{SignerSessionId, Timestamp};

/// A session that has a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SignerSessionRow {
    /// When a code was typed in it.
    pub proven_at: Option<Timestamp>,
    /// When the signer signed out.
    pub ended_at: Option<Timestamp>,
}

impl Tx<'_> {
    /// The row of a session; none for a session that has only opened a link.
    pub fn signer_session(&mut self, id: SignerSessionId) -> Result<Option<SignerSessionRow>, Error> {
        let sql = "SELECT proven_at, ended_at FROM signer_sessions WHERE id = $1";
        self.query_one(sql, &[(&id).into()], |row| {
            Ok(SignerSessionRow {
                proven_at: row.get("proven_at")?,
                ended_at: row.get("ended_at")?,
            })
        })
    }

    /// Writes a session down, unless it is there already.
    pub fn put_signer_session(
        &mut self,
        id: SignerSessionId,
        holder: &[u8],
        network: Option<&[u8]>,
        at: Timestamp,
    ) -> Result<(), Error> {
        let sql = "INSERT INTO signer_sessions (id, holder, network, begun_at) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (id) DO NOTHING";
        let params = [(&id).into(), holder.into(), network.into(), at.into()];
        self.execute(sql, &params).map(drop)
    }

    /// How many sessions the holder has begun after a time, counted up to `max`; and how many of them from that network.
    /// Those of a clock that was ahead are not counted.
    pub fn count_signer_sessions(
        &mut self,
        holder: &[u8],
        network: &[u8],
        after: Timestamp,
        now: Timestamp,
        max: usize,
    ) -> Result<(usize, usize), Error> {
        let sql = "SELECT COUNT(*) AS begun, COUNT(CASE WHEN network = $4 THEN 1 END) AS from_network FROM (
                       SELECT network FROM signer_sessions WHERE holder = $1 AND begun_at > $2 AND begun_at <= $5
                       LIMIT $3) AS recent";
        let ahead = now.after(MAX_CLOCK_SKEW);
        let params = [
            holder.into(),
            after.into(),
            sql_int(max)?.into(),
            network.into(),
            ahead.into(),
        ];
        let counts = self.query_one(sql, &params, |row| {
            Ok((row.get("begun")?, row.get("from_network")?))
        })?;
        Ok(counts.unwrap_or_default())
    }

    /// Notes that a code was typed in the session.
    pub fn prove_signer_session(&mut self, id: SignerSessionId, at: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE signer_sessions SET proven_at = $2 WHERE id = $1";
        self.execute(sql, &[(&id).into(), at.into()]).map(drop)
    }

    /// Ends a session for good.
    pub fn end_signer_session(&mut self, id: SignerSessionId, at: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE signer_sessions SET ended_at = $2 WHERE id = $1";
        self.execute(sql, &[(&id).into(), at.into()]).map(drop)
    }

    /// Whether this is the first time that the session does it; from then on it is not.
    pub fn is_first_in_session(&mut self, id: SignerSessionId, what: &str) -> Result<bool, Error> {
        let sql = "INSERT INTO recorded_visits (session, what) VALUES ($1, $2) ON CONFLICT (session, what) DO NOTHING";
        Ok(self.execute(sql, &[(&id).into(), what.into()])? > 0)
    }

    /// Deletes sessions that began before a time, with their records, up to `max`. Returns how many.
    pub fn delete_old_signer_sessions(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "SELECT id FROM signer_sessions WHERE begun_at < $1 ORDER BY begun_at LIMIT $2";
        let params = [before.into(), sql_int(max)?.into()];
        let old: Vec<SignerSessionId> = self.query(sql, &params, only_column)?;
        for sql in [
            "DELETE FROM recorded_visits WHERE session IN ({list}) RETURNING session",
            "DELETE FROM shown_pages WHERE session IN ({list}) RETURNING session",
            "DELETE FROM accepted_documents WHERE session IN ({list}) RETURNING session",
            "DELETE FROM signer_sessions WHERE id IN ({list}) RETURNING id",
        ] {
            self.query_in(sql, &[], old.iter().map(Into::into), |_| Ok(()))?;
        }
        Ok(old.len() as u64)
    }
}
