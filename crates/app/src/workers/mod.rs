//! Tasks that run until the service stops, and the wakeups that start them early.

pub mod eraser;
pub mod extender;
pub mod heartbeat;
pub mod housekeeping;
pub mod increment_mover;
pub mod keep_running;
mod log_position;
pub mod projector;
pub mod queue_position;
pub mod recorder;
pub mod reminder;
pub mod request_log;
mod retry;
pub mod run_span;
pub mod scrubber;
pub mod sweeper;
pub mod wakeup;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_worker_logs_errors_with_their_causes() {
        let workers = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/workers");
        let mut logged = 0;
        for file in fs::read_dir(workers).unwrap() {
            let file = file.unwrap().path();
            let text = fs::read_to_string(&file).unwrap();
            // The error by itself has its outermost text alone.
            let alone = text.matches(concat!("%", "error,")).count();
            assert_eq!(alone, 0, "{}", file.display());
            logged += text.matches("%Causes(&error)").count();
        }
        assert!(logged > 20, "{logged}");
    }
}
