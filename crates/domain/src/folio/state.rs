//! The states of a folio, and its signature types.

/// How the signer's one-time code travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SignatureType {
    /// By email.
    EmailCode,
    /// By text message.
    SmsCode,
}

/// The state of a folio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FolioState {
    /// Waits for signatures.
    Pending,
    /// All signers have signed.
    Signed,
    /// A signer rejected it.
    RejectedBySigner,
    /// Signed, and approved by a supervisor.
    Approved,
    /// Signed, and rejected by a supervisor or administrator.
    Disapproved,
    /// Cancelled by its company.
    Cancelled,
}

impl FolioState {
    /// Every state.
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Signed,
        Self::RejectedBySigner,
        Self::Approved,
        Self::Disapproved,
        Self::Cancelled,
    ];

    /// Whether it can no longer be signed.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending)
    }
}
