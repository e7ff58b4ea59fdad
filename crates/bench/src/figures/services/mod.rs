//! Figures of installations on `PostgreSQL` and S3.

mod act;
mod backup;
mod create;
mod instances;
mod page;
mod read;
mod takeover;

use crate::peers::RECORDING;
use crate::replay::Recording;
use crate::servers::Peer;
use crate::services::Services;
use parts::Result;

pub(super) use act::measure as act;
pub(super) use backup::measure as backup;
pub(super) use create::measure as create;
pub(super) use instances::measure as instances;
pub(super) use page::measure as page;
pub(super) use read::measure as read;
pub(super) use takeover::measure as takeover;

/// How many times the floor's processor time the service may take.
const MAX_RATIO: f64 = 2.5;
/// The database of the service.
const OURS: &str = "ours";

/// A program that does no more than the transactions and the puts, and answers with so many bytes.
fn floor(services: &Services, recording: &Recording, answer: usize) -> Result<Peer> {
    Peer::start_on("replayed", services.storage("floor"), |directory| {
        let text = format!("{answer}\n{}", recording.to_json());
        Ok(std::fs::write(directory.join(RECORDING), text)?)
    })
}
