//! What happened to a folio, in words for its company's people.

use crate::page::PanelLang;
use app::messages::{failure_text, reply_text};
use domain::{Folio, SignerIndex, Template};
use serde_json::Value;

/// The text of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventText {
    /// What happened.
    pub(crate) what: String,
    /// Who did it and from where, where that is known.
    pub(crate) who: String,
    /// Further details.
    pub(crate) details: Vec<String>,
}

impl PanelLang {
    /// Why a message did not leave.
    pub(crate) fn failure(self, reason: &str) -> String {
        failure_text(reason, self.language())
    }

    /// An event of a folio's history, from its text.
    pub(crate) fn event(self, body: &Value, folio: &Folio) -> EventText {
        let (what, details) = self.happening(body, folio);
        EventText {
            what,
            who: self.origin(body, folio),
            details,
        }
    }

    fn origin(self, body: &Value, folio: &Folio) -> String {
        let text = |key: &str| body[key].as_str().unwrap_or_default();
        let who = match (self, text("who")) {
            (Self::Es, "integration") => "Su sistema, por la API".to_owned(),
            (Self::En, "integration") => "Your system, by the API".to_owned(),
            (_, "user") => text("email").to_owned(),
            (_, "signer") => name(body, folio),
            (Self::Es, _) => "El servicio".to_owned(),
            (Self::En, _) => "The service".to_owned(),
        };
        match text("address") {
            "" => who,
            address => format!("{who} · IP {address}"),
        }
    }

    /// The documents that were repaired when they came in.
    fn repairs(self, body: &Value, folio: &Folio) -> Vec<String> {
        let name = |id: &Value| document_name(id, folio).unwrap_or("PDF");
        let repairs = body["repaired"].as_array().into_iter().flatten();
        let line = |repair: &Value| {
            let (name, sent) = (
                name(&repair["document"]),
                repair["sent"].as_str().unwrap_or_default(),
            );
            let done = match (self, repair["repair"].as_str()) {
                (Self::Es, Some("actions")) => "se le quitaron acciones y programas",
                (Self::En, Some("actions")) => "actions and scripts were left out",
                (Self::Es, Some("hidden")) => "se le quitó contenido que no se ve en sus páginas",
                (Self::En, Some("hidden")) => "content that its pages do not show was left out",
                (Self::Es, _) => "se corrigió su estructura",
                (Self::En, _) => "its structure was put right",
            };
            match self {
                Self::Es => {
                    format!("«{name}» se reparó al recibirlo: {done}. SHA-256 del archivo enviado: {sent}")
                }
                Self::En => {
                    format!("“{name}” was repaired when it came in: {done}. SHA-256 of the file sent: {sent}")
                }
            }
        };
        repairs.map(line).collect()
    }

    #[expect(clippy::too_many_lines, reason = "each kind of event has a sentence")]
    fn happening(self, body: &Value, folio: &Folio) -> (String, Vec<String>) {
        let text = |key: &str| body[key].as_str().unwrap_or_default();
        let name = name(body, folio);
        let es = self == Self::Es;
        let plain = |spanish: &str, english: &str| {
            let words = if es { spanish } else { english };
            (words.to_owned(), Vec::new())
        };
        let about = |spanish: &str, english: &str| {
            let words = if es { spanish } else { english };
            (words.replace("{}", &name), Vec::new())
        };
        let hash = |key: &str| vec![format!("SHA-256 {}", text(key))];
        // A provider of email need not say why.
        let reason = Some(text("reason")).filter(|reason| !reason.is_empty());
        match text("what") {
            "created" => {
                let (what, _) = plain("Se creó el folio", "The folio was created");
                (what, self.repairs(body, folio))
            }
            "resent" => self.resent(body, &name),
            "downloaded" => {
                let (what, _) = plain("Se descargó un documento", "A document was downloaded");
                (what, hash("sha256"))
            }
            "evidence_downloaded" => {
                let (what, _) = plain("Se descargó la constancia", "The evidence was downloaded");
                (what, hash("sha256"))
            }
            "code_sent" => {
                let (what, _) = about("Se generó un código para {}", "A code was made for {}");
                (format!("{what}: {}", text("recipient")), Vec::new())
            }
            "code_refused" => {
                let left = &body["tries_left"];
                let (what, _) = about("{} ingresó un código incorrecto", "{} entered a wrong code");
                let rest = match (es, left.as_i64()) {
                    (true, Some(1)) => "Le quedaba 1 intento.".to_owned(),
                    (false, Some(1)) => "1 try was left.".to_owned(),
                    (true, _) => format!("Le quedaban {left} intentos."),
                    (false, _) => format!("{left} tries were left."),
                };
                (what, vec![rest])
            }
            "identified" => about("{} se identificó", "{} identified themselves"),
            "opened" => {
                let (what, _) = about("{} abrió un documento", "{} opened a document");
                (what, which(body, folio).map(str::to_owned).into_iter().collect())
            }
            "end_reached" => {
                let (what, _) = about(
                    "{} llegó a la última página de un documento",
                    "{} reached the last page of a document",
                );
                (what, which(body, folio).map(str::to_owned).into_iter().collect())
            }
            "accepted" => about(
                "{} aceptó firmar electrónicamente",
                "{} agreed to sign electronically",
            ),
            "freed" => about(
                "Se permitió a {} pedir códigos otra vez",
                "{} was allowed to ask for codes again",
            ),
            "signed" => about("{} firmó", "{} signed"),
            "delivered" => {
                let (what, _) = match (text("channel"), body["reply"].is_string()) {
                    ("sms", true) => about(
                        "Se entregó a la pasarela de SMS para {}",
                        "Handed over to the SMS gateway for {}",
                    ),
                    (_, true) => about(
                        "Se entregó al servidor de correo para {}",
                        "Handed over to the mail server for {}",
                    ),
                    // Into the built-in mailbox.
                    _ => about("Se envió a {}", "Sent to {}"),
                };
                let message = self.message_of(body);
                let reply = body["reply"].as_str();
                let reply = reply.map(|reply| reply_text(reply, self.language()));
                (
                    format!("{what} ({}): {message}", text("recipient")),
                    reply.into_iter().collect(),
                )
            }
            "undelivered" => {
                let (what, _) = about("No se pudo entregar a {}", "Could not be delivered to {}");
                let message = self.message_of(body);
                (
                    format!("{what} ({}): {message}", text("recipient")),
                    vec![self.failure(text("reason"))],
                )
            }
            "bounced" => {
                let (what, _) = about(
                    "El servidor de correo informó que un mensaje para {} no llegó",
                    "The mail server reported that a message for {} did not arrive",
                );
                let reply = reason.map(|reply| reply_text(reply, self.language()));
                (
                    format!("{what}: {}", text("recipient")),
                    reply.into_iter().collect(),
                )
            }
            "complained" => {
                let (what, _) = about(
                    "El proveedor de correo informó que {} marcó un mensaje como no deseado",
                    "The mail provider reported that {} marked a message as unwanted",
                );
                (
                    format!("{what}: {}", text("recipient")),
                    reason.map(str::to_owned).into_iter().collect(),
                )
            }
            "extended" => plain(
                "Los documentos recibieron estampas de tiempo",
                "The documents were given timestamps",
            ),
            "rejected" => {
                let (what, _) = about("{} rechazó el folio", "{} rejected the folio");
                (what, vec![text("reason").to_owned()])
            }
            "completed" => plain("Todos firmaron", "Everybody has signed"),
            "cancelled" => {
                let (what, _) = plain("Se anuló el folio", "The folio was cancelled");
                (what, vec![text("observation").to_owned()])
            }
            "approved" => {
                let (what, _) = plain("Se aprobó el folio", "The folio was approved");
                (what, hashes(body))
            }
            "disapproved" => {
                let (what, _) = plain("La empresa rechazó el folio", "The company rejected the folio");
                let mut details = vec![text("observation").to_owned()];
                details.extend(hashes(body));
                (what, details)
            }
            "dropped" => plain("Se retiró el folio", "The folio was dropped"),
            what @ ("erased" | "hold_placed" | "hold_lifted") => self.erasure(what, body),
            "corrected" => self.corrected(body, &name),
            "bulk_started" => self.bulk_started(body, &name),
            other => (other.to_owned(), Vec::new()),
        }
    }

    /// What the message of an event is about.
    fn message_of(self, body: &Value) -> &'static str {
        let template = match body["template"].as_str().unwrap_or_default() {
            "invitation" => Template::Invitation,
            "reminder" => Template::Reminder,
            "cancelled" => Template::Cancelled,
            "rejected" => Template::Rejected,
            "receipt" => Template::Receipt,
            "completed" => Template::Completed,
            "contact_changed" => Template::ContactChanged,
            "other_contact" => Template::OtherContact,
            "code" => Template::Code,
            _ if self == Self::Es => return "mensaje",
            _ => return "message",
        };
        self.message_about(template)
    }

    /// An event as a step of its signer, with the icon of its state; nothing for events that are none.
    pub(crate) fn step(self, body: &Value, folio: &Folio) -> Option<(String, &'static str)> {
        let es = self == Self::Es;
        let which = which(body, folio);
        let plain = |spanish: &str, english: &str, kind| {
            let words = if es { spanish } else { english };
            Some((words.to_owned(), kind))
        };
        match body["what"].as_str().unwrap_or_default() {
            "delivered" => Some((self.message_of(body).to_owned(), "over")),
            "undelivered" if es => Some((format!("No se pudo entregar: {}", self.message_of(body)), "bad")),
            "undelivered" => Some((
                format!("Could not be delivered: {}", self.message_of(body)),
                "bad",
            )),
            "bounced" => Some((self.folio_bounced().to_owned(), "bad")),
            "complained" => Some((self.folio_complained().to_owned(), "bad")),
            "identified" => plain("Se identificó", "Identified themselves", "good"),
            "opened" => match which {
                Some(name) if es => Some((format!("Abrió «{name}»"), "good")),
                Some(name) => Some((format!("Opened “{name}”"), "good")),
                None => plain("Abrió el documento", "Opened the document", "good"),
            },
            "end_reached" => match which {
                Some(name) if es => Some((format!("Llegó a la última página de «{name}»"), "good")),
                Some(name) => Some((format!("Reached the last page of “{name}”"), "good")),
                None => plain("Llegó a la última página", "Reached the last page", "good"),
            },
            "accepted" => plain(
                "Aceptó firmar electrónicamente",
                "Agreed to sign electronically",
                "good",
            ),
            "code_refused" => plain("Ingresó un código incorrecto", "Entered a wrong code", "bad"),
            "signed" => plain("Firmó", "Signed", "good"),
            "rejected" => plain("Rechazó", "Rejected", "bad"),
            _ => None,
        }
    }

    fn erasure(self, what: &str, body: &Value) -> (String, Vec<String>) {
        let (spanish, english) = match what {
            "erased" => (
                "Se borraron los documentos y los datos personales",
                "Documents and personal data were erased",
            ),
            "hold_placed" => (
                "Se puso el folio en retención legal",
                "The folio was placed under legal hold",
            ),
            _ => ("Se levantó la retención legal", "The legal hold was lifted"),
        };
        let what = if self == Self::Es { spanish } else { english };
        let reason = body["reason"].as_str().map(str::to_owned);
        (what.to_owned(), reason.into_iter().collect())
    }

    fn corrected(self, body: &Value, name: &str) -> (String, Vec<String>) {
        let fields = ["name", "document_number", "email", "mobile"];
        let changed = fields.into_iter().filter_map(|field| {
            let (before, now) = (body["before"][field].as_str()?, body["now"][field].as_str()?);
            (before != now).then(|| match self {
                Self::Es => format!("Antes: {before}, ahora: {now}"),
                Self::En => format!("Before: {before}, now: {now}"),
            })
        });
        let what = match self {
            Self::Es => format!("Se corrigieron los datos de {name}"),
            Self::En => format!("The data of {name} were corrected"),
        };
        (what, changed.collect())
    }

    fn bulk_started(self, body: &Value, name: &str) -> (String, Vec<String>) {
        let ways = ["email", "mobile"].into_iter();
        let other = ways.filter_map(|way| {
            let to = body["contact"][way].as_str()?;
            Some(match self {
                Self::Es => format!("Con otro contacto: {to}"),
                Self::En => format!("With another contact: {to}"),
            })
        });
        let what = match self {
            Self::Es => format!("Se inició una firma masiva para {name}"),
            Self::En => format!("A bulk signature was started for {name}"),
        };
        (what, other.collect())
    }

    fn resent(self, body: &Value, name: &str) -> (String, Vec<String>) {
        let to = body["contact"]["email"].as_str().unwrap_or_default();
        let changed = ["email", "mobile"].into_iter().filter_map(|way| {
            let (before, now) = (body["before"][way].as_str()?, body["contact"][way].as_str()?);
            (before != now).then(|| match self {
                Self::Es => format!("Antes: {before}, ahora: {now}"),
                Self::En => format!("Before: {before}, now: {now}"),
            })
        });
        let what = match self {
            Self::Es => format!("Se reenvió la invitación a {name}: {to}"),
            Self::En => format!("{name} was written to again: {to}"),
        };
        (what, changed.collect())
    }
}

fn name(body: &Value, folio: &Folio) -> String {
    let signer_index = body["signer"]
        .as_u64()
        .and_then(|index| usize::try_from(index).ok())
        .map(SignerIndex);
    let signer = signer_index.and_then(|index| folio.signer(index));
    signer.map_or_else(String::new, |signer| signer.name.as_str().to_owned())
}

/// The name of the document with that identifier; one of an erased folio has none.
fn document_name<'f>(id: &Value, folio: &'f Folio) -> Option<&'f str> {
    let id = id.as_str()?;
    let found = folio
        .documents
        .iter()
        .find(|document| document.id.to_string() == id)?;
    Some(found.name.as_str()).filter(|name| !name.is_empty())
}

/// Which document an event is about, where there are several.
fn which<'f>(body: &Value, folio: &'f Folio) -> Option<&'f str> {
    document_name(&body["document"], folio).filter(|_| folio.documents.len() > 1)
}

fn hashes(body: &Value) -> Vec<String> {
    let documents = body["documents"].as_array().into_iter().flatten();
    documents
        .filter_map(|document| Some(format!("SHA-256 {}", document["sha256"].as_str()?)))
        .collect()
}
