//! Rotation of keys: documents signed before and after stay valid, and sealed values can be opened.

use crate::test_folio::test_folio;
use app::operator::master_key::{OldLinks, RotationError, rotate_master_key, seal_anew};
use app::panel::totp;
use app::shared::secrets::{ACCOUNT_EMAIL_PURPOSE, OUTBOX_SECRETS_USAGE};
use app::{MasterKey, Notary, Sealer};
use domain::Role;
use pades::verify::{Policy, SignatureKind, Verdict, verify};
use std::time::Duration;
use store::SealedColumn;
use testkit::{PASSWORD, TestApp, folio, master_key, signers, until, validate};

#[tokio::test]
async fn a_document_signed_before_and_after_a_rotation_is_valid() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio().signers(&signers(2))).await;
    test_folio.sign(0).await;
    let inner = app.app();
    let before = inner.notary.certificates();
    let base_url = inner.notary.base_url().parse().unwrap();
    Notary::rotate(&inner.store, &master_key(), &inner.clock, None, &base_url)
        .await
        .unwrap();
    inner.notary.refresh(&inner.store).await.unwrap();
    let after = inner.notary.certificates();
    assert_eq!(before[0].1, after[0].1, "the root stays");
    assert!((1..4).all(|place| before[place].1 != after[place].1));
    test_folio.sign(1).await;
    assert_eq!(inner.extend_due().await.unwrap(), 1);
    let document = company.document_of(&test_folio.folio.to_string()).await;
    let file = company.download(&document).await.body;
    let judged = validate(&file, inner.notary.root().as_der());
    assert_eq!(
        judged.pyhanko, ["valid"; 5],
        "the service, two signers, two timestamps"
    );
    // The operator has it extended again, years before it is due.
    let (folio, now) = (test_folio.folio, inner.clock.now());
    assert_eq!(inner.extend_due().await.unwrap(), 0);
    let hastened = inner.store.write(move |tx| tx.hasten_extensions(&[folio], now));
    assert_eq!(hastened.await.unwrap(), [folio]);
    assert_eq!(inner.extend_due().await.unwrap(), 1);
    let left = inner.store.read(move |tx| tx.unextended(&[folio], now)).await;
    assert_eq!(left.unwrap(), []);
    let file = company.download(&document).await.body;
    let judged = validate(&file, inner.notary.root().as_der());
    assert_eq!(judged.pyhanko, ["valid"; 7], "and two timestamps more");
    assert_eq!(inner.notary.revocation_lists(inner.clock.now()).unwrap().len(), 3);
}

#[tokio::test]
async fn signers_sign_until_their_issuer_ends() {
    let app = TestApp::start().await;
    app.advance(Duration::from_hours(8_766 * 21));
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio().signers(&signers(1))).await;
    test_folio.sign(0).await;
    let document = company.document_of(&test_folio.folio.to_string()).await;
    let file = company.download(&document).await.body;
    let inner = app.app();
    let roots = [inner.notary.root().clone()];
    let now = jiff::Timestamp::from_microsecond(inner.clock.now().as_micros()).unwrap();
    let report = verify(&file, &Policy::new(&roots, now));
    let mut signatures = report.signatures.iter();
    let signer = signatures
        .find(|one| one.kind == SignatureKind::Approval)
        .unwrap();
    assert_eq!(signer.verdict, Verdict::Valid, "{report:?}");
    let certificate = signer.certificate.as_ref().unwrap();
    let (_, issuer) = &inner.notary.certificates()[1];
    assert_eq!(certificate.not_after(), issuer.not_after());
}

/// Everything that is sealed, opened with the keys of a master key; what does not open is missing.
async fn opened(app: &TestApp, master: &MasterKey) -> Vec<(SealedColumn, usize)> {
    let mut found = Vec::new();
    for (kind, usage, purpose) in [
        (SealedColumn::Outbox, OUTBOX_SECRETS_USAGE, "code"),
        (
            SealedColumn::AccountEmails,
            OUTBOX_SECRETS_USAGE,
            ACCOUNT_EMAIL_PURPOSE,
        ),
        (SealedColumn::Totp, "panel secrets", "second factor"),
        (SealedColumn::Webhooks, "webhook secrets", "webhook"),
        (SealedColumn::PreviousWebhooks, "webhook secrets", "webhook"),
    ] {
        let sealer = Sealer::new(master, usage);
        let rows = app
            .app()
            .store
            .write(move |tx| tx.sealed_values(kind, store::SealedRow::ZERO, 100))
            .await
            .unwrap();
        let open = rows
            .iter()
            .filter(|(_, sealed)| sealer.open(purpose, sealed).is_some());
        found.push((kind, open.count()));
    }
    found
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

#[tokio::test]
async fn everything_sealed_is_sealed_anew_under_another_master_key() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let inner = app.app();
    // A code in the outbox, an account email, a second factor, a webhook with two secrets.
    let test_folio = test_folio(&company, &app, folio().signers(&signers(1))).await;
    test_folio.send(0).await.unwrap();
    let luisa = company.signed_in("luisa@example.com", Role::Administrator).await;
    let page = luisa.get("/panel/account/second-factor").await.text();
    let secret = between(&page, "<code class=\"secret\">", "</code>").replace(' ', "");
    let secret = data_encoding::BASE32_NOPAD.decode(secret.as_bytes()).unwrap();
    let token = between(&page, "name=\"secret\" value=\"", "\"");
    let code = totp::code(&secret, inner.clock.now().as_micros() / 30_000_000);
    let fields = [("secret", token), ("code", code.as_str()), ("password", PASSWORD)];
    let enrolled = luisa.post("/panel/account/second-factor", &fields).await;
    assert_eq!(enrolled.status, 200, "{}", enrolled.text());
    company.panel_user("omar@example.com", Role::Reader).await;
    let forgotten = [("email", "omar@example.com")];
    luisa.post_bare("/panel/forgotten", &forgotten).await;
    let address = "https://example.com/".parse().unwrap();
    let added = inner
        .add_webhook(company.id, address, String::new(), domain::WantedKinds::All)
        .await;
    let (webhook, _) = added.unwrap().unwrap();
    inner.rotate_webhook_secret(company.id, webhook).await.unwrap();
    let (old, new) = (master_key(), MasterKey::from_hex(&"6b".repeat(32)).unwrap());
    let before = until("an account email to wait", async || {
        let found = opened(&app, &old).await;
        found.iter().all(|(_, count)| *count > 0).then_some(found)
    })
    .await;
    assert!(opened(&app, &new).await.iter().all(|(_, count)| *count == 0));

    let (database, from, to, now) = (
        app.database().clone(),
        old.clone(),
        new.clone(),
        inner.clock.now(),
    );
    let ours = (database.clone(), old.clone(), new.clone());
    let refused = tokio::task::spawn_blocking(move || {
        rotate_master_key(&ours.0, &ours.1, &ours.2, OldLinks::Open, now)
    });
    let refused = refused.await.unwrap();
    assert!(matches!(refused, Err(RotationError::Running(1))), "{refused:?}");
    let rotate = move |from: &MasterKey, to: &MasterKey| {
        database.write_dedicated(|tx| seal_anew(tx, from, to, OldLinks::Open, now))
    };
    let again = rotate.clone();
    let sealed = tokio::task::spawn_blocking(move || rotate(&from, &to))
        .await
        .unwrap();
    let secrets: usize = before.iter().map(|(_, count)| *count).sum();
    assert_eq!(sealed.unwrap(), secrets + 4, "and the authority's four keys");
    assert_eq!(opened(&app, &new).await, before);
    assert!(opened(&app, &old).await.iter().all(|(_, count)| *count == 0));

    // The old key rotates nothing any more, and leaves everything as it is.
    let from = old.clone();
    let to = MasterKey::from_hex(&"7c".repeat(32)).unwrap();
    let refused = tokio::task::spawn_blocking(move || again(&from, &to))
        .await
        .unwrap();
    assert!(refused.is_err());
    assert_eq!(opened(&app, &new).await, before);
    let recalled = new.clone().with_kept_keys(&inner.store).await.unwrap();
    for purpose in [
        "folio links",
        "signer links",
        "bulk links",
        "panel recovery codes",
        "history",
    ] {
        assert_eq!(recalled.derive(purpose), old.derive(purpose), "{purpose}");
        assert_ne!(new.derive(purpose), old.derive(purpose), "{purpose}");
    }
    assert_ne!(recalled.derive("sessions"), old.derive("sessions"));
    assert!(old.with_kept_keys(&inner.store).await.is_err());
}

#[tokio::test]
async fn two_installations_with_one_master_key_share_no_secret() {
    let (app, other) = (TestApp::start().await, TestApp::start().await);
    let (company, there) = (app.company("Acme").await, other.company("Acme").await);
    let id = there.created(folio()).await;
    assert_ne!(
        app.app().notary.root().as_der(),
        other.app().notary.root().as_der(),
        "each has its own authority"
    );
    assert_eq!(there.read(&id).await.status, 200);
    assert_eq!(company.at(&other).read(&id).await.status, 403);
    let luisa = company.signed_in("luisa@example.com", Role::Administrator).await;
    there.panel_user("luisa@example.com", Role::Administrator).await;
    let cookie = format!("__Host-firmeza_panel={}", luisa.cookie("firmeza_panel").unwrap());
    for (app, status) in [(&app, 200), (&other, 303)] {
        let browser = testkit::PanelBrowser::new(app, "luisa@example.com");
        let request = browser.request(reqwest::Method::GET, "/panel/users");
        let answer = browser.send(request.header("cookie", &cookie)).await;
        assert_eq!(answer.status, status);
    }
    let mut secrets = Vec::new();
    for company in [&company, &there] {
        let (inner, address) = (company.app().app(), "https://example.com/".parse().unwrap());
        let added = inner
            .add_webhook(company.id, address, String::new(), domain::WantedKinds::All)
            .await;
        let (_, secret) = added.unwrap().unwrap();
        secrets.push(secret.reveal().to_owned());
    }
    assert_ne!(secrets[0], secrets[1]);
}
