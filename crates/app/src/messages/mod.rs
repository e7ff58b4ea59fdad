//! Messages to signers beside the outbox: their lasting names, what is attached to them, why one did not leave, those that
//! came back, and one message about many folios.

mod copies;
mod failures;
mod id;
pub(crate) mod merge;
mod returned;

pub use copies::DocumentCopy;
pub use failures::{SendFailure, failure_text, reply_text};
pub use id::MessageId;
pub use returned::{MessageReport, ReportOutcome};
