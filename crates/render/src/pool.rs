//! A pool of worker processes that draw pages, replaced when they die or have drawn many.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::image_format::Photographs;
use crate::limits::Limits;
use crate::outcome::{Failure, PageSize, PageText, Rendered};
use crate::protocol::Response;
use crate::sandbox::Sandbox;
use crate::worker_process::{Launch, Task, Worker};

/// A document to draw pages of.
#[derive(Debug, Clone)]
pub struct Source {
    /// Identifies the document, such as its SHA-256: a worker that holds it is not sent the bytes again.
    pub key: [u8; 32],
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

/// Draws pages in child processes, several at a time.
///
/// Calls block for as long as a page takes: not for async threads.
#[derive(Debug)]
pub struct Pool {
    launch: Launch,
    limits: Limits,
    state: Mutex<State>,
    freed: Condvar,
    sandbox: Arc<OnceLock<Sandbox>>,
}

#[derive(Debug)]
struct State {
    idle: Vec<Worker>,
    /// Workers that may still be started.
    vacancies: usize,
}

impl Pool {
    /// A pool of at most `workers` processes, each started when it is first needed.
    pub fn new(launch: Launch, workers: usize, limits: Limits) -> Self {
        Self {
            launch,
            limits,
            state: Mutex::new(State {
                idle: Vec::new(),
                vacancies: workers.max(1),
            }),
            freed: Condvar::new(),
            sandbox: Arc::default(),
        }
    }

    /// How far its workers are confined, once one has been started.
    pub fn sandbox(&self) -> Option<Sandbox> {
        self.sandbox.get().copied()
    }

    /// The same; starts a worker if there was none yet.
    pub fn try_sandbox(&self) -> Result<Sandbox, Failure> {
        let nothing = Source {
            key: [0; 32],
            bytes: Arc::default(),
        };
        match self.sizes(&nothing) {
            // An empty document is unreadable; the worker has started and reported its sandbox.
            Ok(_) | Err(Failure::Unreadable) => self.sandbox().ok_or(Failure::NoWorker),
            Err(failure) => Err(failure),
        }
    }

    /// Draws a page, counted from zero, at a width in pixels, as PNG.
    pub fn image(&self, source: &Source, page: u32, width: u32) -> Result<Rendered, Failure> {
        self.image_with(source, page, width, Photographs::Png)
    }

    /// The same; a page with photographic content is encoded as `photographs` says.
    pub fn image_with(
        &self,
        source: &Source,
        page: u32,
        width: u32,
        photographs: Photographs,
    ) -> Result<Rendered, Failure> {
        let task = Task::Image {
            page,
            width,
            photographs,
        };
        match self.ask(source, task)? {
            Response::Image(rendered) => Ok(rendered),
            _ => Err(Failure::Crashed),
        }
    }

    /// Reads a page, counted from zero.
    pub fn text(&self, source: &Source, page: u32) -> Result<PageText, Failure> {
        match self.ask(source, Task::Text { page })? {
            Response::Text(text) => Ok(text),
            _ => Err(Failure::Crashed),
        }
    }

    /// The sizes of all pages, in order.
    pub fn sizes(&self, source: &Source) -> Result<Vec<PageSize>, Failure> {
        match self.ask(source, Task::Sizes)? {
            Response::Sizes(sizes) => Ok(sizes),
            _ => Err(Failure::Crashed),
        }
    }

    fn ask(&self, source: &Source, task: Task) -> Result<Response, Failure> {
        if source.bytes.len() > self.limits.document {
            return Err(Failure::TooLarge);
        }
        let mut checked_out = self.check_out(&source.key)?;
        let timeout = self.limits.wall;
        let worker = match &mut checked_out.worker {
            Some(worker) => worker,
            none => {
                let started = Worker::start(&self.launch, &self.limits, &self.sandbox);
                none.insert(started.map_err(|_| Failure::NoWorker)?)
            }
        };
        let steps = || {
            if worker.document != Some(source.key) {
                worker.document = None;
                let response = worker.run(Task::Load(source.bytes.clone()), timeout)?;
                if response != Response::Loaded {
                    return Ok(response);
                }
                worker.document = Some(source.key);
            }
            worker.pages += 1;
            worker.run(task, timeout)
        };
        let response = steps();
        if response.is_err() || worker.pages >= self.limits.pages {
            checked_out.worker = None;
        }
        match response? {
            Response::Failed(failure) => Err(failure),
            response => Ok(response),
        }
    }

    /// Waits for a worker, preferably one that holds the document, or for the right to start one.
    fn check_out(&self, key: &[u8; 32]) -> Result<CheckedOut<'_>, Failure> {
        let deadline = Instant::now() + self.limits.wait;
        let mut state = self.lock();
        loop {
            state.reap();
            let holder = state
                .idle
                .iter()
                .rposition(|worker| worker.document == Some(*key));
            let fresh = state.idle.iter().rposition(|worker| worker.document.is_none());
            let worker = match (holder.or(fresh), state.vacancies) {
                (Some(at), _) => Some(state.idle.swap_remove(at)),
                (None, 0) => state.idle.pop(),
                (None, _) => None,
            };
            if worker.is_none() && state.vacancies > 0 {
                state.vacancies -= 1;
            } else if worker.is_none() {
                let left = deadline.saturating_duration_since(Instant::now());
                if left == Duration::ZERO {
                    return Err(Failure::Busy);
                }
                let waited = self.freed.wait_timeout(state, left);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            return Ok(CheckedOut { pool: self, worker });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Removes dead workers, so that new ones may be started.
    fn reap(&mut self) {
        let before = self.idle.len();
        self.idle.retain_mut(Worker::is_alive);
        self.vacancies += before - self.idle.len();
    }
}

/// A worker that was checked out, or the right to start one. Dropped, it returns to the pool.
struct CheckedOut<'p> {
    pool: &'p Pool,
    worker: Option<Worker>,
}

impl Drop for CheckedOut<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        match self.worker.take() {
            Some(worker) => state.idle.push(worker),
            None => state.vacancies += 1,
        }
        drop(state);
        self.pool.freed.notify_one();
    }
}
