//! What fifty folios in one read cost, against fifty reads of one.

use super::ROUNDS;
use crate::comparison::{Side, alternating};
use crate::load;
use crate::report::{Line, Target};
use crate::requests;
use crate::servers::Firmeza;
use parts::Result;

const CLIENTS: usize = 8;
const READS: u64 = 400;
const FOLIOS: u64 = 1_000;
/// Bytes of the folios' documents, which are not read here.
const DOCUMENT_BYTES_SMALL: usize = 40_000;

pub(super) fn measure() -> Result<Vec<Line>> {
    let firmeza = Firmeza::start()?;
    let ids = firmeza.create_folios(FOLIOS, DOCUMENT_BYTES_SMALL)?;
    let single: Vec<Vec<u8>> = ids
        .iter()
        .map(|id| requests::read_one(&firmeza.key, id))
        .collect();
    let fifty: Vec<Vec<u8>> = ids
        .chunks_exact(50)
        .map(|ids| requests::read_many(&firmeza.key, ids))
        .collect();
    let load = |requests: &[Vec<u8>], reads| {
        load::run(firmeza.port, CLIENTS, reads, |client, number| {
            let at = usize::try_from(number).unwrap_or(0) % requests.len();
            client.ask(&[&requests[at]]).map(drop)
        })
    };
    // Both sides are counted in reads of fifty folios.
    let costs = alternating(
        ROUNDS,
        Side::new(firmeza.process()?, || load(&fifty, READS)),
        Side::new(firmeza.process()?, || Ok(load(&single, READS * 50)? / 50.0)),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "read-many",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(0.4),
        detail: format!("{ours:.3} ms of CPU for 50 folios; one by one {theirs:.3}"),
    }])
}
