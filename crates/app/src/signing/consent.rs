//! What a signer agrees to: a text with a version and a language, and with a place for what the signer was shown. The hash of
//! the filled text goes into the evidence, with the values that fill it. A text that was shown once is never changed: another
//! one gets another version.

use domain::Language;
use domain::event::{AcceptedText, ShownDocument, hex};
use sha2::{Digest, Sha256};

const REFERENCE_DIGITS: usize = 16;
/// Stands in a text for what was shown: a line for each document, so that the documents of fifty folios can be read.
const SHOWN: &str = "{shown}";
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

const ALL: [Consent; 3] = [
    Consent {
        name: "2.es",
        text: "Pude leer los documentos completos y estoy de acuerdo con lo que dicen. En esta visita se me mostraron:\n\
               {shown}\n\
               Los firmo por medios electrónicos. Acepto que mi firma electrónica tenga el mismo valor que mi firma manuscrita.\n\
               El código de un solo uso que recibo es personal. Al escribirlo confirmo que soy yo y que quiero \
               firmar.\n\
               Para probar la firma se guardan la fecha y la hora, la dirección IP desde la que firmo, el \
               dispositivo, el navegador y el idioma que mi navegador informa, las páginas que se me mostraron, el medio por \
               el que recibí el código y la huella digital de los documentos.",
    },
    Consent {
        name: "2.en",
        text: "I was able to read the documents in full and agree with what they say. In this visit I was shown:\n\
               {shown}\n\
               I sign them electronically. I accept that my electronic signature has the same value as my handwritten one.\n\
               The one-time code I receive is personal. By entering it I confirm that it is me and that I want to \
               sign.\n\
               To prove the signature, the date and time, the IP address from which I sign, the device, browser \
               and language that my browser reports, the pages I was shown, the way the code reached me and the digital \
               fingerprint of the documents are kept.",
    },
    Consent {
        name: "2.pt",
        text: "Pude ler os documentos completos e concordo com o que dizem. Nesta visita foram mostrados a mim:\n\
               {shown}\n\
               Eu os assino por meios eletrônicos. Aceito que a minha assinatura eletrônica tenha o mesmo valor que a \
               minha assinatura manuscrita.\n\
               O código de uso único que recebo é pessoal. Ao digitá-lo, confirmo que sou eu e que quero assinar.\n\
               Para provar a assinatura são guardados a data e a hora, o endereço IP de onde assino, o \
               dispositivo, o navegador e o idioma que o meu navegador informa, as páginas que foram mostradas a mim, o \
               meio pelo qual recebi o código e o hash dos documentos.",
    },
];

impl Consent {
    /// The text in force, in Spanish.
    pub const SPANISH: Self = ALL[0];
    /// The same in English.
    pub const ENGLISH: Self = ALL[1];
    /// The same in Portuguese.
    pub const PORTUGUESE: Self = ALL[2];

    /// The text of that name.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|consent| consent.name == name)
    }

    /// The language of the text.
    fn language(self) -> Language {
        let code = self.name.rsplit('.').next().unwrap_or_default();
        code.parse().unwrap_or_default()
    }

    /// The text with what was shown of these documents, each with its name.
    pub fn filled<'n>(self, shown: impl IntoIterator<Item = (&'n str, ShownDocument)>) -> String {
        let line = |(name, shown): (&str, ShownDocument)| {
            let one = shown.pages == 1;
            let [of, pages, downloaded] = match self.language() {
                Language::Spanish => ["de", if one { "página" } else { "páginas" }, "descargado"],
                Language::English => ["of", if one { "page" } else { "pages" }, "downloaded"],
                Language::Portuguese => ["de", if one { "página" } else { "páginas" }, "baixado"],
            };
            let file = if shown.downloaded {
                format!("; {downloaded}")
            } else {
                String::new()
            };
            // A line break in a name would begin another sentence.
            let name = name.replace(char::is_control, " ");
            format!(
                "{ITEM}«{name}» ({} {of} {} {pages}{file})",
                shown.shown, shown.pages
            )
        };
        let lines: Vec<String> = shown.into_iter().map(line).collect();
        self.text.replace(SHOWN, &lines.join("\n"))
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
                "2.es",
                "dfe5e0cd7738b76427c4e68cdf506600bbc7dac4a095e665e3e98f1c73745e21",
            ),
            (
                "2.en",
                "7a9d05c8fcda64b4387220c62933bb2f10322ef367306c47879a534f5988cc75",
            ),
            (
                "2.pt",
                "136d41b7411a761097ed938d893bf488e227ba8281e2e20f65e6d2bd83dd1019",
            ),
        ];
        assert_eq!(hashes.len(), known.len());
        for (found, known) in hashes.iter().zip(known) {
            assert_eq!((found.0, found.1.as_str()), known);
        }
        assert_eq!(Consent::named("1.es"), None);
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
        let listed: Vec<&str> = text.lines().filter_map(Consent::shown_in).collect();
        assert_eq!(listed[0], "«contrato.pdf» (12 de 12 páginas)");
        let accepted = Consent::SPANISH.accepted(both);
        assert_eq!(accepted.consent, hash(&text));
        assert!(reference(&accepted, Language::Spanish).starts_with("versión 2.es, huella "));
        let page = ShownDocument {
            pages: 1,
            ..shown(1, false)
        };
        let text = Consent::ENGLISH.filled([("lease.pdf", page)]);
        assert!(text.contains("– «lease.pdf» (1 of 1 page)\n"), "{text}");
        let read = [("contrato.pdf", shown(12, true))];
        let text = Consent::PORTUGUESE.filled(read);
        assert!(
            text.contains("mostrados a mim:\n– «contrato.pdf» (12 de 12 páginas; baixado)\n"),
            "{text}"
        );
    }
}
