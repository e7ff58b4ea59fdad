//! The verification itself: on blocking threads, with limits on concurrency, time, memory and requests per
//! address.

use crate::Web;
use crate::rate::{Limiter, RateLimits};
use domain::Timestamp;
use pades::verify::{Policy, Report, verify};
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Files an address may have checked in a minute.
const A_MINUTE: u32 = 20;
/// Files checked at once.
const AT_ONCE: usize = 2;
/// Megabytes of files held at once.
const MEGABYTES: usize = 160;
/// How long a verification may take, and how long it may wait for a permit.
const PATIENCE: Duration = Duration::from_secs(30);

/// Verifies files within the limits.
#[derive(Debug)]
pub(crate) struct Verifier {
    limiter: Limiter,
    turns: Arc<Semaphore>,
    room: Arc<Semaphore>,
}

/// An uploaded file, and its share of the memory limit.
#[derive(Debug)]
pub(super) struct Uploaded {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) room: OwnedSemaphorePermit,
}

/// The result of a file, whose bytes are freed.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) sha256: [u8; 32],
    pub(super) report: Report,
}

impl Verifier {
    pub(crate) fn new() -> Self {
        Self {
            limiter: Limiter::new(RateLimits {
                requests: A_MINUTE,
                creates: 0,
            }),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            room: Arc::new(Semaphore::new(MEGABYTES)),
        }
    }

    /// Counts a file against an address, or says how long to wait.
    pub(super) fn admit(&self, address: IpAddr, now: Timestamp) -> Result<(), Duration> {
        // The first 64 bits of an IPv6 address are one customer's network.
        let who = match address {
            IpAddr::V4(address) => address.octets().to_vec(),
            IpAddr::V6(address) => address.octets()[..8].to_vec(),
        };
        self.limiter.take(&Sha256::digest(who).into(), false, now)
    }

    /// Reserves memory for a file; `None` when too little is free.
    pub(super) fn room_for(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let megabytes = u32::try_from((bytes >> 20) + 1).ok()?;
        let megabytes = megabytes.min(u32::try_from(MEGABYTES).ok()?);
        Arc::clone(&self.room).try_acquire_many_owned(megabytes).ok()
    }

    /// Verifies a file; `None` when no permit is free in time.
    pub(super) async fn judge(&self, web: &Web, file: Uploaded) -> Option<Judged> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = tokio::time::timeout(PATIENCE, turn).await.ok()?.ok()?;
        let app = web.app.clone();
        let judging = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let roots = [app.notary.root().clone()];
            let now = jiff::Timestamp::from_microsecond(app.clock.now().as_micros());
            let crls = app.notary.crls(app.clock.now())?;
            let mut policy = Policy::new(&roots, now.unwrap_or(jiff::Timestamp::UNIX_EPOCH));
            policy.crls = &crls;
            policy.time_roots = app.notary.time_roots();
            policy.limits.bytes = policy.limits.bytes.max(file.bytes.len());
            let judged = Judged {
                sha256: Sha256::digest(&file.bytes).into(),
                report: verify(&file.bytes, &policy),
                name: file.name,
            };
            drop((file.bytes, file.room));
            Ok::<_, app::Error>(judged)
        });
        match tokio::time::timeout(PATIENCE, judging).await {
            Ok(Ok(Ok(judged))) => Some(judged),
            Ok(Ok(Err(error))) => {
                tracing::error!(%error, "the authority's lists could not be made");
                None
            }
            Ok(Err(error)) => {
                tracing::error!(%error, "a file could not be checked");
                None
            }
            Err(_) => None,
        }
    }
}
