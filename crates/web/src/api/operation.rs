//! The operations by name.

use domain::Permission;

/// An operation of the integration API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `POST sign`
    CreateFolio,
    /// `GET consult`
    ReadFolio,
    /// `POST consult`
    ReadFolios,
    /// `POST forward_emails`
    ResendEmails,
    /// `GET` or `POST download`
    DownloadDocument,
    /// `POST cancel`
    CancelFolios,
    /// `POST massive_sign`
    StartBulk,
    /// `GET consult_massive_sign`
    ReadBulk,
    /// `GET evidence`
    ReadEvidence,
}

/// The two forms an error's body has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// The message at the top.
    Flat,
    /// The message inside `error`.
    Nested,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::CreateFolio,
        Self::ReadFolio,
        Self::ReadFolios,
        Self::ResendEmails,
        Self::DownloadDocument,
        Self::CancelFolios,
        Self::StartBulk,
        Self::ReadBulk,
        Self::ReadEvidence,
    ];

    /// Its name in logs and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CreateFolio => "create_folio",
            Self::ReadFolio => "read_folio",
            Self::ReadFolios => "read_folios",
            Self::ResendEmails => "resend_emails",
            Self::DownloadDocument => "download_document",
            Self::CancelFolios => "cancel_folios",
            Self::StartBulk => "start_bulk",
            Self::ReadBulk => "read_bulk",
            Self::ReadEvidence => "read_evidence",
        }
    }

    /// What a key needs for it.
    pub const fn permission(self) -> Permission {
        match self {
            Self::CreateFolio => Permission::Create,
            Self::ReadFolio | Self::ReadFolios | Self::ReadBulk => Permission::Read,
            Self::DownloadDocument => Permission::Download,
            Self::ResendEmails | Self::CancelFolios | Self::StartBulk => Permission::Act,
            Self::ReadEvidence => Permission::Evidence,
        }
    }

    /// The form of its errors.
    pub const fn error_form(self) -> ErrorForm {
        match self {
            Self::ResendEmails | Self::DownloadDocument | Self::StartBulk => ErrorForm::Nested,
            _ => ErrorForm::Flat,
        }
    }
}
