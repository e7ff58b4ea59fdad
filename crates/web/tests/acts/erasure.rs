//! Erased folios: nothing of a person is left, the history still verifies, and legal hold wins.

use crate::test_folio::{TestFolio, test_folio};
use app::evidence::{Fault, check};
use app::operator::backup::prune;
use app::operator::integrity::check_integrity;
use app::signing::sign::{Attempt, Signed};
use app::{Caller, Clock, Error, IdempotencyKey, SigningParty};
use domain::Role::Administrator;
use domain::{
    Channel, Code, FolioState, Language, Observation, PicturePolicy, Refusal, SignaturePicture, SignerIndex,
    WebhookKind,
};
use parts::Postgres;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use store::{ErasureDays, StoredResponse};
use testkit::{
    Company, Form, PanelBrowser, Receiver, TestApp, attempt, correction, folio, pdf, signers, until,
};

const DAY: Duration = Duration::from_hours(24);
const WORDS: &str = "Lo que Zoraida firma y nadie más lee";
const FIRST_EMAIL: &str = "zoraida.vieja@quintanilla.example.com";
const EMAIL: &str = "zoraida@quintanilla.example.com";

/// What shows that something of the person is left, however it is written.
const NEEDLES: [&str; 12] = [
    "Zoraida",
    "zoraida",
    "ZORAIDA",
    "Quintanilla",
    "quintanilla",
    "79543210",
    "79.543.210",
    "3157654321",
    "3109876543",
    "203.0.113.7",
    "herencia",
    WORDS,
];

fn zoraida(email: &str) -> Value {
    json!({
        "name": "Zoraida Quintanilla", "email": email, "documentType": "CC",
        "documentNumber": "79.543.210", "cellPhoneNumber": "3157654321",
    })
}

fn reason() -> Observation {
    Observation::new("La titular pidió la supresión.").unwrap()
}

async fn administrator(company: &Company<'_>) -> Caller {
    let person = company.signed_in("luisa@example.com", Administrator).await;
    let token = person.cookie("firmeza_panel").unwrap();
    let signed_in = company.app().app().panel_session(&token).await;
    signed_in.unwrap().unwrap().caller([198, 51, 100, 4].into())
}

/// A folio that was created, corrected, opened by a code, signed, downloaded, and told of to a webhook.
async fn signed_folio<'a>(company: &Company<'a>, app: &'a TestApp) -> TestFolio<'a> {
    let fields = folio()
        .signers(&json!([zoraida(FIRST_EMAIL)]))
        .with("folioName", "La herencia de Zoraida 79.543.210")
        .with("folioMessage", "Zoraida: revise la herencia, por favor.")
        .with("urlReturn", "https://herencia.example.com/79543210")
        .documents([("zoraida.pdf", pdf::saying(WORDS))]);
    let created = test_folio(&company.once("llave-crear"), app, fields).await;
    let id = created.folio.to_string();
    let resent = company
        .once("llave-reenviar")
        .resend(&id, &[correction("79.543.210", EMAIL, "3109876543")])
        .await;
    assert_eq!(resent.status, 200, "{}", resent.text());
    let bulk = company
        .once("llave-masiva")
        .start_bulk([&id], &zoraida(EMAIL))
        .await;
    assert_eq!(bulk.status, 200, "{}", bulk.text());
    created.send(0).await.unwrap();
    let code = code_in_mail(app).await;
    let signed = app
        .sign_as(created.party(0), attempt(Channel::Email, code))
        .await
        .unwrap();
    assert!(matches!(signed, Signed::Done(_)), "{signed:?}");
    let read = company.once("llave-leer").read_several(&[&id]).await;
    assert!(read.text().contains("Zoraida"), "{}", read.text());
    created
}

/// The six digits of the code that was mailed.
async fn code_in_mail(app: &TestApp) -> Code {
    let mail = app.mail_to(EMAIL, "Escriba este código").await;
    let words = mail.text.split(|c: char| !c.is_ascii_digit());
    let digits = words.filter(|word| word.len() == 6).collect::<Vec<_>>();
    Code::typed(digits.first().unwrap_or_else(|| panic!("{}", mail.text))).unwrap()
}

/// A webhook that gets everything, added in the panel.
async fn add_webhook(person: &PanelBrowser<'_>, receiver: &Receiver) {
    let address = receiver.url();
    let kinds = WebhookKind::ALL.into_iter().map(|kind| ("kind", kind.word()));
    let fields: Vec<_> = kinds
        .chain([("address", address.as_str()), ("label", "ERP")])
        .collect();
    let added = person.post("/panel/webhooks", &fields).await;
    assert!(added.status < 400, "{}", added.text());
}

/// Keeps a form that is not sent: a folio's name, and its signer's name and number.
async fn keep_form(person: &PanelBrowser<'_>, [name, signer, number]: [&str; 3]) {
    let mut form = Form::new().text("csrf", person.csrf().await).text("do", "save");
    for (field, value) in [
        ("name", name),
        ("message", ""),
        ("name0", signer),
        ("kind0", "CC"),
        ("number0", number),
        ("email0", ""),
        ("mobile0", ""),
        ("signatureType", "1"),
    ] {
        form = form.text(field, value.as_bytes());
    }
    let kept = person.post_form("/panel/folios/new", form).await;
    assert_eq!(kept.status, 303, "{}", kept.text());
}

async fn settled(app: &TestApp) {
    until("messages and webhooks are settled", async || {
        app.app().project_changes().await.unwrap();
        let waits = app
            .rows_of("outbox")
            .await
            .iter()
            .any(|row| row.contains("waiting"))
            || app
                .rows_of("webhook_deliveries")
                .await
                .iter()
                .any(|row| row.contains("waiting"));
        (!waits).then_some(())
    })
    .await;
}

/// The tables in which something of the person is.
async fn tables_with_the_person(app: &TestApp) -> Vec<String> {
    let mut found = Vec::new();
    for table in app.tables().await {
        let rows = app.rows_of(&table).await;
        for needle in NEEDLES {
            let hex = data_encoding::HEXLOWER.encode(needle.as_bytes());
            if rows.iter().any(|row| row.contains(needle) || row.contains(&hex)) {
                found.push(format!("{table}: {needle}"));
            }
        }
    }
    found
}

/// The files below a directory in which something of the person is.
fn files_with_the_person(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(directory) else {
        assert!(!directory.exists(), "{}", directory.display());
        return found;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with_the_person(&path));
            continue;
        }
        // A server removes files of its own while they are looked through.
        let Ok(bytes) = std::fs::read(&path) else {
            assert!(!path.exists(), "{}", path.display());
            continue;
        };
        for needle in NEEDLES {
            if bytes.windows(needle.len()).any(|part| part == needle.as_bytes()) {
                found.push(format!("{}: {needle}", path.display()));
            }
        }
    }
    found
}

/// The time by the clock that dates backups and their files.
fn now_for_backups() -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(Clock::System.now().as_micros()).unwrap()
}

async fn assert_whole(app: &TestApp) {
    let inner = app.app();
    let checked = check_integrity(app.database(), &inner.store, &inner.blobs, None).await;
    assert_eq!(checked.unwrap().messages, [""; 0]);
}

/// Checks the file, and returns for each value that it lacks whether that was erased.
fn assert_verifies(evidence: &str, now: domain::Timestamp) -> Vec<bool> {
    let checked = check(evidence.as_bytes(), None, &[], now);
    // The signers of these tests agree to a text that does not exist.
    let expected = |fault: &Fault| matches!(fault, Fault::ConsentMissing(_));
    assert!(checked.faults.iter().all(expected), "{:?}", checked.faults);
    checked.withheld.iter().map(|value| value.erased).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "one story, and one person")]
async fn nothing_of_a_person_is_left_and_the_history_still_verifies() {
    let app = TestApp::builder().delivering().with_webhooks().start().await;
    let receiver = Receiver::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    add_webhook(&admin, &receiver).await;
    let here = signed_folio(&acme, &app).await;
    let id = here.folio.to_string();
    settled(&app).await;
    app.app().extend_due().await.unwrap();
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    let evidence = acme.evidence(&id).await.text();
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.status, 200);
    let found = tables_with_the_person(&app).await;
    for table in [
        "signers",
        "folios",
        "documents",
        "events",
        "outbox",
        "bulks",
        "idempotency_keys",
        "search_index",
        "webhook_deliveries",
        "mailbox",
    ] {
        assert!(
            found.iter().any(|place| place.starts_with(table)),
            "{table} has something to erase: {found:?}"
        );
    }

    // What the panel keeps: drafts, one of which became a template, a file of people, searches.
    keep_form(&admin, ["Borrador para zoraida@quintanilla.example.com", "", ""]).await;
    let template = admin.template("Arriendo", pdf::saying("plantilla")).await;
    let file = "Arrendatario: nombre,Arrendatario: número de documento,Arrendatario: correo,Arrendatario: celular,\
                Codeudor: nombre,Codeudor: número de documento,Codeudor: correo,Codeudor: celular\n\
                Zoraida Quintanilla,79.543.210,zoraida@quintanilla.example.com,3157654321,Otra,5,otra@example.com,3001112233\n";
    let checked = admin
        .upload(&format!("{template}/import"), "people", file.as_bytes())
        .await;
    assert_eq!(checked.status, 303, "{}", checked.text());
    for (query, name) in [
        ("q=79543210", "Un caso"),
        ("state=signed", "Lo de Zoraida"),
        ("q=contrato", "Contratos"),
    ] {
        let saved = admin
            .post(&format!("/panel/folios/searches?{query}"), &[("name", name)])
            .await;
        assert_eq!(saved.status, 303, "{}", saved.text());
    }
    assert_eq!(admin.post(&format!("{template}/delete"), &[]).await.status, 303);
    let exported = admin
        .post("/panel/people/export", &[("number", "79543210")])
        .await
        .body;
    for text in [
        "\"usuario\": \"luisa@example.com\"",
        "\"mobile\": \"3157654321\"",
        "\"consulta\": \"q=79543210\"",
        "\"nombre\": \"Lo de Zoraida\"",
        "Borrador para zoraida@quintanilla.example.com",
    ] {
        let bytes = text.as_bytes();
        assert!(exported.windows(bytes.len()).any(|part| part == bytes), "{text}");
    }
    for text in ["otra@example.com", "Contratos"] {
        let bytes = text.as_bytes();
        assert!(!exported.windows(bytes.len()).any(|part| part == bytes), "{text}");
    }

    let old_backup = tempfile::tempdir().unwrap();
    assert_eq!(app.back_up(old_backup.path()).await.faults.count, 0);

    let page = format!("/panel/folios/{id}/erase");
    let why = admin.post(&page, &[("reason", "corto")]).await;
    assert_eq!(why.status, 422);
    let erased = admin.post(&page, &[("reason", reason().as_str())]).await;
    assert_eq!(erased.status, 303, "{}", erased.text());
    settled(&app).await;

    assert_eq!(app.rows_of("saved_searches").await.len(), 1);
    assert_eq!(app.rows_of("outbox").await, [""; 0]);
    assert_eq!(tables_with_the_person(&app).await, [""; 0]);
    assert_whole(&app).await;
    let read = acme.read(&id).await;
    assert_eq!(
        (read.status, read.at("/data/folioData/stateName").as_str()),
        (200, "FIRMADO")
    );
    assert_eq!(read.at("/data/folioData/flag_drop"), "1");
    assert_eq!(acme.download(&document).await.status, 404);
    let shown = admin.get(&format!("/panel/folios/{id}")).await.text();
    assert!(
        shown.contains("luisa@example.com") && shown.contains(reason().as_str()),
        "{shown}"
    );
    assert_eq!(admin.get(&page).await.status, 409);

    // What was handed out before, and what is handed out now.
    let now = app.app().clock.now();
    assert!(assert_verifies(&evidence, now).is_empty());
    let after = acme.evidence(&id).await.text();
    let withheld = assert_verifies(&after, now);
    assert!(!withheld.is_empty() && withheld.iter().all(|erased| *erased));

    // The document's bytes, and a new backup.
    app.advance_past_storage(DAY * 2);
    app.app().sweep_blobs().await.unwrap();
    // As if two hours had passed by the database's clock.
    app.tamper("UPDATE orphaned_blobs SET orphaned_at = orphaned_at - 7200000000")
        .await;
    assert_eq!(
        app.app().sweep_blobs().await.unwrap().removed,
        3,
        "what was appended and the draft had one too"
    );
    assert_eq!(app.stored_objects().await.len(), 0);
    let backup = tempfile::tempdir().unwrap();
    assert_eq!(app.back_up(backup.path()).await.faults.count, 0);
    assert_eq!(files_with_the_person(backup.path()), [""; 0]);

    // A backup from before keeps the document, also under newer rows, until it is pruned.
    let between = now_for_backups();
    assert_eq!(app.back_up(old_backup.path()).await.faults.count, 0);
    assert!(!files_with_the_person(old_backup.path()).is_empty());
    let pruned = prune(old_backup.path(), between).await.unwrap();
    assert_eq!((pruned.backups, pruned.documents), (0, 2));
    assert_eq!(files_with_the_person(old_backup.path()), [""; 0]);
    let pruned = prune(old_backup.path(), now_for_backups()).await.unwrap();
    assert_eq!((pruned.backups, pruned.documents), (1, 0));
    assert!(!old_backup.path().exists());

    // The files of the database.
    until("the log of the database is empty", async || {
        app.app().compact(app.database()).await.unwrap().then_some(())
    })
    .await;
    if let store::Settings::Sqlite(file) = app.database() {
        assert_eq!(files_with_the_person(file.parent().unwrap()), [""; 0]);
    }
    assert_eq!(tables_with_the_person(&app).await, [""; 0]);
}

/// How many drafts there are, and the saved searches.
async fn unsent(app: &TestApp) -> (usize, Vec<String>) {
    let searches = app.rows_of("saved_searches").await;
    (app.rows_of("folio_drafts").await.len(), searches)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_mentions_another_person_or_one_with_another_folio_is_kept() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let mut folios = Vec::new();
    for _ in 0..2 {
        let one = folio().signers(&json!([zoraida(EMAIL)]));
        folios.push(acme.created_in(FolioState::Cancelled, one).await);
    }
    let other = folio().signers(&json!([{
        "name": "Zoraida Herrera", "email": "herrera@example.com", "documentType": "CC",
        "documentNumber": "52111222", "cellPhoneNumber": "3001112233",
    }]));
    acme.created(other).await;
    while app.app().project_changes().await.unwrap() > 0 {}
    keep_form(&admin, ["Arriendo", "Zoraida Quintanilla", ""]).await;
    keep_form(&admin, ["Arriendo", "Zoraida Quintanilla", "1020304050"]).await;
    keep_form(&admin, ["Arriendo", "Zoraida Herrera", "52111222"]).await;
    for (query, name) in [
        ("q=zoraida+quintanilla+arriendo", "Todo"),
        ("q=quintanilla", "Apellido"),
        ("q=zoraida", "Nombre"),
        ("q=quintanilla+mendoza", "Otra familia"),
    ] {
        let path = format!("/panel/folios/searches?{query}");
        let saved = admin.post(&path, &[("name", name)]).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
    }
    let erase = async |id: &String| {
        let page = format!("/panel/folios/{id}/erase");
        let erased = admin.post(&page, &[("reason", reason().as_str())]).await;
        assert_eq!(erased.status, 303, "{}", erased.text());
    };

    erase(&folios[0]).await;
    let (drafts, searches) = unsent(&app).await;
    assert_eq!((drafts, searches.len()), (3, 4), "she has another folio");
    erase(&folios[1]).await;
    let (drafts, searches) = unsent(&app).await;
    let searches = searches.join("\n");
    assert_eq!(drafts, 2, "her namesake has another number");
    assert!(
        !searches.contains("Todo") && !searches.contains("Apellido"),
        "{searches}"
    );
    assert!(searches.contains("Nombre"), "another has it: {searches}");
    assert!(searches.contains("Otra familia"), "one word of hers: {searches}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_person_is_left_in_the_files_and_the_log_of_a_database_server() {
    let server = tokio::task::spawn_blocking(|| {
        let server = Postgres::start().unwrap();
        // Files of the log that are no longer needed are removed and not used again, as the document for operators says.
        server.set("wal_recycle", "off").unwrap();
        server
    });
    let server = server.await.unwrap();
    let database = server.create_database("firmeza").unwrap();
    let app = TestApp::builder().database(database).delivering().start().await;
    // Nothing is compressed, so that all of it is found.
    app.tamper(
        "DO $$ DECLARE one record; BEGIN
             FOR one IN SELECT table_name, column_name FROM information_schema.columns
                 WHERE table_schema = 'public' AND data_type IN ('text', 'bytea') LOOP
                 EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STORAGE EXTERNAL', one.table_name, one.column_name);
             END LOOP;
         END $$",
    )
    .await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    acme.created(folio()).await;
    let id = signed_folio(&acme, &app).await.folio.to_string();
    settled(&app).await;
    app.app().extend_due().await.unwrap();
    let draft = ["La herencia", "Zoraida Quintanilla", "79.543.210"];
    keep_form(&admin, draft).await;
    // The server's statistics hold samples of the values.
    app.tamper("ANALYZE").await;
    let recycled = || {
        server
            .query("SELECT pg_switch_wal()")
            .and(server.query("CHECKPOINT"))
    };
    recycled().unwrap();
    assert_ne!(files_with_the_person(server.directory()), [""; 0]);

    let erased = admin
        .post(
            &format!("/panel/folios/{id}/erase"),
            &[("reason", reason().as_str())],
        )
        .await;
    assert_eq!(erased.status, 303, "{}", erased.text());
    assert_eq!(app.rows_of("folio_drafts").await.len(), 0);
    settled(&app).await;
    // A transaction that was older than the erasure may have kept something: the command is run again.
    let mut left = Vec::new();
    for _ in 0..3 {
        assert!(app.app().compact(app.database()).await.unwrap());
        recycled().unwrap();
        left = files_with_the_person(server.directory());
        if left.is_empty() {
            break;
        }
    }
    assert_eq!(left, [""; 0]);
}

#[tokio::test]
async fn a_response_that_was_read_before_an_erasure_is_not_kept_after_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let caller = administrator(&acme).await;
    let id = acme
        .created_in(FolioState::Cancelled, folio())
        .await
        .parse()
        .unwrap();
    let response = StoredResponse {
        status: 200,
        body: format!("{{\"{id}\": \"Zoraida\"}}"),
    };
    let store_as = |key: &str| {
        let key = IdempotencyKey {
            key: key.to_owned(),
            fingerprint: [1; 32],
        };
        app.app().store_response(acme.id, key, response.clone(), vec![id])
    };
    let kept = async || app.rows_of("idempotency_keys").await.join("\n");
    assert_eq!(store_as("antes").await.unwrap(), response);
    assert!(kept().await.contains("Zoraida"));
    let other = acme.created(folio()).await;
    assert_eq!(acme.once("otro").read_several(&[&other]).await.status, 200);
    app.app().erase_folio(caller, id, reason()).await.unwrap();
    assert!(!kept().await.contains("Zoraida"));
    assert!(kept().await.contains(&other), "another folio's");
    assert_eq!(store_as("después").await.unwrap(), response, "it was read before");
    assert!(!kept().await.contains("Zoraida"));
}

#[tokio::test]
async fn retention_erases_by_state_and_age_and_spares_what_is_held() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let acme = app.company("Acme").await;
    let caller = administrator(&acme).await;
    let mut folios = Vec::new();
    for state in FolioState::ALL {
        folios.push((state, acme.created_in(state, folio()).await));
    }
    let held = acme.created_in(FolioState::Cancelled, folio()).await;
    app.app()
        .set_hold(caller.clone(), held.parse().unwrap(), true, reason())
        .await
        .unwrap();
    app.advance(DAY * 10);
    assert_eq!(
        app.app().erase_past_retention().await.unwrap(),
        0,
        "it is off by default"
    );
    acme.choose(|settings| {
        settings.erasure = ErasureDays {
            signed: Some(30),
            rejected: Some(5),
            cancelled: Some(5),
            pending: None,
        };
    })
    .await;
    let erased = app.app().erase_past_retention().await.unwrap();
    assert_eq!(erased, 3, "two rejected, one cancelled");
    assert_eq!(
        other.app().erase_past_retention().await.unwrap(),
        0,
        "too soon after the last"
    );
    app.advance(DAY * 30);
    assert_eq!(
        other.app().erase_past_retention().await.unwrap(),
        2,
        "signed, approved"
    );
    acme.choose(|settings| settings.erasure.pending = Some(1)).await;
    app.advance(DAY);
    assert_eq!(app.app().erase_past_retention().await.unwrap(), 1);
    app.advance(DAY);
    assert_eq!(app.app().erase_past_retention().await.unwrap(), 0);
    for (state, id) in &folios {
        let read = acme.read(id).await;
        assert_eq!(read.at("/data/folioData/flag_drop"), "1", "{state:?}");
        assert_eq!(read.at("/data/signers/0/name"), "", "{state:?}");
    }
    assert_eq!(acme.read(&held).await.at("/data/folioData/flag_drop"), "0");
    app.app()
        .set_hold(caller, held.parse().unwrap(), false, reason())
        .await
        .unwrap();
    app.advance(DAY);
    assert_eq!(app.app().erase_past_retention().await.unwrap(), 1);
    assert_whole(&app).await;
}

#[tokio::test]
async fn companies_take_turns_with_what_is_past_their_retention() {
    const BATCH: usize = 20;
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let (large, small) = (app.company("Grande").await, app.company("Pequeña").await);
    for _ in 0..=2 * BATCH {
        large.created_in(FolioState::Cancelled, folio()).await;
    }
    small.created_in(FolioState::Cancelled, folio()).await;
    for company in [&large, &small] {
        company
            .choose(|settings| settings.erasure.cancelled = Some(1))
            .await;
    }
    app.advance(DAY * 2);
    let mut erased = Vec::new();
    for instance in [&app, &other, &other, &app, &app] {
        erased.push(instance.app().erase_past_retention().await.unwrap());
        app.advance(Duration::from_secs(1));
    }
    assert_eq!(erased, [BATCH, 1, BATCH, 1, 0]);
}

/// Hold and erasure at once, at two instances: the hold either comes first and the folio stays whole, or is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_legal_hold_that_was_placed_is_never_lost_to_an_erasure() {
    const ROUNDS: usize = 200;
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let acme = app.company("Acme").await;
    let caller = administrator(&acme).await;
    let (mut held_first, mut erased_first) = (0, 0);
    for round in 0..ROUNDS {
        let id = acme.created_in(FolioState::Cancelled, folio()).await;
        let folio = id.parse().unwrap();
        let hold = app.app().set_hold(caller.clone(), folio, true, reason());
        let erase = other.app().erase_folio(caller.clone(), folio, reason());
        // At times one is over before the other begins, so that each order is seen however busy the machine is.
        let (hold, erase) = match round % 50 {
            48 => {
                let hold = hold.await;
                (hold, erase.await)
            }
            49 => {
                let erase = erase.await;
                (hold.await, erase)
            }
            _ => tokio::join!(hold, erase),
        };
        let name = acme.read(&id).await.at("/data/signers/0/name");
        match (hold, erase) {
            (Ok(()), Err(Error::Refused(Refusal::Held))) => {
                held_first += 1;
                assert_eq!(name, "María Pérez 1001");
            }
            (Err(Error::Refused(Refusal::Erased)), Ok(())) => {
                erased_first += 1;
                assert_eq!(name, "");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(
        held_first > 0 && erased_first > 0,
        "{held_first} and {erased_first}"
    );
    assert_whole(&app).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_persons_data_are_exported_and_corrected_everywhere() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let signed = signed_folio(&acme, &app).await.folio.to_string();
    let pending = folio().signers(&json!([zoraida(EMAIL), testkit::signer("1001")]));
    let pending = acme.created(pending).await;
    let party = SigningParty::Signer {
        folio: pending.parse().unwrap(),
        signer_index: SignerIndex(0),
    };
    let session = app.new_session(party).await;
    let chosen = app.app().choose_language(&session, Language::Portuguese);
    chosen.await.unwrap();
    while app.app().project_changes().await.unwrap() > 0 {}

    let person = "/panel/people?number=79543210";
    let page = admin.get(person).await.text();
    assert!(page.contains(&signed) && page.contains(&pending), "{page}");
    let exported = admin
        .post("/panel/people/export", &[("number", "79 543 210")])
        .await;
    assert_eq!(exported.header("content-type"), Some("application/zip"));
    let bundle = exported.body;
    let holds = |text: &str| bundle.windows(text.len()).any(|part| part == text.as_bytes());
    for text in [
        "LEAME.txt",
        "\"numero_de_documento\": \"79.543.210\"",
        "\"idioma_elegido\": \"pt\"",
        "\"idioma_elegido\": null",
        &format!("folios/{signed}/constancia.pdf"),
        &format!("folios/{pending}/evidencia-1.json"),
        EMAIL,
    ] {
        assert!(holds(text), "{text}");
    }
    assert!(
        !holds("maria.1001@example.com"),
        "another signer's contact is masked"
    );

    let fields = [
        ("number", "79543210"),
        ("document_number", "79543210"),
        ("name", "Zoraida Quintana"),
        ("email", "zoraida@quintana.example.com"),
        ("mobile", "3157654321"),
    ];
    let wrong = admin
        .post("/panel/people/correct", &[("number", "79543210"), ("name", "")])
        .await;
    assert_eq!(wrong.status, 422);
    let corrected = admin.post("/panel/people/correct", &fields).await;
    assert_eq!(corrected.status, 303, "{}", corrected.text());
    for id in [&signed, &pending] {
        let read = acme.read(id).await;
        assert_eq!(read.at("/data/signers/0/name"), "Zoraida Quintana");
        assert_eq!(
            read.at("/data/signers/0/documentNumber"),
            "79.543.210",
            "as it was written"
        );
        let now = app.app().clock.now();
        assert!(assert_verifies(&acme.evidence(id).await.text(), now).is_empty());
    }
    assert_whole(&app).await;
    app.mail_to(EMAIL, "Zoraida").await;
    let acts = app.rows_of("audit").await.join("\n");
    assert!(
        acts.contains("person_exported") && acts.contains("person_corrected"),
        "{acts}"
    );
    assert!(
        !acts.contains("79543210") && !acts.contains("79.543.210"),
        "{acts}"
    );
}

#[tokio::test]
async fn the_picture_of_a_signature_ends_only_searches_for_what_was_typed() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.choose(|settings| settings.picture = PicturePolicy::Optional)
        .await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    for (query, name) in [
        ("q=457", "Caso"),
        ("q=Alberto", "De nadie"),
        ("q=Pepita", "De ella"),
    ] {
        let saved = admin
            .post(&format!("/panel/folios/searches?{query}"), &[("name", name)])
            .await;
        assert_eq!(saved.status, 303, "{}", saved.text());
    }
    for (picture, left) in [
        (SignaturePicture::drawn("120,44 457,50;30,190 31,20"), 3),
        (SignaturePicture::typed("A"), 3),
        (SignaturePicture::typed("Pepita"), 2),
    ] {
        let signed = test_folio(&acme, &app, folio().signers(&signers(1))).await;
        let attempt = Attempt {
            picture: Some(picture.unwrap()),
            ..attempt(Channel::Email, signed.code(0).await)
        };
        let done = app.sign_as(signed.party(0), attempt).await;
        assert!(matches!(done, Ok(Signed::Done(_))), "{done:?}");
        while app.app().project_changes().await.unwrap() > 0 {}
        let page = format!("/panel/folios/{}/erase", signed.folio);
        let erased = admin.post(&page, &[("reason", reason().as_str())]).await;
        assert_eq!(erased.status, 303, "{}", erased.text());
        assert_eq!(app.rows_of("saved_searches").await.len(), left);
    }
}
