//! OCSP responses that openssl makes: read, verified, and believed only from whom they may come.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod cms_tools;

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use cms_tools::{OpenSsl, P256, SIGNING};
use jiff::{SignedDuration, Timestamp};
use pki::authority::{LocalKey, OcspResponse, OcspStatus, Reason, Revoked, Role, Root, Subject, Validity};
use pki::cms::Certificate;

const RESPONDER: &str = "keyUsage=critical,digitalSignature\nextendedKeyUsage=OCSPSigning\n";
const LEFT: usize = 16;

/// Has `responder` answer about `name`, whose line of the database begins with this state.
fn response(tools: &OpenSsl, name: &str, state: &str, responder: &str) -> Vec<u8> {
    let serial = tools.run(&["x509", "-in", &format!("{name}.pem"), "-noout", "-serial"]);
    let serial = serial.trim().strip_prefix("serial=").unwrap().to_owned();
    tools.write(
        "index.txt",
        format!("{state}\t{serial}\tunknown\t/CN={name}\n").as_bytes(),
    );
    let (certificate, signer, key) = (
        format!("{name}.pem"),
        format!("{responder}.pem"),
        format!("{responder}.key"),
    );
    tools.run(&[
        "ocsp",
        "-index",
        "index.txt",
        "-CA",
        "ca.pem",
        "-rsigner",
        &signer,
        "-rkey",
        &key,
        "-issuer",
        "ca.pem",
        "-cert",
        &certificate,
        "-ndays",
        "30",
        "-respout",
        "response.der",
    ]);
    tools.read("response.der")
}

fn is_signed_by(response: &[u8], issuer: &Certificate) -> bool {
    let response = OcspResponse::from_der(response).unwrap();
    response.verify_signed_by(issuer, &[], &mut { LEFT }).is_ok()
}

#[test]
fn an_issuer_or_its_responder_tells_the_state_of_a_certificate() {
    let tools = OpenSsl::new();
    let root = tools.certificate("ca");
    let signer = tools.signer("ana", P256, SIGNING);
    tools.signer("responder", P256, RESPONDER);
    let now = signer.not_before() + SignedDuration::from_hours(1);
    for responder in ["ca", "responder"] {
        let good = response(&tools, "ana", "V\t360101000000Z\t", responder);
        assert!(is_signed_by(&good, &root), "{responder}");
        let good = OcspResponse::from_der(&good).unwrap();
        assert!(good.covers(&signer, &root));
        assert_eq!(good.status(&signer, &root, now), OcspStatus::Good);
        let late: Timestamp = "2030-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(
            good.status(&signer, &root, late),
            OcspStatus::Unknown,
            "it is too old by then"
        );
        assert!(!good.covers(&root, &root), "it is about another certificate");

        let revoked = response(
            &tools,
            "ana",
            "R\t360101000000Z\t260201000000Z,keyCompromise",
            responder,
        );
        assert!(is_signed_by(&revoked, &root), "{responder}");
        let revoked = OcspResponse::from_der(&revoked).unwrap();
        match revoked.status(&signer, &root, now) {
            OcspStatus::Revoked(entry) => {
                assert_eq!(entry.at, "2026-02-01T00:00:00Z".parse().unwrap());
                assert_eq!(entry.reason, Reason::KeyCompromise);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn nobody_else_may_answer() {
    let tools = OpenSsl::new();
    let root = tools.certificate("ca");
    tools.signer("ana", P256, SIGNING);
    // A certificate of the same authority, but not for answers.
    tools.signer("otro", P256, SIGNING);
    let state = "V\t360101000000Z\t";
    assert!(!is_signed_by(&response(&tools, "ana", state, "otro"), &root));
    // A responder of another authority of the same name.
    let other = OpenSsl::new();
    other.signer("responder", P256, RESPONDER);
    for file in ["responder.pem", "responder.key"] {
        tools.write(file, &other.read(file));
    }
    assert!(!is_signed_by(&response(&tools, "ana", state, "responder"), &root));
    // A changed answer, octet by octet.
    let good = response(&tools, "ana", state, "ca");
    for at in 0..good.len() {
        let mut changed = good.clone();
        changed[at] ^= 0x41;
        let Ok(read) = OcspResponse::from_der(&changed) else {
            continue;
        };
        // What is outside of the signed part may change: it only says which certificates are attached.
        let signed = read.verify_signed_by(&root, &[], &mut { LEFT }).is_ok();
        assert!(
            !signed || read.covers(&tools.certificate("ana"), &root),
            "octet {at}"
        );
    }
    let unsigned = OcspResponse::from_der(&good).unwrap();
    assert!(
        unsigned.verify_signed_by(&root, &[], &mut 0).is_err(),
        "the budget binds"
    );
    assert!(
        OcspResponse::from_der(&[0x30, 3, 0x0a, 1, 6]).is_err(),
        "a refusal is no answer"
    );
}

#[test]
fn openssl_takes_the_answers_of_an_issuer() {
    #[expect(clippy::disallowed_methods, reason = "openssl goes by the real clock")]
    let now = Timestamp::now();
    let rng = SystemRandom::new();
    let key = || Arc::new(LocalKey::generate().unwrap());
    let name = |name: &str| Subject::of_installation(name, None, None).unwrap();
    let from = now - SignedDuration::from_hours(1);
    let years = |years| Validity::of_years(from, years).unwrap();
    let root = Root::create(key(), &name("Raíz"), years(30), &rng).unwrap();
    let issuer = root.issuer(key(), &name("Emisor"), years(20), &rng).unwrap();
    let certificate = |who: &str| {
        let made = issuer.credential(Role::Service, key(), &name(who), years(10), &rng);
        made.unwrap().certificate().clone()
    };
    let (good, bad) = (certificate("Ana"), certificate("Luz"));
    let revoked = Revoked {
        serial: bad.serial().to_vec(),
        at: from,
        reason: Reason::KeyCompromise,
    };
    let answers = Validity::new(from, now + SignedDuration::from_hours(168)).unwrap();
    let (who, responder) = (name("Estado"), years(1));
    let answered = issuer
        .ocsp_response(
            &[&good, &bad],
            std::slice::from_ref(&revoked),
            answers,
            (&who, responder),
            &rng,
        )
        .unwrap();

    let tools = OpenSsl::new();
    tools.write("response.der", &answered.response);
    for (file, certificate) in [
        ("root", root.certificate()),
        ("issuer", issuer.certificate()),
        ("good", &good),
        ("bad", &bad),
    ] {
        tools.write("certificate.der", certificate.as_der());
        let out = format!("{file}.pem");
        tools.run(&["x509", "-inform", "DER", "-in", "certificate.der", "-out", &out]);
    }
    let check = "ocsp -respin response.der -issuer issuer.pem -cert good.pem -cert bad.pem -CAfile root.pem -verify_other issuer.pem";
    let said = tools.run(&check.split(' ').collect::<Vec<_>>());
    assert!(
        said.contains("good.pem: good") && said.contains("bad.pem: revoked"),
        "{said}"
    );

    let read = OcspResponse::from_der(&answered.response).unwrap();
    assert!(is_signed_by(&answered.response, issuer.certificate()));
    assert!(!is_signed_by(&answered.response, root.certificate()));
    assert_eq!(read.status(&good, issuer.certificate(), now), OcspStatus::Good);
    let OcspStatus::Revoked(entry) = read.status(&bad, issuer.certificate(), now) else {
        panic!("{read:?}");
    };
    assert_eq!(entry.reason, Reason::KeyCompromise);
}
