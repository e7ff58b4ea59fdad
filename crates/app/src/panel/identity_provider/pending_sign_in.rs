//! A sign-in by a provider that still waits for the user's own second factor. A password that leaked at the provider, or an
//! address that it gave to another person, must change no account: what the provider said is applied after the code.

use super::flow::fingerprint;
use crate::Error;
use crate::panel::audit::AuditAct;
use crate::panel::users::is_last;
use crate::panel::{PanelActor, User};
use domain::{CompanyId, Role, Timestamp};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use store::{Identity, StoredProvider, StoredUser, Tx};

/// What the provider said of the person.
#[derive(Serialize, Deserialize)]
pub(in crate::panel) struct PendingProviderSignIn {
    company: i64,
    /// Hash of the provider's settings: changing one ends the sign-in.
    settings: String,
    subject: String,
    /// The role that the groups give; none where groups give no roles.
    role: Option<String>,
}

impl PendingProviderSignIn {
    pub(super) fn new(provider: &StoredProvider, identity: &Identity, role: Option<Role>) -> Self {
        Self {
            company: provider.company.0,
            settings: fingerprint(provider),
            subject: identity.subject.clone(),
            role: role.map(|role| role.to_string()),
        }
    }

    /// Whose provider it was.
    pub(in crate::panel) const fn company(&self) -> CompanyId {
        CompanyId(self.company)
    }

    /// Links the user and gives the role. Nothing if the provider counts no more, or knows another user as that person by now.
    pub(in crate::panel) fn apply(
        &self,
        tx: &mut Tx<'_>,
        user: StoredUser,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Option<StoredUser>, Error> {
        let found = tx.identity_provider(user.company)?;
        let same = |provider: &StoredProvider| {
            provider.company == self.company()
                && provider.enabled_at.is_some()
                && fingerprint(provider) == self.settings
        };
        let Some(provider) = found.filter(same) else {
            return Ok(None);
        };
        let identity = Identity {
            issuer: provider.settings.issuer,
            subject: self.subject.clone(),
        };
        let Ok(role) = self.role.as_deref().map(str::parse).transpose() else {
            return Ok(None);
        };
        settle(tx, user, &identity, role, address, now)
    }
}

/// Links the user to the person whom the provider vouches for, and gives the role of the person's groups. Nothing if the
/// provider knows another user as that person.
pub(super) fn settle(
    tx: &mut Tx<'_>,
    user: StoredUser,
    identity: &Identity,
    role: Option<Role>,
    address: IpAddr,
    now: Timestamp,
) -> Result<Option<StoredUser>, Error> {
    let user = match tx.lock_user_with_identity(user.company, identity)? {
        Some(known) if known.id != user.id => return Ok(None),
        Some(_) => user,
        None => {
            tx.set_identity(user.seq, Some(identity))?;
            actor(&user, address).record_act(tx, AuditAct::IdentityLinked, &identity.issuer, now)?;
            StoredUser {
                identity: Some(identity.clone()),
                ..user
            }
        }
    };
    follow_groups(tx, user, role, address, now).map(Some)
}

/// Gives the user the role that the groups give, which ends the sessions of the old one. The last administrator with a
/// password stays one: groups cannot lock all administrators out.
fn follow_groups(
    tx: &mut Tx<'_>,
    user: StoredUser,
    role: Option<Role>,
    address: IpAddr,
    now: Timestamp,
) -> Result<StoredUser, Error> {
    let Some(role) = role.filter(|role| *role != user.role) else {
        return Ok(user);
    };
    if user.role == Role::Administrator && is_last(tx, &user)? {
        return Ok(user);
    }
    tx.set_role(user.seq, role)?;
    tx.end_panel_sessions(user.seq, None)?;
    let detail = format!("{}: {} → {role}", user.email, user.role);
    actor(&user, address).record_act(tx, AuditAct::RoleFromGroups, &detail, now)?;
    Ok(StoredUser { role, ..user })
}

pub(super) fn actor(user: &StoredUser, address: IpAddr) -> PanelActor {
    PanelActor {
        user: User::from(user),
        address,
    }
}
