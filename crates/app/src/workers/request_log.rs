//! Logs requests to the API for the company's integrators, after the response.
//!
//! Records are written in batches. The queue is bounded, and a request never waits for it: a record that finds it
//! full is dropped and counted.

use crate::workers::keep_running::keep_running;
use crate::workers::run_span::run_span;
use crate::{App, Error};
use domain::{Causes, CompanyId, KeyId, Timestamp};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::{ApiRequestFilter, KeyHash, LoggedApiRequest, Store};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tracing::Instrument;

/// Records that may wait.
const QUEUE_CAPACITY: usize = 16_384;
/// How long a batch waits for more records.
const BATCH_DELAY: Duration = Duration::from_secs(2);
/// How long a shutdown waits for the database to take the last records.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// Successful requests of a company that are kept, and as many that failed: successes do not push errors out.
const MAX_KEPT: usize = 500;
/// Requests of a company after which its oldest ones are deleted.
const TRIM_AFTER: usize = 1_000;
/// How long requests are kept.
const RETENTION: Duration = Duration::from_hours(24 * 7);
/// Keys that are looked up by one statement.
const MAX_LOOKUPS: usize = 1_000;
/// Characters of a message that are kept.
const MAX_MESSAGE_CHARS: usize = 1_000;

/// A request that was answered.
#[derive(Debug)]
pub struct RequestRecord {
    /// The key that it had, known or not.
    pub key: KeyHash,
    /// When it was answered.
    pub at: Timestamp,
    /// The operation's name.
    pub operation: &'static str,
    /// The status of the response.
    pub status: u16,
    /// What an error told the client; empty for a success.
    pub message: String,
    /// The identifier of the request.
    pub request_id: String,
    /// How long the response took to begin.
    pub took: Duration,
    /// The client's network address.
    pub address: IpAddr,
}

/// A handle to the log. Clones share its queue.
#[derive(Debug, Clone)]
pub struct RequestLog {
    records: mpsc::Sender<RequestRecord>,
    dropped: Arc<AtomicU64>,
    stop: Arc<Notify>,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl RequestLog {
    /// Starts logging into the store.
    pub fn start(store: Store) -> Self {
        let (records, queue) = mpsc::channel(QUEUE_CAPACITY);
        let (dropped, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(Notify::new()));
        let queue = Arc::new(tokio::sync::Mutex::new(queue));
        let (lost, stopping) = (Arc::clone(&dropped), Arc::clone(&stop));
        let worker = move || {
            run(
                store.clone(),
                Arc::clone(&queue),
                Arc::clone(&lost),
                Arc::clone(&stopping),
            )
        };
        let task = tokio::spawn(keep_running("request log", worker));
        Self {
            records,
            dropped,
            stop,
            task: Arc::new(Mutex::new(Some(task))),
        }
    }

    /// Logs a request, unless the queue is full.
    pub fn record(&self, record: RequestRecord) {
        if self.records.try_send(record).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Requests that could not be logged since the start.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Closes the queue, and writes the records that are left in it, unless the database takes too long.
    pub async fn close(self) {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.stop.notify_one();
        let Some(mut task) = task else { return };
        match tokio::time::timeout(SHUTDOWN_TIMEOUT, &mut task).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::error!(error = %Causes(&error), "the log of API requests ended too early");
            }
            Err(_) => {
                task.abort();
                tracing::warn!(
                    "the last API requests were not logged: the database did not commit them before the shutdown timeout"
                );
            }
        }
    }
}

/// A panic does not take the queue with it.
async fn run(
    store: Store,
    queue: Arc<tokio::sync::Mutex<mpsc::Receiver<RequestRecord>>>,
    dropped: Arc<AtomicU64>,
    stop: Arc<Notify>,
) {
    let mut queue = queue.lock().await;
    let mut trims = Trims::default();
    loop {
        let mut batch = Vec::new();
        let open = tokio::select! {
            received = queue.recv_many(&mut batch, QUEUE_CAPACITY) => received > 0,
            () = stop.notified(), if !queue.is_closed() => { queue.close(); continue }
        };
        if !open {
            return;
        }
        if !queue.is_closed() {
            // Asleep, the task is not woken by each request.
            tokio::select! {
                () = tokio::time::sleep(BATCH_DELAY) => {}
                () = stop.notified() => queue.close(),
            }
            while batch.len() < QUEUE_CAPACITY
                && let Ok(record) = queue.try_recv()
            {
                batch.push(record);
            }
        }
        let count = batch.len();
        let written = write(&store, batch, &mut trims).instrument(run_span("request log"));
        if let Err(error) = written.await {
            tracing::warn!(error = %Causes(&error), requests = count, "API requests could not be logged");
            dropped.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }
}

/// Writes the records of known keys. The others belong to no company.
async fn write(store: &Store, batch: Vec<RequestRecord>, trims: &mut Trims) -> Result<(), store::Error> {
    let mut hashes: Vec<KeyHash> = batch.iter().map(|record| record.key).collect();
    hashes.sort_unstable_by_key(|key| key.hash);
    hashes.dedup_by_key(|key| key.hash);
    let owners = store.read(move |tx| {
        let mut owners = HashMap::new();
        for some in hashes.chunks(MAX_LOOKUPS) {
            let found = tx.keys_with_hashes(some)?;
            owners.extend(
                found
                    .into_iter()
                    .map(|(hash, key, company)| (hash.hash, (key, company))),
            );
        }
        Ok::<_, store::Error>(owners)
    });
    let rows = newest(batch, &owners.await?);
    if rows.is_empty() {
        return Ok(());
    }
    let full = trims.due(rows.iter().map(|(company, _)| *company));
    let written = store.write(move |tx| {
        tx.log_api_requests(&rows)?;
        tx.trim_api_requests(&full, MAX_KEPT)
    });
    written.await
}

/// The newest rows of each company and outcome, oldest first. More would be deleted again.
fn newest(
    batch: Vec<RequestRecord>,
    owners: &HashMap<[u8; 32], (KeyId, CompanyId)>,
) -> Vec<(CompanyId, LoggedApiRequest)> {
    let mut counts: HashMap<(CompanyId, bool), usize> = HashMap::new();
    let mut rows = Vec::new();
    for record in batch.into_iter().rev() {
        let Some((key, company)) = owners.get(&record.key.hash).copied() else {
            continue;
        };
        let row = row(record, key);
        let count = counts.entry((company, row.is_failed())).or_default();
        if *count < MAX_KEPT {
            *count += 1;
            rows.push((company, row));
        }
    }
    rows.reverse();
    rows
}

fn row(record: RequestRecord, key: KeyId) -> LoggedApiRequest {
    LoggedApiRequest {
        key,
        at: record.at,
        operation: record.operation.to_owned(),
        status: record.status.into(),
        message: record.message.chars().take(MAX_MESSAGE_CHARS).collect(),
        request_id: record.request_id,
        took: record.took,
        address: record.address.to_canonical().to_string(),
    }
}

/// How many requests of each company were written since its oldest ones were deleted.
#[derive(Debug, Default)]
struct Trims(HashMap<CompanyId, usize>);

impl Trims {
    /// Counts requests, and returns the companies whose oldest ones are to be deleted: those not counted before, since the
    /// program may have stopped before it deleted, and those with many new requests.
    fn due(&mut self, companies: impl IntoIterator<Item = CompanyId>) -> Vec<CompanyId> {
        for company in companies {
            *self.0.entry(company).or_insert(TRIM_AFTER) += 1;
        }
        let due: Vec<CompanyId> = self
            .0
            .iter()
            .filter(|(_, count)| **count > TRIM_AFTER)
            .map(|(company, _)| *company)
            .collect();
        for company in &due {
            self.0.insert(*company, 0);
        }
        due
    }
}

impl App {
    /// The company's recent API requests, newest first.
    pub async fn api_requests(
        &self,
        company: CompanyId,
        filter: ApiRequestFilter,
    ) -> Result<Vec<LoggedApiRequest>, Error> {
        let read = self
            .store
            .read(move |tx| tx.api_requests(company, &filter, 2 * MAX_KEPT));
        Ok(read.await?)
    }

    /// Deletes API requests past their retention. Returns how many.
    pub async fn delete_old_api_requests(&self) -> Result<usize, Error> {
        let before = self.clock.now().before(RETENTION);
        let mut deleted = 0;
        loop {
            let some = self
                .store
                .write(move |tx| tx.delete_old_api_requests(before))
                .await?;
            deleted += some;
            if some == 0 {
                return Ok(deleted);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: CompanyId = CompanyId(1);
    const THEIRS: CompanyId = CompanyId(2);

    fn record(key: u8, status: u16, number: usize) -> RequestRecord {
        RequestRecord {
            key: KeyHash { hash: [key; 32] },
            at: Timestamp::from_micros(0),
            operation: "read_folio",
            status,
            message: String::new(),
            request_id: number.to_string(),
            took: Duration::ZERO,
            address: [192, 0, 2, 1].into(),
        }
    }

    #[test]
    fn a_record_that_finds_the_queue_full_or_closed_is_counted_as_dropped() {
        let (records, mut queue) = mpsc::channel(2);
        let log = RequestLog {
            records,
            dropped: Arc::default(),
            stop: Arc::default(),
            task: Arc::default(),
        };
        for number in 0..5 {
            log.record(record(1, 200, number));
        }
        assert_eq!(log.dropped(), 3);
        let kept: Vec<String> = std::iter::from_fn(|| queue.try_recv().ok())
            .map(|record| record.request_id)
            .collect();
        assert_eq!(kept, ["0", "1"]);
        drop(queue);
        log.record(record(1, 200, 6));
        assert_eq!(log.dropped(), 4);
    }

    #[test]
    fn of_a_large_batch_the_newest_of_each_company_and_outcome_are_written_in_order() {
        let owners = HashMap::from([
            ([1; 32], (KeyId::from_bytes([1; 16]), OURS)),
            ([2; 32], (KeyId::from_bytes([2; 16]), THEIRS)),
        ]);
        let mut batch = vec![record(1, 400, 0), record(2, 200, 1), record(3, 200, 2)];
        batch.extend((3..MAX_KEPT + 10).map(|number| record(1, 200, number)));
        let rows = newest(batch, &owners);
        let numbers: Vec<(CompanyId, usize)> = rows
            .iter()
            .map(|(company, row)| (*company, row.request_id.parse().unwrap()))
            .collect();
        let mut expected = vec![(OURS, 0), (THEIRS, 1)];
        expected.extend((10..MAX_KEPT + 10).map(|number| (OURS, number)));
        assert_eq!(numbers, expected, "the key of 2 is unknown");
    }

    #[test]
    fn a_company_is_trimmed_at_first_and_then_after_many_requests() {
        let mut trims = Trims::default();
        assert_eq!(trims.due([OURS, OURS]), [OURS]);
        assert_eq!(trims.due(vec![OURS; TRIM_AFTER - 1]), []);
        assert_eq!(trims.due([THEIRS]), [THEIRS]);
        assert_eq!(trims.due([OURS, OURS]), [OURS]);
        assert_eq!(trims.due([OURS]), []);
    }
}
