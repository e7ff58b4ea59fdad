//! What the create of a large document costs, against reading the same request and hashing it.

use super::ROUNDS;
use crate::comparison::{Side, alternating};
use crate::load;
use crate::report::{Line, Target};
use crate::requests::{As, Create};
use crate::servers::{Firmeza, Peer};
use parts::Result;

const CLIENTS: usize = 4;
const CREATES: u64 = 40;
const DOCUMENT_BYTES: usize = 10_000_000;

pub(super) fn measure() -> Result<Vec<Line>> {
    let (firmeza, hash) = (Firmeza::start()?, Peer::start("hash", |_| Ok(()))?);
    let create = Create::new(&firmeza.key, DOCUMENT_BYTES, As::File);
    let load = |port| load::run(port, CLIENTS, CREATES, |client, _| create.send(client).map(drop));
    let costs = alternating(
        ROUNDS,
        Side::new(firmeza.process()?, || load(firmeza.port)),
        Side::new(hash.process()?, || load(hash.port)),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "create-large",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(1.8),
        detail: format!("{ours:.1} ms of CPU for 10 MB; read and hashed only {theirs:.1}"),
    }])
}
