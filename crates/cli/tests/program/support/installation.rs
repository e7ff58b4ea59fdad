//! Throwaway installations of the real program.

use super::client::Client;
use super::database::given;
use super::wait_for;
use parts::{End, Guard, Scratch};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_firmeza");
pub(crate) const COMPANY: &str = "Prueba";

/// Settings and a directory; nothing runs yet.
pub(crate) struct Installation {
    scratch: Scratch,
    pub(crate) port: u16,
    settings: Vec<(&'static str, OsString)>,
}

impl Installation {
    /// The defaults, in a directory and on a port of its own.
    pub(crate) fn new() -> Self {
        let scratch = Scratch::new().unwrap();
        let port = parts::free_port().unwrap();
        let data = scratch.directory().join("data");
        // The machine's own settings file is read only where there is none.
        fs::write(scratch.directory().join("firmeza.toml"), "").unwrap();
        Self {
            scratch,
            port,
            settings: Vec::new(),
        }
        .with("FIRMEZA_DATA_DIR", data)
        .with("FIRMEZA_LISTEN", format!("127.0.0.1:{port}"))
        .with("FIRMEZA_METRICS_LISTEN", "off")
    }

    /// Sets a variable; an empty one counts as absent.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.settings.retain(|(set, _)| *set != name);
        self.settings.push((name, value.into()));
        self
    }

    /// Keeps the documents at that place of the S3 server of the tests.
    pub(crate) fn on_s3(mut self, place: String) -> Self {
        for name in [
            "AWS_ENDPOINT_URL",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_REGION",
            "AWS_ALLOW_HTTP",
        ] {
            self = self.with(name, given(name));
        }
        self.with("FIRMEZA_BLOBS_URL", place)
    }

    pub(crate) fn directory(&self) -> &Path {
        self.scratch.directory()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.directory().join("data")
    }

    /// The embedded database, where it is used.
    pub(crate) fn sqlite(&self) -> store::Settings {
        store::Settings::Sqlite(self.data().join("firmeza.sqlite"))
    }

    pub(crate) fn documents(&self) -> blobs::Location {
        blobs::Location::Directory(self.data().join("documents"))
    }

    pub(crate) fn command(&self) -> Command {
        self.dressed(Command::new(PROGRAM))
    }

    /// The program behind another one: `wrapper… firmeza`.
    pub(crate) fn wrapped(&self, wrapper: &[&str]) -> Command {
        let mut command = Command::new(wrapper[0]);
        command.args(&wrapper[1..]).arg(PROGRAM);
        self.dressed(command)
    }

    fn dressed(&self, mut command: Command) -> Command {
        // Whatever the developer has set for an installation of their own is not meant for this one.
        let others = env::vars_os().map(|(name, _)| name);
        for name in others.filter(|name| {
            let name = name.as_encoded_bytes();
            name.starts_with(b"FIRMEZA_") || name.starts_with(b"AWS_")
        }) {
            command.env_remove(name);
        }
        command
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .current_dir(self.directory());
        command
    }

    /// Runs a command of the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(&self.command().args(arguments).output().unwrap())
    }

    /// Runs a command that reads this from standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ended {
        let mut command = self.command();
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Ended::of(&child.wait_with_output().unwrap())
    }

    /// Runs a command that must succeed; what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert!(ended.success, "firmeza {arguments:?}: {ended:?}");
        ended.stdout
    }

    /// A new key of the test's company, which is made if it is not there.
    pub(crate) fn key(&self) -> String {
        if !self.ok(&["company", "list"]).lines().any(|name| name == COMPANY) {
            self.ok(&["company", "add", COMPANY]);
        }
        last_line(&self.ok(&["key", "add", "--company", COMPANY]))
    }

    /// A caller with a new key.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.port, &self.key())
    }

    /// Starts the service, and waits until it answers.
    pub(crate) fn serve(&self) -> Server {
        self.serve_by(self.command())
    }

    pub(crate) fn serve_by(&self, command: Command) -> Server {
        let mut server = Server::start(self, command);
        let port = self.port;
        wait_for("the service to answer", || {
            assert!(server.runs(), "the service ended: {}", server.logged());
            parts::answers(port, "/health")
        });
        server
    }
}

/// The last line of an output.
pub(crate) fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim().to_owned()
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) success: bool,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            success: output.status.success(),
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A running service. It ends with the test, however that ends.
pub(crate) struct Server {
    guard: Guard,
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Server {
    /// Starts the service without waiting for it.
    pub(crate) fn start(installation: &Installation, mut command: Command) -> Self {
        let [stdout, stderr] = ["stdout.log", "stderr.log"].map(|name| installation.directory().join(name));
        command
            .arg("serve")
            .stdin(Stdio::null())
            .stdout(File::create(&stdout).unwrap())
            .stderr(File::create(&stderr).unwrap());
        let mut guard = Guard::new(None).unwrap();
        let child = guard.spawn(&mut command, End::KillGroup).unwrap();
        Self {
            guard,
            child,
            stdout,
            stderr,
        }
    }

    pub(crate) fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it printed.
    pub(crate) fn printed(&self) -> String {
        fs::read_to_string(&self.stdout).unwrap()
    }

    /// What it logged.
    pub(crate) fn logged(&self) -> String {
        fs::read_to_string(&self.stderr).unwrap()
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it in good order.
    pub(crate) fn stop(self) {
        self.terminate();
        assert!(self.end().success());
    }

    /// The signal for an orderly stop.
    pub(crate) fn terminate(&self) {
        parts::run(Command::new("sh").args(["-c", &format!("kill -TERM {}", self.id())])).unwrap();
    }

    /// Waits until a service that got SIGTERM has ended.
    pub(crate) fn end(mut self) -> ExitStatus {
        let mut ended = None;
        wait_for("the service to end", || {
            ended = self.child.try_wait().unwrap();
            ended.is_some()
        });
        ended.unwrap()
    }

    /// The CPU time it has spent so far.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        let after_name = stat.rsplit_once(") ").unwrap().1;
        let ticks = after_name.split(' ').skip(11).take(2);
        let ticks: u64 = ticks.map(|ticks| ticks.parse::<u64>().unwrap()).sum();
        // Linux counts in hundredths of a second wherever this program runs.
        Duration::from_millis(ticks * 10)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = self.guard.forget(&self.child);
    }
}
