//! What administrators and supervisors did to the company's own things, in the transaction in which they did it.

use super::Hand;
use crate::{App, Error};
use domain::{CompanyId, Timestamp};
use store::{AuditRow, Tx};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A person was invited.
    UserInvited,
    /// A person was written to again.
    UserInvitedAgain,
    /// A person's role changed.
    RoleChanged,
    /// A person may not sign in any more.
    UserDisabled,
    /// A person may sign in again.
    UserEnabled,
    /// A person's second factor was taken away.
    SecondFactorRemoved,
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
    /// A folio was dropped.
    FolioDropped,
}

impl Act {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::UserInvited,
        Self::UserInvitedAgain,
        Self::RoleChanged,
        Self::UserDisabled,
        Self::UserEnabled,
        Self::SecondFactorRemoved,
        Self::CompanyChanged,
        Self::LogoChanged,
        Self::KeyMade,
        Self::KeyRotated,
        Self::KeyRevoked,
        Self::WebhookAdded,
        Self::WebhookChanged,
        Self::WebhookRemoved,
        Self::FolioDropped,
    ];

    /// The word that is kept.
    pub const fn word(self) -> &'static str {
        match self {
            Self::UserInvited => "user_invited",
            Self::UserInvitedAgain => "user_invited_again",
            Self::RoleChanged => "role_changed",
            Self::UserDisabled => "user_disabled",
            Self::UserEnabled => "user_enabled",
            Self::SecondFactorRemoved => "second_factor_removed",
            Self::CompanyChanged => "company_changed",
            Self::LogoChanged => "logo_changed",
            Self::KeyMade => "key_made",
            Self::KeyRotated => "key_rotated",
            Self::KeyRevoked => "key_revoked",
            Self::WebhookAdded => "webhook_added",
            Self::WebhookChanged => "webhook_changed",
            Self::WebhookRemoved => "webhook_removed",
            Self::FolioDropped => "folio_dropped",
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
        let row = AuditRow {
            seq: 0,
            at: now,
            who: self.user.email.clone(),
            address: Some(self.address.to_canonical().to_string()),
            what: act.word().to_owned(),
            detail: detail.to_owned(),
        };
        Ok(tx.note_act(self.user.company, &row)?)
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
