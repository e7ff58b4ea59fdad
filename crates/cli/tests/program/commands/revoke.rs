//! `firmeza revoke`: what is on the lists, and what is believed afterwards.

use super::verify::TestFiles;
use crate::support::{Client, Installation, Request, block_on, wait_for};
use domain::SignerIndex;
use domain::event::hex;
use pki::authority::{Crl, Reason};
use pki::cms::Certificate;
use serde_json::Value;
use std::time::Duration;
use store::Store;
use testkit::{TestApp, folio, signers};

/// The certificate that an installation has in a role.
fn certificate(installation: &Installation, role: &str) -> Certificate {
    let store = Store::open(&installation.sqlite(), None).unwrap();
    let rows = block_on(store.read(|tx| tx.authority())).unwrap();
    let row = rows.iter().find(|row| row.role == role).unwrap();
    Certificate::from_der(&row.certificate).unwrap()
}

fn list(client: &Client, name: &str) -> Crl {
    Crl::from_der(&client.send(Request::get(&format!("/authority/{name}"))).body).unwrap()
}

#[test]
fn a_revoked_issuer_is_listed_and_issues_nothing_more() {
    let installation = Installation::new();
    let server = installation.serve();
    let client = installation.client();
    let issuer = certificate(&installation, "issuer");
    let before = list(&client, "root.crl");
    assert_eq!(before.find(&issuer).unwrap(), None);
    let fingerprint = hex(issuer.sha256());
    for (wrong, words) in [
        (["revoke", "xyz", "--reason", "superseded"], "SHA-256"),
        (["revoke", &fingerprint, "--reason", "boredom"], "key-compromise"),
        (
            ["revoke", &"ab".repeat(32), "--reason", "superseded"],
            "made no certificate",
        ),
    ] {
        let refused = installation.run(&wrong);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains(words), "{refused:?}");
    }
    for at in ["2999-01-01T00:00:00Z", "1999-01-01T00:00:00Z", "ayer"] {
        let refused = installation.run(&["revoke", &fingerprint, "--reason", "superseded", "--at", at]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
    }
    let root = hex(certificate(&installation, "root").sha256());
    let refused = installation.run(&["revoke", &root, "--reason", "superseded"]);
    assert!(
        refused.stderr.contains("the root cannot be revoked"),
        "{refused:?}"
    );

    let said = installation.ok(&["revoke", &fingerprint, "--reason", "key-compromise"]);
    assert!(
        said.contains("Revoked: ") && said.contains("firmeza rotate authority"),
        "{said}"
    );
    let said = installation.ok(&["revoke", &fingerprint, "--reason", "superseded"]);
    assert!(said.contains("revoked before"), "{said}");
    wait_for("the root's list to carry it", || {
        list(&client, "root.crl").find(&issuer).unwrap().is_some()
    });
    let found = list(&client, "root.crl").find(&issuer).unwrap().unwrap();
    assert_eq!(found.reason, Reason::KeyCompromise);
    let said = installation.run(&["doctor"]).stdout;
    assert!(
        said.contains("FAIL  certificates") && said.contains("is revoked"),
        "{said}"
    );

    installation.ok(&["rotate", "authority"]);
    let said = installation.ok(&["doctor"]);
    assert!(said.contains("revoked: 1"), "{said}");
    let signer = "4a:00:01";
    let said = installation.ok(&["revoke", signer, "--reason", "privilege-withdrawn"]);
    assert!(said.contains("on the list of every issuer"), "{said}");
    drop(server);
}

/// PDFs of two signers whose certificates were revoked in the second in which the later one signed.
struct RevokedSignerPdfs {
    root: Vec<u8>,
    /// The root's list, and the issuer's.
    lists: Vec<Vec<u8>>,
    /// Signed before that, without and with timestamps.
    bare: Vec<u8>,
    before: Vec<u8>,
    /// Signed then, with timestamps.
    after: Vec<u8>,
}

async fn papers() -> RevokedSignerPdfs {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut papers = Vec::new();
    let mut fingerprints = Vec::new();
    for _ in 0..2 {
        app.advance(Duration::from_hours(1));
        let id = acme.created(folio().signers(&signers(1))).await;
        let document = acme.document_of(&id).await;
        app.sign_by_email(&id, SignerIndex(0), "maria.1001@example.com")
            .await;
        papers.push(acme.download(&document).await.body);
        app.app().extend_due().await.unwrap();
        papers.push(acme.download(&document).await.body);
        let history = acme.history(&id).await;
        let signed = history
            .iter()
            .find(|event| event.body.contains("\"what\":\"signed\""));
        let body: Value = serde_json::from_str(&signed.unwrap().body).unwrap();
        fingerprints.push(body["certificates"][0].as_str().unwrap().to_owned());
    }
    let since = app.app().clock.now();
    app.advance(Duration::from_hours(1));
    for fingerprint in &fingerprints {
        let revoked = app
            .app()
            .revoke_certificate(fingerprint, Reason::KeyCompromise, Some(since));
        let revoked = revoked.await.unwrap();
        assert!(revoked.now && !revoked.in_use);
        assert!(revoked.subject.unwrap().contains("IDCCO-1001"));
    }
    let notary = &app.app().notary;
    RevokedSignerPdfs {
        root: notary.root().as_der().to_vec(),
        lists: notary.revocation_lists(app.app().clock.now()).unwrap(),
        after: papers.pop().unwrap(),
        before: papers.swap_remove(1),
        bare: papers.swap_remove(0),
    }
}

#[test]
fn a_signature_after_the_revocation_is_not_valid() {
    let papers = block_on(papers());
    let test_files = TestFiles::new(&[
        ("root.crt", &papers.root),
        ("root.crl", &papers.lists[0]),
        ("issuer.crl", &papers.lists[1]),
        ("sin-extender.pdf", &papers.bare),
        ("antes.pdf", &papers.before),
        ("despues.pdf", &papers.after),
    ]);
    let verify_json = |file: &str| {
        let lists = ["--crl", "root.crl", "--crl", "issuer.crl"];
        let found = test_files.verify_json(&[&["--root", "root.crt"], &lists[..], &[file]].concat());
        found["files"][0].clone()
    };
    // Its timestamp, which it has from the act on, is from before the revocation.
    for file in ["sin-extender.pdf", "antes.pdf"] {
        assert_eq!(verify_json(file)["verdict"], "valid", "{file}");
    }
    let found = verify_json("despues.pdf");
    assert_eq!(found["verdict"], "invalid");
    assert_eq!(found["signatures"][0]["reasons"][0]["name"], "revoked");
}
