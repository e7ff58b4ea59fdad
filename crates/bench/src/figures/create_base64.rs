//! What a create costs whose document comes as base64, against one whose document comes as a file.

use super::{DOCUMENT, ROUNDS};
use crate::comparison::{Side, alternating};
use crate::load;
use crate::report::{Line, Target};
use crate::requests::{As, Create};
use crate::servers::Firmeza;
use parts::{Error, Result};

const CLIENTS: usize = 8;
const CREATES: u64 = 1_000;

pub(super) fn measure() -> Result<Vec<Line>> {
    let firmeza = Firmeza::start()?;
    let side = |travels| {
        let create = Create::new(&firmeza.key, DOCUMENT, travels);
        let port = firmeza.port;
        let load = move || load::run(port, CLIENTS, CREATES, |client, _| create.send(client).map(drop));
        Ok::<_, Error>(Side::new(firmeza.process()?, load))
    };
    let costs = alternating(ROUNDS, side(As::Base64)?, side(As::File)?)?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "create-base64",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(1.4),
        detail: format!("{ours:.3} ms of CPU; as a file {theirs:.3}"),
    }])
}
