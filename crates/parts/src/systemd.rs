//! `systemd-analyze`, which says how well a unit confines its service.

use std::path::Path;
use std::process::Command;

use crate::packages::Need;
use crate::{Part, Result, provide, run};

/// The most that it may find, in tenths.
const MAX_EXPOSURE: &str = "--threshold=20";

/// The program. No service manager has to run.
#[derive(Debug)]
pub struct Systemd;

impl Systemd {
    pub const PART: Part = Part {
        needs: &[Need::Program {
            name: "systemd-analyze",
            package: "systemd",
        }],
    };

    /// What it finds, line by line, the verdict last; fails where the unit leaves its service too much.
    pub fn exposure(unit: &Path) -> Result<String> {
        provide(&[&Self::PART])?;
        run(Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager", MAX_EXPOSURE])
            .arg(unit))
    }
}
