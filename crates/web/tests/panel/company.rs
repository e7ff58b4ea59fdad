//! The company's own settings, and where they show.

use domain::{Role, SignerIndex};
use std::time::Duration;
use testkit::{TestApp, folio, signers};

const NAME: &str = "Inmobiliaria Ñandú";

fn fields<'f>(more: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let mut fields = vec![
        ("name", NAME),
        ("colour", "#0b5563"),
        ("timezone", ""),
        ("origins", ""),
        ("folio_days", ""),
        ("retention_days", ""),
    ];
    fields.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    fields.extend(more);
    fields
}

fn logo() -> Vec<u8> {
    // One grey pixel.
    let hex = "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c63680000008200\
               8177cd72b60000000049454e44ae426082";
    let digits = hex.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

#[tokio::test]
async fn the_page_shows_how_the_look_will_be() {
    let app = testkit::TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme
        .signed_in("admin@acme.example", domain::Role::Administrator)
        .await;
    let page = admin.get("/panel/company").await.text();
    assert!(
        page.contains("fill=\"#0b5563\"") && page.contains("Se lee bien: contraste de"),
        "{page}"
    );
    let previews: Vec<&str> = page.split("data-preview=\"name\"").skip(1).collect();
    assert_eq!(previews.len(), 3, "{page}");
    assert!(
        previews
            .iter()
            .all(|preview| preview.split_once('>').unwrap().1.starts_with("Acme</text>")),
        "{page}"
    );
    let light = [
        ("name", "Acme"),
        ("own_colour", "yes"),
        ("colour", "#ffe600"),
        ("folio_days", "x"),
    ];
    let wrong = admin.post("/panel/company", &light).await;
    assert_eq!(wrong.status, 422);
    let page = wrong.text();
    assert!(
        page.contains("No se lee bien (contraste de 1,1:1): al guardar se oscurece hasta 4,5:1")
            && !page.contains("fill=\"#ffe600\""),
        "{page}"
    );
}

#[tokio::test]
async fn the_previews_speak_the_language_of_the_folios_and_show_the_logo() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("admin@example.com", Role::Administrator).await;
    let english = [("language", "en"), ("back", "/panel/company")];
    assert_eq!(admin.post("/panel/account/language", &english).await.status, 303);
    let page = admin.get("/panel/company").await.text();
    assert!(!page.contains("<image"), "there is no logo");
    for (language, words) in [
        (
            "es",
            [
                "Continuar",
                "¿Necesita ayuda? Comuníquese con:",
                "Leer y firmar",
                "¿Preguntas? Comuníquese con:",
                "Hoja de firmas",
                "Enviado por",
                "Fecha y hora",
                "Base legal",
            ],
        ),
        (
            "en",
            [
                "Continue",
                "Do you need help? Contact:",
                "Read and sign",
                "Questions? Contact:",
                "Signature sheet",
                "Sent by",
                "Date and time",
                "Legal basis",
            ],
        ),
        (
            "pt",
            [
                "Continuar",
                "Precisa de ajuda? Fale com:",
                "Ler e assinar",
                "Dúvidas? Fale com:",
                "Folha de assinaturas",
                "Enviado por",
                "Data e hora",
                "Base legal",
            ],
        ),
    ] {
        let saved = admin
            .post("/panel/company", &fields(&[("language", language)]))
            .await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        let page = admin.get("/panel/company").await.text();
        let shown = page.split("data-preview=\"words\"").skip(1);
        let shown: Vec<&str> = shown.map(|text| text.split(['>', '<']).nth(1).unwrap()).collect();
        assert_eq!(shown, words, "{language}");
    }
    assert_eq!(
        admin.upload("/panel/company/logo", "logo", &logo()).await.status,
        303
    );
    let page = admin.get("/panel/company").await.text();
    assert!(page.contains("<image href=\"/logos/"), "{page}");
}

#[tokio::test]
async fn the_previews_show_the_contact_and_the_law_without_a_script() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("admin@example.com", Role::Administrator).await;
    let shown = |page: &str, opening: &str| -> Vec<String> {
        let texts = page.split(opening).skip(1);
        texts
            .map(|text| text.split(['>', '<']).nth(1).unwrap().to_owned())
            .collect()
    };
    let page = admin.get("/panel/company").await.text();
    assert_eq!(
        page.matches("data-preview=\"contact\" display=\"none\"").count(),
        2
    );
    let law = shown(&page, "data-preview=\"legal_basis\"");
    assert_eq!(law, ["Ley 527 de 1999 y Decreto 236…"]);
    let more = fields(&[
        ("contact_name", "Ana Gómez"),
        ("contact_phone", "+57 601 555 0100"),
        ("legal_basis", "Lei 14.063"),
    ]);
    assert_eq!(admin.post("/panel/company", &more).await.status, 303);
    let page = admin.get("/panel/company").await.text();
    assert!(!page.contains("data-preview=\"contact\" display"), "{page}");
    let lines = ["Ana Gómez", "+57 601 555 0100", ""];
    assert_eq!(shown(&page, " data-line"), [lines, lines].concat());
    assert_eq!(shown(&page, "data-preview=\"legal_basis\""), ["Lei 14.063"]);
    assert!(page.len() < 100_000, "{}", page.len());
}

#[tokio::test]
async fn name_colour_and_logo_show_on_signers_pages_and_emails() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let look = fields(&[("own_colour", "yes"), ("colour", "#FFE600")]);
    let saved = admin.post("/panel/company", &look).await;
    assert_eq!(
        saved.header("location"),
        Some("/panel/company?done=darker"),
        "{}",
        saved.text()
    );
    let uploaded = admin.upload("/panel/company/logo", "logo", &logo()).await;
    assert_eq!(
        uploaded.header("location"),
        Some("/panel/company?done=logo"),
        "{}",
        uploaded.text()
    );
    let page = admin.get("/panel/company").await.text();
    assert!(page.contains("/logos/") && page.contains(NAME));

    let id = company.created(folio().signers(&signers(1))).await;
    let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
    let signer = testkit::PanelBrowser::new(&app, "maria");
    let page = signer.get(&link[url::Position::BeforePath..]).await;
    let text = page.text();
    assert!(text.contains(NAME) && !text.contains("Acme"));
    let style = text
        .split("<style>")
        .nth(2)
        .unwrap()
        .split("</style>")
        .next()
        .unwrap();
    assert!(style.starts_with(":root{--accent:#"), "{style}");
    let policy = page.header("content-security-policy").unwrap();
    let sources = policy
        .split("style-src ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    assert_eq!(sources.matches("'sha256-").count(), 2, "{policy}");
    assert!(!policy.contains("unsafe"));
    let address = text
        .split("src=\"/logos/")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let picture = signer.get(&format!("/logos/{address}")).await;
    assert_eq!(
        (picture.status, picture.header("content-type")),
        (200, Some("image/png"))
    );
    assert_eq!(picture.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(
        picture.header("content-security-policy"),
        Some("default-src 'none'; sandbox")
    );
    assert!(picture.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(picture.body, logo());
    let mail = app.mail_to("maria.1001@example.com", NAME).await;
    let accent = style
        .split("--accent:")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    assert!(
        mail.html.contains(&format!("bgcolor=\"{accent}\"")),
        "{}",
        mail.html
    );

    let remove = "/panel/company/logo/remove";
    assert!(
        admin
            .post(remove, &[])
            .await
            .text()
            .contains("¿Eliminar el logo?")
    );
    assert_eq!(admin.post(remove, &[("sure", "yes")]).await.status, 303);
    assert_eq!(signer.get(&format!("/logos/{address}")).await.status, 404);
    let audit = admin.get("/panel/audit").await.text();
    for words in [
        "<td>Cambió los datos de la empresa",
        "nombre, color",
        "<td>Cambió el logo",
    ] {
        assert!(audit.contains(words), "{words}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_said_next_to_its_field() {
    let app = TestApp::start().await;
    app.company("Globex").await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    for (field, value, words) in [
        ("name", " ", "Escriba el nombre"),
        ("name", "Globex", "Otra empresa"),
        ("timezone", "America/Nowhere", "Elija una zona"),
        ("language", "fr", "Elija un idioma"),
        ("origins", "https://a.example portal", "«portal» no es un sitio"),
        ("folio_days", "0", "entre 1 y 36500"),
        ("retention_days", "mil", "entre 1 y 36500"),
        ("folio_days", "99999999999999999999", "entre 1 y 36500"),
    ] {
        let answer = admin.post("/panel/company", &fields(&[(field, value)])).await;
        assert_eq!(answer.status, 422, "{field} {value}");
        assert!(
            answer.text().contains(words),
            "{field} {value}: {}",
            answer.text()
        );
    }
    let colour = fields(&[("own_colour", "yes"), ("colour", "red;}")]);
    assert_eq!(admin.post("/panel/company", &colour).await.status, 422);
    for (file, words) in [
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
            "no es una imagen PNG o JPEG",
        ),
        (vec![0; 257 << 10], "más de 256 KB"),
        (vec![0; 2 << 20], "más de 256 KB"),
        (Vec::new(), "Elija un archivo"),
    ] {
        let answer = admin.upload("/panel/company/logo", "logo", &file).await;
        assert_eq!(answer.status, 422, "{words}");
        assert!(answer.text().contains(words), "{words}: {}", answer.text());
    }
    assert!(!admin.get("/panel/audit").await.text().contains("<td>Cambió"));
}

#[tokio::test]
async fn new_folios_are_in_the_companys_language() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let before = company.created(folio().signers(&signers(1))).await;
    let chosen = fields(&[("language", "pt")]);
    assert_eq!(admin.post("/panel/company", &chosen).await.status, 303);
    let page = admin.get("/panel/company").await.text();
    assert!(
        page.contains("<option value=\"pt\" lang=\"pt\" selected>Português</option>"),
        "{page}"
    );
    assert!(admin.get("/panel/audit").await.text().contains("idioma"));
    company.created(folio().signers(&signers(1))).await;
    let maria = "maria.1001@example.com";
    app.mail_to(maria, "pede a sua assinatura").await;
    // A folio that people have read keeps its language.
    let cancelled = company.cancel(&[&before], "Ya no hace falta.").await;
    assert_eq!(cancelled.status, 200);
    app.mail_to(maria, "Ya no necesita firmar").await;
}

#[tokio::test]
async fn embedding_and_the_zone_are_the_companys() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let chosen = fields(&[
        ("origins", "https://Portal.example/\r\nhttp://localhost:3000"),
        ("timezone", "Asia/Tokyo"),
        ("approval", "yes"),
    ]);
    assert_eq!(admin.post("/panel/company", &chosen).await.status, 303);
    let page = admin.get("/panel/company").await.text();
    assert!(
        page.contains("https://portal.example\nhttp://localhost:3000</textarea>"),
        "{page}"
    );
    assert!(
        page.contains("Las estampas de tiempo las pone este mismo servicio"),
        "{page}"
    );
    assert!(page.contains("<option selected>Asia/Tokyo</option>"));
    // 9:30 in Bogotá is 23:30 in Tokyo.
    assert!(
        admin
            .get("/panel/account")
            .await
            .text()
            .contains("11:30\u{a0}p.\u{a0}m.")
    );
    let done = company.created(folio()).await;
    app.sign_by_email(&done, SignerIndex(0), "maria.1001@example.com")
        .await;
    let link = app.app().links.signer(done.parse().unwrap(), SignerIndex(0));
    let signer = testkit::PanelBrowser::new(&app, "maria");
    let page = signer.get(&link[url::Position::BeforePath..]).await.text();
    assert!(page.contains("11:30\u{a0}p.\u{a0}m."), "{page}");
}

#[tokio::test]
async fn a_new_folio_ends_after_the_companys_days() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let before = company.created(folio()).await;
    assert_eq!(
        admin
            .post("/panel/company", &fields(&[("folio_days", "3")]))
            .await
            .status,
        303
    );
    let after = company.created(folio()).await;
    app.advance(Duration::from_hours(72));
    let open = async |folio: &str| {
        let link = app.app().links.signer(folio.parse().unwrap(), SignerIndex(0));
        let page = testkit::PanelBrowser::new(&app, "maria")
            .get(&link[url::Position::BeforePath..])
            .await;
        !page.text().contains("El plazo para firmar terminó")
    };
    assert!(open(&before).await && !open(&after).await);
}

/// Names and values of a page's fields that begin so.
fn inputs<'p>(page: &'p str, start: &'static str) -> Vec<(&'p str, &'p str)> {
    let starts = page.split(start).skip(1).filter_map(|rest| rest.split_once('"'));
    starts
        .map(|(name, rest)| {
            let value = rest.strip_prefix(" value=\"").unwrap_or_default();
            (name, value.split('"').next().unwrap())
        })
        .filter(|(name, _)| *name != "csrf")
        .collect()
}

#[tokio::test]
async fn who_confirms_a_shorter_time_loses_no_other_setting() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let all = fields(&[
        ("own_colour", "yes"),
        ("colour", "#7a1f5c"),
        ("timezone", "America/Lima"),
        ("origins", "https://portal.acme.example"),
        ("approval", "yes"),
        ("folio_days", "20"),
        ("retention_days", "300"),
        ("erase_signed", "500"),
        ("erase_rejected", "501"),
        ("erase_cancelled", "502"),
        ("erase_pending", "503"),
        ("reminder_first", "4"),
        ("reminder_every", "3"),
        ("reminder_max", "2"),
        ("reminder_before", "1"),
        ("contact_name", "Ana"),
        ("contact_email", "ana@acme.example"),
        ("contact_phone", "601 234 5678"),
        ("auto_return", "yes"),
        ("read_to_end", "yes"),
        ("picture", "required"),
        ("language", "en"),
        ("legal_basis", "Ley 1 de 2026"),
    ]);
    let sure = [&all[..], &[("sure", "yes")]].concat();
    assert_eq!(admin.post("/panel/company", &sure).await.status, 303);
    let mut expected = app.app().company_settings(company.id).await.unwrap();
    assert!(expected.legal_basis.is_some());

    let mut shorter = all;
    for (name, value) in &mut shorter {
        if *name == "retention_days" {
            *value = "30";
        }
    }
    let asked = admin.post("/panel/company", &shorter).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    let asked = asked.text();
    let carried = inputs(&asked, "<input type=\"hidden\" name=\"");
    // Every field of the page is carried, also one that this test does not know. Nobody here has a second factor to demand.
    let page = admin.get("/panel/company").await.text();
    let (_, form) = page
        .split_once("<form method=\"post\" action=\"/panel/company\">")
        .unwrap();
    let form = form.split("</form>").next().unwrap();
    for (name, _) in inputs(form, " name=\"") {
        let is_there = carried.iter().any(|(known, _)| *known == name);
        assert!(is_there || name == "second_factor", "{name}: {asked}");
    }
    assert_eq!(admin.post("/panel/company", &carried).await.status, 303);
    expected.retention_days = Some(30);
    let kept = app.app().company_settings(company.id).await.unwrap();
    assert_eq!(kept, expected);
}

#[tokio::test]
async fn finished_folios_are_dropped_when_their_time_is_over() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let other = app.company("Globex").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let save = async |days: &str, sure: &str| {
        let form = fields(&[("retention_days", days), ("sure", sure)]);
        admin.post("/panel/company", &form).await
    };
    let asked = save("30", "").await;
    assert_eq!(asked.status, 200);
    let words = [
        "¿Conservar los folios menos tiempo?",
        "name=\"retention_days\" value=\"30\"",
    ];
    assert!(
        words.iter().all(|words| asked.text().contains(words)),
        "{}",
        asked.text()
    );
    assert_eq!(save("30", "yes").await.status, 303);
    assert_eq!(
        save("40", "").await.status,
        303,
        "a longer one asks for no confirmation"
    );
    assert_eq!(save("30", "").await.status, 200, "shorter does");
    assert_eq!(save("30", "yes").await.status, 303);
    let unapproved = fields(&[("retention_days", "30")]);
    company.use_approval().await;
    let asked = admin.post("/panel/company", &unapproved).await;
    assert_eq!(asked.status, 200, "what waits to be approved would be dropped");
    assert_eq!(save("30", "yes").await.status, 303);
    let (cancelled, pending) = (company.created(folio()).await, company.created(folio()).await);
    let foreign = other.created(folio()).await;
    company
        .cancel([cancelled.as_str()], "Se cancela por error.")
        .await
        .ok();
    other
        .cancel([foreign.as_str()], "Se cancela por error.")
        .await
        .ok();
    app.advance(Duration::from_hours(24 * 30));
    assert_eq!(app.app().drop_past_retention().await.unwrap(), 0);
    app.advance(Duration::from_secs(1));
    assert_eq!(app.app().drop_past_retention().await.unwrap(), 1);
    assert_eq!(app.app().drop_past_retention().await.unwrap(), 0);
    let history = company.history(&cancelled).await;
    let last = &history.last().unwrap().body;
    assert!(
        last.contains("\"what\":\"dropped\"") && last.contains("\"who\":\"service\""),
        "{last}"
    );
    let gone = |folio: &str| {
        let folio = folio.to_owned();
        let company = if folio == foreign { &other } else { &company };
        async move {
            company
                .read(&folio)
                .await
                .json()
                .to_string()
                .contains("\"flag_drop\":\"1\"")
        }
    };
    assert!(gone(&cancelled).await);
    assert!(!gone(&pending).await && !gone(&foreign).await);
}
