//! The switch of languages: a form on every page for signers and for those who verify a document. The choice is kept in a
//! cookie, which ends with the browser.

use super::cookies::{Connection, host_bound_name, read_cookie, set_embeddable};
use super::form::signer_page_of;
use super::headers::Embedding;
use super::lang::Lang;
use axum::http::Method;
use axum::http::header::HeaderMap;
use axum::http::request::Parts;
use domain::Language;

const COOKIE: &str = "firmeza_language";

/// Where the form of the switch returns to.
#[derive(Debug, Clone)]
pub(crate) struct LanguageSwitch {
    /// The path and query of the page.
    pub(crate) back: String,
}

impl LanguageSwitch {
    /// For the page of this request; for a form, the page that has it.
    pub(crate) fn of(parts: &Parts) -> Self {
        let path = parts.uri.path();
        let back = if parts.method == Method::POST && !path.starts_with("/verify") {
            signer_page_of(path)
        } else {
            parts.uri.path_and_query().map_or(path, |whole| whole.as_str())
        };
        // The page that refuses a choice is at an address of its own.
        let back = if has_switch(back) { back } else { "/verify" };
        Self {
            back: back.to_owned(),
        }
    }
}

/// Whether that is a page with the switch: only to these does the form return.
pub(crate) fn has_switch(back: &str) -> bool {
    let path = back.split(['?', '#']).next().unwrap_or_default();
    let below = |root: &str| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    path == "/" || below("/sign") || below("/verify")
}

/// The language that was chosen in this browser.
pub(crate) fn read_choice(headers: &HeaderMap, connection: Connection) -> Option<Lang> {
    let code = read_cookie(headers, &host_bound_name(COOKIE, connection.is_https()))?;
    code.parse::<Language>().ok().map(Lang::from)
}

/// Keeps the choice until the browser ends.
pub(crate) fn keep_choice(
    headers: &mut HeaderMap,
    choice: Lang,
    connection: Connection,
    embedding: &Embedding,
) {
    set_embeddable(headers, COOKIE, choice.code(), None, connection, embedding);
}

#[cfg(test)]
mod tests {
    use super::has_switch;

    #[test]
    fn the_form_returns_to_pages_with_the_switch_only() {
        for back in [
            "/",
            "/sign?f=a",
            "/sign",
            "/sign/ab-0?step=code",
            "/verify",
            "/verify/ab",
        ] {
            assert!(has_switch(back), "{back}");
        }
        for back in [
            "",
            "//sign",
            "/signal",
            "/panel",
            "https://a.example/sign",
            "/verify.evil",
        ] {
            assert!(!has_switch(back), "{back}");
        }
    }
}
