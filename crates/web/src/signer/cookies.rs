//! The session's cookie: one for each party; and one for a browser that has yet to say which signer it is.

use crate::page::{Connection, Embedding, host_bound_name, read_cookie, set_embeddable};
use app::SigningParty;
use axum::http::header::HeaderMap;
use domain::VisitorId;
use domain::limits::SESSION_LIFETIME;
use std::time::Duration;

/// Hexadecimal digits of the identifier in a cookie's name: enough to be unique in one browser.
const NAME_DIGITS: usize = 12;
const VISITOR: &str = "firmeza_visitor";

fn name(party: SigningParty) -> String {
    let (id, place) = match party {
        SigningParty::Signer { folio, signer_index } => (folio.to_string(), signer_index.to_string()),
        SigningParty::Bulk(bulk) => (bulk.to_string(), "b".to_owned()),
    };
    format!("firmeza_{}_{place}", &id[..NAME_DIGITS])
}

/// The visitor identifier of the browser, if it has one.
pub(crate) fn read_visitor(headers: &HeaderMap, connection: Connection) -> Option<VisitorId> {
    read_cookie(headers, &host_bound_name(VISITOR, connection.is_https()))?
        .parse()
        .ok()
}

/// Sets the visitor cookie.
pub(crate) fn set_visitor(
    headers: &mut HeaderMap,
    visitor: VisitorId,
    connection: Connection,
    embedding: &Embedding,
) {
    let value = visitor.to_string();
    set_embeddable(
        headers,
        VISITOR,
        &value,
        Some(SESSION_LIFETIME),
        connection,
        embedding,
    );
}

/// The session that the browser sent for this party.
pub(crate) fn read(headers: &HeaderMap, party: SigningParty, connection: Connection) -> Option<String> {
    read_cookie(headers, &host_bound_name(&name(party), connection.is_https())).map(str::to_owned)
}

/// Sets the session cookie. It outlasts the session, which ends after some minutes without use: by it the browser may begin
/// anew.
pub(crate) fn set(
    headers: &mut HeaderMap,
    party: SigningParty,
    token: &str,
    connection: Connection,
    embedding: &Embedding,
) {
    set_embeddable(
        headers,
        &name(party),
        token,
        Some(SESSION_LIFETIME),
        connection,
        embedding,
    );
}

/// Removes the session cookie.
pub(crate) fn remove(
    headers: &mut HeaderMap,
    party: SigningParty,
    connection: Connection,
    embedding: &Embedding,
) {
    set_embeddable(
        headers,
        &name(party),
        "",
        Some(Duration::ZERO),
        connection,
        embedding,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::{COOKIE, SET_COOKIE};
    use domain::{FolioId, SignerIndex};

    #[test]
    fn each_holder_has_a_cookie_of_its_own() {
        let party = |place| SigningParty::Signer {
            folio: FolioId::from_bytes([0xab; 16]),
            signer_index: SignerIndex(place),
        };
        let embedding = Embedding::of("https://portal.example");
        let mut response = HeaderMap::new();
        set(&mut response, party(1), "token", Connection::Https, &embedding);
        set(&mut response, party(1), "token", Connection::Loopback, &embedding);
        set(&mut response, party(1), "token", Connection::Http, &embedding);
        remove(
            &mut response,
            party(1),
            Connection::Loopback,
            &Embedding::default(),
        );
        let lines: Vec<_> = response.get_all(SET_COOKIE).iter().collect();
        assert_eq!(
            lines,
            [
                "__Host-firmeza_abababababab_1=token; HttpOnly; SameSite=None; Partitioned; Secure; Path=/; Max-Age=14400",
                "firmeza_abababababab_1=token; HttpOnly; SameSite=None; Partitioned; Secure; Path=/; Max-Age=14400",
                "firmeza_abababababab_1=token; HttpOnly; SameSite=Lax; Path=/; Max-Age=14400",
                "firmeza_abababababab_1=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0",
            ]
        );
        let mut headers = HeaderMap::new();
        let sent = "x=1; __Host-firmeza_abababababab_1=token; y=2";
        headers.append(COOKIE, sent.parse().unwrap());
        assert_eq!(
            read(&headers, party(1), Connection::Https).as_deref(),
            Some("token")
        );
        assert_eq!(read(&headers, party(2), Connection::Https), None);
        assert_eq!(read(&headers, party(1), Connection::Http), None);
    }
}
