//! Writes an email to a panel user.

use super::texts::AccountTexts;
use crate::outbox::compose::{Composed, plain_colour};
use crate::safe_text::{one_line, unlinked};
use crate::texts::{self, Texts};
use askama::Template;
use domain::limits::PASSWORD_LINK_LIFETIME;
use domain::mask::masked;
use store::LeasedAccountEmail;

/// What templates may show.
struct AccountEmailContext<'a> {
    /// The texts that all emails have.
    t: &'static Texts,
    own: AccountTexts,
    company: String,
    name: String,
    /// The folio, the signer and the masked contact of the message that the email is about.
    folio: String,
    signer: String,
    contact: String,
    link: &'a str,
    minutes: u64,
    colour: &'a str,
}

#[derive(Template)]
#[template(path = "account.html", ext = "html")]
struct AccountHtmlBody<'a> {
    it: &'a AccountEmailContext<'a>,
}

#[derive(Template)]
#[template(path = "account.txt", escape = "none")]
struct AccountTextBody<'a> {
    it: &'a AccountEmailContext<'a>,
}

impl AccountEmailContext<'_> {
    /// A text with its values.
    fn say(&self, text: &str) -> String {
        self.parts(text).into_iter().map(|(_, piece)| piece).collect()
    }

    /// The same in parts: whether each is stressed.
    fn parts(&self, text: &str) -> Vec<(bool, String)> {
        let minutes = self.minutes.to_string();
        let values = [
            ("company", self.company.as_str()),
            ("name", &self.name),
            ("folio", &self.folio),
            ("signer", &self.signer),
            ("contact", &self.contact),
            ("minutes", &minutes),
        ];
        texts::parts(text, &values)
    }
}

/// The email, with the link that it carries.
pub fn compose(email: &LeasedAccountEmail, link: &str) -> Composed {
    let own = AccountTexts::of(email.kind, email.language);
    let (folio, signer, contact) = match &email.about {
        Some(about) => (
            one_line(&about.folio_name),
            one_line(&about.signer_name),
            masked(about.channel, &about.recipient),
        ),
        None => (String::new(), String::new(), String::new()),
    };
    let company = one_line(&email.company);
    let subject = texts::plain(own.subject, &[("company", &company), ("signer", &signer)]);
    let it = &AccountEmailContext {
        t: Texts::of(email.language),
        own,
        company: unlinked(&company),
        name: unlinked(&one_line(&email.name)),
        folio: unlinked(&folio),
        signer: unlinked(&signer),
        contact: unlinked(&contact),
        link,
        minutes: PASSWORD_LINK_LIFETIME.as_secs() / 60,
        colour: plain_colour(email.colour.as_deref()),
    };
    Composed {
        subject,
        // Templates are checked when the program is built, and write to memory.
        text: AccountTextBody { it }.render().unwrap_or_default(),
        html: AccountHtmlBody { it }.render().unwrap_or_default(),
        attachments: Vec::new(),
    }
}
