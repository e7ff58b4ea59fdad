//! The words that stand in columns for the domain's choices.

use crate::error::Error;
use domain::{Channel, DocumentType, FolioState, LetterKind, SignatureType, SignerState, Template};

macro_rules! words {
    ($type:ident, $write:ident, $read:ident, { $($variant:ident = $word:literal),* $(,)? }) => {
        pub(crate) const fn $write(value: $type) -> &'static str {
            match value {
                $($type::$variant => $word,)*
            }
        }

        pub(crate) fn $read(word: &str) -> Result<$type, Error> {
            match word {
                $($word => Ok($type::$variant),)*
                _ => Err(Error::Corrupt(stringify!($type))),
            }
        }
    };
}

words!(FolioState, folio_state, read_folio_state, {
    Pending = "pending",
    Signed = "signed",
    RejectedBySigner = "rejected_by_signer",
    Approved = "approved",
    Disapproved = "disapproved",
    Cancelled = "cancelled",
});

words!(SignerState, signer_state, read_signer_state, {
    Pending = "pending",
    Signed = "signed",
    Rejected = "rejected",
});

words!(SignatureType, signature_type, read_signature_type, {
    EmailCode = "email_code",
    SmsCode = "sms_code",
});

words!(Channel, channel, read_channel, {
    Email = "email",
    Sms = "sms",
});

words!(Template, template, read_template, {
    Invitation = "invitation",
    Reminder = "reminder",
    Cancelled = "cancelled",
    Rejected = "rejected",
    Completed = "completed",
    ContactChanged = "contact_changed",
    Code = "code",
});

words!(LetterKind, letter_kind, read_letter_kind, {
    FirstPassword = "first_password",
    NewPassword = "new_password",
    PasswordChanged = "password_changed",
});

pub(crate) fn read_document_type(code: &str) -> Result<DocumentType, Error> {
    DocumentType::from_code(code).map_err(|_| Error::Corrupt("document type"))
}
