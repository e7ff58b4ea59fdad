//! Folios in the panel: found, read, created and acted on, by users with the right role.

use crate::matrix::unique;
use app::SigningParty;
use app::signing::visits::{VisitAct, VisitEvent};
use delivery::SmtpSettings;
use domain::Role::{Administrator, Reader, Supervisor};
use domain::event::DocumentRef;
use domain::{FolioId, FolioState};
use serde_json::{Value, json};
use store::MessageRow;
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::{
    Company, Form, PanelBrowser, RawConnection, TestApp, correction, folio, pdf, signer, signers, until,
};

/// A form for a new folio, right in every field until a test says otherwise.
async fn new_folio(person: &PanelBrowser<'_>) -> Vec<(String, String)> {
    let csrf = person.csrf().await;
    let fields = [
        ("csrf", csrf.as_str()),
        ("name", "Contrato de arriendo"),
        ("message", "Por favor revise y firme."),
        ("name0", "Andrés Peña"),
        ("kind0", "CC"),
        ("number0", "1020304050"),
        ("email0", "andres@example.com"),
        ("mobile0", "300 123-4567"),
        ("name1", ""),
        ("kind1", "CC"),
        ("number1", ""),
        ("email1", ""),
        ("mobile1", ""),
        ("signatureType", "1"),
        ("returnUrl", "https://cliente.example.com/gracias"),
        ("sendEmail", "true"),
    ];
    fields
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

fn set(fields: &mut [(String, String)], name: &str, value: &str) {
    let field = fields.iter_mut().find(|(known, _)| known == name);
    value.clone_into(&mut field.unwrap().1);
}

async fn send(
    person: &PanelBrowser<'_>,
    fields: &[(String, String)],
    files: &[(&str, Vec<u8>)],
) -> testkit::TestResponse {
    let mut form = Form::new();
    for (name, value) in fields {
        form = form.text(name, value.as_bytes());
    }
    for (name, bytes) in files {
        form = form.file("documents", name, bytes.clone());
    }
    person.post_form("/panel/folios/new", form).await
}

async fn events(company: &Company<'_>, id: &str) -> Vec<Value> {
    let history = company.history(id).await;
    let body = domain::event::ChainedEvent::full_body;
    history.iter().map(body).collect()
}

#[tokio::test]
async fn a_folio_is_made_by_a_person_and_its_history_says_so() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let fields = new_folio(&person).await;
    let answer = send(&person, &fields, &[("contrato.pdf", pdf::saying("hola"))]).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let to = answer.header("location").unwrap();
    assert!(to.ends_with("?done=created"), "{to}");
    let page = person.get(to).await.text();
    for text in [
        "Contrato de arriendo",
        "Andrés Peña",
        "CC 1020304050",
        "Se creó el folio",
        "sup@acme.example",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let id = to.split(['/', '?']).nth(3).unwrap();
    let created = &events(&acme, id).await[0];
    assert_eq!(created["who"], "user");
    assert_eq!(created["email"], "sup@acme.example");
    assert_eq!(acme.messages(id).await.len(), 1);
}

#[tokio::test]
async fn a_form_sent_twice_makes_one_folio() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let page = person.get("/panel/folios/new").await.text();
    let once = page.split("name=\"once\" value=\"").nth(1).unwrap();
    let once = once.split('"').next().unwrap();
    assert_eq!(once.len(), 32);
    let mut fields = new_folio(&person).await;
    fields.push(("once".to_owned(), once.to_owned()));
    let file = [("contrato.pdf", pdf::saying("hola"))];
    let to = async |fields: &[(String, String)], file: &[(&str, Vec<u8>)]| {
        let answer = send(&person, fields, file).await;
        answer.header("location").unwrap().to_owned()
    };
    let first = to(&fields, &file).await;
    assert_eq!(to(&fields, &file).await, first, "pressed twice");
    let other = [("contrato.pdf", pdf::saying("adiós"))];
    assert_ne!(to(&fields, &other).await, first, "another document");
    set(&mut fields, "number0", "1020304051");
    assert_ne!(to(&fields, &file).await, first, "another signer");
    let list = person.get("/panel/folios").await.text();
    assert_eq!(list.matches("<td class=\"name\">").count(), 3, "{list}");
}

#[tokio::test]
async fn what_is_wrong_stands_next_to_its_field_and_nothing_is_made() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let before = app.census().await;
    let mut fields = new_folio(&person).await;
    set(&mut fields, "email0", "andres");
    set(&mut fields, "returnUrl", "javascript:alert(1)");
    set(&mut fields, "name1", "Marta <b>Díaz</b>");
    let answer = send(&person, &fields, &[("", Vec::new())]).await;
    assert_eq!(answer.status, 422);
    let page = answer.text();
    for field in ["email0", "returnUrl", "number1", "email1", "mobile1", "documents"] {
        assert!(page.contains(&format!("id=\"{field}-error\"")), "{field}");
    }
    assert!(!page.contains("id=\"name0-error\""));
    assert!(
        page.contains("value=\"Marta &#60;b&#62;Díaz&#60;/b&#62;\""),
        "typed text comes back, harmless"
    );
    let fields = new_folio(&person).await;
    let refused = send(&person, &fields, &[("nota.pdf", b"no PDF".to_vec())]).await;
    assert_eq!(refused.status, 422);
    assert!(
        refused
            .text()
            .contains("El documento (nota.pdf) no puede firmarse.")
    );
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_form_that_does_not_begin_with_the_csrf_token_creates_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let before = app.census().await;
    let mut fields = new_folio(&person).await;
    set(&mut fields, "csrf", "forged");
    let files = [("contrato.pdf", pdf::saying("hola"))];
    assert_eq!(send(&person, &fields, &files).await.status, 403);
    let fields = new_folio(&person).await;
    assert_eq!(send(&person, &fields[1..], &files).await.status, 403);
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_user_who_loses_access_during_the_upload_creates_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("admin@acme.example", Administrator).await;
    let before = app.census().await;
    for how in ["demoted", "disabled", "gone", "there"] {
        let email = format!("{how}@acme.example");
        let person = acme.signed_in(&email, Supervisor).await;
        let mut form = Form::new();
        for (name, value) in new_folio(&person).await {
            form = form.text(&name, value);
        }
        let body = form
            .file("documents", "grande.pdf", pdf::of_bytes(4 << 20))
            .into_bytes();
        let mut raw = RawConnection::connect(&app).await;
        raw.send(format!(
            "POST /panel/folios/new HTTP/1.1\r\nhost: test\r\nsec-fetch-site: same-origin\r\n\
             cookie: __Host-firmeza_panel={}\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n",
            person.cookie("firmeza_panel").unwrap(),
            Form::content_type(),
            body.len()
        ))
        .await;
        let (half, rest) = body.split_at(body.len() / 2);
        raw.send(half).await;
        until("the document on its way", async || {
            (app.temp_file_count() > 0).then_some(())
        })
        .await;
        match how {
            "demoted" => {
                let user = app.app().store.read(move |tx| tx.user_with_email(&email));
                let path = format!("/panel/users/{}/role", user.await.unwrap().unwrap().id);
                assert_eq!(admin.post(&path, &[("role", "reader")]).await.status, 303);
            }
            "disabled" => app
                .app()
                .operator()
                .set_user_enabled(&email, false)
                .await
                .unwrap(),
            "gone" => assert_eq!(person.post("/panel/sign-out", &[]).await.status, 303),
            _ => {}
        }
        raw.send(rest).await;
        let answer = raw.response().await;
        assert_eq!(answer.status, 303, "{how}");
        if how == "there" {
            assert_eq!(app.census().await.of("folios"), before.of("folios") + 1);
            continue;
        }
        assert_eq!(answer.header("location"), Some("/panel/sign-in"), "{how}");
        assert_eq!(app.census().await, before, "{how}");
    }
}

#[tokio::test]
async fn the_list_finds_narrows_and_pages() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    let empty = person.get("/panel/folios").await.text();
    assert!(empty.contains("Todavía no hay folios") && !empty.contains("/panel/folios/new"));
    for number in 0..27 {
        let named = folio()
            .with("folioName", format!("Contrato {number}"))
            .signers(&json!([signer(&format!("77{number}"))]));
        acme.created(named).await;
    }
    acme.created_in(FolioState::Cancelled, folio().with("folioName", "Anulado uno"))
        .await;
    while app.app().project_changes().await.unwrap() > 0 {}
    let page = person.get("/panel/folios").await.text();
    assert_eq!(page.matches("<td class=\"name\">").count(), 25);
    assert!(page.contains("Anulado uno"));
    let next = page.split("rel=\"next\" href=\"").nth(1).unwrap();
    let next = next.split('"').next().unwrap().replace("&#38;", "&");
    let rest = person.get(&next).await.text();
    assert_eq!(rest.matches("<td class=\"name\">").count(), 3);
    let cancelled = person.get("/panel/folios?state=cancelled").await.text();
    assert_eq!(cancelled.matches("<td class=\"name\">").count(), 1);
    let found = person.get("/panel/folios?q=7713").await.text();
    assert!(found.contains("Contrato 13") && found.matches("<td class=\"name\">").count() == 1);
    let nothing = person
        .get("/panel/folios?q=nadie&state=signed&from=2020-01-01")
        .await
        .text();
    assert!(nothing.contains("Ningún folio coincide"));
    let odd = person
        .get("/panel/folios?q=%00&state=odd&from=x&to=99999-99-99&before=-1")
        .await;
    assert_eq!(odd.status, 200);
    assert!(page.len() < 100_000, "{}", page.len());
    assert!(page.contains("1 a 25 de 28"), "{page}");
    assert!(rest.contains("26 a 28 de 28"), "{rest}");
    let back = rest.split("rel=\"prev\" href=\"").nth(1).unwrap();
    let back = back.split('"').next().unwrap().replace("&#38;", "&");
    assert!(person.get(&back).await.text().contains("1 a 25 de 28"), "{back}");
}

#[tokio::test]
async fn resending_corrects_and_cancelling_asks_why() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created(folio()).await;
    let path = format!("/panel/folios/{id}/resend");
    assert!(person.get(&path).await.text().contains("maria.1001@example.com"));
    let url = ("returnUrl", "https://cliente.example.com/gracias");
    let nobody = person.post(&path, &[url]).await;
    assert_eq!(nobody.status, 422);
    assert!(nobody.text().contains("Marque al menos a una persona"));
    let wrong = [
        ("signer0", "1"),
        ("email0", "maria"),
        ("mobile0", "3001234567"),
        url,
    ];
    assert!(
        person
            .post(&path, &wrong)
            .await
            .text()
            .contains("id=\"email0-error\"")
    );
    let right = [
        ("signer0", "1"),
        ("email0", "nueva@example.org"),
        ("mobile0", "3001234567"),
        url,
    ];
    assert_eq!(person.post(&path, &right).await.status, 303);
    let page = person.get(&format!("/panel/folios/{id}")).await.text();
    assert!(page.contains("nueva@example.org") && page.contains("Antes: maria.1001@example.com"));

    let cancel = format!("/panel/folios/{id}/cancel");
    let short = person.post(&cancel, &[("observation", "No.")]).await;
    assert_eq!(short.status, 422);
    assert!(short.text().contains("id=\"observation-error\""));
    let done = person
        .post(&cancel, &[("observation", "El cliente desistió.")])
        .await;
    assert_eq!(done.status, 303);
    let last = events(&acme, &id).await.pop().unwrap();
    assert_eq!(
        (last["what"].as_str(), last["who"].as_str()),
        (Some("cancelled"), Some("user"))
    );
    assert_eq!(person.get(&cancel).await.status, 409);
    assert_eq!(person.get(&path).await.status, 409);
}

#[tokio::test]
async fn a_resend_undoes_nothing_that_was_corrected_meanwhile() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created(folio().signers(&signers(1))).await;
    let path = format!("/panel/folios/{id}/resend");
    let page = person.get(&path).await.text();
    let mut fields = vec![("signer0", "1")];
    for name in [
        "email0",
        "email0-was",
        "mobile0",
        "mobile0-was",
        "returnUrl",
        "returnUrl-was",
    ] {
        let (_, rest) = page.split_once(&format!("name=\"{name}\"")).unwrap();
        let (_, rest) = rest.split_once("value=\"").unwrap();
        fields.push((name, rest.split('"').next().unwrap()));
    }
    let new = correction("1001", "nueva@example.com", "3109876543");
    acme.resend(&id, &[new]).await.ok();

    let resent = person.post(&path, &fields).await;
    assert_eq!(resent.status, 303, "{}", resent.text());
    let several = [("act", "resend"), ("folio", id.as_str()), ("sure", "1")];
    assert_eq!(person.post("/panel/folios/acts", &several).await.status, 303);
    let events = events(&acme, &id).await;
    let resent: Vec<&Value> = events.iter().filter(|event| event["what"] == "resent").collect();
    assert_eq!(resent.len(), 3, "{events:?}");
    for event in resent {
        assert_eq!(event["contact"]["email"], "nueva@example.com");
        assert_eq!(event["contact"]["mobile"], "3109876543");
        assert_eq!(event["return_url"], "https://cliente.example.com/de-vuelta");
    }

    // What is typed counts, also after an error: the form keeps what it came with.
    fields[1].1 = "maria";
    let wrong = person.post(&path, &fields).await;
    assert_eq!(wrong.status, 422);
    let was = format!("name=\"{}\" value=\"{}\"", fields[2].0, fields[2].1);
    assert!(wrong.text().contains(&was), "{}", wrong.text());
    fields[1].1 = "otra@example.com";
    assert_eq!(person.post(&path, &fields).await.status, 303);
    let last = self::events(&acme, &id).await.pop().unwrap();
    assert_eq!(last["contact"]["email"], "otra@example.com");
    assert_eq!(last["contact"]["mobile"], "3109876543");
}

#[tokio::test]
async fn a_signers_link_is_shown_and_written_down() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created(folio().signers(&signers(2))).await;
    let page = format!("/panel/folios/{id}");
    let link = format!("{page}/signers/1/link");
    assert!(
        !person.get(&page).await.text().contains("/sign?s="),
        "not before it is asked for"
    );
    let shown = person.post(&link, &[]).await.text();
    let address = app
        .app()
        .links
        .signer(id.parse().unwrap(), domain::SignerIndex(1));
    assert!(shown.contains(address.as_str()), "{shown}");
    let admin = acme.signed_in("admin@acme.example", Administrator).await;
    let audit = admin.get("/panel/audit").await.text();
    assert!(
        audit.contains("<td>Vio el enlace de un firmante") && audit.contains(&id),
        "{audit}"
    );
    assert_eq!(
        person.post(&format!("{page}/signers/2/link"), &[]).await.status,
        409
    );
    acme.cancel([&id], "Otro contrato").await.ok();
    assert_eq!(person.post(&link, &[]).await.status, 409);
}

#[tokio::test]
async fn a_page_tells_what_each_signer_was_sent_and_did() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created(folio().signers(&signers(1))).await;
    let signer = domain::SignerIndex(0);
    app.send_code(&id, signer).await;
    let mail = app.mail_to("maria.1001@example.com", "Escriba este código").await;
    let digits = mail
        .text
        .split(|c: char| !c.is_ascii_digit())
        .find(|word| word.len() == 6);
    let code = domain::Code::typed(digits.unwrap()).unwrap();
    app.give_code(&id, signer, code).await;
    let page = format!("/panel/folios/{id}");
    until("the messages in the history", async || {
        let text = person.get(&page).await.text();
        let steps = text.split("class=\"steps").nth(1)?.split("</ol>").next()?;
        (steps.contains("Invitación a firmar") && steps.contains("Firmó")).then_some(())
    })
    .await;
    let text = person.get(&page).await.text();
    assert!(text.contains("Documento firmado"), "{text}");
    assert!(
        text.contains("Se envió a ") && text.contains("): Invitación a firmar"),
        "{text}"
    );
    let exact = person.get(&format!("{page}?times=exact")).await.text();
    assert!(
        exact.contains(" -05:00</time>") && exact.contains("Ver las horas en palabras"),
        "{exact}"
    );
    let older = person.get(&format!("{page}?before=2&times=exact")).await.text();
    let newest = format!("<a href=\"{page}?times=exact#history\">Ver lo más reciente</a>");
    assert!(older.contains(&newest), "{older}");
    let other = acme.created(folio().signers(&signers(2))).await;
    let resend = person
        .get(&format!("/panel/folios/{other}/resend?signer=1"))
        .await
        .text();
    assert_eq!(resend.matches(" checked").count(), 1, "{resend}");
}

#[tokio::test]
async fn a_page_names_which_of_several_documents_was_opened_and_read_to_its_end() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    let several = [("contrato.pdf", pdf::contract()), ("anexo.pdf", pdf::lease(3))];
    let id = acme
        .created(folio().signers(&signers(1)).documents(several))
        .await;
    let alone = acme.created(folio().signers(&signers(1))).await;
    for (folio, place, ends) in [(&id, 0, true), (&id, 1, false), (&alone, 0, true)] {
        let document = acme
            .read(folio)
            .await
            .at(&format!("/data/documents/{place}/documentId"));
        let document = DocumentRef {
            document: document.parse().unwrap(),
            sha256: "00".repeat(32),
        };
        let (folio, signer) = (folio.parse().unwrap(), domain::SignerIndex(0));
        let party = SigningParty::Signer {
            folio,
            signer_index: signer,
        };
        let session = app.session(party).await;
        let mut seen = vec![VisitEvent::Opened(document.clone())];
        seen.extend(ends.then_some(VisitEvent::EndReached(document)));
        for what in seen {
            let act = VisitAct { folio, signer, what };
            let recorded = app.app().record_visit(&session, act, domain::Client::default());
            recorded.await.unwrap();
        }
    }
    let text = person.get(&format!("/panel/folios/{id}")).await.text();
    let (_, steps) = text.split_once("class=\"steps").unwrap();
    let (steps, rest) = steps.split_once("</ol>").unwrap();
    for words in [
        "Abrió «contrato.pdf»",
        "Abrió «anexo.pdf»",
        "Llegó a la última página de «contrato.pdf»",
    ] {
        assert!(steps.contains(words), "{words}: {steps}");
    }
    assert!(!steps.contains("última página de «anexo.pdf»"), "{steps}");
    let (_, opened) = rest.split_once("abrió un documento").unwrap();
    assert!(opened.contains("anexo.pdf"), "the history says it, too: {rest}");
    let text = person.get(&format!("/panel/folios/{alone}")).await.text();
    for words in ["Abrió el documento", "Llegó a la última página</span>"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[tokio::test]
async fn who_corrects_a_contact_to_their_own_can_sign_and_leaves_a_trace() {
    let own = "sup@acme.example";
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let reader = acme.signed_in("lee@acme.example", Reader).await;
    let supervisor = acme.signed_in(own, Supervisor).await;
    let id = acme.created(folio().signers(&signers(1))).await;
    let path = format!("/panel/folios/{id}/resend");
    let fields = [
        ("signer0", "1"),
        ("email0", own),
        ("mobile0", "3001234567"),
        ("returnUrl", "https://cliente.example.com/gracias"),
    ];
    assert_eq!(reader.post(&path, &fields).await.status, 403);
    assert_eq!(supervisor.post(&path, &fields).await.status, 303);
    let session = app
        .session_proved_by(format!("{id}-0").parse().unwrap(), own)
        .await;
    let sign = app::CodePurpose::Sign {
        consent: app::signing::consent::Consent::SPANISH,
    };
    app.app()
        .send_codes(&session, sign, domain::Client::default())
        .await
        .unwrap();
    let attempt = testkit::attempt(domain::Channel::Email, app.code_for(own).await);
    app.app().sign_folios(&session, attempt).await.unwrap();
    let state = acme.read(&id).await.at("/data/folioData/stateName");
    assert_eq!(state, "FIRMADO");
    let told = acme.messages(&id).await;
    let notified = |message: &store::OutboxRow| {
        message.template == domain::Template::ContactChanged && message.recipient == "maria.1001@example.com"
    };
    assert!(told.iter().any(notified), "{told:?}");
    let events = events(&acme, &id).await;
    let by_hand = |event: &Value| event["who"] == "user" && event.to_string().contains(own);
    assert!(events.iter().any(by_hand), "{events:?}");
    let signed = events.iter().find(|event| event["what"] == "signed").unwrap();
    assert_eq!(signed["recipient"], own);
}

#[tokio::test]
async fn documents_and_evidence_are_handed_out_and_recorded() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("lectora@acme.example", Reader).await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    let other = acme.created(folio()).await;
    let file = person
        .get(&format!("/panel/folios/{id}/documents/{document}"))
        .await;
    assert_eq!(file.header("content-type"), Some("application/pdf"));
    assert!(
        file.header("content-disposition")
            .unwrap()
            .starts_with("attachment")
    );
    let wrong = person
        .get(&format!("/panel/folios/{other}/documents/{document}"))
        .await;
    assert_eq!(wrong.status, 404, "a document is found in its own folio only");
    let report = person.get(&format!("/panel/folios/{id}/evidence.pdf")).await;
    assert!(report.body.starts_with(b"%PDF-"));
    let bundle = person.get(&format!("/panel/folios/{id}/evidence.json")).await;
    assert_eq!(bundle.json()["evidence"]["folio"]["id"], id.as_str());
    testkit::until("what was handed out is recorded", async || {
        let events = events(&acme, &id).await;
        let by_person = events
            .iter()
            .filter(|event| event["email"] == "lectora@acme.example");
        (by_person.count() == 3).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_finished_folio_is_dropped_by_an_administrator_after_a_question() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("admin@acme.example", Administrator).await;
    let id = acme.created_in(FolioState::Cancelled, folio()).await;
    let path = format!("/panel/folios/{id}/drop");
    assert!(person.get(&path).await.text().contains("No se puede deshacer"));
    assert_eq!(person.post(&path, &[]).await.status, 303);
    let document = acme.document_of(&id).await;
    let gone = person
        .get(&format!("/panel/folios/{id}/documents/{document}"))
        .await;
    assert_eq!(gone.status, 404);
    let page = person.get(&format!("/panel/folios/{id}")).await.text();
    assert!(page.contains("El folio fue retirado") && !page.contains("/drop\""));
    assert_eq!(person.post(&path, &[]).await.status, 409);
    let audit = person.get("/panel/audit").await.text();
    assert!(
        audit.contains("<td>Retiró un folio") && audit.contains(&id),
        "{audit}"
    );
}

#[tokio::test]
async fn a_legal_hold_is_placed_or_lifted_as_the_form_said() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("admin@acme.example", Administrator).await;
    let id = acme.created(folio()).await;
    let page = format!("/panel/folios/{id}");
    let path = format!("{page}/hold");
    let asked = person.get(&path).await.text();
    assert!(asked.contains("name=\"act\" value=\"place\""), "{asked}");
    let form = |act| [("act", act), ("reason", "Un juzgado pidió conservarlo")];
    for (act, done, words) in [
        ("place", "held", "El folio quedó en retención legal"),
        ("place", "held-before", "El folio ya estaba en retención legal"),
        ("lift", "lifted", "Se levantó la retención legal"),
        ("lift", "not-held", "El folio no estaba en retención legal"),
        ("place", "held", "El folio quedó en retención legal"),
    ] {
        let answer = person.post(&path, &form(act)).await;
        let place = format!("{page}?done={done}");
        assert_eq!(answer.header("location"), Some(place.as_str()), "{act}");
        assert!(person.get(&place).await.text().contains(words), "{words}");
    }
    let nameless = person.post(&path, &form("")).await;
    assert_eq!(nameless.status, 422, "{}", nameless.text());
    let asked = nameless.text();
    assert!(asked.contains("name=\"act\" value=\"lift\""), "{asked}");
    assert!(asked.contains("Un juzgado pidió conservarlo"), "{asked}");
    let events = events(&acme, &id).await;
    let times = |what: &str| events.iter().filter(|event| event["what"] == what).count();
    assert_eq!((times("hold_placed"), times("hold_lifted")), (2, 1));
}

#[tokio::test]
async fn what_was_given_up_is_tried_again() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created(folio()).await;
    app.give_up().await;
    let page = person.get(&format!("/panel/folios/{id}")).await.text();
    assert!(page.contains("550 no such user") && page.contains("Volver a intentar"));
    assert_eq!(
        person
            .post(&format!("/panel/folios/{id}/messages"), &[])
            .await
            .status,
        303
    );
    let page = person.get(&format!("/panel/folios/{id}")).await.text();
    assert!(!page.contains("Volver a intentar") && page.contains("En espera"));
    // Nothing is left to be tried, and nothing is written down of that.
    person.post(&format!("/panel/folios/{id}/messages"), &[]).await;
    let company = acme.id;
    let acts = app
        .app()
        .store
        .read(move |tx| tx.acts_before(company, &store::ActFilter::default(), None, 9));
    let acts = acts.await.unwrap().into_iter();
    let hers: Vec<String> = acts
        .filter(|act| act.who == person.email && act.what != "signed_in")
        .map(|act| format!("{} {}", act.what, act.detail))
        .collect();
    assert_eq!(hers, [format!("messages_retried {id}")]);
    let number = unique();
    let nobodys = FolioId::from_bytes([u8::try_from(number % 200).unwrap(); 16]);
    let answer = person
        .post(&format!("/panel/folios/{nobodys}/messages"), &[])
        .await;
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn why_a_message_did_not_leave_is_told_in_the_readers_language() {
    let server = SmtpServer::start().await;
    let refused = SmtpFault::Says("550 5.1.1 nobody here");
    server.always_to("maria.1001", SmtpStage::Rcpt, refused);
    let smtp = SmtpSettings::parse(&server.url()).unwrap();
    let app = TestApp::builder().smtp(smtp).start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created(folio().signers(&signers(2))).await;
    until("one delivered and one given up", async || {
        let events = events(&acme, &id).await;
        let happened = |what: &str| events.iter().any(|event| event["what"] == what);
        (happened("delivered") && happened("undelivered")).then_some(())
    })
    .await;
    let page = format!("/panel/folios/{id}");
    let spanish = person.get(&page).await.text();
    let told = "El envío falló al indicar el destinatario al servidor de correo. El servidor respondió: 550 5.1.1 nobody here";
    assert_eq!(spanish.matches(told).count(), 2, "message and history: {spanish}");
    assert!(spanish.contains("El servidor respondió: 250"), "{spanish}");
    let english = [("language", "en"), ("back", page.as_str())];
    assert_eq!(person.post("/panel/account/language", &english).await.status, 303);
    let english = person.get(&page).await.text();
    assert!(
        english.contains("named to the mail server. The server replied: 550 5.1.1 nobody here"),
        "{english}"
    );
}

/// The waiting messages, with their recipients.
async fn waiting(app: &TestApp) -> Vec<String> {
    let waiting = app
        .app()
        .store
        .read(|tx| tx.undelivered(false, MessageRow::ZERO, 9))
        .await;
    let waiting = waiting.unwrap_or_else(|error: store::Error| panic!("{error}"));
    let told = |message: &store::Undelivered| format!("{:?} {}", message.template, message.recipient);
    waiting.iter().map(told).collect()
}

#[tokio::test]
async fn a_link_is_not_sent_again_to_an_address_that_was_corrected() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let id = acme.created(folio().signers(&signers(1))).await;
    app.give_up().await;
    let page = format!("/panel/folios/{id}");
    assert!(person.get(&page).await.text().contains("Volver a intentar"));
    let new = correction("1001", "nueva@example.com", "3001234567");
    acme.resend(&id, &[new]).await.ok();
    app.give_up().await;
    let again = format!("{page}/messages");
    assert_eq!(person.post(&again, &[]).await.status, 303);
    assert_eq!(
        waiting(&app).await,
        [
            "ContactChanged maria.1001@example.com",
            "Reminder nueva@example.com"
        ]
    );
    // No invitation to a cancelled folio is sent.
    app.give_up().await;
    acme.cancel([&id], "Otro contrato").await.ok();
    app.give_up().await;
    assert_eq!(person.post(&again, &[]).await.status, 303);
    assert_eq!(
        waiting(&app).await,
        [
            "ContactChanged maria.1001@example.com",
            "Cancelled nueva@example.com"
        ]
    );
}

#[tokio::test]
async fn the_page_of_a_folio_full_of_everything_is_not_heavy() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let documents = (1..=20).map(|number| (format!("{} {number}.pdf", "anexo ".repeat(15)), pdf::contract()));
    let name = "Contrato de arrendamiento ".repeat(3);
    let full = folio()
        .with("folioName", name)
        .signers(&signers(10))
        .documents(documents);
    let id = acme.created(full).await;
    let document = acme.document_of(&id).await;
    for _ in 0..60 {
        assert_eq!(acme.download(&document).await.status, 200);
    }
    testkit::until("the downloads in the history", async || {
        (acme.history(&id).await.len() > 60).then_some(())
    })
    .await;
    let page = person.get(&format!("/panel/folios/{id}")).await;
    assert!(page.text().contains("?before="), "there is more of it");
    assert!(page.body.len() < 100 << 10, "{} bytes", page.body.len());
}

#[tokio::test]
async fn a_folio_is_found_by_identifier_telephone_and_whole_address() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let user = acme.signed_in("lectora@acme.example", Reader).await;
    let wanted = acme.created(folio().with("folioName", "Primero")).await;
    let longer = json!([{ "name": "Otra", "email": "maria.1001@example.com.co", "documentType": "CC",
        "documentNumber": "77", "cellPhoneNumber": "3109876543" }]);
    acme.created(folio().with("folioName", "Segundo").signers(&longer))
        .await;
    let names = async |typed: &str| {
        let page = user
            .get(&format!("/panel/folios?{}", testkit::encoded(&[("q", typed)])))
            .await
            .text();
        (page.contains("Primero"), page.contains("Segundo"))
    };
    while app.app().project_changes().await.unwrap() > 0 {}
    for (typed, found) in [
        (wanted.as_str(), (true, false)),
        (&wanted[..9], (true, false)),
        ("300 123 4567", (true, false)),
        ("+57 310 987 6543", (false, true)),
        ("maria.1001@example.com", (true, false)),
        ("maria.1001@example.co", (true, true)),
        ("maria.1001@example.com.co", (false, true)),
    ] {
        assert_eq!(names(typed).await, found, "{typed}");
    }
}

#[tokio::test]
async fn the_first_page_leads_on() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    let page = nobody.get("/").await;
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    for target in ["/verify", "/panel", "/docs"] {
        assert!(page.text().contains(&format!("href=\"{target}\"")), "{target}");
        let status = nobody.get(target).await.status;
        assert!(matches!(status, 200 | 303), "{target}: {status}");
    }
    assert!(!page.text().contains("/mailbox"), "there is none in production");
}
