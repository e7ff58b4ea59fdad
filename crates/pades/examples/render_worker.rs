//! The worker that the tests and the benchmark of `render` start.

fn main() -> std::process::ExitCode {
    pades::render::run_worker()
}
