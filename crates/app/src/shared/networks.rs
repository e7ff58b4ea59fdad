//! Lists of networks that operators write: `10.0.0.0/8,192.168.1.7,fd00::/8`.

use std::net::IpAddr;
use std::str::FromStr;

/// A network: an address, and how many of its leading bits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    bits: u8,
}

/// Any number of networks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Networks(Vec<Network>);

/// A text that is not a list of addresses or networks.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{0}` is not an address or a network such as 10.0.0.0/8")]
pub struct NotANetwork(String);

impl FromStr for Networks {
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
    fn contains(self, address: IpAddr) -> bool {
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

impl Networks {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an address is in one of them. An IPv4 address that is written as an IPv6 one counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(address))
    }
}

/// The network of an address. An IPv6 customer has millions of addresses.
pub fn network_of(address: IpAddr) -> Vec<u8> {
    match address.to_canonical() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets()[..8].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_the_addresses_that_share_its_leading_bits() {
        let networks: Networks = "10.1.0.0/16, fd00::/8,192.168.1.7".parse().unwrap();
        for inside in [
            "10.1.0.1",
            "10.1.255.255",
            "::ffff:10.1.2.3",
            "fd12::1",
            "192.168.1.7",
        ] {
            assert!(networks.contains(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["10.2.0.1", "192.168.1.8", "fe80::1", "::1"] {
            assert!(!networks.contains(outside.parse().unwrap()), "{outside}");
        }
        let all: Networks = "0.0.0.0/0".parse().unwrap();
        assert!(all.contains("8.8.8.8".parse().unwrap()));
        assert!(!all.contains("2001:db8::1".parse().unwrap()));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["10.0.0.0/33", "x", "10.0.0.0/8,y", "::/129", "10.0.0.0/-1"] {
            assert!(text.parse::<Networks>().is_err(), "{text}");
        }
    }

    #[test]
    fn one_network_of_version_6_is_one_place() {
        let network = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:203.0.113.7"), network("203.0.113.7"));
    }
}
