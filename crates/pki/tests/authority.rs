//! The authority's certificates, lists and signatures against openssl.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority_tools;
mod cms_tools;

use std::sync::Arc;

use authority_tools::{authority, authority_with, installation, key, now, person, rng, years};
use cms_tools::OpenSsl;
use pki::authority::{Authority, Crl, Issuer, LocalKey, Reason, Revoked, Role, Root};
use pki::cms::{Certificate, Profile, SignedData};
use sha2::{Digest as _, Sha256};

/// openssl judges at the time of the fixtures.
const AT: &str = "1794830400";
const DOCUMENT: &[u8] = b"%PDF-1.7 a document to be signed";

fn publish(tools: &OpenSsl, name: &str, der: &[u8], kind: &str) {
    tools.write(&format!("{name}.der"), der);
    let (input, output) = (format!("{name}.der"), format!("{name}.pem"));
    tools.run(&[kind, "-inform", "DER", "-in", &input, "-out", &output]);
}

fn text(tools: &OpenSsl, name: &str) -> String {
    tools.run(&[
        "x509",
        "-in",
        &format!("{name}.pem"),
        "-noout",
        "-text",
        "-nameopt",
        "utf8,sep_comma_plus",
    ])
}

/// Publishes root, issuer and the lists of both, as `root.pem`, `issuer.pem` and `trust.pem`.
fn publish_authority(tools: &OpenSsl, authority: &Authority, revoked: &[Revoked]) {
    publish(tools, "root", authority.root().certificate().as_der(), "x509");
    publish(tools, "issuer", authority.issuer().certificate().as_der(), "x509");
    let next = "2027-11-15T12:00:00Z".parse().unwrap();
    let lists = authority
        .crls(7, now(), next, |issuer| {
            if issuer == authority.issuer().certificate() {
                revoked.to_vec()
            } else {
                Vec::new()
            }
        })
        .unwrap();
    let mut trust = tools.read("root.pem");
    for (at, list) in lists.iter().enumerate() {
        let name = format!("crl{at}");
        publish(tools, &name, list, "crl");
        trust.extend(tools.read(&format!("{name}.pem")));
    }
    tools.write("trust.pem", &trust);
}

fn verify_arguments<'a>(purpose: &'a str, certificate: &'a str) -> Vec<&'a str> {
    let mut arguments = vec![
        "verify",
        "-x509_strict",
        "-crl_check_all",
        "-attime",
        AT,
        "-CAfile",
        "trust.pem",
    ];
    arguments.extend(["-untrusted", "issuer.pem", "-purpose", purpose, certificate]);
    arguments
}

#[test]
fn openssl_verifies_every_certificate_under_the_root() {
    for (root, issuer) in [
        (key(), key()),
        (Arc::new(LocalKey::generate_rsa().unwrap()) as _, key()),
    ] {
        let tools = OpenSsl::new();
        let authority = authority_with(root, issuer);
        publish_authority(&tools, &authority, &[]);
        let issuer = authority
            .issuer()
            .clone()
            .with_crl_url("http://firma.example/emisor-1.crl")
            .unwrap();

        let signer = issuer
            .one_shot(&person("José Ñandú Álvarez", "1020304050"), years(10), &rng())
            .unwrap();
        publish(&tools, "signer", signer.certificate().as_der(), "x509");
        tools.run(&verify_arguments("smimesign", "signer.pem"));
        let shown = text(&tools, "signer");
        for expected in [
            "serialNumber=IDCCO-1020304050",
            "CN=José Ñandú Álvarez",
            "Non Repudiation",
            "http://firma.example/emisor-1.crl",
            "prime256v1",
        ] {
            assert!(shown.contains(expected), "{expected} in {shown}");
        }

        let key = LocalKey::generate().unwrap();
        let stamping = issuer
            .credential(
                Role::TimeStamping,
                key,
                &installation("Estampado"),
                years(10),
                &rng(),
            )
            .unwrap();
        publish(&tools, "tsa", stamping.certificate().as_der(), "x509");
        tools.run(&verify_arguments("timestampsign", "tsa.pem"));
        assert!(
            text(&tools, "tsa")
                .contains("X509v3 Extended Key Usage: critical\n                Time Stamping\n")
        );

        let key = LocalKey::generate_rsa().unwrap();
        let service = issuer
            .credential(Role::Service, key, &installation("Servicio"), years(10), &rng())
            .unwrap();
        publish(&tools, "service", service.certificate().as_der(), "x509");
        tools.run(&verify_arguments("smimesign", "service.pem"));
    }
}

#[test]
fn a_revoked_certificate_is_on_the_list_and_openssl_refuses_it() {
    let tools = OpenSsl::new();
    let authority = authority();
    let signer = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap();
    let other = authority
        .issuer()
        .one_shot(&person("Luis", "2"), years(5), &rng())
        .unwrap();
    let serial = signer.certificate().serial().to_vec();
    let revoked = [
        Revoked {
            serial,
            at: now(),
            reason: Reason::KeyCompromise,
        },
        Revoked {
            serial: vec![1],
            at: now(),
            reason: Reason::Unspecified,
        },
    ];
    publish_authority(&tools, &authority, &revoked);
    publish(&tools, "signer", signer.certificate().as_der(), "x509");
    publish(&tools, "other", other.certificate().as_der(), "x509");

    let refused = cms_tools::attempt(
        tools.path(),
        "openssl",
        &verify_arguments("smimesign", "signer.pem"),
    );
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && words.contains("certificate revoked"),
        "{words}"
    );
    tools.run(&verify_arguments("smimesign", "other.pem"));
    tools.run(&[
        "crl",
        "-in",
        "crl1.pem",
        "-CAfile",
        "issuer.pem",
        "-noout",
        "-verify",
    ]);
    let shown = tools.run(&["crl", "-in", "crl1.pem", "-noout", "-text"]);
    assert!(
        shown.contains("Key Compromise") && shown.contains("X509v3 CRL Number: \n                7"),
        "{shown}"
    );

    let list = Crl::from_der(&tools.read("crl1.der")).unwrap();
    list.verify_signed_by(authority.issuer().certificate()).unwrap();
    assert!(list.verify_signed_by(authority.root().certificate()).is_err());
    assert!(list.covers(signer.certificate()) && list.covers(other.certificate()));
    assert_eq!(list.find(signer.certificate()).unwrap(), Some(revoked[0].clone()));
    assert_eq!(list.find(other.certificate()).unwrap(), None);
}

#[test]
fn openssl_verifies_a_one_shot_signature() {
    let tools = OpenSsl::new();
    let authority = authority();
    publish_authority(&tools, &authority, &[]);
    let digest = Sha256::digest(DOCUMENT).into();
    let one_shot = authority
        .issuer()
        .one_shot(&person("Ana María", "52.123.456"), years(10), &rng())
        .unwrap();
    let reserved = one_shot.reserve(0);
    let cms = one_shot.sign(&digest).unwrap().finish(None);
    assert!(
        cms.len() <= reserved && reserved < cms.len() + 100,
        "{} of {reserved}",
        cms.len()
    );
    let options = ["-crl_check_all", "-x509_strict", "-attime", AT];
    tools.verify_cades(&cms, DOCUMENT, "trust.pem", &options);
    SignedData::parse(&cms)
        .unwrap()
        .verify_detached(&digest, Profile::Cades)
        .unwrap();
}

/// After a rotation new certificates come from the new issuer, and the old ones can still be revoked.
#[test]
fn a_retired_issuer_goes_on_revoking() {
    let mut authority = authority();
    let before = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap();
    assert!(
        authority
            .rotate(key(), &installation("Emisor 1"), years(20), &rng())
            .is_err()
    );
    authority
        .rotate(key(), &installation("Emisor 2"), years(20), &rng())
        .unwrap();
    let after = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap();
    assert_ne!(
        before.certificate().issuer_der(),
        after.certificate().issuer_der()
    );

    let revoked = |issuer: &Certificate| {
        let serial = before.certificate().serial().to_vec();
        let revoked = Revoked {
            serial,
            at: now(),
            reason: Reason::Superseded,
        };
        if issuer.subject_der() == before.certificate().issuer_der() {
            vec![revoked]
        } else {
            Vec::new()
        }
    };
    let next = "2027-01-01T00:00:00Z".parse().unwrap();
    let lists = authority.crls(8, now(), next, revoked).unwrap();
    assert_eq!(lists.len(), 3);
    let found = |certificate: &Certificate| {
        let lists = lists.iter().map(|list| Crl::from_der(list).unwrap());
        let mut covering = lists.filter(|list| list.covers(certificate));
        covering.next().unwrap().find(certificate).unwrap().is_some()
    };
    assert!(found(before.certificate()));
    assert!(!found(after.certificate()));

    let tools = OpenSsl::new();
    publish(&tools, "root", authority.root().certificate().as_der(), "x509");
    for issuer in authority.issuers() {
        publish(&tools, "issuer", issuer.certificate().as_der(), "x509");
        tools.run(&[
            "verify",
            "-x509_strict",
            "-attime",
            AT,
            "-CAfile",
            "root.pem",
            "issuer.pem",
        ]);
    }
}

#[test]
fn certificates_do_not_outlive_their_issuer_and_keys_must_match() {
    let authority = authority();
    assert!(
        authority
            .issuer()
            .one_shot(&person("Ana", "1"), years(21), &rng())
            .is_err()
    );
    let root = authority.root().certificate().clone();
    assert!(Root::load(root, key()).is_err());
    let signer = LocalKey::generate().unwrap();
    let pkcs8 = signer.seal(&[1; 32], "service", &rng()).unwrap();
    let same = LocalKey::open(&pkcs8, &[1; 32], "service").unwrap();
    let service =
        authority
            .issuer()
            .credential(Role::Service, signer, &installation("Servicio"), years(1), &rng());
    let certificate = service.unwrap().certificate().clone();
    assert!(
        Issuer::load(certificate, Arc::new(same)).is_err(),
        "a service is not an authority"
    );
}

/// Lists as other authorities make them: of a limited scope, with critical extensions.
#[test]
fn lists_of_openssl_are_read_or_refused() {
    let tools = OpenSsl::new();
    let signer = tools.signer("ana", cms_tools::P256, cms_tools::SIGNING);
    let ca = tools.certificate("ca");
    let settings = "[ca]\ndefault_ca=one\n[one]\ndatabase=index\ndefault_md=sha256\ndefault_crl_days=30\ncrlnumber=number\n\
        [users]\nissuingDistributionPoint=critical,@users_point\n[users_point]\nonlyuser=TRUE\n\
        [authorities]\nissuingDistributionPoint=critical,@authorities_point\n[authorities_point]\nonlyCA=TRUE\n\
        [indirect]\nissuingDistributionPoint=critical,@indirect_point\n[indirect_point]\nindirectCRL=TRUE\n\
        [point]\nissuingDistributionPoint=critical,@point_point\n[point_point]\nfullname=URI:http://a.example/1.crl\n\
        [everybody]\nissuingDistributionPoint=critical,DER:3003820100\n\
        [delta]\n2.5.29.27=critical,DER:020101\n";
    tools.write("settings", settings.as_bytes());
    tools.write("index", b"");
    tools.write("number", b"0A");
    let with = [
        "ca", "-config", "settings", "-cert", "ca.pem", "-keyfile", "ca.key",
    ];
    tools.run(&[&with[..], &["-revoke", "ana.pem", "-crl_reason", "keyCompromise"]].concat());
    let list = |extensions: &[&str]| {
        tools.run(&[&with[..], &["-gencrl", "-out", "list.pem"], extensions].concat());
        tools.run(&["crl", "-in", "list.pem", "-outform", "DER", "-out", "list.der"]);
        Crl::from_der(&tools.read("list.der"))
    };
    let plain = list(&[]).unwrap();
    plain.verify_signed_by(&ca).unwrap();
    assert_eq!(
        plain.find(&signer).unwrap().unwrap().reason,
        Reason::KeyCompromise
    );
    assert!(plain.next_update().unwrap() > plain.this_update());
    let end = plain.next_update().unwrap();
    let after = jiff::Timestamp::from_second(end.as_second() + 1).unwrap();
    assert!(plain.would_name(&signer, end) && !plain.would_name(&signer, after));
    let of_point = |name: &str, number: u8| {
        let extension = format!("crlDistributionPoints=URI:http://a.example/{number}.crl\n");
        tools.signer(name, cms_tools::P256, &extension)
    };
    let (here, elsewhere) = (of_point("here", 1), of_point("elsewhere", 2));
    let point = list(&["-crlexts", "point"]).unwrap();
    assert!(plain.would_name(&here, end) && point.would_name(&here, end));
    assert!(!point.would_name(&elsewhere, end) && !point.would_name(&signer, end));
    assert!(list(&["-crlexts", "users"]).unwrap().covers(&signer));
    assert!(!list(&["-crlexts", "authorities"]).unwrap().covers(&signer));
    let everybody = list(&["-crlexts", "everybody"]).unwrap();
    assert!(everybody.covers(&signer), "a limit that is FALSE is none");
    assert!(list(&["-crlexts", "indirect"]).is_err());
    assert!(list(&["-crlexts", "delta"]).is_err());
}

/// Authorities drop certificates from their lists when these end.
#[test]
fn a_list_from_after_the_end_says_nothing() {
    let authority = authority();
    let one_shot = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(1), &rng())
        .unwrap();
    let certificate = one_shot.certificate();
    let list = |from: &str| {
        let until = "2029-01-01T00:00:00Z".parse().unwrap();
        let list = authority
            .issuer()
            .crl(1, from.parse().unwrap(), until, &[])
            .unwrap();
        Crl::from_der(&list).unwrap()
    };
    assert!(list("2027-11-01T00:00:00Z").would_name(certificate, now()));
    assert!(!list("2027-11-30T00:00:00Z").would_name(certificate, now()));
}
