//! `firmeza verify` on files alone, far from any installation.

mod auditors;
mod bundles;
mod escapes;
mod forged;
mod installation;
mod pdfs;
mod together;

use crate::support::{Ended, Installation};
pub(crate) use installation::{extended, verify_by};
use serde_json::Value;
use std::path::Path;

/// Files to verify, in a directory of their own.
pub(crate) struct TestFiles {
    installation: Installation,
}

impl TestFiles {
    pub(crate) fn new(files: &[(&str, &[u8])]) -> Self {
        let test_files = Self {
            // Settings that no other command would take: this one asks for none.
            installation: Installation::new().with("FIRMEZA_ENVIRONMENT", "nonsense"),
        };
        for (name, bytes) in files {
            test_files.put(name, bytes);
        }
        test_files
    }

    pub(crate) fn directory(&self) -> &Path {
        self.installation.directory()
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.directory().join(name), bytes).unwrap();
    }

    /// What the program says of files.
    pub(crate) fn verify(&self, arguments: &[&str]) -> Ended {
        let ended = self.installation.run(&[&["verify"], arguments].concat());
        assert!(!self.installation.data().exists(), "verifying keeps nothing");
        ended
    }

    /// The same for machines; the code must be that of the verdict.
    pub(crate) fn verify_json(&self, arguments: &[&str]) -> Value {
        let ended = self.verify(&[&["--json"], arguments].concat());
        let found: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"));
        let code = match (found["valid"] == true, is_intact(&found)) {
            (true, _) => 0,
            (false, true) => 3,
            (false, false) => 1,
        };
        assert_eq!(ended.code, Some(code), "{ended:?}");
        found
    }
}

/// Whether every file is intact, be its issuer known or not.
pub(crate) fn is_intact(found: &Value) -> bool {
    let is_intact = |file: &Value| match file["verdict"].as_str().unwrap() {
        "valid" | "unknown_issuer" => true,
        // What was sent carries no signature yet: evidence vouches for it.
        "unsigned" => {
            let mut evidence = file["evidence"].as_array().unwrap().iter();
            evidence.any(|named| named["intact"] == true)
        }
        _ => false,
    };
    found["files"].as_array().unwrap().iter().all(is_intact)
}
