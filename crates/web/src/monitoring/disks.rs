//! The space on the disks that the installation itself writes to.

use rustix::fs::statvfs;
use std::path::PathBuf;

/// The space on a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DiskSpace {
    /// The name of the directory.
    pub(crate) place: &'static str,
    pub(crate) size_bytes: u64,
    pub(crate) free_bytes: u64,
    /// Absent where the file system has no fixed number of them: btrfs says 0 of 0.
    pub(crate) free_inodes: Option<u64>,
}

/// The space at each of these places, except where there is no such directory. Takes as long as a network file system hangs.
pub(crate) async fn measure(places: Vec<(&'static str, PathBuf)>) -> Vec<DiskSpace> {
    let measured = tokio::task::spawn_blocking(move || {
        let space = |(place, path): &(&'static str, PathBuf)| {
            let stat = statvfs(path).ok()?;
            Some(DiskSpace {
                place,
                size_bytes: stat.f_blocks.saturating_mul(stat.f_frsize),
                free_bytes: stat.f_bavail.saturating_mul(stat.f_frsize),
                free_inodes: (stat.f_files > 0).then_some(stat.f_favail),
            })
        };
        places.iter().filter_map(space).collect::<Vec<_>>()
    });
    measured.await.unwrap_or_default()
}
