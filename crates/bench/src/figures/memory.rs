//! The memory of the program at rest, and how much more it takes while many clients upload large documents.

use crate::cpu;
use crate::load;
use crate::report::{Line, Target};
use crate::requests::{As, Create};
use crate::servers::Firmeza;
use parts::Result;
use std::time::Duration;

const CLIENTS: usize = 32;
const UPLOADS: u64 = 64;
const DOCUMENT_BYTES: usize = 25 << 20;
const FOLIOS: u64 = 1_000;
const DOCUMENT_BYTES_SMALL: usize = 40_000;

pub(super) fn measure() -> Result<Vec<Line>> {
    let mut firmeza = Firmeza::start()?;
    firmeza.create_folios(FOLIOS, DOCUMENT_BYTES_SMALL)?;
    firmeza.stop()?;
    firmeza.run()?;
    std::thread::sleep(Duration::from_secs(1));
    let process = firmeza.process()?;
    let (idle, _) = cpu::memory(process)?;
    cpu::reset_peak(process)?;
    let create = Create::new(&firmeza.key, DOCUMENT_BYTES, As::File);
    let uploads = load::run(firmeza.port, CLIENTS, UPLOADS, |client, _| {
        create.send(client).map(drop)
    })?;
    let (after, peak) = cpu::memory(process)?;
    let line = |name, value, most, detail| Line {
        name,
        value,
        spread: None,
        unit: " MiB",
        target: Target::AtMost(most),
        detail,
    };
    Ok(vec![
        line(
            "memory-idle",
            idle,
            30.0,
            "resident, after a start with 1,000 folios".into(),
        ),
        line(
            "memory-growth",
            peak - idle,
            64.0,
            format!("{uploads} uploads of 25 MiB by {CLIENTS} clients; {after:.1} MiB resident afterwards"),
        ),
    ])
}
