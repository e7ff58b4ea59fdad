//! The figures, a file each. `help.txt` explains them.

mod act;
mod create;
mod create_base64;
mod create_large;
mod create_rate;
mod download;
pub(crate) mod engine;
mod invitation;
mod list;
mod memory;
mod queueing;
mod read_many;
mod read_one;
mod scale;
mod services;
mod start;

use crate::pdf::DOCUMENT;
use crate::report::Line;
use parts::Result;

/// Rounds of a comparison, after the one that warms up.
const ROUNDS: usize = 8;

/// Something to measure.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) measure: fn() -> Result<Vec<Line>>,
}

const fn figure(name: &'static str, measure: fn() -> Result<Vec<Line>>) -> Figure {
    Figure { name, measure }
}

/// All of them, in the order of the table.
pub(crate) const ALL: &[Figure] = &[
    figure("create", create::measure),
    figure("create-rate", create_rate::measure),
    figure("create-base64", create_base64::measure),
    figure("create-large", create_large::measure),
    figure("read-one", read_one::measure),
    figure("read-many", read_many::measure),
    figure("download", download::measure_small),
    figure("download-large", download::measure_large),
    figure("act", act::measure),
    figure("act-large", act::measure_large),
    figure("act-bulk", act::measure_bulk),
    figure("scale", scale::measure),
    figure("list", list::measure),
    figure("list-postgres", list::measure_postgres),
    figure("create-services", services::create),
    figure("read-services", services::read),
    figure("act-services", services::act),
    figure("page-services", services::page),
    figure("instances", services::instances),
    figure("takeover", services::takeover),
    figure("backup", services::backup),
    figure("queueing", queueing::measure),
    figure("memory", memory::measure),
    figure("start", start::measure),
    figure("invitation", invitation::measure),
    figure("inspect", engine::inspect),
    figure("sign", engine::sign),
    figure("sign-unprepared", engine::sign_unprepared),
    figure("verify", engine::verify),
    figure("render", engine::render::measure),
];
