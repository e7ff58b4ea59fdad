//! The `Accept` header of requests for page images.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

/// Whether the client takes JPEG: whether the most specific range that has it weighs more than nothing (RFC 9110, section
/// 12.5.1). That PNG weighs more is no reason: Safari lists PNG, and JPEG only as `image/*;q=0.8`. A request without the
/// header gets what its address says: PNG.
pub(crate) fn accepts_jpeg(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter();
    let ranges = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let matching = ranges.filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next()?;
        let specificity = ["*/*", "image/*", "image/jpeg"]
            .iter()
            .position(|known| name.eq_ignore_ascii_case(known))?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let weight = weight.map_or(Some(1.0), |weight| weight.parse::<f32>().ok())?;
        Some((specificity, weight))
    });
    matching
        .max_by_key(|(specificity, _)| *specificity)
        .is_some_and(|(_, weight)| weight > 0.0)
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
}
