//! The servers that are measured: the program itself, and the small ones it is compared with.

use crate::load::Client;
use crate::requests::{self, As, Create};
use parts::{End, Error, Result, Scratch};
use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};
use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

const NAME: &str = "server";
const COMPANY: &str = "Medida";
const MASTER_KEY: &str = "master.key";

/// An installation of the program, in a directory of its own.
#[derive(Debug)]
pub(crate) struct Firmeza {
    scratch: Scratch,
    pub(crate) port: u16,
    pub(crate) key: String,
    /// The mail server; without one, messages are written and stay where they are.
    smtp: Option<String>,
    /// Where its database and its documents are, if not in its directory.
    backend: Backend,
}

/// Variables that say where an installation keeps its data; none for its own directory.
pub(crate) type Backend = Vec<(&'static str, String)>;

impl Firmeza {
    /// A new running installation with a company and its key. It sends no messages, since they are not
    /// measured.
    pub(crate) fn start() -> Result<Self> {
        Self::begin(None, Backend::new())
    }

    /// The same with its data elsewhere.
    pub(crate) fn start_on(backend: Backend) -> Result<Self> {
        Self::begin(None, backend)
    }

    /// The same, sending its messages by that mail server.
    pub(crate) fn start_sending(smtp: &str) -> Result<Self> {
        Self::begin(Some(smtp.to_owned()), Backend::new())
    }

    fn begin(smtp: Option<String>, backend: Backend) -> Result<Self> {
        let mut firmeza = Self {
            scratch: scratch()?,
            port: parts::free_port()?,
            key: String::new(),
            smtp,
            backend,
        };
        parts::run(firmeza.command()?.args(["company", "add", COMPANY]))?;
        let printed = parts::run(firmeza.command()?.args(["key", "add", "--company", COMPANY]))?;
        firmeza
            .key
            .push_str(printed.lines().last().unwrap_or_default().trim());
        firmeza.run()?;
        Ok(firmeza)
    }

    /// A copy of one that is stopped, stopped as well.
    pub(crate) fn copy(&self) -> Result<Self> {
        let scratch = scratch()?;
        parts::run(Command::new("cp").arg("-a").arg(self.data()).arg(data(&scratch)))?;
        Ok(Self {
            scratch,
            port: parts::free_port()?,
            key: self.key.clone(),
            smtp: self.smtp.clone(),
            backend: self.backend.clone(),
        })
    }

    /// Another running instance of an installation whose data are elsewhere, with a mail server of its own.
    pub(crate) fn join(&self, smtp: Option<&str>) -> Result<Self> {
        let mut instance = Self {
            scratch: scratch()?,
            port: parts::free_port()?,
            key: self.key.clone(),
            smtp: smtp.map(str::to_owned),
            backend: self.backend.clone(),
        };
        std::fs::create_dir(instance.data())?;
        std::fs::copy(self.data().join(MASTER_KEY), instance.data().join(MASTER_KEY))?;
        instance.run()?;
        Ok(instance)
    }

    /// Another installation with nothing in it.
    pub(crate) fn bare(backend: Backend) -> Result<Self> {
        Ok(Self {
            scratch: scratch()?,
            port: parts::free_port()?,
            key: String::new(),
            smtp: None,
            backend,
        })
    }

    /// Runs a command of the program with these variables.
    pub(crate) fn run_with(&self, backend: &Backend, arguments: &[&str]) -> Result<()> {
        let mut command = self.command()?;
        command.envs(backend.iter().map(|(name, value)| (name, value)));
        parts::run(command.args(arguments)).map(drop)
    }

    /// Ends the server as a crash would.
    pub(crate) fn kill(&mut self) -> Result<()> {
        parts::run(Command::new("kill").arg("-9").arg(self.process()?.to_string()))?;
        self.scratch.wait_end(NAME)
    }

    /// Starts the server and waits until it answers.
    pub(crate) fn run(&mut self) -> Result<()> {
        self.launch()?;
        let port = self.port;
        self.scratch.wait_until(NAME, || parts::answers(port, "/ready"))
    }

    /// Starts the server and waits for nothing.
    pub(crate) fn launch(&mut self) -> Result<()> {
        let mut command = self.command()?;
        self.scratch.start(NAME, command.arg("serve"), End::KillGroup)
    }

    /// Has the server stop in good order.
    pub(crate) fn stop(&mut self) -> Result<()> {
        parts::run(Command::new("kill").arg(self.process()?.to_string()))?;
        self.scratch.wait_end(NAME)
    }

    pub(crate) fn process(&self) -> Result<u32> {
        process(&self.scratch)
    }

    pub(crate) fn data(&self) -> PathBuf {
        data(&self.scratch)
    }

    /// Folios with one document of that size each; their identifiers.
    pub(crate) fn create_folios(&self, count: u64, size: usize) -> Result<Vec<String>> {
        let create = Create::new(&self.key, size, As::File);
        let made = Mutex::new(Vec::new());
        crate::load::run(self.port, 8, count, |client, _| {
            let id = requests::text(&create.send(client)?, "/data/folioId")?;
            made.lock().map_err(|_| Error::new("a client panicked"))?.push(id);
            Ok(())
        })?;
        made.into_inner().map_err(|_| Error::new("a client panicked"))
    }

    /// The identifiers of the folios' first documents.
    pub(crate) fn documents(&self, folios: &[String]) -> Result<Vec<String>> {
        let mut client = Client::connect(self.port)?;
        let mut document = |folio: &String| {
            let answer = client.ask(&[&requests::read_one(&self.key, folio)])?;
            requests::text(&answer, "/data/documents/0/documentId")
        };
        folios.iter().map(&mut document).collect()
    }

    fn command(&self) -> Result<Command> {
        let mut command = Command::new(beside("firmeza")?);
        remove_settings(&mut command);
        command
            .env("FIRMEZA_DATA_DIR", self.data())
            .env("FIRMEZA_LISTEN", format!("127.0.0.1:{}", self.port))
            .envs(self.backend.iter().map(|(name, value)| (name, value)))
            .current_dir(self.scratch.directory());
        match &self.smtp {
            Some(smtp) => command.env("FIRMEZA_SMTP_URL", smtp),
            None => command.env("FIRMEZA_SEND_MESSAGES", "false"),
        };
        Ok(command)
    }
}

/// A program of `peers/`, in a process of its own.
#[derive(Debug)]
pub(crate) struct Peer {
    scratch: Scratch,
    pub(crate) port: u16,
}

impl Peer {
    /// Starts the peer of that name in an empty directory that `prepare` may put something into.
    pub(crate) fn start(name: &str, prepare: impl FnOnce(&Path) -> Result<()>) -> Result<Self> {
        Self::start_on(name, Backend::new(), prepare)
    }

    /// The same with its data elsewhere.
    pub(crate) fn start_on(
        name: &str,
        backend: Backend,
        prepare: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<Self> {
        let mut scratch = scratch()?;
        let port = parts::free_port()?;
        let directory = data(&scratch);
        std::fs::create_dir(&directory)?;
        prepare(&directory)?;
        let mut command = Command::new(beside("bench")?);
        command.args(["--peer", name, &port.to_string()]).arg(&directory);
        remove_settings(&mut command);
        command.envs(backend);
        scratch.start(NAME, &mut command, End::KillGroup)?;
        scratch.wait_until(NAME, || parts::answers(port, "/ready"))?;
        Ok(Self { scratch, port })
    }

    pub(crate) fn process(&self) -> Result<u32> {
        process(&self.scratch)
    }
}

/// A directory whose subdirectories are placed far from recently removed files. ext4 without a journal does
/// not reuse the inode of a removed file for minutes, and a create nearby skips over all of those: one
/// figure's leftovers would be counted as work of the next.
fn scratch() -> Result<Scratch> {
    let scratch = Scratch::new()?;
    let directory = File::open(scratch.directory())?;
    // What knows no such mark needs none.
    let _ = ioctl_getflags(&directory).and_then(|flags| ioctl_setflags(&directory, flags | IFlags::TOPDIR));
    Ok(scratch)
}

/// The data directory of a measured server.
fn data(scratch: &Scratch) -> PathBuf {
    let directory = scratch.directory();
    directory.join(directory.file_name().unwrap_or_default())
}

fn process(scratch: &Scratch) -> Result<u32> {
    scratch
        .id(NAME)
        .ok_or_else(|| Error::new("the server is not running"))
}

/// Whatever the developer has set for an installation of their own is not meant for a measured one.
fn remove_settings(command: &mut Command) {
    for (name, _) in env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"FIRMEZA_")) {
        command.env_remove(name);
    }
}

/// A program built together with this one.
fn beside(name: &str) -> Result<PathBuf> {
    let program = env::current_exe()?.with_file_name(name);
    if program.is_file() {
        Ok(program)
    } else {
        let path = program.display();
        Err(Error::new(format!(
            "{path} is not built: run `cargo xtask bench`"
        )))
    }
}
