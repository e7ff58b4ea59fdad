//! What the sheet says, a language each: a text that is missing in one does not compile.

use crate::language::Language;

/// The texts of a sheet and of the signatures on it.
pub(super) struct SheetTexts {
    pub(super) sheet: &'static str,
    pub(super) continued: &'static str,
    pub(super) pages: &'static str,
    pub(super) hash: &'static str,
    pub(super) signers: &'static str,
    pub(super) explanation: &'static str,
    pub(super) verify: &'static str,
    pub(super) pending: &'static str,
    pub(super) signed: &'static str,
    pub(super) document: &'static str,
    pub(super) time: &'static str,
    pub(super) address: &'static str,
    pub(super) channel: &'static str,
    pub(super) consent: &'static str,
}

const SPANISH: SheetTexts = SheetTexts {
    sheet: "Hoja de firmas",
    continued: "Hoja de firmas, continuación",
    pages: "Extensión",
    hash: "Huella SHA-256",
    signers: "Firmantes",
    explanation: "Cada recuadro es el campo de firma electrónica de una persona. La huella es la del archivo recibido, \
         que se conserva íntegro al comienzo de este documento.",
    verify: "Verifique este documento en",
    pending: "Pendiente de firma",
    signed: "Firmado electrónicamente",
    document: "Documento",
    time: "Fecha y hora",
    address: "Dirección IP",
    channel: "Medio de verificación",
    consent: "Texto aceptado",
};

const ENGLISH: SheetTexts = SheetTexts {
    sheet: "Signature sheet",
    continued: "Signature sheet, continued",
    pages: "Length",
    hash: "SHA-256",
    signers: "Signers",
    explanation: "Each box is the electronic signature field of one person. The SHA-256 is that of the file received, which is \
         kept unchanged at the beginning of this document.",
    verify: "Verify this document at",
    pending: "Not signed yet",
    signed: "Electronically signed",
    document: "Document",
    time: "Date and time",
    address: "IP address",
    channel: "Verified by",
    consent: "Accepted text",
};

const PORTUGUESE: SheetTexts = SheetTexts {
    sheet: "Folha de assinaturas",
    continued: "Folha de assinaturas, continuação",
    pages: "Extensão",
    hash: "Hash SHA-256",
    signers: "Signatários",
    explanation: "Cada quadro é o campo de assinatura eletrônica de uma pessoa. O hash é o do arquivo recebido, que se conserva \
         íntegro no início deste documento.",
    verify: "Verifique este documento em",
    pending: "Aguardando assinatura",
    signed: "Assinado eletronicamente",
    document: "Documento",
    time: "Data e hora",
    address: "Endereço IP",
    channel: "Meio de verificação",
    consent: "Texto aceito",
};

/// The texts in a language.
pub(super) const fn of(language: Language) -> &'static SheetTexts {
    match language {
        Language::Spanish => &SPANISH,
        Language::English => &ENGLISH,
        Language::Portuguese => &PORTUGUESE,
    }
}

/// The number of pages.
pub(super) fn pages(language: Language, count: u32) -> String {
    match (language, count) {
        (Language::Spanish | Language::Portuguese, 1) => "1 página".into(),
        (Language::Spanish | Language::Portuguese, _) => format!("{count} páginas"),
        (Language::English, 1) => "1 page".into(),
        (Language::English, _) => format!("{count} pages"),
    }
}

/// The number of a page of the sheet.
pub(super) fn place(language: Language, page: usize, pages: usize) -> String {
    let sheet = of(language).sheet;
    let between = language.pick("de", "of", "de");
    format!("{sheet} · {page} {between} {pages}")
}

/// The description of a signer's field, for readers.
pub(super) fn field_of(language: Language, name: &str) -> String {
    let signature = language.pick("Firma de", "Signature of", "Assinatura de");
    format!("{signature} {name}")
}

/// The code that leads to an address, in words.
pub(super) fn code_of(language: Language, address: &str) -> String {
    let code = language.pick("Código QR de", "QR code of", "Código QR de");
    format!("{code} {address}")
}
