//! What a signer agrees to: a text with a version and a language. Its hash goes into the evidence, so a text
//! that was shown once is never changed: another one gets another version.

use domain::event::hex;
use sha2::{Digest, Sha256};

const REFERENCE_DIGITS: usize = 16;

/// A text that can be agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consent {
    /// Version and language, as forms and evidence name it.
    pub name: &'static str,
    /// What is agreed to, one sentence a line.
    pub text: &'static str,
}

const ALL: [Consent; 2] = [
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
];

impl Consent {
    /// The text in force, in Spanish.
    pub const SPANISH: Self = ALL[0];
    /// The same in English.
    pub const ENGLISH: Self = ALL[1];

    /// The text of that name.
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|consent| consent.name == name)
    }

    /// The text with that SHA-256, in force or not.
    pub fn hashed(sha256: &str) -> Option<Self> {
        ALL.into_iter().find(|consent| consent.hash() == sha256)
    }

    /// Its sentences.
    pub fn sentences(self) -> impl Iterator<Item = &'static str> {
        self.text.lines()
    }

    /// SHA-256 of the text, in hexadecimal.
    pub fn hash(self) -> String {
        hex(&Sha256::digest(self.text.as_bytes()).into())
    }
}

/// How the signature sheet names the text with that SHA-256: by its version and the beginning of the hash. The evidence has
/// all of it.
pub(crate) fn reference(sha256: &str) -> String {
    let digits: String = sha256.chars().take(REFERENCE_DIGITS).collect();
    match Consent::hashed(sha256) {
        Some(consent) => format!("versión {}, huella {digits}", consent.name),
        None => format!("huella {digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Consent, reference};

    #[test]
    fn a_text_that_was_shown_never_changes() {
        for (name, hash) in [
            (
                "1.es",
                "e14b3a5ede58bfe7473776dbd2a12ef9b88bb1f023992759c2a527ccf87059f4",
            ),
            (
                "1.en",
                "a873a1c67ef1c7b835b2f597b5d135419d7e79b78f680d2ed3116177de0bbe7a",
            ),
        ] {
            assert_eq!(Consent::named(name).map(Consent::hash).as_deref(), Some(hash));
        }
        assert_eq!(Consent::named("0.es"), None);
        assert_eq!(Consent::SPANISH.sentences().count(), 4);
        let shown = reference(&Consent::SPANISH.hash());
        assert_eq!(shown, "versión 1.es, huella e14b3a5ede58bfe7");
    }
}
