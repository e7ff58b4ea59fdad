//! Settings: the file, the variables before it, and what is refused.

use crate::support::{Installation, wait_for};
use std::fs;

/// An installation with settings from its file only.
fn by_file(text: &str) -> Installation {
    let installation = Installation::new()
        .with("FIRMEZA_DATA_DIR", "")
        .with("FIRMEZA_METRICS_LISTEN", "")
        .with("FIRMEZA_LISTEN", "");
    let listen = format!("listen = \"127.0.0.1:{}\"\n", installation.port);
    fs::write(installation.directory().join("firmeza.toml"), listen + text).unwrap();
    installation
}

#[test]
fn the_file_is_read_and_variables_win() {
    let installation = by_file("data_dir = \"del-archivo\"\nmax_documents = 3\n");
    let server = installation.serve();
    assert!(
        server
            .printed()
            .contains(&format!("127.0.0.1:{}", installation.port))
    );
    drop(server);
    assert!(
        installation
            .directory()
            .join("del-archivo/firmeza.sqlite")
            .exists()
    );

    let other = installation.directory().join("de-la-variable");
    let installation = installation.with("FIRMEZA_DATA_DIR", &other);
    installation.ok(&["company", "add", "Una"]);
    assert!(other.join("firmeza.sqlite").exists());
}

#[test]
fn another_file_can_be_named_and_must_then_be_there() {
    let installation = Installation::new()
        .with("FIRMEZA_CONFIG", "otra.toml")
        .with("FIRMEZA_DATA_DIR", "");
    let missing = installation.run(&["migrate"]);
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.stderr.contains("otra.toml"), "{missing:?}");
    fs::write(
        installation.directory().join("otra.toml"),
        "data_dir = \"otros-datos\"",
    )
    .unwrap();
    installation.ok(&["migrate"]);
    assert!(
        installation
            .directory()
            .join("otros-datos/firmeza.sqlite")
            .exists()
    );
}

#[test]
fn what_is_not_a_setting_is_refused_by_name() {
    for (text, complaint) in [
        ("databse_url = \"postgres://x\"", "`databse_url` is not a setting"),
        ("listen = 5", "firmeza.toml"),
        ("max_documents = \"many\"", "FIRMEZA_MAX_DOCUMENTS"),
        (
            "environment = \"produccion\"",
            "must be one of: sandbox, production",
        ),
        ("timezone = \"America/Macondo\"", "FIRMEZA_TIMEZONE"),
        ("base_url = \"ftp://example.com\"", "FIRMEZA_BASE_URL"),
        (
            "base_url = \"https://example.com/firmeza\"",
            "FIRMEZA_BASE_URL: must be an address without a path",
        ),
        (
            "sign_app_url = \"https://example.com/firmas/\"",
            "FIRMEZA_SIGN_APP_URL: must be an address without a path",
        ),
        (
            "sign_app_url = \"https://example.com/?a=b\"",
            "FIRMEZA_SIGN_APP_URL: must be an address without a path",
        ),
        (
            "sign_app_url = \"https://example.com/#a\"",
            "FIRMEZA_SIGN_APP_URL: must be an address without a path",
        ),
        ("database_url = \"mysql://x\"", "FIRMEZA_DATABASE_URL"),
        ("blobs_url = \"http://x\"", "FIRMEZA_BLOBS_URL"),
        ("master_key = \"short\"", "FIRMEZA_MASTER_KEY"),
        ("smtp_url = \"http://x\"", "FIRMEZA_SMTP_URL"),
        (
            "smtp_url = \"smtp://u:p@x?tls=none\"",
            "a password is not sent without TLS",
        ),
        ("mail_from = \"nobody\"", "FIRMEZA_MAIL_FROM"),
        ("sms_url = \"ftp://x\"", "FIRMEZA_SMS_URL"),
        (
            "sms_url = \"http://x\"\nsms_format = \"xml\"",
            "FIRMEZA_SMS_FORMAT",
        ),
        (
            "sms_url = \"http://x\"\nsms_format = \"twilio\"",
            "FIRMEZA_SMS_FROM",
        ),
        ("send_messages = \"perhaps\"", "FIRMEZA_SEND_MESSAGES"),
        (
            "tsa_url = \"http://a, http://b\"\ntsa_roots = \"a.pem\"",
            "FIRMEZA_TSA_ROOTS: must name a file",
        ),
        ("tsa_roots = \"a.pem\"", "FIRMEZA_TSA_ROOTS: names more files"),
        (
            "tsa_url = \"http://a\"\ntsa_roots = \"a.pem\"\ntsa_client_certificates = \"-, b.pem\"",
            "FIRMEZA_TSA_CLIENT_CERTIFICATES: must name a file",
        ),
        ("metrics_listen = \"9464\"", "FIRMEZA_METRICS_LISTEN"),
        ("webhook_ports = \"443,https\"", "FIRMEZA_WEBHOOK_PORTS: `https`"),
        ("webhook_ports = 0", "FIRMEZA_WEBHOOK_PORTS"),
        ("webhook_networks = \"10.1\"", "FIRMEZA_WEBHOOK_NETWORKS"),
        (
            "connections_per_client = \"many\"",
            "FIRMEZA_CONNECTIONS_PER_CLIENT",
        ),
        ("log = \"a=b=c\"", "FIRMEZA_LOG"),
    ] {
        let refused = by_file(text).run(&["serve"]);
        assert_eq!(refused.code, Some(1), "{text}: {refused:?}");
        assert!(refused.stderr.contains(complaint), "{text}: {refused:?}");
    }
}

#[test]
fn production_refuses_to_start_without_its_own_address_key_and_mail() {
    let key = "0123456789abcdef".repeat(4);
    let mut installation = Installation::new().with("FIRMEZA_ENVIRONMENT", "production");
    for (name, value) in [
        ("FIRMEZA_BASE_URL", "https://firma.example.com"),
        ("FIRMEZA_MASTER_KEY", &key),
        ("FIRMEZA_SMTP_URL", "smtps://mail.example.com"),
    ] {
        let refused = installation.run(&["serve"]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains(name), "{refused:?}");
        assert!(!refused.stderr.contains(&key), "{refused:?}");
        installation = installation.with(name, value);
    }
    installation = installation.with("FIRMEZA_SIGN_APP_URL", "http://firma.example.com");
    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("FIRMEZA_SIGN_APP_URL"), "{refused:?}");
    installation = installation.with("FIRMEZA_SIGN_APP_URL", "https://firma.example.com/");
    assert!(!installation.data().exists(), "refused before anything is made");

    let server = installation.serve();
    let printed = server.printed();
    assert!(!printed.contains("firmeza_"), "no demonstration key: {printed}");
    let logged = server.logged();
    assert!(
        logged.contains("folios with signatureType 2 cannot be signed") && logged.contains("FIRMEZA_SMS_URL"),
        "{logged}"
    );
    assert_eq!(installation.ok(&["company", "list"]), "");
    wait_for("a log in JSON", || {
        let logged = server.logged();
        server.terminate();
        logged
            .lines()
            .any(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
    });
}

#[test]
fn all_problems_are_named_at_once() {
    let installation = by_file("databse_url = \"postgres://x\"\nmax_documents = \"many\"\n")
        .with("FIRMEZA_ENVIRONMENT", "production")
        .with("FIRMEZA_BASEURL", "https://firma.example.com")
        .with("FIRMEZA_MASTER_KEY_FILE", "missing.key")
        .with("FIRMEZA_DATABASE_READERS", "0");
    let checked = installation.run(&["config", "check"]);
    let problems = [
        "firmeza: the settings file firmeza.toml: `databse_url` is not a setting; did you mean `database_url`?",
        "firmeza: FIRMEZA_BASEURL: is not a setting; did you mean `FIRMEZA_BASE_URL`?",
        "firmeza: the master key in missing.key: No such file or directory (os error 2)",
        "firmeza: FIRMEZA_DATABASE_READERS: must be a number from 1 to 256",
        "firmeza: FIRMEZA_MAX_DOCUMENTS: invalid digit found in string",
        "firmeza: FIRMEZA_BASE_URL: must be an https address in production",
        "firmeza: FIRMEZA_SMTP_URL: must name a mail server in production",
    ];
    assert_eq!(checked.stderr.lines().collect::<Vec<_>>(), problems);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert_eq!(installation.run(&["serve"]).stderr, checked.stderr);
    assert!(!installation.data().exists());
}

#[test]
fn files_that_settings_name_are_read_by_the_check() {
    let good = by_file("");
    assert!(good.ok(&["config", "check"]).contains("make sense"));
    let checked = by_file(
        "tsa_url = \"http://a\"\ntsa_roots = \"a.pem\"\ntrusted_lists = \"b.xml\"\ncertificate_file = \"c.p12\"\n",
    )
    .run(&["config", "check"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    for name in [
        "FIRMEZA_TSA_ROOTS a.pem",
        "FIRMEZA_TRUSTED_LISTS b.xml",
        "FIRMEZA_CERTIFICATE_FILE c.p12",
    ] {
        assert!(checked.stderr.contains(name), "{checked:?}");
    }
}

#[test]
fn settings_are_shown_with_their_origin_and_without_secrets() {
    let shown = by_file("data_dir = \"datos\"\nwebhook_ports = [9443, 9444]\n")
        .with("FIRMEZA_DATABASE_URL", "postgres://firmeza:secreta@db/firmeza")
        .with("FIRMEZA_MASTER_KEY", "0123456789abcdef".repeat(4))
        .ok(&["config", "show"]);
    for line in [
        "# The settings file is firmeza.toml.",
        "data_dir = \"datos\"  # the file",
        "webhook_ports = \"9443,9444\"  # the file",
        "database_url = \"postgres://firmeza:***@db/firmeza\"  # FIRMEZA_DATABASE_URL",
        "master_key = \"***\"  # FIRMEZA_MASTER_KEY",
        "max_documents = 20  # the default",
        "# smtp_url is not set: the built-in mailbox; production refuses to start",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
    assert!(
        !shown.contains("secreta") && !shown.contains("0123456789abcdef"),
        "{shown}"
    );
}
