//! How many creates the program makes durable in the time that the bare write path needs for one.

use super::{DOCUMENT, ROUNDS};
use crate::comparison::{Side, alternating};
use crate::load::{self, Client};
use crate::report::{Line, Target, median};
use crate::requests::{As, Create};
use crate::servers::{Firmeza, Peer};
use parts::Result;
use std::cell::RefCell;
use std::time::Instant;

const CLIENTS: usize = 16;
const CREATES: u64 = 1_000;

pub(super) fn measure() -> Result<Vec<Line>> {
    let (firmeza, bare) = (Firmeza::start()?, Peer::start("bare", |_| Ok(()))?);
    let create = Create::new(&firmeza.key, DOCUMENT, As::File);
    let (rate, bare_rate) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let timed = |rates: &RefCell<Vec<f64>>, work: &dyn Fn() -> Result<f64>| {
        let begun = Instant::now();
        let done = work()?;
        rates.borrow_mut().push(done / begun.elapsed().as_secs_f64());
        Ok(done)
    };
    // What the bare path writes is made before its time is taken.
    let prepare = || {
        let request = format!("GET /prepare?{CREATES} HTTP/1.1\r\nHost: bench\r\n\r\n");
        Client::connect(bare.port)?.ask(&[request.as_bytes()]).map(drop)
    };
    let write = || {
        Client::connect(bare.port)?.ask(&[b"GET /write HTTP/1.1\r\nHost: bench\r\n\r\n"])?;
        #[expect(clippy::cast_precision_loss, reason = "a small count")]
        Ok(CREATES as f64)
    };
    let costs = alternating(
        ROUNDS,
        Side::new(firmeza.process()?, || {
            timed(&rate, &|| {
                load::run(firmeza.port, CLIENTS, CREATES, |client, _| {
                    create.send(client).map(drop)
                })
            })
        }),
        Side::new(bare.process()?, || timed(&bare_rate, &write)).after(prepare),
    )?;
    let (value, spread) = costs.yield_ratio();
    let (ours, theirs) = costs.milliseconds();
    let clock = |rates: RefCell<Vec<f64>>| median(rates.into_inner().into_iter().skip(1));
    Ok(vec![Line {
        name: "create-rate",
        value,
        spread,
        unit: "x",
        target: Target::AtLeast(0.4),
        detail: format!(
            "{:.0} creates a second of CPU; the bare path {:.0} (by the clock {:.0} with the clients beside them, and {:.0})",
            1000.0 / ours,
            1000.0 / theirs,
            clock(rate),
            clock(bare_rate)
        ),
    }])
}
