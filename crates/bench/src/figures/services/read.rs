//! What the read of a folio costs the service on `PostgreSQL`, against the same statements alone.

use super::{MAX_RATIO, OURS, floor};
use crate::comparison::{Side, alternating};
use crate::figures::ROUNDS;
use crate::load::{self, Client};
use crate::report::{Line, Target};
use crate::requests;
use crate::servers::Firmeza;
use crate::services::Services;
use parts::Result;

const CLIENTS: usize = 8;
const READS: u64 = 3_000;
const FOLIOS: usize = 200;
/// Bytes of the folios' documents, which are not read here.
const DOCUMENT_BYTES_SMALL: usize = 40_000;
/// What the statement that finds a folio has in it.
const FINDS_FOLIO: &str = "FROM folios";

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    let services = Services::start()?;
    let firmeza = Firmeza::start_on(services.backend(OURS)?)?;
    let ids = firmeza.create_folios(FOLIOS as u64, DOCUMENT_BYTES_SMALL)?;
    let requests: Vec<Vec<u8>> = ids
        .iter()
        .map(|id| requests::read_one(&firmeza.key, id))
        .collect();
    let load = |port, count| {
        load::run(port, CLIENTS, count, |client, number| {
            let at = usize::try_from(number).unwrap_or(0) % requests.len();
            client.ask(&[&requests[at]]).map(drop)
        })
    };
    load(firmeza.port, READS)?;
    let recording = services.record(OURS, (FINDS_FOLIO, FOLIOS), || {
        load(firmeza.port, FOLIOS as u64).map(drop)
    })?;
    let answer = Client::connect(firmeza.port)?.ask(&[&requests[0]])?.length;
    let floor = floor(&services, &recording, answer)?;
    let costs = alternating(
        ROUNDS,
        Side::new(firmeza.process()?, || load(firmeza.port, READS)),
        Side::new(floor.process()?, || load(floor.port, READS)),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "read-services",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(MAX_RATIO),
        detail: format!("{ours:.3} ms of CPU; the floor {theirs:.3}"),
    }])
}
