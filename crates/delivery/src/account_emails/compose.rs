//! What emails to panel users say.

use crate::outbox::compose::{Composed, plain_colour};
use crate::safe_text::{one_line, unlinked};
use crate::texts::Texts;
use askama::Template;
use domain::limits::PASSWORD_LINK_LIFETIME;
use domain::{AccountEmailKind, Language};
use store::LeasedAccountEmail;

/// What templates may show.
struct AccountEmailContext<'a> {
    /// The texts that all emails have. The panel's users get theirs in Spanish.
    t: &'static Texts,
    company: String,
    name: String,
    link: &'a str,
    minutes: u64,
    colour: &'a str,
}

macro_rules! emails {
    ($($page:ident $plain:ident $html:literal $text:literal;)*) => {
        $(
            #[derive(Template)]
            #[template(path = $html, ext = "html")]
            struct $page<'a> {
                it: &'a AccountEmailContext<'a>,
            }

            #[derive(Template)]
            #[template(path = $text, escape = "none")]
            struct $plain<'a> {
                it: &'a AccountEmailContext<'a>,
            }
        )*
    };
}

emails! {
    FirstPage FirstPlain "first_password.html" "first_password.txt";
    ExistsPage ExistsPlain "account_exists.html" "account_exists.txt";
    NewPage NewPlain "new_password.html" "new_password.txt";
    ChangedPage ChangedPlain "password_changed.html" "password_changed.txt";
    OffPage OffPlain "second_factor_off.html" "second_factor_off.txt";
    RenewedPage RenewedPlain "recovery_codes_renewed.html" "recovery_codes_renewed.txt";
}

/// The email, with the link that it carries.
pub fn compose(email: &LeasedAccountEmail, link: &str) -> Composed {
    let it = &AccountEmailContext {
        t: Texts::of(Language::Spanish),
        company: unlinked(&one_line(&email.company)),
        name: unlinked(&one_line(&email.name)),
        link,
        minutes: PASSWORD_LINK_LIFETIME.as_secs() / 60,
        colour: plain_colour(email.colour.as_deref()),
    };
    let (html, text) = match email.kind {
        AccountEmailKind::FirstPassword => (FirstPage { it }.render(), FirstPlain { it }.render()),
        AccountEmailKind::AccountExists => (ExistsPage { it }.render(), ExistsPlain { it }.render()),
        AccountEmailKind::NewPassword => (NewPage { it }.render(), NewPlain { it }.render()),
        AccountEmailKind::PasswordChanged => (ChangedPage { it }.render(), ChangedPlain { it }.render()),
        AccountEmailKind::SecondFactorOff => (OffPage { it }.render(), OffPlain { it }.render()),
        AccountEmailKind::RecoveryCodesRenewed => (RenewedPage { it }.render(), RenewedPlain { it }.render()),
    };
    let company = one_line(&email.company);
    let subject = match email.kind {
        AccountEmailKind::FirstPassword => format!("Su acceso al panel de firmas de {company}"),
        AccountEmailKind::AccountExists => format!("{company} quiso darle acceso a su panel de firmas"),
        AccountEmailKind::NewPassword => "Elija una contraseña nueva".to_owned(),
        AccountEmailKind::PasswordChanged => "Su contraseña cambió".to_owned(),
        AccountEmailKind::SecondFactorOff => "Su verificación en dos pasos se desactivó".to_owned(),
        AccountEmailKind::RecoveryCodesRenewed => "Sus códigos de recuperación cambiaron".to_owned(),
    };
    Composed {
        subject,
        // Templates are checked when the program is built, and write to memory.
        text: text.unwrap_or_default(),
        html: html.unwrap_or_default(),
        attachments: Vec::new(),
    }
}
