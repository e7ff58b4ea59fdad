//! The worker that the tests of `render` start.

fn main() -> std::process::ExitCode {
    pades::render::run_worker()
}
