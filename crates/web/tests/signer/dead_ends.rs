//! Where a signer cannot go on, the page names whom the company says to ask, in each language.

use crate::browser::{Page, open, request, send};
use crate::{MARIA, wrong};
use app::SigningParty;
use domain::SignerIndex;
use reqwest::{Method, RequestBuilder};
use std::time::Duration;
use testkit::{Company, FolioAct, TestApp, correction, folio, pdf, signer, signers};
use url::Url;

const NAME: &str = "Servicio al cliente";
const EMAIL: &str = "mailto:ayuda@acme.example";
const PHONE: &str = "tel:+576013456789";

const LANGUAGES: [(&str, &str); 3] = [
    ("es", "¿Necesita ayuda? Comuníquese con:"),
    ("en", "Do you need help? Contact:"),
    ("pt", "Precisa de ajuda? Fale com:"),
];

/// The page in every language. The titles say which page it is meant to be.
async fn names_the_contact(titles: [&str; 3], page: impl Fn() -> RequestBuilder) {
    for ((language, asks), title) in LANGUAGES.into_iter().zip(titles) {
        let text = send(page().header("accept-language", language)).await.text();
        for words in [title, asks, NAME, EMAIL, PHONE] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
}

/// The page behind a link.
fn linked(app: &TestApp, link: &Url) -> RequestBuilder {
    request(app, Method::GET, &link[url::Position::BeforePath..])
}

fn link(app: &TestApp, id: &str) -> Url {
    app.app().links.signer(id.parse().unwrap(), SignerIndex(0))
}

/// Sets whom the signers may ask, and how long they have.
async fn choose(company: &Company<'_>, folio_days: Option<i64>) {
    let chosen = company.choose(move |settings| {
        NAME.clone_into(&mut settings.contact.name);
        "ayuda@acme.example".clone_into(&mut settings.contact.email);
        "+57 601 345 6789".clone_into(&mut settings.contact.phone);
        settings.folio_days = folio_days;
    });
    chosen.await;
}

#[tokio::test]
async fn every_page_that_leads_nowhere_names_the_contact() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    choose(&company, Some(1)).await;
    let expired = company.created(folio()).await;
    choose(&company, None).await;
    app.advance(Duration::from_hours(25));
    let over = [
        "El plazo para firmar terminó",
        "The time to sign is over",
        "O prazo",
    ];
    names_the_contact(over, || linked(&app, &link(&app, &expired))).await;

    closed(&app, &company).await;
    unavailable(&app, &company).await;
    codes(&app, &company).await;
    rejecting(&app, &company).await;
    corrected(&app, &company).await;
    identifying(&app, &company).await;
    bulk(&app, &company).await;
    sessions(&app, &company).await;
}

/// Folios that nobody can sign any more.
async fn closed(app: &TestApp, company: &Company<'_>) {
    let cases = [
        (
            [FolioAct::Cancel].as_slice(),
            ["fueron anulados", "were cancelled", "foram cancelados"],
        ),
        (
            &[FolioAct::Reject(SignerIndex(1))],
            ["fueron rechazados", "were rejected", "foram recusados"],
        ),
        (
            &[FolioAct::Reject(SignerIndex(0))],
            ["Usted rechazó", "You rejected", "Você recusou"],
        ),
        (
            &[FolioAct::Sign(SignerIndex(0)), FolioAct::Cancel],
            ["anuló el proceso", "cancelled the process", "cancelou o processo"],
        ),
        (
            &[FolioAct::Cancel, FolioAct::Drop],
            ["ya no están disponibles", "no longer available", "não estão mais"],
        ),
    ];
    for (acts, titles) in cases {
        let id = company.created(folio()).await;
        for act in acts {
            company.act(&id, *act).await;
        }
        names_the_contact(titles, || linked(app, &link(app, &id))).await;
    }
}

/// A document that is lost in storage, and a part of the evidence that there is not.
async fn unavailable(app: &TestApp, company: &Company<'_>) {
    let lost = pdf::saying("Un contrato perdido");
    let fields = folio().documents([("contrato.pdf", lost.clone())]);
    let id = company.created(fields).await;
    app.lose_document(&lost).await;
    let titles = [
        "Un documento no está disponible",
        "A document is not available",
        "Um documento não está disponível",
    ];
    names_the_contact(titles, || linked(app, &link(app, &id))).await;

    let id = company.created(folio()).await;
    company.act(&id, FolioAct::Sign(SignerIndex(0))).await;
    let page = open(app, &link(app, &id)).await;
    let party = format!("{id}-0").parse().unwrap();
    app.prove_cookie(party, page.cookie.as_deref().unwrap()).await;
    let titles = [
        "Este enlace no funciona",
        "This link does not work",
        "Este link não funciona",
    ];
    let part = format!("/sign/{id}-0/evidence.json?part=2");
    names_the_contact(titles, || page.get(&part)).await;
}

/// A code that never left, one that was tried too often, and all that can be asked for in a day.
async fn codes(app: &TestApp, company: &Company<'_>) {
    let id = company.created(folio().signers(&signers(1))).await;
    let page = open(app, &link(app, &id)).await;
    let own = format!("/sign/{id}-0");
    let csrf = page.hidden("csrf");
    let accepted = [("csrf", csrf.as_str()), ("consent", "2.es")];
    let code_page = format!("{own}?step=code&consent=2.es");
    assert_eq!(
        send(page.post(&format!("{own}/code"), &accepted)).await.status,
        303
    );
    app.give_up().await;
    let lost = [
        "No se pudo entregar el código",
        "could not be delivered",
        "Não foi possível entregar",
    ];
    names_the_contact(lost, || page.get(&code_page)).await;

    app.advance(Duration::from_mins(1));
    assert_eq!(
        send(page.post(&format!("{own}/code"), &accepted)).await.status,
        303
    );
    let wrong = wrong(&app.code_for(MARIA).await);
    let guess = [accepted[0], accepted[1], ("code", wrong.as_str())];
    for _ in 0..5 {
        assert_eq!(send(page.post(&format!("{own}/sign"), &guess)).await.status, 422);
    }
    let spent = [
        "varios intentos incorrectos",
        "several wrong tries",
        "várias tentativas",
    ];
    names_the_contact(spent, || page.get(&code_page)).await;

    locked(app, &format!("{id}-0"), &link(app, &id)).await;
}

async fn locked(app: &TestApp, party: &str, link: &Url) {
    let party: SigningParty = party.parse().unwrap();
    app.advance(Duration::from_hours(1));
    while app.ask_for_codes(party).await.is_ok() {
        app.advance(Duration::from_hours(1));
    }
    let locked = [
        "en pausa por seguridad",
        "paused for safety",
        "em pausa por segurança",
    ];
    names_the_contact(locked, || linked(app, link)).await;
}

/// The page that asks for a code before a rejection.
async fn rejecting(app: &TestApp, company: &Company<'_>) {
    let id = company.created(folio().signers(&signers(1))).await;
    let page = open(app, &link(app, &id)).await;
    let csrf = page.hidden("csrf");
    let fields = [("csrf", csrf.as_str()), ("reason", crate::WHY)];
    let titles = [
        "¿Rechazar los documentos?",
        "Reject the documents?",
        "Recusar os documentos?",
    ];
    let reject = format!("/sign/{id}-0/reject");
    names_the_contact(titles, || page.post(&reject, &fields)).await;
}

/// The page that asks for a code that goes to a contact the company corrected.
async fn corrected(app: &TestApp, company: &Company<'_>) {
    let id = company.created(folio().signers(&signers(1))).await;
    let changed = correction("1001", "otra@example.com", "+573001234567");
    assert_eq!(company.resend(&id, &[changed]).await.status, 200);
    let titles = [
        "Confirme que es usted",
        "Confirm that it is you",
        "Confirme que é você",
    ];
    names_the_contact(titles, || linked(app, &link(app, &id))).await;
}

/// Numbers of nobody who signs, and too many of them.
async fn identifying(app: &TestApp, company: &Company<'_>) {
    let id = company.created(folio()).await;
    let links = &app.app().links;
    let page = open(app, &links.folio(id.parse().unwrap()).parse().unwrap()).await;
    let token = page.hidden("f");
    let fields = [
        ("f", token.as_str()),
        ("documentType", "CC"),
        ("documentNumber", "999"),
    ];
    let ask = || page.post("/sign/identify", &fields);
    let unknown = [
        "No encontramos a nadie",
        "We found nobody",
        "Não encontramos ninguém",
    ];
    names_the_contact(unknown, ask).await;
    while send(ask()).await.status == 422 {}
    let too_often = ["Espere un momento", "Wait a moment", "Aguarde um instante"];
    names_the_contact(too_often, ask).await;
}

/// A bulk signature with a cancelled folio, one that takes no more codes, and one that is over.
async fn bulk(app: &TestApp, company: &Company<'_>) {
    // Codes to one address are counted for a day, whatever they are for.
    app.advance(Duration::from_hours(24));
    let one = company.created(folio().signers(&signers(1))).await;
    let two = company.created(folio().signers(&signers(1))).await;
    let started = company.start_bulk([&one, &two], &signer("1001")).await;
    let link: Url = started.at("/data/signProcessMassiveUrl").parse().unwrap();
    company.act(&one, FolioAct::Cancel).await;
    let cancelled = ["Anulado", "Cancelled", "Cancelado"];
    names_the_contact(cancelled, || linked(app, &link)).await;
    locked(app, &format!("b{}", started.at("/data/massiveId")), &link).await;
    app.advance(Duration::from_hours(24));
    let over = ["Este enlace venció", "This link has expired", "Este link venceu"];
    names_the_contact(over, || linked(app, &link)).await;
}

/// Sessions that ended. Who never had one is told nothing of the company.
async fn sessions(app: &TestApp, company: &Company<'_>) {
    let id = company.created(folio()).await;
    let page = open(app, &link(app, &id)).await;
    let own = format!("/sign/{id}-0");
    let over = [
        "Su sesión terminó",
        "Your session is over",
        "A sua sessão terminou",
    ];
    for idle in [Duration::from_mins(15), Duration::from_hours(4)] {
        app.advance(idle);
        names_the_contact(over, || page.get(&own)).await;
    }
    let stranger = Page {
        cookie: None,
        ..open(app, &link(app, &id)).await
    };
    for address in [
        own,
        format!("/sign/{}-0", "ab".repeat(16)),
        "/sign?s=x".to_owned(),
    ] {
        let text = send(stranger.get(&address)).await.text();
        assert!(!text.contains(NAME) && !text.contains(EMAIL), "{address}: {text}");
    }
}
