//! A receiver of OpenTelemetry's traces and metrics that decodes them with the official definitions, in a Python environment of its
//! own. The collector itself is in no registry of packages that tests use.

use std::fs;
use std::net::TcpStream;
use std::process::Command;

use crate::venv::{OPENTELEMETRY, Venv};
use crate::{End, Result, Scratch, free_port};

const NAME: &str = "collector";

/// A throwaway receiver on 127.0.0.1.
#[derive(Debug)]
pub struct Collector {
    scratch: Scratch,
    port: u16,
}

impl Collector {
    pub fn start() -> Result<Self> {
        Self::start_at(free_port()?)
    }

    /// The same at that port.
    pub fn start_at(port: u16) -> Result<Self> {
        let venv = Venv::of(&OPENTELEMETRY)?;
        let mut scratch = Scratch::new()?;
        let own = scratch.directory().to_path_buf();
        fs::write(own.join("collector.py"), include_str!("collector.py"))?;
        let mut command = Command::new(venv.program("python"));
        command
            .current_dir(&own)
            .args(["collector.py", &port.to_string(), "taken"]);
        scratch.start(NAME, &mut command, End::KillGroup)?;
        scratch.wait_until(NAME, || TcpStream::connect(("127.0.0.1", port)).is_ok())?;
        Ok(Self { scratch, port })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The requests that it took: a JSON text each, with `path`, `headers` and `body`.
    pub fn taken(&self) -> Vec<String> {
        let text = fs::read_to_string(self.scratch.directory().join("taken")).unwrap_or_default();
        // A line that is being written has no end yet.
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        whole.map(str::to_owned).collect()
    }
}
