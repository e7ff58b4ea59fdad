//! The session's cookie: one for each holder. Over https its name begins with `__Host-`, so that browsers take it from
//! this host alone, and only for the whole of it.

use crate::page::{Embedding, cookie};
use app::Holder;
use axum::http::header::{HeaderMap, HeaderValue};
use domain::limits::SESSION_IDLE;

/// How many hexadecimal digits of an identifier tell it from the others in one browser.
const DIGITS: usize = 12;

fn name(holder: Holder, https: bool) -> String {
    let text = match holder {
        Holder::Signer { folio, place } => (folio.to_string(), place.to_string()),
        Holder::Bulk(bulk) => (bulk.to_string(), "b".to_owned()),
    };
    let prefix = if https { "__Host-" } else { "" };
    format!("{prefix}firmeza_{}_{}", &text.0[..DIGITS], text.1)
}

/// The session that the browser sent for this holder.
pub(crate) fn read(headers: &HeaderMap, holder: Holder, https: bool) -> Option<String> {
    cookie(headers, &name(holder, https)).map(str::to_owned)
}

/// Has the browser keep the session.
pub(crate) fn keep(holder: Holder, token: &str, https: bool, embedding: &Embedding) -> Option<HeaderValue> {
    cookie_line(holder, token, SESSION_IDLE.as_secs(), https, embedding)
}

/// Has the browser forget the session.
pub(crate) fn forget(holder: Holder, https: bool, embedding: &Embedding) -> Option<HeaderValue> {
    cookie_line(holder, "", 0, https, embedding)
}

fn cookie_line(
    holder: Holder,
    token: &str,
    age: u64,
    https: bool,
    embedding: &Embedding,
) -> Option<HeaderValue> {
    let manner = match (https, embedding.is_allowed()) {
        (true, true) => "SameSite=None; Secure; Partitioned",
        (true, false) => "SameSite=Lax; Secure",
        (false, _) => "SameSite=Lax",
    };
    let name = name(holder, https);
    HeaderValue::from_str(&format!(
        "{name}={token}; Path=/; HttpOnly; Max-Age={age}; {manner}"
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
        let holder = |place| Holder::Signer {
            folio: FolioId::from_bytes([0xab; 16]),
            place,
        };
        let embedding = Embedding::of("https://portal.example");
        let kept = keep(holder(1), "token", true, &embedding).unwrap();
        assert_eq!(
            kept.to_str().unwrap(),
            "__Host-firmeza_abababababab_1=token; Path=/; HttpOnly; Max-Age=900; SameSite=None; Secure; Partitioned"
        );
        let plain = keep(holder(1), "token", false, &Embedding::default()).unwrap();
        assert_eq!(
            plain.to_str().unwrap(),
            "firmeza_abababababab_1=token; Path=/; HttpOnly; Max-Age=900; SameSite=Lax"
        );
        let mut headers = HeaderMap::new();
        let sent = "x=1; __Host-firmeza_abababababab_1=token; y=2";
        headers.append(COOKIE, sent.parse().unwrap());
        assert_eq!(read(&headers, holder(1), true).as_deref(), Some("token"));
        assert_eq!(read(&headers, holder(2), true), None);
        assert_eq!(read(&headers, holder(1), false), None);
    }
}
