//! The independent tools that judge our output, and keys and certificates that they make.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "every test program uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pki::cms::Certificate;
use tempfile::TempDir;

/// Runs a tool in `directory` and fails with its words if it fails.
pub(crate) fn run(directory: &Path, program: &str, arguments: &[&str]) -> String {
    run_with(directory, program, arguments, &[])
}

/// The same, with variables in its environment.
pub(crate) fn run_with(
    directory: &Path,
    program: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> String {
    let output = output(command(directory, program, arguments).envs(variables.iter().copied()));
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program} {}\n{text}",
        arguments.join(" ")
    );
    text
}

/// Runs a tool and returns its result.
pub(crate) fn attempt(directory: &Path, program: &str, arguments: &[&str]) -> Output {
    output(&mut command(directory, program, arguments))
}

fn command(directory: &Path, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory);
    command
}

/// A missing tool is a failure, never a skipped test.
fn output(command: &mut Command) -> Output {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}; run through `cargo xtask test`"))
}

/// A directory in which openssl keeps a small authority: `ca.pem`, and one signer per key.
pub(crate) struct OpenSsl {
    directory: TempDir,
}

impl OpenSsl {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let this = Self { directory };
        this.run(&[
            "ecparam",
            "-name",
            "prime256v1",
            "-genkey",
            "-noout",
            "-out",
            "ca.key",
        ]);
        this.run(&[
            "req",
            "-x509",
            "-new",
            "-key",
            "ca.key",
            "-subj",
            "/CN=Test root",
            "-days",
            "3650",
            "-out",
            "ca.pem",
        ]);
        this
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        run(self.path(), "openssl", arguments)
    }

    /// Fails unless openssl verifies a detached signature of the document, by the certificates in that file.
    pub(crate) fn verify_cades(&self, cms: &[u8], document: &[u8], trusted: &str, options: &[&str]) {
        self.write("document", document);
        self.write("signature", cms);
        let base = [
            "cms",
            "-verify",
            "-cades",
            "-binary",
            "-inform",
            "DER",
            "-in",
            "signature",
            "-content",
            "document",
            "-CAfile",
            trusted,
            "-out",
            "verified",
        ];
        self.run(&[&base[..], options].concat());
        assert_eq!(self.read("verified"), document);
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.file(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    /// Makes `name.key` (PKCS #8 in DER too, as `name.p8`) and `name.pem` under the root.
    /// `key` are arguments of `openssl genpkey`, `extensions` lines of a configuration.
    pub(crate) fn signer(&self, name: &str, key: &[&str], extensions: &str) -> Certificate {
        let file = |ending: &str| format!("{name}.{ending}");
        self.run(&[&["genpkey", "-out", &file("key")], key].concat());
        let p8 = file("p8");
        self.run(&[
            "pkcs8",
            "-topk8",
            "-nocrypt",
            "-in",
            &file("key"),
            "-outform",
            "DER",
            "-out",
            &p8,
        ]);
        let subject = format!("/C=CO/CN={name}");
        self.run(&[
            "req",
            "-new",
            "-key",
            &file("key"),
            "-subj",
            &subject,
            "-out",
            &file("csr"),
        ]);
        self.write(&file("ext"), extensions.as_bytes());
        let (csr, pem, ext) = (file("csr"), file("pem"), file("ext"));
        self.run(&[
            "x509",
            "-req",
            "-in",
            &csr,
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            "3650",
            "-sha256",
            "-extfile",
            &ext,
            "-out",
            &pem,
        ]);
        self.certificate(name)
    }

    /// The certificate in `name.pem`.
    pub(crate) fn certificate(&self, name: &str) -> Certificate {
        let (pem, der) = (format!("{name}.pem"), format!("{name}.der"));
        self.run(&["x509", "-in", &pem, "-outform", "DER", "-out", &der]);
        Certificate::from_der(&self.read(&der)).unwrap()
    }
}

pub(crate) const P256: &[&str] = &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"];
pub(crate) const P384: &[&str] = &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"];
pub(crate) const RSA: &[&str] = &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"];
pub(crate) const SIGNING: &str =
    "keyUsage=critical,digitalSignature,nonRepudiation\nsubjectKeyIdentifier=hash\n";
