//! A disk whose power is cut: what was synced is there, and of the rest whatever chance leaves.
//!
//! Of what was written to a file and not synced, each write is there, is not, or is there in part. Of the names in a
//! directory that was not synced, the changes up to some point are there.

use super::recording::{Position, Step};
use crate::support::TestRandom;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a disk loses besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syncs {
    Work,
    /// The disk lies: this is how the test is tested.
    DoNothing,
}

const SECTOR_BYTES: usize = 512;

type FileNumber = usize;
/// A name, and the file that has it from now on.
type Naming = (String, Option<FileNumber>);

#[derive(Debug, Default)]
pub(super) struct Disk {
    files: Vec<FileState>,
    /// The names as running programs see them.
    names: BTreeMap<String, FileNumber>,
    /// The changes of names in each directory, in order.
    changes: BTreeMap<String, Vec<Change<Naming>>>,
    directories: Vec<String>,
}

#[derive(Debug, Default)]
struct FileState {
    content: Vec<Change<Edit>>,
    /// Where the next write without a position goes.
    position: usize,
}

/// Something that happened at a step, and whether it is durable.
#[derive(Debug)]
struct Change<T> {
    step: usize,
    durable: bool,
    what: T,
}

#[derive(Debug)]
enum Edit {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

impl Disk {
    /// A disk with a copy of a directory, all of it durable.
    pub(super) fn of(root: &Path) -> Self {
        let mut disk = Self::default();
        disk.add(root, root);
        disk
    }

    fn add(&mut self, root: &Path, directory: &Path) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() {
                self.directories.push(name);
                self.add(root, &path);
            } else if !name.ends_with("-shm") {
                let number = self.create(&name, 0, true);
                self.files[number].content.push(Change {
                    step: 0,
                    durable: true,
                    what: Edit::Write(0, fs::read(&path).unwrap()),
                });
            }
        }
    }

    fn create(&mut self, path: &str, step: usize, durable: bool) -> FileNumber {
        self.files.push(FileState::default());
        let number = self.files.len() - 1;
        self.name(path, Some(number), step, durable);
        number
    }

    /// Lets a path name a file, or none.
    fn name(&mut self, path: &str, file: Option<FileNumber>, step: usize, durable: bool) {
        match file {
            Some(number) => self.names.insert(path.to_owned(), number),
            None => self.names.remove(path),
        };
        let what = (path.to_owned(), file);
        let changes = self.changes.entry(parent(path)).or_default();
        changes.push(Change { step, durable, what });
    }

    /// Does what the program did in its step with that number.
    pub(super) fn apply(&mut self, number: usize, step: &Step, syncs: Syncs) {
        match step {
            Step::Create { path } if !self.names.contains_key(path) => {
                self.create(path, number, false);
            }
            // Directories are made when the program starts for the first time, and nothing depends on their names alone.
            Step::MakeDirectory { path } => self.directories.push(path.clone()),
            Step::Write { path, at, bytes } => {
                let Some(file) = self.names.get(path) else { return };
                let file = &mut self.files[*file];
                let at = match at {
                    Position::At(at) => *at,
                    Position::Next => file.position,
                };
                file.position = at + bytes.len();
                file.edit(number, Edit::Write(at, bytes.clone()));
            }
            Step::Truncate { path, length } => {
                if let Some(file) = self.names.get(path) {
                    self.files[*file].edit(number, Edit::Truncate(*length));
                }
            }
            Step::Sync { path, begun } if syncs == Syncs::Work => {
                if let Some(file) = self.names.get(path) {
                    make_durable(&mut self.files[*file].content, *begun);
                } else if let Some(changes) = self.changes.get_mut(path) {
                    make_durable(changes, *begun);
                }
            }
            Step::Rename { from, to } => {
                if let Some(file) = self.names.get(from).copied() {
                    self.name(to, Some(file), number, false);
                    self.name(from, None, number, false);
                }
            }
            Step::Link { from, to } => {
                if let Some(file) = self.names.get(from).copied() {
                    self.name(to, Some(file), number, false);
                }
            }
            Step::Unlink { path } => self.name(path, None, number, false),
            Step::Create { .. } | Step::Sync { .. } | Step::Answer { .. } => {}
        }
    }

    /// Writes what a power cut leaves into an empty directory.
    pub(super) fn cut(&self, random: &mut TestRandom, into: &Path) {
        for directory in &self.directories {
            fs::create_dir_all(into.join(directory)).unwrap();
        }
        for changes in self.changes.values() {
            let synced = changes
                .iter()
                .rposition(|change| change.durable)
                .map_or(0, |last| last + 1);
            let kept = synced + random.below(changes.len() - synced + 1);
            let mut names: BTreeMap<&str, FileNumber> = BTreeMap::new();
            for change in &changes[..kept] {
                match &change.what {
                    (path, Some(file)) => names.insert(path, *file),
                    (path, None) => names.remove(path.as_str()),
                };
            }
            for (path, file) in names {
                let path: PathBuf = into.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, self.files[file].left(random)).unwrap();
            }
        }
    }
}

impl FileState {
    fn edit(&mut self, step: usize, what: Edit) {
        self.content.push(Change {
            step,
            durable: false,
            what,
        });
    }

    /// The bytes that a power cut leaves.
    fn left(&self, random: &mut TestRandom) -> Vec<u8> {
        // Nothing, everything or anything of what was not synced.
        let chance = random.below(4);
        let mut bytes = Vec::new();
        for change in &self.content {
            let survives = change.durable
                || match chance {
                    0 => false,
                    1 => true,
                    _ => random.below(2) == 0,
                };
            if !survives {
                continue;
            }
            match &change.what {
                Edit::Truncate(length) => bytes.resize(*length, 0),
                Edit::Write(at, written) => {
                    let is_torn = !change.durable && chance == 3 && random.below(4) == 0;
                    let sectors = written.len().div_ceil(SECTOR_BYTES);
                    let length = if is_torn {
                        random.below(sectors) * SECTOR_BYTES
                    } else {
                        written.len()
                    };
                    let end = at + length;
                    if bytes.len() < end {
                        bytes.resize(end, 0);
                    }
                    bytes[*at..end].copy_from_slice(&written[..length]);
                }
            }
        }
        bytes
    }
}

fn make_durable<T>(changes: &mut [Change<T>], before: usize) {
    let covered = changes.iter_mut().filter(|change| change.step < before);
    covered.for_each(|change| change.durable = true);
}

fn parent(path: &str) -> String {
    path.rsplit_once('/')
        .map_or(String::new(), |(parent, _)| parent.to_owned())
}
