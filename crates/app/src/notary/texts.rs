//! What acts write into documents, a language each: a text that is missing in one does not compile.

use domain::{Channel, Language};

/// The texts of sheets and signatures.
pub(super) struct DocumentTexts {
    /// What signers are called.
    pub(super) role: &'static str,
    pub(super) subject: &'static str,
    pub(super) sender: &'static str,
    pub(super) folio: &'static str,
    pub(super) document: &'static str,
    pub(super) legal_basis: &'static str,
    /// The mark of a test document, and what it means.
    pub(super) test: (&'static str, &'static str),
    /// Why the service certifies.
    pub(super) certification: &'static str,
    /// Why the service certifies a report.
    pub(super) report_certification: &'static str,
    /// Why a signer signs.
    pub(super) signature: &'static str,
    by_email: &'static str,
    by_sms: &'static str,
}

const SPANISH: DocumentTexts = DocumentTexts {
    role: "Firmante",
    subject: "Asunto",
    sender: "Enviado por",
    folio: "ID del folio",
    document: "ID del documento",
    legal_basis: "Base legal",
    test: ("PRUEBA", "Documento de prueba, sin validez jurídica"),
    certification: "Certifica el documento recibido; en adelante solo admite firmas",
    report_certification: "Certifica la constancia",
    signature: "Firma electrónica con código de un solo uso",
    by_email: "Código por correo a",
    by_sms: "Código por SMS a",
};

const ENGLISH: DocumentTexts = DocumentTexts {
    role: "Signer",
    subject: "Subject",
    sender: "Sent by",
    folio: "Folio ID",
    document: "Document ID",
    legal_basis: "Legal basis",
    test: ("TEST", "Test document, without legal effect"),
    certification: "Certifies the document as received; from now on it can only be signed",
    report_certification: "Certifies the evidence report",
    signature: "Electronic signature with a one-time code",
    by_email: "Code by email to",
    by_sms: "Code by text message to",
};

const PORTUGUESE: DocumentTexts = DocumentTexts {
    role: "Signatário",
    subject: "Assunto",
    sender: "Enviado por",
    folio: "ID do processo",
    document: "ID do documento",
    legal_basis: "Base legal",
    test: ("TESTE", "Documento de teste, sem validade jurídica"),
    certification: "Certifica o documento recebido; a partir de agora só admite assinaturas",
    report_certification: "Certifica o relatório",
    signature: "Assinatura eletrônica com código de uso único",
    by_email: "Código por e-mail para",
    by_sms: "Código por SMS para",
};

/// The texts in a language.
pub(super) const fn of(language: Language) -> &'static DocumentTexts {
    match language {
        Language::Spanish => &SPANISH,
        Language::English => &ENGLISH,
        Language::Portuguese => &PORTUGUESE,
    }
}

/// The same language, as the PDF library has it.
pub(crate) const fn of_sheet(language: Language) -> pades::Language {
    match language {
        Language::Spanish => pades::Language::Spanish,
        Language::English => pades::Language::English,
        Language::Portuguese => pades::Language::Portuguese,
    }
}

/// How the code reached the signer, and where, masked.
pub(super) fn channel(language: Language, channel: Channel, recipient: &str) -> String {
    let masked = domain::mask::masked(channel, recipient);
    let texts = of(language);
    let by = match channel {
        Channel::Email => texts.by_email,
        Channel::Sms => texts.by_sms,
    };
    format!("{by} {masked}")
}
