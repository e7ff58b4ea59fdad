//! Documents that a backup and a restore copy in a second, from and to an S3 storage that answers as late as a distant one. A
//! restore checks everything afterwards, which counts.

use crate::figures::DOCUMENT;
use crate::report::{Line, Target};
use crate::servers::{Backend, Firmeza};
use crate::services::Services;
use parts::{Error, Result, SlowRelay};
use std::time::{Duration, Instant};

const FOLIOS: u64 = 2_000;
const LATENCY: Duration = Duration::from_millis(39);
const ENDPOINT: &str = "AWS_ENDPOINT_URL";

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    let services = Services::start()?;
    let near = services.backend("source")?;
    let mut source = Firmeza::start_on(near.clone())?;
    source.create_folios(FOLIOS, DOCUMENT)?;
    source.stop()?;
    let (_relay, far) = far(near)?;
    let directory = source.data().join("backup");
    let path = directory.to_string_lossy();
    let backup = rate(|| source.run_with(&far, &["backup", &path, "--with-master-key"]))?;
    let again = rate(|| source.run_with(&far, &["backup", &path, "--with-master-key"]))?;
    let (_relay, far) = self::far(services.backend("target")?)?;
    let target = Firmeza::bare(far.clone())?;
    let restore = rate(|| target.run_with(&far, &["restore", &path]))?;
    let inspect = rate(|| target.run_with(&far, &["inspect"]))?;
    Ok(vec![
        line(
            "backup",
            backup,
            &format!("{again:.0} a second when it is repeated, with every byte on both sides hashed"),
        ),
        line(
            "restore",
            restore,
            &format!("with the whole check, which alone takes {inspect:.0} a second"),
        ),
    ])
}

/// The same storage by a slow way.
fn far(near: Backend) -> Result<(SlowRelay, Backend)> {
    let endpoint = near.iter().find(|(name, _)| *name == ENDPOINT);
    let port = endpoint.and_then(|(_, url)| url.trim_end_matches('/').rsplit_once(':')?.1.parse().ok());
    let port = port.ok_or_else(|| Error::new("no port of the S3 service"))?;
    let relay = SlowRelay::to(port, LATENCY)?;
    let url = format!("http://127.0.0.1:{}", relay.port());
    let mut far: Backend = near.into_iter().filter(|(name, _)| *name != ENDPOINT).collect();
    far.push((ENDPOINT, url));
    Ok((relay, far))
}

/// Documents a second.
fn rate(run: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begun = Instant::now();
    run()?;
    #[expect(clippy::cast_precision_loss, reason = "there are few of them")]
    let documents = FOLIOS as f64;
    Ok(documents / begun.elapsed().as_secs_f64())
}

fn line(name: &'static str, value: f64, detail: &str) -> Line {
    Line {
        name,
        value,
        spread: None,
        unit: "/s",
        target: Target::AtLeast(500.0),
        detail: format!("documents of 100 KB, each answer of the storage 39 ms late; {detail}"),
    }
}
