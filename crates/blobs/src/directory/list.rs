//! Walking the names in order, a page at a time, with memory for one page only.

use std::collections::BinaryHeap;
use std::fs;
use std::io;

use super::Directory;
use crate::error::During;
use crate::{BlobId, Error, ListedBlob};

impl Directory {
    pub(crate) fn list(&self, mut after: Option<BlobId>, limit: usize) -> Result<Vec<ListedBlob>, Error> {
        let mut page = Vec::new();
        for shard in after.map_or(0, |id| id.as_bytes()[0])..=u8::MAX {
            while page.len() < limit {
                let room = limit - page.len();
                let names = self.smallest(shard, after, room)?;
                after = names.last().copied().or(after);
                let exhausted = names.len() < room;
                for id in names {
                    page.extend(self.listed(id)?);
                }
                if exhausted {
                    break;
                }
            }
        }
        Ok(page)
    }

    /// The first `count` names of a shard after `after`, in order.
    fn smallest(&self, shard: u8, after: Option<BlobId>, count: usize) -> Result<Vec<BlobId>, Error> {
        let path = self.shard(shard);
        let entries = match fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.during("list", &path)?,
        };
        let mut names = BinaryHeap::new();
        for entry in entries {
            let name = entry.during("list", &path)?.file_name();
            let Some(id) = name.to_str().and_then(|name| name.parse::<BlobId>().ok()) else {
                continue;
            };
            if after.is_some_and(|after| id <= after) {
                continue;
            }
            names.push(id);
            if names.len() > count {
                names.pop();
            }
        }
        Ok(names.into_sorted_vec())
    }

    /// Nothing, if the blob was removed meanwhile.
    fn listed(&self, id: BlobId) -> Result<Option<ListedBlob>, Error> {
        let path = self.path(id);
        match fs::metadata(&path).and_then(|found| found.modified()) {
            // Files have the system's time, a simulation its own: there every blob is old.
            #[cfg(feature = "simulation")]
            Ok(_) if crate::simulated::is_on() => Ok(Some(ListedBlob {
                id,
                modified: std::time::UNIX_EPOCH,
            })),
            Ok(modified) => Ok(Some(ListedBlob { id, modified })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).during("examine", &path),
        }
    }
}
