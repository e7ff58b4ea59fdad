//! Conditions and ranges on a document, and the name it is saved under.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use domain::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What the client gets of a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All of it.
    Whole,
    /// A part.
    Part(Range<u64>),
    /// Nothing: the client has it already.
    NotModified,
    /// A part that is not there.
    NotSatisfiable,
}

/// A version of a document: what tells it from others, and since when it is.
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
        let etag = format!("\"{}\"", domain::history::hex(sha256));
        Self {
            etag,
            modified: UNIX_EPOCH + Duration::from_secs(seconds),
            size,
        }
    }

    /// What the request's conditions and ranges come to.
    pub(crate) fn wanted(&self, headers: &HeaderMap) -> Wanted {
        let unmodified_since = || {
            let since = text(headers, &header::IF_MODIFIED_SINCE)
                .and_then(|date| httpdate::parse_http_date(date).ok());
            since.is_some_and(|since| self.modified <= since)
        };
        if text(headers, &header::IF_NONE_MATCH).map_or_else(unmodified_since, |tags| self.matches(tags)) {
            return Wanted::NotModified;
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

    fn matches(&self, tags: &str) -> bool {
        tags.split(',')
            .map(str::trim)
            .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.etag)
    }

    /// One range of bytes. Several, or what is not understood, come to the whole.
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

/// What may stand unescaped in an extended header value.
const ATTRIBUTE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// `Content-Disposition: attachment`, with the name for old readers and for all others.
pub(crate) fn attachment(name: &str) -> HeaderValue {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_graphic() && !r#""\%"#.contains(c) || c == ' ' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let encoded = utf8_percent_encode(name, ATTRIBUTE);
    let value = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    HeaderValue::from_str(&value).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(headers: &[(HeaderName, &str)]) -> Wanted {
        let version = Version::new(&[0xab; 32], Timestamp::from_micros(1_700_000_000_500_000), 100);
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect();
        version.wanted(&headers)
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
        assert_eq!(since("Tue, 14 Nov 2023 22:13:20 GMT"), Wanted::NotModified);
        assert_eq!(since("Tue, 14 Nov 2023 22:13:19 GMT"), Wanted::Whole);
        assert_eq!(since("yesterday"), Wanted::Whole);
        let both = [
            (header::IF_NONE_MATCH, "\"x\""),
            (header::IF_MODIFIED_SINCE, "Tue, 14 Nov 2023 22:13:20 GMT"),
        ];
        assert_eq!(wanted(&both), Wanted::Whole);
        let if_range = |text| wanted(&[(header::IF_RANGE, text), (header::RANGE, "bytes=0-0")]);
        assert_eq!(if_range(&etag), Wanted::Part(0..1));
        assert_eq!(if_range("\"x\""), Wanted::Whole);
        assert_eq!(if_range("Tue, 14 Nov 2023 22:13:20 GMT"), Wanted::Part(0..1));
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
