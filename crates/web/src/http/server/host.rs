//! The `Host` header, which RFC 9112 wants once in every HTTP/1.1 request. Of two, a proxy may believe one and this
//! service the other.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Version, header};

/// Whether a request names its host as it should. HTTP/1.0 knew no such header, and may go without.
pub(super) fn is_named_once(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => {
            Authority::try_from(host.as_bytes()).is_ok_and(|authority| is_a_host(&authority))
        }
        (None, None) => version <= Version::HTTP_10,
        _ => false,
    }
}

/// A name or a number, perhaps with a port, and no user before it.
fn is_a_host(authority: &Authority) -> bool {
    let port = authority.as_str().strip_prefix(authority.host());
    let is_port = |port: &str| {
        let digits = port.strip_prefix(':');
        port.is_empty() || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    !authority.host().is_empty() && port.is_some_and(is_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(version: Version, hosts: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(header::HOST, host.parse().unwrap());
        }
        is_named_once(version, &headers)
    }

    #[test]
    fn one_valid_host_is_wanted() {
        for good in ["a.co", "a.co:8080", "127.0.0.1:80", "[::1]:8080", "xn--ao-zja.co"] {
            assert!(named(Version::HTTP_11, &[good]), "{good}");
            assert!(named(Version::HTTP_10, &[good]), "{good}");
        }
        for bad in [
            "", "a b", "a.co/x", "u@a.co", "a.co:x:y", "a.co:x", ":80", "a,b.co/",
        ] {
            assert!(!named(Version::HTTP_11, &[bad]), "{bad}");
        }
        assert!(!named(Version::HTTP_11, &[]));
        assert!(named(Version::HTTP_10, &[]));
        assert!(!named(Version::HTTP_11, &["a.co", "a.co"]));
        assert!(!named(Version::HTTP_10, &["a.co", "b.co"]));
    }
}
