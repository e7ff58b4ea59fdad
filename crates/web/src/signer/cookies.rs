//! The session's cookie: one for each party; and one for a browser that has yet to say which signer it is. Over https
//! their names begin with `__Host-`, so that browsers take them from this host alone, and only for the whole of it.

use crate::page::{Embedding, cookie};
use app::SigningParty;
use axum::http::header::{HeaderMap, HeaderValue};
use domain::VisitorId;
use domain::limits::{SESSION_IDLE, SESSION_LIFETIME};

/// Hexadecimal digits of the identifier in a cookie's name: enough to be unique in one browser.
const NAME_DIGITS: usize = 12;

fn name(party: SigningParty, https: bool) -> String {
    let text = match party {
        SigningParty::Signer {
            folio,
            signer_index: place,
        } => (folio.to_string(), place.to_string()),
        SigningParty::Bulk(bulk) => (bulk.to_string(), "b".to_owned()),
    };
    format!("{}firmeza_{}_{}", prefix(https), &text.0[..NAME_DIGITS], text.1)
}

fn visitor_name(https: bool) -> String {
    format!("{}firmeza_visitor", prefix(https))
}

const fn prefix(https: bool) -> &'static str {
    if https { "__Host-" } else { "" }
}

/// The visitor identifier of the browser, if it has one.
pub(crate) fn read_visitor(headers: &HeaderMap, https: bool) -> Option<VisitorId> {
    cookie(headers, &visitor_name(https))?.parse().ok()
}

/// Sets the visitor cookie.
pub(crate) fn set_visitor(visitor: VisitorId, https: bool, embedding: &Embedding) -> Option<HeaderValue> {
    let age = SESSION_LIFETIME.as_secs();
    cookie_line(&visitor_name(https), &visitor.to_string(), age, https, embedding)
}

/// The session that the browser sent for this party.
pub(crate) fn read(headers: &HeaderMap, party: SigningParty, https: bool) -> Option<String> {
    cookie(headers, &name(party, https)).map(str::to_owned)
}

/// Sets the session cookie.
pub(crate) fn set(
    party: SigningParty,
    token: &str,
    https: bool,
    embedding: &Embedding,
) -> Option<HeaderValue> {
    cookie_line(
        &name(party, https),
        token,
        SESSION_IDLE.as_secs(),
        https,
        embedding,
    )
}

/// Removes the session cookie.
pub(crate) fn remove(party: SigningParty, https: bool, embedding: &Embedding) -> Option<HeaderValue> {
    cookie_line(&name(party, https), "", 0, https, embedding)
}

fn cookie_line(name: &str, value: &str, age: u64, https: bool, embedding: &Embedding) -> Option<HeaderValue> {
    let attributes = match (https, embedding.is_allowed()) {
        (true, true) => "SameSite=None; Secure; Partitioned",
        (true, false) => "SameSite=Lax; Secure",
        (false, _) => "SameSite=Lax",
    };
    HeaderValue::from_str(&format!(
        "{name}={value}; Path=/; HttpOnly; Max-Age={age}; {attributes}"
    ))
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::COOKIE;
    use domain::FolioId;

    #[test]
    fn each_holder_has_a_cookie_of_its_own() {
        let party = |place| SigningParty::Signer {
            folio: FolioId::from_bytes([0xab; 16]),
            signer_index: place,
        };
        let embedding = Embedding::of("https://portal.example");
        let header = set(party(1), "token", true, &embedding).unwrap();
        assert_eq!(
            header.to_str().unwrap(),
            "__Host-firmeza_abababababab_1=token; Path=/; HttpOnly; Max-Age=900; SameSite=None; Secure; Partitioned"
        );
        let plain = set(party(1), "token", false, &Embedding::default()).unwrap();
        assert_eq!(
            plain.to_str().unwrap(),
            "firmeza_abababababab_1=token; Path=/; HttpOnly; Max-Age=900; SameSite=Lax"
        );
        let mut headers = HeaderMap::new();
        let sent = "x=1; __Host-firmeza_abababababab_1=token; y=2";
        headers.append(COOKIE, sent.parse().unwrap());
        assert_eq!(read(&headers, party(1), true).as_deref(), Some("token"));
        assert_eq!(read(&headers, party(2), true), None);
        assert_eq!(read(&headers, party(1), false), None);
    }
}
