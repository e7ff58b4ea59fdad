//! Who asks for an act.

use crate::shared::api_key::ApiKey;
use crate::shared::error::Error;
use domain::event::Sender;
use domain::limits::PANEL_LIFETIME;
use domain::{Actor, CompanyId, KeyId, Origin, Permission, Timestamp};
use std::net::IpAddr;
use std::sync::Arc;
use store::{KeyHash, PanelCompany, SessionRow, StoredUser, Tx};

/// Who acts for a company.
#[derive(Debug, Clone)]
pub enum Who {
    /// Its system, which has shown a live key.
    Key(KeyId),
    /// A user who is signed in to the panel.
    User {
        /// The email address.
        email: Arc<str>,
        /// By which session: the hash of its token.
        session: [u8; 32],
    },
}

/// A person or a system that acts for a company.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The company.
    pub company: CompanyId,
    /// Who they are.
    pub who: Who,
    /// What people call them: a person's name, or the label of a key.
    pub name: Arc<str>,
    /// From where.
    pub address: IpAddr,
}

impl Caller {
    /// Who they are in the history of a folio that they send.
    pub(crate) fn sender(&self) -> Sender {
        let name = self.name.as_ref().to_owned();
        match self.who {
            Who::Key(_) => Sender::System { name },
            Who::User { .. } => Sender::Person { name },
        }
    }

    /// The origin of their events in a folio's history.
    pub fn origin(&self) -> Origin {
        let actor = match &self.who {
            Who::Key(key) => Actor::Integration { key: *key },
            Who::User { email, .. } => Actor::User {
                email: email.as_ref().to_owned(),
            },
        };
        Origin {
            actor,
            client: self.address.into(),
        }
    }

    /// Refuses a caller whose API key was revoked or has ended since it was authenticated, or whose panel
    /// session is over. A session is over as soon as its user has another role or none. A session without a
    /// required second factor is refused too. The idle timeout does not count: the request was already
    /// under way.
    pub(crate) fn must_be_live(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<(), Error> {
        let live = match &self.who {
            Who::Key(key) => tx.is_live_key(*key, now)?,
            Who::User { session, .. } => {
                let begun = now.before(PANEL_LIFETIME);
                let found = tx.panel_session(session, begun, begun)?;
                found.is_some_and(|(session, user, company)| !lacks_second_factor(&session, &user, &company))
            }
        };
        if live { Ok(()) } else { Err(Error::Denied) }
    }
}

/// Whether the company demands a second factor that the user has not set up, and that its identity provider has not asked
/// for.
pub(crate) const fn lacks_second_factor(
    session: &SessionRow,
    user: &StoredUser,
    company: &PanelCompany,
) -> bool {
    company.second_factor_required && user.totp_secret.is_none() && !session.second_factor
}

/// An authenticated caller, or an API key that the act's own transaction still has to look up.
#[derive(Debug, Clone)]
pub enum Access {
    /// Authenticated before the body was read. The body may have taken long.
    Authenticated(Caller),
    /// Not looked up yet.
    ApiKey {
        /// What the store knows the key by.
        key: KeyHash,
        /// From where it came.
        address: IpAddr,
        /// What the act needs. A key's permissions never change: an authenticated caller has it for good.
        permission: Permission,
    },
}

impl Access {
    /// A well-formed key, live or not, for an act that needs this permission.
    pub fn with_key(key: &ApiKey, address: IpAddr, permission: Permission) -> Self {
        Self::ApiKey {
            key: key.lookup(),
            address,
            permission,
        }
    }

    /// The caller, if the key is live at that time and has the permission.
    pub fn authenticate(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<Caller, Error> {
        match self {
            Self::Authenticated(caller) => {
                caller.must_be_live(tx, now)?;
                Ok(caller.clone())
            }
            Self::ApiKey {
                key,
                address,
                permission,
            } => {
                let live = tx.live_key(key, now)?.ok_or(Error::Denied)?;
                if !live.permissions.allow(*permission) {
                    return Err(Error::Denied);
                }
                Ok(Caller {
                    company: live.company,
                    who: Who::Key(live.id),
                    name: live.label,
                    address: *address,
                })
            }
        }
    }
}

impl From<Caller> for Access {
    fn from(caller: Caller) -> Self {
        Self::Authenticated(caller)
    }
}
