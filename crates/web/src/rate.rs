//! How many requests a key may make: a bucket a key, refilled evenly.

use domain::Timestamp;
use std::collections::HashMap;
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

/// Keys whose buckets are remembered at the same time.
const KEYS: usize = 100_000;
const MINUTE: Duration = Duration::from_mins(1);

/// The buckets.
#[derive(Debug)]
pub(crate) struct Limiter {
    limits: RateLimits,
    buckets: Mutex<HashMap<[u8; 32], Buckets>>,
}

#[derive(Debug, Clone, Copy)]
struct Buckets {
    requests: Bucket,
    creates: Bucket,
}

/// When the bucket would be full again if nothing more were taken.
#[derive(Debug, Clone, Copy)]
struct Bucket(Timestamp);

impl Bucket {
    /// Takes one of `limit` a minute, or says how long to wait for it.
    fn take(&mut self, limit: u32, now: Timestamp) -> Result<(), Duration> {
        if limit == 0 {
            return Ok(());
        }
        let each = MINUTE / limit;
        let full_at = self.0.max(now).after(each);
        let over = full_at.since(now.after(MINUTE));
        if over > Duration::ZERO {
            return Err(over);
        }
        self.0 = full_at;
        Ok(())
    }
}

impl Limiter {
    pub(crate) fn new(limits: RateLimits) -> Self {
        Self {
            limits,
            buckets: Mutex::default(),
        }
    }

    /// Takes one request of the key with this hash, or says how long to wait.
    pub(crate) fn take(&self, key: &[u8; 32], create: bool, now: Timestamp) -> Result<(), Duration> {
        if self.limits.requests == 0 && self.limits.creates == 0 {
            return Ok(());
        }
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= KEYS && !buckets.contains_key(key) {
            buckets.retain(|_, b| b.requests.0 > now || b.creates.0 > now);
            if buckets.len() >= KEYS {
                return Err(MINUTE);
            }
        }
        let fresh = Buckets {
            requests: Bucket(now),
            creates: Bucket(now),
        };
        let bucket = buckets.entry(*key).or_insert(fresh);
        if create {
            bucket.creates.take(self.limits.creates, now)?;
        }
        bucket.requests.take(self.limits.requests, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_has_so_many_and_refills_evenly() {
        let limiter = Limiter::new(RateLimits {
            requests: 4,
            creates: 2,
        });
        let start = Timestamp::from_micros(0);
        let take =
            |create, seconds| limiter.take(&[1; 32], create, start.after(Duration::from_secs(seconds)));
        assert_eq!((take(true, 0), take(true, 0)), (Ok(()), Ok(())));
        assert_eq!(take(true, 0), Err(Duration::from_secs(30)));
        assert_eq!((take(false, 0), take(false, 0)), (Ok(()), Ok(())));
        assert_eq!(take(false, 0), Err(Duration::from_secs(15)));
        assert_eq!(take(false, 15), Ok(()));
        assert_eq!(limiter.take(&[2; 32], false, start), Ok(()));
    }

    #[test]
    fn zero_is_without_limit() {
        let limiter = Limiter::new(RateLimits::default());
        assert!((0..1000).all(|_| limiter.take(&[1; 32], true, Timestamp::from_micros(0)).is_ok()));
    }
}
