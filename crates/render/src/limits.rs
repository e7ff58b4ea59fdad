//! The limits of drawing one page.

use std::io;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// The limits of rendering. The defaults draw the files that offices produce.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Address space of a worker, in bytes.
    pub memory: u64,
    /// Processor time for a page, in whole seconds.
    pub cpu: Duration,
    /// Time on the clock for a page, after which its worker is killed.
    pub wall: Duration,
    /// How long a page may wait for a free worker.
    pub wait: Duration,
    /// Pages that a worker draws before a fresh one replaces it.
    pub pages: u32,
    /// Size of a document, in bytes.
    pub document: usize,
    /// Width of an image, in pixels.
    pub width: u16,
    /// Height of an image, in pixels; a longer page is drawn narrower.
    pub height: u16,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            cpu: Duration::from_secs(10),
            wall: Duration::from_secs(30),
            wait: Duration::from_secs(30),
            pages: 500,
            document: 64 << 20,
            width: 4_000,
            height: 8_000,
        }
    }
}

/// Limits the memory of this process for good, and forbids it to write or open files, start a process or thread, or
/// dump core. The latter hold also on a system without a sandbox.
pub(super) fn bind(memory: u64) -> io::Result<()> {
    for (resource, value) in [
        (Resource::As, memory),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 0),
        (Resource::Nproc, 0),
    ] {
        let limit = Rlimit {
            current: Some(value),
            maximum: Some(value),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

/// Grants this process this many more seconds of processor time; the system kills it when they are used up.
pub(super) fn grant_cpu(seconds: u64) -> io::Result<()> {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or(0);
    let limit = Rlimit {
        // A part of the current second has been used.
        current: Some(used + seconds + 1),
        maximum: getrlimit(Resource::Cpu).maximum,
    };
    Ok(setrlimit(Resource::Cpu, limit)?)
}
