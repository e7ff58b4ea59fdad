//! What a signer was shown stands in the text that is accepted, in the history and in the evidence; a company may demand that
//! documents are read to their end.

use crate::MARIA;
use crate::browser::{Page, open, send};
use domain::SignerIndex;
use serde_json::{Value, json};
use testkit::{Company, TestApp, folio, signers};

async fn at<'a>(app: &'a TestApp, id: &str) -> Page<'a> {
    open(app, &app.app().links.signer(id.parse().unwrap(), SignerIndex(0))).await
}

async fn named(company: &Company<'_>, id: &str, what: &str) -> Vec<Value> {
    let events = company.events(id).await;
    events.into_iter().filter(|event| event["what"] == what).collect()
}

#[tokio::test]
async fn no_code_is_sent_before_what_the_company_demands_was_read_or_downloaded() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.choose(|settings| settings.read_to_end = true).await;
    let id = company.created(folio().signers(&signers(1))).await;
    let page = at(&app, &id).await;
    let own = format!("/sign/{id}-0");
    let csrf = page.hidden("csrf");
    let form = [("csrf", csrf.as_str()), ("consent", "2.es")];
    for more in ["", "1"] {
        let asked = send(page.post(&format!("{own}/code"), &[form[0], form[1], ("have", more)])).await;
        assert_eq!(asked.status, 422);
        let text = asked.text();
        assert!(
            text.contains("vea hasta la última página (o descargue): contrato.pdf."),
            "{text}"
        );
    }
    assert_eq!(named(&company, &id, "accepted").await, Vec::<Value>::new());
    let document = company.document_of(&id).await;
    let thumbnail = format!("{own}/documents/{document}/pages/1.png?w=180");
    assert_eq!(send(page.get(&thumbnail)).await.status, 200);
    assert_eq!(named(&company, &id, "opened").await, Vec::<Value>::new());
    let browser = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
    let with_headers = page
        .get(&format!("{own}/documents/{document}"))
        .header("user-agent", browser)
        .header("accept-language", "es-CO,es;q=0.9");
    assert_eq!(send(with_headers).await.status, 200);
    let downloaded = named(&company, &id, "downloaded").await;
    assert_eq!(downloaded[0]["device"], browser);
    assert_eq!(downloaded[0]["language"], "es-CO,es;q=0.9");
    let asked = send(page.post(&format!("{own}/code"), &form)).await;
    assert_eq!(asked.status, 303, "{}", asked.text());
    let code_page = send(page.get(&format!("{own}?step=code&consent=2.es")))
        .await
        .text();
    let said = "«contrato.pdf» (0 de 1 página; descargado)";
    assert!(code_page.contains(said), "{code_page}");
    // Asking again with the same things shown is no other acceptance.
    send(page.post(&format!("{own}/code"), &[form[0], form[1], ("have", "1")])).await;
    let accepted = named(&company, &id, "accepted").await;
    assert_eq!(accepted.len(), 1, "{accepted:?}");
    let shown = json!([{"document": document, "pages": 1, "shown": 0, "downloaded": true}]);
    assert_eq!(
        (&accepted[0]["template"], &accepted[0]["shown"]),
        (&json!("2.es"), &shown)
    );
    // What was accepted is what is signed, and the evidence has its text.
    let code = app.code_for(MARIA).await;
    let signed = send(page.post(
        &format!("{own}/sign"),
        &[form[0], form[1], ("code", code.as_str())],
    ))
    .await;
    assert_eq!(signed.status, 303, "{}", signed.text());
    let signed = named(&company, &id, "signed").await;
    assert_eq!(signed[0]["consent"], accepted[0]["consent"]);
    assert_eq!(signed[0]["shown"], shown);
    let answer = company.evidence(&id).await;
    let checked = app::evidence::check(&answer.body, None, &[], app.app().clock.now());
    assert_eq!(checked.faults, []);
    let consents = checked.evidence.unwrap().consents;
    assert_eq!(consents.len(), 1);
    assert_eq!(consents[0].sha256, signed[0]["consent"]);
    assert!(consents[0].text.contains(said), "{}", consents[0].text);
}

#[tokio::test]
async fn a_code_for_a_rejection_signs_nothing_before_the_text_is_accepted() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    let page = at(&app, &id).await;
    let (own, csrf) = (format!("/sign/{id}-0"), page.hidden("csrf"));
    let reason = [("csrf", csrf.as_str()), ("reason", crate::WHY)];
    assert_eq!(
        send(page.post(&format!("{own}/reject"), &reason)).await.status,
        200
    );
    let code = app.code_for(MARIA).await;
    let typed = [
        ("csrf", csrf.as_str()),
        ("consent", "2.es"),
        ("code", code.as_str()),
    ];
    let refused = send(page.post(&format!("{own}/sign"), &typed)).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    for words in ["Su aceptación", "Marque la casilla para continuar"] {
        assert!(refused.text().contains(words), "{words}: {}", refused.text());
    }
    for what in ["accepted", "signed"] {
        assert_eq!(named(&company, &id, what).await, Vec::<Value>::new());
    }
    let accepted = [typed[0], typed[1], ("have", "1")];
    assert_eq!(
        send(page.post(&format!("{own}/code"), &accepted)).await.status,
        303
    );
    let signed = send(page.post(&format!("{own}/sign"), &typed)).await;
    assert_eq!(signed.status, 303, "{}", signed.text());
    let accepted = named(&company, &id, "accepted").await;
    let signed = named(&company, &id, "signed").await;
    assert_eq!((accepted.len(), signed.len()), (1, 1));
    assert_eq!(signed[0]["consent"], accepted[0]["consent"]);
}

#[tokio::test]
async fn who_was_shown_nothing_signs_a_text_that_says_so() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    app.sign_by_email(&id, SignerIndex(0), MARIA).await;
    let signed = named(&company, &id, "signed").await;
    assert_eq!(signed[0]["shown"][0]["shown"], 0);
    let checked = app::evidence::check(
        &company.evidence(&id).await.body,
        None,
        &[],
        app.app().clock.now(),
    );
    let text = &checked.evidence.unwrap().consents[0].text;
    assert!(text.contains("«contrato.pdf» (0 de 1 página)"), "{text}");
}
