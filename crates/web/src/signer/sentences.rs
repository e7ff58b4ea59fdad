//! Sentences with numbers, names and times in them, in every language.

#![expect(
    clippy::match_same_arms,
    reason = "some sentences are the same in Spanish and Portuguese"
)]

use crate::page::Lang;
use domain::{Channel, DocumentType};
use std::fmt::Display;

impl Lang {
    /// "3 páginas".
    pub(crate) fn pages(self, count: u32) -> String {
        match (self, count) {
            (Self::Es, 1) => "1 página".to_owned(),
            (Self::En, 1) => "1 page".to_owned(),
            (Self::Es, _) => format!("{count} páginas"),
            (Self::En, _) => format!("{count} pages"),
            (Self::Pt, 1) => "1 página".to_owned(),
            (Self::Pt, _) => format!("{count} páginas"),
        }
    }

    /// The alternative text of the image of a page.
    pub(crate) fn page_of(self, number: impl Display, of: impl Display) -> String {
        match self {
            Self::Es => format!("Página {number} de {of}"),
            Self::En => format!("Page {number} of {of}"),
            Self::Pt => format!("Página {number} de {of}"),
        }
    }

    pub(crate) fn zoom(self, number: impl Display) -> String {
        match self {
            Self::Es => format!("Ampliar la página {number}"),
            Self::En => format!("Enlarge page {number}"),
            Self::Pt => format!("Ampliar a página {number}"),
        }
    }

    pub(crate) fn page_text(self, number: impl Display) -> String {
        match self {
            Self::Es => format!("Texto de la página {number}"),
            Self::En => format!("Text of page {number}"),
            Self::Pt => format!("Texto da página {number}"),
        }
    }

    /// What must be read before a code is sent.
    pub(crate) fn unread(self, names: &[&str]) -> String {
        let names = names.join(", ");
        match self {
            Self::Es => format!("Antes de continuar, vea hasta la última página (o descargue): {names}."),
            Self::En => format!("Before you continue, see to the last page (or download): {names}."),
            Self::Pt => format!("Antes de continuar, veja até a última página (ou baixe): {names}."),
        }
    }

    /// Pages that are shown together.
    pub(crate) fn page_range(self, first: u32, last: u32) -> String {
        match self {
            Self::Es => format!("Páginas {first} a {last}"),
            Self::En => format!("Pages {first} to {last}"),
            Self::Pt => format!("Páginas {first} a {last}"),
        }
    }

    /// The way to the pages that are not here.
    pub(crate) fn more_pages(self, first: u32, last: u32) -> String {
        match self {
            Self::Es => format!("Ver las páginas {first} a {last}"),
            Self::En => format!("See pages {first} to {last}"),
            Self::Pt => format!("Ver as páginas {first} a {last}"),
        }
    }

    /// Where a code went.
    pub(crate) fn code_sent(self, channel: Channel, masked: &str) -> String {
        match (self, channel) {
            (Self::Es, Channel::Email) => format!("Lo enviamos al correo {masked}"),
            (Self::Es, Channel::Sms) => format!("Lo enviamos por SMS al celular {masked}"),
            (Self::En, Channel::Email) => format!("We sent it to the email address {masked}"),
            (Self::En, Channel::Sms) => format!("We sent it by text message to {masked}"),
            (Self::Pt, Channel::Email) => format!("Enviamos para o e-mail {masked}"),
            (Self::Pt, Channel::Sms) => format!("Enviamos por SMS para o celular {masked}"),
        }
    }

    /// Where a code would go.
    pub(crate) fn code_goes(self, channel: Channel, masked: &str) -> String {
        match (self, channel) {
            (Self::Es, Channel::Email) => format!("Enviaremos un código al correo {masked}."),
            (Self::Es, Channel::Sms) => format!("Enviaremos un código por SMS al celular {masked}."),
            (Self::En, Channel::Email) => format!("We will send a code to the email address {masked}."),
            (Self::En, Channel::Sms) => format!("We will send a code by text message to {masked}."),
            (Self::Pt, Channel::Email) => format!("Enviaremos um código para o e-mail {masked}."),
            (Self::Pt, Channel::Sms) => format!("Enviaremos um código por SMS para o celular {masked}."),
        }
    }

    /// A whole sentence: a time ends with a point of its own.
    pub(crate) fn good_until(self, time: &str) -> String {
        match self {
            Self::Es => format!("Sirve hasta {} {time}", article(time)),
            Self::En => format!("Good until {time}"),
            Self::Pt => format!("Válido até {time}."),
        }
    }

    /// Before the minutes and seconds that count down.
    pub(crate) const fn good_for(self) -> &'static str {
        match self {
            Self::Es => "Vence en",
            Self::En => "Expires in",
            Self::Pt => "Expira em",
        }
    }

    /// A whole sentence, too.
    pub(crate) fn resend_from(self, time: &str) -> String {
        match self {
            Self::Es => format!("Puede pedir otro desde {} {time}", article(time)),
            Self::En => format!("You can ask for another from {time}"),
            Self::Pt => {
                let article = if time.starts_with("01:") { "da" } else { "das" };
                format!("Você pode pedir outro a partir {article} {time}.")
            }
        }
    }

    pub(crate) const fn resend_in(self) -> &'static str {
        match self {
            Self::Es => "Puede pedir otro en",
            Self::En => "You can ask for another in",
            Self::Pt => "Você pode pedir outro em",
        }
    }

    pub(crate) fn wrong_code(self, left: usize) -> String {
        match (self, left) {
            (Self::Es, 0) => "El código no es correcto y ya no quedan intentos. Pida uno nuevo.".to_owned(),
            (Self::Es, 1) => "El código no es correcto. Le queda 1 intento.".to_owned(),
            (Self::Es, _) => format!("El código no es correcto. Le quedan {left} intentos."),
            (Self::En, 0) => "The code is not right and no tries are left. Ask for a new one.".to_owned(),
            (Self::En, 1) => "The code is not right. You have 1 try left.".to_owned(),
            (Self::En, _) => format!("The code is not right. You have {left} tries left."),
            (Self::Pt, 0) => "O código está incorreto e não restam tentativas. Peça um novo.".to_owned(),
            (Self::Pt, 1) => "O código está incorreto. Resta 1 tentativa.".to_owned(),
            (Self::Pt, _) => format!("O código está incorreto. Restam {left} tentativas."),
        }
    }

    pub(crate) fn locked_until(self, time: &str) -> String {
        match self {
            Self::Es => format!("Podrá intentarlo de nuevo el {time}"),
            Self::En => format!("You can try again on {time}"),
            Self::Pt => format!("Você poderá tentar de novo em {time}."),
        }
    }

    pub(crate) fn signed_at(self, time: &str) -> String {
        match self {
            Self::Es => format!("Firmado el {time}"),
            Self::En => format!("Signed on {time}"),
            Self::Pt => format!("Assinado em {time}"),
        }
    }

    pub(crate) fn missing(self, count: usize) -> String {
        match (self, count) {
            (Self::Es, 1) => "Falta la firma de otra persona.".to_owned(),
            (Self::Es, _) => format!("Faltan {count} firmas."),
            (Self::En, 1) => "One more person has to sign.".to_owned(),
            (Self::En, _) => format!("{count} more people have to sign."),
            (Self::Pt, 1) => "Falta a assinatura de outra pessoa.".to_owned(),
            (Self::Pt, _) => format!("Faltam {count} assinaturas."),
        }
    }

    /// Where the receipt of a signature went.
    pub(crate) fn receipt_sent(self, masked: &str) -> String {
        match self {
            Self::Es => format!("Enviamos su comprobante al correo {masked}."),
            Self::En => format!("We have sent your receipt to the email address {masked}."),
            Self::Pt => format!("Enviamos o seu comprovante para o e-mail {masked}."),
        }
    }

    /// A whole sentence: a time ends with a point of its own.
    pub(crate) fn sign_until(self, time: &str) -> String {
        match self {
            Self::Es => format!("Puede firmar hasta el {time}"),
            Self::En => format!("You can sign until {time}"),
            Self::Pt => format!("Você pode assinar até {time}."),
        }
    }

    /// Before the minutes and seconds that count down.
    pub(crate) fn returning_to(self, host: &str) -> String {
        match self {
            Self::Es => format!("Volverá a {host} en"),
            Self::En => format!("You will return to {host} in"),
            Self::Pt => format!("Você voltará a {host} em"),
        }
    }

    /// A file of the evidence, which comes in parts where it is long.
    pub(crate) fn evidence_part(self, name: &str, part: usize, of: usize) -> String {
        match (self, of) {
            (_, 1) => name.to_owned(),
            (Self::Es | Self::Pt, _) => format!("{name}, parte {part} de {of}"),
            (Self::En, _) => format!("{name}, part {part} of {of}"),
        }
    }

    pub(crate) fn return_to(self, host: &str) -> String {
        match self {
            Self::Es => format!("Volver a {host}"),
            Self::En => format!("Return to {host}"),
            Self::Pt => format!("Voltar a {host}"),
        }
    }

    pub(crate) fn sign_many(self, count: usize) -> String {
        match (self, count) {
            (Self::Es, 1) => "Firmar 1 documento".to_owned(),
            (Self::Es, _) => format!("Firmar {count} documentos"),
            (Self::En, 1) => "Sign 1 document".to_owned(),
            (Self::En, _) => format!("Sign {count} documents"),
            (Self::Pt, 1) => "Assinar 1 documento".to_owned(),
            (Self::Pt, _) => format!("Assinar {count} documentos"),
        }
    }

    /// The progress of a bulk signature: so many documents of so many. The button counts documents too.
    pub(crate) fn signed_of(self, signed: usize, all: usize) -> String {
        match (self, all) {
            (Self::Es, 1) => format!("{signed} de 1 documento firmado"),
            (Self::Es, _) => format!("{signed} de {all} documentos firmados"),
            (Self::En, 1) => format!("{signed} of 1 document signed"),
            (Self::En, _) => format!("{signed} of {all} documents signed"),
            (Self::Pt, 1) => format!("{signed} de 1 documento assinado"),
            (Self::Pt, _) => format!("{signed} de {all} documentos assinados"),
        }
    }

    pub(crate) fn bulk_until(self, time: &str) -> String {
        match self {
            Self::Es => format!("Este enlace sirve hasta el {time}"),
            Self::En => format!("This link works until {time}"),
            Self::Pt => format!("Este link vale até {time}."),
        }
    }

    pub(crate) fn signed_alike(self, count: usize) -> String {
        match (self, count) {
            (Self::Es, 1) => "Usted firmó 1 documento.".to_owned(),
            (Self::Es, _) => format!("Usted firmó {count} documentos."),
            (Self::En, 1) => "You signed 1 document.".to_owned(),
            (Self::En, _) => format!("You signed {count} documents."),
            (Self::Pt, 1) => "Você assinou 1 documento.".to_owned(),
            (Self::Pt, _) => format!("Você assinou {count} documentos."),
        }
    }

    /// A phone number for a link.
    #[allow(clippy::unused_self, reason = "templates have no functions")]
    pub(crate) fn dialled(self, phone: &str) -> String {
        phone
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '+')
            .collect()
    }

    /// What a bulk signature came to, as a title.
    pub(crate) fn signed_title(self, count: usize) -> String {
        match (self, count) {
            (Self::Es, 1) => "Usted firmó 1 documento".to_owned(),
            (Self::Es, _) => format!("Usted firmó {count} documentos"),
            (Self::En, 1) => "You signed 1 document".to_owned(),
            (Self::En, _) => format!("You signed {count} documents"),
            (Self::Pt, 1) => "Você assinou 1 documento".to_owned(),
            (Self::Pt, _) => format!("Você assinou {count} documentos"),
        }
    }

    /// What a type of identity document is called.
    pub(crate) const fn document_type_name(self, document_type: DocumentType) -> &'static str {
        match document_type {
            DocumentType::CitizenCard => self.citizen_card(),
            DocumentType::ForeignerCard => self.foreigner_card(),
            DocumentType::TaxNumber => self.tax_number(),
            DocumentType::MinorCard => self.minor_card(),
        }
    }
}

/// A time with its article: "la 1:05", "las 2:05".
fn article(time: &str) -> &'static str {
    if time.starts_with("1:") { "la" } else { "las" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;
    use jiff::tz::TimeZone;

    #[test]
    fn times_stand_well_in_their_sentences() {
        let said = |l: Lang, minutes: i64| {
            let at = Timestamp::from_micros(minutes * 60_000_000);
            let time = l.time(at, &TimeZone::UTC);
            let said = [l.good_until(&time), l.resend_from(&time)];
            said.map(|said| said.replace('\u{a0}', " "))
        };
        for (minutes, es) in [
            (
                65,
                [
                    "Sirve hasta la 1:05 a. m.",
                    "Puede pedir otro desde la 1:05 a. m.",
                ],
            ),
            (
                13 * 60,
                [
                    "Sirve hasta la 1:00 p. m.",
                    "Puede pedir otro desde la 1:00 p. m.",
                ],
            ),
            (
                570,
                [
                    "Sirve hasta las 9:30 a. m.",
                    "Puede pedir otro desde las 9:30 a. m.",
                ],
            ),
            (
                720,
                [
                    "Sirve hasta las 12:00 p. m.",
                    "Puede pedir otro desde las 12:00 p. m.",
                ],
            ),
        ] {
            assert_eq!(said(Lang::Es, minutes), es);
        }
        let en = ["Good until 1:05 a.m.", "You can ask for another from 1:05 a.m."];
        assert_eq!(said(Lang::En, 65), en);
        let pt = ["Válido até 14:05.", "Você pode pedir outro a partir das 14:05."];
        assert_eq!(said(Lang::Pt, 14 * 60 + 5), pt);
        let pt = ["Válido até 01:05.", "Você pode pedir outro a partir da 01:05."];
        assert_eq!(said(Lang::Pt, 65), pt);
    }
}
