//! The verification itself: on blocking threads, with limits on concurrency, time, memory and requests per
//! address.

use crate::Web;
use crate::http::rate_limit::{RateLimiter, RateLimits};
use app::shared::admission::{AdmissionLimits, AdmissionQueue};
use domain::{Causes, Timestamp};
use pades::verify::{Policy, Report, verify};
use pki::cms::Certificate;
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Files an address may have checked in a minute.
const FILES_PER_MINUTE: u32 = 20;
/// Megabytes of files held in memory at the same time.
const MAX_MEGABYTES: usize = 160;
/// How long a verification may take, and how long it may wait for a permit.
const VERIFICATION_TIMEOUT: Duration = Duration::from_secs(30);
/// The memory limit bounds the waiting files, too.
const VERIFICATION_LIMITS: AdmissionLimits = AdmissionLimits {
    running: 2,
    admitted: MAX_MEGABYTES,
    timeout: VERIFICATION_TIMEOUT,
};

/// Verifies files within the limits.
#[derive(Debug)]
pub(crate) struct Verifier {
    limiter: RateLimiter,
    queue: AdmissionQueue,
    memory: Arc<Semaphore>,
}

/// An uploaded file, and its share of the memory limit.
#[derive(Debug)]
pub(super) struct UploadedFile {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) memory: OwnedSemaphorePermit,
}

/// The result of a file, whose bytes are freed.
#[derive(Debug)]
pub(super) struct VerifiedFile {
    pub(super) name: String,
    pub(super) sha256: [u8; 32],
    pub(super) size: usize,
    pub(super) report: Report,
}

impl Verifier {
    pub(crate) fn new() -> Self {
        Self {
            limiter: RateLimiter::new(RateLimits {
                requests: FILES_PER_MINUTE,
                creates: 0,
            }),
            queue: AdmissionQueue::new(VERIFICATION_LIMITS),
            memory: Arc::new(Semaphore::new(MAX_MEGABYTES)),
        }
    }

    /// Counts a file against an address, or says how long to wait.
    pub(super) fn check_rate(&self, address: IpAddr, now: Timestamp) -> Result<(), Duration> {
        // The first 64 bits of an IPv6 address are one customer's network.
        let network = match address {
            IpAddr::V4(address) => address.octets().to_vec(),
            IpAddr::V6(address) => address.octets()[..8].to_vec(),
        };
        self.limiter
            .try_acquire(&Sha256::digest(network).into(), false, now)
    }

    /// Reserves memory for a file; `None` when too little is free.
    pub(super) fn reserve_memory(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let megabytes = u32::try_from((bytes >> 20) + 1).ok()?;
        let megabytes = megabytes.min(u32::try_from(MAX_MEGABYTES).ok()?);
        Arc::clone(&self.memory).try_acquire_many_owned(megabytes).ok()
    }

    /// Verifies a file; `None` when no permit is free in time.
    pub(super) async fn verify(&self, web: &Web, file: UploadedFile) -> Option<VerifiedFile> {
        let permit = self.queue.acquire().await.ok()?;
        let app = web.app.clone();
        let verification = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let roots = std::iter::once(app.notary.root()).chain(app.notary.bought_issuer());
            let roots: Vec<Certificate> = roots.cloned().collect();
            let other_roots = app.notary.other_roots().iter().chain(app.notary.bought_roots());
            let other_roots: Vec<Certificate> = other_roots.cloned().collect();
            let time_roots = app.notary.time_roots();
            let now = jiff::Timestamp::from_microsecond(app.clock.now().as_micros());
            let crls = app.notary.crls(app.clock.now())?;
            let mut policy = Policy::new(&roots, now.unwrap_or(jiff::Timestamp::UNIX_EPOCH));
            policy.crls = &crls;
            policy.other_roots = &other_roots;
            policy.time_roots = &time_roots;
            policy.limits.bytes = policy.limits.bytes.max(file.bytes.len());
            let verified = VerifiedFile {
                sha256: Sha256::digest(&file.bytes).into(),
                size: file.bytes.len(),
                report: verify(&file.bytes, &policy),
                name: file.name,
            };
            drop((file.bytes, file.memory));
            Ok::<_, app::Error>(verified)
        });
        match tokio::time::timeout(VERIFICATION_TIMEOUT, verification).await {
            Ok(Ok(Ok(verified))) => Some(verified),
            Ok(Ok(Err(error))) => {
                tracing::error!(error = %Causes(&error), "the authority's revocation lists could not be made");
                None
            }
            Ok(Err(error)) => {
                tracing::error!(error = %Causes(&error), "a file could not be verified");
                None
            }
            Err(_) => None,
        }
    }
}
