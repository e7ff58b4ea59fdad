//! The session's cookie: one for each holder, for these pages only.

use crate::page::{Embedding, cookie};
use app::Holder;
use axum::http::header::{HeaderMap, HeaderValue};
use domain::limits::SESSION_IDLE;

/// How many hexadecimal digits of an identifier tell it from the others in one browser.
const DIGITS: usize = 12;

fn name(holder: Holder) -> String {
    let text = match holder {
        Holder::Signer { folio, place } => (folio.to_string(), place.to_string()),
        Holder::Bulk(bulk) => (bulk.to_string(), "b".to_owned()),
    };
    format!("firmeza_{}_{}", &text.0[..DIGITS], text.1)
}

/// The session that the browser sent for this holder.
pub(crate) fn read(headers: &HeaderMap, holder: Holder) -> Option<String> {
    cookie(headers, &name(holder)).map(str::to_owned)
}

/// Has the browser keep the session.
pub(crate) fn keep(holder: Holder, token: &str, https: bool, embedding: &Embedding) -> Option<HeaderValue> {
    let manner = match (https, embedding.is_allowed()) {
        (true, true) => "SameSite=None; Secure; Partitioned",
        (true, false) => "SameSite=Lax; Secure",
        (false, _) => "SameSite=Lax",
    };
    let (name, age) = (name(holder), SESSION_IDLE.as_secs());
    HeaderValue::from_str(&format!(
        "{name}={token}; Path=/sign; HttpOnly; Max-Age={age}; {manner}"
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
            "firmeza_abababababab_1=token; Path=/sign; HttpOnly; Max-Age=900; SameSite=None; Secure; Partitioned"
        );
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "x=1; firmeza_abababababab_1=token; y=2".parse().unwrap());
        assert_eq!(read(&headers, holder(1)).as_deref(), Some("token"));
        assert_eq!(read(&headers, holder(2)), None);
    }
}
