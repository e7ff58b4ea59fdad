//! A temporary directory and the servers that live in it.

use std::env;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::tail;
use crate::{End, Error, Guard, Result};

/// How long a server may take to be ready: several start at once, on a machine that may be busy with a build.
const READY_TIMEOUT: Duration = Duration::from_mins(5);

/// Servers and their directory, both gone when this is dropped or this process dies.
#[derive(Debug)]
pub struct Scratch {
    directory: PathBuf,
    guard: Guard,
    servers: Vec<(&'static str, Child)>,
}

impl Scratch {
    /// An empty directory.
    pub fn new() -> Result<Self> {
        let directory = new_directory()?;
        let guard = Guard::new(Some(&directory))?;
        Ok(Self {
            directory,
            guard,
            servers: Vec::new(),
        })
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Starts a server whose output goes to `NAME.log` in the directory.
    pub fn start(&mut self, name: &'static str, command: &mut Command, end: End) -> Result<()> {
        let log = File::options().create(true).append(true).open(self.log(name))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child = self.guard.spawn(command, end)?;
        self.servers.push((name, child));
        Ok(())
    }

    /// Waits for a condition on a running server. Its end, or a limit passed, fails with the end of its log.
    pub fn wait_until(&mut self, name: &'static str, mut ready: impl FnMut() -> bool) -> Result<()> {
        let started = Instant::now();
        loop {
            let log = self.log(name);
            if let Some(status) = self.child(name)?.try_wait()? {
                return Err(Error::new(format!(
                    "{name} ended early: {status}\n{}",
                    tail(&log)
                )));
            }
            if ready() {
                return Ok(());
            }
            if started.elapsed() > READY_TIMEOUT {
                return Err(Error::new(format!(
                    "{name} is not ready after {READY_TIMEOUT:?}\n{}",
                    tail(&log)
                )));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for a server that has been signalled to end.
    pub fn wait_end(&mut self, name: &'static str) -> Result<()> {
        self.child(name)?.wait()?;
        if let Some(position) = self.servers.iter().position(|(of, _)| *of == name) {
            let (_, child) = self.servers.swap_remove(position);
            self.guard.forget(&child)?;
        }
        Ok(())
    }

    /// An error together with the end of a server's log.
    pub fn with_log(&self, name: &str, cause: &Error) -> Error {
        Error::new(format!("{cause}\n{name}: {}", tail(&self.log(name))))
    }

    /// The process number of a running server.
    pub fn id(&self, name: &str) -> Option<u32> {
        self.servers
            .iter()
            .find(|(of, _)| *of == name)
            .map(|(_, child)| child.id())
    }

    fn child(&mut self, name: &str) -> Result<&mut Child> {
        let found = self.servers.iter_mut().find(|(of, _)| *of == name);
        found
            .map(|(_, child)| child)
            .ok_or_else(|| Error::new(format!("{name} is not running")))
    }

    fn log(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.log"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.guard.release();
        for (_, child) in &mut self.servers {
            // Reaping is all that is wanted; the guard sees to the end itself.
            let _ = child.wait();
        }
    }
}

fn new_directory() -> Result<PathBuf> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    loop {
        let name = format!(
            "firmeza-{}-{}",
            process::id(),
            MADE.fetch_add(1, Ordering::Relaxed)
        );
        let directory = env::temp_dir().join(name);
        match DirBuilder::new().mode(0o700).create(&directory) {
            Ok(()) => {
                // Others may pass through: PostgreSQL runs as a user of its own when we are root.
                fs::set_permissions(&directory, Permissions::from_mode(0o711))?;
                return Ok(directory);
            }
            Err(taken) if taken.kind() == ErrorKind::AlreadyExists => {}
            Err(cause) => return Err(Error::while_(directory.display())(cause)),
        }
    }
}
