//! What signatures appended to documents, put back from a backup: as rows, and as a blob where it was moved. A backup that was
//! taken before the move has that blob as rows.

use super::manifest::{Manifest, Page, TableFile};
use super::{BackupError, BackupFiles, DOCUMENTS, rows, run_blocking};
use crate::operator::document_check::{CheckedDocument, check_document, copy_blob};
use blobs::{BlobId, Blobs, Location, PendingBlob};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::{AppendedBlob, DocumentFacts, DocumentPlace, FolioRow, Store};

/// The increments of one document, by their numbers.
type Numbered = Vec<(i64, Vec<u8>)>;

/// Of each page of increments that was read: the first and the last document that it is about. The name of a page follows from its
/// rows, so this holds for every backup that has the page. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageRanges(Arc<Mutex<HashMap<BlobId, RangeInclusive<DocumentPlace>>>>);

impl PageRanges {
    fn lock(&self) -> MutexGuard<'_, HashMap<BlobId, RangeInclusive<DocumentPlace>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn may_hold_any(&self, page: BlobId, places: &BTreeSet<DocumentPlace>) -> bool {
        let known = self.lock();
        let range = known.get(&page);
        range.is_none_or(|range| places.range(range.clone()).next().is_some())
    }

    fn note(&self, page: BlobId, range: RangeInclusive<DocumentPlace>) {
        self.lock().insert(page, range);
    }

    /// Forgets pages of an earlier backup, so that no more are known than the table has.
    fn forget_others(&self, table: &TableFile) -> Result<(), BackupError> {
        let mut known = self.lock();
        if known.len() > table.pages.len() {
            let named: HashSet<BlobId> = table.pages.iter().map(Page::id).collect::<Result<_, _>>()?;
            known.retain(|page, _| named.contains(page));
        }
        Ok(())
    }
}

/// A backup that increments are taken from.
#[derive(Debug)]
pub struct IncrementBackup {
    files: BackupFiles,
    table: Arc<TableFile>,
    ranges: PageRanges,
}

impl IncrementBackup {
    /// Where the backup would be whose documents are at that place.
    pub fn directory_of(documents: &Location) -> Option<PathBuf> {
        match documents {
            Location::Directory(path) if path.ends_with(DOCUMENTS) => path.parent().map(Path::to_owned),
            _ => None,
        }
    }

    /// Opens the backup in a directory, if there is one.
    pub async fn find_in(directory: &Path) -> Result<Option<Self>, BackupError> {
        if Manifest::is_in(directory) {
            Self::open(directory).await.map(Some)
        } else {
            Ok(None)
        }
    }

    /// Opens the backup in a directory.
    pub async fn open(directory: &Path) -> Result<Self, BackupError> {
        let manifest = Manifest::read(directory)?;
        let mut tables = manifest.tables.into_iter();
        let table = tables.find(|table| table.name == "increments");
        let table = table.ok_or_else(|| BackupError::Damaged("the backup has no increments".to_owned()))?;
        Ok(Self {
            files: BackupFiles::open(directory).await?,
            table: Arc::new(table),
            ranges: PageRanges::default(),
        })
    }

    /// The same with what is known of its pages.
    #[must_use]
    pub(crate) fn with_ranges(self, ranges: PageRanges) -> Self {
        Self { ranges, ..self }
    }

    /// Puts back what was appended to these documents, where the backup has it as it should be; which documents are whole
    /// now. Reads all increments of the backup the first time, then only the pages that may have those of the documents.
    pub(crate) async fn mend(
        &self,
        store: &Store,
        blobs: &Blobs,
        damaged: &[&DocumentFacts],
    ) -> Result<HashSet<DocumentPlace>, crate::Error> {
        let mut mended = HashSet::new();
        // What is kept before the first act is a sheet that waits.
        let acted_on = |document: &&DocumentFacts| document.current.is_some();
        let places: BTreeSet<DocumentPlace> = damaged
            .iter()
            .copied()
            .filter(acted_on)
            .map(|document| document.place)
            .collect();
        if places.is_empty() {
            return Ok(mended);
        }
        let found = self.find(places).await;
        let mut found = found.map_err(|error| crate::Error::Internal(error.into()))?;
        for document in damaged {
            let (place, Some((sha256, _))) = (document.place, document.current) else {
                continue;
            };
            let mut numbered = found.remove(&place).unwrap_or_default();
            if let Some(blob) = document.appended {
                self.mend_appended(blobs, blob, &numbered).await?;
                numbered.retain(|(number, _)| *number > blob.number);
            }
            let whole = DocumentFacts {
                increments: numbered.iter().map(|(_, bytes)| bytes.clone()).collect(),
                ..(*document).clone()
            };
            if check_document(blobs, None, &whole).await? != CheckedDocument::Whole {
                continue;
            }
            let moved = document.appended.map(|blob| blob.number);
            let put_back = store.write(move |tx| tx.put_back_increments(place, &sha256, moved, &numbered));
            if put_back.await? {
                mended.insert(place);
            }
        }
        Ok(mended)
    }

    /// Puts back a blob with increments, if it is damaged: the backup's own, or one of the rows that it was made of.
    async fn mend_appended(
        &self,
        blobs: &Blobs,
        blob: AppendedBlob,
        numbered: &Numbered,
    ) -> Result<(), crate::Error> {
        let id = BlobId::from_bytes(blob.sha256);
        if blobs.verify(id, blob.size).await.is_ok()
            || copy_blob(&self.files.documents, blobs, id, blob.size)
                .await?
                .is_ok()
        {
            return Ok(());
        }
        let rows = numbered.iter().filter(|(number, _)| *number <= blob.number);
        let joined = PendingBlob::of(rows.flat_map(|(_, bytes)| bytes).copied().collect());
        if joined.id() == id {
            blobs.persist(vec![joined]).await?;
        }
        Ok(())
    }

    async fn find(
        &self,
        places: BTreeSet<DocumentPlace>,
    ) -> Result<HashMap<DocumentPlace, Numbered>, BackupError> {
        let broken = || BackupError::Damaged("rows of increments: a value".to_owned());
        let column = |name: &str| {
            let mut columns = self.table.columns.iter();
            columns.position(|column| column.name == name).ok_or_else(broken)
        };
        let [folio, position, number, bytes] = ["folio", "position", "number", "bytes"].map(column);
        let (folio, position, number, bytes) = (folio?, position?, number?, bytes?);
        let (pages, table, ranges) = (self.files.pages.clone(), self.table.clone(), self.ranges.clone());
        run_blocking(move || {
            ranges.forget_others(&table)?;
            let mut found: HashMap<_, Numbered> = HashMap::new();
            for page in &table.pages {
                let id = page.id()?;
                if !ranges.may_hold_any(id, &places) {
                    continue;
                }
                let mut ends: Option<(DocumentPlace, DocumentPlace)> = None;
                rows::read_page(&pages, &table, page, |line| {
                    let int = |at: usize| {
                        line.get(at)
                            .and_then(serde_json::Value::as_i64)
                            .ok_or_else(broken)
                    };
                    let place = DocumentPlace {
                        folio: FolioRow(int(folio)?),
                        position: int(position)?,
                    };
                    let (first, last) = ends.unwrap_or((place, place));
                    ends = Some((first.min(place), last.max(place)));
                    if places.contains(&place) {
                        let increment = line.get(bytes).and_then(rows::bytes).ok_or_else(broken)?;
                        found.entry(place).or_default().push((int(number)?, increment));
                    }
                    Ok(())
                })?;
                if let Some((first, last)) = ends {
                    ranges.note(id, first..=last);
                }
            }
            for increments in found.values_mut() {
                increments.sort_by_key(|(number, _)| *number);
            }
            Ok(found)
        })
        .await
    }
}
