//! Power cuts: every call of the program that changes files is recorded, and the disk that each moment would have left is
//! made and looked at. What was answered before is on it.

mod disk;
mod moves;
mod recording;
mod rotation;

use super::unhindered;
use crate::support::{COMPANY, Client, Order, TestRandom, cancel, check_integrity, done, texts, wait_for};
use disk::{Disk, Syncs};
use parts::Strace;
use recording::Step;
use std::collections::BTreeSet;
use std::fs;
use std::panic::AssertUnwindSafe;
use tempfile::TempDir;

/// Power cuts of a run.
const CUTS: usize = 240;
const CREATES: usize = 30;

/// What the program did to its data directory while clients were at work, and what was there before.
struct Recorded {
    before: Disk,
    steps: Vec<Step>,
}

/// Records a run that ends with a kill.
fn record() -> Recorded {
    let installation = unhindered();
    let client = installation.client();
    let before = Disk::of(&installation.data());
    let recording = installation.directory().join("recording");
    let wrapper = Strace::wrapper(&recording).unwrap();
    let wrapper: Vec<&str> = wrapper.iter().map(String::as_str).collect();
    let server = installation.serve_by(installation.wrapped(&wrapper));
    work(&client, 0);
    let database = installation.data().join("firmeza.sqlite");
    let written_at = || fs::metadata(&database).unwrap().modified().unwrap();
    let worked = written_at();
    wait_for("a checkpoint, which writes into the database itself", || {
        written_at() != worked
    });
    work(&client, 1);
    server.kill();
    let read = || String::from_utf8(fs::read(&recording).unwrap()).unwrap();
    wait_for("the end of the recording", || {
        read().trim_end().ends_with("+++ killed by SIGKILL +++")
    });
    let steps = recording::read(&read(), &installation.data());
    Recorded { before, steps }
}

/// Clients that create folios at the same time, and cancel some.
fn work(client: &Client, round: u64) {
    std::thread::scope(|scope| {
        for place in 0..3 {
            scope.spawn(move || {
                let mut random = TestRandom::seeded(1 + 3 * round + place);
                for _ in 0..CREATES / 6 {
                    let folio = client.created(&Order::any(&mut random));
                    if random.below(3) == 0 {
                        done(&client.send(cancel(&folio, "Ya no hace falta.")));
                    }
                }
            });
        }
    });
}

/// What clients were told.
#[derive(Default)]
struct Told {
    created: BTreeSet<String>,
    cancelled: BTreeSet<String>,
}

impl Told {
    fn note(&mut self, step: &Step) {
        let Step::Answer { text } = step else { return };
        let Some((_, after)) = text.split_once("\"folioId\":\"") else {
            return;
        };
        let folio = after[..32].to_owned();
        if text.contains("\"cancelledFolios\":1") {
            self.cancelled.insert(folio);
        } else if text.contains("signProcessUrl") {
            self.created.insert(folio);
        }
    }
}

impl Recorded {
    /// Cuts the power at so many moments, and has each disk looked at.
    fn cut(mut self, cuts: usize, syncs: Syncs, mut look: impl FnMut(usize, &Left, &Told)) -> Told {
        let mut random = TestRandom::seeded(1);
        let mut told = Told::default();
        let (all, mut made) = (self.steps.len(), 0);
        for (number, step) in self.steps.iter().enumerate() {
            self.before.apply(number, step, syncs);
            told.note(step);
            while made * all <= number * cuts && made < cuts {
                made += 1;
                let left = Left(memory());
                self.before.cut(&mut random, left.0.path());
                look(number, &left, &told);
            }
        }
        told
    }
}

/// What a power cut left.
struct Left(TempDir);

impl Left {
    fn database(&self) -> store::Settings {
        store::Settings::Sqlite(self.0.path().join("firmeza.sqlite"))
    }

    fn documents(&self) -> blobs::Location {
        blobs::Location::Directory(self.0.path().join("documents"))
    }
}

/// A directory in memory, where there is one: hundreds of disks are made and looked at.
fn memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Folios in that state that the database does not have.
fn missing(left: &Left, told: &BTreeSet<String>, condition: &str) -> Vec<String> {
    let sql = format!("SELECT {{hex}}id{{end}} FROM folios WHERE {condition}");
    let there: BTreeSet<String> = texts(&left.database(), &sql).into_iter().collect();
    told.difference(&there).cloned().collect()
}

#[test]
fn a_power_cut_at_any_moment_loses_nothing_that_was_answered() {
    let mut looked = 0;
    let told = record().cut(CUTS, Syncs::Work, |step, left, told| {
        looked += 1;
        let lost = missing(left, &told.created, "1 = 1");
        assert!(lost.is_empty(), "step {step}: created, and lost: {lost:?}");
        let lost = missing(left, &told.cancelled, "state = 'cancelled'");
        assert!(
            lost.is_empty(),
            "step {step}: cancelled, and not so any more: {lost:?}"
        );
        check_integrity(&left.database(), COMPANY, &left.documents(), 0);
    });
    assert_eq!(looked, CUTS);
    assert_eq!(told.created.len(), CREATES);
    assert!(!told.cancelled.is_empty());
}

#[test]
fn a_disk_that_does_not_sync_is_found_out() {
    let mut lost = 0;
    record().cut(40, Syncs::DoNothing, |_, left, told| {
        // It may not even be a database any more.
        let look = AssertUnwindSafe(|| missing(left, &told.created, "1 = 1"));
        let looked = std::panic::catch_unwind(look);
        lost += usize::from(!looked.is_ok_and(|missing| missing.is_empty()));
    });
    assert!(lost > 0, "what is not synced outlives every power cut");
}
