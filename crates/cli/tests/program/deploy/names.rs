//! The settings that the examples name.

use crate::support::Installation;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_setting_that_an_example_names_exists() {
    let template = Installation::new().ok(&["config", "template"]);
    let settings = template
        .lines()
        .filter_map(|line| line.strip_prefix('#')?.split_once(" = "));
    let known: BTreeSet<_> = settings
        .map(|(name, _)| format!("FIRMEZA_{}", name.to_uppercase()))
        .chain(["FIRMEZA_CONFIG".to_owned()])
        .collect();
    let mut files = vec![parts::workspace().join("Containerfile")];
    collect(&parts::workspace().join("deploy"), &mut files);
    let mut found = BTreeSet::new();
    for file in files {
        for name in names(&fs::read_to_string(&file).unwrap()) {
            assert!(known.contains(&name), "{name} in {}", file.display());
            found.insert(name);
        }
    }
    // Those that an installation of several instances cannot do without.
    for name in [
        "DATABASE_URL",
        "BLOBS_URL",
        "BASE_URL",
        "TRUSTED_PROXIES",
        "SMTP_URL",
    ] {
        assert!(found.contains(&format!("FIRMEZA_{name}")), "{name}");
    }
}

fn names(text: &str) -> Vec<String> {
    let rest = text.split("FIRMEZA_").skip(1);
    let is_name = |c: &char| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_';
    rest.map(|rest| format!("FIRMEZA_{}", rest.chars().take_while(is_name).collect::<String>()))
        .collect()
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
