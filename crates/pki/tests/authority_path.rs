//! Paths: what leads to a trusted root and what only seems to.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority_tools;
mod cms_tools;

use authority_tools::{authority, key, now, person, rng, years};
use cms_tools::{OpenSsl, P256};
use pki::authority::{Constraints, Path, PathError, Root};
use pki::cms::Certificate;

#[test]
fn a_signer_leads_to_its_root() {
    let authority = authority();
    let signer = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap();
    let root = authority.root().certificate().clone();
    let path = Path::find(
        signer.certificate(),
        signer.chain(),
        std::slice::from_ref(&root),
        now(),
    )
    .unwrap();
    let expected = [
        signer.certificate().clone(),
        authority.issuer().certificate().clone(),
        root,
    ];
    assert_eq!(path.certificates(), expected);
    assert_eq!(path.links().count(), 2);
}

#[test]
fn time_root_and_issuer_must_fit() {
    let authority = authority();
    let signer = authority
        .issuer()
        .one_shot(&person("Ana", "1"), years(5), &rng())
        .unwrap();
    let leaf = signer.certificate();
    let roots = [authority.root().certificate().clone()];
    let late = "2032-01-01T00:00:00Z".parse().unwrap();
    let early = "2026-11-15T11:59:59Z".parse().unwrap();
    assert_eq!(
        Path::find(leaf, signer.chain(), &roots, late),
        Err(PathError::NotValidAt)
    );
    assert_eq!(
        Path::find(leaf, signer.chain(), &roots, early),
        Err(PathError::NotValidAt)
    );
    assert_eq!(Path::find(leaf, &[], &roots, now()), Err(PathError::NoIssuer));
    let namesake = Root::create(key(), &authority_tools::installation("Raíz"), years(30), &rng()).unwrap();
    let namesake = [namesake.certificate().clone()];
    assert_eq!(
        Path::find(leaf, signer.chain(), &namesake, now()),
        Err(PathError::BadSignature)
    );
}

/// The date that stands for no end (RFC 5280, section 4.1.2.5) is later than what a `Timestamp` holds.
#[test]
fn a_certificate_without_an_end_is_read() {
    let root = Root::create(key(), &authority_tools::installation("Raíz"), years(30), &rng()).unwrap();
    let root = root.certificate();
    let ends = root.not_after().strftime("%Y%m%d%H%M%SZ").to_string();
    let mut der = root.as_der().to_vec();
    let place = der.windows(ends.len()).position(|word| word == ends.as_bytes());
    let place = place.unwrap();
    der[place..place + ends.len()].copy_from_slice(b"99991231235959Z");
    let endless = Certificate::from_der(&der).unwrap();
    assert_eq!(endless.not_after(), jiff::Timestamp::MAX);
    assert!(endless.covers("2500-01-01T00:00:00Z".parse().unwrap()));
}

/// Certificates made by openssl that must not stand above others.
#[test]
fn only_authorities_issue() {
    let tools = OpenSsl::new();
    let root = tools.certificate("ca");
    let at = root.not_before();
    let cases = [
        (
            "leaf",
            "keyUsage=critical,digitalSignature\n",
            PathError::NotAuthority,
        ),
        (
            "noncertsign",
            "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,cRLSign\n",
            PathError::NotAuthority,
        ),
        (
            "strange",
            "basicConstraints=CA:TRUE\n1.2.3.4=critical,DER:0500\n",
            PathError::CriticalExtension,
        ),
    ];
    for (name, extensions, reason) in cases {
        let middle = tools.signer(name, P256, extensions);
        let leaf = issued_by(&tools, name);
        let at = at.max(leaf.not_before());
        let verdict = Path::find(&leaf, &[middle], std::slice::from_ref(&root), at);
        assert_eq!(verdict, Err(reason), "{name}");
    }
    let good = tools.signer("good", P256, "basicConstraints=critical,CA:TRUE,pathlen:0\n");
    let leaf = issued_by(&tools, "good");
    let at = at.max(leaf.not_before());
    assert!(Path::find(&leaf, &[good], &[root], at).is_ok());
}

fn issued_by(tools: &OpenSsl, issuer: &str) -> Certificate {
    let (pem, key) = (format!("{issuer}.pem"), format!("{issuer}.key"));
    tools.run(&[&["genpkey", "-out", "below.key"], P256].concat());
    tools.run(&[
        "req",
        "-new",
        "-key",
        "below.key",
        "-subj",
        "/CN=below",
        "-out",
        "below.csr",
    ]);
    let base = [
        "x509",
        "-req",
        "-in",
        "below.csr",
        "-CA",
        &pem,
        "-CAkey",
        &key,
        "-CAcreateserial",
    ];
    tools.run(&[&base[..], &["-days", "30", "-out", "below.pem"]].concat());
    tools.certificate("below")
}

/// Many certificates of one name and key, in a circle, end the search soon.
#[test]
fn a_tangle_of_certificates_is_given_up() {
    let key = key();
    let subject = authority_tools::installation("Círculo");
    let tangle: Vec<Certificate> = (0..40)
        .map(|_| {
            Root::create(key.clone(), &subject, years(30), &rng())
                .unwrap()
                .certificate()
                .clone()
        })
        .collect();
    let other = authority();
    let roots = [other.root().certificate().clone()];
    let verdict = Path::find(&tangle[0], &tangle[1..], &roots, now());
    assert_eq!(verdict, Err(PathError::TooComplex));
}

#[test]
fn timestamping_is_an_exclusive_purpose() {
    let tools = OpenSsl::new();
    let usage = "keyUsage=critical,digitalSignature\n";
    let cases = [
        ("extendedKeyUsage=critical,timeStamping\n", true),
        ("extendedKeyUsage=timeStamping\n", false),
        ("extendedKeyUsage=critical,timeStamping,emailProtection\n", false),
        ("", false),
    ];
    for (extension, expected) in cases {
        let certificate = tools.signer("tsa", P256, &format!("{usage}{extension}"));
        assert_eq!(
            Constraints::of(&certificate).unwrap().signs_timestamps(),
            expected,
            "{extension}"
        );
    }
}

#[test]
fn a_signer_has_a_certificate_for_documents() {
    let tools = OpenSsl::new();
    let cases = [
        ("subjectKeyIdentifier=hash\n", true),
        ("keyUsage=critical,digitalSignature\n", true),
        ("keyUsage=critical,nonRepudiation\n", true),
        ("keyUsage=critical,keyEncipherment\n", false),
        ("extendedKeyUsage=timeStamping\n", false),
        ("extendedKeyUsage=serverAuth,clientAuth\n", false),
        ("extendedKeyUsage=clientAuth,emailProtection\n", true),
        ("basicConstraints=critical,CA:TRUE\n", false),
        (
            "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n",
            false,
        ),
        (
            "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,digitalSignature\n",
            true,
        ),
    ];
    for (extensions, expected) in cases {
        let certificate = tools.signer("somebody", P256, extensions);
        assert_eq!(
            Constraints::of(&certificate).unwrap().is_of_a_signer(),
            expected,
            "{extensions}"
        );
    }
}

/// Constraints bind, critical or not.
#[test]
fn an_authority_gives_no_name_that_it_may_not_give() {
    let tools = OpenSsl::new();
    let root = tools.certificate("ca");
    let cases = [
        ("permitted;dirName:dir\n[dir]\nCN=other\n", false),
        ("permitted;dirName:dir\n[dir]\nCN=below\n", true),
        ("excluded;dirName:dir\n[dir]\nCN=below\n", false),
        ("excluded;dirName:dir\n[dir]\nCN=other\n", true),
        ("permitted;DNS:a.example\n", true),
    ];
    for (constraint, expected) in cases {
        for critical in ["", "critical,"] {
            let extensions = format!("basicConstraints=CA:TRUE\nnameConstraints={critical}{constraint}");
            let middle = tools.signer("middle", P256, &extensions);
            let leaf = issued_by(&tools, "middle");
            let at = leaf.not_before();
            let verdict = Path::find(&leaf, &[middle], std::slice::from_ref(&root), at);
            let expected = if expected {
                None
            } else {
                Some(PathError::NameConstraints)
            };
            assert_eq!(verdict.err(), expected, "{critical}{constraint}");
        }
    }
}

#[test]
fn a_critical_purpose_must_be_known() {
    let tools = OpenSsl::new();
    let root = [tools.certificate("ca")];
    let cases = [
        ("extendedKeyUsage=critical,1.2.3.4.5\n", false),
        ("extendedKeyUsage=critical,codeSigning\n", false),
        ("extendedKeyUsage=1.2.3.4.5\n", true),
        ("extendedKeyUsage=critical,1.2.3.4.5,1.3.6.1.5.5.7.3.36\n", true),
    ];
    for (extensions, expected) in cases {
        let leaf = tools.signer("leaf", P256, extensions);
        let path = Path::find(&leaf, &[], &root, leaf.not_before());
        assert_eq!(path.is_ok(), expected, "{extensions}");
        assert_eq!(
            Constraints::of(&leaf).unwrap().is_of_a_signer(),
            expected,
            "{extensions}"
        );
    }
}

#[test]
fn a_service_has_a_certificate_of_its_own_kind() {
    let tools = OpenSsl::new();
    let usage = "keyUsage=critical,digitalSignature,nonRepudiation\n";
    let cases = [
        (usage.to_owned(), true),
        (format!("{usage}extendedKeyUsage=serverAuth\n"), false),
        (format!("{usage}extendedKeyUsage=OCSPSigning\n"), false),
        (format!("{usage}basicConstraints=critical,CA:TRUE\n"), false),
        ("keyUsage=critical,nonRepudiation\n".to_owned(), false),
        (
            "keyUsage=critical,digitalSignature,nonRepudiation,keyCertSign\n".to_owned(),
            false,
        ),
        ("subjectKeyIdentifier=hash\n".to_owned(), false),
    ];
    for (extensions, expected) in cases {
        let certificate = tools.signer("service", P256, &extensions);
        let constraints = Constraints::of(&certificate).unwrap();
        assert_eq!(constraints.is_of_a_service(), expected, "{extensions}");
    }
}
