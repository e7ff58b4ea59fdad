//! Rows in pages: files of lines, named by their SHA-256 like documents. A repeated backup writes only pages that are
//! not there yet.
//!
//! Where a page ends depends on its last line alone. A row that was added, changed or deleted makes a new page of the one
//! that it is in, and leaves the others as they are.

use super::BackupError;
use super::copies::{Copies, CopyState, Faults, MAX_CONCURRENT_BLOBS, Thoroughness, check_copy};
use super::manifest::{Page, TableFile};
use super::progress::Progress;
use blobs::{BlobId, Blobs};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use tokio::runtime::Handle;

/// The usual size of a page.
const PAGE_BYTES: u64 = 1 << 20;
/// A page that reaches this size ends with the line that it has then.
const MAX_PAGE_BYTES: usize = 4 << 20;
/// The longest page that is read. No row comes near it.
const MAX_READ_BYTES: u64 = 256 << 20;
/// Pages looked at in one step when old ones are removed.
const LISTED_PAGES: usize = 500;

/// Writes lines into pages. Blocks: used on a thread of the blocking pool.
pub(super) struct PageWriter {
    pages: Blobs,
    thoroughness: Thoroughness,
    lines: Vec<u8>,
    written: Vec<Page>,
    copies: Copies,
    progress: Progress,
}

impl PageWriter {
    pub(super) fn new(pages: Blobs, thoroughness: Thoroughness) -> Self {
        Self {
            pages,
            thoroughness,
            lines: Vec::new(),
            written: Vec::new(),
            copies: Copies::default(),
            progress: Progress::new("rows compared or copied", None),
        }
    }

    /// Appends a line.
    pub(super) fn push(&mut self, line: &[u8]) -> Result<(), BackupError> {
        self.progress.step();
        self.lines.extend_from_slice(line);
        if ends_page(line) || self.lines.len() >= MAX_PAGE_BYTES {
            self.end_page()?;
        }
        Ok(())
    }

    /// Ends the table; its pages.
    pub(super) fn end_table(&mut self) -> Result<Vec<Page>, BackupError> {
        if !self.lines.is_empty() {
            self.end_page()?;
        }
        Ok(std::mem::take(&mut self.written))
    }

    /// What became of all pages.
    pub(super) const fn copies(&self) -> Copies {
        self.copies
    }

    fn end_page(&mut self) -> Result<(), BackupError> {
        let lines = Bytes::from(std::mem::take(&mut self.lines));
        let (id, size) = (
            BlobId::from_bytes(Sha256::digest(&lines).into()),
            lines.len() as u64,
        );
        let found = Handle::current().block_on(async {
            let found = check_copy(&self.pages, id, size, self.thoroughness, None).await;
            if !found.is_there() {
                let mut upload = self.pages.upload();
                upload.push(lines).await?;
                self.pages
                    .persist(vec![upload.finish_uninspected().await?])
                    .await?;
            }
            Ok::<_, blobs::Error>(found)
        })?;
        if found == CopyState::Damaged {
            tracing::warn!(page = %id, "a page of rows was damaged in the backup, and is copied anew");
        }
        self.copies.add(size, found);
        self.written.push(Page {
            sha256: id.to_string(),
            bytes: size,
        });
        Ok(())
    }
}

/// Whether a page ends with that line: by its hash, and the more likely the longer it is, so that pages are as large as
/// they should be on average.
fn ends_page(line: &[u8]) -> bool {
    let hash = Sha256::digest(line);
    let number = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
    u64::from(number) * PAGE_BYTES < (line.len() as u64) << 32
}

/// Hands over the lines of a page, which is checked before. Blocks: used on a thread of the blocking pool.
pub(super) fn each_line(
    pages: &Blobs,
    table: &TableFile,
    page: &Page,
    take: impl FnMut(&[u8]) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let id = page.id()?;
    if page.bytes > MAX_READ_BYTES {
        return Err(BackupError::Damaged(format!(
            "rows of {}: a page too long",
            table.name
        )));
    }
    let lines = match Handle::current().block_on(pages.read_whole(id, page.bytes)) {
        Ok(lines) => lines,
        Err(error) if is_damage(&error) => {
            return Err(BackupError::Damaged(format!("rows of {}: {error}", table.name)));
        }
        Err(error) => return Err(error.into()),
    };
    lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .try_for_each(take)
}

/// Hashes the pages of tables; those that the backup lacks or has damaged.
pub(super) async fn verify(pages: &Blobs, tables: &[TableFile]) -> Result<Faults, BackupError> {
    let named = tables
        .iter()
        .flat_map(|table| table.pages.iter().map(|page| (table.name.as_str(), page)));
    let mut outcomes = stream::iter(named)
        .map(|(table, page)| async move {
            let verified = pages.verify(page.id()?, page.bytes).await;
            Ok::<_, BackupError>((table, verified))
        })
        .buffer_unordered(MAX_CONCURRENT_BLOBS);
    let mut faults = Faults::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome? {
            (_, Ok(_)) => {}
            (table, Err(error)) if is_damage(&error) => faults.add(format!("rows of {table}: {error}")),
            (_, Err(error)) => return Err(error.into()),
        }
    }
    Ok(faults)
}

/// Removes pages that none of these tables has: those of earlier backups, and of those that were never finished.
pub(super) async fn remove_others(pages: &Blobs, tables: &[TableFile]) -> Result<(), BackupError> {
    let named = tables
        .iter()
        .flat_map(|table| table.pages.iter().map(Page::id))
        .collect::<Result<HashSet<_>, _>>()?;
    let mut after = None;
    loop {
        let listed = pages.list(after, LISTED_PAGES).await?;
        let Some(last) = listed.last() else { return Ok(()) };
        after = Some(last.id);
        for page in listed.iter().filter(|page| !named.contains(&page.id)) {
            pages.delete(page.id).await?;
        }
    }
}

const fn is_damage(error: &blobs::Error) -> bool {
    matches!(
        error,
        blobs::Error::NotFound(_) | blobs::Error::Truncated(_) | blobs::Error::Damaged(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_end_with_a_line_in_as_many_as_make_their_size() {
        let line = |number: usize, length: usize| {
            let mut line = number.to_string().into_bytes();
            line.resize(length, b' ');
            line
        };
        for (lines, length) in [(50_000, 200), (2_000, 20_000)] {
            let ends = (0..lines)
                .filter(|number| ends_page(&line(*number, length)))
                .count();
            let expected = lines * length / usize::try_from(PAGE_BYTES).unwrap();
            assert!(
                (expected / 2..expected * 2).contains(&ends),
                "{ends} of {expected}"
            );
        }
        assert!(ends_page(&line(7, 1 << 20)));
    }
}
