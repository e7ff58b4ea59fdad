//! What emails to people of the panel say.

use crate::compose::{Composed, plain_colour};
use crate::words::{one_line, unlinked};
use askama::Template;
use domain::LetterKind;
use domain::limits::PASSWORD_LINK_LIFETIME;
use store::AccountEmailRow;

/// What templates may show.
struct Facts<'a> {
    company: String,
    name: String,
    link: &'a str,
    minutes: u64,
    colour: &'a str,
}

macro_rules! letters {
    ($($page:ident $plain:ident $html:literal $text:literal;)*) => {
        $(
            #[derive(Template)]
            #[template(path = $html, ext = "html")]
            struct $page<'a> {
                it: &'a Facts<'a>,
            }

            #[derive(Template)]
            #[template(path = $text, escape = "none")]
            struct $plain<'a> {
                it: &'a Facts<'a>,
            }
        )*
    };
}

letters! {
    FirstPage FirstPlain "first_password.html" "first_password.txt";
    ExistsPage ExistsPlain "account_exists.html" "account_exists.txt";
    NewPage NewPlain "new_password.html" "new_password.txt";
    ChangedPage ChangedPlain "password_changed.html" "password_changed.txt";
    OffPage OffPlain "second_factor_off.html" "second_factor_off.txt";
    RenewedPage RenewedPlain "recovery_codes_renewed.html" "recovery_codes_renewed.txt";
}

/// The email, with the link that it carries.
pub fn compose(letter: &AccountEmailRow, link: &str) -> Composed {
    let it = &Facts {
        company: unlinked(&one_line(&letter.company)),
        name: unlinked(&one_line(&letter.name)),
        link,
        minutes: PASSWORD_LINK_LIFETIME.as_secs() / 60,
        colour: plain_colour(letter.colour.as_deref()),
    };
    let (html, text) = match letter.kind {
        LetterKind::FirstPassword => (FirstPage { it }.render(), FirstPlain { it }.render()),
        LetterKind::AccountExists => (ExistsPage { it }.render(), ExistsPlain { it }.render()),
        LetterKind::NewPassword => (NewPage { it }.render(), NewPlain { it }.render()),
        LetterKind::PasswordChanged => (ChangedPage { it }.render(), ChangedPlain { it }.render()),
        LetterKind::SecondFactorOff => (OffPage { it }.render(), OffPlain { it }.render()),
        LetterKind::RecoveryCodesRenewed => (RenewedPage { it }.render(), RenewedPlain { it }.render()),
    };
    let company = one_line(&letter.company);
    let subject = match letter.kind {
        LetterKind::FirstPassword => format!("Su acceso al panel de firmas de {company}"),
        LetterKind::AccountExists => format!("{company} quiso darle acceso a su panel de firmas"),
        LetterKind::NewPassword => "Elija una contraseña nueva".to_owned(),
        LetterKind::PasswordChanged => "Su contraseña cambió".to_owned(),
        LetterKind::SecondFactorOff => "Su verificación en dos pasos quedó inactiva".to_owned(),
        LetterKind::RecoveryCodesRenewed => "Sus códigos de recuperación cambiaron".to_owned(),
    };
    Composed {
        subject,
        // Templates are checked when the program is built, and write to memory.
        text: text.unwrap_or_default(),
        html: html.unwrap_or_default(),
    }
}
