//! The Spanish of the sheet.

use jiff::Zoned;

pub(super) const SHEET: &str = "Hoja de firmas";
pub(super) const CONTINUED: &str = "Hoja de firmas, continuación";
pub(super) const PAGES: &str = "Extensión";
pub(super) const HASH: &str = "Huella SHA-256";
pub(super) const SIGNERS: &str = "Firmantes";
pub(super) const EXPLANATION: &str = "Cada recuadro es el campo de firma electrónica de una persona. La huella es la del archivo recibido, \
     que se conserva íntegro al comienzo de este documento.";
pub(super) const VERIFY: &str = "Verifique este documento en";
pub(super) const PENDING: &str = "Pendiente de firma";
pub(super) const SIGNED: &str = "Firmado electrónicamente";
pub(super) const DOCUMENT: &str = "Documento";
pub(super) const TIME: &str = "Fecha y hora";
pub(super) const ADDRESS: &str = "Dirección IP";
pub(super) const CHANNEL: &str = "Medio de verificación";
pub(super) const CONSENT: &str = "Texto aceptado";

const MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

/// The number of pages.
pub(super) fn pages(count: u32) -> String {
    match count {
        1 => "1 página".into(),
        _ => format!("{count} páginas"),
    }
}

/// The number of a page of the sheet.
pub(super) fn place(page: usize, pages: usize) -> String {
    format!("{SHEET} · {page} de {pages}")
}

/// The description of a signer's field, for readers.
pub(super) fn field_of(name: &str) -> String {
    format!("Firma de {name}")
}

/// The code that leads to an address, in words.
pub(super) fn code_of(address: &str) -> String {
    format!("Código QR de {address}")
}

/// A date and time, to the second, with the offset from UTC.
pub(super) fn time(time: &Zoned) -> String {
    let month = usize::from(time.month().unsigned_abs()).saturating_sub(1);
    let month = MONTHS.get(month).copied().unwrap_or_default();
    let minutes = time.offset().seconds() / 60;
    let sign = if minutes < 0 { '−' } else { '+' };
    let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
    let offset = match (hours, minutes) {
        (0, 0) => "UTC".into(),
        (_, 0) => format!("UTC{sign}{hours}"),
        _ => format!("UTC{sign}{hours}:{minutes:02}"),
    };
    let clock = time.strftime("%H:%M:%S");
    format!("{} de {month} de {}, {clock} ({offset})", time.day(), time.year())
}
