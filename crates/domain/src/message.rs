//! A message that an act calls for. The template has its text; the delivery crate sends it.

use crate::contact::{Email, Mobile};
use crate::ids::{FolioId, SignerIndex};

/// The way a message travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Email.
    Email,
    /// Text message to a mobile phone.
    Sms,
}

/// How a message came back that had left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReturnKind {
    /// It did not arrive after all.
    Bounced,
    /// Its recipient complained of it.
    Complained,
}

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// A document waits for the signer.
    Invitation,
    /// The same, sent again: by a person or a system, or by the company's schedule.
    Reminder,
    /// The folio was cancelled.
    Cancelled,
    /// A signer rejected the folio.
    Rejected,
    /// The recipient signed.
    Receipt,
    /// All signers have signed.
    Completed,
    /// The recipient is no longer the signer's contact.
    ContactChanged,
    /// A bulk signature was started with another contact than the one that reads this.
    OtherContact,
    /// The one-time code for a signature.
    Code,
}

/// One message to one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How it travels.
    pub channel: Channel,
    /// What it is about.
    pub template: Template,
    /// The address, as it was when the act took place.
    pub recipient: String,
    /// The signer it concerns, by index in the folio.
    pub signer: SignerIndex,
    /// The other folios that it is about, each with the index of that signer: after a bulk signature a person gets one message
    /// about all of them.
    pub others: Vec<(FolioId, SignerIndex)>,
}

impl Message {
    pub(crate) fn email(template: Template, recipient: &Email, signer: SignerIndex) -> Self {
        Self {
            channel: Channel::Email,
            template,
            recipient: recipient.as_str().to_owned(),
            signer,
            others: Vec::new(),
        }
    }

    pub(crate) fn sms(template: Template, recipient: &Mobile, signer: SignerIndex) -> Self {
        Self {
            channel: Channel::Sms,
            template,
            recipient: recipient.international().into_owned(),
            signer,
            others: Vec::new(),
        }
    }
}

/// What an email to a person of the panel is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountEmailKind {
    /// An invitation to choose the first password.
    FirstPassword,
    /// An invitation that cannot be accepted: the address has an account already.
    AccountExists,
    /// A link to choose another password. The request may have come from another person.
    NewPassword,
    /// The password has changed.
    PasswordChanged,
    /// The second factor is off.
    SecondFactorOff,
    /// There are new recovery codes.
    RecoveryCodesRenewed,
    /// Where to sign in with the company's own account, as asked for instead of a password.
    CompanySignIn,
    /// A message about a folio that the person sent did not arrive.
    MessageUndelivered,
    /// The recipient of such a message complained of it.
    MessageComplained,
}
