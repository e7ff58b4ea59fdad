//! Creates a second by the clock with three instances on the same `PostgreSQL` and S3, against one.

use crate::comparison::{Side, alternating};
use crate::cpu;
use crate::figures::{DOCUMENT, ROUNDS};
use crate::load;
use crate::report::{Line, Target, median};
use crate::requests::{As, Create};
use crate::servers::Firmeza;
use crate::services::{Meter, Services};
use parts::Result;
use std::cell::RefCell;
use std::time::Instant;

const CLIENTS: usize = 24;
const CREATES: u64 = 400;

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    let services = Services::start()?;
    let first = Firmeza::start_on(services.backend("ours")?)?;
    let others = [first.join(None)?, first.join(None)?];
    let all = [first.port, others[0].port, others[1].port];
    let create = Create::new(&first.key, DOCUMENT, As::File);
    let (one, three) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let meter = Meter::new(&services);
    let load = |ports: &[u16], rates: &RefCell<Vec<f64>>| {
        let begun = Instant::now();
        let done = load::run_on(ports, CLIENTS, CREATES, |client, _| create.send(client).map(drop))?;
        rates.borrow_mut().push(done / begun.elapsed().as_secs_f64());
        Ok(done)
    };
    // The rates are wanted; the processor time of one instance alone says nothing about three.
    let process = first.process()?;
    alternating(
        ROUNDS,
        Side::new(process, || meter.count(|| load(&all, &three))),
        Side::new(process, || load(&all[..1], &one)),
    )?;
    let rate = |rates: RefCell<Vec<f64>>| median(rates.into_inner().into_iter().skip(1));
    let (one, three) = (rate(one), rate(three));
    let resident = cpu::memory(process)?.0;
    Ok(vec![Line {
        name: "instances",
        value: three / one,
        spread: None,
        unit: "x",
        // All of it shares one machine with the clients: more instances are no faster there, and must be hardly slower.
        target: Target::AtLeast(0.8),
        detail: format!(
            "{one:.0} creates a second with one instance, {three:.0} with three, all on this machine; beside three {}; {resident:.0} MiB resident",
            meter.words()
        ),
    }])
}
