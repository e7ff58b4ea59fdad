//! Where webhooks and identity providers, which companies name, may be: on the public internet and in the networks that the operator lists, at the usual ports and
//! those that the operator lists.

use crate::shared::networks::Networks;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use url::{Host, Url};

/// Characters of an address.
const MAX_ADDRESS_CHARS: usize = 2048;

/// Where webhooks may be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookPolicy {
    /// Whether they may be spoken to without TLS.
    pub plain_http: bool,
    /// Whether they may be on this machine: for trying things out.
    pub loopback: bool,
    /// Ports beside 443 and 8443 for https, 80 and 8080 for http. On this machine, where that is allowed, any will do.
    pub ports: Vec<u16>,
    /// Networks beside the public internet.
    pub networks: Networks,
}

/// Why an address cannot be a webhook's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// It is no http or https address.
    #[error("not an http or https address")]
    Malformed,
    /// It is not an https address.
    #[error("not an https address")]
    NotHttps,
    /// It carries a user or a password.
    #[error("with a user or a password")]
    Credentials,
    /// It is too long.
    #[error("too long")]
    TooLong,
    /// It names a machine inside a network.
    #[error("not a public address")]
    NotPublic,
    /// It names an unusual port.
    #[error("the port is none that webhooks may have")]
    Port,
}

impl WebhookPolicy {
    /// The address, if it may be a webhook's as far as can be decided without resolving its name: that is
    /// asked again, and decided, whenever something is sent.
    pub fn address(&self, text: &str) -> Result<Url, BadAddress> {
        let text = text.trim();
        if text.chars().count() > MAX_ADDRESS_CHARS {
            return Err(BadAddress::TooLong);
        }
        let mut url = Url::parse(text).map_err(|_| BadAddress::Malformed)?;
        let secure = match url.scheme() {
            "https" => true,
            "http" if self.plain_http => false,
            "http" => return Err(BadAddress::NotHttps),
            _ => return Err(BadAddress::Malformed),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::Credentials);
        }
        let port = url.port_or_known_default().ok_or(BadAddress::Malformed)?;
        match url.host() {
            None => return Err(BadAddress::Malformed),
            Some(Host::Ipv4(address)) => self.reaches((address, port).into(), secure)?,
            Some(Host::Ipv6(address)) => self.reaches((address, port).into(), secure)?,
            Some(Host::Domain(name)) if is_local(name) => {
                if !self.loopback {
                    return Err(BadAddress::NotPublic);
                }
            }
            Some(Host::Domain(_)) => self.allows(port, secure)?,
        }
        url.set_fragment(None);
        Ok(url)
    }

    /// Whether something may be sent to that address, with TLS or without.
    pub fn reaches(&self, address: SocketAddr, secure: bool) -> Result<(), BadAddress> {
        let (ip, port) = (address.ip(), address.port());
        if self.loopback && ip.to_canonical().is_loopback() {
            return Ok(());
        }
        if is_public(ip) || self.networks.contains(ip) && is_inside(ip) {
            return self.allows(port, secure);
        }
        Err(BadAddress::NotPublic)
    }

    fn allows(&self, port: u16, secure: bool) -> Result<(), BadAddress> {
        let usual = if secure { [443, 8443] } else { [80, 8080] };
        if usual.contains(&port) || self.ports.contains(&port) {
            Ok(())
        } else {
            Err(BadAddress::Port)
        }
    }
}

/// Whether an address can be another machine's of an inside network. This machine, and the link-local addresses at which
/// clouds hand out credentials, are none, however large a network the operator lists.
fn is_inside(address: IpAddr) -> bool {
    let is_link_local = match address.to_canonical() {
        IpAddr::V4(address) => address.is_link_local() || address.is_broadcast() || address.octets()[0] == 0,
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    let address = address.to_canonical();
    !(is_link_local || address.is_loopback() || address.is_multicast() || address.is_unspecified())
}

/// Names that lead to this machine by agreement.
fn is_local(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether an address is one of the public internet: none of this machine, of inside networks, of groups, of
/// examples, nor an IPv6 address that embeds such an address.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let embedded = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // An IPv4 address written as IPv6: mapped, translated, 6to4.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => embedded(high, low),
        // Assignments of protocols (Teredo among them), documentation.
        [0x2001, 0..=0x01ff | 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => false,
        // What is given out for use at all.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests;
