//! Documents that are encrypted with the empty password.

use std::process::Command;

use crate::build::Doc;
use crate::drawing::{pool, source};
use crate::faithful;

/// Has qpdf encrypt a document.
fn encrypted(bytes: &[u8], kind: &[&str]) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let [plain, encrypted] = ["plain.pdf", "encrypted.pdf"].map(|name| directory.path().join(name));
    std::fs::write(&plain, bytes).unwrap();
    let done = Command::new("qpdf")
        .args([
            "--allow-weak-crypto",
            "--object-streams=generate",
            "--encrypt",
            "",
            "dueno",
        ])
        .args(kind)
        .arg("--")
        .args([&plain, &encrypted])
        .status();
    let done = done.unwrap_or_else(|error| panic!("qpdf: {error}; run through `cargo xtask test`"));
    assert!(done.success());
    std::fs::read(&encrypted).unwrap()
}

#[test]
fn encrypted_documents_are_drawn_like_plain_ones() {
    let plain = Doc::contract(1).table();
    let pool = pool();
    let expected = faithful(pool.image(&source(&plain), 0, 600)).file;
    let text = pool.text(&source(&plain), 0).unwrap().text;
    for kind in [
        &["40"][..],
        &["128", "--use-aes=n"],
        &["128", "--use-aes=y"],
        &["256", "--force-R5"],
        &["256"],
    ] {
        let document = source(&encrypted(&plain, kind));
        assert!(
            faithful(pool.image(&document, 0, 600)).file == expected,
            "{kind:?}"
        );
        assert_eq!(pool.text(&document, 0).unwrap().text, text, "{kind:?}");
    }
}
