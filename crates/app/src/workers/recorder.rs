//! Records downloads in histories, and when API keys were last used, after the response.
//!
//! Events are written in batches. The queue is bounded: a download that finds no room in it within a second is refused. An
//! orderly shutdown writes the rest.

use crate::workers::keep_running::keep_running;
use crate::workers::run_span::run_span;
use domain::{Causes, Event, FolioId, KeyId, Timestamp};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::Store;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tracing::Instrument;

/// Events that may wait.
const QUEUE_CAPACITY: usize = 16_384;
/// Events written in one transaction.
const MAX_BATCH_EVENTS: usize = 2048;
/// How long a batch waits for more events.
const BATCH_DELAY: Duration = Duration::from_millis(100);
/// How long a shutdown waits for the database to take the last events.
pub(crate) const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the use of keys is written down: at most once a minute for each key.
const KEY_USE_INTERVAL: Duration = Duration::from_mins(1);

type KeyUse = Arc<Mutex<HashMap<KeyId, Timestamp>>>;

/// What outlasts a panic of the recorder.
struct Waiting {
    queue: mpsc::Receiver<(FolioId, Event)>,
    /// The events that are being written.
    batch: Arc<Vec<(FolioId, Event)>>,
}

/// A handle to the recorder's queue. Clones share it.
#[derive(Debug, Clone)]
pub struct Recorder {
    events: mpsc::Sender<(FolioId, Event)>,
    keys: KeyUse,
    stop: Arc<Notify>,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// A reserved slot of the queue, taken before the act that is recorded.
#[derive(Debug)]
pub struct RecordPermit(mpsc::OwnedPermit<(FolioId, Event)>);

impl RecordPermit {
    /// Records the event.
    pub fn record(self, folio: FolioId, event: Event) {
        self.0.send((folio, event));
    }
}

impl Recorder {
    /// Starts recording into the store.
    pub fn start(store: Store) -> Self {
        let (events, queue) = mpsc::channel(QUEUE_CAPACITY);
        let keys = KeyUse::default();
        let stop = Arc::new(Notify::new());
        let waiting = Arc::new(tokio::sync::Mutex::new(Waiting {
            queue,
            batch: Arc::default(),
        }));
        let (uses, stopping) = (Arc::clone(&keys), Arc::clone(&stop));
        let worker = move || {
            run(
                store.clone(),
                Arc::clone(&waiting),
                Arc::clone(&uses),
                Arc::clone(&stopping),
            )
        };
        let task = tokio::spawn(keep_running("recorder", worker));
        Self {
            events,
            keys,
            stop,
            task: Arc::new(Mutex::new(Some(task))),
        }
    }

    /// Reserves a slot of the queue; nothing if it stays full, or recording has ended.
    pub async fn reserve(&self) -> Option<RecordPermit> {
        let events = match self.events.clone().try_reserve_owned() {
            Ok(permit) => return Some(RecordPermit(permit)),
            Err(TrySendError::Closed(_)) => return None,
            Err(TrySendError::Full(events)) => events,
        };
        let reserved = events.reserve_owned();
        tokio::time::timeout(Duration::from_secs(1), reserved)
            .await
            .ok()?
            .ok()
            .map(RecordPermit)
    }

    /// Notes that a key was used.
    pub fn record_key_use(&self, key: KeyId, at: Timestamp) {
        self.keys
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, at);
    }

    /// Events waiting to be written.
    pub fn depth(&self) -> usize {
        self.events.max_capacity() - self.events.capacity()
    }

    /// Closes the queue, and writes the events that are left in it, unless the database takes too long.
    pub async fn close(self, timeout: Duration) {
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.stop.notify_one();
        let Some(mut task) = task else { return };
        match tokio::time::timeout(timeout, &mut task).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(error = %Causes(&error), "the recorder ended too early"),
            Err(_) => {
                task.abort();
                tracing::error!(
                    "download events were lost: the database did not commit them before the shutdown timeout"
                );
            }
        }
    }
}

async fn run(store: Store, waiting: Arc<tokio::sync::Mutex<Waiting>>, keys: KeyUse, stop: Arc<Notify>) {
    let mut waiting = waiting.lock().await;
    let Waiting { queue, batch } = &mut *waiting;
    if !batch.is_empty() {
        // A panic left them, and perhaps they were written.
        write_events(&store, batch, true)
            .instrument(run_span("recorder"))
            .await;
        *batch = Arc::default();
    }
    let mut key_use = tokio::time::interval(KEY_USE_INTERVAL);
    loop {
        let mut received = Vec::new();
        let open = tokio::select! {
            count = queue.recv_many(&mut received, MAX_BATCH_EVENTS) => count > 0,
            _ = key_use.tick() => { write_key_use(&store, &keys).await; continue }
            () = stop.notified(), if !queue.is_closed() => { queue.close(); continue }
        };
        if !open {
            break;
        }
        if received.len() < MAX_BATCH_EVENTS && !queue.is_closed() {
            tokio::time::sleep(BATCH_DELAY).await;
            while received.len() < MAX_BATCH_EVENTS
                && let Ok(event) = queue.try_recv()
            {
                received.push(event);
            }
        }
        *batch = Arc::new(received);
        write_events(&store, batch, false)
            .instrument(run_span("recorder"))
            .await;
        *batch = Arc::default();
    }
    write_key_use(&store, &keys).await;
}

/// Writes a batch. Of one that the database refuses, as that with an event of a folio whose history is damaged, it writes each half
/// by itself, and so on: an event that is refused alone is lost, and holds up no other. `unconfirmed`: some of it may be written.
async fn write_events(store: &Store, batch: &Arc<Vec<(FolioId, Event)>>, unconfirmed: bool) {
    let mut batches = vec![Arc::clone(batch)];
    while let Some(batch) = batches.pop() {
        let Err(error) = append(store, &batch, unconfirmed).await else {
            continue;
        };
        if let [(folio, _)] = batch.as_slice() {
            tracing::error!(error = %Causes(&error), %folio, "a download event was lost: the database refuses it");
        } else {
            let (first, last) = batch.split_at(batch.len() / 2);
            batches.extend([last, first].map(|half| Arc::new(half.to_vec())));
        }
    }
}

/// Appends events, and retries while the database is away; the queue behind them is bounded. Each try is
/// waited for, and a further one looks for what an earlier one may have written. An error is a refusal of the database.
async fn append(
    store: &Store,
    batch: &Arc<Vec<(FolioId, Event)>>,
    mut unconfirmed: bool,
) -> Result<(), store::Error> {
    let mut pause = Duration::from_millis(100);
    loop {
        let events = Arc::clone(batch);
        let write = move |tx: &mut store::Tx<'_>| {
            if unconfirmed {
                tx.append_missing_events(&events)
            } else {
                tx.append_events(&events)
            }
        };
        match store.write_without_timeout(write).await {
            Ok(()) => return Ok(()),
            Err(store::Error::Closed) => {
                tracing::error!(
                    events = batch.len(),
                    "download events were lost: the store closed before the recorder"
                );
                return Ok(());
            }
            Err(error) if error.is_refusal() => return Err(error),
            Err(error) => {
                unconfirmed |= matches!(error, store::Error::Unconfirmed(_));
                tracing::warn!(error = %Causes(&error), events = batch.len(), "download events could not be recorded; retrying");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(5));
            }
        }
    }
}

async fn write_key_use(store: &Store, keys: &KeyUse) {
    let used = std::mem::take(&mut *keys.lock().unwrap_or_else(PoisonError::into_inner));
    if used.is_empty() {
        return;
    }
    let noted: Vec<_> = used.iter().map(|(key, at)| (*key, *at)).collect();
    if let Err(error) = store.write(move |tx| tx.record_key_use(&noted)).await {
        tracing::warn!(error = %Causes(&error), "the last use of API keys could not be recorded; retrying later");
        put_back(keys, used);
    }
}

/// Puts uses back that could not be written, except those of keys that were used again meanwhile.
fn put_back(keys: &KeyUse, used: HashMap<KeyId, Timestamp>) {
    let mut keys = keys.lock().unwrap_or_else(PoisonError::into_inner);
    for (key, at) in used {
        keys.entry(key).or_insert(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_that_could_not_be_written_is_kept_unless_there_is_a_newer_one() {
        let (idle, busy) = (KeyId::from_bytes([1; 16]), KeyId::from_bytes([2; 16]));
        let at = Timestamp::from_micros;
        let keys: KeyUse = Arc::new(Mutex::new(HashMap::from([(busy, at(20))])));
        put_back(&keys, HashMap::from([(idle, at(10)), (busy, at(11))]));
        let kept = HashMap::from([(idle, at(10)), (busy, at(20))]);
        assert_eq!(*keys.lock().unwrap(), kept);
    }
}
