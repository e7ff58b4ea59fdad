//! Workers that die, hang or talk nonsense cost their page and nothing else.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use render::{Failure, Launch, Limits, Pool};

use crate::bombs::endless;
use crate::build::Doc;
use crate::drawing::{launch, output, source, unique};
use crate::faithful;

/// A worker started through a shell that does something first.
pub(crate) fn shell(script: &str) -> Launch {
    Launch {
        program: PathBuf::from("/bin/sh"),
        arguments: ["-c", script].map(OsString::from).to_vec(),
    }
}

/// A worker that leaves its process number in a file.
fn noted() -> (Launch, PathBuf) {
    let file = output("workers").join(unique("pids"));
    let worker = launch().program;
    (
        shell(&format!(
            "echo $$ >> '{}'; exec '{}'",
            file.display(),
            worker.display()
        )),
        file,
    )
}

fn pids(file: &PathBuf) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

fn wait_for(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process waits to be buried: its first thread may be dead while another still holds the pipes open.
fn is_over(pid: &str) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return true;
    };
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    threads.count() <= 1 && stat.map_or(true, |stat| stat.contains(") Z "))
}

fn kill(pid: &str) {
    let killed = std::process::Command::new("kill").args(["-9", pid]).status();
    assert!(killed.unwrap().success());
}

#[test]
fn a_worker_killed_in_the_middle_of_a_page_is_replaced() {
    let (launch, file) = noted();
    // It is ended by this test, and by nothing before it.
    let unhurried =
        limits(|limits| (limits.cpu, limits.wall) = (Duration::from_mins(10), Duration::from_mins(10)));
    let pool = Pool::new(launch, 1, unhurried);
    let good = source(&Doc::contract(1).table());
    faithful(pool.image(&good, 0, 600));
    let slow = source(&endless());
    let drawn = std::thread::scope(|scope| {
        let drawing = scope.spawn(|| pool.image(&slow, 0, 4000));
        let pid = pids(&file)[0].clone();
        // Once the worker has spent some time, it is in the middle of the page.
        let ticks = || -> u64 {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.split(' ')
                .nth(13)
                .and_then(|ticks| ticks.parse().ok())
                .unwrap_or(0)
        };
        let before = ticks();
        wait_for(|| ticks() > before + 5);
        kill(&pid);
        drawing.join().unwrap()
    });
    assert_eq!(drawn, Err(Failure::Crashed));
    faithful(pool.image(&good, 0, 600));
    assert_eq!(pids(&file).len(), 2);
}

#[test]
fn a_worker_that_dies_while_idle_is_not_missed() {
    let (launch, file) = noted();
    let pool = Pool::new(launch, 1, Limits::default());
    let good = source(&Doc::contract(1).table());
    faithful(pool.image(&good, 0, 600));
    let pid = pids(&file)[0].clone();
    kill(&pid);
    wait_for(|| is_over(&pid));
    faithful(pool.image(&good, 0, 600));
}

#[test]
fn a_worker_draws_many_pages_and_then_makes_room() {
    let (launch, file) = noted();
    let pool = Pool::new(launch, 1, limits(|limits| limits.pages = 3));
    let good = source(&Doc::contract(7).table());
    for number in 0..7 {
        faithful(pool.image(&good, number, 200));
    }
    assert_eq!(pids(&file).len(), 3);
}

#[test]
fn workers_that_are_none_cost_their_page_only() {
    let good = source(&Doc::contract(1).table());
    let within = |wall| limits(|limits| limits.wall = wall);
    for (script, failure) in [
        ("exit 1", Failure::Crashed),
        ("exec cat", Failure::Crashed),
        ("printf '\\377\\377\\377\\377'; exec sleep 100", Failure::Crashed),
        ("printf '\\001\\000\\000\\000X'; exec sleep 100", Failure::Crashed),
        ("exec sleep 100", Failure::TooSlow),
        ("kill -XCPU $$", Failure::TooSlow),
        ("kill -ABRT $$", Failure::TooLarge),
    ] {
        // The pool waits its whole timeout only for a worker that never ends.
        let wall = if script == "exec sleep 100" {
            Duration::from_millis(500)
        } else {
            Duration::from_mins(1)
        };
        let start = Instant::now();
        assert_eq!(
            Pool::new(shell(script), 1, within(wall)).image(&good, 0, 600),
            Err(failure),
            "{script}"
        );
        assert!(start.elapsed() < Duration::from_secs(90), "{script}");
    }
    let nothing = Launch {
        program: PathBuf::from("/nowhere/at/all"),
        arguments: Vec::new(),
    };
    assert_eq!(
        Pool::new(nothing, 1, Limits::default()).image(&good, 0, 600),
        Err(Failure::NoWorker)
    );
}

#[test]
fn a_full_pool_says_so() {
    let good = source(&Doc::contract(1).table());
    let gate = output("workers").join(unique("gate"));
    fs::write(&gate, "").unwrap();
    let held = format!("while [ -e '{}' ]; do sleep 0.02; done", gate.display());
    let pool = Pool::new(
        shell(&held),
        2,
        limits(|limits| {
            limits.wall = Duration::from_mins(5);
            limits.wait = Duration::from_millis(50);
        }),
    );
    let (answered, answers) = std::sync::mpsc::channel();
    let answers: Vec<_> = std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| answered.send(pool.image(&good, 0, 600)).unwrap());
        }
        let first = answers.recv().unwrap();
        // Both workers end when one of the three has been answered without them.
        fs::remove_file(&gate).unwrap();
        let others = [(); 2].map(|()| answers.recv().unwrap());
        std::iter::once(first).chain(others).collect()
    });
    assert_eq!(
        answers,
        [Err(Failure::Busy), Err(Failure::Crashed), Err(Failure::Crashed)]
    );
}

#[test]
fn a_document_too_long_for_the_limits_is_not_sent() {
    let pool = Pool::new(launch(), 1, limits(|limits| limits.document = 100));
    assert_eq!(
        pool.image(&source(&Doc::contract(1).table()), 0, 600),
        Err(Failure::TooLarge)
    );
}
