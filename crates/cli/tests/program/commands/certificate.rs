//! A certificate that was bought, with which documents are certified.

use super::token::{beside_a_token, import_key, with_its_token};
use super::verify::{extended, verify_by};
use crate::support::{Client, Installation, Order, Request};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn openssl(directory: &Path, arguments: &[&str]) {
    let made = Command::new("openssl")
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(made.status.success(), "{arguments:?}: {made:?}");
}

/// An authority that is not the installation's, and a certificate that it issued: who has it, for how many days, its basic
/// constraints and its key usage, and the name of its files.
fn external_certificate(directory: &Path, name: &str, days: &str, uses: [&str; 2], file: &str) {
    let key = [
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        days,
    ];
    let root = [
        "req",
        "-x509",
        "-subj",
        "/CN=Raiz Externa",
        "-keyout",
        "root.key",
        "-out",
        "root.pem",
    ];
    openssl(directory, &[&root[..], &key].concat());
    let subject = format!("/CN={name}");
    let own = [
        "req",
        "-x509",
        "-CA",
        "root.pem",
        "-CAkey",
        "root.key",
        "-subj",
        subject.as_str(),
    ];
    let [constraints, usage] = uses;
    let uses = ["-addext", constraints, "-addext", usage];
    let (own_key, certificate) = (format!("{file}.key"), format!("{file}.pem"));
    let files = ["-keyout", own_key.as_str(), "-out", certificate.as_str()];
    openssl(directory, &[&own[..], &key, &uses, &files].concat());
}

/// A certificate for seals.
fn buy(directory: &Path) {
    let uses = [
        "basicConstraints=critical,CA:FALSE",
        "keyUsage=critical,digitalSignature",
    ];
    external_certificate(directory, "Banco Andino", "365", uses, "seal");
}

/// An installation beside a PKCS #12 file of an authority that is not its own.
fn beside_a_certificate() -> Installation {
    let installation = Installation::new();
    let directory = installation.directory();
    buy(directory);
    let export = [
        "pkcs12", "-export", "-inkey", "seal.key", "-in", "seal.pem", "-out", "seal.p12",
    ];
    openssl(directory, &[&export[..], &["-passout", "pass:clave"]].concat());
    let (file, chain) = (directory.join("seal.p12"), directory.join("root.pem"));
    installation
        .with("FIRMEZA_CERTIFICATE_FILE", file)
        .with("FIRMEZA_CERTIFICATE_CHAIN", chain)
}

/// The authority's list of revoked certificates, empty.
fn revocation_list(directory: &Path) {
    fs::write(directory.join("index.txt"), "").unwrap();
    let settings =
        "[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\ndefault_md=sha256\ndefault_crl_days=30\n";
    fs::write(directory.join("ca.cnf"), settings).unwrap();
    let make = [
        "ca", "-gencrl", "-config", "ca.cnf", "-cert", "root.pem", "-keyfile", "root.key",
    ];
    openssl(directory, &[&make[..], &["-out", "list.pem"]].concat());
    openssl(
        directory,
        &["crl", "-in", "list.pem", "-outform", "DER", "-out", "list.crl"],
    );
}

/// Kind, verdict, and the names of the reasons of each signature that is no timestamp.
fn judged(found: &Value) -> Vec<(String, String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let names = |one: &Value| {
        one.as_array()
            .unwrap()
            .iter()
            .map(|reason| text(&reason["name"]))
            .collect()
    };
    let signatures = found["signatures"].as_array().unwrap().iter();
    signatures
        .filter(|one| one["kind"] != "timestamp")
        .map(|one| (text(&one["kind"]), text(&one["verdict"]), names(&one["reasons"])))
        .collect()
}

/// The report of a new folio.
fn report(client: &Client) -> Vec<u8> {
    let folio = client.created(&Order::small());
    let path = format!("/api/integrations/evidence?folioId={folio}&format=pdf");
    let report = client.send(Request::get(&path));
    assert_eq!(report.status, 200, "{}", report.text());
    report.body
}

/// The name of the certificate is in the signature, in hexadecimal.
fn assert_names_it(file: &[u8]) {
    assert!(String::from_utf8_lossy(file).contains("42616e636f20416e64696e6f"));
}

#[test]
fn documents_are_certified_with_a_bought_certificate() {
    let installation = beside_a_certificate().with("FIRMEZA_CERTIFICATE_PASSWORD", "clave");
    let server = installation.serve();
    let client = installation.client();
    let document = extended(&installation, &client);
    assert_names_it(&document);
    assert_names_it(&report(&client));
    drop(server);
    doctor_knows_it(&installation);
    fs::write(installation.directory().join("contrato.pdf"), &document).unwrap();
    let found = verify_by(&installation, &["contrato.pdf"]);
    assert_eq!(found["verdict"], "indeterminate", "{found:#}");
    assert_eq!(found["roots"][1]["source"], "bought", "{found:#}");
    let foreign = vec!["foreign_revocation_unknown".to_owned()];
    let expected = [
        ("approval".to_owned(), "valid".to_owned(), Vec::new()),
        ("certification".to_owned(), "indeterminate".to_owned(), foreign),
    ];
    assert_eq!(judged(&found), expected, "{found:#}");
    revocation_list(installation.directory());
    let found = verify_by(&installation, &["--crl", "list.crl", "contrato.pdf"]);
    assert_eq!(found["verdict"], "valid", "{found:#}");
    without_a_root_its_issuer_is_not_known(&installation);
}

/// Nothing vouches for the authority then, so that it does not matter what is known of its revocations.
fn without_a_root_its_issuer_is_not_known(installation: &Installation) {
    let ended = installation.run(&["verify", "--json", "contrato.pdf"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let found: Value = serde_json::from_str(&ended.stdout).unwrap();
    let found = &found["files"][0];
    assert_eq!(found["verdict"], "unknown_issuer", "{found:#}");
    for signature in found["signatures"].as_array().unwrap() {
        assert_eq!(signature["verdict"], "unknown_issuer", "{found:#}");
        assert_eq!(signature["indication"], "INDETERMINATE", "{found:#}");
        assert_eq!(
            signature["sub_indication"], "NO_CERTIFICATE_CHAIN_FOUND",
            "{found:#}"
        );
    }
    let ended = installation.run(&["verify", "contrato.pdf"]);
    assert!(ended.stdout.contains("ÍNTEGRO, EMISOR DESCONOCIDO"), "{ended:?}");
}

fn doctor_knows_it(installation: &Installation) {
    let said = installation.ok(&["doctor"]);
    assert!(said.contains("Banco Andino, under Raiz Externa"), "{said}");
}

#[test]
fn the_key_of_a_bought_certificate_may_be_in_a_token() {
    let installation = with_its_token(beside_a_token());
    let directory = installation.directory();
    buy(directory);
    import_key(directory, "seal.key", "comprado");
    let chain = ["seal.pem", "root.pem"].map(|name| fs::read(directory.join(name)).unwrap());
    fs::write(directory.join("chain.pem"), chain.concat()).unwrap();
    let chain = directory.join("chain.pem");
    let installation = installation
        .with("FIRMEZA_CERTIFICATE_KEY", "comprado")
        .with("FIRMEZA_CERTIFICATE_CHAIN", chain);
    let server = installation.serve();
    let client = installation.client();
    assert_names_it(&report(&client));
    drop(server);
    doctor_knows_it(&installation);
    let refused = installation
        .with("FIRMEZA_CERTIFICATE_KEY", "otro")
        .run(&["serve"]);
    assert!(
        refused.stderr.contains("FIRMEZA_CERTIFICATE_KEY otro"),
        "{refused:?}"
    );
}

#[test]
fn a_certificate_that_cannot_be_used_is_named() {
    let installation = beside_a_certificate().with("FIRMEZA_CERTIFICATE_PASSWORD", "otra");
    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("the password does not open it"),
        "{refused:?}"
    );
    let installation = installation
        .with("FIRMEZA_CERTIFICATE_PASSWORD", "clave")
        .with("FIRMEZA_CERTIFICATE_CHAIN", "");
    let refused = installation.run(&["serve"]);
    assert!(
        refused
            .stderr
            .contains("root certificate of the authority is missing"),
        "{refused:?}"
    );
    fs::write(installation.directory().join("seal.p12"), "").unwrap();
    assert_ne!(installation.run(&["doctor"]).code, Some(0));
}

/// An installation with an issuer of an authority that is not its own.
fn below_an_authority() -> Installation {
    let installation = Installation::new();
    let directory = installation.directory();
    let uses = [
        "basicConstraints=critical,CA:TRUE,pathlen:0",
        "keyUsage=critical,keyCertSign,cRLSign",
    ];
    external_certificate(directory, "Emisora Andina", "3650", uses, "issuer");
    let export = [
        "pkcs12",
        "-export",
        "-inkey",
        "issuer.key",
        "-in",
        "issuer.pem",
        "-out",
        "issuer.p12",
    ];
    openssl(directory, &[&export[..], &["-passout", "pass:clave"]].concat());
    let (file, chain) = (directory.join("issuer.p12"), directory.join("root.pem"));
    installation
        .with("FIRMEZA_ISSUER_FILE", file)
        .with("FIRMEZA_ISSUER_PASSWORD", "clave")
        .with("FIRMEZA_ISSUER_CHAIN", chain)
}

#[test]
fn a_document_leads_to_the_root_above_a_bought_issuer_alone() {
    let installation = below_an_authority();
    let directory = installation.directory();
    let server = installation.serve();
    let client = installation.client();
    let document = extended(&installation, &client);
    let certificates = pades::sign::certificates_in(&document);
    let issuer = certificates
        .iter()
        .find(|one| one.common_name().as_deref() == Some("Emisora Andina"));
    let fingerprint = domain::event::hex(issuer.unwrap().sha256());
    let list = client.send(Request::get(&format!(
        "/authority/issuer-{}.crl",
        &fingerprint[..16]
    )));
    assert_eq!(list.status, 200);
    drop(server);

    // openssl and pyHanko know the outer root and nothing else.
    fs::write(directory.join("own.crl"), &list.body).unwrap();
    openssl(
        directory,
        &["crl", "-inform", "DER", "-in", "own.crl", "-out", "own.pem"],
    );
    let below: Vec<_> = certificates
        .iter()
        .filter(|one| one.issuer().contains("Emisora Andina"))
        .collect();
    assert!(below.len() >= 4, "the service, a signer, two timestamps");
    for certificate in below {
        fs::write(directory.join("leaf.der"), certificate.as_der()).unwrap();
        openssl(
            directory,
            &["x509", "-inform", "DER", "-in", "leaf.der", "-out", "leaf.pem"],
        );
        let path = [
            "-CAfile",
            "root.pem",
            "-untrusted",
            "issuer.pem",
            "-purpose",
            "any",
        ];
        let lists = ["-crl_check", "-CRLfile", "own.pem", "leaf.pem"];
        openssl(directory, &[&["verify"], &path[..], &lists].concat());
    }
    openssl(
        directory,
        &["x509", "-in", "root.pem", "-outform", "DER", "-out", "root.der"],
    );
    let judged = testkit::validate(&document, &fs::read(directory.join("root.der")).unwrap());
    assert_eq!((judged.pdfsig, judged.pyhanko), (2, vec!["valid".to_owned(); 4]));

    fs::write(directory.join("contrato.pdf"), &document).unwrap();
    let found = verify_by(&installation, &["contrato.pdf"]);
    assert_eq!(found["verdict"], "valid", "{found:#}");
    revocation_list(directory);
    let outer = [
        "verify",
        "--json",
        "--root",
        "root.pem",
        "--crl",
        "list.crl",
        "contrato.pdf",
    ];
    let ended = installation.run(&outer);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let said = installation.ok(&["doctor"]);
    assert!(said.contains("Emisora Andina, under Raiz Externa"), "{said}");
}

#[test]
fn a_bought_issuer_that_cannot_issue_is_named() {
    let installation = beside_a_certificate();
    let file = installation.directory().join("seal.p12");
    let chain = installation.directory().join("root.pem");
    let installation = installation
        .with("FIRMEZA_CERTIFICATE_PASSWORD", "clave")
        .with("FIRMEZA_ISSUER_FILE", file)
        .with("FIRMEZA_ISSUER_PASSWORD", "clave")
        .with("FIRMEZA_ISSUER_CHAIN", chain);
    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let said = "FIRMEZA_ISSUER_FILE: the certificate is not of an authority";
    assert!(refused.stderr.contains(said), "{refused:?}");
}
