//! Codes and Spanish names of states and kinds.

use domain::{FolioState, SignatureType, SignerState};

/// The code and the name of a state.
pub const fn folio_state(state: FolioState) -> (&'static str, &'static str) {
    match state {
        FolioState::Signed => ("1", "FIRMADO"),
        FolioState::Pending => ("2", "PENDIENTE"),
        FolioState::RejectedBySigner => ("3", "RECHAZADO FIRMANTE"),
        FolioState::Approved => ("4", "FIRMADO Y APROBADO"),
        FolioState::Disapproved => ("5", "RECHAZADO GESTIÓN / ADMINISTRADOR"),
        FolioState::Cancelled => ("6", "ANULADO"),
    }
}

/// The code and the name of a signer's state: the folio's words.
pub const fn signer_state(state: SignerState) -> (&'static str, &'static str) {
    match state {
        SignerState::Signed => folio_state(FolioState::Signed),
        SignerState::Pending => folio_state(FolioState::Pending),
        SignerState::Rejected => folio_state(FolioState::RejectedBySigner),
    }
}

/// The code and the name of a signature type.
pub const fn signature_type(kind: SignatureType) -> (&'static str, &'static str) {
    match kind {
        SignatureType::EmailCode => ("1", "OTP Básico"),
        SignatureType::SmsCode => ("2", "OTP Móvil Verificado"),
    }
}
