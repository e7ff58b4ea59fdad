//! The limit of connections per client, so that none takes all of them.

use crate::http::client_address::TrustedProxies;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// Counts connections by client; has an entry for clients with a connection only.
#[derive(Debug)]
pub(super) struct ClientLimit {
    /// Connections of one client; 0 for any number.
    limit: usize,
    /// A trusted proxy has the connections of many clients, and is not counted.
    exempt: TrustedProxies,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// The permit of a client's connection, released on drop.
#[derive(Debug)]
pub(super) struct ClientPermit {
    client: Option<IpAddr>,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl ClientLimit {
    pub(super) fn new(limit: usize, exempt: TrustedProxies) -> Self {
        Self {
            limit,
            exempt,
            counts: Arc::default(),
        }
    }

    /// A permit for one more connection; `None` at the client's limit.
    pub(super) fn try_acquire(&self, peer: IpAddr) -> Option<ClientPermit> {
        let counted = self.limit > 0 && !self.exempt.contains(peer);
        let client = counted.then(|| client_key(peer));
        if let Some(client) = client {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry(client).or_default();
            if *count >= self.limit {
                return None;
            }
            *count += 1;
        }
        Some(ClientPermit {
            client,
            counts: Arc::clone(&self.counts),
        })
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let Some(client) = self.client else { return };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&client);
            }
        }
    }
}

/// The key of a client in the counts. Providers give every IPv6 customer 2^64 addresses at least, so that the first
/// 64 bits count.
fn client_key(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_has_so_many_and_gets_them_back() {
        let limit = ClientLimit::new(2, TrustedProxies::default());
        let one = limit.try_acquire(address("9.9.9.9"));
        let _two = limit.try_acquire(address("::ffff:9.9.9.9"));
        assert!(one.is_some());
        assert!(limit.try_acquire(address("9.9.9.9")).is_none());
        assert!(limit.try_acquire(address("9.9.9.8")).is_some(), "another client");
        drop(one);
        assert!(limit.try_acquire(address("9.9.9.9")).is_some());
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_client() {
        let limit = ClientLimit::new(1, TrustedProxies::default());
        let _one = limit.try_acquire(address("2001:db8:1:2::1"));
        assert!(limit.try_acquire(address("2001:db8:1:2:ffff::9")).is_none());
        assert!(limit.try_acquire(address("2001:db8:1:3::1")).is_some());
    }

    #[test]
    fn trusted_proxies_are_not_counted_and_zero_is_no_limit() {
        let proxied = ClientLimit::new(1, "10.0.0.0/8".parse().unwrap());
        let unlimited = ClientLimit::new(0, TrustedProxies::default());
        let many = [0; 4].map(|_| {
            (
                proxied.try_acquire(address("10.1.1.1")),
                unlimited.try_acquire(address("9.9.9.9")),
            )
        });
        assert!(many.iter().all(|(one, other)| one.is_some() && other.is_some()));
    }

    #[test]
    fn nothing_is_remembered_of_clients_that_left() {
        let limit = ClientLimit::new(2, TrustedProxies::default());
        for last in 0..=255 {
            drop(limit.try_acquire(IpAddr::from([9, 9, 9, last])));
        }
        assert!(limit.counts.lock().unwrap().is_empty());
    }
}
