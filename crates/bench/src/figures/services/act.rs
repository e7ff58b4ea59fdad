//! What a signer's act costs on `PostgreSQL` and S3, against the same statements and what it cannot do without.

use super::{MAX_RATIO, OURS, floor};
use crate::comparison::{Side, alternating};
use crate::figures::act::{ACTS, acts, ask};
use crate::figures::{DOCUMENT, ROUNDS};
use crate::report::{Line, Target};
use crate::servers::Peer;
use crate::services::Services;
use parts::Result;

/// Acts that the floor repeats.
const RECORDED: usize = 32;

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    let services = Services::start()?;
    let peer = Peer::start_on("acts", services.backend(OURS)?, |_| Ok(()))?;
    ask(&peer, &format!("/prepare?{RECORDED},1,{DOCUMENT}"))?;
    let recording = services.record(OURS, ("INSERT INTO increments ", RECORDED), || ask(&peer, "/act"))?;
    let floor = floor(&services, &recording, 2)?;
    let unavoidable = || {
        ask(&floor, &format!("/act?{ACTS}"))?;
        Ok(f64::from(ACTS))
    };
    let costs = alternating(
        ROUNDS,
        acts(&peer, (ACTS, 1, DOCUMENT))?,
        Side::new(floor.process()?, unavoidable),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "act-services",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(MAX_RATIO),
        detail: format!("{ours:.3} ms of CPU; the floor {theirs:.3}"),
    }])
}
