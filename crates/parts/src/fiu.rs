//! fiu: a program's system calls, made to fail on command.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::packages::Need;
use crate::{Part, Result, provide, run};

/// Programs started through this can have system calls fail while they run, by command.
#[derive(Debug)]
pub struct Fiu {
    control: PathBuf,
}

impl Fiu {
    pub const PART: Part = Part {
        needs: &[
            Need::Program {
                name: "fiu-run",
                package: "fiu-utils",
            },
            Need::Program {
                name: "fiu-ctrl",
                package: "fiu-utils",
            },
        ],
    };

    /// The pipes that carry the commands are made in that directory.
    pub fn new(directory: &Path) -> Result<Self> {
        provide(&[&Self::PART])?;
        Ok(Self {
            control: directory.join("fiu"),
        })
    }

    /// The words to put before a program and its arguments. The program keeps the process number.
    pub fn wrapper(&self) -> Vec<String> {
        let control = self.control.display().to_string();
        ["fiu-run", "-x", "-f", &control].map(str::to_owned).to_vec()
    }

    /// From now on these calls of the process fail, with a probability between 0 and 1. A call is named as
    /// `posix/io/sync/fsync`.
    pub fn fail(&self, process: u32, calls: &[&str], probability: f32) -> Result<()> {
        let order = |call: &&str| format!("enable_random name={call},probability={probability}");
        self.control(process, calls.iter().map(order))
    }

    /// From now on they work again.
    pub fn mend(&self, process: u32, calls: &[&str]) -> Result<()> {
        self.control(process, calls.iter().map(|call| format!("disable name={call}")))
    }

    fn control(&self, process: u32, orders: impl Iterator<Item = String>) -> Result<()> {
        let mut command = Command::new("fiu-ctrl");
        command.arg("-f").arg(&self.control);
        for order in orders {
            command.args(["-c", &order]);
        }
        run(command.arg(process.to_string())).map(drop)
    }
}
