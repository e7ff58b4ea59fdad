//! Why a message did not leave: in the words that histories and logs have, and in those that people read.

use domain::Language;

/// Defines [`SendFailure`]: of each kind what is stored, and what people read in Spanish, English and Portuguese.
macro_rules! send_failures {
    ($($name:ident: $stored:literal, $spanish:literal, $english:literal, $portuguese:literal;)*) => {
        /// Why a message did not leave, as far as it is this service that says so.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum SendFailure {
            $(#[doc = concat!("Stored as \"", $stored, "\".")] $name,)*
        }

        impl SendFailure {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// How it is stored and logged.
            pub const fn stored(self) -> &'static str {
                match self {
                    $(Self::$name => $stored,)*
                }
            }

            /// How people read it.
            const fn text(self, language: Language) -> &'static str {
                match (self, language) {
                    $(
                        (Self::$name, Language::Spanish) => $spanish,
                        (Self::$name, Language::English) => $english,
                        (Self::$name, Language::Portuguese) => $portuguese,
                    )*
                }
            }
        }
    };
}

send_failures! {
    NoAnswer: "no answer in time",
        "No hubo respuesta a tiempo", "There was no answer in time", "Não houve resposta a tempo";
    OtherAddress: "the signer has another address by now",
        "El firmante ya tiene otro contacto", "The signer has another contact by now", "O signatário já tem outro contato";
    NoMailbox: "550 5.1.1 there is no such mailbox (sandbox)",
        "El buzón no existe (entorno de pruebas)", "There is no such mailbox (sandbox)", "A caixa de correio não existe (ambiente de testes)";
    NoText: "there is no such message for this channel",
        "Este mensaje no existe para ese medio", "There is no such message for this channel", "Esta mensagem não existe para esse meio";
    CodeExpired: "the code expired before it could be sent",
        "El código venció antes de que se pudiera enviar", "The code expired before it could be sent", "O código venceu antes de poder ser enviado";
    CodeSealed: "the code cannot be opened: is the master key the right one?",
        "La instalación no pudo descifrar el código", "The installation could not decrypt the code", "A instalação não conseguiu decifrar o código";
    LinkExpired: "the link expired before it could be sent",
        "El enlace venció antes de que se pudiera enviar", "The link expired before it could be sent", "O link venceu antes de poder ser enviado";
    LinkSealed: "the link cannot be opened: is the master key the right one?",
        "La instalación no pudo descifrar el enlace", "The installation could not decrypt the link", "A instalação não conseguiu decifrar o link";
    FolioErased: "the folio was erased",
        "El folio se borró", "The folio was erased", "O folio foi apagado";
    BadAddress: "the address cannot be written to",
        "No se puede escribir a esa dirección de correo", "That email address cannot be written to", "Não se pode escrever para esse endereço de e-mail";
    Attachment: "an attachment cannot be written",
        "No se pudo adjuntar un documento", "A document could not be attached", "Não foi possível anexar um documento";
    Email: "the message cannot be written",
        "No se pudo componer el correo", "The email could not be composed", "Não foi possível compor o e-mail";
    NoServer: "the mail server cannot be reached",
        "No hubo conexión con el servidor de correo", "The mail server could not be reached", "Não houve conexão com o servidor de e-mail";
    ServerLate: "the mail server does not answer in time",
        "El servidor de correo no respondió a tiempo", "The mail server did not answer in time", "O servidor de e-mail não respondeu a tempo";
    AsciiOnly: "the mail server does not take addresses beyond ASCII (SMTPUTF8)",
        "El servidor de correo no acepta direcciones con tildes u otros caracteres especiales",
        "The mail server does not take addresses with accents or other special characters",
        "O servidor de e-mail não aceita endereços com acentos ou outros caracteres especiais";
    Connecting: "connecting",
        "Falló la conexión con el servidor de correo", "The connection to the mail server failed", "Falhou a conexão com o servidor de e-mail";
    StartTls: "STARTTLS",
        "Falló el cifrado de la conexión con el servidor de correo",
        "The connection to the mail server could not be encrypted",
        "Falhou a criptografia da conexão com o servidor de e-mail";
    Authentication: "authentication",
        "Falló la autenticación ante el servidor de correo", "The authentication at the mail server failed", "Falhou a autenticação no servidor de e-mail";
    Sender: "MAIL FROM",
        "El envío falló al indicar el remitente al servidor de correo",
        "Sending failed when the sender was named to the mail server",
        "O envio falhou ao indicar o remetente ao servidor de e-mail";
    Recipient: "RCPT TO",
        "El envío falló al indicar el destinatario al servidor de correo",
        "Sending failed when the recipient was named to the mail server",
        "O envio falhou ao indicar o destinatário ao servidor de e-mail";
    Data: "DATA",
        "El envío falló al empezar a transmitir el correo", "Sending failed when the email began to be transmitted", "O envio falhou ao começar a transmitir o e-mail";
    Message: "the message",
        "El envío falló al transmitir el correo", "Sending failed when the email was transmitted", "O envio falhou ao transmitir o e-mail";
    NoGateway: "no SMS gateway is set: FIRMEZA_SMS_URL",
        "La instalación no tiene una pasarela de SMS", "The installation has no SMS gateway", "A instalação não tem um gateway de SMS";
    GatewayRequest: "the request cannot be written",
        "No se pudo componer la solicitud a la pasarela de SMS", "The request to the SMS gateway could not be composed", "Não foi possível compor a solicitação ao gateway de SMS";
    GatewayConnection: "the connection to the SMS gateway failed",
        "Falló la conexión con la pasarela de SMS", "The connection to the SMS gateway failed", "Falhou a conexão com o gateway de SMS";
    GatewayLate: "the SMS gateway does not answer in time",
        "La pasarela de SMS no respondió a tiempo", "The SMS gateway did not answer in time", "O gateway de SMS não respondeu a tempo";
}

impl SendFailure {
    fn stored_as(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.stored() == text)
    }
}

/// A stored reason as people read it: our own words in their language, those of a server or a program as they are.
pub fn failure_text(reason: &str, language: Language) -> String {
    if let Some(known) = SendFailure::stored_as(reason) {
        return known.text(language).to_owned();
    }
    if is_reply(reason) {
        return reply_text(reason, language);
    }
    let parts = reason.split_once(": ");
    let known = parts.and_then(|(ours, rest)| Some((SendFailure::stored_as(ours)?, rest)));
    let Some((known, rest)) = known else {
        return reason.to_owned();
    };
    let rest = if is_reply(rest) {
        reply_text(rest, language)
    } else {
        let label = match language {
            Language::Spanish => "Detalle técnico",
            Language::English => "Technical detail",
            Language::Portuguese => "Detalhe técnico",
        };
        format!("{label}: {rest}")
    };
    format!("{}. {rest}", known.text(language))
}

/// What a server answered, said to be its words.
pub fn reply_text(reply: &str, language: Language) -> String {
    let label = match language {
        Language::Spanish => "El servidor respondió",
        Language::English => "The server replied",
        Language::Portuguese => "O servidor respondeu",
    };
    format!("{label}: {reply}")
}

/// Whether these are a server's words: they begin with its status of three digits.
fn is_reply(text: &str) -> bool {
    let mut bytes = text.bytes();
    let status = bytes.by_ref().take(3).filter(u8::is_ascii_digit).count();
    status == 3 && bytes.next().is_none_or(|next| !next.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_words_are_in_the_language_and_those_of_a_server_are_said_to_be_its() {
        for (reason, spanish) in [
            (
                "the mail server does not answer in time",
                "El servidor de correo no respondió a tiempo",
            ),
            (
                "no SMS gateway is set: FIRMEZA_SMS_URL",
                "La instalación no tiene una pasarela de SMS",
            ),
            (
                "RCPT TO: 550 5.1.1 nobody here",
                "El envío falló al indicar el destinatario al servidor de correo. El servidor respondió: 550 5.1.1 nobody here",
            ),
            (
                "connecting: network error: reset",
                "Falló la conexión con el servidor de correo. Detalle técnico: network error: reset",
            ),
            (
                "503 Service Unavailable:",
                "El servidor respondió: 503 Service Unavailable:",
            ),
            ("(borrado)", "(borrado)"),
            ("5503 is none: at all", "5503 is none: at all"),
        ] {
            assert_eq!(failure_text(reason, Language::Spanish), spanish);
        }
        assert_eq!(
            failure_text("DATA: 554 no", Language::Portuguese),
            "O envio falhou ao começar a transmitir o e-mail. O servidor respondeu: 554 no"
        );
    }

    #[test]
    fn every_failure_is_told_in_every_language_and_is_found_by_what_is_stored() {
        for known in SendFailure::ALL {
            assert_eq!(SendFailure::stored_as(known.stored()), Some(*known));
            let texts = Language::ALL.map(|language| failure_text(known.stored(), language));
            assert!(
                texts
                    .iter()
                    .all(|text| text.chars().next().is_some_and(char::is_uppercase)),
                "{texts:?}"
            );
            assert!(
                texts[0] != texts[1] && texts[1] != texts[2] && texts[0] != texts[2],
                "{texts:?}"
            );
        }
    }
}
