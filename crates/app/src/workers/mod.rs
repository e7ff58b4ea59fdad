//! Tasks that run until the service stops, and the wakeups that start them early.

pub mod eraser;
pub mod extender;
pub mod heartbeat;
pub mod housekeeping;
pub mod increment_mover;
mod log_position;
pub mod projector;
pub mod queue_position;
pub mod recorder;
pub mod reminder;
pub mod request_log;
pub mod run_span;
pub mod scrubber;
pub mod sweeper;
pub mod wakeup;
