//! The worker that the tests of `render` start.

fn main() -> std::process::ExitCode {
    render::run_worker()
}
