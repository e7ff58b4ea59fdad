//! The evidence as a report for people, as other programs read it.

use app::SigningParty;
use app::evidence::SealedEvidence;
use domain::{Client, SignerIndex};
use std::process::Command;
use tempfile::TempDir;
use testkit::{Company, SIGNER_ADDRESS, TestApp, folio, pdf, signers, validate, validate_long_term};

/// A report in a directory of its own, for programs that read files.
struct ReportFile {
    directory: TempDir,
}

impl ReportFile {
    fn new(bytes: &[u8]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("constancia.pdf"), bytes).unwrap();
        Self { directory }
    }

    /// What a program says of it.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(self.directory.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{program}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Its words, in lines.
    fn text(&self) -> String {
        self.run("pdftotext", &["-layout", "constancia.pdf", "-"])
    }

    /// The address in the code on its first page.
    fn code(&self) -> String {
        let options = ["-gray", "-r", "200", "-f", "1", "-l", "1", "-singlefile"];
        self.run("pdftoppm", &[&options[..], &["constancia.pdf", "page"]].concat());
        // `P5`, width, height, the brightest value, and a byte for each pixel.
        let image = self.read("page.pgm");
        let mut parts = image.splitn(4, |byte| *byte == b'\n');
        let [_, size, _, pixels] = std::array::from_fn(|_| parts.next().unwrap());
        let (width, height) = std::str::from_utf8(size).unwrap().split_once(' ').unwrap();
        let [width, height] = [width, height].map(|side| side.parse::<usize>().unwrap());
        let mut image =
            rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| pixels[y * width + x]);
        let codes = image.detect_grids();
        assert_eq!(codes.len(), 1, "one code");
        codes[0].decode().unwrap().1
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.directory.path().join(name)).unwrap()
    }
}

/// These are lines of the text, one after the other.
fn assert_in_order(text: &str, headings: &[&str]) {
    let mut lines = text.lines().map(str::trim);
    for heading in headings {
        assert!(lines.any(|line| line == *heading), "{heading}, in order: {text}");
    }
}

#[tokio::test]
async fn the_report_is_a_document_that_others_accept() {
    let app = TestApp::start().await;
    let acme = app.company("Acme Ñandú (漢字) <b>").await;
    let read = acme.created(folio().signers(&signers(1))).await;
    app.sign_by_email(&read, SignerIndex(0), "maria.1001@example.com")
        .await;
    let report = acme.get(&format!("evidence?folioId={read}&format=pdf")).await;
    assert_eq!(report.header("content-type"), Some("application/pdf"));
    let disposition = report.header("content-disposition").unwrap();
    assert!(
        disposition.contains(&format!("constancia-{read}.pdf")),
        "{disposition}"
    );
    let root = app.app().notary.root().as_der().to_vec();
    let judged = validate(&report.body, &root);
    assert_eq!(
        (judged.pdfsig, judged.pyhanko.as_slice()),
        (1, ["valid".to_owned()].as_slice())
    );
    let file = ReportFile::new(&report.body);
    file.run("qpdf", &["--check", "constancia.pdf"]);
    // Its own revocation data is inside, and lasts for others.
    let objects = file.run("qpdf", &["--json", "--json-key=qpdf", "constancia.pdf"]);
    assert!(objects.contains("\"/DSS\":") && objects.contains("\"/CRLs\":"));
    let now = app.app().clock.now();
    let now = jiff::Timestamp::from_microsecond(now.as_micros()).unwrap();
    assert_eq!(validate_long_term(&report.body, &root, now), ["passed"]);
    let document = acme.document_of(&read).await;
    assert_eq!(
        file.code(),
        format!("https://firmeza.example.com/verify/{document}")
    );
    let text = file.text();
    for words in [
        "Constancia de firma electrónica",
        "María Pérez 1001 firmó con el código recibido por correo",
        &SIGNER_ADDRESS.to_string(),
        "Firmado por todos",
        "Páginas que se le mostraron de «contrato.pdf»: 0 de 1",
        "Página 1 de",
        "2026-03-02 09:30:00.000 -05:00",
        "Resumen por firmante",
        "Dirección IP",
        "No es una firma digital",
        "(sistema, por su llave de la API)",
        "Zona horaria America/Bogota",
        "no un tercero",
        "firmeza verify --root root.crt",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_in_order(
        &text,
        &[
            "Constancia de firma electrónica",
            "Resumen por firmante",
            "Proceso de firma",
            "Qué ocurrió",
            "Qué se comprobó",
            "Anexo: huellas y certificados",
            "Cómo verificar esta constancia",
        ],
    );
    file.run("pdfdetach", &["-saveall", "constancia.pdf"]);
    let attached = file.read(&format!("evidencia-{read}.json"));
    let faults = app::evidence::check(&attached, None, &[], app.app().clock.now()).faults;
    assert_eq!(faults, []);
}

/// The text of the report of a folio that was signed, and its catalogue's language.
async fn report_text(app: &TestApp, company: &Company<'_>, id: &str) -> (String, String) {
    app.sign_by_email(id, SignerIndex(0), "maria.1001@example.com")
        .await;
    let report = company.get(&format!("evidence?folioId={id}&format=pdf")).await;
    let file = ReportFile::new(&report.body);
    let catalogue = file.run("qpdf", &["--json", "--json-key=qpdf", "constancia.pdf"]);
    let language = catalogue.split("\"/Lang\": \"u:").nth(1).unwrap_or_default();
    (file.text(), language.split('"').next().unwrap().to_owned())
}

fn fields(law: &str) -> [(&str, &str); 3] {
    [("name", "Acme"), ("language", "pt"), ("legal_basis", law)]
}

#[tokio::test]
async fn the_report_is_in_the_folios_language_and_names_its_legal_basis() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme
        .signed_in("admin@acme.example", domain::Role::Administrator)
        .await;
    let usual = acme.created(folio().signers(&signers(1))).await;
    let law = "Lei 14.063 de 2020 (Brasil)";
    let too_long = "x".repeat(201);
    let answer = admin.post("/panel/company", &fields(&too_long)).await;
    assert_eq!(answer.status, 422);
    assert!(
        answer.text().contains("Escriba la ley en una línea"),
        "{}",
        answer.text()
    );
    assert_eq!(admin.post("/panel/company", &fields(law)).await.status, 303);
    assert!(admin.get("/panel/company").await.text().contains(law));
    assert!(admin.get("/panel/audit").await.text().contains("base legal"));
    let portuguese = acme.created(folio().signers(&signers(1))).await;
    let english = acme
        .created(folio().signers(&signers(1)).with("language", "en"))
        .await;
    let colombian = "Ley 527 de 1999 y Decreto 2364 de 2012 (Colombia)";
    let article = "artículo 28";
    for (id, language, has, lacks) in [
        (
            &usual,
            "es",
            [
                "Constancia de firma electrónica",
                "Qué ocurrió",
                colombian,
                article,
            ],
            law,
        ),
        (
            &english,
            "en",
            [
                "Record of electronic signature",
                "What happened",
                law,
                "A one-time code was generated",
            ],
            article,
        ),
        (
            &portuguese,
            "pt",
            ["Relatório de assinatura", "O que aconteceu", law, "Aceitou"],
            article,
        ),
    ] {
        let (text, marked) = report_text(&app, &acme, id).await;
        assert_eq!(marked, language);
        for words in has {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(!text.contains(lacks), "{lacks}: {text}");
        assert_eq!(text.contains("Resumen por firmante"), language == "es", "{text}");
        let evidence: serde_json::Value = acme.evidence(id).await.json();
        assert_eq!(evidence["evidence"]["folio"]["language"], language);
        // The guide for auditors is on the installation's own site: who reads the report has no copy of the repository.
        let guide = match language {
            "en" => "/docs/en/auditors",
            _ => "/docs/auditores",
        };
        let unbroken: String = text.split_whitespace().collect();
        assert!(
            unbroken.contains(&format!("https://firmeza.example.com{guide}.")),
            "{text}"
        );
        assert_eq!(acme.get(guide).await.status, 200, "{guide}");
    }
    // The sheet names the same law, and keeps it.
    let document = acme.document_of(&portuguese).await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("contrato.pdf");
    std::fs::write(&file, acme.download(&document).await.body).unwrap();
    let sheet = Command::new("pdftotext")
        .arg("-layout")
        .arg(&file)
        .arg("-")
        .output()
        .unwrap();
    let sheet = String::from_utf8_lossy(&sheet.stdout).into_owned();
    assert!(sheet.contains(law), "{sheet}");
    assert_eq!(admin.post("/panel/company", &fields("")).await.status, 303);
    let evidence: serde_json::Value = acme.evidence(&portuguese).await.json();
    assert_eq!(evidence["evidence"]["folio"]["legal_basis"], law);
}

/// The headings of a report in Spanish, the large and the small ones that have no name in them.
const HEADINGS: [&str; 11] = [
    "Resumen por firmante",
    "Proceso de firma",
    "Qué ocurrió",
    "Qué se comprobó",
    "Firmantes",
    "Textos aceptados",
    "Documentos",
    "Anexo: huellas y certificados",
    "Certificados del servicio",
    "Eventos",
    "Cómo verificar esta constancia",
];

/// The evidence of a folio that its only signer has signed, as the signer gets it.
async fn sealed_evidence(app: &TestApp, id: &str) -> SealedEvidence {
    app.sign_by_email(id, SignerIndex(0), "maria.1001@example.com")
        .await;
    let party = SigningParty::Signer {
        folio: id.parse().unwrap(),
        signer_index: SignerIndex(0),
    };
    let session = app.proven_session(party).await;
    let sealed = app
        .app()
        .evidence_for(&session, id.parse().unwrap(), 1, Client::default());
    sealed.await.unwrap()
}

#[tokio::test]
async fn an_accepted_text_stands_whole_on_one_page() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().signers(&signers(1))).await;
    let mut sealed = sealed_evidence(&app, &id).await;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let consent = &sealed.evidence.consents[0];
    let all = format!(
        "Textos aceptados Versión {} {} SHA-256 {}",
        consent.name, consent.text, consent.sha256
    );
    let all = words(&all);
    let last = sealed.evidence.history.events.last().unwrap().clone();
    // Each event of the story moves the text down by less than it takes, until no page has room below the rest.
    for _ in 0..60 {
        let report = app.app().evidence_report(&sealed).await.unwrap();
        let text = ReportFile::new(&report).text();
        let mut pages = text.split_terminator('\u{c}').map(words);
        let page = pages.find(|page| page.contains("Textos aceptados Versión"));
        let page = page.unwrap_or_else(|| panic!("no accepted text: {text}"));
        assert!(page.contains(&all), "{all}: {page}");
        if page.starts_with("Textos aceptados") {
            return;
        }
        sealed.evidence.history.events.push(last.clone());
    }
    panic!("no page began with the accepted text");
}

#[tokio::test]
async fn no_page_of_a_report_ends_with_a_heading() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    // The hashes of the first event take more room than a small heading asks for below it.
    let documents = (1..=8).map(|number| (format!("contrato-{number}.pdf"), pdf::contract()));
    let fields = folio().signers(&signers(1)).documents(documents);
    let id = acme.created(fields).await;
    let mut sealed = sealed_evidence(&app, &id).await;
    let last = sealed.evidence.history.events.last().unwrap().clone();
    let certificate = sealed.evidence.signers[0].certificates[0].clone();
    // Certificates are lines before the events of the annex. Five more move its heading by less than its first event takes, over
    // the height of a page.
    let mut pages = 0;
    for _ in 0..13 {
        let evidence = &mut sealed.evidence;
        evidence.history.events.extend([last.clone(), last.clone()]);
        evidence.signers[0]
            .certificates
            .extend(std::iter::repeat_n(certificate.clone(), 5));
        let report = app.app().evidence_report(&sealed).await.unwrap();
        let text = ReportFile::new(&report).text();
        for heading in HEADINGS {
            assert!(
                text.lines().any(|line| line.trim() == heading),
                "{heading}: {text}"
            );
        }
        for page in text.split_terminator('\u{c}') {
            let mut lines = page.lines().map(str::trim).filter(|line| !line.is_empty()).rev();
            let foot = lines.next().unwrap();
            assert!(foot.contains("Página "), "{page}");
            let end = lines.next().unwrap();
            let heading = HEADINGS.contains(&end) || end.starts_with("Certificado de cada firma");
            assert!(!heading, "{end} ends a page: {page}");
            pages += 1;
        }
    }
    assert!(pages > 13 * 3, "reports of several pages: {pages}");
}
