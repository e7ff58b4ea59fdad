//! One worker as the service sees it: a process, and a thread that talks to it.

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::image_format::Photographs;
use crate::limits::Limits;
use crate::outcome::Failure;
use crate::protocol::{self, MAX_RESPONSE_BYTES, Response, read_frame};
use crate::sandbox::Sandbox;
use crate::worker::write_limits;

/// Makes the allocator of glibc keep the memory of a page for the next one.
const MALLOC_SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "33554432"),
    ("MALLOC_TRIM_THRESHOLD_", "134217728"),
];

/// How to start a worker: a program that calls [`run_worker`](crate::run_worker).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// A task for a worker.
#[derive(Debug)]
pub(super) enum Task {
    Load(Arc<[u8]>),
    Image {
        page: u32,
        width: u32,
        photographs: Photographs,
    },
    Text {
        page: u32,
    },
    Sizes,
}

/// A running worker.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    tasks: Sender<Task>,
    responses: Receiver<io::Result<Response>>,
    /// The document it holds.
    pub(super) document: Option<[u8; 32]>,
    /// How many pages it has drawn.
    pub(super) pages: u32,
}

impl Worker {
    /// Starts a process, which reports in `sandbox` how far it is confined.
    pub(super) fn start(
        launch: &Launch,
        limits: &Limits,
        sandbox: &Arc<OnceLock<Sandbox>>,
    ) -> io::Result<Self> {
        let mut child = Command::new(&launch.program)
            .args(&launch.arguments)
            .env_clear()
            .envs(MALLOC_SETTINGS)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a worker without pipes"));
        };
        let (tasks, todo) = channel();
        let (done, responses) = channel();
        let (limits, sandbox) = (limits.clone(), Arc::clone(sandbox));
        std::thread::Builder::new()
            .name("render".into())
            .spawn(move || talk(input, output, &limits, &sandbox, &todo, &done))?;
        Ok(Self {
            child,
            tasks,
            responses,
            document: None,
            pages: 0,
        })
    }

    /// Runs a task. After an error the worker has ended, and the error is its reason.
    pub(super) fn run(&mut self, task: Task, timeout: Duration) -> Result<Response, Failure> {
        if self.tasks.send(task).is_err() {
            return Err(self.failure_after_exit());
        }
        match self.responses.recv_timeout(timeout) {
            Ok(Ok(response)) => Ok(response),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                self.kill_and_wait();
                Err(Failure::TooSlow)
            }
            _ => Err(self.failure_after_exit()),
        }
    }

    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the process, if it still runs, and returns its status.
    fn kill_and_wait(&mut self) -> Option<ExitStatus> {
        // It fails only if the process has ended already.
        let _ = self.child.kill();
        self.child.wait().ok()
    }

    /// Why the pipes broke: the process ended, or its response was malformed.
    fn failure_after_exit(&mut self) -> Failure {
        const ABORTED: i32 = 6;
        const BAD_ACCESS: i32 = 11;
        const OUT_OF_TIME: i32 = 24;
        // The output closes shortly before the process ends: to kill it now would hide its own exit status.
        for _ in 0..100 {
            if !self.is_alive() {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        match self.kill_and_wait().and_then(|status| status.signal()) {
            Some(OUT_OF_TIME) => Failure::TooSlow,
            Some(ABORTED | BAD_ACCESS) => Failure::TooLarge,
            _ => Failure::Crashed,
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill_and_wait();
    }
}

fn talk(
    input: ChildStdin,
    output: ChildStdout,
    limits: &Limits,
    sandbox: &OnceLock<Sandbox>,
    todo: &Receiver<Task>,
    done: &Sender<io::Result<Response>>,
) {
    let (mut to, mut from) = (BufWriter::new(input), BufReader::new(output));
    let mut first = true;
    while let Ok(task) = todo.recv() {
        let mut ask = || {
            let greets = std::mem::take(&mut first);
            if greets {
                write_limits(&mut to, limits)?;
            }
            match task {
                Task::Load(ref document) => protocol::write_load(&mut to, document)?,
                Task::Image {
                    page,
                    width,
                    photographs,
                } => protocol::write_image(&mut to, page, width, photographs)?,
                Task::Text { page } => protocol::write_text(&mut to, page)?,
                Task::Sizes => protocol::write_sizes(&mut to)?,
            }
            if greets {
                let frame = read_frame(&mut from, 64)?.ok_or(io::ErrorKind::UnexpectedEof)?;
                let said = protocol::greeting(&frame).ok_or_else(|| io::Error::other("not a greeting"))?;
                // Workers of one pool are the same program on the same system: the report of the first one counts for
                // all.
                let _ = sandbox.set(said);
            }
            let frame = read_frame(&mut from, MAX_RESPONSE_BYTES)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            protocol::response(frame).ok_or_else(|| io::Error::other("not a response"))
        };
        let response = ask();
        let broken = response.is_err();
        if done.send(response).is_err() || broken {
            return;
        }
    }
}
