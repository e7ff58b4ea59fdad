//! Certificates that another authority issued: in PKCS #12 files as openssl writes them.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "tests, with tools shared with others"
)]

mod cms_tools;

use cms_tools::OpenSsl;
use jiff::Timestamp;
use pki::authority::{ExternalCredential, ExternalCredentialError, ExternalIssuer, PathError};
use pki::cms::{Certificate, Profile, SignedData};

/// An authority with an intermediate and the certificate of a company, all made by openssl.
fn authority(key: &[&str]) -> OpenSsl {
    let shop = OpenSsl::new();
    shop.write(
        "extensions.cnf",
        b"[ca]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n\
          [seal]\nbasicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,nonRepudiation\n",
    );
    for (name, subject) in [
        ("root", "/CN=Raiz"),
        ("middle", "/CN=Intermedia"),
        ("seal", "/CN=Banco Andino SA"),
    ] {
        let out = format!("{name}.key");
        shop.run(&[&["genpkey"], key, &["-out", &out]].concat());
        let request = format!("{name}.csr");
        shop.run(&["req", "-new", "-key", &out, "-subj", subject, "-out", &request]);
    }
    let days = ["-days", "365", "-extfile", "extensions.cnf", "-extensions"];
    let issue = |name: &str, kind: &str, by: &[&str]| {
        let (request, out) = (format!("{name}.csr"), format!("{name}.crt"));
        let base = ["x509", "-req", "-in", &request, "-out", &out, "-set_serial", "77"];
        shop.run(&[&base[..], &days, &[kind], by].concat());
    };
    issue("root", "ca", &["-signkey", "root.key"]);
    issue("middle", "ca", &["-CA", "root.crt", "-CAkey", "root.key"]);
    issue("seal", "seal", &["-CA", "middle.crt", "-CAkey", "middle.key"]);
    let chain = [shop.read("middle.crt"), shop.read("root.crt")].concat();
    shop.write("chain.crt", &chain);
    shop
}

fn export(shop: &OpenSsl, options: &[&str]) -> Vec<u8> {
    let base = [
        "pkcs12",
        "-export",
        "-out",
        "seal.p12",
        "-passout",
        "pass:clave ñ",
    ];
    shop.run(&[&base[..], options].concat());
    shop.read("seal.p12")
}

const WHOLE: [&str; 6] = ["-inkey", "seal.key", "-in", "seal.crt", "-certfile", "chain.crt"];

fn now() -> Timestamp {
    #[expect(
        clippy::disallowed_methods,
        reason = "openssl dates its certificates by the real clock"
    )]
    let now = Timestamp::now();
    now + jiff::SignedDuration::from_secs(60)
}

const EC: [&str; 4] = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"];
const RSA: [&str; 4] = ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"];

#[test]
fn a_bought_certificate_signs_with_its_whole_chain() {
    for key in [EC, RSA] {
        let shop = authority(&key);
        // As openssl writes files today, and as Windows did for long.
        for form in [
            &[][..],
            &[
                "-keypbe",
                "PBE-SHA1-3DES",
                "-certpbe",
                "PBE-SHA1-3DES",
                "-macalg",
                "sha1",
            ],
        ] {
            let file = export(&shop, &[&WHOLE[..], form].concat());
            let bought = ExternalCredential::from_pkcs12(&file, "clave ñ", Vec::new(), now()).unwrap();
            assert_eq!(
                bought.credential().certificate().common_name().as_deref(),
                Some("Banco Andino SA")
            );
            assert_eq!(bought.root().common_name().as_deref(), Some("Raiz"));
            let cms = bought.credential().sign(&[7; 32]).unwrap().finish(None);
            let signed = SignedData::parse(&cms).unwrap();
            assert_eq!(
                signed.certificates().len(),
                2,
                "the certificate and the intermediate"
            );
            signed.verify_detached(&[7; 32], Profile::Cades).unwrap();
        }
    }
}

#[test]
fn what_is_missing_is_said() {
    let shop = authority(&EC);
    let open = |file: &[u8], password: &str| {
        ExternalCredential::from_pkcs12(file, password, Vec::new(), now()).map(|_| ())
    };
    let whole = export(&shop, &WHOLE);
    assert!(matches!(
        open(&whole, "otra"),
        Err(ExternalCredentialError::DoesNotOpen(_))
    ));
    assert!(matches!(
        open(b"hello", "clave ñ"),
        Err(ExternalCredentialError::DoesNotOpen(_))
    ));
    let alone = export(&shop, &WHOLE[..4]);
    assert!(matches!(
        open(&alone, "clave ñ"),
        Err(ExternalCredentialError::NoRoot)
    ));
    let no_middle = export(
        &shop,
        &["-inkey", "seal.key", "-in", "seal.crt", "-certfile", "root.crt"],
    );
    let incomplete = open(&no_middle, "clave ñ");
    assert!(matches!(
        incomplete,
        Err(ExternalCredentialError::Path(_) | ExternalCredentialError::NoRoot)
    ));
    let keyless = export(&shop, &["-nokeys", "-in", "seal.crt", "-certfile", "chain.crt"]);
    assert!(matches!(
        open(&keyless, "clave ñ"),
        Err(ExternalCredentialError::OneKey)
    ));
    let late = now() + jiff::SignedDuration::from_hours(24 * 400);
    let expired = ExternalCredential::from_pkcs12(&whole, "clave ñ", Vec::new(), late);
    assert!(matches!(expired, Err(ExternalCredentialError::Path(_))));
}

#[test]
fn the_chain_may_lie_beside_the_file() {
    let shop = authority(&EC);
    let alone = export(&shop, &WHOLE[..4]);
    let der = |name: &str| {
        let out = format!("{name}.der");
        shop.run(&[
            "x509",
            "-in",
            &format!("{name}.crt"),
            "-outform",
            "DER",
            "-out",
            &out,
        ]);
        Certificate::from_der(&shop.read(&out)).unwrap()
    };
    let chain = vec![der("root"), der("middle")];
    let bought = ExternalCredential::from_pkcs12(&alone, "clave ñ", chain, now()).unwrap();
    assert_eq!(bought.credential().chain().len(), 1);
    assert!(bought.ends() > now());
}

type Expected = fn(&ExternalCredentialError) -> bool;

const AUTHORITY: &str = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign";

/// An issuer with these extensions, below a root with those, valid for so many days.
fn issuer(root: &str, own: &str, days: &str) -> Result<ExternalIssuer, ExternalCredentialError> {
    let shop = OpenSsl::new();
    shop.write(
        "extensions.cnf",
        format!("[root]\n{root}\n[own]\n{own}\n").as_bytes(),
    );
    for name in ["root", "own"] {
        let (key, request, certificate) = (
            format!("{name}.key"),
            format!("{name}.csr"),
            format!("{name}.crt"),
        );
        shop.run(&[&["genpkey"], &EC[..], &["-out", &key]].concat());
        let subject = format!("/CN={name}");
        shop.run(&["req", "-new", "-key", &key, "-subj", &subject, "-out", &request]);
        let base = [
            "x509",
            "-req",
            "-in",
            &request,
            "-out",
            &certificate,
            "-days",
            days,
        ];
        let by: &[&str] = if name == "root" {
            &["-signkey", "root.key"]
        } else {
            &["-CA", "root.crt", "-CAkey", "root.key"]
        };
        let extensions = [
            "-extfile",
            "extensions.cnf",
            "-extensions",
            name,
            "-set_serial",
            "5",
        ];
        shop.run(&[&base[..], by, &extensions].concat());
    }
    let base = ["pkcs12", "-export", "-out", "own.p12", "-passout", "pass:clave"];
    let parts = ["-inkey", "own.key", "-in", "own.crt", "-certfile", "root.crt"];
    shop.run(&[&base[..], &parts].concat());
    let file = shop.read("own.p12");
    let given = ExternalCredential::from_pkcs12(&file, "clave", Vec::new(), now())?;
    ExternalIssuer::new(&given, now(), now() + jiff::SignedDuration::from_hours(24 * 30))
}

#[test]
fn an_issuer_that_cannot_issue_is_refused_with_its_reason() {
    let made = issuer(AUTHORITY, AUTHORITY, "365").unwrap();
    assert_eq!(made.root().common_name().as_deref(), Some("root"));
    let uses = |usage: &str| format!("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,{usage}");
    let no_followers = AUTHORITY.replace("TRUE", "TRUE,pathlen:0");
    let names = format!("{AUTHORITY}\nnameConstraints=critical,permitted;dirName:dir\n[dir]\nO=Banco");
    let cases: [(&str, &str, &str, Expected); 6] = [
        (AUTHORITY, "basicConstraints=critical,CA:FALSE", "365", |error| {
            matches!(error, ExternalCredentialError::NotAuthority)
        }),
        (AUTHORITY, &uses("cRLSign"), "365", |error| {
            matches!(error, ExternalCredentialError::KeyUsage("keyCertSign"))
        }),
        (AUTHORITY, &uses("keyCertSign"), "365", |error| {
            matches!(error, ExternalCredentialError::KeyUsage("cRLSign"))
        }),
        (&no_followers, AUTHORITY, "365", |error| {
            matches!(error, ExternalCredentialError::PathLength(_))
        }),
        (AUTHORITY, &names, "365", |error| {
            matches!(error, ExternalCredentialError::Path(PathError::NameConstraints))
        }),
        (AUTHORITY, AUTHORITY, "10", |error| {
            matches!(error, ExternalCredentialError::EndsSoon(_))
        }),
    ];
    for (root, own, days, expected) in cases {
        let error = issuer(root, own, days).unwrap_err();
        assert!(expected(&error), "{own}: {error}");
    }
}
