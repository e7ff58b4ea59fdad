//! The `Accept` header.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

/// Whether the client takes JPEG. That PNG weighs more is no reason: Safari lists PNG, and JPEG only as `image/*;q=0.8`. A
/// request without the header gets what its address says: PNG.
pub(crate) fn accepts_jpeg(headers: &HeaderMap) -> bool {
    let ranges = ["*/*", "image/*", "image/jpeg"];
    most_specific(headers, ranges).is_some_and(|(weight, _)| weight > 0.0)
}

/// Whether the client names JSON, and wants no page rather than that: programs send `application/json, */*`, browsers never
/// name it.
pub(crate) fn prefers_json(headers: &HeaderMap) -> bool {
    let json = most_specific(headers, ["*/*", "application/*", "application/json"]);
    let page = most_specific(headers, ["*/*", "text/*", "text/html"]);
    json.is_some_and(|(weight, specificity)| specificity == 2 && weight > 0.0) && json > page
}

/// Weight and specificity of the most specific of these ranges that the header has (RFC 9110, section 12.5.1).
fn most_specific(headers: &HeaderMap, ranges: [&str; 3]) -> Option<(f32, usize)> {
    let values = headers.get_all(ACCEPT).iter();
    let listed = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let matching = listed.filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next()?;
        let specificity = ranges.iter().position(|known| name.eq_ignore_ascii_case(known))?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let weight = weight.map_or(Some(1.0), |weight| weight.parse::<f32>().ok())?;
        Some((weight, specificity))
    });
    matching.max_by_key(|(_, specificity)| *specificity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jpeg_is_for_clients_that_take_it() {
        for (accept, expected) in [
            (
                "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
                true,
            ),
            (
                "image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5",
                true,
            ),
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                true,
            ),
            ("image/png, image/jpeg", true),
            ("*/*", true),
            ("image/png", false),
            ("image/jpeg;q=0.1", true),
            ("image/*, image/jpeg;q=0", false),
            ("image/jpeg; q=zero", false),
            ("text/html", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, accept.parse().unwrap());
            assert_eq!(accepts_jpeg(&headers), expected, "{accept}");
        }
        assert!(!accepts_jpeg(&HeaderMap::new()));
    }

    #[test]
    fn json_is_for_programs_that_ask_for_it() {
        for (accept, expected) in [
            ("application/json", true),
            ("Application/JSON; charset=utf-8", true),
            ("application/json, text/plain, */*", true),
            ("text/html;q=0.5, application/json", true),
            ("application/json;q=0.5, text/html", false),
            ("text/html, application/json", false),
            ("application/json;q=0", false),
            ("application/*", false),
            ("*/*", false),
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                false,
            ),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, accept.parse().unwrap());
            assert_eq!(prefers_json(&headers), expected, "{accept}");
        }
        assert!(!prefers_json(&HeaderMap::new()));
    }
}
