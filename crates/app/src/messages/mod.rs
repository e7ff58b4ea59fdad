//! Messages to signers beside the outbox: their lasting names, what is attached to them, why one did not leave, and those that
//! came back.

mod copies;
mod failures;
mod id;
mod returned;

pub use copies::DocumentCopy;
pub use failures::{SendFailure, failure_text, reply_text};
pub use id::MessageId;
pub use returned::{MessageReport, ReportOutcome};
