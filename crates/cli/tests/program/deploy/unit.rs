//! What the Debian package installs beside the program.

use crate::support::Installation;
use parts::Systemd;
use std::fs;

#[test]
fn the_unit_confines_the_service() {
    let unit = parts::workspace().join("deploy/debian/firmeza.service");
    Systemd::exposure(&unit).unwrap();
    // The check sees a slip.
    let own = tempfile::tempdir().unwrap();
    let loose = own.path().join("firmeza.service");
    let lines = fs::read_to_string(unit).unwrap();
    let lines = lines
        .lines()
        .filter(|line| !line.starts_with("Protect") && !line.starts_with("CapabilityBoundingSet"));
    fs::write(&loose, lines.collect::<Vec<_>>().join("\n")).unwrap();
    assert!(Systemd::exposure(&loose).is_err());
}

#[test]
fn manual_pages_and_completions_name_the_commands() {
    let installation = Installation::new();
    let pages = installation.directory().join("man");
    installation.ok(&["man", pages.to_str().unwrap()]);
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    assert!(page("firmeza.1").contains("restore"));
    assert!(page("firmeza-restore.1").contains("take"));
    for shell in ["bash", "zsh", "fish"] {
        let script = installation.ok(&["completions", shell]);
        assert!(
            script.contains("firmeza") && script.contains("restore"),
            "{shell}"
        );
    }
}
