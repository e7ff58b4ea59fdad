//! Certificates that another authority issued: in PKCS #12 files as openssl writes them.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "tests, with tools shared with others"
)]

mod cms_tools;

use cms_tools::OpenSsl;
use jiff::Timestamp;
use pki::authority::{OutsideCredential, OutsideError};
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
            let bought = OutsideCredential::from_pkcs12(&file, "clave ñ", Vec::new(), now()).unwrap();
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
        OutsideCredential::from_pkcs12(file, password, Vec::new(), now()).map(|_| ())
    };
    let whole = export(&shop, &WHOLE);
    assert!(matches!(open(&whole, "otra"), Err(OutsideError::DoesNotOpen(_))));
    assert!(matches!(
        open(b"hello", "clave ñ"),
        Err(OutsideError::DoesNotOpen(_))
    ));
    let alone = export(&shop, &WHOLE[..4]);
    assert!(matches!(open(&alone, "clave ñ"), Err(OutsideError::NoRoot)));
    let no_middle = export(
        &shop,
        &["-inkey", "seal.key", "-in", "seal.crt", "-certfile", "root.crt"],
    );
    let incomplete = open(&no_middle, "clave ñ");
    assert!(matches!(
        incomplete,
        Err(OutsideError::Path(_) | OutsideError::NoRoot)
    ));
    let keyless = export(&shop, &["-nokeys", "-in", "seal.crt", "-certfile", "chain.crt"]);
    assert!(matches!(open(&keyless, "clave ñ"), Err(OutsideError::OneKey)));
    let late = now() + jiff::SignedDuration::from_hours(24 * 400);
    let expired = OutsideCredential::from_pkcs12(&whole, "clave ñ", Vec::new(), late);
    assert!(matches!(expired, Err(OutsideError::Path(_))));
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
    let bought = OutsideCredential::from_pkcs12(&alone, "clave ñ", chain, now()).unwrap();
    assert_eq!(bought.credential().chain().len(), 1);
    assert!(bought.ends() > now());
}
