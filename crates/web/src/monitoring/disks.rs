//! The room on the disks that the installation itself writes to.

use rustix::fs::statvfs;
use std::path::PathBuf;
use std::time::Duration;

/// The room on a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DiskSpace {
    /// The name of the directory.
    pub(crate) place: &'static str,
    pub(crate) size_bytes: u64,
    pub(crate) free_bytes: u64,
    /// Absent where the file system has no fixed number of them: btrfs says 0 of 0.
    pub(crate) free_inodes: Option<u64>,
}

/// The room at each of these places, except where there is none such, or no answer in time: a network file system may
/// hang.
pub(crate) async fn measure(places: &[(&'static str, PathBuf)], timeout: Duration) -> Vec<DiskSpace> {
    let places = places.to_vec();
    let measured = tokio::task::spawn_blocking(move || {
        let space = |(place, path): &(&'static str, PathBuf)| {
            let room = statvfs(path).ok()?;
            Some(DiskSpace {
                place,
                size_bytes: room.f_blocks.saturating_mul(room.f_frsize),
                free_bytes: room.f_bavail.saturating_mul(room.f_frsize),
                free_inodes: (room.f_files > 0).then_some(room.f_favail),
            })
        };
        places.iter().filter_map(space).collect()
    });
    match tokio::time::timeout(timeout, measured).await {
        Ok(Ok(measured)) => measured,
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}
