//! Tools of cargo that only some commands need, installed into the cache of tools when they are not there.

use std::path::PathBuf;

use parts::Result;

use crate::step::{cargo, run};

/// A program of cargo's registry.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Tool {
    /// The program, built once per version; unoptimised, because it runs for seconds.
    pub(crate) fn provide(&self) -> Result<PathBuf> {
        let root = parts::tools().join(format!("{}-{}", self.name, self.version));
        let program = root.join("bin").join(self.name);
        if !program.is_file() {
            run(cargo(&["install", "--quiet", "--locked", "--debug"])
                .args(["--config", "profile.dev.debug=false"])
                .args([self.name, "--version", self.version])
                .arg("--root")
                .arg(&root))?;
        }
        Ok(program)
    }
}
