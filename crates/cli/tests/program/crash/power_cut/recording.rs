//! What a program did to the files of a directory, read from the recording of its system calls.

use std::collections::HashMap;
use std::path::Path;

/// A call that is over, in the order of their ends.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Create {
        path: String,
    },
    MakeDirectory {
        path: String,
    },
    Write {
        path: String,
        at: Position,
        bytes: Vec<u8>,
    },
    Truncate {
        path: String,
        length: usize,
    },
    /// Makes durable what happened to the file or directory in the steps before `begun`.
    Sync {
        path: String,
        begun: usize,
    },
    Rename {
        from: String,
        to: String,
    },
    Link {
        from: String,
        to: String,
    },
    Unlink {
        path: String,
    },
    /// The beginning of an answer to a client.
    Answer {
        text: String,
    },
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Position {
    At(usize),
    /// Behind what was written so before.
    Next,
}

/// Reads a recording; paths are relative to `root`.
pub(super) fn read(recording: &str, root: &Path) -> Vec<Step> {
    let mut reader = Reader {
        root: format!("{}/", root.display()),
        steps: Vec::new(),
        unfinished: HashMap::new(),
    };
    for line in recording.lines() {
        let (thread, call) = line.split_once(' ').expect("a thread and its call");
        reader.line(thread, call.trim_start());
    }
    reader.steps
}

struct Reader<'r> {
    root: String,
    steps: Vec<Step>,
    /// By thread: the beginning of a call, and how many steps there were then.
    unfinished: HashMap<&'r str, (&'r str, usize)>,
}

impl<'r> Reader<'r> {
    fn line(&mut self, thread: &'r str, call: &'r str) {
        if let Some((head, _)) = call.split_once(" <unfinished ...>") {
            self.answer(head);
            self.unfinished.insert(thread, (head, self.steps.len()));
        } else if call.starts_with("<... ") {
            let (_, tail) = call.split_once("resumed>").expect("the end of a call");
            if let Some((head, begun)) = self.unfinished.remove(thread) {
                self.call(&format!("{head}{tail}"), begun);
            }
        } else {
            self.answer(call);
            self.call(call, self.steps.len());
        }
    }

    /// An answer counts from its beginning: the client may have read it.
    fn answer(&mut self, call: &str) {
        let is_sent =
            call.starts_with("writev(") || call.starts_with("sendto(") || call.starts_with("write(");
        if is_sent && call.contains(&hex_text("socket:")) {
            let text: String = texts(call)
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .collect();
            self.steps.push(Step::Answer { text });
        }
    }

    fn call(&mut self, call: &str, begun: usize) {
        let Some((name, rest)) = call.split_once('(') else {
            return;
        };
        let Some((arguments, result)) = rest.rsplit_once(" = ") else {
            return;
        };
        if result.starts_with('-') || result.starts_with('?') {
            return;
        }
        // The path behind a file descriptor; the texts are paths, or bytes.
        let opened = described(arguments).and_then(|path| self.inside(&path));
        let mut paths = texts(arguments).filter_map(|text| self.inside(&String::from_utf8(text).ok()?));
        let step = match name {
            "openat" | "open" | "creat" if arguments.contains("O_CREAT") => {
                paths.next().map(|path| Step::Create { path })
            }
            "mkdir" | "mkdirat" => paths.next().map(|path| Step::MakeDirectory { path }),
            "rename" | "renameat" | "renameat2" => paths
                .next()
                .zip(paths.next())
                .map(|(from, to)| Step::Rename { from, to }),
            "link" | "linkat" => paths
                .next()
                .zip(paths.next())
                .map(|(from, to)| Step::Link { from, to }),
            "unlink" | "unlinkat" => paths.next().map(|path| Step::Unlink { path }),
            "fsync" | "fdatasync" => opened.map(|path| Step::Sync { path, begun }),
            "ftruncate" => opened.map(|path| Step::Truncate {
                path,
                length: last_number(arguments),
            }),
            "pwrite64" => opened
                .zip(texts(arguments).next())
                .map(|(path, bytes)| Step::Write {
                    path,
                    at: Position::At(last_number(arguments)),
                    bytes,
                }),
            "write" => opened
                .zip(texts(arguments).next())
                .map(|(path, bytes)| Step::Write {
                    path,
                    at: Position::Next,
                    bytes,
                }),
            "writev" => {
                assert!(
                    opened.is_none(),
                    "a file is written in a way that is not read here: {name}"
                );
                None
            }
            _ => None,
        };
        self.steps.extend(step);
    }

    /// The path in the root, unless it is elsewhere. Shared memory is none that outlives anything.
    fn inside(&self, path: &str) -> Option<String> {
        let inside = match path.strip_prefix(&self.root) {
            Some(inside) => inside,
            None if format!("{path}/") == self.root => "",
            None => return None,
        };
        (!inside.ends_with("-shm")).then(|| inside.to_owned())
    }
}

/// The path behind the first file descriptor; none if the file has been deleted.
fn described(arguments: &str) -> Option<String> {
    let (descriptor, rest) = arguments.split_once('<')?;
    let (path, after) = rest.split_once('>')?;
    let is_first = descriptor.bytes().all(|byte| byte.is_ascii_digit());
    if !is_first || after.starts_with("(deleted)") {
        return None;
    }
    String::from_utf8(decoded(path)?).ok()
}

/// The texts in quotation marks.
fn texts(call: &str) -> impl Iterator<Item = Vec<u8>> {
    call.split('"').skip(1).step_by(2).filter_map(decoded)
}

/// The bytes of `\x00\x01…`.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| (byte as char).to_digit(16);
    let bytes = text.as_bytes().chunks(4).map(|one| match one {
        [b'\\', b'x', high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _ => None,
    });
    bytes.collect()
}

fn hex_text(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "\\x{byte:02x}");
        hex
    })
}

fn last_number(arguments: &str) -> usize {
    let (_, last) = arguments.rsplit_once(", ").expect("several arguments");
    last.trim().trim_end_matches(')').parse().expect("a number")
}
