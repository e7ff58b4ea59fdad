//! From where a request comes: the connection's other end, or what a trusted proxy says of it.

use axum::http::request::Parts;
use axum::http::{HeaderMap, Request};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// The other end of the connection, put into each request by the server.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// A network: an address, and how many of its leading bits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

/// The proxies whose `x-forwarded-for` is believed.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<Network>);

/// A text that is not a list of addresses or networks.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{0}` is not an address or a network such as 10.0.0.0/8")]
pub struct NotANetwork(String);

impl FromStr for TrustedProxies {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts
            .map(|part| network(part).ok_or_else(|| NotANetwork(part.to_owned())))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

fn network(text: &str) -> Option<Network> {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => (address.parse::<IpAddr>().ok()?, Some(bits.parse().ok()?)),
        None => (text.parse::<IpAddr>().ok()?, None),
    };
    let most = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.unwrap_or(most);
    (bits <= most).then_some(Network { address, bits })
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        let shift = |bits: u32| bits.saturating_sub(u32::from(self.bits));
        match (self.address, address) {
            (IpAddr::V4(a), IpAddr::V4(b)) => {
                let shift = shift(32);
                shift == 32 || a.to_bits() >> shift == b.to_bits() >> shift
            }
            (IpAddr::V6(a), IpAddr::V6(b)) => {
                let shift = shift(128);
                shift == 128 || a.to_bits() >> shift == b.to_bits() >> shift
            }
            _ => false,
        }
    }
}

impl TrustedProxies {
    fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
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

    /// The same of a request whose body is elsewhere.
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

    #[test]
    fn nonsense_is_refused() {
        for text in ["10.0.0.0/33", "x", "10.0.0.0/8,y", "::/129"] {
            assert!(text.parse::<TrustedProxies>().is_err(), "{text}");
        }
    }
}
