//! What a signer sees of a document that is lost or damaged in storage.

use crate::browser::{Page, open, send};
use domain::SignerIndex;
use std::time::Duration;
use testkit::{TestApp, TestResponse, folio, pdf, signers};

const TITLE: &str = "Un documento no está disponible";
const PAGE: &str = "Este documento no está disponible";

/// The words of an answer, also where they are drawn in lines.
fn words(answer: &TestResponse) -> String {
    let text = answer.text();
    let lines = text.split("<text").map(|line| match line.split_once('>') {
        Some((_, words)) => words.split('<').next().unwrap_or_default(),
        None => line,
    });
    if text.starts_with("<svg") {
        lines.collect::<Vec<_>>().join(" ")
    } else {
        text
    }
}

#[tokio::test]
async fn a_document_that_is_lost_or_damaged_is_never_shown_or_signed_unseen() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    for damage in [true, false] {
        let contract = pdf::saying(&format!("Contrato {damage}"));
        let fields = folio()
            .signers(&signers(1))
            .documents([("contrato.pdf", contract.clone())]);
        let id = company.created(fields).await;
        let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
        // A visit that began at another instance, while the document was there.
        let other = app.another_instance().await;
        let begun = open(&other, &link).await;
        let csrf = begun.hidden("csrf");
        let page = Page {
            app: &app,
            answer: begun.answer.clone(),
            cookie: begun.cookie.clone(),
        };
        if damage {
            app.damage_document(&contract).await;
        } else {
            app.lose_document(&contract).await;
        }
        let (signer_path, document) = (format!("/sign/{id}-0"), company.document_of(&id).await);
        let opened = open(&app, &link).await.answer;
        assert_eq!(opened.status, 503, "{}", opened.text());
        assert!(opened.text().contains(TITLE), "{}", opened.text());
        for (path, said) in [
            (signer_path.clone(), TITLE),
            (format!("{signer_path}/documents/{document}"), TITLE),
            (
                format!("{signer_path}/documents/{document}/pages/1.png?w=720"),
                PAGE,
            ),
            (format!("{signer_path}/documents/{document}/pages/1.txt"), PAGE),
        ] {
            let answer = send(page.get(&path)).await;
            assert_eq!(answer.status, 503, "{path}: {}", answer.text());
            assert!(words(&answer).contains(said), "{path}: {}", answer.text());
        }
        let accepted = [("csrf", csrf.as_str()), ("consent", "2.es")];
        let refused = send(page.post(&format!("{signer_path}/code"), &accepted)).await;
        assert_eq!(refused.status, 503, "{}", refused.text());
        assert!(refused.text().contains(TITLE) && refused.text().contains("sigue pendiente"));
        let english = page
            .post(&format!("{signer_path}/code"), &accepted)
            .header("accept-language", "en");
        let english = send(english).await.text();
        assert!(english.contains("A document is not available"), "{english}");

        // The code was sent by the instance that has seen the document; the act comes here.
        app.advance(Duration::from_secs(10));
        let party = signer_path["/sign/".len()..].parse().unwrap();
        let (_, token) = page.cookie.as_deref().unwrap().split_once('=').unwrap();
        let there = other.app();
        let session = there.sessions.read(token, party, there.clock.now()).unwrap();
        let purpose = app::CodePurpose::Sign {
            consent: app::signing::consent::Consent::SPANISH,
        };
        there
            .send_codes(&session, purpose, domain::Client::default())
            .await
            .unwrap();
        let code = app.code_for("maria.1001@example.com").await;
        let typed = [
            ("csrf", csrf.as_str()),
            ("consent", "2.es"),
            ("code", code.as_str()),
        ];
        let refused = send(page.post(&format!("{signer_path}/sign"), &typed)).await;
        assert_eq!(refused.status, 503, "{}", refused.text());
        assert!(refused.text().contains(TITLE), "{}", refused.text());
        let state = async || company.read(&id).await.at("/data/folioData/stateName");
        assert_eq!(state().await, "PENDIENTE");

        app.mend_document(&contract).await;
        app.advance(Duration::from_secs(10));
        assert_eq!(send(page.get(&signer_path)).await.status, 200);
        let signed = send(page.post(&format!("{signer_path}/sign"), &typed)).await;
        assert_eq!(signed.status, 303, "{}", signed.text());
        assert_eq!(state().await, "FIRMADO");
    }
}

#[tokio::test]
async fn who_signs_large_documents_is_asked_to_wait_while_they_are_checked() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let plans = [20 << 20, (20 << 20) + 1].map(|size| ("plano.pdf", pdf::of_bytes(size)));
    let fields = folio().signers(&signers(1)).documents(plans);
    let id = company.created(fields).await;
    // Opened at another instance: this one has not seen the documents.
    let other = app.another_instance().await;
    let begun = open(
        &other,
        &app.app().links.signer(id.parse().unwrap(), SignerIndex(0)),
    )
    .await;
    let csrf = begun.hidden("csrf");
    let page = Page {
        app: &app,
        answer: begun.answer.clone(),
        cookie: begun.cookie.clone(),
    };
    let accepted = [("csrf", csrf.as_str()), ("consent", "2.es")];
    let ask = async || send(page.post(&format!("/sign/{id}-0/code"), &accepted)).await;
    let waiting = ask().await;
    assert_eq!(
        (waiting.status, waiting.header("retry-after")),
        (503, Some("5")),
        "{}",
        waiting.text()
    );
    assert!(waiting.text().contains("Estamos comprobando los documentos"));
    testkit::until("the documents are whole", async || {
        (ask().await.status == 303).then_some(())
    })
    .await;
}
