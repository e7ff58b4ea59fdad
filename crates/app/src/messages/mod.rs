//! Messages to signers beside the outbox: their lasting names, what is attached to them, and those that came back.

mod copies;
mod id;
mod returned;

pub use copies::DocumentCopy;
pub use id::MessageId;
pub use returned::{MessageReport, ReportOutcome};
