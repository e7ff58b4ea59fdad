//! A request that comes from this machine and means it.

use crate::Web;
use crate::address::Peer;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use std::net::IpAddr;

/// Shown by a request whose connection and whose host are this machine's, and that nobody passed on: another
/// site's page, or a proxy's client, must not read the mailbox.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Local;

impl FromRequestParts<Web> for Local {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        let near = parts
            .extensions
            .get::<Peer>()
            .is_some_and(|peer| peer.0.ip().to_canonical().is_loopback());
        if near && names_this_machine(&parts.headers) && !passed_on(&parts.headers) {
            Ok(Self)
        } else {
            Err((
                StatusCode::FORBIDDEN,
                "El buzón de pruebas solo se abre desde el mismo equipo.\n",
            ))
        }
    }
}

fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(host) = host else { return false };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn passed_on(headers: &HeaderMap) -> bool {
    [
        "x-forwarded-for",
        "x-forwarded-host",
        "forwarded",
        "via",
        "x-real-ip",
    ]
    .iter()
    .any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine() {
        let names = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            names_this_machine(&headers)
        };
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:8080",
            "127.9.9.9",
            "[::1]:8080",
            "[::1]",
        ] {
            assert!(names(host), "{host}");
        }
        for host in [
            "example.com",
            "localhost.evil.com",
            "127.0.0.1.evil.com:80",
            "10.0.0.1",
            "[2001:db8::1]:80",
            "",
        ] {
            assert!(!names(host), "{host}");
        }
    }
}
