//! What a create costs the service on `PostgreSQL` and S3, against the same statements and puts alone.

use super::{MAX_RATIO, OURS, floor};
use crate::comparison::{Side, alternating};
use crate::figures::{DOCUMENT, ROUNDS};
use crate::load;
use crate::report::{Line, Target};
use crate::requests::{As, Create};
use crate::servers::Firmeza;
use crate::services::Services;
use parts::Result;

const CLIENTS: usize = 8;
const CREATES: u64 = 300;
/// Creates that the floor repeats.
const RECORDED: usize = 32;

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    let services = Services::start()?;
    let firmeza = Firmeza::start_on(services.backend(OURS)?)?;
    let create = Create::new(&firmeza.key, DOCUMENT, As::File);
    let load = |port, count| load::run(port, CLIENTS, count, |client, _| create.send(client).map(drop));
    // The first ones warm up: they find out what is known later.
    load(firmeza.port, CREATES)?;
    let recording = services.record(OURS, ("INSERT INTO folios ", RECORDED), || {
        load(firmeza.port, RECORDED as u64).map(drop)
    })?;
    let answer = create.send(&mut load::Client::connect(firmeza.port)?)?.length;
    let floor = floor(&services, &recording, answer)?;
    let costs = alternating(
        ROUNDS,
        Side::new(firmeza.process()?, || load(firmeza.port, CREATES)),
        Side::new(floor.process()?, || load(floor.port, CREATES)),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "create-services",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(MAX_RATIO),
        detail: format!("{ours:.3} ms of CPU; the floor {theirs:.3}"),
    }])
}
