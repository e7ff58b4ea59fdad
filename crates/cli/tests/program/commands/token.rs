//! The authority's keys in a PKCS #11 token.

use crate::support::{Installation, Order, Request};
use std::fs;
use std::path::Path;
use std::process::Command;

const PIN: &str = "1234";
const PLACES: [&str; 2] = [
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib64/softhsm/libsofthsm2.so",
];

/// An installation and a PKCS #11 token that its settings do not name yet.
pub(super) fn beside_a_token() -> Installation {
    let installation = Installation::new();
    let directory = installation.directory();
    let settings = directory.join("softhsm2.conf");
    fs::create_dir(directory.join("tokens")).unwrap();
    let place = format!("directories.tokendir = {}/tokens\n", directory.display());
    fs::write(&settings, place).unwrap();
    let made = Command::new("softhsm2-util")
        .args([
            "--init-token",
            "--free",
            "--label",
            "firmeza",
            "--so-pin",
            "0000",
            "--pin",
            PIN,
        ])
        .env("SOFTHSM2_CONF", &settings)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    installation.with("SOFTHSM2_CONF", settings)
}

pub(super) fn with_its_token(installation: Installation) -> Installation {
    let module = PLACES.into_iter().find(|place| Path::new(place).exists());
    installation
        .with("FIRMEZA_PKCS11_MODULE", module.expect("SoftHSM"))
        .with("FIRMEZA_PKCS11_TOKEN", "firmeza")
        .with("FIRMEZA_PKCS11_PIN", PIN)
}

/// Brings a key in PEM into the token.
pub(super) fn import_key(directory: &Path, file: &str, label: &str) {
    let imported = Command::new("softhsm2-util")
        .args(["--import", file, "--token", "firmeza", "--label", label])
        .args(["--id", "c0", "--pin", PIN])
        .env("SOFTHSM2_CONF", directory.join("softhsm2.conf"))
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(imported.status.success(), "{imported:?}");
}

/// Asserts that evidence sealed now is valid.
fn seals(installation: &Installation) {
    let server = installation.serve();
    let client = installation.client();
    let folio = client.created(&Order::small());
    let path = format!("/api/integrations/evidence?folioId={folio}");
    let sealed = client.send(Request::get(&path));
    assert_eq!(sealed.status, 200, "{}", sealed.text());
    server.stop();
    let file = installation.directory().join("evidence.json");
    fs::write(&file, sealed.text()).unwrap();
    installation.ok(&["verify", "--installation", file.to_str().unwrap()]);
}

#[test]
fn an_authority_is_created_in_a_token_and_needs_it() {
    let installation = with_its_token(beside_a_token());
    seals(&installation);
    assert!(installation.ok(&["doctor"]).contains("opens what is sealed"));
    installation.ok(&["rotate", "authority"]);
    installation.ok(&["rotate", "master-key"]);
    seals(&installation);
    let without = installation
        .with("FIRMEZA_PKCS11_MODULE", "")
        .with("FIRMEZA_PKCS11_TOKEN", "")
        .with("FIRMEZA_PKCS11_PIN", "");
    let refused = without.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("FIRMEZA_PKCS11_MODULE"), "{refused:?}");
}

#[test]
fn a_rotation_moves_the_keys_into_a_token() {
    let installation = beside_a_token();
    seals(&installation);
    let installation = with_its_token(installation);
    installation.ok(&["rotate", "authority"]);
    seals(&installation);
    let wrong = installation.with("FIRMEZA_PKCS11_PIN", "9999").run(&["serve"]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.stderr.contains("PKCS #11 token"), "{wrong:?}");
}
