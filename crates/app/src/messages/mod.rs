//! Messages to signers after they have left: their lasting names, and those that came back.

mod id;
mod returned;

pub use id::MessageId;
pub use returned::{MessageReport, ReportOutcome};
