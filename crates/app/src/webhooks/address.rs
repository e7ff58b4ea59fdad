//! Where webhooks may be: on the public internet, and nowhere else.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// Characters of an address.
const LONGEST: usize = 2048;

/// Where webhooks may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WebhookPolicy {
    /// Whether they may be spoken to without TLS.
    pub plain_http: bool,
    /// Whether they may be on this machine: for trying things out.
    pub loopback: bool,
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
}

impl WebhookPolicy {
    /// The address, if it may be a webhook's as far as can be told without asking where its name leads: that is
    /// asked again, and decided, whenever something is sent.
    pub fn address(self, text: &str) -> Result<Url, BadAddress> {
        let text = text.trim();
        if text.chars().count() > LONGEST {
            return Err(BadAddress::TooLong);
        }
        let mut url = Url::parse(text).map_err(|_| BadAddress::Malformed)?;
        match url.scheme() {
            "https" => {}
            "http" if self.plain_http => {}
            "http" => return Err(BadAddress::NotHttps),
            _ => return Err(BadAddress::Malformed),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadAddress::Credentials);
        }
        let reachable = match url.host() {
            None => return Err(BadAddress::Malformed),
            Some(Host::Ipv4(address)) => self.reaches(address.into()),
            Some(Host::Ipv6(address)) => self.reaches(address.into()),
            Some(Host::Domain(name)) => self.loopback || !is_local(name),
        };
        if !reachable {
            return Err(BadAddress::NotPublic);
        }
        url.set_fragment(None);
        Ok(url)
    }

    /// Whether something may be sent to that address.
    pub fn reaches(self, address: IpAddr) -> bool {
        is_public(address) || self.loopback && address.to_canonical().is_loopback()
    }
}

/// Names that lead to this machine by agreement.
fn is_local(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether an address is one of the public internet: none of this machine, of inside networks, of groups, of
/// examples, nor one that stands for such an address.
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
        // An IPv4 address in other clothes: mapped, translated, 6to4.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => embedded(high, low),
        // Assignments of protocols (Teredo among them), documentation.
        [0x2001, ..=0x01ff | 0x0db8, ..] | [0x3fff, ..=0x0fff, ..] => false,
        // What is given out for use at all.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests;
