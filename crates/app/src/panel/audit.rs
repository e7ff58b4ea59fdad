//! What the company's users and the installation's operator did in the panel, in the transaction in which they did it:
//! to the company's things, to folios, and to get in and out.

use super::PanelActor;
use crate::shared::access::Who;
use crate::{App, Caller, Error};
use domain::{CompanyId, Timestamp};
use std::net::IpAddr;
use std::time::Duration;
use store::{ActFilter, AuditEntry, AuditPosition, AuditRow, Tx};

/// The operator's name in the audit log. No user has it as an email address.
pub const OPERATOR: &str = "operator";

/// Sign-ins and failed tries of a user from one address share a row for so long.
const SHARED_ROW_WINDOW: Duration = Duration::from_mins(1);
/// Rows of a kind that a user's sign-ins and failed tries get in an hour. What comes beyond shares one row, which has no
/// address: an attacker with many addresses fills no table.
const MAX_ROWS_PER_HOUR: usize = 20;
/// How far back the last change of a user is looked for.
const LAST_CHANGE_WINDOW: Duration = Duration::from_hours(24);
/// How long acts are kept.
const RETENTION: Duration = Duration::from_hours(24 * 400);
/// Acts that are deleted in one transaction.
const DELETE_BATCH: usize = 5_000;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditAct {
    /// A user was invited.
    UserInvited,
    /// A user was added, with a password.
    UserAdded,
    /// The operator gave a user another password.
    PasswordGiven,
    /// A user was written to again.
    UserInvitedAgain,
    /// A user's role changed.
    RoleChanged,
    /// A user may not sign in any more.
    UserDisabled,
    /// A user may sign in again.
    UserEnabled,
    /// A user's second factor was taken away, or turned off.
    SecondFactorRemoved,
    /// A user made new recovery codes.
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
    /// A webhook was sent a test event.
    WebhookTested,
    /// A webhook was sent a message again.
    WebhookResent,
    /// A webhook was sent many messages again.
    WebhookReplayed,
    /// A folio was dropped.
    FolioDropped,
    /// A folio was erased.
    FolioErased,
    /// A folio was placed under legal hold.
    HoldPlaced,
    /// A folio's legal hold was lifted.
    HoldLifted,
    /// Everything about a person was exported.
    PersonExported,
    /// A person's data were corrected.
    PersonCorrected,
    /// Messages of a folio that were given up were retried.
    MessagesRetried,
    /// A signer may ask for codes again.
    SignerFreed,
    /// A user signed in.
    SignedIn,
    /// A sign-in to a user's account failed: the password was wrong, or the account is disabled.
    SignInFailed,
    /// A sign-in failed after the right password: the code was wrong.
    CodeFailed,
    /// A user signed out.
    SignedOut,
    /// A user ended sessions of their own.
    SessionsEnded,
    /// A user chose another password.
    PasswordChanged,
    /// A user chose a password by a link that was emailed.
    PasswordReset,
    /// A person who was invited chose a password.
    InvitationAccepted,
    /// An invitation was withdrawn.
    InvitationWithdrawn,
    /// A user set up a second factor.
    SecondFactorAdded,
    /// Folios were approved.
    FoliosApproved,
    /// Folios were rejected after they were signed.
    FoliosDisapproved,
    /// Folios were cancelled.
    FoliosCancelled,
    /// Signers of a folio were written to again.
    FolioResent,
    /// A signer's own link was shown to a user.
    SignerLinkShown,
    /// A template of folios was made.
    TemplateSaved,
    /// A template of folios got another name.
    TemplateRenamed,
    /// A template of folios was deleted.
    TemplateDeleted,
    /// Many folios were made with a template and a file.
    FoliosImported,
    /// The company's identity provider was set or changed.
    ProviderChanged,
    /// An administrator signed in by the identity provider, to try it.
    ProviderTried,
    /// Signing in by the identity provider was turned on.
    ProviderEnabled,
    /// Signing in by the identity provider was turned off.
    ProviderDisabled,
    /// The identity provider was removed.
    ProviderRemoved,
    /// A person whom the identity provider vouched for was not let in.
    ProviderRefused,
    /// A user was linked to a person whom the identity provider knows.
    IdentityLinked,
    /// That link was taken away.
    IdentityUnlinked,
    /// A user's role followed the groups that the identity provider names.
    RoleFromGroups,
}

impl AuditAct {
    /// All of them.
    pub const ALL: [Self; 56] = [
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
        Self::WebhookReplayed,
        Self::FolioDropped,
        Self::FolioErased,
        Self::HoldPlaced,
        Self::HoldLifted,
        Self::PersonExported,
        Self::PersonCorrected,
        Self::MessagesRetried,
        Self::SignerFreed,
        Self::SignedIn,
        Self::SignInFailed,
        Self::CodeFailed,
        Self::SignedOut,
        Self::SessionsEnded,
        Self::PasswordChanged,
        Self::PasswordReset,
        Self::InvitationAccepted,
        Self::InvitationWithdrawn,
        Self::SecondFactorAdded,
        Self::FoliosApproved,
        Self::FoliosDisapproved,
        Self::FoliosCancelled,
        Self::FolioResent,
        Self::SignerLinkShown,
        Self::TemplateSaved,
        Self::TemplateRenamed,
        Self::TemplateDeleted,
        Self::FoliosImported,
        Self::ProviderChanged,
        Self::ProviderTried,
        Self::ProviderEnabled,
        Self::ProviderDisabled,
        Self::ProviderRemoved,
        Self::ProviderRefused,
        Self::IdentityLinked,
        Self::IdentityUnlinked,
        Self::RoleFromGroups,
    ];

    /// Those that change users of the company.
    const ON_PEOPLE: [Self; 9] = [
        Self::UserInvited,
        Self::UserAdded,
        Self::PasswordGiven,
        Self::UserInvitedAgain,
        Self::RoleChanged,
        Self::UserDisabled,
        Self::UserEnabled,
        Self::SecondFactorRemoved,
        Self::InvitationWithdrawn,
    ];

    /// The word that is stored.
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
            Self::WebhookReplayed => "webhook_replayed",
            Self::FolioDropped => "folio_dropped",
            Self::FolioErased => "folio_erased",
            Self::HoldPlaced => "hold_placed",
            Self::HoldLifted => "hold_lifted",
            Self::PersonExported => "person_exported",
            Self::PersonCorrected => "person_corrected",
            Self::MessagesRetried => "messages_retried",
            Self::SignerFreed => "signer_freed",
            Self::SignedIn => "signed_in",
            Self::SignInFailed => "sign_in_failed",
            Self::CodeFailed => "code_failed",
            Self::SignedOut => "signed_out",
            Self::SessionsEnded => "sessions_ended",
            Self::PasswordChanged => "password_changed",
            Self::PasswordReset => "password_reset",
            Self::InvitationAccepted => "invitation_accepted",
            Self::InvitationWithdrawn => "invitation_withdrawn",
            Self::SecondFactorAdded => "second_factor_added",
            Self::FoliosApproved => "folios_approved",
            Self::FoliosDisapproved => "folios_disapproved",
            Self::FoliosCancelled => "folios_cancelled",
            Self::FolioResent => "folio_resent",
            Self::SignerLinkShown => "signer_link_shown",
            Self::TemplateSaved => "template_saved",
            Self::TemplateRenamed => "template_renamed",
            Self::TemplateDeleted => "template_deleted",
            Self::FoliosImported => "folios_imported",
            Self::ProviderChanged => "provider_changed",
            Self::ProviderTried => "provider_tried",
            Self::ProviderEnabled => "provider_enabled",
            Self::ProviderDisabled => "provider_disabled",
            Self::ProviderRemoved => "provider_removed",
            Self::ProviderRefused => "provider_refused",
            Self::IdentityLinked => "identity_linked",
            Self::IdentityUnlinked => "identity_unlinked",
            Self::RoleFromGroups => "role_from_groups",
        }
    }

    /// The act with that stored word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.word() == word)
    }
}

impl PanelActor {
    /// Records an act of this user in the audit log.
    pub fn record_act(
        &self,
        tx: &mut Tx<'_>,
        act: AuditAct,
        detail: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (who, address) = (self.user.email.clone(), self.address.to_canonical());
        let row = row(who, Some(address.to_string()), act, detail, now);
        Ok(tx.record_act(self.user.company, &row)?)
    }
}

/// Records an act of a user, or of a system with an API key.
pub(crate) fn record_caller_act(
    tx: &mut Tx<'_>,
    caller: &Caller,
    act: AuditAct,
    detail: &str,
    now: Timestamp,
) -> Result<(), store::Error> {
    let who = match &caller.who {
        Who::Key(key) => key.to_string(),
        Who::User { email, .. } => email.as_ref().to_owned(),
    };
    let address = caller.address.to_canonical().to_string();
    tx.record_act(caller.company, &row(who, Some(address), act, detail, now))
}

/// Records what a user did to folios in the panel. Acts of a system with its API key are in the folios' histories
/// alone.
pub(crate) fn record_user_acts(
    tx: &mut Tx<'_>,
    caller: &Caller,
    act: AuditAct,
    folios: &[String],
    now: Timestamp,
) -> Result<(), store::Error> {
    match caller.who {
        Who::User { .. } if !folios.is_empty() => record_caller_act(tx, caller, act, &folios.join(", "), now),
        _ => Ok(()),
    }
}

/// Records an act of the operator.
pub(crate) fn record_operator_act(
    tx: &mut Tx<'_>,
    company: CompanyId,
    act: AuditAct,
    detail: &str,
    now: Timestamp,
) -> Result<(), store::Error> {
    tx.record_act(company, &row(OPERATOR.to_owned(), None, act, detail, now))
}

/// Records acts that are frequent or that strangers can cause: many of one user share a row. The caller holds a lock
/// that lets the user's acts come one by one.
pub(super) fn record_frequent_act(
    tx: &mut Tx<'_>,
    company: CompanyId,
    email: &str,
    address: IpAddr,
    act: AuditAct,
    now: Timestamp,
) -> Result<(), store::Error> {
    let filter = ActFilter {
        who: Some(email.to_owned()),
        what: Some(act.word().to_owned()),
        from: Some(now.before(Duration::from_hours(1))),
        until: None,
    };
    let recent = tx.acts_before(company, &filter, None, MAX_ROWS_PER_HOUR + 1)?;
    let address = Some(address.to_canonical().to_string());
    let shared = recent
        .iter()
        .find(|row| row.address == address && row.at > now.before(SHARED_ROW_WINDOW));
    if let Some(shared) = shared {
        return tx.count_act(shared.seq);
    }
    if recent.len() < MAX_ROWS_PER_HOUR {
        return tx.record_act(company, &row(email.to_owned(), address, act, "", now));
    }
    match recent.iter().find(|row| row.address.is_none()) {
        Some(beyond) => tx.count_act(beyond.seq),
        None => tx.record_act(company, &row(email.to_owned(), None, act, "", now)),
    }
}

fn row(who: String, address: Option<String>, act: AuditAct, detail: &str, now: Timestamp) -> AuditEntry {
    AuditEntry {
        seq: AuditRow::ZERO,
        at: now,
        who,
        address,
        what: act.word().to_owned(),
        detail: detail.to_owned(),
        times: 1,
    }
}

/// The last act that changed a user of the company.
pub(super) fn last_change(
    tx: &mut Tx<'_>,
    company: CompanyId,
    now: Timestamp,
) -> Result<Option<AuditEntry>, store::Error> {
    tx.last_act_of(
        company,
        &AuditAct::ON_PEOPLE.map(AuditAct::word),
        now.before(LAST_CHANGE_WINDOW),
    )
}

impl App {
    /// The company's acts before that position, newest first.
    pub async fn acts(
        &self,
        company: CompanyId,
        filter: ActFilter,
        before: Option<AuditPosition>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>, Error> {
        let read = self
            .store
            .read(move |tx| tx.acts_before(company, &filter, before, limit));
        Ok(read.await?)
    }

    /// The last act that changed a user of the company.
    pub async fn last_change(&self, company: CompanyId) -> Result<Option<AuditEntry>, Error> {
        let now = self.clock.now();
        Ok(self.store.read(move |tx| last_change(tx, company, now)).await?)
    }

    /// Deletes acts past their retention. Returns how many.
    pub async fn delete_old_acts(&self) -> Result<u64, Error> {
        let before = self.clock.now().before(RETENTION);
        let mut deleted = 0;
        loop {
            let some = self
                .store
                .write(move |tx| tx.delete_old_acts(before, DELETE_BATCH))
                .await?;
            deleted += some;
            if usize::try_from(some).is_ok_and(|some| some < DELETE_BATCH) {
                return Ok(deleted);
            }
        }
    }
}
