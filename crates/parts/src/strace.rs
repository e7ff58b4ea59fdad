//! strace: the system calls of a program, written down.

use std::path::Path;

use crate::packages::Need;
use crate::{Part, Result, provide};

/// Calls that change files or make them durable, and those that send answers.
const CALLS: &str = "trace=openat,open,creat,write,pwrite64,writev,ftruncate,fsync,fdatasync,\
                     rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,sendto";

/// Programs started through this have their calls on files and sockets recorded.
#[derive(Debug)]
pub struct Strace;

impl Strace {
    pub const PART: Part = Part {
        needs: &[Need::Program {
            name: "strace",
            package: "strace",
        }],
    };

    /// The words to put before a program and its arguments. The recording has a line for each call, in which all texts are
    /// hexadecimal and whole, and file descriptors have their paths behind them.
    pub fn wrapper(recording: &Path) -> Result<Vec<String>> {
        provide(&[&Self::PART])?;
        let recording = recording.display().to_string();
        // strace stands beside the program (-D), which keeps the process number, and records every thread (-f).
        let words = [
            "strace", "-D", "-f", "-y", "-qq", "-xx", "-s", "16777216", "-o", &recording, "-e", CALLS,
        ];
        Ok(words.map(str::to_owned).to_vec())
    }
}
