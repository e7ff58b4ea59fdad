//! What the page says, in both languages side by side.

use crate::page::{Lang, texts};
use domain::FolioState;

// The page.
texts! {
    verify_title: "Verificar un documento", "Verify a document";
    verify_lead: "Elija un PDF firmado y le diremos quién lo firmó, cuándo, y si cambió después. El archivo se revisa y no se conserva.",
        "Choose a signed PDF and we will tell you who signed it, when, and whether it changed since. The file is checked and not kept.";
    verify_file: "El PDF", "The PDF";
    verify_go: "Verificar", "Verify";
    verify_busy: "Verificando…", "Verifying…";
    verify_again: "Verificar otro archivo", "Verify another file";
    verify_foot: "La verificación se hace aquí mismo, sin enviar el archivo a nadie más.",
        "The check is made right here; the file goes to nobody else.";
    verify_missing: "Elija el PDF que quiere verificar.", "Choose the PDF to verify.";
    verify_too_slow: "El archivo tardó demasiado en llegar. Intente de nuevo.", "The file took too long to arrive. Try again.";
    verify_malformed: "El archivo no llegó completo. Intente de nuevo.", "The file did not arrive whole. Try again.";
}

// A document that the installation knows.
texts! {
    known_title: "Este documento está registrado aquí", "This document is on record here";
    known_lead: "Para saber si el archivo que usted tiene es ese documento y está intacto, súbalo abajo.",
        "To know whether the file you have is that document, and intact, choose it below.";
    known_state: "Estado", "State";
    known_created: "Recibido", "Received";
    known_changed: "Última firma o estampa", "Last signature or timestamp";
    known_original: "Huella SHA-256 del archivo recibido", "SHA-256 of the file received";
    known_current: "Huella SHA-256 del archivo actual", "SHA-256 of the file as it is now";
    unknown_title: "No conocemos ese documento", "We do not know that document";
    unknown_lead: "Esta instalación no tiene un documento con ese identificador. Aun así puede verificar su archivo.",
        "This installation has no document with that identifier. You can still verify your file.";
    known_pending: "Faltan firmas", "Signatures missing";
    known_signed: "Firmado por todos", "Signed by everybody";
    known_rejected: "Rechazado por un firmante", "Rejected by a signer";
    known_approved: "Firmado y aprobado", "Signed and approved";
    known_disapproved: "Rechazado por la empresa", "Rejected by the company";
    known_cancelled: "Anulado", "Cancelled";
    verify_same_current: "El archivo es exactamente ese documento, como está ahora.",
        "The file is exactly that document, as it is now.";
    verify_same_original: "El archivo es exactamente el que se recibió para firmar, todavía sin firmas.",
        "The file is exactly the one received for signing, still without signatures.";
    verify_other: "El archivo no es ese documento, o es otra versión de él.",
        "The file is not that document, or another version of it.";
}

// The result.
texts! {
    verify_valid: "El documento es válido", "The document is valid";
    verify_valid_lead: "Todas las firmas son válidas y nada cambió después de ellas.",
        "Every signature is valid, and nothing changed after them.";
    verify_invalid: "El documento no es válido", "The document is not valid";
    verify_invalid_lead: "Al menos una firma no es válida. Abajo se explica por qué. No confíe en este archivo.",
        "At least one signature is not valid. The reason is below. Do not trust this file.";
    verify_doubtful: "No se pudo comprobar todo", "Not everything could be checked";
    verify_doubtful_lead: "El documento está íntegro, pero algo de sus firmas no se puede confirmar aquí, por ejemplo porque las respalda otra autoridad.",
        "The document is intact, but something about its signatures cannot be confirmed here, for example because another authority vouches for them.";
    verify_unknown_issuer: "Íntegro, emisor no conocido", "Intact, issuer not known";
    verify_unknown_issuer_lead: "Nada cambió después de las firmas, pero esta instalación no conoce a la autoridad que las respalda: no puede decir de quién son.",
        "Nothing changed after the signatures, but this installation does not know the authority behind them: it cannot say whose they are.";
    verify_unsigned: "El documento no está firmado", "The document is not signed";
    verify_unsigned_lead: "El PDF no tiene ninguna firma electrónica.", "The PDF has no electronic signature.";
    verify_unreadable: "No se puede verificar", "It cannot be verified";
    signatures_title: "Firmas", "Signatures";
    hash_title: "Huella SHA-256 del archivo", "SHA-256 of the file";
    signature_valid: "Válida", "Valid";
    signature_invalid: "No válida", "Not valid";
    signature_doubtful: "Sin comprobar del todo", "Not fully checked";
    signature_unknown_issuer: "Íntegra, emisor no conocido", "Intact, issuer not known";
    signer_unknown: "Firmante desconocido", "Unknown signer";
    kind_approval: "Firma", "Signature";
    kind_certification: "Certificación del servicio", "Certification by the service";
    kind_timestamp: "Estampa de tiempo", "Timestamp";
    certificate_label: "Certificado", "Certificate";
    issued_by: "Emitido por", "Issued by";
    level_label: "Nivel", "Level";
    level_b: "firma con certificado", "signature with a certificate";
    level_t: "con fecha certificada", "with a certified date";
    level_lt: "con fecha certificada y prueba de que ningún certificado estaba revocado", "with a certified date and proof that no certificate was revoked";
    level_lta: "con todo lo necesario para comprobarla dentro de muchos años", "with all that is needed to check it many years from now";
}

impl Lang {
    pub(crate) const fn folio_state(self, state: FolioState) -> &'static str {
        match state {
            FolioState::Pending => self.known_pending(),
            FolioState::Signed => self.known_signed(),
            FolioState::RejectedBySigner => self.known_rejected(),
            FolioState::Approved => self.known_approved(),
            FolioState::Disapproved => self.known_disapproved(),
            FolioState::Cancelled => self.known_cancelled(),
        }
    }

    pub(crate) fn verify_too_large(self, most: &str) -> String {
        match self {
            Self::Es => format!("El archivo pesa más de {most}, lo máximo que se verifica."),
            Self::En => format!("The file is larger than {most}, the most that is checked."),
        }
    }

    pub(crate) fn verify_at_most(self, most: &str) -> String {
        match self {
            Self::Es => format!("Un archivo PDF de hasta {most}."),
            Self::En => format!("A PDF file of up to {most}."),
        }
    }

    pub(crate) fn signed_and_proved(self, claimed: &str, proved: &str) -> String {
        match self {
            Self::Es => format!("{claimed} Fecha certificada: {proved}"),
            Self::En => format!("{claimed} Certified date: {proved}"),
        }
    }
}
