//! The client's address: the other end of the connection, or the one that a trusted proxy names.

use app::shared::networks::{Networks, NotANetwork};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Request};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// The other end of the connection, put into each request by the server.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// The proxies whose `x-forwarded-for` is trusted.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Networks);

impl FromStr for TrustedProxies {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        text.parse().map(Self)
    }
}

/// Whether a host of an address is this machine, by its name or by its number.
pub fn is_this_machine(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let name = host.to_ascii_lowercase();
    name == "localhost"
        || name.ends_with(".localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.to_canonical().is_loopback())
}

impl TrustedProxies {
    /// Whether no proxy is trusted.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the connection's other end is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(address)
    }

    /// The client's address: walking back from the connection, the first that is not a trusted proxy.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        let values = headers.get_all("x-forwarded-for");
        let forwarded: Vec<&str> = values
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .collect();
        for claim in forwarded.iter().rev() {
            if !self.contains(client) {
                break;
            }
            let Ok(address) = claim.trim().parse::<IpAddr>() else {
                break;
            };
            client = address.to_canonical();
        }
        client
    }

    /// The client's address of a request.
    pub fn of<B>(&self, request: &Request<B>) -> IpAddr {
        let peer = request
            .extensions()
            .get::<Peer>()
            .map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.0.ip());
        self.client(peer, request.headers())
    }

    /// The client's address of a request whose body was taken off.
    pub(crate) fn of_parts(&self, parts: &Parts) -> IpAddr {
        let peer = parts.extensions.get::<Peer>();
        let peer = peer.map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.0.ip());
        self.client(peer, &parts.headers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &str, peer: &str, forwarded: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", forwarded.parse().unwrap());
        let trusted: TrustedProxies = trusted.parse().unwrap();
        trusted.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn hosts_of_this_machine() {
        for host in [
            "localhost",
            "LOCALHOST",
            "a.localhost",
            "127.0.0.1",
            "127.9.9.9",
            "[::1]",
            "::1",
        ] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "example.com",
            "localhost.evil.com",
            "127.0.0.1.evil.com",
            "10.0.0.1",
            "0.0.0.0",
            "[2001:db8::1]",
            "",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        assert_eq!(client("", "9.9.9.9", "1.1.1.1"), "9.9.9.9");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", "1.1.1.1"), "1.1.1.1");
        assert_eq!(
            client("10.0.0.0/8", "10.1.2.3", "6.6.6.6, 1.1.1.1, 10.9.9.9"),
            "1.1.1.1"
        );
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", "nonsense"), "10.1.2.3");
        assert_eq!(client("::1", "::1", "2001:db8::5"), "2001:db8::5");
        assert_eq!(client("0.0.0.0/0", "10.1.2.3", "1.1.1.1"), "1.1.1.1");
    }
}
