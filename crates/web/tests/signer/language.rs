//! Signers choose the language of their pages; later messages to them are in it.

use crate::MARIA;
use crate::browser::{Page, open, request, send};
use domain::{Language, SignerIndex};
use reqwest::Method;
use testkit::{Company, TestApp, folio, pdf, signer, signers};

/// Chooses a language on the page at that address: the cookies of the browser afterwards.
async fn choose(page: &Page<'_>, back: &str, language: &str) -> String {
    let fields = [("back", back), ("language", language)];
    let chosen = send(page.post("/language", &fields)).await;
    assert_eq!(
        (chosen.status, chosen.header("location")),
        (303, Some(back)),
        "{}",
        chosen.text()
    );
    let cookie = chosen.header("set-cookie").unwrap();
    // It ends with the browser.
    assert!(!cookie.contains("Max-Age"), "{cookie}");
    let (cookie, _) = cookie.split_once(';').unwrap();
    match &page.cookie {
        Some(session) => format!("{session}; {cookie}"),
        None => cookie.to_owned(),
    }
}

async fn choosing<'a>(app: &'a TestApp, id: &str, language: &str) -> Page<'a> {
    let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
    let page = open(app, &link).await;
    let back = page.hidden("back");
    let cookie = Some(choose(&page, &back, language).await);
    Page { cookie, ..page }
}

#[tokio::test]
async fn a_choice_counts_for_pages_and_for_later_messages() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    app.mail_to(MARIA, "Acme le pide su firma").await;
    let page = choosing(&app, &id, "pt").await;
    let own = format!("/sign/{id}-0");
    let text = send(page.get(&own)).await.text();
    assert!(text.contains("<html lang=\"pt\">"), "{text}");
    assert!(text.contains("Receber o código por e-mail"), "{text}");
    assert!(text.contains("value=\"2.pt\""), "{text}");
    let csrf = page.hidden("csrf");
    let form = [("csrf", csrf.as_str()), ("consent", "2.pt")];
    let asked = send(page.post(&format!("{own}/code"), &form)).await;
    assert_eq!(asked.status, 303, "{}", asked.text());
    let code = app.mail_to(MARIA, "O seu código de assinatura").await;
    assert!(code.text.contains("Digite este código"), "{}", code.text);
    // A form with an error is in the language, too, and so is a page of a form that is not there.
    let wrong = send(page.post(&format!("{own}/sign"), &[form[0], form[1], ("code", "12")])).await;
    assert_eq!(wrong.status, 422);
    assert!(
        wrong.text().contains("O código tem 6 dígitos."),
        "{}",
        wrong.text()
    );
    let unknown = send(page.get("/sign/x")).await.text();
    assert!(unknown.contains("Esta página não existe"), "{unknown}");
    // Another browser of the same signer opens the link in the language, whatever it asks for by itself.
    let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
    let path = &link[url::Position::BeforePath..];
    let elsewhere = request(&app, Method::GET, path).header("accept-language", "en");
    let text = send(elsewhere).await.text();
    assert!(text.contains("<html lang=\"pt\">"), "{text}");
    assert_eq!(company.cancel(&[&id], "Ya no hace falta.").await.status, 200);
    app.mail_to(MARIA, "Você não precisa mais assinar").await;
}

#[tokio::test]
async fn the_first_page_is_in_the_language_that_the_browser_asks_for_or_in_the_folio_s() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    company
        .choose(|settings| settings.language = Language::Portuguese)
        .await;
    let own = company.created(folio().signers(&signers(1))).await;
    let other = company
        .created(folio().signers(&signers(1)).with("language", "en"))
        .await;
    for (id, asked, lang) in [
        (&own, "fr", "pt"),
        (&own, "es-CO", "es"),
        (&other, "fr", "en"),
        (&other, "pt-BR", "pt"),
    ] {
        let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
        let path = &link[url::Position::BeforePath..];
        let asked = request(&app, Method::GET, path).header("accept-language", asked);
        let text = send(asked).await.text();
        assert!(
            text.contains(&format!("<html lang=\"{lang}\">")),
            "{lang}: {text}"
        );
    }
    app.mail_to(MARIA, "Acme pede a sua assinatura").await;
    app.mail_to(MARIA, "Acme asks for your signature").await;
    let wrong = company.create(folio().with("language", "fr")).await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.text().contains("(language)"), "{}", wrong.text());
}

#[tokio::test]
async fn a_language_chosen_before_the_signer_is_known_is_remembered_with_the_first_act() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    let link: url::Url = app.app().links.folio(id.parse().unwrap()).parse().unwrap();
    let page = open(&app, &link).await;
    let back = page.hidden("back");
    assert!(back.starts_with("/sign?f="), "{back}");
    let cookie = Some(choose(&page, &back, "en").await);
    let page = Page { cookie, ..page };
    let token = page.hidden("f");
    let fields = [
        ("f", token.as_str()),
        ("documentType", "CC"),
        ("documentNumber", "1001"),
    ];
    let identified = send(page.post("/sign/identify", &fields)).await;
    assert_eq!(identified.status, 303, "{}", identified.text());
    assert_eq!(company.cancel(&[&id], "Ya no hace falta.").await.status, 200);
    app.mail_to(MARIA, "You no longer need to sign").await;
}

#[tokio::test]
async fn a_bulk_signature_speaks_the_chosen_language_in_all_its_folios() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let mut folios = Vec::new();
    for _ in 0..2 {
        folios.push(company.created(folio().signers(&signers(1))).await);
    }
    let started = company.start_bulk(&folios, &signer("1001")).await;
    let link: url::Url = started.at("/data/signProcessMassiveUrl").parse().unwrap();
    let page = open(&app, &link).await;
    let back = page.hidden("back");
    let cookie = Some(choose(&page, &back, "pt").await);
    let page = Page { cookie, ..page };
    let text = send(page.get(&back)).await.text();
    assert!(text.contains("Documentos para assinar"), "{text}");
    assert_eq!(company.cancel(&folios, "Ya no hace falta.").await.status, 200);
    for _ in &folios {
        app.mail_to(MARIA, "Você não precisa mais assinar").await;
    }
    let cancelled = app.mailbox().await;
    let cancelled = cancelled
        .iter()
        .filter(|mail| mail.subject.contains("precisa mais assinar"));
    assert_eq!(cancelled.count(), 2);
}

#[tokio::test]
async fn the_switch_leads_only_to_pages_that_have_it() {
    let app = TestApp::start().await;
    for (back, language) in [
        ("https://evil.example/sign", "pt"),
        ("//evil.example", "pt"),
        ("/panel", "pt"),
        ("/verify", "fr"),
        ("/verify", ""),
    ] {
        let page = open(&app, &format!("http://{}/verify", app.address()).parse().unwrap()).await;
        let refused = send(page.post("/language", &[("back", back), ("language", language)])).await;
        assert_eq!(
            (refused.status, refused.header("set-cookie")),
            (400, None),
            "{back}"
        );
    }
    let page = open(&app, &format!("http://{}/verify", app.address()).parse().unwrap()).await;
    let cookie = choose(&page, "/verify", "pt").await;
    let page = Page {
        cookie: Some(cookie),
        ..page
    };
    let text = send(page.get("/verify")).await.text();
    assert!(text.contains("Verificar um documento"), "{text}");
    let foreign = request(&app, Method::POST, "/language")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "cross-site")
        .body("back=/verify&language=pt");
    let foreign = send(foreign).await;
    assert_eq!((foreign.status, foreign.header("set-cookie")), (403, None));
}

/// What the document of a folio in one language says, line breaks aside, once someone signed it who reads another.
async fn signed_sheet(app: &TestApp, company: &Company<'_>, [language, read]: [&str; 2]) -> String {
    let fields = folio().signers(&signers(1)).with("language", language);
    let id = company.created(fields).await;
    let page = choosing(app, &id, read).await;
    let own = format!("/sign/{id}-0");
    let csrf = page.hidden("csrf");
    let consent = format!("2.{read}");
    let form = [("csrf", csrf.as_str()), ("consent", consent.as_str())];
    assert_eq!(send(page.post(&format!("{own}/code"), &form)).await.status, 303);
    let code = app.code_for(MARIA).await;
    let signed = send(page.post(
        &format!("{own}/sign"),
        &[form[0], form[1], ("code", code.as_str())],
    ))
    .await;
    assert_eq!(signed.status, 303, "{}", signed.text());
    let document = company.document_of(&id).await;
    let file = company.download(&document).await.body;
    assert!(file.starts_with(&pdf::contract()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contrato.pdf");
    std::fs::write(&path, &file).unwrap();
    let text = std::process::Command::new("pdftotext")
        .args(["-layout".as_ref(), path.as_os_str(), "-".as_ref()])
        .output()
        .unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_sheet_is_in_the_language_of_the_folio_whoever_signs_it() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    for (languages, said) in [
        (
            ["es", "pt"],
            [
                "HOJA DE FIRMAS",
                "Firmantes",
                "FIRMADO ELECTRÓNICAMENTE",
                "Dirección IP 127.0.0.1",
                "Medio de verificación",
                "Código por correo a m•••1@e•••.com",
                "versión 2.pt, huella",
            ],
        ),
        (
            ["pt", "en"],
            [
                "FOLHA DE ASSINATURAS",
                "Signatários",
                "ASSINADO ELETRONICAMENTE",
                "Endereço IP 127.0.0.1",
                "Meio de verificação",
                "Código por e-mail para m•••1@e•••.com",
                "versão 2.en, hash",
            ],
        ),
    ] {
        let text = signed_sheet(&app, &company, languages).await;
        for words in said {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(!text.contains(MARIA), "the contact is masked: {text}");
    }
}
