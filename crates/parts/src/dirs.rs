//! Where things are: the workspace, and the cache of tools below its target directory.

use std::env;
use std::path::{Path, PathBuf};

/// The workspace's root.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), |set| workspace().join(set))
}

/// Tools installed for this workspace alone: Python environments, cargo tools.
pub fn tools() -> PathBuf {
    target().join("tools")
}
