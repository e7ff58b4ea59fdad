//! Draws pages of documents for the tests, as a hidden command of `firmeza` does for the service.

fn main() -> std::process::ExitCode {
    render::run_worker()
}
