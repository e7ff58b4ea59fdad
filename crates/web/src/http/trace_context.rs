//! The trace that a request belongs to: the client's or the proxy's (W3C `traceparent`) where it is valid, a new one
//! elsewhere. Every line of the log that is written for the request names it.

use super::request_id;
use axum::http::HeaderMap;

const HEADER: &str = "traceparent";
const TRACE_ID_DIGITS: usize = 32;

/// The number of the trace, 32 hexadecimal digits.
pub(crate) fn trace_id(headers: &HeaderMap) -> String {
    let sent = headers.get(HEADER).and_then(|value| value.to_str().ok());
    sent.and_then(parse).map_or_else(
        || request_id::generate().to_str().unwrap_or_default().to_owned(),
        str::to_owned,
    )
}

/// The trace in `version-trace-parent-flags`. Later versions may have more after that.
fn parse(sent: &str) -> Option<&str> {
    let mut parts = sent.split('-');
    let version = parts.next().filter(|part| is_hex(part, 2) && *part != "ff")?;
    let trace = parts
        .next()
        .filter(|part| is_hex(part, TRACE_ID_DIGITS) && !is_zero(part))?;
    parts.next().filter(|part| is_hex(part, 16) && !is_zero(part))?;
    parts.next().filter(|part| is_hex(part, 2))?;
    (version != "00" || parts.next().is_none()).then_some(trace)
}

fn is_hex(text: &str, digits: usize) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == digits && text.bytes().all(is_digit)
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_trace_is_taken_over_and_any_other_is_replaced() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let good = format!("00-{trace}-00f067aa0ba902b7-01");
        let later = format!("01-{trace}-00f067aa0ba902b7-01-more");
        for sent in [&good, &later] {
            assert_eq!(parse(sent), Some(trace), "{sent}");
        }
        let zeros = "0".repeat(32);
        for bad in [
            format!("{good}-more"),
            format!("ff-{trace}-00f067aa0ba902b7-01"),
            format!("00-{zeros}-00f067aa0ba902b7-01"),
            format!("00-{trace}-0000000000000000-01"),
            format!("00-{}-00f067aa0ba902b7-01", trace.to_uppercase()),
            format!("00-{trace}-00f067aa0ba902b7"),
            trace.to_owned(),
            String::new(),
        ] {
            assert_eq!(parse(&bad), None, "{bad}");
        }
        let made = trace_id(&HeaderMap::new());
        assert!(is_hex(&made, TRACE_ID_DIGITS), "{made}");
    }
}
