//! A picture of the signature, where the company has that: drawn or typed, on the sheet, in the history and in the evidence.

use crate::MARIA;
use crate::browser::{Page, open, send};
use domain::picture::MAX_POINTS;
use domain::{PicturePolicy, SignerIndex};
use serde_json::Value;
use testkit::{Company, TestApp, TestResponse, folio, signers};

const MAX_INCREMENT_BYTES: usize = 24 * 1024;

/// A signer who has accepted and has a code.
struct Ready<'a> {
    page: Page<'a>,
    own: String,
    csrf: String,
    code: String,
}

impl<'a> Ready<'a> {
    async fn new(app: &'a TestApp, id: &str, place: usize) -> Self {
        let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(place));
        let page = open(app, &link).await;
        let (own, csrf) = (format!("/sign/{id}-{place}"), page.hidden("csrf"));
        let form = [("csrf", csrf.as_str()), ("consent", "2.es")];
        let asked = send(page.post(&format!("{own}/code"), &form)).await;
        assert_eq!(asked.status, 303, "{}", asked.text());
        let code = app
            .code_for(&MARIA.replace("1001", &(1001 + place).to_string()))
            .await;
        Self {
            page,
            own,
            csrf,
            code: code.as_str().to_owned(),
        }
    }

    async fn code_page(&self) -> String {
        let path = format!("{}?step=code&consent=2.es", self.own);
        send(self.page.get(&path)).await.text()
    }

    async fn sign(&self, strokes: &str, name: &str) -> TestResponse {
        let fields = [
            ("csrf", self.csrf.as_str()),
            ("consent", "2.es"),
            ("code", &self.code),
            ("picture_strokes", strokes),
            ("picture_name", name),
        ];
        send(self.page.post(&format!("{}/sign", self.own), &fields)).await
    }
}

async fn signatures(company: &Company<'_>, id: &str) -> Vec<Value> {
    let history = company.history(id).await;
    let events = history.iter().map(domain::event::ChainedEvent::full_body);
    events.filter(|event| event["what"] == "signed").collect()
}

async fn document_size(company: &Company<'_>, id: &str) -> usize {
    let document = company.document_of(id).await;
    company.download(&document).await.body.len()
}

/// As many points as a picture may have.
fn full() -> String {
    let point = |step: usize| format!("{},{}", 100 + step % 500, 100 + (step * 37) % 100);
    let points: Vec<String> = (0..MAX_POINTS).map(point).collect();
    points.join(" ")
}

#[tokio::test]
async fn a_company_that_has_no_pictures_ignores_one() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    let signer = Ready::new(&app, &id, 0).await;
    let page = signer.code_page().await;
    assert!(!page.contains("picture_name"), "{page}");
    assert_eq!(signer.sign("0,0 600,200", "").await.status, 303);
    assert_eq!(signatures(&company, &id).await[0]["picture"], Value::Null);
}

#[tokio::test]
async fn a_picture_is_asked_for_drawn_and_told_without_being_proof() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company
        .choose(|settings| settings.picture = PicturePolicy::Required)
        .await;
    let id = company.created(folio().signers(&signers(3))).await;
    let first = Ready::new(&app, &id, 0).await;
    let page = first.code_page().await;
    for words in [
        "Su firma en la hoja",
        "Es solo ilustrativa",
        "name=\"picture_strokes\"",
        "required",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let missing = first.sign("", " ").await;
    assert_eq!(missing.status, 422);
    let missing = missing.text();
    assert!(
        missing.contains("Dibuje su firma o escriba su nombre.</p>"),
        "{missing}"
    );
    for wrong in [
        "0,0",
        "0,0 601,1",
        "0,0 600,1;",
        "<svg>",
        &format!("{} 1,1", full()),
    ] {
        let refused = first.sign(wrong, "").await;
        assert_eq!(refused.status, 422, "{wrong}");
        assert!(refused.text().contains("No pudimos leer el dibujo."), "{wrong}");
    }
    let long = first.sign("", &"x".repeat(61)).await;
    assert_eq!(long.status, 422);
    // What was given stays on the page when the code is wrong.
    let kept = Ready {
        code: if first.code == "000000" {
            "000001"
        } else {
            "000000"
        }
        .to_owned(),
        ..first
    };
    let wrong = kept.sign("0,0 600,200", "").await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("value=\"0,0 600,200\""), "{}", wrong.text());

    let first = Ready::new(&app, &id, 1).await;
    assert_eq!(first.sign("", "María Ñáñez").await.status, 303);
    let before = document_size(&company, &id).await;
    let second = Ready::new(&app, &id, 2).await;
    assert_eq!(second.sign(&full(), "ignored").await.status, 303);
    let increment = document_size(&company, &id).await - before;
    assert!(increment <= MAX_INCREMENT_BYTES, "{increment}");

    let signed = signatures(&company, &id).await;
    assert_eq!(signed[0]["picture"]["kind"], "typed");
    assert_eq!(signed[0]["picture"]["picture_text"], "María Ñáñez");
    assert_eq!(signed[1]["picture"]["picture_text"], full());
    // The chained text has a digest; the value is beside it, where it is erased and exported.
    let chained: Vec<Value> = company
        .history(&id)
        .await
        .iter()
        .map(|event| serde_json::from_str(&event.body).unwrap())
        .collect();
    let mut chained = chained.iter().filter(|body| body["what"] == "signed");
    let text = &chained.next().unwrap()["picture"]["picture_text"];
    assert!(text["digest"].is_string(), "{text}");

    let evidence = company.evidence(&id).await;
    let checked = app::evidence::check(&evidence.body, None, &[], app.app().clock.now());
    assert_eq!(checked.faults, []);
}
