//! Texts of messages. Values go into templates, which escape them; texts of strangers never become links or
//! markup.

use crate::safe_text::{gsm, is_gsm, lines, one_line, unlinked};
use crate::texts::{self, Texts};
use app::Links;
use app::messages::DocumentCopy;
use askama::Template as _;
use domain::event::hex;
use domain::{Channel, Language, SignatureType, Template, Timestamp};
use jiff::tz::TimeZone;
use store::{CompanyContact, LeasedMessage, SignedFolio};

/// A message ready to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    /// An email's subject; empty in a text message.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// An email's page; empty in a text message.
    pub html: String,
    /// What is attached to an email.
    pub attachments: Vec<DocumentCopy>,
}

/// What is known besides the message itself.
#[derive(Debug)]
pub struct Composer<'a> {
    /// Makes the signer's link.
    pub links: &'a Links,
    /// The opened code.
    pub code: Option<&'a str>,
    /// The zone in which a company without its own reads times.
    pub zone: &'a TimeZone,
    /// The signed documents that are attached.
    pub attachments: &'a [DocumentCopy],
}

/// A folio in the list of a message that is about several.
struct FolioLine {
    name: String,
    link: String,
    /// How many documents it has.
    documents: String,
    complete: bool,
    pending: bool,
    /// The end of its history.
    history: String,
    head: String,
}

/// What templates may show.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
struct MessageContext<'a> {
    /// The texts in the language of the message.
    t: &'static Texts,
    company: String,
    name: String,
    folio: String,
    documents: usize,
    /// How many documents a bulk signature has.
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
    /// Until when it can be signed; empty where there is no end.
    until: String,
    /// Whom to ask, line by line.
    contact: Vec<String>,
    /// When the recipient signed.
    signed: String,
    /// The names of the documents that the recipient signed.
    document_names: Vec<String>,
    /// The folios, where the message is about several.
    folios: Vec<FolioLine>,
    /// Whether all have signed all of it.
    complete: bool,
    /// Whether signatures are still to come.
    pending: bool,
    attached: bool,
}

impl MessageContext<'_> {
    /// A text with its values.
    fn say(&self, text: &str) -> String {
        self.parts(text).into_iter().map(|(_, piece)| piece).collect()
    }

    /// The same in parts: whether each is stressed.
    fn parts(&self, text: &str) -> Vec<(bool, String)> {
        let documents = self.bulk.unwrap_or(self.documents).to_string();
        let (minutes, events) = (self.minutes.to_string(), self.events.to_string());
        let values = [
            ("company", self.company.as_str()),
            ("name", &self.name),
            ("folio", &self.folio),
            ("documents", &documents),
            ("minutes", &minutes),
            ("events", &events),
            ("until", &self.until),
            ("signed", &self.signed),
        ];
        texts::parts(text, &values)
    }

    /// What is attached.
    fn attached_text(&self) -> &'static str {
        match (self.complete, self.documents) {
            (false, _) => self.t.attached_some,
            (true, 1) => self.t.attached_one,
            (true, _) => self.t.attached_many,
        }
    }
}

/// Characters of one text message.
const SMS_CHARACTERS: usize = 160;
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
    ($($email:ident, $html:literal, $text:literal;)*) => {
        $(
            mod $email {
                use super::MessageContext;

                #[derive(askama::Template)]
                #[template(path = $html, ext = "html")]
                pub(super) struct HtmlBody<'a> {
                    pub(super) it: &'a MessageContext<'a>,
                }

                #[derive(askama::Template)]
                #[template(path = $text, escape = "none")]
                pub(super) struct TextBody<'a> {
                    pub(super) it: &'a MessageContext<'a>,
                }
            }
        )*
    };
}

emails! {
    invitation, "invitation.html", "invitation.txt";
    reminder, "reminder.html", "reminder.txt";
    code, "code.html", "code.txt";
    cancelled, "cancelled.html", "cancelled.txt";
    rejected, "rejected.html", "rejected.txt";
    receipt, "receipt.html", "receipt.txt";
    completed, "completed.html", "completed.txt";
    contact_changed, "contact_changed.html", "contact_changed.txt";
    other_contact, "other_contact.html", "other_contact.txt";
}

impl Composer<'_> {
    /// The message; nothing where there is none of that kind for that channel.
    pub fn compose(&self, leased: &LeasedMessage) -> Option<Composed> {
        match (leased.channel, leased.template) {
            (Channel::Email, _) => Some(self.email(leased)),
            (Channel::Sms, template) => {
                let text = match template {
                    Template::Code => self.sms_code(leased),
                    Template::ContactChanged => {
                        sms_notice(leased, Texts::of(leased.language).sms_contact_changed)
                    }
                    Template::OtherContact => {
                        sms_notice(leased, Texts::of(leased.language).sms_other_contact)
                    }
                    _ => return None,
                };
                Some(Composed {
                    subject: String::new(),
                    text,
                    html: String::new(),
                    attachments: Vec::new(),
                })
            }
        }
    }

    fn email(&self, leased: &LeasedMessage) -> Composed {
        let it = &self.context(leased);
        macro_rules! email {
            ($email:ident) => {
                (
                    $email::HtmlBody { it }.render(),
                    $email::TextBody { it }.render(),
                )
            };
        }
        let (html, text) = match leased.template {
            Template::Invitation => email!(invitation),
            Template::Reminder => email!(reminder),
            Template::Code => email!(code),
            Template::Cancelled => email!(cancelled),
            Template::Rejected => email!(rejected),
            Template::Receipt => email!(receipt),
            Template::Completed => email!(completed),
            Template::ContactChanged => email!(contact_changed),
            Template::OtherContact => email!(other_contact),
        };
        Composed {
            subject: subject(leased),
            // Templates are checked when the program is built, and write to memory.
            text: text.unwrap_or_default(),
            html: html.unwrap_or_default(),
            attachments: self.attachments.to_vec(),
        }
    }

    fn context<'f>(&'f self, leased: &'f LeasedMessage) -> MessageContext<'f> {
        MessageContext {
            t: Texts::of(leased.language),
            company: unlinked(&one_line(&leased.company)),
            name: unlinked(&one_line(&leased.signer_name)),
            folio: unlinked(&one_line(&leased.folio_name)),
            documents: documents(leased),
            bulk: leased.bulk.map(|(_, documents)| documents),
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
            until: leased
                .expires_at
                .map_or_else(String::new, |at| date(leased.language, at, &self.zone_of(leased))),
            contact: contact(&leased.contact),
            signed: leased
                .about
                .first()
                .and_then(|own| own.signed_at)
                .map_or_else(String::new, |at| date(leased.language, at, &self.zone_of(leased))),
            document_names: leased
                .about
                .iter()
                .flat_map(|own| &own.documents)
                .map(|document| unlinked(&one_line(document.name.as_str())))
                .collect(),
            folios: match leased.about.as_slice() {
                [] | [_] => Vec::new(),
                several => several
                    .iter()
                    .map(|one| self.line(leased.language, one))
                    .collect(),
            },
            complete: leased.about.iter().all(|one| one.complete),
            pending: leased.about.iter().any(|one| one.pending),
            attached: !self.attachments.is_empty(),
        }
    }

    fn line(&self, language: Language, one: &SignedFolio) -> FolioLine {
        let own = Texts::of(language);
        let count = one.documents.len();
        let text = if count == 1 {
            own.folio_documents_one
        } else {
            own.folio_documents_many
        };
        let events = one.history.length.to_string();
        FolioLine {
            name: unlinked(&one_line(&one.name)),
            link: self.links.signer(one.folio, one.signer).into(),
            documents: texts::plain(text, &[("count", &count.to_string())]),
            complete: one.complete,
            pending: one.pending,
            history: texts::plain(own.history, &[("events", &events)]),
            head: hex(&one.history.hash),
        }
    }

    fn zone_of(&self, leased: &LeasedMessage) -> TimeZone {
        let own = leased.timezone.as_deref();
        own.and_then(|name| TimeZone::get(name).ok())
            .unwrap_or_else(|| self.zone.clone())
    }

    /// One text message in its plain alphabet. Its last line lets phones fill the code in, where it fits.
    fn sms_code(&self, leased: &LeasedMessage) -> String {
        let company = gsm(&leased.company);
        let company: String = company.chars().take(28).collect();
        let (code, own) = (self.code.unwrap_or_default(), Texts::of(leased.language));
        let text = match company.trim() {
            "" => own.sms_code,
            _ => own.sms_code_of_company,
        };
        let minutes = minutes(Channel::Sms).to_string();
        let values = [("code", code), ("company", company.trim()), ("minutes", &minutes)];
        let text = gsm(&texts::plain(text, &values));
        debug_assert!(text.chars().count() <= SMS_CHARACTERS && text.chars().all(is_gsm));
        // Phones offer the code to the page of this host alone: https://wicg.github.io/sms-one-time-codes/
        let bound = format!("{text}\n\n@{} #{code}", self.links.host());
        if bound.chars().count() <= SMS_CHARACTERS {
            bound
        } else {
            text
        }
    }
}

/// "2 de marzo de 2026 a las 9:30 a. m."
fn date(language: Language, at: Timestamp, zone: &TimeZone) -> String {
    let Ok(at) = jiff::Timestamp::from_microsecond(at.as_micros()) else {
        return String::new();
    };
    let at = at.to_zoned(zone.clone());
    let day = language.day(at.day(), at.month(), at.year());
    let time = language.clock(at.hour(), at.minute());
    // Plain text has plain blanks.
    language.day_at(&day, &time).replace('\u{a0}', " ")
}

/// One text message in its plain alphabet: what the company did.
fn sms_notice(leased: &LeasedMessage, what: &str) -> String {
    let company = gsm(&leased.company);
    let company: String = company.chars().take(32).collect();
    let name = match company.trim() {
        "" => Texts::of(leased.language).sms_a_company,
        name => name,
    };
    let text = gsm(&texts::plain(what, &[("company", name)]));
    debug_assert!(text.chars().count() <= SMS_CHARACTERS && text.chars().all(is_gsm));
    text
}

/// Whom to ask. An address or a number was checked when it was set: mail programs may make a link of it.
fn contact(contact: &CompanyContact) -> Vec<String> {
    let mut lines = vec![
        unlinked(&one_line(&contact.name)),
        one_line(&contact.email),
        one_line(&contact.phone),
    ];
    lines.retain(|line| !line.is_empty());
    lines
}

/// How many documents a message is about.
fn documents(leased: &LeasedMessage) -> usize {
    match leased.about.as_slice() {
        [] | [_] => leased.documents,
        several => several.iter().map(|one| one.documents.len()).sum(),
    }
}

fn minutes(channel: Channel) -> u64 {
    channel.code_lifetime().as_secs() / 60
}

/// Subjects show a stranger's words, on one line and not without end.
fn subject(leased: &LeasedMessage) -> String {
    let company = one_line(&leased.company);
    let folio = one_line(&leased.folio_name);
    let own = Texts::of(leased.language);
    let several = leased.about.len() > 1;
    let text = match leased.template {
        Template::Invitation => own.invitation_subject,
        Template::Reminder => own.reminder_subject,
        Template::Code => own.code_subject,
        Template::Cancelled => own.cancelled_subject,
        Template::Rejected => own.rejected_subject,
        Template::Receipt if several => own.receipt_subject_many,
        Template::Receipt => own.receipt_subject,
        Template::Completed if several => own.completed_subject_many,
        Template::Completed => own.completed_subject,
        Template::ContactChanged => own.contact_changed_title,
        Template::OtherContact => own.other_contact_subject,
    };
    let documents = documents(leased).to_string();
    let values = [
        ("company", company.as_str()),
        ("folio", &folio),
        ("documents", &documents),
    ];
    texts::plain(text, &values)
}
