//! What reading a folio costs, against an answer of the same bytes from one `SQLite` read.

use super::ROUNDS;
use crate::comparison::{Side, alternating};
use crate::load::{self, Client};
use crate::peers::fill_rows;
use crate::report::{Line, Target};
use crate::requests;
use crate::servers::{Firmeza, Peer};
use parts::{Error, Result};

const CLIENTS: usize = 8;
const READS: u64 = 10_000;
const FOLIOS: u64 = 1_000;
/// Bytes of the folios' documents, which are not read here.
const DOCUMENT_BYTES_SMALL: usize = 40_000;

pub(super) fn measure() -> Result<Vec<Line>> {
    let firmeza = Firmeza::start()?;
    let ids = firmeza.create_folios(FOLIOS, DOCUMENT_BYTES_SMALL)?;
    let requests: Vec<Vec<u8>> = ids
        .iter()
        .map(|id| requests::read_one(&firmeza.key, id))
        .collect();
    let mut client = Client::connect(firmeza.port)?;
    let answers: Result<Vec<_>> = ids
        .iter()
        .zip(&requests)
        .map(|(id, request)| Ok((id.clone(), client.ask(&[request])?.body.to_vec())))
        .collect();
    let answers = answers?;
    let row = Peer::start("row", |directory| fill_rows(directory, &answers))?;
    let load = |port| {
        load::run(port, CLIENTS, READS, |client, number| {
            let at = usize::try_from(number).unwrap_or(0) % requests.len();
            let answer = client.ask(&[&requests[at]])?;
            if answer.length == answers[at].1.len() {
                Ok(())
            } else {
                Err(Error::new("the two do not answer alike"))
            }
        })
    };
    let costs = alternating(
        ROUNDS,
        Side::new(firmeza.process()?, || load(firmeza.port)),
        Side::new(row.process()?, || load(row.port)),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "read-one",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(3.0),
        detail: format!("{ours:.4} ms of CPU; hyper with one row {theirs:.4}"),
    }])
}
