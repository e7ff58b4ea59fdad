//! `firmeza doctor` tries each part and advises.

use crate::support::{
    Connection, Installation, Order, PostgresDatabase, Request, block_on, given, time_stamping, wait_for,
};
use app::shared::history_key::open_store;
use app::{Clock, MasterKey, Notary, NotarySettings};
use parts::MailServer;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

#[test]
fn a_healthy_installation_is_found_healthy_and_left_as_it_was() {
    let installation = Installation::new();
    let server = installation.serve();
    let said = installation.ok(&["doctor"]);
    for part in [
        "data directory",
        "database: SQLite",
        "documents",
        "disk space",
        "master key: there, and opens what is sealed",
        "histories: the newest 0 are as they were written",
        "certificates: the first ends 20",
        "founding of the authority: by a clock that was right",
        "mail server: none",
        "SMS gateway: none",
        "timestamps: made by the installation itself",
        "clock",
        "render workers: closed in by seccomp",
    ] {
        assert!(said.contains(&format!("ok    {part}")), "{said}");
    }
    assert!(!said.contains("FAIL"), "{said}");
    assert!(
        said.contains("warn  timestamps: all are made by the installation itself"),
        "{said}"
    );
    drop(server);
    let left = |folder: &str| fs::read_dir(installation.data().join(folder)).unwrap();
    let shards = left("documents").map(|shard| shard.unwrap().path());
    let blobs: usize = shards
        .map(|shard| fs::read_dir(shard).map_or(0, Iterator::count))
        .sum();
    assert_eq!(blobs, 0, "its trial is removed");
}

#[test]
fn asked_before_anything_else_it_is_in_no_restores_way() {
    let source = Installation::new();
    drop(source.serve());
    let backup = source.directory().join("backup");
    let backup = backup.to_str().unwrap();
    source.ok(&["backup", backup, "--with-master-key"]);

    let installation = Installation::new();
    let said = installation.ok(&["doctor"]);
    assert!(
        said.contains("ok    master key: none yet: the first start makes it"),
        "{said}"
    );
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let data = installation.data();
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("firmeza.sqlite")), 0o600);
    assert!(!data.join("master.key").exists());
    installation.ok(&["restore", backup]);

    fs::remove_file(data.join("master.key")).unwrap();
    let lost = installation.run(&["doctor"]);
    assert_eq!(lost.code, Some(1), "{lost:?}");
    assert!(lost.stdout.contains("FAIL  master key: there is no"), "{lost:?}");
    assert!(!data.join("master.key").exists());
}

#[test]
fn postgres_and_s3_are_tried_as_well() {
    let database = PostgresDatabase::new();
    let installation = Installation::new()
        .with("FIRMEZA_DATABASE_URL", database.url())
        .on_s3(format!("{}/doctor", given("FIRMEZA_TEST_S3_URL")));
    let said = installation.ok(&["doctor"]);
    assert!(said.contains("ok    database: PostgreSQL"), "{said}");
    assert!(said.contains("ok    documents: s3://"), "{said}");

    let wrong = installation
        .with("AWS_SECRET_ACCESS_KEY", "wrong")
        .run(&["doctor"]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.stdout.contains("FAIL  documents"), "{wrong:?}");
    assert!(
        wrong
            .stdout
            .contains("check FIRMEZA_BLOBS_URL and the AWS_ variables"),
        "{wrong:?}"
    );
    assert!(wrong.stdout.contains("ok    database"), "{wrong:?}");
}

#[test]
fn the_mail_server_and_the_sms_gateway_are_tried() {
    let mail = MailServer::start().unwrap();
    let gateway = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let sms = format!("http://{}/send", gateway.local_addr().unwrap());
    let installation = Installation::new()
        .with("FIRMEZA_SMTP_URL", mail.url())
        .with("SSL_CERT_FILE", mail.authority())
        .with("FIRMEZA_SMS_URL", sms);
    let said = installation.ok(&["doctor"]);
    assert!(
        said.contains("ok    mail server: localhost answers with TLS, authenticated"),
        "{said}"
    );
    assert!(said.contains("ok    SMS gateway: 127.0.0.1 answers"), "{said}");
    assert!(!said.contains("unencrypted"), "{said}");
    drop(gateway);

    let wrong = installation
        .with("FIRMEZA_SMTP_URL", mail.url().replace("p%40ss", "otra"))
        .run(&["doctor"]);
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(
        wrong.stdout.contains("FAIL  mail server: authentication"),
        "{wrong:?}"
    );
    assert!(wrong.stdout.contains("FAIL  SMS gateway"), "{wrong:?}");
    assert!(!wrong.stdout.contains("otra"), "{wrong:?}");
}

#[test]
fn production_without_a_way_for_text_messages_is_warned() {
    let mail = MailServer::start().unwrap();
    let installation = Installation::new()
        .with("FIRMEZA_ENVIRONMENT", "production")
        .with("FIRMEZA_BASE_URL", "https://firma.example.com")
        .with("FIRMEZA_MASTER_KEY", "0123456789abcdef".repeat(4))
        .with("FIRMEZA_SMTP_URL", mail.url())
        .with("SSL_CERT_FILE", mail.authority());
    let said = installation.ok(&["doctor"]);
    assert!(
        said.contains(
            "warn  SMS gateway: no text message can leave: folios with signatureType 2 cannot be signed"
        ),
        "{said}"
    );
    let elsewhere = installation.with("FIRMEZA_SEND_MESSAGES", "false");
    let said = elsewhere.ok(&["doctor"]);
    assert!(!said.contains("warn  SMS gateway"), "{said}");
}

#[test]
fn what_was_not_moved_to_the_document_storage_for_long_is_told_with_the_reason() {
    let installation = Installation::new();
    let server = installation.serve();
    installation.client().created(&Order::small());
    drop(server);
    let said = installation.ok(&["doctor"]);
    assert!(
        said.contains("ok    moves to the storage: 0 finished folios wait"),
        "{said}"
    );
    let rows = rusqlite::Connection::open(installation.data().join("firmeza.sqlite")).unwrap();
    let planned = rows.execute(
        "INSERT INTO increment_moves (folio, planned_at, due_at, due_set_at, attempts, last_error)
         SELECT seq, 5, 9000000000000000000, 5, 3, 'the storage answered 503' FROM folios",
        [],
    );
    assert_eq!(planned.unwrap(), 1);
    drop(rows);
    let said = installation.run(&["doctor"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let words = "FAIL  moves to the storage: 1 finished folios wait to be moved, the first since 1970-01-01; 1 failed, \
                 the last with: the storage answered 503";
    assert!(said.stdout.contains(words), "{said:?}");
}

#[test]
fn a_directory_that_cannot_be_written_is_named() {
    let installation = Installation::new();
    // A file in its way stops root as well.
    let file = installation.directory().join("file");
    fs::write(&file, "").unwrap();
    let said = installation
        .with("FIRMEZA_DATA_DIR", file.join("data"))
        .run(&["doctor"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("FAIL  data directory"), "{said:?}");
    assert!(said.stdout.contains("set FIRMEZA_DATA_DIR"), "{said:?}");
}

#[test]
fn a_database_that_cannot_be_reached_is_named_and_the_rest_is_tried() {
    let port = parts::free_port().unwrap();
    let nowhere = format!("postgres://firmeza:secret-word@127.0.0.1:{port}/firmeza");
    let installation = Installation::new().with("FIRMEZA_DATABASE_URL", nowhere);
    let said = installation.run(&["doctor"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("FAIL  database"), "{said:?}");
    assert!(said.stdout.contains("check FIRMEZA_DATABASE_URL"), "{said:?}");
    assert!(said.stdout.contains("ok    documents"), "{said:?}");
    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    for text in [said.stdout, said.stderr, refused.stderr] {
        assert!(!text.contains("secret-word"), "{text}");
    }
}

#[test]
fn another_authoritys_timestamps_and_clock_are_tried() {
    let files = tempfile::tempdir().unwrap();
    let with = |address: &str, root: &[u8]| {
        let file = files.path().join("root.der");
        std::fs::write(&file, root).unwrap();
        Installation::new()
            .with("FIRMEZA_TSA_URL", address)
            .with("FIRMEZA_TSA_ROOTS", file.display().to_string())
    };
    let (address, root) = time_stamping(0);
    let said = with(&address, &root).ok(&["doctor"]);
    assert!(said.contains("ok    timestamps: the authority answers"), "{said}");
    let alone = Installation::new()
        .with("FIRMEZA_TSA_URL", address.as_str())
        .run(&["doctor"]);
    assert!(
        !alone.success && alone.stderr.contains("FIRMEZA_TSA_ROOTS"),
        "{alone:?}"
    );
    let (late, its_root) = time_stamping(300);
    let nowhere = format!("http://127.0.0.1:{}/", parts::free_port().unwrap());
    for (address, root, why) in [
        (&late, &its_root, "seconds from the time-stamping authority's"),
        (&nowhere, &root, "timestamps: "),
        // An attacker between the two can respond, but cannot sign with the authority's key.
        (&address, &its_root, "timestamps: "),
    ] {
        let said = with(address, root).run(&["doctor"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        assert!(said.stdout.contains("FAIL  timestamps: "), "{said:?}");
        assert!(said.stdout.contains(why), "{said:?}");
        assert!(said.stdout.contains("check FIRMEZA_TSA_URL"), "{said:?}");
    }
}

#[test]
fn each_of_several_timestamp_authorities_is_tried() {
    let files = tempfile::tempdir().unwrap();
    let ((first, first_root), (second, second_root)) = (time_stamping(0), time_stamping(0));
    let [first_root, second_root] = [("first", first_root), ("second", second_root)].map(|(name, root)| {
        let file = files.path().join(name);
        std::fs::write(&file, root).unwrap();
        file.display().to_string()
    });
    let with = |roots: String| {
        Installation::new()
            .with("FIRMEZA_TSA_URL", format!("{first}, {second}"))
            .with("FIRMEZA_TSA_ROOTS", roots)
    };
    let each = with(format!("{first_root},{second_root}"));
    let said = each.ok(&["doctor"]);
    assert!(
        said.contains("ok    timestamps: all 2 authorities answer"),
        "{said}"
    );
    // The first one's answer is good; the roots of the second are another's.
    let mixed = with(format!("{first_root},{first_root}")).run(&["doctor"]);
    assert!(
        mixed.stdout.contains("FAIL  timestamps: 127.0.0.1: "),
        "{mixed:?}"
    );
    let no_certificate = each.with("FIRMEZA_TSA_CLIENT_CERTIFICATES", format!("-,{first_root}"));
    let said = no_certificate.run(&["doctor"]);
    assert!(
        said.stdout.contains("FIRMEZA_TSA_CLIENT_CERTIFICATES") && said.stdout.contains("no certificate"),
        "{said:?}"
    );
}

#[test]
fn a_proxy_that_is_not_trusted_is_reported() {
    let installation = Installation::new();
    let server = installation.serve();
    let pass_on = |client: &str| {
        let request = Request::get("/health").with("x-forwarded-for", client);
        let answer = Connection::open(installation.port).unwrap().send(&request);
        assert_eq!(answer.unwrap().status, 200);
    };
    assert!(!installation.ok(&["doctor"]).contains("FIRMEZA_TRUSTED_PROXIES"));
    for client in ["9.9.9.1", "9.9.9.2", "9.9.9.3"] {
        pass_on(client);
    }
    wait_for("doctor to know", || {
        let said = installation.ok(&["doctor"]);
        said.contains("warn  proxy: requests came through 127.0.0.1")
            && said.contains("name it in FIRMEZA_TRUSTED_PROXIES")
    });
    let logged = server.logged();
    assert_eq!(logged.matches("passes requests on").count(), 1, "{logged}");
    drop(server);

    let trusting = installation.with("FIRMEZA_TRUSTED_PROXIES", "127.0.0.1");
    assert!(!trusting.ok(&["doctor"]).contains("warn  proxy"));
    let _server = trusting.serve();
    let untrusting = trusting.with("FIRMEZA_TRUSTED_PROXIES", "");
    let said = untrusting.ok(&["doctor"]);
    assert!(!said.contains("warn  proxy"), "a start begins anew: {said}");
}

#[test]
fn an_authority_that_was_founded_by_a_wrong_clock_is_told() {
    let key = "1a".repeat(32);
    let day = Duration::from_hours(24);
    let now = Clock::System.now();
    for wrong in [now.after(2 * day), now.before(2000 * day)] {
        let installation = Installation::new().with("FIRMEZA_MASTER_KEY", &key);
        installation.ok(&["migrate"]);
        let master = MasterKey::from_hex(&key).unwrap();
        block_on(async {
            let (store, master) = open_store(&installation.sqlite(), master).unwrap();
            let settings = NotarySettings {
                base_url: "http://127.0.0.1".parse().unwrap(),
                timezone: jiff::tz::TimeZone::UTC,
                time_stamping: Vec::new(),
                trusted: pki::trusted_list::TrustedList::default(),
                token: None,
                certifying: None,
                issuing: None,
                sandbox: true,
            };
            let clock = Clock::manual(wrong);
            let founded = Notary::open(&store, &master, &clock, settings);
            founded.await.unwrap();
        });
        let said = installation.run(&["doctor"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        let words = "FAIL  founding of the authority: the certificate of the root";
        assert!(said.stdout.contains(words), "{said:?}");
    }
}
