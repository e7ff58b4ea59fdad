//! What the page says, in every language side by side.

use crate::page::{Lang, texts};
use domain::FolioState;

// The page.
texts! {
    verify_title: "Verificar un documento", "Verify a document", "Verificar um documento";
    verify_lead: "Elija un PDF firmado y le diremos quién lo firmó, cuándo, y si cambió después. El archivo se revisa y no se conserva.",
        "Choose a signed PDF and we will tell you who signed it, when, and whether it changed since. The file is checked and not kept.",
        "Escolha um PDF assinado e diremos quem o assinou, quando, e se mudou depois. O arquivo é verificado e não é guardado.";
    verify_file: "El PDF", "The PDF", "O PDF";
    verify_go: "Verificar", "Verify", "Verificar";
    verify_busy: "Verificando…", "Verifying…", "Verificando…";
    verify_again: "Verificar otro archivo", "Verify another file", "Verificar outro arquivo";
    verify_foot: "La verificación se hace aquí mismo, sin enviar el archivo a nadie más.",
        "The check is made right here; the file goes to nobody else.",
        "A verificação é feita aqui mesmo, sem enviar o arquivo a mais ninguém.";
    verify_missing: "Elija el PDF que quiere verificar.",
        "Choose the PDF to verify.",
        "Escolha o PDF que deseja verificar.";
    verify_too_slow: "El archivo tardó demasiado en llegar. Intente de nuevo.",
        "The file took too long to arrive. Try again.",
        "O arquivo demorou demais para chegar. Tente de novo.";
    verify_malformed: "El archivo no llegó completo. Intente de nuevo.",
        "The file did not arrive whole. Try again.",
        "O arquivo não chegou completo. Tente de novo.";

    // A document that the installation knows.
    known_title: "Este documento está registrado aquí",
        "This document is on record here",
        "Este documento está registrado aqui";
    known_lead: "Para saber si el archivo que usted tiene es ese documento y está intacto, súbalo abajo.",
        "To know whether the file you have is that document, and intact, choose it below.",
        "Para saber se o arquivo que você tem é esse documento e está íntegro, envie-o abaixo.";
    known_state: "Estado", "State", "Situação";
    known_created: "Recibido", "Received", "Recebido";
    known_changed: "Última firma o estampa de tiempo", "Last signature or timestamp", "Última assinatura ou carimbo do tempo";
    known_original: "Huella SHA-256 del archivo recibido",
        "SHA-256 of the file received",
        "Hash SHA-256 do arquivo recebido";
    known_current: "Huella SHA-256 del archivo actual",
        "SHA-256 of the file as it is now",
        "Hash SHA-256 do arquivo atual";
    unknown_title: "No conocemos ese documento", "We do not know that document", "Não conhecemos esse documento";
    unknown_lead: "Esta instalación no tiene un documento con ese identificador. Aun así puede verificar su archivo.",
        "This installation has no document with that identifier. You can still verify your file.",
        "Esta instalação não tem um documento com esse identificador. Mesmo assim você pode verificar o seu arquivo.";
    known_pending: "Faltan firmas", "Signatures missing", "Faltam assinaturas";
    known_signed: "Firmado por todos", "Signed by everybody", "Assinado por todos";
    known_rejected: "Rechazado por un firmante", "Rejected by a signer", "Recusado por um signatário";
    known_approved: "Firmado y aprobado", "Signed and approved", "Assinado e aprovado";
    known_disapproved: "Rechazado por la empresa", "Rejected by the company", "Recusado pela empresa";
    known_cancelled: "Anulado", "Cancelled", "Cancelado";
    verify_same_current: "El archivo es exactamente ese documento, como está ahora.",
        "The file is exactly that document, as it is now.",
        "O arquivo é exatamente esse documento, como está agora.";
    verify_same_original: "El archivo es exactamente el que se recibió para firmar, todavía sin firmas.",
        "The file is exactly the one received for signing, still without signatures.",
        "O arquivo é exatamente o que foi recebido para assinar, ainda sem assinaturas.";
    verify_other: "El archivo no es ese documento, o es otra versión de él.",
        "The file is not that document, or another version of it.",
        "O arquivo não é esse documento, ou é outra versão dele.";

    // The result.
    verify_valid: "El documento es válido", "The document is valid", "O documento é válido";
    verify_valid_lead: "Todas las firmas son válidas y nada cambió después de ellas.",
        "Every signature is valid, and nothing changed after them.",
        "Todas as assinaturas são válidas e nada mudou depois delas.";
    verify_invalid: "El documento no es válido", "The document is not valid", "O documento não é válido";
    verify_invalid_lead: "Al menos una firma no es válida. Abajo se explica por qué. No confíe en este archivo.",
        "At least one signature is not valid. The reason is below. Do not trust this file.",
        "Pelo menos uma assinatura não é válida. O motivo está abaixo. Não confie neste arquivo.";
    verify_doubtful: "No se pudo comprobar todo",
        "Not everything could be checked",
        "Não foi possível verificar tudo";
    verify_doubtful_lead: "El documento está íntegro, pero algo de sus firmas no se puede confirmar aquí, por ejemplo porque las respalda otra autoridad.",
        "The document is intact, but something about its signatures cannot be confirmed here, for example because another authority vouches for them.",
        "O documento está íntegro, mas algo das suas assinaturas não pode ser confirmado aqui, por exemplo porque outra autoridade responde por elas.";
    verify_unknown_issuer: "Íntegro, emisor desconocido", "Intact, issuer not known", "Íntegro, emissor desconhecido";
    verify_unknown_issuer_lead: "Nada cambió después de las firmas, pero esta instalación no conoce a la autoridad que las respalda: no puede decir de quién son.",
        "Nothing changed after the signatures, but this installation does not know the authority behind them: it cannot say whose they are.",
        "Nada mudou depois das assinaturas, mas esta instalação não conhece a autoridade que responde por elas: não pode dizer de quem são.";
    verify_unsigned: "El documento no está firmado", "The document is not signed", "O documento não está assinado";
    verify_unsigned_lead: "El PDF no tiene ninguna firma electrónica.",
        "The PDF has no electronic signature.",
        "O PDF não tem nenhuma assinatura eletrônica.";
    verify_unreadable: "No se puede verificar", "It cannot be verified", "Não é possível verificar";
    signatures_title: "Firmas", "Signatures", "Assinaturas";
    hash_title: "Huella SHA-256 del archivo", "SHA-256 of the file", "Hash SHA-256 do arquivo";
    signature_valid: "Válida", "Valid", "Válida";
    signature_invalid: "No válida", "Not valid", "Não é válida";
    signature_doubtful: "Sin comprobar del todo", "Not fully checked", "Não verificada por completo";
    signature_unknown_issuer: "Íntegra, emisor desconocido",
        "Intact, issuer not known",
        "Íntegra, emissor desconhecido";
    signer_unknown: "Firmante desconocido", "Unknown signer", "Signatário desconhecido";
    kind_approval: "Firma", "Signature", "Assinatura";
    kind_certification: "Certificación del servicio", "Certification by the service", "Certificação do serviço";
    kind_timestamp: "Estampa de tiempo", "Timestamp", "Carimbo do tempo";
    certificate_label: "Certificado", "Certificate", "Certificado";
    issued_by: "Emitido por", "Issued by", "Emitido por";
    level_label: "Nivel", "Level", "Nível";
    level_b: "firma con certificado", "signature with a certificate", "assinatura com certificado";
    level_t: "con fecha certificada", "with a certified date", "com data certificada";
    level_lt: "con fecha certificada y prueba de que ningún certificado estaba revocado",
        "with a certified date and proof that no certificate was revoked",
        "com data certificada e prova de que nenhum certificado estava revogado";
    level_lta: "con todo lo necesario para comprobarla dentro de muchos años",
        "with all that is needed to check it many years from now",
        "com tudo o que é necessário para verificá-la daqui a muitos anos";
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
            Self::Pt => format!("O arquivo tem mais de {most}, o máximo que é verificado."),
        }
    }

    pub(crate) fn verify_at_most(self, most: &str) -> String {
        match self {
            Self::Es => format!("Un archivo PDF de hasta {most}."),
            Self::En => format!("A PDF file of up to {most}."),
            Self::Pt => format!("Um arquivo PDF de até {most}."),
        }
    }

    pub(crate) fn signed_and_proved(self, claimed: &str, proved: &str) -> String {
        match self {
            Self::Es => format!("{claimed} Fecha certificada: {proved}"),
            Self::En => format!("{claimed} Certified date: {proved}"),
            Self::Pt => format!("{claimed}. Data certificada: {proved}"),
        }
    }
}
