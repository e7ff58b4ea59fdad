//! What a signer agrees to: a text with a version and a language, and with a place for what the signer was shown. The hash of
//! the filled text goes into the evidence, with the values that fill it. A text that was shown once is never changed: another
//! one gets another version.

use domain::Language;
use domain::event::{AcceptedText, ShownDocument, hex};
use sha2::{Digest, Sha256};

const REFERENCE_DIGITS: usize = 16;
/// Stands in a text for what was shown of the documents.
const SHOWN: &str = "{shown}";
/// The same on a line of its own: each document gets a line, so that the documents of fifty folios can be read.
const SHOWN_LIST: &str = "\n{shown}\n";
/// Begins the line of a document.
const ITEM: &str = "– ";

/// A text that can be agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consent {
    /// Version and language, as forms and evidence name it.
    pub name: &'static str,
    /// What is agreed to, one sentence a line.
    text: &'static str,
}

const ALL: [Consent; 13] = [
    Consent {
        name: "1.es",
        text: "Leí los documentos que se muestran en esta página y estoy de acuerdo con lo que dicen.\n\
               Los firmo por medios electrónicos. Mi firma electrónica vale lo mismo que mi firma escrita a mano \
               (Ley 527 de 1999 y Decreto 2364 de 2012 de Colombia).\n\
               El código de un solo uso que recibo es personal. Al escribirlo confirmo que soy yo y que quiero \
               firmar.\n\
               Para probar la firma se guardan la fecha y la hora, la dirección de internet desde la que firmo, el \
               medio por el que recibí el código y la huella digital de los documentos.",
    },
    Consent {
        name: "1.en",
        text: "I have read the documents shown on this page and agree with what they say.\n\
               I sign them electronically. My electronic signature is worth the same as my handwritten one (Law 527 \
               of 1999 and Decree 2364 of 2012 of Colombia).\n\
               The one-time code I receive is personal. By entering it I confirm that it is me and that I want to \
               sign.\n\
               To prove the signature, the date and time, the internet address from which I sign, the way the code \
               reached me and the digital fingerprint of the documents are kept.",
    },
    Consent {
        name: "2.es",
        text: "Leí los documentos y estoy de acuerdo con lo que dicen. En esta visita se me mostraron: {shown}.\n\
               Los firmo por medios electrónicos. Mi firma electrónica vale lo mismo que mi firma escrita a mano \
               (Ley 527 de 1999 y Decreto 2364 de 2012 de Colombia).\n\
               El código de un solo uso que recibo es personal. Al escribirlo confirmo que soy yo y que quiero \
               firmar.\n\
               Para probar la firma se guardan la fecha y la hora, la dirección de internet desde la que firmo, las \
               páginas que se me mostraron, el medio por el que recibí el código y la huella digital de los documentos.",
    },
    Consent {
        name: "2.en",
        text: "I have read the documents and agree with what they say. In this visit I was shown: {shown}.\n\
               I sign them electronically. My electronic signature is worth the same as my handwritten one (Law 527 \
               of 1999 and Decree 2364 of 2012 of Colombia).\n\
               The one-time code I receive is personal. By entering it I confirm that it is me and that I want to \
               sign.\n\
               To prove the signature, the date and time, the internet address from which I sign, the pages I was \
               shown, the way the code reached me and the digital fingerprint of the documents are kept.",
    },
    Consent {
        name: "3.es",
        text: "Leí los documentos y estoy de acuerdo con lo que dicen. En esta visita se me mostraron: {shown}.\n\
               Los firmo por medios electrónicos. Mi firma electrónica vale lo mismo que mi firma escrita a mano \
               (Ley 527 de 1999 y Decreto 2364 de 2012 de Colombia).\n\
               El código de un solo uso que recibo es personal. Al escribirlo confirmo que soy yo y que quiero \
               firmar.\n\
               Para probar la firma se guardan la fecha y la hora, la dirección de internet desde la que firmo, el \
               dispositivo, el navegador y el idioma que mi navegador informa, las páginas que se me mostraron, el medio por \
               el que recibí el código y la huella digital de los documentos.",
    },
    Consent {
        name: "3.en",
        text: "I have read the documents and agree with what they say. In this visit I was shown: {shown}.\n\
               I sign them electronically. My electronic signature is worth the same as my handwritten one (Law 527 \
               of 1999 and Decree 2364 of 2012 of Colombia).\n\
               The one-time code I receive is personal. By entering it I confirm that it is me and that I want to \
               sign.\n\
               To prove the signature, the date and time, the internet address from which I sign, the device, browser \
               and language that my browser reports, the pages I was shown, the way the code reached me and the digital \
               fingerprint of the documents are kept.",
    },
    Consent {
        name: "3.pt",
        text: "Li os documentos e concordo com o que dizem. Nesta visita foram mostrados a mim: {shown}.\n\
               Eu os assino por meios eletrônicos. A minha assinatura eletrônica vale o mesmo que a minha \
               assinatura de próprio punho (Lei 527 de 1999 e Decreto 2364 de 2012 da Colômbia).\n\
               O código de uso único que recebo é pessoal. Ao digitá-lo, confirmo que sou eu e que quero assinar.\n\
               Para provar a assinatura são guardados a data e a hora, o endereço de internet de onde assino, o \
               dispositivo, o navegador e o idioma que o meu navegador informa, as páginas que foram mostradas a mim, o \
               meio pelo qual recebi o código e o hash dos documentos.",
    },
    Consent {
        name: "4.es",
        text: "Leí los documentos y estoy de acuerdo con lo que dicen. En esta visita se me mostraron:\n\
               {shown}\n\
               Los firmo por medios electrónicos. Mi firma electrónica vale lo mismo que mi firma escrita a mano \
               (Ley 527 de 1999 y Decreto 2364 de 2012 de Colombia).\n\
               El código de un solo uso que recibo es personal. Al escribirlo confirmo que soy yo y que quiero \
               firmar.\n\
               Para probar la firma se guardan la fecha y la hora, la dirección de internet desde la que firmo, el \
               dispositivo, el navegador y el idioma que mi navegador informa, las páginas que se me mostraron, el medio por \
               el que recibí el código y la huella digital de los documentos.",
    },
    Consent {
        name: "4.en",
        text: "I have read the documents and agree with what they say. In this visit I was shown:\n\
               {shown}\n\
               I sign them electronically. My electronic signature is worth the same as my handwritten one (Law 527 \
               of 1999 and Decree 2364 of 2012 of Colombia).\n\
               The one-time code I receive is personal. By entering it I confirm that it is me and that I want to \
               sign.\n\
               To prove the signature, the date and time, the internet address from which I sign, the device, browser \
               and language that my browser reports, the pages I was shown, the way the code reached me and the digital \
               fingerprint of the documents are kept.",
    },
    Consent {
        name: "4.pt",
        text: "Li os documentos e concordo com o que dizem. Nesta visita foram mostrados a mim:\n\
               {shown}\n\
               Eu os assino por meios eletrônicos. A minha assinatura eletrônica vale o mesmo que a minha \
               assinatura de próprio punho (Lei 527 de 1999 e Decreto 2364 de 2012 da Colômbia).\n\
               O código de uso único que recebo é pessoal. Ao digitá-lo, confirmo que sou eu e que quero assinar.\n\
               Para provar a assinatura são guardados a data e a hora, o endereço de internet de onde assino, o \
               dispositivo, o navegador e o idioma que o meu navegador informa, as páginas que foram mostradas a mim, o \
               meio pelo qual recebi o código e o hash dos documentos.",
    },
    Consent {
        name: "5.es",
        text: "Pude leer los documentos completos y estoy de acuerdo con lo que dicen. En esta visita se me mostraron:\n\
               {shown}\n\
               Los firmo por medios electrónicos. Acepto que mi firma electrónica valga lo mismo que mi firma escrita a mano.\n\
               El código de un solo uso que recibo es personal. Al escribirlo confirmo que soy yo y que quiero \
               firmar.\n\
               Para probar la firma se guardan la fecha y la hora, la dirección de internet desde la que firmo, el \
               dispositivo, el navegador y el idioma que mi navegador informa, las páginas que se me mostraron, el medio por \
               el que recibí el código y la huella digital de los documentos.",
    },
    Consent {
        name: "5.en",
        text: "I was able to read the documents in full and agree with what they say. In this visit I was shown:\n\
               {shown}\n\
               I sign them electronically. I accept that my electronic signature is worth the same as my handwritten one.\n\
               The one-time code I receive is personal. By entering it I confirm that it is me and that I want to \
               sign.\n\
               To prove the signature, the date and time, the internet address from which I sign, the device, browser \
               and language that my browser reports, the pages I was shown, the way the code reached me and the digital \
               fingerprint of the documents are kept.",
    },
    Consent {
        name: "5.pt",
        text: "Pude ler os documentos completos e concordo com o que dizem. Nesta visita foram mostrados a mim:\n\
               {shown}\n\
               Eu os assino por meios eletrônicos. Aceito que a minha assinatura eletrônica valha o mesmo que a minha \
               assinatura de próprio punho.\n\
               O código de uso único que recebo é pessoal. Ao digitá-lo, confirmo que sou eu e que quero assinar.\n\
               Para provar a assinatura são guardados a data e a hora, o endereço de internet de onde assino, o \
               dispositivo, o navegador e o idioma que o meu navegador informa, as páginas que foram mostradas a mim, o \
               meio pelo qual recebi o código e o hash dos documentos.",
    },
];

impl Consent {
    /// The text in force, in Spanish.
    pub const SPANISH: Self = ALL[10];
    /// The same in English.
    pub const ENGLISH: Self = ALL[11];
    /// The same in Portuguese.
    pub const PORTUGUESE: Self = ALL[12];

    /// The text of that name.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|consent| consent.name == name)
    }

    /// The text without a place, by its SHA-256: what earlier events name.
    pub(crate) fn hashed(sha256: &str) -> Option<Self> {
        let mut plain = ALL.into_iter().filter(|consent| !consent.text.contains(SHOWN));
        plain.find(|consent| hash(consent.text) == sha256)
    }

    /// The language of the text.
    fn language(self) -> Language {
        let code = self.name.rsplit('.').next().unwrap_or_default();
        code.parse().unwrap_or_default()
    }

    /// The text with what was shown of these documents, each with its name.
    pub fn filled<'n>(self, shown: impl IntoIterator<Item = (&'n str, ShownDocument)>) -> String {
        let line = |(name, shown): (&str, ShownDocument)| {
            let [of, pages, downloaded] = match self.language() {
                Language::Spanish => ["de", "páginas", "descargado"],
                Language::English => ["of", "pages", "downloaded"],
                Language::Portuguese => ["de", "páginas", "baixado"],
            };
            let file = if shown.downloaded {
                format!("; {downloaded}")
            } else {
                String::new()
            };
            // A line break in a name would begin another sentence.
            let name = name.replace(char::is_control, " ");
            format!("«{name}» ({} {of} {} {pages}{file})", shown.shown, shown.pages)
        };
        let shown: Vec<String> = shown.into_iter().map(line).collect();
        if self.text.contains(SHOWN_LIST) {
            let lines: Vec<String> = shown.iter().map(|one| format!("{ITEM}{one}")).collect();
            return self.text.replace(SHOWN, &lines.join("\n"));
        }
        self.text.replace(SHOWN, &shown.join(", "))
    }

    /// What a line of a filled text says of a document, where it is such a line.
    pub fn shown_in(line: &str) -> Option<&str> {
        line.strip_prefix(ITEM)
    }

    /// What a signer accepts who was shown that, with the hash of the filled text.
    pub(crate) fn accepted<'n>(
        self,
        shown: impl IntoIterator<Item = (&'n str, ShownDocument)>,
    ) -> AcceptedText {
        let shown: Vec<(&str, ShownDocument)> = shown.into_iter().collect();
        AcceptedText {
            consent: hash(&self.filled(shown.iter().cloned())),
            template: self.name.to_owned(),
            shown: shown.into_iter().map(|(_, shown)| shown).collect(),
        }
    }
}

/// SHA-256 of a text, in hexadecimal.
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()).into())
}

/// How the signature sheet names an accepted text: by its version and the beginning of the hash. The evidence has all of it.
pub(crate) fn reference(accepted: &AcceptedText, language: Language) -> String {
    let digits: String = accepted.consent.chars().take(REFERENCE_DIGITS).collect();
    let template = &accepted.template;
    match language {
        Language::Spanish => format!("versión {template}, huella {digits}"),
        Language::English => format!("version {template}, hash {digits}"),
        Language::Portuguese => format!("versão {template}, hash {digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Consent, hash, reference};
    use domain::event::ShownDocument;
    use domain::{DocumentId, Language};

    #[test]
    fn a_text_that_was_shown_never_changes() {
        let hashes: Vec<(&str, String)> = ALL.map(|consent| (consent.name, hash(consent.text))).into();
        let known = [
            (
                "1.es",
                "e14b3a5ede58bfe7473776dbd2a12ef9b88bb1f023992759c2a527ccf87059f4",
            ),
            (
                "1.en",
                "a873a1c67ef1c7b835b2f597b5d135419d7e79b78f680d2ed3116177de0bbe7a",
            ),
            (
                "2.es",
                "1ee7cfbbbf98b248db597e63815f159db9e27c14003541de663a382679e2bcee",
            ),
            (
                "2.en",
                "e03c853a5516e25bd28fc1eee42302f8f08d670d3de201685faf595c5c8c079b",
            ),
            (
                "3.es",
                "e443319a01dd550cee35823afdfb7599843ae23409427c7e80ece3bf2d8cf679",
            ),
            (
                "3.en",
                "5cf2c5af09c3c43d6c03a9b20a1ce925147aad0aa18d26ba361021addb3417b0",
            ),
            (
                "3.pt",
                "ea0434a18553572fe3f931f3e2c47618700ea38aff5bd05f69e709b0928c2fdb",
            ),
            (
                "4.es",
                "61b03d6b570ab825ce21e84f0cebbb365f149ffbd6a4f687f8d51826e87633f4",
            ),
            (
                "4.en",
                "4ffd3e89ea9f463098896efe9d652f5217cf8d62f9ba7dead54e748e3e7153a7",
            ),
            (
                "4.pt",
                "1efc1097cbd45d945617026b09fa201149ed8ceb6940f5ce6e25873db06d9c38",
            ),
            (
                "5.es",
                "c484955aadd2545a71904e957a21075c71427118ddc2ce665a5ea85f2c12a703",
            ),
            (
                "5.en",
                "8e8d3b0eb1f7aa8f46088f74d517b9a65accbb005c634a142529bf592e1ab7ac",
            ),
            (
                "5.pt",
                "2a7bd40debed2c637364daac305ec58a181f70b7059b4b28e0822af7dc7ff441",
            ),
        ];
        assert_eq!(hashes.len(), known.len());
        for (found, known) in hashes.iter().zip(known) {
            assert_eq!((found.0, found.1.as_str()), known);
        }
        assert_eq!(Consent::named("0.es"), None);
    }

    #[test]
    fn the_text_says_what_was_shown() {
        let shown = |shown, downloaded| ShownDocument {
            document: DocumentId::from_bytes([1; 16]),
            pages: 12,
            shown,
            downloaded,
        };
        let both = [
            ("contrato.pdf", shown(12, false)),
            ("ane\nxo.pdf", shown(0, true)),
        ];
        let text = Consent::SPANISH.filled(both.clone());
        assert!(
            text.contains("se me mostraron:\n– «contrato.pdf» (12 de 12 páginas)\n– «ane xo.pdf» (0 de 12 páginas; descargado)\nLos firmo"),
            "{text}"
        );
        let earlier = Consent::named("3.es").unwrap().filled(both.clone());
        assert!(
            earlier.contains("se me mostraron: «contrato.pdf» (12 de 12 páginas), «ane xo.pdf» (0 de 12 páginas; descargado).\n"),
            "{earlier}"
        );
        let listed: Vec<&str> = text.lines().filter_map(Consent::shown_in).collect();
        assert_eq!(listed[0], "«contrato.pdf» (12 de 12 páginas)");
        let accepted = Consent::SPANISH.accepted(both);
        assert_eq!(accepted.consent, hash(&text));
        assert!(reference(&accepted, Language::Spanish).starts_with("versión 5.es, huella "));
        let read = [("contrato.pdf", shown(12, true))];
        let text = Consent::PORTUGUESE.filled(read);
        assert!(
            text.contains("mostrados a mim:\n– «contrato.pdf» (12 de 12 páginas; baixado)\n"),
            "{text}"
        );
        let plain = Consent::named("1.es").unwrap();
        assert_eq!(Consent::hashed(&hash(&plain.filled([]))), Some(plain));
    }
}
