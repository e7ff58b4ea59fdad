//! What it costs to start, up to the first answer.

use crate::cpu;
use crate::load::Client;
use crate::report::{Line, Target, median};
use crate::requests;
use crate::servers::Firmeza;
use parts::{Error, Result};
use std::time::{Duration, Instant};

const STARTS: usize = 9;
const FOLIOS: u64 = 1_000;
const DOCUMENT_BYTES_SMALL: usize = 40_000;
const START_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) fn measure() -> Result<Vec<Line>> {
    let mut firmeza = Firmeza::start()?;
    let ids = firmeza.create_folios(FOLIOS, DOCUMENT_BYTES_SMALL)?;
    let id = ids.first().ok_or_else(|| Error::new("no folio was made"))?;
    let request = requests::read_one(&firmeza.key, id);
    firmeza.stop()?;
    let mut costs = Vec::new();
    for _ in 0..STARTS {
        firmeza.launch()?;
        let begun = Instant::now();
        let mut client = loop {
            match Client::connect(firmeza.port) {
                Err(error) if begun.elapsed() > START_TIMEOUT => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
                Ok(client) => break client,
            }
        };
        client.ask(&[&request])?;
        costs.push(cpu::seconds_now(firmeza.process()?)?);
        drop(client);
        firmeza.stop()?;
    }
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = costs.iter().copied().fold(0.0, f64::max);
    Ok(vec![Line {
        name: "start",
        value: median(costs),
        spread: Some((least, most)),
        unit: " s",
        target: Target::AtMost(0.2),
        detail: "of CPU, from the start to the answer to a read".into(),
    }])
}
