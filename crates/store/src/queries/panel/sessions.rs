//! Sessions of the panel, found by the hash of their token.

use crate::error::Error;
use crate::queries::panel::users::{self, StoredUser};
use crate::rows::UserRow;
use crate::tx::Tx;
use crate::value::sql_int;
use domain::limits::MAX_CLOCK_SKEW;
use domain::{SessionId, Timestamp};

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// SHA-256 of its token.
    pub digest: [u8; 32],
    /// Its identifier.
    pub id: SessionId,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Timestamp,
    /// From where it began.
    pub address: Option<String>,
    /// The browser's user agent.
    pub agent: String,
    /// Whether the company's identity provider asked for a second factor.
    pub second_factor: bool,
}

/// The company of a user who is signed in, as pages show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanelCompany {
    /// Its name.
    pub name: String,
    /// Its own zone.
    pub timezone: Option<String>,
    /// Whether signed folios are approved.
    pub approval: bool,
    /// Whether all users need a second factor.
    pub second_factor_required: bool,
}

macro_rules! columns {
    () => {
        "s.digest, s.id AS session_id, s.created_at AS session_created_at, s.used_at, s.address, s.agent, s.second_factor"
    };
}

impl Tx<'_> {
    /// Begins a session of that user; the oldest beyond the limit are deleted, and those of a clock that was ahead.
    pub fn add_panel_session(
        &mut self,
        user: UserRow,
        session: &SessionRow,
        max: usize,
    ) -> Result<(), Error> {
        let sql = "INSERT INTO panel_sessions (digest, id, person, created_at, used_at, address, agent, second_factor)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let params = [
            (&session.digest).into(),
            (&session.id).into(),
            user.into(),
            session.created_at.into(),
            session.used_at.into(),
            session.address.as_deref().into(),
            (&session.agent).into(),
            session.second_factor.into(),
        ];
        self.execute(sql, &params)?;
        let sql = "DELETE FROM panel_sessions WHERE person = $1 AND digest <> $3 AND digest NOT IN (
                       SELECT digest FROM panel_sessions WHERE person = $1 AND created_at <= $4
                       ORDER BY created_at DESC, digest LIMIT $2)";
        let params = [
            user.into(),
            sql_int(max)?.into(),
            (&session.digest).into(),
            session.created_at.after(MAX_CLOCK_SKEW).into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// The session with that hash and its user, if it was used and begun since then and the user may sign in.
    pub fn panel_session(
        &mut self,
        digest: &[u8; 32],
        used_since: Timestamp,
        begun_since: Timestamp,
    ) -> Result<Option<(SessionRow, StoredUser, PanelCompany)>, Error> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            ", c.name AS company_name, c.timezone, c.approval, c.second_factor_required, ",
            users::columns!(),
            " FROM panel_sessions s
             JOIN users u ON u.seq = s.person JOIN companies c ON c.seq = u.company
             WHERE s.digest = $1 AND s.used_at > $2 AND s.created_at > $3 AND u.disabled_at IS NULL"
        );
        let params = [digest.into(), used_since.into(), begun_since.into()];
        self.query_one(sql, &params, |row| {
            let company = PanelCompany {
                name: row.get("company_name")?,
                timezone: row.get("timezone")?,
                approval: row.get("approval")?,
                second_factor_required: row.get("second_factor_required")?,
            };
            Ok((session(row)?, users::read(row)?, company))
        })
    }

    /// Notes that a session was used.
    pub fn touch_panel_session(&mut self, digest: &[u8; 32], at: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE panel_sessions SET used_at = $1 WHERE digest = $2";
        self.execute(sql, &[at.into(), digest.into()]).map(drop)
    }

    /// Gives a session another token.
    pub fn rotate_panel_session(&mut self, was: &[u8; 32], now: &[u8; 32]) -> Result<bool, Error> {
        let sql = "UPDATE panel_sessions SET digest = $1 WHERE digest = $2";
        Ok(self.execute(sql, &[now.into(), was.into()])? > 0)
    }

    /// The sessions of a user that still hold, newest first.
    pub fn panel_sessions_of(
        &mut self,
        user: UserRow,
        used_since: Timestamp,
        begun_since: Timestamp,
    ) -> Result<Vec<SessionRow>, Error> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM panel_sessions s
             WHERE s.person = $1 AND s.used_at > $2 AND s.created_at > $3 ORDER BY s.used_at DESC, s.digest"
        );
        let params = [user.into(), used_since.into(), begun_since.into()];
        self.query(sql, &params, session)
    }

    /// Ends one session of a user. False when there is none.
    pub fn end_panel_session(&mut self, user: UserRow, id: SessionId) -> Result<bool, Error> {
        let sql = "DELETE FROM panel_sessions WHERE person = $1 AND id = $2";
        Ok(self.execute(sql, &[user.into(), (&id).into()])? > 0)
    }

    /// Ends the sessions of a user, but for one.
    pub fn end_panel_sessions(&mut self, user: UserRow, but: Option<SessionId>) -> Result<u64, Error> {
        let sql = "DELETE FROM panel_sessions WHERE person = $1";
        match but {
            None => self.execute(sql, &[user.into()]),
            Some(but) => self.execute(&format!("{sql} AND id <> $2"), &[user.into(), (&but).into()]),
        }
    }

    /// Deletes expired sessions, up to `max`. Returns how many. One that is used meanwhile stays.
    pub fn delete_old_panel_sessions(&mut self, used_before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM panel_sessions WHERE used_at <= $1 AND digest IN (
                       SELECT digest FROM panel_sessions WHERE used_at <= $1 ORDER BY used_at LIMIT $2)";
        self.execute(sql, &[used_before.into(), sql_int(max)?.into()])
    }
}

fn session(row: &crate::value::Row<'_>) -> Result<SessionRow, Error> {
    Ok(SessionRow {
        digest: row.get("digest")?,
        id: row.get("session_id")?,
        created_at: row.get("session_created_at")?,
        used_at: row.get("used_at")?,
        address: row.get("address")?,
        agent: row.get("agent")?,
        second_factor: row.get("second_factor")?,
    })
}
