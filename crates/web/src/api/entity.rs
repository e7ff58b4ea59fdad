//! Conditional and range requests for a document (RFC 9110), its body, and the name it is saved under.

use app::download_document::Reader;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use domain::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The part of a document that a request selects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All of it.
    Whole,
    /// A part.
    Part(Range<u64>),
    /// Nothing: `If-Match` or `If-Unmodified-Since` names another version.
    OtherVersion,
    /// Nothing: the client has it already.
    NotModified,
    /// A range outside the document.
    NotSatisfiable,
}

/// A version of a document: its entity tag and the time of its last change.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) etag: String,
    pub(crate) modified: SystemTime,
    pub(crate) size: u64,
}

impl Version {
    pub(crate) fn new(sha256: &[u8; 32], modified: Timestamp, size: u64) -> Self {
        // HTTP dates have whole seconds.
        let seconds = u64::try_from(modified.as_micros() / 1_000_000).unwrap_or(0);
        let etag = ["\"", &domain::history::hex(sha256), "\""].concat();
        Self {
            etag,
            modified: UNIX_EPOCH + Duration::from_secs(seconds),
            size,
        }
    }

    /// Evaluates the conditions of a `GET` or `HEAD` in the order of RFC 9110, and the range of a `GET`.
    pub(crate) fn wanted(&self, method: &Method, headers: &HeaderMap) -> Wanted {
        if !self.is_asked_for(headers) {
            return Wanted::OtherVersion;
        }
        if self.is_known(headers) {
            return Wanted::NotModified;
        }
        if *method != Method::GET {
            return Wanted::Whole;
        }
        let same = match text(headers, &header::IF_RANGE) {
            None => true,
            Some(tag) if tag.starts_with('"') => tag == self.etag,
            Some(date) => httpdate::parse_http_date(date).is_ok_and(|date| date == self.modified),
        };
        match text(headers, &header::RANGE).filter(|_| same) {
            Some(range) => self.range(range),
            None => Wanted::Whole,
        }
    }

    /// Whether `If-Match` and `If-Unmodified-Since` allow this version.
    fn is_asked_for(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_MATCH) {
            return tags(headers, &header::IF_MATCH).any(|tag| tag == "*" || tag == self.etag);
        }
        date(headers, &header::IF_UNMODIFIED_SINCE).is_none_or(|since| self.modified <= since)
    }

    /// Whether the client already has this version.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_NONE_MATCH) {
            return tags(headers, &header::IF_NONE_MATCH)
                .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.etag);
        }
        date(headers, &header::IF_MODIFIED_SINCE).is_some_and(|since| self.modified <= since)
    }

    /// A single byte range. Several ranges, or a malformed header, select the whole document.
    fn range(&self, header: &str) -> Wanted {
        let Some((first, last)) = header
            .strip_prefix("bytes=")
            .and_then(|spec| spec.split_once('-'))
        else {
            return Wanted::Whole;
        };
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let (start, end) = match (first.trim(), last.trim()) {
            ("", suffix) => match number(suffix) {
                Some(0) => return Wanted::NotSatisfiable,
                Some(length) => (self.size.saturating_sub(length), self.size),
                None => return Wanted::Whole,
            },
            (first, "") => match number(first) {
                Some(first) => (first, self.size),
                None => return Wanted::Whole,
            },
            (first, last) => match (number(first), number(last)) {
                (Some(first), Some(last)) if first <= last => (first, last.saturating_add(1).min(self.size)),
                _ => return Wanted::Whole,
            },
        };
        if start < end {
            Wanted::Part(start..end)
        } else {
            Wanted::NotSatisfiable
        }
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(str::trim)
}

/// The entity tags of a list, which may span several header lines.
fn tags<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
}

/// The date; `None` when it is malformed.
fn date(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    text(headers, name).and_then(|date| httpdate::parse_http_date(date).ok())
}

/// A document as a response body.
pub(crate) fn body(reader: Reader) -> Body {
    match reader.only_frame() {
        Some(frame) => Body::from(frame.clone()),
        None => Body::from_stream(reader),
    }
}

/// Characters that stay unescaped in an extended header value.
const ATTRIBUTE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// `Content-Disposition: attachment`, with the name for old readers and for all others.
pub(crate) fn attachment(name: &str) -> HeaderValue {
    let plain = name.chars().map(|c| {
        if c.is_ascii_graphic() && !r#""\%"#.contains(c) || c == ' ' {
            c
        } else {
            '_'
        }
    });
    // The upper bound of its length: each byte of a name may be escaped.
    let mut value = String::with_capacity(64 + 4 * name.len());
    value.push_str("attachment; filename=\"");
    value.extend(plain);
    value.push_str("\"; filename*=UTF-8''");
    value.extend(utf8_percent_encode(name, ATTRIBUTE));
    HeaderValue::try_from(value).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINCE: &str = "Tue, 14 Nov 2023 22:13:20 GMT";
    const BEFORE: &str = "Tue, 14 Nov 2023 22:13:19 GMT";

    fn wanted(headers: &[(HeaderName, &str)]) -> Wanted {
        wanted_by(&Method::GET, headers)
    }

    fn wanted_by(method: &Method, headers: &[(HeaderName, &str)]) -> Wanted {
        let version = Version::new(&[0xab; 32], Timestamp::from_micros(1_700_000_000_500_000), 100);
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect();
        version.wanted(method, &headers)
    }

    #[test]
    fn ranges() {
        let range = |text| wanted(&[(header::RANGE, text)]);
        assert_eq!(range("bytes=0-9"), Wanted::Part(0..10));
        assert_eq!(range("bytes=90-"), Wanted::Part(90..100));
        assert_eq!(range("bytes=-10"), Wanted::Part(90..100));
        assert_eq!(range("bytes=-1000"), Wanted::Part(0..100));
        assert_eq!(range("bytes=50-18446744073709551615"), Wanted::Part(50..100));
        for unsatisfiable in ["bytes=100-", "bytes=100-200", "bytes=-0"] {
            assert_eq!(range(unsatisfiable), Wanted::NotSatisfiable, "{unsatisfiable}");
        }
        for ignored in [
            "bytes=9-1",
            "bytes=a-b",
            "lines=1-2",
            "bytes=0-1,5-6",
            "bytes=-",
            "bytes=0-99999999999999999999",
        ] {
            assert_eq!(range(ignored), Wanted::Whole, "{ignored}");
        }
    }

    #[test]
    fn conditions() {
        let etag = format!("\"{}\"", "ab".repeat(32));
        let tag = |text: &str| wanted(&[(header::IF_NONE_MATCH, text)]);
        assert_eq!(tag(&etag), Wanted::NotModified);
        assert_eq!(tag(&format!("\"x\", W/{etag}")), Wanted::NotModified);
        assert_eq!(tag("*"), Wanted::NotModified);
        assert_eq!(tag("\"x\""), Wanted::Whole);
        let since = |text| wanted(&[(header::IF_MODIFIED_SINCE, text)]);
        assert_eq!(since(SINCE), Wanted::NotModified);
        assert_eq!(since(BEFORE), Wanted::Whole);
        assert_eq!(since("yesterday"), Wanted::Whole);
        let both = [
            (header::IF_NONE_MATCH, "\"x\""),
            (header::IF_MODIFIED_SINCE, SINCE),
        ];
        assert_eq!(wanted(&both), Wanted::Whole);
        let if_range = |text| wanted(&[(header::IF_RANGE, text), (header::RANGE, "bytes=0-0")]);
        assert_eq!(if_range(&etag), Wanted::Part(0..1));
        assert_eq!(if_range("\"x\""), Wanted::Whole);
        assert_eq!(if_range(SINCE), Wanted::Part(0..1));
    }

    #[test]
    fn a_client_that_insists_on_a_version_gets_no_other() {
        let etag = format!("\"{}\"", "ab".repeat(32));
        let insists = |text: &str| wanted(&[(header::IF_MATCH, text)]);
        assert_eq!(insists(&etag), Wanted::Whole);
        assert_eq!(insists(&format!("\"x\", {etag}")), Wanted::Whole);
        assert_eq!(insists("*"), Wanted::Whole);
        assert_eq!(insists("\"x\""), Wanted::OtherVersion);
        assert_eq!(insists(&format!("W/{etag}")), Wanted::OtherVersion);
        let lines = [(header::IF_MATCH, "\"x\""), (header::IF_MATCH, etag.as_str())];
        assert_eq!(wanted(&lines), Wanted::Whole);
        let unmodified = |text| wanted(&[(header::IF_UNMODIFIED_SINCE, text)]);
        assert_eq!(unmodified(SINCE), Wanted::Whole);
        assert_eq!(unmodified(BEFORE), Wanted::OtherVersion);
        assert_eq!(unmodified("yesterday"), Wanted::Whole);
    }

    #[test]
    fn conditions_are_looked_at_in_their_order() {
        let etag = format!("\"{}\"", "ab".repeat(32));
        let (same, other) = ((header::IF_MATCH, etag.as_str()), (header::IF_MATCH, "\"x\""));
        let changed = (header::IF_UNMODIFIED_SINCE, BEFORE);
        let known = (header::IF_NONE_MATCH, etag.as_str());
        let range = (header::RANGE, "bytes=0-0");
        assert_eq!(wanted(&[same.clone(), changed.clone()]), Wanted::Whole);
        assert_eq!(wanted(&[other, known.clone()]), Wanted::OtherVersion);
        assert_eq!(wanted(&[changed, known.clone()]), Wanted::OtherVersion);
        assert_eq!(wanted(&[same.clone(), known, range.clone()]), Wanted::NotModified);
        assert_eq!(wanted(&[same, range]), Wanted::Part(0..1));
    }

    #[test]
    fn ranges_are_for_get_alone() {
        let head = |name, text| wanted_by(&Method::HEAD, &[(name, text)]);
        assert_eq!(head(header::RANGE, "bytes=0-9"), Wanted::Whole);
        assert_eq!(head(header::RANGE, "bytes=100-"), Wanted::Whole);
        assert_eq!(head(header::IF_NONE_MATCH, "*"), Wanted::NotModified);
        assert_eq!(head(header::IF_MATCH, "\"x\""), Wanted::OtherVersion);
    }

    #[test]
    fn names_survive_in_both_forms() {
        let value = attachment("Contrato Ñ \"1\".pdf");
        assert_eq!(
            value.to_str().unwrap(),
            "attachment; filename=\"Contrato _ _1_.pdf\"; filename*=UTF-8''Contrato%20%C3%91%20%221%22.pdf"
        );
    }
}
