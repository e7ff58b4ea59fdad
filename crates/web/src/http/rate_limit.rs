//! Rate limits: a number of requests in any sliding minute.

use app::shared::networks::network_of;
use domain::Timestamp;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Requests a minute for one key; zero means without limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct RateLimits {
    /// All requests.
    pub requests: u32,
    /// Creates among them.
    pub creates: u32,
}

/// The number of keys that are tracked at the same time.
const MAX_KEYS: usize = 100_000;
const WINDOW: Duration = Duration::from_mins(1);
/// Requests within one bucket are counted together, so that a key has about sixty buckets. A bucket expires
/// a minute after its last request: no minute exceeds the limit, and a key may wait up to one bucket longer
/// than needed.
const BUCKET_WIDTH: Duration = Duration::from_secs(1);

/// A rate limiter with a sliding window per key.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    limits: RateLimits,
    keys: Mutex<KeyWindows>,
}

/// The requests of a key in the last minute, oldest first.
#[derive(Debug, Default)]
struct SlidingWindow(VecDeque<Bucket>);

#[derive(Debug)]
struct Bucket {
    first: Timestamp,
    last: Timestamp,
    requests: u32,
    creates: u32,
}

#[derive(Debug, Default)]
struct KeyWindows {
    windows: HashMap<[u8; 32], SlidingWindow>,
    /// When expired windows were last removed, which scans all of them.
    swept_at: Option<Timestamp>,
}

impl KeyWindows {
    fn sweep(&mut self, now: Timestamp) {
        let recently = |at: Timestamp| now.since(at) < BUCKET_WIDTH && at.since(now) < BUCKET_WIDTH;
        if self.swept_at.is_some_and(recently) {
            return;
        }
        self.swept_at = Some(now);
        self.windows.retain(|_, window| {
            window.slide(now);
            !window.0.is_empty()
        });
    }
}

impl SlidingWindow {
    /// Drops expired buckets; and future ones, after the clock was set back.
    fn slide(&mut self, now: Timestamp) {
        self.0
            .retain(|bucket| now.since(bucket.last) < WINDOW && bucket.last.since(now) < WINDOW);
    }

    /// How long to wait for one of `limit` a minute.
    fn wait(&self, limit: u32, now: Timestamp, counted: fn(&Bucket) -> u32) -> Duration {
        let taken: u32 = self.0.iter().map(counted).sum();
        if limit == 0 || taken < limit {
            return Duration::ZERO;
        }
        let oldest = self.0.iter().find(|bucket| counted(bucket) > 0);
        oldest.map_or(Duration::ZERO, |bucket| bucket.last.after(WINDOW).since(now))
    }

    fn add(&mut self, create: bool, now: Timestamp) {
        let creates = u32::from(create);
        match self.0.back_mut() {
            Some(bucket) if now.since(bucket.first) < BUCKET_WIDTH => {
                bucket.last = bucket.last.max(now);
                bucket.requests += 1;
                bucket.creates += creates;
            }
            _ => self.0.push_back(Bucket {
                first: now,
                last: now,
                requests: 1,
                creates,
            }),
        }
    }
}

impl RateLimiter {
    pub(crate) fn new(limits: RateLimits) -> Self {
        Self {
            limits,
            keys: Mutex::default(),
        }
    }

    /// Counts a request of the key with this hash, or returns how long to wait. A refused request is not
    /// counted.
    pub(crate) fn try_acquire(&self, key: &[u8; 32], create: bool, now: Timestamp) -> Result<(), Duration> {
        if self.limits.requests == 0 && self.limits.creates == 0 {
            return Ok(());
        }
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = &mut *keys;
        if keys.windows.len() >= MAX_KEYS && !keys.windows.contains_key(key) {
            keys.sweep(now);
            // Made-up keys must not shut out real ones. A request that passes here is not counted;
            // authentication refuses it if its key is unknown.
            if keys.windows.len() >= MAX_KEYS {
                return Ok(());
            }
        }
        let window = keys.windows.entry(*key).or_default();
        window.slide(now);
        let mut wait = window.wait(self.limits.requests, now, |bucket| bucket.requests);
        if create {
            wait = wait.max(window.wait(self.limits.creates, now, |bucket| bucket.creates));
        }
        if wait > Duration::ZERO {
            return Err(wait);
        }
        window.add(create, now);
        Ok(())
    }
}

/// Requests a minute to the pages of one signer or bulk signature from one network address: many pages of long documents,
/// and no more. Clients at other addresses with the same link are counted apart: they cannot shut the signer out.
const SIGNER_REQUESTS: u32 = 600;
/// Requests a minute from one network address: a whole office may sign behind it.
const ADDRESS_REQUESTS: u32 = 3000;
/// Files of evidence a minute for one signer: each is sealed anew.
const EVIDENCE_REQUESTS: u32 = 10;

/// The limits of the signers' pages: by signer and by network address.
#[derive(Debug)]
pub(crate) struct SignerLimits {
    signers: RateLimiter,
    addresses: RateLimiter,
    evidence: RateLimiter,
}

impl SignerLimits {
    pub(crate) fn new() -> Self {
        let limiter = |requests| RateLimiter::new(RateLimits { requests, creates: 0 });
        Self {
            signers: limiter(SIGNER_REQUESTS),
            addresses: limiter(ADDRESS_REQUESTS),
            evidence: limiter(EVIDENCE_REQUESTS),
        }
    }

    /// Counts a file of evidence, or returns how long to wait.
    pub(crate) fn try_acquire_evidence(&self, party: &[u8], now: Timestamp) -> Result<(), Duration> {
        self.evidence
            .try_acquire(&Sha256::digest(party).into(), false, now)
    }

    /// Counts a request, or returns how long to wait.
    pub(crate) fn try_acquire(&self, party: &[u8], address: IpAddr, now: Timestamp) -> Result<(), Duration> {
        let address = network_of(address);
        self.addresses
            .try_acquire(&Sha256::digest(&address).into(), false, now)?;
        let both = [party, &address].concat();
        self.signers.try_acquire(&Sha256::digest(both).into(), false, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_micros(0);

    fn limiter(requests: u32, creates: u32) -> RateLimiter {
        RateLimiter::new(RateLimits { requests, creates })
    }

    #[test]
    fn a_minute_has_so_many_and_says_when_the_next_begins() {
        let limiter = limiter(4, 2);
        let take = |create, seconds| {
            limiter.try_acquire(&[1; 32], create, START.after(Duration::from_secs(seconds)))
        };
        let wait = |seconds| Err::<(), _>(Duration::from_secs(seconds));
        assert_eq!((take(true, 0), take(true, 10)), (Ok(()), Ok(())));
        assert_eq!(take(true, 10), wait(50));
        assert_eq!((take(false, 20), take(false, 20)), (Ok(()), Ok(())));
        assert_eq!((take(false, 20), take(true, 20)), (wait(40), wait(40)));
        assert_eq!(take(false, 59), wait(1));
        assert_eq!((take(true, 60), take(true, 60)), (Ok(()), wait(10)));
        assert_eq!(limiter.try_acquire(&[2; 32], false, START), Ok(()));
    }

    #[test]
    fn what_is_refused_as_a_create_is_not_taken_from_the_requests_nor_the_other_way_round() {
        let creates = limiter(2, 1);
        let take = |create| creates.try_acquire(&[1; 32], create, START).is_ok();
        assert_eq!([take(true), take(true), take(false)], [true, false, true]);
        let requests = limiter(2, 2);
        let take = |create, seconds| {
            let at = START.after(Duration::from_secs(seconds));
            requests.try_acquire(&[1; 32], create, at).is_ok()
        };
        assert!(take(false, 0) && take(false, 30));
        assert!(!take(true, 30) && !take(true, 30));
        assert!(take(true, 60) && take(true, 90));
    }

    #[test]
    fn no_minute_has_more_than_the_limit_wherever_it_begins() {
        for burst in [0, 300, 595, 605, 1190] {
            let limiter = limiter(60, 0);
            let mut admitted: Vec<Timestamp> = Vec::new();
            for tick in 0..1800 {
                let now = START.after(Duration::from_millis(100 * tick));
                let tries = if tick == burst { 100 } else { 1 };
                for _ in 0..tries {
                    admitted.extend(limiter.try_acquire(&[1; 32], false, now).is_ok().then_some(now));
                }
            }
            for (index, first) in admitted.iter().enumerate() {
                let minute = admitted[index..].iter();
                let minute = minute.take_while(|at| at.since(*first) < WINDOW);
                assert!(minute.count() <= 60, "{burst}: {first:?}");
            }
            assert_eq!(admitted.len(), 180, "{burst}: each of three minutes has its own");
        }
    }

    #[test]
    fn a_clock_set_back_locks_no_client_out() {
        let limiter = limiter(1, 0);
        let later = START.after(Duration::from_hours(1));
        assert_eq!(limiter.try_acquire(&[1; 32], false, later), Ok(()));
        assert_eq!(limiter.try_acquire(&[1; 32], false, START), Ok(()));
    }

    #[test]
    fn made_up_keys_shut_no_client_out() {
        let limiter = limiter(1, 0);
        for number in 0..MAX_KEYS {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&number.to_be_bytes());
            assert_eq!(limiter.try_acquire(&key, false, START), Ok(()));
        }
        let take = |seconds| limiter.try_acquire(&[1; 32], false, START.after(Duration::from_secs(seconds)));
        assert_eq!(
            [take(30), take(31)],
            [Ok(()); 2],
            "not counted while there is no room"
        );
        assert_eq!(take(60), Ok(()));
        assert_eq!(take(61), Err(Duration::from_secs(59)));
    }

    #[test]
    fn zero_is_without_limit() {
        let limiter = RateLimiter::new(RateLimits::default());
        assert!((0..1000).all(|_| limiter.try_acquire(&[1; 32], true, START).is_ok()));
    }
}
