//! Texts of messages. Values go into templates, which escape them; texts of strangers never become links or
//! markup.

use crate::safe_text::{gsm, is_gsm, lines, one_line, unlinked};
use app::Links;
use askama::Template as _;
use domain::event::hex;
use domain::{Channel, SignatureType, Template};
use store::LeasedMessage;

/// A message ready to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    /// An email's subject; empty in a text message.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// An email's page; empty in a text message.
    pub html: String,
}

/// What is known besides the message itself.
#[derive(Debug)]
pub struct Composer<'a> {
    /// Makes the signer's link.
    pub links: &'a Links,
    /// The opened code.
    pub code: Option<&'a str>,
}

/// What templates may show.
struct MessageContext<'a> {
    company: String,
    name: String,
    folio: String,
    documents: usize,
    bulk: Option<usize>,
    message: Vec<String>,
    observation: Vec<String>,
    /// How the code for the signature travels.
    by_sms: bool,
    link: String,
    code: &'a str,
    minutes: u64,
    colour: &'a str,
    /// How many events the folio's history has, and the hash of the last: a history that is rewritten later is refuted by
    /// what signers hold.
    events: i64,
    head: String,
}

/// The colour of companies that chose none.
pub(crate) const COLOUR: &str = "#0b5563";

/// A company's colour, if the text is a colour: it goes into the style of an email unescaped.
pub(crate) fn plain_colour(colour: Option<&str>) -> &str {
    let fits = |text: &&str| {
        let digits = text.strip_prefix('#').unwrap_or_default();
        digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    colour.filter(fits).unwrap_or(COLOUR)
}

macro_rules! emails {
    ($($email:ident, $name:literal;)*) => {
        $(
            mod $email {
                use super::MessageContext;

                #[derive(askama::Template)]
                #[template(path = $name, ext = "html")]
                pub(super) struct Page<'a> {
                    pub(super) it: &'a MessageContext<'a>,
                }
            }
        )*
    };
}

emails! {
    invitation, "invitation.html";
    reminder, "reminder.html";
    code, "code.html";
    cancelled, "cancelled.html";
    rejected, "rejected.html";
    completed, "completed.html";
    contact_changed, "contact_changed.html";
    other_contact, "other_contact.html";
}

macro_rules! texts {
    ($($email:ident, $name:literal;)*) => {
        $(
            mod $email {
                use super::MessageContext;

                #[derive(askama::Template)]
                #[template(path = $name, escape = "none")]
                pub(super) struct Plain<'a> {
                    pub(super) it: &'a MessageContext<'a>,
                }
            }
        )*
    };
}

texts! {
    invitation_text, "invitation.txt";
    reminder_text, "reminder.txt";
    code_text, "code.txt";
    cancelled_text, "cancelled.txt";
    rejected_text, "rejected.txt";
    completed_text, "completed.txt";
    contact_changed_text, "contact_changed.txt";
    other_contact_text, "other_contact.txt";
}

impl Composer<'_> {
    /// The message; nothing where there is none of that kind for that channel.
    pub fn compose(&self, leased: &LeasedMessage) -> Option<Composed> {
        match (leased.channel, leased.template) {
            (Channel::Email, _) => Some(self.email(leased)),
            (Channel::Sms, template) => {
                let text = match template {
                    Template::Code => self.sms_code(leased),
                    Template::ContactChanged => sms_notice(
                        leased,
                        "cambió el celular de un proceso de firma que usaba este. Si le parece extraño, comuníquese con la empresa.",
                    ),
                    Template::OtherContact => sms_notice(
                        leased,
                        "inició una firma con otro contacto en lugar de este. Si no lo esperaba, comuníquese con la empresa.",
                    ),
                    _ => return None,
                };
                Some(Composed {
                    subject: String::new(),
                    text,
                    html: String::new(),
                })
            }
        }
    }

    fn email(&self, leased: &LeasedMessage) -> Composed {
        let it = &self.context(leased);
        macro_rules! email {
            ($page:ident, $plain:ident) => {
                ($page::Page { it }.render(), $plain::Plain { it }.render())
            };
        }
        let (html, text) = match leased.template {
            Template::Invitation => email!(invitation, invitation_text),
            Template::Reminder => email!(reminder, reminder_text),
            Template::Code => email!(code, code_text),
            Template::Cancelled => email!(cancelled, cancelled_text),
            Template::Rejected => email!(rejected, rejected_text),
            Template::Completed => email!(completed, completed_text),
            Template::ContactChanged => email!(contact_changed, contact_changed_text),
            Template::OtherContact => email!(other_contact, other_contact_text),
        };
        Composed {
            subject: subject(leased),
            // Templates are checked when the program is built, and write to memory.
            text: text.unwrap_or_default(),
            html: html.unwrap_or_default(),
        }
    }

    fn context<'f>(&'f self, leased: &'f LeasedMessage) -> MessageContext<'f> {
        MessageContext {
            company: unlinked(&one_line(&leased.company)),
            name: unlinked(&one_line(&leased.signer_name)),
            folio: unlinked(&one_line(&leased.folio_name)),
            documents: leased.documents,
            bulk: leased.bulk.map(|(_, folios)| folios),
            message: lines(&leased.folio_message),
            // Why a signer rejected is for the company alone.
            observation: match leased.template {
                Template::Cancelled => lines(leased.observation.as_deref().unwrap_or_default()),
                _ => Vec::new(),
            },
            by_sms: leased.signature_type == SignatureType::SmsCode,
            link: self.links.signer(leased.folio, leased.signer).into(),
            code: self.code.unwrap_or_default(),
            minutes: minutes(leased.channel),
            colour: plain_colour(leased.colour.as_deref()),
            events: leased.history.length,
            head: hex(&leased.history.hash),
        }
    }

    /// One text message of 160 characters, in their plain alphabet.
    fn sms_code(&self, leased: &LeasedMessage) -> String {
        let company = gsm(&leased.company);
        let company: String = company.chars().take(40).collect();
        let from = match company.trim() {
            "" => String::new(),
            name => format!(" con {name}"),
        };
        let text = format!(
            "{} es su clave{from}. Sirve {} minutos. Nunca la comparta con nadie.",
            self.code.unwrap_or_default(),
            minutes(Channel::Sms),
        );
        debug_assert!(text.chars().count() <= 160 && text.chars().all(is_gsm));
        text
    }
}

/// One text message of 160 characters, in their plain alphabet: what the company did.
fn sms_notice(leased: &LeasedMessage, what: &str) -> String {
    let company = gsm(&leased.company);
    let company: String = company.chars().take(32).collect();
    let name = match company.trim() {
        "" => "Una empresa",
        name => name,
    };
    let text = gsm(&format!("{name} {what}"));
    debug_assert!(text.chars().count() <= 160 && text.chars().all(is_gsm));
    text
}

fn minutes(channel: Channel) -> u64 {
    channel.code_lifetime().as_secs() / 60
}

/// Subjects show a stranger's words, on one line and not without end.
fn subject(leased: &LeasedMessage) -> String {
    let company = one_line(&leased.company);
    let folio = one_line(&leased.folio_name);
    match leased.template {
        Template::Invitation => format!("{company} le pide su firma: {folio}"),
        Template::Reminder => format!("Recordatorio: {company} espera su firma: {folio}"),
        Template::Code => format!("Su código para los documentos de {company}"),
        Template::Cancelled => format!("Ya no necesita firmar: {folio}"),
        Template::Rejected => format!("Un firmante rechazó: {folio}"),
        Template::Completed => format!("Todos firmaron: {folio}"),
        Template::ContactChanged => "Cambio de una dirección de correo".to_owned(),
        Template::OtherContact => format!("{company} inició una firma con otro contacto"),
    }
}
