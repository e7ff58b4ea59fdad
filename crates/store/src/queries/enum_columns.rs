//! The texts by which columns store the domain's enums.

use crate::error::Error;
use crate::value::{Column, FromColumn};
use domain::{
    AccountEmailKind, ChangeKind, Channel, DocumentType, FolioState, Language, Permissions, PicturePolicy,
    ReturnKind, SignatureType, SignerState, Template,
};

macro_rules! words {
    ($type:ident, $write:ident, { $($variant:ident = $word:literal),* $(,)? }) => {
        pub(crate) const fn $write(value: $type) -> &'static str {
            match value {
                $($type::$variant => $word,)*
            }
        }

        impl FromColumn for $type {
            fn from_column(column: Column<'_>) -> Result<Self, Error> {
                match column.text()? {
                    $($word => Ok($type::$variant),)*
                    _ => Err(Error::Corrupt(stringify!($type))),
                }
            }
        }
    };
}

words!(FolioState, folio_state, {
    Pending = "pending",
    Signed = "signed",
    RejectedBySigner = "rejected_by_signer",
    Approved = "approved",
    Disapproved = "disapproved",
    Cancelled = "cancelled",
});

words!(SignerState, signer_state, {
    Pending = "pending",
    Signed = "signed",
    Rejected = "rejected",
});

words!(SignatureType, signature_type, {
    EmailCode = "email_code",
    SmsCode = "sms_code",
});

words!(Channel, channel, {
    Email = "email",
    Sms = "sms",
});

words!(ReturnKind, return_kind, {
    Bounced = "bounced",
    Complained = "complained",
});

words!(Language, language, {
    Spanish = "es",
    English = "en",
    Portuguese = "pt",
});

words!(PicturePolicy, picture_policy, {
    Off = "off",
    Optional = "optional",
    Required = "required",
});

words!(Template, template, {
    Invitation = "invitation",
    Reminder = "reminder",
    Cancelled = "cancelled",
    Rejected = "rejected",
    Receipt = "receipt",
    Completed = "completed",
    ContactChanged = "contact_changed",
    OtherContact = "other_contact",
    Code = "code",
});

words!(AccountEmailKind, account_email_kind, {
    FirstPassword = "first_password",
    AccountExists = "account_exists",
    NewPassword = "new_password",
    PasswordChanged = "password_changed",
    SecondFactorOff = "second_factor_off",
    RecoveryCodesRenewed = "recovery_codes_renewed",
    CompanySignIn = "company_sign_in",
    MessageUndelivered = "message_undelivered",
    MessageComplained = "message_complained",
});

words!(ChangeKind, change_kind, {
    Created = "created",
    Resent = "resent",
    Signed = "signed",
    Completed = "completed",
    Rejected = "rejected",
    Cancelled = "cancelled",
    Approved = "approved",
    Disapproved = "disapproved",
    Dropped = "dropped",
    Erased = "erased",
    Corrected = "corrected",
    CodeRefused = "code_refused",
    Undelivered = "undelivered",
    EmailBounced = "email_bounced",
    EmailComplained = "email_complained",
});

impl FromColumn for DocumentType {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        Self::from_code(column.text()?).map_err(|_| Error::Corrupt("document type"))
    }
}

impl FromColumn for Permissions {
    fn from_column(column: Column<'_>) -> Result<Self, Error> {
        column.text()?.parse().map_err(|_| Error::Corrupt("permissions"))
    }
}
