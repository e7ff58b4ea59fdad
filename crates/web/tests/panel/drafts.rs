//! Forms of new folios that were not sent yet: nothing typed or chosen is lost.

use domain::Role::{Administrator, Supervisor};
use domain::limits;
use std::time::Duration;
use testkit::{Form, PanelBrowser, TestApp, TestResponse, folio, pdf, signers};

type Fields = Vec<(&'static str, String)>;

/// A form with these fields and files.
async fn send(person: &PanelBrowser<'_>, fields: &Fields, files: &[(&str, Vec<u8>)]) -> TestResponse {
    let mut form = Form::new().text("csrf", person.csrf().await);
    for (name, value) in fields {
        form = form.text(name, value.as_bytes());
    }
    for (name, bytes) in files {
        form = form.file("documents", name, bytes.clone());
    }
    person.post_form("/panel/folios/new", form).await
}

fn fields(once: &str, action: &str) -> Fields {
    [
        ("once", once),
        ("name", "Contrato de arriendo"),
        ("message", "Por favor revise y firme."),
        ("name0", "Andrés Peña"),
        ("kind0", "CC"),
        ("number0", "1020304050"),
        ("email0", "andres@example.com"),
        ("mobile0", "3001234567"),
        ("signatureType", "1"),
        ("returnUrl", ""),
        ("sendEmail", "true"),
        ("do", action),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .into()
}

fn set(fields: &mut Fields, name: &str, value: &str) {
    let field = fields.iter_mut().find(|(known, _)| *known == name);
    value.clone_into(&mut field.unwrap().1);
}

/// The identifier of the form on a page.
fn once(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"once\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn files_and_fields_survive_every_error_and_all_errors_are_told_at_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = once(&person.get("/panel/folios/new").await.text());
    let mut wrong = fields(&id, "");
    set(&mut wrong, "email0", "andres");
    set(&mut wrong, "name", "");
    let files = [
        ("contrato.pdf", pdf::saying("hola")),
        ("nota.pdf", b"no PDF".to_vec()),
        ("lista.pdf", b"nothing".to_vec()),
    ];
    let answer = send(&person, &wrong, &files).await;
    assert_eq!(answer.status, 422);
    let page = answer.text();
    for text in [
        "id=\"email0-error\"",
        "id=\"name-error\"",
        "(nota.pdf)",
        "(lista.pdf)",
        "contrato.pdf",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert_eq!(once(&page), id);
    // What was fit is kept: the form is sent again without a file.
    let made = send(&person, &fields(&id, ""), &[]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let address = made.header("location").unwrap();
    assert!(address.ends_with("?done=created"), "{address}");
    let folio = address.split(['/', '?']).nth(3).unwrap();
    let document = acme.document_of(folio).await;
    assert_eq!(acme.download(&document).await.body, pdf::saying("hola"));
    let page = person.get(address).await.text();
    assert!(page.contains("/verify</dd>"), "the address is optional: {page}");
    // Sent twice, it leads to the same folio.
    let again = send(&person, &fields(&id, ""), &[]).await;
    assert_eq!(again.header("location"), Some(address));
}

#[tokio::test]
async fn signers_are_added_moved_and_removed_by_buttons() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    acme.created(folio().signers(&signers(1))).await;
    let id = once(&person.get("/panel/folios/new").await.text());
    let page = async |fields: &Fields, files: &[(&str, Vec<u8>)]| {
        let answer = send(&person, fields, files).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        person.get(answer.header("location").unwrap()).await.text()
    };
    let added = page(&fields(&id, "add"), &[("contrato.pdf", pdf::saying("hola"))]).await;
    assert!(
        added.contains("name=\"name1\"") && added.contains("contrato.pdf"),
        "{added}"
    );
    let mut two = fields(&id, "up:1");
    for (name, value) in [
        ("name1", "María Gómez"),
        ("kind1", "CC"),
        ("number1", ""),
        ("email1", ""),
        ("mobile1", ""),
    ] {
        two.push((name, value.to_owned()));
    }
    let moved = page(&two, &[]).await;
    assert!(
        moved.contains("name=\"name1\" type=\"text\" value=\"Andrés Peña\""),
        "{moved}"
    );
    set(&mut two, "do", "remove:0");
    let removed = page(&two, &[]).await;
    assert!(
        removed.contains("name=\"name0\" type=\"text\" value=\"María Gómez\""),
        "{removed}"
    );
    assert!(!removed.contains("name=\"name1\""));
    // The file is sent again by the page's script: it is kept once, and taken out by its button.
    let file = [("contrato.pdf", pdf::saying("hola"))];
    let kept = page(&fields(&id, "save"), &file).await;
    assert_eq!(kept.matches("value=\"forget:").count(), 1, "{kept}");
    let row = kept
        .split("value=\"forget:")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let without = page(&fields(&id, &format!("forget:{row}")), &[]).await;
    assert!(!without.contains("contrato.pdf"), "{without}");
}

#[tokio::test]
async fn people_of_earlier_folios_are_offered() {
    let app = TestApp::start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Other").await);
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    acme.created(folio().signers(&signers(2))).await;
    acme.created(folio().signers(&signers(2))).await;
    let theirs = other.created(folio().signers(&signers(3))).await;
    let page = person.get("/panel/folios/new").await.text();
    let offered = page.split("<datalist").nth(1).unwrap();
    assert_eq!(offered.matches("<option").count(), 2, "{offered}");
    assert!(
        offered.contains("data-email=\"maria.1001@example.com\""),
        "{offered}"
    );
    assert!(!page.contains(&theirs) && !offered.contains("1003"), "{offered}");
    let name = offered
        .split("value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let id = once(&page);
    let mut typed = fields(&id, "fill:0");
    for field in ["number0", "email0", "mobile0"] {
        set(&mut typed, field, "");
    }
    set(&mut typed, "name0", name);
    let filled = send(&person, &typed, &[]).await;
    let filled = person.get(filled.header("location").unwrap()).await.text();
    assert!(filled.contains("@example.com\" maxlength=\"254\""), "{filled}");
}

#[tokio::test]
async fn drafts_are_ones_own_few_and_gone_after_a_time() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let other = acme.signed_in("otra@acme.example", Administrator).await;
    let mut ids = Vec::new();
    for number in 0..=limits::DRAFTS {
        let id = once(&person.get("/panel/folios/new").await.text());
        let mut form = fields(&id, "save");
        set(&mut form, "name", &format!("Borrador {number}"));
        let file = [("contrato.pdf", pdf::saying(&format!("{number}")))];
        assert_eq!(send(&person, &form, &file).await.status, 303);
        ids.push(id);
        app.advance(Duration::from_secs(1));
    }
    let list = person.get("/panel/folios/new").await.text();
    assert_eq!(list.matches("/discard\"").count(), limits::DRAFTS, "{list}");
    assert!(!list.contains("Borrador 0"), "the oldest gave way: {list}");
    let newest = format!("/panel/folios/new?draft={}", ids[limits::DRAFTS]);
    assert!(person.get(&newest).await.text().contains("value=\"Borrador 5\""));
    for page in [
        other.get(&newest).await.text(),
        other.get("/panel/folios/new").await.text(),
    ] {
        assert!(!page.contains("/discard\""), "{page}");
    }
    // Neither does the other person change it, nor discard it.
    let theirs = send(&other, &fields(&ids[1], "save"), &[]).await;
    assert_eq!(theirs.status, 404);
    let discard = format!("/panel/folios/drafts/{}/discard", ids[1]);
    assert_eq!(other.post(&discard, &[]).await.status, 303);
    assert!(
        person
            .get("/panel/folios/new")
            .await
            .text()
            .contains("Borrador 1")
    );
    assert_eq!(person.post(&discard, &[]).await.status, 303);
    assert!(
        !person
            .get("/panel/folios/new")
            .await
            .text()
            .contains("Borrador 1")
    );
    app.advance(limits::DRAFT_LIFETIME);
    let (now, before) = (app.app().clock.now(), limits::DRAFT_LIFETIME);
    let deleted = app.app().store.write(move |tx| {
        Ok::<_, store::Error>((
            tx.delete_old_drafts(now.before(before), now.before(before), 100, now)?,
            tx.delete_released_draft_files(now.after(Duration::from_secs(1)), 100)?,
        ))
    });
    let (drafts, files) = deleted.await.unwrap();
    assert_eq!((drafts, files), (4, 6), "all drafts, and all of their documents");
    let fresh = PanelBrowser::new(&app, "sup@acme.example");
    fresh.sign_in().await;
    let page = fresh.get("/panel/folios/new").await.text();
    assert!(!page.contains("/discard\""), "{page}");
}
