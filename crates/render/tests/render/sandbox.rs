//! A worker that a hostile file took over reaches nothing: no key, no network, no other process.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use render::{Launch, Limits, Pool, Sandbox};

use crate::build::Doc;
use crate::drawing::{launch, source};
use crate::faithful;
use crate::workers::shell;

/// Another process of the same user, gone with the test.
struct Victim(Child);

impl Victim {
    fn start() -> Self {
        Self(Command::new("/bin/sleep").arg("1000").spawn().unwrap())
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        self.0.wait().unwrap();
    }
}

/// The outcome of each attempt of a worker that was taken over.
fn attempts(mode: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let key = directory.path().join("master.key");
    fs::write(&key, "5a".repeat(32)).unwrap();
    fs::write(key.with_extension("spare"), "spare").unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = directory.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let mut victim = Victim::start();
    let tried = Command::new(launch().program.with_file_name("taken_over"))
        .arg(mode)
        .args([
            &key,
            &PathBuf::from(server.local_addr().unwrap().port().to_string()),
        ])
        .arg(&socket)
        .arg(victim.0.id().to_string())
        .stdin(Stdio::null())
        .stderr(File::open(&key).unwrap())
        .output()
        .unwrap();
    assert!(tried.status.success(), "{tried:?}");
    let text = String::from_utf8(tried.stdout).unwrap();
    if mode == "confined" {
        assert!(victim.0.try_wait().unwrap().is_none(), "the other process lives");
    }
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_worker_that_was_taken_over_reaches_nothing() {
    let free = attempts("free");
    for attempt in &free {
        // Some systems let no process trace a process that is not its own child.
        let is_real = attempt.ends_with(": done") || attempt.starts_with("trace: ");
        assert!(is_real, "{attempt}");
    }
    let confined = attempts("confined");
    assert_eq!(confined.len(), free.len() + 1, "and exec: {confined:?}");
    for attempt in confined {
        assert!(!attempt.ends_with(": done"), "{attempt}");
    }
}

#[test]
fn a_worker_has_its_streams_and_no_other_descriptor_and_no_call_to_spare() {
    let directory = tempfile::tempdir().unwrap();
    let (key, pid) = (directory.path().join("master.key"), directory.path().join("pid"));
    fs::write(&key, "5a".repeat(32)).unwrap();
    let script = format!(
        "echo $$ > '{}'; exec 7<'{}'; exec '{}'",
        pid.display(),
        key.display(),
        launch().program.display()
    );
    let pool = Pool::new(shell(&script), 1, Limits::default());
    assert_eq!(pool.sandbox(), None, "none was started");
    faithful(pool.image(&source(&Doc::contract(1).table()), 0, 600));
    assert_eq!(
        pool.sandbox(),
        Some(Sandbox {
            landlock: true,
            seccomp: true
        })
    );
    let process = PathBuf::from("/proc").join(fs::read_to_string(&pid).unwrap().trim());
    let mut open: Vec<_> = fs::read_dir(process.join("fd"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    open.sort();
    assert_eq!(open, ["0", "1", "2"]);
    for thread in fs::read_dir(process.join("task")).unwrap() {
        let status = fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        for line in ["Seccomp:\t2", "NoNewPrivs:\t1"] {
            assert!(status.contains(line), "{line} in {status}");
        }
    }
    let limits = fs::read_to_string(process.join("limits")).unwrap();
    let limit = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..].split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(limit("Max open files"), "0");
    assert_eq!(limit("Max processes"), "0");
    assert_eq!(limit("Max address space"), (1_u64 << 30).to_string());
}

#[test]
fn a_worker_inherits_no_variable() {
    let directory = tempfile::tempdir().unwrap();
    let seen = directory.path().join("environment");
    let script = format!(
        "env > '{}'; exec '{}'",
        seen.display(),
        launch().program.display()
    );
    let pool = Pool::new(shell(&script), 1, Limits::default());
    faithful(pool.image(&source(&Doc::contract(1).table()), 0, 600));
    // The shell adds its own.
    let may_have =
        |name: &str| name.starts_with("MALLOC_") || ["PWD", "OLDPWD", "SHLVL", "_", "PATH"].contains(&name);
    assert!(
        std::env::vars().any(|(name, _)| !may_have(&name)),
        "there is something to inherit"
    );
    for line in fs::read_to_string(seen).unwrap().lines() {
        assert!(may_have(line.split('=').next().unwrap()), "{line}");
    }
}

#[test]
fn how_far_workers_are_closed_in_can_be_asked() {
    let whole = Pool::new(launch(), 1, Limits::default()).try_sandbox().unwrap();
    assert!(whole.holds());
    let nothing = Launch {
        program: PathBuf::from("/nowhere/at/all"),
        arguments: Vec::new(),
    };
    Pool::new(nothing, 1, Limits::default())
        .try_sandbox()
        .unwrap_err();
}
