//! `PostgreSQL` over TLS, with an authority of one's own.

use crate::db::{company, run};
use parts::{Postgres, Scratch, run as run_command};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use store::{Error, Settings, Store};

#[test]
fn a_server_is_believed_by_its_certificate() {
    let scratch = Scratch::new().unwrap();
    let files = scratch.directory();
    certificate(files, "ca", &["-subj", "/CN=Our authority"]);
    certificate(files, "other", &["-subj", "/CN=Another authority"]);
    let by_ca = ["-CA", "ca.crt", "-CAkey", "ca.key", "-subj", "/CN=server"];
    let leaf = [
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
    ];
    certificate(files, "server", &[by_ca.as_slice(), &leaf].concat());

    let mut server = Postgres::start().unwrap();
    let url = server.create_database("private").unwrap();
    // The server takes its key only from a file of its own.
    let here = files.display();
    let copy = format!("cat > /dev/null; umask 077; cp {here}/server.crt {here}/server.key .");
    server
        .query(&format!("COPY (SELECT 1) TO PROGRAM '{copy}'"))
        .unwrap();
    server.query("ALTER SYSTEM SET ssl = on").unwrap();
    server.stop_immediate().unwrap();
    server.start_again().unwrap();

    let open = |url: &str, mode: &str, authority: &str| {
        let root = files.join(authority);
        let address = format!("{url}?sslmode={mode}&sslrootcert={}", root.display());
        Store::open(&Settings::Postgres(address), None)
    };
    for mode in ["require", "verify-ca", "verify-full"] {
        let store = open(&url, mode, "ca.crt").unwrap();
        run(company(&store, mode.to_owned().leak()));
        let sessions = "SELECT COUNT(*) FILTER (WHERE ssl), COUNT(*) FILTER (WHERE NOT ssl) FROM pg_stat_ssl
                        JOIN pg_stat_activity USING (pid) WHERE application_name = 'firmeza'";
        let counted = server.query(sessions).unwrap();
        let (private, plain) = counted.trim().split_once('|').unwrap();
        assert!(private != "0" && plain == "0", "{counted}");

        let wrong = refused(open(&url, mode, "other.crt"));
        assert!(wrong.contains("InvalidCertificate"), "{wrong}");
        let elsewhere = url.replace("127.0.0.1", "localhost");
        let wrong = refused(open(&elsewhere, mode, "ca.crt"));
        assert!(wrong.contains("InvalidCertificate"), "{wrong}");
    }
    let missing = open(&url, "require", "missing.crt").unwrap_err();
    assert!(
        matches!(&missing, Error::Settings(why) if why.contains("missing.crt")),
        "{missing:?}"
    );
}

/// Every cause of the refusal, as a person would read them.
fn refused(opened: Result<Store, Error>) -> String {
    let error = opened.unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)), "{error:?}");
    format!("{error:?}")
}

/// Makes `NAME.crt` and `NAME.key`, readable for the server's own user.
fn certificate(files: &Path, name: &str, options: &[&str]) {
    let (key, file) = (format!("{name}.key"), format!("{name}.crt"));
    let mut openssl = Command::new("openssl");
    openssl
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-noenc",
            "-days",
            "2",
        ])
        .args(["-keyout", &key, "-out", &file])
        .args(options)
        .current_dir(files);
    run_command(&mut openssl).unwrap();
    fs::set_permissions(files.join(key), Permissions::from_mode(0o644)).unwrap();
}
