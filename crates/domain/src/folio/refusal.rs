//! Why an act is not allowed. Words and status codes are the edge's business.

/// The rule that forbids an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The folio is no longer waiting for signatures.
    #[error("the folio is not pending")]
    NotPending,
    /// The folio is not signed by all signers, or was approved or rejected already.
    #[error("the folio is not signed and awaiting approval")]
    NotAwaitingApproval,
    /// The folio has not reached a final state.
    #[error("the folio is not in a final state")]
    NotFinal,
    /// The folio was dropped before.
    #[error("the folio was dropped")]
    Dropped,
    /// The folio was erased before.
    #[error("the folio was erased")]
    Erased,
    /// The folio is under legal hold.
    #[error("the folio is under legal hold")]
    Held,
    /// The folio is not under legal hold.
    #[error("the folio is not under legal hold")]
    NotHeld,
    /// The folio's time to be signed is over.
    #[error("the folio has expired")]
    Expired,
    /// The folio has no such signer.
    #[error("no such signer in this folio")]
    UnknownSigner,
    /// The signer has signed or rejected already.
    #[error("the signer has acted already")]
    AlreadyActed,
    /// A signer is in the list twice.
    #[error("a signer is listed twice")]
    RepeatedSigner,
    /// No signer is listed.
    #[error("no signer is listed")]
    NoSigners,
}
