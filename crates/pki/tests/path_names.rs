//! Names of issuers in paths: spelt in other ways (RFC 5280, section 7.1), alternative, constrained.

mod cms_tools;

use cms_tools::OpenSsl;
use jiff::Timestamp;
use pki::authority::{Path, PathError};
use pki::cms::Certificate;

/// A root, and a leaf that names its issuer by `issuer`, of the string type `mask` (`utf8only`, `nombstr`, `default`).
fn pair(
    root: (&str, &str),
    issuer: (&str, &str),
    constraints: &str,
    leaf: &str,
) -> (Certificate, Certificate) {
    let tools = OpenSsl::new();
    let make = |name: &str, (subject, mask): (&str, &str), extensions: &str, key: &str| {
        let configuration = format!(
            "[req]\ndistinguished_name=dn\nprompt=no\nstring_mask={mask}\nutf8=yes\nx509_extensions=ext\n[dn]\n{subject}\n\
             [ext]\n{extensions}\n"
        );
        tools.write("config", configuration.as_bytes());
        tools.run(&[
            "req", "-x509", "-new", "-key", key, "-config", "config", "-days", "3650", "-out", name,
        ]);
    };
    let authority =
        format!("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n{constraints}");
    make("root.pem", root, &authority, "ca.key");
    make(
        "issuer.pem",
        issuer,
        "basicConstraints=critical,CA:TRUE",
        "ca.key",
    );
    // openssl copies the issuer's name from the certificate that it signs with.
    tools.run(&[
        "genpkey",
        "-algorithm",
        "EC",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-out",
        "leaf.key",
    ]);
    tools.run(&[
        "req",
        "-new",
        "-key",
        "leaf.key",
        "-subj",
        "/O=Acme/CN=Ana",
        "-out",
        "leaf.csr",
    ]);
    tools.write("leaf.ext", leaf.as_bytes());
    tools.run(&[
        "x509",
        "-req",
        "-in",
        "leaf.csr",
        "-CA",
        "issuer.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "3650",
        "-extfile",
        "leaf.ext",
        "-out",
        "leaf.pem",
    ]);
    (tools.certificate("root"), tools.certificate("leaf"))
}

fn path((root, leaf): &(Certificate, Certificate)) -> Result<(), PathError> {
    let at: Timestamp = leaf.not_before().max(root.not_before());
    Path::find(leaf, &[], std::slice::from_ref(root), at).map(|_| ())
}

const USAGE: &str = "keyUsage=critical,digitalSignature\n";

#[test]
fn names_that_are_spelt_differently_are_the_same() {
    let root = ("O=Compañía Raíz\nCN=Entidad de Certificación", "utf8only");
    for issuer in [
        ("O=COMPAÑÍA RAÍZ\nCN=entidad de  certificación", "utf8only"),
        ("O=Compañía Raíz\nCN=Entidad de Certificación", "default"),
    ] {
        let pair = pair(root, issuer, "", USAGE);
        assert_eq!(path(&pair), Ok(()), "{issuer:?}");
    }
    let plain = ("O=Acme\nCN=Root", "utf8only");
    let printable = pair(plain, ("O=Acme\nCN=Root", "nombstr"), "", USAGE);
    assert_ne!(
        printable.0.subject_der(),
        printable.1.issuer_der(),
        "the types differ"
    );
    assert_eq!(path(&printable), Ok(()));
    for issuer in ["O=Acme\nCN=Roots", "CN=Root\nO=Acme", "O=Acme", "O=Acme\nOU=Root"] {
        let pair = pair(plain, (issuer, "utf8only"), "", USAGE);
        assert_eq!(path(&pair), Err(PathError::NoIssuer), "{issuer:?}");
    }
}

#[test]
fn critical_names_are_understood() {
    let root = ("O=Acme\nCN=Root", "utf8only");
    let with =
        |constraints: &str, leaf: &str| path(&pair(root, root, constraints, &format!("{USAGE}{leaf}")));
    assert_eq!(
        with("", "subjectAltName=critical,email:ana@acme.example\n"),
        Ok(())
    );
    let names = "subjectAltName=critical,email:ana@acme.example,URI:https://www.acme.example/ana,IP:10.1.2.3,DNS:a.acme.example\n";
    let permitted = "nameConstraints=critical,permitted;email:acme.example,permitted;URI:.acme.example,\
                     permitted;IP:10.1.0.0/255.255.0.0,permitted;DNS:acme.example\n";
    assert_eq!(with(permitted, names), Ok(()), "constraints that are met");
    for (given, other) in [
        ("email:ana@acme.example", "email:ana@other.example"),
        ("https://www.acme.example/ana", "https://acme.example.other/ana"),
        ("10.1.2.3", "10.2.2.3"),
        ("a.acme.example", "a.other.example"),
    ] {
        let names = names.replace(given, other);
        assert_eq!(
            with(permitted, &names),
            Err(PathError::NameConstraints),
            "{other}"
        );
    }
    let excluded =
        "nameConstraints=critical,excluded;IP:10.1.0.0/255.255.0.0,excluded;URI:www.acme.example\n";
    assert_eq!(
        with(
            excluded,
            "subjectAltName=IP:10.2.2.3,URI:http://acme.example:8080/\n"
        ),
        Ok(())
    );
    for name in ["IP:10.1.9.9", "URI:http://user@www.acme.example:8080/"] {
        let leaf = format!("subjectAltName={name}\n");
        assert_eq!(with(excluded, &leaf), Err(PathError::NameConstraints), "{name}");
    }
}
