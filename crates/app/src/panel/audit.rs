//! What administrators, supervisors and the installation's operator did to the company's own things, and anybody to
//! weaken a second factor, in the transaction in which they did it.

use super::Hand;
use crate::access::Who;
use crate::{App, Caller, Error};
use domain::{CompanyId, Timestamp};
use store::{AuditRow, Tx};

/// Whom the operator is written down as: nobody's address.
pub const OPERATOR: &str = "operator";

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A person was invited.
    UserInvited,
    /// A person was added, with a password.
    UserAdded,
    /// A person got another password from somebody else.
    PasswordGiven,
    /// A person was written to again.
    UserInvitedAgain,
    /// A person's role changed.
    RoleChanged,
    /// A person may not sign in any more.
    UserDisabled,
    /// A person may sign in again.
    UserEnabled,
    /// A person's second factor was taken away, or turned off.
    SecondFactorRemoved,
    /// A person made new recovery codes.
    RecoveryCodesRenewed,
    /// The company's name, zone, colour or rules changed.
    CompanyChanged,
    /// The company's logo changed.
    LogoChanged,
    /// An API key was made.
    KeyMade,
    /// An API key was replaced, the old one with an end.
    KeyRotated,
    /// An API key was revoked.
    KeyRevoked,
    /// A webhook was added.
    WebhookAdded,
    /// A webhook changed.
    WebhookChanged,
    /// A webhook was removed.
    WebhookRemoved,
    /// A webhook was sent a message that tells of nothing.
    WebhookTested,
    /// A webhook was sent a message again.
    WebhookResent,
    /// A folio was dropped.
    FolioDropped,
    /// Messages of a folio that were given up are tried again.
    MessagesRetried,
    /// A signer may ask for codes again.
    SignerFreed,
}

impl Act {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::UserInvited,
        Self::UserAdded,
        Self::PasswordGiven,
        Self::UserInvitedAgain,
        Self::RoleChanged,
        Self::UserDisabled,
        Self::UserEnabled,
        Self::SecondFactorRemoved,
        Self::RecoveryCodesRenewed,
        Self::CompanyChanged,
        Self::LogoChanged,
        Self::KeyMade,
        Self::KeyRotated,
        Self::KeyRevoked,
        Self::WebhookAdded,
        Self::WebhookChanged,
        Self::WebhookRemoved,
        Self::WebhookTested,
        Self::WebhookResent,
        Self::FolioDropped,
        Self::MessagesRetried,
        Self::SignerFreed,
    ];

    /// The word that is kept.
    pub const fn word(self) -> &'static str {
        match self {
            Self::UserInvited => "user_invited",
            Self::UserAdded => "user_added",
            Self::PasswordGiven => "password_given",
            Self::UserInvitedAgain => "user_invited_again",
            Self::RoleChanged => "role_changed",
            Self::UserDisabled => "user_disabled",
            Self::UserEnabled => "user_enabled",
            Self::SecondFactorRemoved => "second_factor_removed",
            Self::RecoveryCodesRenewed => "recovery_codes_renewed",
            Self::CompanyChanged => "company_changed",
            Self::LogoChanged => "logo_changed",
            Self::KeyMade => "key_made",
            Self::KeyRotated => "key_rotated",
            Self::KeyRevoked => "key_revoked",
            Self::WebhookAdded => "webhook_added",
            Self::WebhookChanged => "webhook_changed",
            Self::WebhookRemoved => "webhook_removed",
            Self::WebhookTested => "webhook_tested",
            Self::WebhookResent => "webhook_resent",
            Self::FolioDropped => "folio_dropped",
            Self::MessagesRetried => "messages_retried",
            Self::SignerFreed => "signer_freed",
        }
    }

    /// The act that the word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.word() == word)
    }
}

impl Hand {
    /// Writes down what this hand did, and to whom or what.
    pub fn note(&self, tx: &mut Tx<'_>, act: Act, detail: &str, now: Timestamp) -> Result<(), Error> {
        let (who, address) = (self.user.email.clone(), self.address.to_canonical());
        let row = row(who, Some(address.to_string()), act, detail, now);
        Ok(tx.note_act(self.user.company, &row)?)
    }
}

/// Writes down what somebody did for their company.
pub(crate) fn note_caller(
    tx: &mut Tx<'_>,
    caller: &Caller,
    act: Act,
    detail: &str,
    now: Timestamp,
) -> Result<(), store::Error> {
    let who = match &caller.who {
        Who::Key(key) => key.to_string(),
        Who::User { email, .. } => email.as_ref().to_owned(),
    };
    let address = caller.address.to_canonical().to_string();
    tx.note_act(caller.company, &row(who, Some(address), act, detail, now))
}

/// Writes down what the operator did.
pub(crate) fn note_operator(
    tx: &mut Tx<'_>,
    company: CompanyId,
    act: Act,
    detail: &str,
    now: Timestamp,
) -> Result<(), store::Error> {
    tx.note_act(company, &row(OPERATOR.to_owned(), None, act, detail, now))
}

fn row(who: String, address: Option<String>, act: Act, detail: &str, now: Timestamp) -> AuditRow {
    AuditRow {
        seq: 0,
        at: now,
        who,
        address,
        what: act.word().to_owned(),
        detail: detail.to_owned(),
    }
}

impl App {
    /// What was done in the company before the act with that number, newest first.
    pub async fn acts(
        &self,
        company: CompanyId,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<AuditRow>, Error> {
        let read = self.store.read(move |tx| tx.acts_before(company, before, limit));
        Ok(read.await?)
    }
}
