//! The master key in a file.

use crate::support::Installation;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

fn key(pair: &str) -> String {
    pair.repeat(32)
}

/// A file of the installation's directory with that key, for its owner alone.
fn file(installation: &Installation, name: &str, key: &str) -> PathBuf {
    let path = installation.directory().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("{key}\n")).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    path
}

fn production(installation: Installation) -> Installation {
    installation
        .with("FIRMEZA_ENVIRONMENT", "production")
        .with("FIRMEZA_BASE_URL", "https://firma.example.com")
        .with("FIRMEZA_SMTP_URL", "smtps://mail.example.com")
}

#[test]
fn a_key_file_that_others_may_read_is_reported() {
    let installation = production(Installation::new());
    let path = file(&installation, "llave", &key("1a"));
    let installation = installation.with("FIRMEZA_MASTER_KEY_FILE", &path);
    drop(installation.serve());
    assert!(!installation.data().join("master.key").exists());
    // The mail server is none, and doctor says so.
    let said = installation.run(&["doctor"]).stdout;
    assert!(
        said.contains("ok    master key: there, and opens what is sealed"),
        "{said}"
    );
    assert!(!said.contains("warn  master key"), "{said}");
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let said = installation.run(&["doctor"]).stdout;
    assert!(said.contains("warn  master key: every user"), "{said}");

    file(&installation, "llave", &key("2b"));
    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "another key opens nothing: {refused:?}");
    file(&installation, "llave", "short");
    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("llave") && refused.stderr.contains("64 hexadecimal"),
        "{refused:?}"
    );
}

#[test]
fn systemd_hands_the_key_over() {
    let installation = production(Installation::new());
    let path = file(&installation, "credentials/firmeza-master-key", &key("1a"));
    let installation = installation.with("CREDENTIALS_DIRECTORY", path.parent().unwrap());
    drop(installation.serve());
    let named = installation.with("FIRMEZA_MASTER_KEY_FILE", &path);
    drop(named.serve());
    let other = file(&named, "llave", &key("1a"));
    let refused = named.with("FIRMEZA_MASTER_KEY_FILE", other).run(&["doctor"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("is given twice"), "{refused:?}");
}

#[test]
fn a_key_that_is_given_twice_is_refused() {
    let installation = Installation::new().with("FIRMEZA_MASTER_KEY", key("1a"));
    let path = file(&installation, "llave", &key("1a"));
    let installation = installation.with("FIRMEZA_MASTER_KEY_FILE", path);
    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("FIRMEZA_MASTER_KEY: is given twice"),
        "{refused:?}"
    );
    assert!(!refused.stderr.contains(&key("1a")), "{refused:?}");
}

#[test]
fn a_rotation_says_where_the_new_key_belongs() {
    let installation = Installation::new();
    let path = file(&installation, "llave", &key("1a"));
    let installation = installation.with("FIRMEZA_MASTER_KEY_FILE", &path);
    installation.serve().stop();
    let refused = installation.run(&["rotate", "master-key"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("--key-stdin"), "{refused:?}");

    let mut rotate = installation.command();
    rotate
        .args(["rotate", "master-key", "--key-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = rotate.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(key("2b").as_bytes()).unwrap();
    drop(stdin);
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    let words = format!("Put the new key into {}", path.display());
    assert!(ended.status.success() && said.contains(&words), "{said}");
    assert_eq!(installation.run(&["serve"]).code, Some(1), "the old key");
    let said = installation.run(&["doctor"]).stdout;
    assert!(said.contains("FAIL  master key"), "{said}");
    assert!(said.contains(&format!("into {}", path.display())), "{said}");
    file(&installation, "llave", &key("2b"));
    drop(installation.serve());
}
