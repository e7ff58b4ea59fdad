//! Free ports on the loopback address.

use std::net::{Ipv4Addr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Error, Result};

// Below the range from which the kernel serves outgoing connections, so that none of them can take a port
// between the moment it is found free and the moment its server listens.
const FIRST_PORT: u32 = 20_000;
const PORT_COUNT: u32 = 12_000;

static NEXT_OFFSET: AtomicU32 = AtomicU32::new(0);

/// A free port. No two calls of one process return the same one, and concurrent processes search different
/// ranges.
pub fn free_port() -> Result<u16> {
    let start = process::id().wrapping_mul(97);
    for _ in 0..PORT_COUNT {
        let step = NEXT_OFFSET.fetch_add(1, Ordering::Relaxed);
        let candidate = FIRST_PORT + start.wrapping_add(step) % PORT_COUNT;
        if let Ok(port) = u16::try_from(candidate)
            && TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
        {
            return Ok(port);
        }
    }
    Err(Error::new("no free port on 127.0.0.1"))
}
