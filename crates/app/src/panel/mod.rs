//! Panel users: who they are, how they sign in, what they manage. The calling page checks roles; every
//! query here is scoped by the user's company.

mod audit;
mod code_step;
mod company;
mod devices;
pub mod identity_provider;
mod invitations;
mod keys;
mod language;
mod lockout;
mod logo;
pub mod overview;
mod own_password;
mod password_hashing;
mod password_strength;
mod required_provider;
mod second_factor;
mod sessions;
mod sign_in;
pub mod totp;
mod users;

pub use audit::{AuditAct, OPERATOR};
pub(crate) use audit::{record_caller_act, record_operator_act, record_user_acts};
pub use company::{SettingsChange, readable};
pub use domain::Role;
pub use keys::is_live;
pub use logo::BadLogo;
pub use own_password::{Chosen, PasswordLink};
pub use password_hashing::Password;
pub use password_strength::{PasswordOwner, WeakPassword};
pub use second_factor::{Enrolment, SecondFactor, SecondFactorOutcome};
pub use sessions::{OpenSession, PanelSession};
pub use sign_in::{Entered, SignIn, Visitor};
pub use store::{PanelCompany, StoredInvitation};
pub use users::{Member, MemberChange};

pub(crate) use lockout::{FAILURE_RETENTION, count_identification, take_back_identification};
pub(crate) use password_hashing::Passwords;
pub(crate) use second_factor::take_second_factor;

use crate::shared::secrets::{MasterKey, Sealer};
use aws_lc_rs::hmac;
use domain::{CompanyId, Language, UserId};
use std::net::IpAddr;
use store::{StoredUser, UserRow};

/// A user who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The identifier.
    pub id: UserId,
    /// Whose user it is.
    pub company: CompanyId,
    /// The address the user signs in with.
    pub email: String,
    /// The full name.
    pub name: String,
    /// What the user may do.
    pub role: Role,
    /// The language that the user chose.
    pub language: Option<Language>,
    pub(crate) seq: UserRow,
}

impl From<&StoredUser> for User {
    fn from(row: &StoredUser) -> Self {
        Self {
            id: row.id,
            company: row.company,
            email: row.email.clone(),
            name: row.name.clone(),
            role: row.role,
            language: row.language,
            seq: row.seq,
        }
    }
}

/// A signed-in user and the address of the request.
#[derive(Debug, Clone)]
pub struct PanelActor {
    /// Who.
    pub user: User,
    /// From where.
    pub address: IpAddr,
}

/// What signing in needs: keys of its own, and room for hashing.
#[derive(Debug, Clone)]
pub struct Panel {
    pub(crate) passwords: Passwords,
    scopes: hmac::Key,
    forms: hmac::Key,
    devices: hmac::Key,
    recovery: hmac::Key,
    secrets: Sealer,
}

impl Panel {
    pub(crate) fn new(master: &MasterKey) -> Self {
        let key = |purpose| hmac::Key::new(hmac::HMAC_SHA256, &master.derive(purpose));
        Self {
            passwords: Passwords::default(),
            scopes: key("panel failures"),
            forms: key("panel forms"),
            devices: key("panel devices"),
            recovery: key("panel recovery codes"),
            secrets: Sealer::new(master, "panel secrets"),
        }
    }

    /// A secret, sealed for that purpose.
    pub(crate) fn seal(&self, purpose: &str, plain: &[u8]) -> Vec<u8> {
        self.secrets.seal(purpose, plain)
    }

    /// A secret that was sealed for that purpose.
    pub(crate) fn unseal(&self, purpose: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        self.secrets.open(purpose, sealed)
    }
}

/// The keyed hash of a text's parts.
fn keyed(key: &hmac::Key, parts: &[&[u8]]) -> [u8; 32] {
    let mut context = hmac::Context::with_key(key);
    for part in parts {
        context.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        context.update(part);
    }
    let mut digest = [0; 32];
    digest.copy_from_slice(context.sign().as_ref());
    digest
}

/// An address as people are known by: without blanks around it, in lower case.
pub(crate) fn normal(email: &str) -> String {
    email.trim().to_lowercase()
}
