//! Notices a proxy that `FIRMEZA_TRUSTED_PROXIES` does not name: behind it every signer seems to come from its address,
//! in the evidence too.

use crate::http::client_address::{Peer, TrustedProxies};
use app::Clock;
use app::webhooks::is_public;
use axum::http::{HeaderMap, Request};
use domain::Timestamp;
use std::net::IpAddr;
use std::time::Duration;
use tokio::sync::watch;

/// How often a known finding is reported again.
const REPORT_INTERVAL: Duration = Duration::from_hours(1);
/// The headers in which proxies name their clients.
const FORWARDING_HEADERS: [&str; 3] = ["x-forwarded-for", "forwarded", "x-real-ip"];

/// A client that sends forwarding headers and is not a trusted proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnlistedProxy {
    /// From where it connects.
    pub address: IpAddr,
    /// When it was last noted.
    pub at: Timestamp,
}

/// The last one.
#[derive(Debug, Default)]
pub(crate) struct ProxyWatch(watch::Sender<Option<UnlistedProxy>>);

impl ProxyWatch {
    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<UnlistedProxy>> {
        self.0.subscribe()
    }

    /// The address of the last one.
    pub(crate) fn last(&self) -> Option<IpAddr> {
        self.0.borrow().map(|proxy| proxy.address)
    }

    /// Checks a request for forwarding headers; the first finding is logged.
    pub(crate) fn observe<B>(&self, trusted: &TrustedProxies, request: &Request<B>, clock: &Clock) {
        if !has_forwarding_header(request.headers()) {
            return;
        }
        let Some(Peer(peer)) = request.extensions().get::<Peer>() else {
            return;
        };
        let address = peer.ip().to_canonical();
        // Where trusted proxies are configured, a public address with such headers is a forgery.
        if trusted.contains(address) || !trusted.is_empty() && is_public(address) {
            return;
        }
        let at = clock.now();
        let mut is_first = false;
        self.0.send_if_modified(|last| {
            is_first = last.is_none();
            let due = last.is_none_or(|last| at.since(last.at) >= REPORT_INTERVAL);
            if due {
                *last = Some(UnlistedProxy { address, at });
            }
            due
        });
        if is_first {
            tracing::warn!(
                proxy = %address,
                setting = "FIRMEZA_TRUSTED_PROXIES",
                "a proxy that is not trusted passes requests on: every signer seems to come from its address"
            );
        }
    }
}

fn has_forwarding_header(headers: &HeaderMap) -> bool {
    FORWARDING_HEADERS.iter().any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noticed(trusted: &str, peer: &str, header: &'static str) -> Option<String> {
        let watch = ProxyWatch::default();
        let mut request = Request::new(());
        request.extensions_mut().insert(Peer(peer.parse().unwrap()));
        request.headers_mut().insert(header, "1.1.1.1".parse().unwrap());
        let clock = Clock::manual(Timestamp::from_micros(0));
        watch.observe(&trusted.parse().unwrap(), &request, &clock);
        watch.last().map(|address| address.to_string())
    }

    #[test]
    fn a_proxy_that_is_not_listed_is_noticed() {
        for header in FORWARDING_HEADERS {
            assert_eq!(
                noticed("", "10.0.0.5:80", header),
                Some("10.0.0.5".into()),
                "{header}"
            );
        }
        assert_eq!(
            noticed("", "8.8.8.8:80", FORWARDING_HEADERS[0]),
            Some("8.8.8.8".into())
        );
        assert_eq!(
            noticed("10.0.0.5", "10.0.0.6:80", FORWARDING_HEADERS[0]),
            Some("10.0.0.6".into())
        );
    }

    #[test]
    fn listed_ones_forgers_and_plain_requests_are_not() {
        assert_eq!(noticed("10.0.0.0/8", "10.0.0.5:80", FORWARDING_HEADERS[0]), None);
        assert_eq!(noticed("10.0.0.0/8", "8.8.8.8:80", FORWARDING_HEADERS[0]), None);
        assert_eq!(noticed("", "10.0.0.5:80", "user-agent"), None);
    }

    #[test]
    fn it_is_noted_again_after_an_hour_and_not_before() {
        let (watch, clock) = (ProxyWatch::default(), Clock::manual(Timestamp::from_micros(0)));
        let mut request = Request::new(());
        request
            .extensions_mut()
            .insert(Peer("10.0.0.5:80".parse().unwrap()));
        request
            .headers_mut()
            .insert(FORWARDING_HEADERS[0], "1.1.1.1".parse().unwrap());
        let mut told = watch.subscribe();
        let mut times = 0;
        for _ in 0..10 {
            watch.observe(&TrustedProxies::default(), &request, &clock);
            times += usize::from(told.has_changed().unwrap());
            told.mark_unchanged();
            clock.advance(Duration::from_mins(20));
        }
        assert_eq!(times, 4);
    }
}
