//! A timestamp authority that fails from time to time.

use crate::world::World;
use app::{TimeStamping, TimestampTransport};
use aws_lc_rs::rand::SystemRandom;
use pki::authority::{LocalKey, Role, Root, Subject, Validity};
use pki::cms::Certificate;
use pki::time::{BASELINE_POLICY, TimeStampAuthority};
use std::sync::{Arc, LazyLock};

/// Made once: keys cost more than a simulated minute.
static AUTHORITY: LazyLock<(Certificate, TimeStampAuthority<LocalKey>)> = LazyLock::new(|| {
    let rng = SystemRandom::new();
    let subject = |what: &str| Subject::of_installation(&format!("Otra {what}"), None, None).unwrap();
    let years = |years| Validity::of_years("2025-01-01T00:00:00Z".parse().unwrap(), years).unwrap();
    let key = || Arc::new(LocalKey::generate().unwrap());
    let root = Root::create(key(), &subject("raíz"), years(30), &rng).unwrap();
    let issuer = root.issuer(key(), &subject("emisor"), years(20), &rng).unwrap();
    let key = LocalKey::generate().unwrap();
    let credential = issuer.credential(Role::TimeStamping, key, &subject("tiempo"), years(10), &rng);
    let stamps = TimeStampAuthority::new(credential.unwrap(), BASELINE_POLICY).unwrap();
    (root.certificate().clone(), stamps)
});

#[derive(Debug)]
struct Unreliable(Arc<World>);

impl TimestampTransport for Unreliable {
    fn exchange(&self, request: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        let fails = self.0.fails(3);
        self.0.note(format_args!(
            "timestamp: {}",
            if fails { "no answer" } else { "made" }
        ));
        if fails {
            return Err("no answer".into());
        }
        let now = jiff::Timestamp::from_microsecond(self.0.now().as_micros())?;
        Ok(AUTHORITY.1.answer(request, now, &SystemRandom::new()))
    }
}

/// The authority, as an instance knows it.
pub(crate) fn time_stamping(world: &Arc<World>) -> TimeStamping {
    let transport = Arc::new(Unreliable(Arc::clone(world)));
    TimeStamping::new("simulated", transport, vec![AUTHORITY.0.clone()])
}
