//! What a create costs, against the least that a durable create can cost.

use super::{DOCUMENT, ROUNDS};
use crate::comparison::{Side, alternating};
use crate::load;
use crate::report::{Line, Target};
use crate::requests::{As, Create};
use crate::servers::{Firmeza, Peer};
use parts::Result;

const CLIENTS: usize = 8;
const CREATES: u64 = 1_000;
/// A file system may make new files dearer for minutes after many were removed: so many rounds outlast some of that.
const CREATE_ROUNDS: usize = 2 * ROUNDS;

pub(super) fn measure() -> Result<Vec<Line>> {
    let (firmeza, floor) = (Firmeza::start()?, Peer::start("floor", |_| Ok(()))?);
    let create = Create::new(&firmeza.key, DOCUMENT, As::File);
    let load = |port| load::run(port, CLIENTS, CREATES, |client, _| create.send(client).map(drop));
    let costs = alternating(
        CREATE_ROUNDS,
        Side::new(firmeza.process()?, || load(firmeza.port)),
        Side::new(floor.process()?, || load(floor.port)),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "create",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(2.3),
        detail: format!("{ours:.3} ms of CPU; the floor {theirs:.3}"),
    }])
}
