//! People who were invited to the panel and have not chosen a password yet. An invitation says nothing about whether its
//! address is an account's, here or in another company.

use crate::error::Error;
use crate::rows::InvitationRow;
use crate::tx::Tx;
use crate::value::Row;
use crate::value::sql_int;
use domain::{CompanyId, InvitationId, Role, Timestamp};

/// An invitation.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredInvitation {
    /// The number in the database.
    pub seq: InvitationRow,
    /// The identifier.
    pub id: InvitationId,
    /// Who invites.
    pub company: CompanyId,
    /// The address to sign in with, in lower case.
    pub email: String,
    /// The full name.
    pub name: String,
    /// The role that the invitation gives.
    pub role: Role,
    /// When it was last sent.
    pub sent_at: Timestamp,
}

impl std::fmt::Debug for StoredInvitation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("StoredInvitation")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// An invitation to be added.
#[derive(Debug)]
pub struct NewInvitation<'i> {
    /// The identifier.
    pub id: InvitationId,
    /// Who invites.
    pub company: CompanyId,
    /// The address to sign in with, in lower case.
    pub email: &'i str,
    /// The full name.
    pub name: &'i str,
    /// The role that the invitation gives.
    pub role: Role,
    /// SHA-256 of the link's token.
    pub digest: &'i [u8; 32],
    /// When.
    pub at: Timestamp,
    /// Until when the link works.
    pub expires_at: Timestamp,
}

const COLUMNS: &str = "seq, id, company, email, name, role, sent_at";

impl Tx<'_> {
    /// Adds an invitation. [`Error::Duplicate`] when the company has invited the address already.
    pub fn add_invitation(&mut self, new: &NewInvitation<'_>) -> Result<(), Error> {
        let sql = "INSERT INTO invitations (id, company, email, name, role, sent_at, digest, expires_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let params = [
            (&new.id).into(),
            new.company.0.into(),
            new.email.into(),
            new.name.into(),
            new.role.word().into(),
            new.at.into(),
            new.digest.into(),
            new.expires_at.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// The company's invitations, by address.
    pub fn invitations_of(
        &mut self,
        company: CompanyId,
        limit: usize,
    ) -> Result<Vec<StoredInvitation>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM invitations WHERE company = $1 ORDER BY email LIMIT $2");
        self.query(&sql, &[company.0.into(), sql_int(limit)?.into()], read)
    }

    /// An invitation of the company, locked against acceptance and withdrawal until the transaction ends.
    pub fn lock_invitation(
        &mut self,
        company: CompanyId,
        id: InvitationId,
    ) -> Result<Option<StoredInvitation>, Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT {COLUMNS} FROM invitations WHERE company = $1 AND id = $2{lock}");
        self.query_one(&sql, &[company.0.into(), (&id).into()], read)
    }

    /// The invitation of that address by the company, locked.
    pub fn lock_invitation_of(
        &mut self,
        company: CompanyId,
        email: &str,
    ) -> Result<Option<StoredInvitation>, Error> {
        let lock = self.dialect().for_update();
        let sql = format!("SELECT {COLUMNS} FROM invitations WHERE company = $1 AND email = $2{lock}");
        self.query_one(&sql, &[company.0.into(), email.into()], read)
    }

    /// The invitation that the link with that hash accepts, if the link still works.
    pub fn invitation_by_link(
        &mut self,
        digest: &[u8; 32],
        now: Timestamp,
    ) -> Result<Option<StoredInvitation>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM invitations WHERE digest = $1 AND expires_at > $2");
        self.query_one(&sql, &[digest.into(), now.into()], read)
    }

    /// The last invitation of that address, of whichever company: who lost the link asks for another.
    pub fn last_invitation(&mut self, email: &str) -> Result<Option<StoredInvitation>, Error> {
        let sql = format!(
            "SELECT {COLUMNS} FROM invitations WHERE email = $1 ORDER BY sent_at DESC, seq DESC LIMIT 1"
        );
        self.query_one(&sql, &[email.into()], read)
    }

    /// Gives an invitation another link, which ends the one before.
    pub fn renew_invitation(
        &mut self,
        invitation: InvitationRow,
        digest: &[u8; 32],
        at: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        let sql = "UPDATE invitations SET digest = $1, sent_at = $2, expires_at = $3 WHERE seq = $4";
        let params = [digest.into(), at.into(), expires_at.into(), invitation.into()];
        self.execute(sql, &params).map(drop)
    }

    /// Removes an invitation. False when it was accepted or withdrawn before.
    pub fn remove_invitation(&mut self, invitation: InvitationRow) -> Result<bool, Error> {
        let sql = "DELETE FROM invitations WHERE seq = $1";
        Ok(self.execute(sql, &[invitation.into()])? > 0)
    }

    /// Forgets invitations that were last sent before that time, up to `max`. Returns how many. One that is sent again
    /// meanwhile stays.
    pub fn delete_old_invitations(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM invitations WHERE sent_at < $1 AND seq IN (
                       SELECT seq FROM invitations WHERE sent_at < $1 ORDER BY sent_at LIMIT $2)";
        self.execute(sql, &[before.into(), sql_int(max)?.into()])
    }
}

fn read(row: &Row<'_>) -> Result<StoredInvitation, Error> {
    let role: String = row.get("role")?;
    Ok(StoredInvitation {
        seq: row.get("seq")?,
        id: row.get("id")?,
        company: CompanyId(row.get("company")?),
        email: row.get("email")?,
        name: row.get("name")?,
        role: role.parse().map_err(|_| Error::Corrupt("role"))?,
        sent_at: row.get("sent_at")?,
    })
}
