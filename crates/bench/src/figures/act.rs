//! What a signer's act costs: against what it cannot do without, on a large document, and fifty folios at once.

use super::{DOCUMENT, ROUNDS};
use crate::comparison::{Costs, Side, alternating};
use crate::load::Client;
use crate::report::{Line, Target};
use crate::servers::Peer;
use parts::Result;

pub(super) const ACTS: u32 = 200;
const LARGE_DOCUMENT_BYTES: usize = 20_000_000;
const LARGE_ACTS: u32 = 80;
const BULKS: u32 = 4;
const FOLIOS: u32 = 50;

/// Acts to prepare: how many, over how many folios each, of documents of what size.
type Load = (u32, u32, usize);

pub(super) fn ask(peer: &Peer, path: &str) -> Result<()> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n");
    Client::connect(peer.port)?.ask(&[request.as_bytes()]).map(drop)
}

pub(super) fn acts(peer: &Peer, (count, folios, bytes): Load) -> Result<Side<'_>> {
    let act = move || {
        ask(peer, "/act")?;
        Ok(f64::from(count))
    };
    let prepare = move || ask(peer, &format!("/prepare?{count},{folios},{bytes}"));
    Ok(Side::new(peer.process()?, act).after(prepare))
}

fn line(name: &'static str, costs: &Costs, target: f64, words: [&str; 2]) -> Line {
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Line {
        name,
        value,
        spread,
        unit: "x",
        target: Target::AtMost(target),
        detail: format!("{ours:.3} ms of CPU {}; {} {theirs:.3}", words[0], words[1]),
    }
}

pub(super) fn measure() -> Result<Vec<Line>> {
    let peer = Peer::start("acts", |_| Ok(()))?;
    let bare = || {
        ask(&peer, &format!("/bare?{ACTS}"))?;
        Ok(f64::from(ACTS))
    };
    let costs = alternating(
        ROUNDS,
        acts(&peer, (ACTS, 1, DOCUMENT))?,
        Side::new(peer.process()?, bare),
    )?;
    Ok(vec![line("act", &costs, 4.0, ["an act", "the unavoidable"])])
}

pub(super) fn measure_large() -> Result<Vec<Line>> {
    let peer = Peer::start("acts", |_| Ok(()))?;
    let costs = alternating(
        ROUNDS,
        acts(&peer, (LARGE_ACTS, 1, LARGE_DOCUMENT_BYTES))?,
        acts(&peer, (LARGE_ACTS, 1, DOCUMENT))?,
    )?;
    Ok(vec![line(
        "act-large",
        &costs,
        1.2,
        ["with 20 MB", "with 100 KB"],
    )])
}

pub(super) fn measure_bulk() -> Result<Vec<Line>> {
    let peer = Peer::start("acts", |_| Ok(()))?;
    let single = acts(&peer, (BULKS * FOLIOS, 1, DOCUMENT))?;
    let costs = alternating(
        ROUNDS,
        acts(&peer, (BULKS, FOLIOS, DOCUMENT))?,
        single.in_units_of(FOLIOS),
    )?;
    Ok(vec![line(
        "act-bulk",
        &costs,
        0.6,
        ["for 50 folios", "one by one"],
    )])
}
