//! A timestamping authority to test with.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "every test program uses its own part")]

use pki::authority::{Authority, LocalKey, Role};
use pki::time::{BASELINE_POLICY, TimeStampAuthority};

use crate::authority_tools::{installation, rng, years};

pub(crate) fn stamping(authority: &Authority, key: LocalKey) -> TimeStampAuthority<LocalKey> {
    let subject = installation("Estampado");
    let credential = authority
        .issuer()
        .credential(Role::TimeStamping, key, &subject, years(10), &rng());
    TimeStampAuthority::new(credential.unwrap(), BASELINE_POLICY).unwrap()
}
