//! Conditional and range requests for a document (RFC 9110), its body, and the name it is saved under.

use app::folios::download::Reader;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use domain::{Causes, Timestamp};
use futures_util::TryStreamExt;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The part of a document that a request selects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Selection {
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
        let etag = ["\"", &domain::event::hex(sha256), "\""].concat();
        Self {
            etag,
            modified: UNIX_EPOCH + Duration::from_secs(seconds),
            size,
        }
    }

    /// Evaluates the conditions of a `GET` or `HEAD` in the order of RFC 9110, and the range of a `GET`.
    pub(crate) fn select(&self, method: &Method, headers: &HeaderMap) -> Selection {
        if !self.precondition_holds(headers) {
            return Selection::OtherVersion;
        }
        if self.not_modified(headers) {
            return Selection::NotModified;
        }
        if *method != Method::GET {
            return Selection::Whole;
        }
        let same = match text(headers, &header::IF_RANGE) {
            None => true,
            Some(tag) if tag.starts_with('"') => tag == self.etag,
            Some(date) => httpdate::parse_http_date(date).is_ok_and(|date| date == self.modified),
        };
        match text(headers, &header::RANGE).filter(|_| same) {
            Some(range) => self.range(range),
            None => Selection::Whole,
        }
    }

    /// Whether `If-Match` and `If-Unmodified-Since` allow this version.
    fn precondition_holds(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_MATCH) {
            return tags(headers, &header::IF_MATCH).any(|tag| tag == "*" || tag == self.etag);
        }
        date(headers, &header::IF_UNMODIFIED_SINCE).is_none_or(|since| self.modified <= since)
    }

    /// Whether the client already has this version.
    fn not_modified(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_NONE_MATCH) {
            return tags(headers, &header::IF_NONE_MATCH)
                .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.etag);
        }
        date(headers, &header::IF_MODIFIED_SINCE).is_some_and(|since| self.modified <= since)
    }

    /// A single byte range. Several ranges, or a malformed header, select the whole document.
    fn range(&self, header: &str) -> Selection {
        let Some((first, last)) = header
            .strip_prefix("bytes=")
            .and_then(|spec| spec.split_once('-'))
        else {
            return Selection::Whole;
        };
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let (start, end) = match (first.trim(), last.trim()) {
            ("", suffix) => match number(suffix) {
                Some(0) => return Selection::NotSatisfiable,
                Some(length) => (self.size.saturating_sub(length), self.size),
                None => return Selection::Whole,
            },
            (first, "") => match number(first) {
                Some(first) => (first, self.size),
                None => return Selection::Whole,
            },
            (first, last) => match (number(first), number(last)) {
                (Some(first), Some(last)) if first <= last => (first, last.saturating_add(1).min(self.size)),
                _ => return Selection::Whole,
            },
        };
        if start < end {
            Selection::Part(start..end)
        } else {
            Selection::NotSatisfiable
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
        None => Body::from_stream(reader.inspect_err(|error| {
            tracing::error!(
                error = %Causes(error),
                "ALARM: a document was not sent to its end"
            );
        })),
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

    fn select(headers: &[(HeaderName, &str)]) -> Selection {
        select_by(&Method::GET, headers)
    }

    fn select_by(method: &Method, headers: &[(HeaderName, &str)]) -> Selection {
        let version = Version::new(&[0xab; 32], Timestamp::from_micros(1_700_000_000_500_000), 100);
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect();
        version.select(method, &headers)
    }

    #[test]
    fn ranges() {
        let range = |text| select(&[(header::RANGE, text)]);
        assert_eq!(range("bytes=0-9"), Selection::Part(0..10));
        assert_eq!(range("bytes=90-"), Selection::Part(90..100));
        assert_eq!(range("bytes=-10"), Selection::Part(90..100));
        assert_eq!(range("bytes=-1000"), Selection::Part(0..100));
        assert_eq!(range("bytes=50-18446744073709551615"), Selection::Part(50..100));
        for unsatisfiable in ["bytes=100-", "bytes=100-200", "bytes=-0"] {
            assert_eq!(range(unsatisfiable), Selection::NotSatisfiable, "{unsatisfiable}");
        }
        for ignored in [
            "bytes=9-1",
            "bytes=a-b",
            "lines=1-2",
            "bytes=0-1,5-6",
            "bytes=-",
            "bytes=0-99999999999999999999",
        ] {
            assert_eq!(range(ignored), Selection::Whole, "{ignored}");
        }
    }

    #[test]
    fn conditions() {
        let etag = format!("\"{}\"", "ab".repeat(32));
        let tag = |text: &str| select(&[(header::IF_NONE_MATCH, text)]);
        assert_eq!(tag(&etag), Selection::NotModified);
        assert_eq!(tag(&format!("\"x\", W/{etag}")), Selection::NotModified);
        assert_eq!(tag("*"), Selection::NotModified);
        assert_eq!(tag("\"x\""), Selection::Whole);
        let since = |text| select(&[(header::IF_MODIFIED_SINCE, text)]);
        assert_eq!(since(SINCE), Selection::NotModified);
        assert_eq!(since(BEFORE), Selection::Whole);
        assert_eq!(since("yesterday"), Selection::Whole);
        let both = [
            (header::IF_NONE_MATCH, "\"x\""),
            (header::IF_MODIFIED_SINCE, SINCE),
        ];
        assert_eq!(select(&both), Selection::Whole);
        let if_range = |text| select(&[(header::IF_RANGE, text), (header::RANGE, "bytes=0-0")]);
        assert_eq!(if_range(&etag), Selection::Part(0..1));
        assert_eq!(if_range("\"x\""), Selection::Whole);
        assert_eq!(if_range(SINCE), Selection::Part(0..1));
    }

    #[test]
    fn a_client_that_insists_on_a_version_gets_no_other() {
        let etag = format!("\"{}\"", "ab".repeat(32));
        let insists = |text: &str| select(&[(header::IF_MATCH, text)]);
        assert_eq!(insists(&etag), Selection::Whole);
        assert_eq!(insists(&format!("\"x\", {etag}")), Selection::Whole);
        assert_eq!(insists("*"), Selection::Whole);
        assert_eq!(insists("\"x\""), Selection::OtherVersion);
        assert_eq!(insists(&format!("W/{etag}")), Selection::OtherVersion);
        let lines = [(header::IF_MATCH, "\"x\""), (header::IF_MATCH, etag.as_str())];
        assert_eq!(select(&lines), Selection::Whole);
        let unmodified = |text| select(&[(header::IF_UNMODIFIED_SINCE, text)]);
        assert_eq!(unmodified(SINCE), Selection::Whole);
        assert_eq!(unmodified(BEFORE), Selection::OtherVersion);
        assert_eq!(unmodified("yesterday"), Selection::Whole);
    }

    #[test]
    fn conditions_are_looked_at_in_their_order() {
        let etag = format!("\"{}\"", "ab".repeat(32));
        let (same, other) = ((header::IF_MATCH, etag.as_str()), (header::IF_MATCH, "\"x\""));
        let changed = (header::IF_UNMODIFIED_SINCE, BEFORE);
        let known = (header::IF_NONE_MATCH, etag.as_str());
        let range = (header::RANGE, "bytes=0-0");
        assert_eq!(select(&[same.clone(), changed.clone()]), Selection::Whole);
        assert_eq!(select(&[other, known.clone()]), Selection::OtherVersion);
        assert_eq!(select(&[changed, known.clone()]), Selection::OtherVersion);
        assert_eq!(
            select(&[same.clone(), known, range.clone()]),
            Selection::NotModified
        );
        assert_eq!(select(&[same, range]), Selection::Part(0..1));
    }

    #[test]
    fn ranges_are_for_get_alone() {
        let head = |name, text| select_by(&Method::HEAD, &[(name, text)]);
        assert_eq!(head(header::RANGE, "bytes=0-9"), Selection::Whole);
        assert_eq!(head(header::RANGE, "bytes=100-"), Selection::Whole);
        assert_eq!(head(header::IF_NONE_MATCH, "*"), Selection::NotModified);
        assert_eq!(head(header::IF_MATCH, "\"x\""), Selection::OtherVersion);
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
