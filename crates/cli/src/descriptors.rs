//! File descriptors: as many as the system lets the program have, and how many of them are for connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More than the program needs. Some systems allow 2^30.
const MAX_DESCRIPTORS: u64 = 65_536;
/// For the database, documents held open, child processes, messages and webhooks on their way.
const RESERVED_DESCRIPTORS: u64 = 448;
/// The limit of connections if there are enough file descriptors.
const MAX_CONNECTIONS: u64 = 4096;
const MIN_CONNECTIONS: u64 = 64;

/// Raises the soft limit, often 1,024 for the sake of older programs, to the hard one; the limit that then holds.
pub(crate) fn raise_limit() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let current = current.unwrap_or(u64::MAX);
    let wanted = maximum.unwrap_or(u64::MAX).min(MAX_DESCRIPTORS);
    if current >= wanted {
        return current;
    }
    let raised = Rlimit {
        current: Some(wanted),
        maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => wanted,
        Err(error) => {
            tracing::warn!(%error, limit = current, "the limit of open files could not be raised");
            current
        }
    }
}

/// The connections that a descriptor limit allows: half of the unreserved ones, since a request may hold a
/// file open, too.
pub(crate) fn connections(limit: u64) -> usize {
    let free = limit.saturating_sub(RESERVED_DESCRIPTORS) / 2;
    let connections = free.clamp(MIN_CONNECTIONS, MAX_CONNECTIONS);
    usize::try_from(connections).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_kept_in_reserve() {
        for (limit, most) in [
            (0, 64),
            (256, 64),
            (1024, 288),
            (4096, 1824),
            (65_536, 4096),
            (u64::MAX, 4096),
        ] {
            assert_eq!(connections(limit), most, "{limit}");
        }
    }
}
