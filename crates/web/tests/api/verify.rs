//! The verification page.

use domain::SignerIndex;
use reqwest::Method;
use std::fmt::Write;
use std::time::Duration;
use testkit::{Company, Form, TestApp, TestResponse, folio, pdf, redacted, signers};

/// What a person reads on a page.
fn words(answer: &TestResponse) -> String {
    let html = answer.text();
    let main = html
        .split("<main")
        .nth(1)
        .unwrap()
        .split("</main>")
        .next()
        .unwrap();
    let (mut out, mut tag) = (String::new(), false);
    for letter in main.split_once('>').unwrap().1.chars() {
        match letter {
            '<' => tag = true,
            '>' => {
                tag = false;
                out.push(' ');
            }
            letter if !tag => out.push(letter),
            _ => {}
        }
    }
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = out.lines().map(line).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

async fn check(nobody: &Company<'_>, path: &str, name: &str, bytes: &[u8]) -> TestResponse {
    nobody
        .post_form(path, Form::new().file("file", name, bytes))
        .await
}

/// A contract signed by two and extended, and its document's identifier.
async fn signed(app: &TestApp, acme: &Company<'_>) -> (String, Vec<u8>) {
    let id = acme.created(folio().signers(&signers(2))).await;
    for (place, email) in ["maria.1001@example.com", "maria.1002@example.com"]
        .iter()
        .enumerate()
    {
        app.sign_by_email(&id, SignerIndex(place), email).await;
    }
    app.app().extend_due().await.unwrap();
    let document = acme.document_of(&id).await;
    let bytes = acme.download(&document).await.body;
    (document, bytes)
}

/// Hashes differ from run to run.
fn steady(words: &str) -> String {
    let hash = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lines: Vec<String> = words
        .lines()
        .map(|line| {
            let words: Vec<&str> = line
                .split(' ')
                .map(|word| if hash(word) { "[hash]" } else { word })
                .collect();
            let line = words.join(" ");
            match line.find("Firmeza ") {
                Some(at) => format!("{}Firmeza […]", &line[..at]),
                None => line,
            }
        })
        .collect();
    redacted(&lines.join("\n"))
}

#[tokio::test]
async fn a_file_is_explained_in_plain_words() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let (document, bytes) = signed(&app, &acme).await;
    let nobody = acme.saying(None);
    let mut shown = String::new();
    let mut changed = bytes.clone();
    let at = changed
        .windows(8)
        .position(|window| window == b"Contrato")
        .unwrap();
    changed[at] = b'K';
    for (name, file) in [
        ("valid", bytes.as_slice()),
        ("changed", &changed),
        ("unsigned", &pdf::contract()),
        ("not a PDF", b"hola"),
    ] {
        let answer = check(&nobody, "/verify", "contrato.pdf", file).await;
        assert_eq!(answer.status, 200, "{name}");
        write!(shown, "--- {name}\n{}\n", words(&answer)).unwrap();
    }
    let page = nobody.get(&format!("/verify/{document}")).await;
    assert_eq!(page.status, 200);
    assert!(
        !page.text().contains("María") && !page.text().contains("Acme"),
        "nobody is named"
    );
    assert_eq!(page.text().matches(" data-copy=\"").count(), 2, "both hashes");
    write!(shown, "--- known\n{}\n", words(&page)).unwrap();
    for (name, file) in [
        ("current", bytes.as_slice()),
        ("original", &pdf::contract()),
        ("other", &changed),
    ] {
        let answer = check(&nobody, &format!("/verify/{document}"), "x.pdf", file).await;
        let same: Vec<String> = words(&answer)
            .lines()
            .filter(|line| line.starts_with("El archivo "))
            .map(str::to_owned)
            .collect();
        write!(shown, "--- as that document: {name}\n{}\n", same.join("\n")).unwrap();
    }
    insta::assert_snapshot!("verify_words", steady(&shown));
}

#[tokio::test]
async fn what_cannot_be_checked_is_said_so() {
    let app = TestApp::builder()
        .policy(|policy| policy.document_bytes = 1 << 20)
        .start()
        .await;
    let acme = app.company("Acme").await;
    let nobody = acme.saying(None);
    let page = nobody.get("/verify").await;
    assert_eq!(
        (page.status, page.header("cache-control")),
        (200, Some("no-store"))
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    let none = nobody.post_form("/verify", Form::new().text("other", b"x")).await;
    assert_eq!(none.status, 422);
    assert!(none.text().contains("Elija el PDF que quiere verificar."));
    let large = check(&nobody, "/verify", "x.pdf", &vec![b'x'; 10 << 20]).await;
    assert_eq!(large.status, 413);
    assert!(
        large.text().contains("El archivo pesa más de 9,0 MB"),
        "{}",
        words(&large)
    );
    let broken = nobody.post("/verify", "text/plain", "hola").await;
    assert_eq!(broken.status, 400);
    for unknown in ["x", "00000000000000000000000000000000"] {
        let page = nobody.get(&format!("/verify/{unknown}")).await;
        assert_eq!(page.status, 404);
        assert!(page.text().contains("No conocemos ese documento"));
    }
    let hostile = "<script>alert(1)</script>\"'.pdf";
    let answer = check(&nobody, "/verify", hostile, b"%PDF-nada").await;
    assert_eq!(answer.status, 200);
    assert!(!answer.text().contains("<script>alert"), "{}", words(&answer));
    let english = nobody
        .request(Method::GET, "/verify")
        .header("accept-language", "en-US,en;q=0.9");
    assert!(nobody.send(english).await.text().contains("Verify a document"));
}

#[tokio::test]
async fn an_address_checks_so_many_a_minute() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    let mut refused = None;
    for _ in 0..21 {
        let answer = check(&nobody, "/verify", "x.pdf", b"hola").await;
        refused = (answer.status == 429).then_some(answer);
    }
    let refused = refused.expect("the twenty-first is refused");
    assert_eq!(refused.header("retry-after"), Some("60"));
    app.advance(Duration::from_mins(1));
    assert_eq!(check(&nobody, "/verify", "x.pdf", b"hola").await.status, 200);
}

#[tokio::test]
async fn the_page_knows_what_was_revoked() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let nobody = acme.saying(None);
    let (_, bytes) = signed(&app, &acme).await;
    let valid = words(&check(&nobody, "/verify", "contrato.pdf", &bytes).await);
    assert!(valid.contains("El documento es válido"), "{valid}");
    let signer = pades::verify::verify(
        &bytes,
        &pades::verify::Policy::new(&[], jiff::Timestamp::UNIX_EPOCH),
    );
    let signer = signer.signatures[0].certificate.clone().unwrap();
    let since = domain::Timestamp::from_micros(signer.not_before().as_microsecond());
    let fingerprint = domain::event::hex(signer.sha256());
    let reason = pki::authority::Reason::KeyCompromise;
    let revoked = app
        .app()
        .revoke_certificate(&fingerprint, reason, Some(since))
        .await
        .unwrap();
    assert!(revoked.now);
    let page = words(&check(&nobody, "/verify", "contrato.pdf", &bytes).await);
    assert!(page.contains("El documento no es válido"), "{page}");
    assert!(
        page.contains("El certificado del firmante fue revocado el "),
        "{page}"
    );
}

#[tokio::test]
async fn a_file_turns_no_word_of_the_page_around() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    let page = check(&nobody, "/verify", "con\u{2060}tra\u{ad}to.pdf", &pdf::contract()).await;
    let page = words(&page);
    assert!(page.contains("con\\u{2060}tra\\u{ad}to.pdf"), "{page}");
}

#[tokio::test]
async fn programs_get_the_report_as_json() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let (document, bytes) = signed(&app, &acme).await;
    let nobody = acme.saying(None);
    let asked = async |path: &str, form: Form| {
        let request = nobody
            .request(Method::POST, path)
            .header("accept", "application/json, */*")
            .header("content-type", Form::content_type())
            .body(form.into_bytes());
        let answer = nobody.send(request).await;
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        answer
    };
    let of = |bytes: &[u8]| Form::new().file("file", "contrato.pdf", bytes);
    let valid = asked("/verify", of(&bytes)).await;
    assert_eq!((valid.status, valid.at("/verdict")), (200, "valid".to_owned()));
    assert_eq!(valid.at("/file"), "contrato.pdf");
    assert_eq!(valid.at("/signatures/0/indication"), "TOTAL-PASSED");
    assert_eq!(valid.at("/signatures/1/level"), "B-LTA");
    assert_eq!(valid.at("/signatures/0/signer/name"), "María Pérez 1001");
    let known = asked(&format!("/verify/{document}"), of(&pdf::contract())).await;
    assert_eq!(
        (known.at("/verdict"), known.at("/version")),
        ("unsigned".to_owned(), "original".to_owned())
    );
    let mut changed = bytes.clone();
    let at = changed
        .windows(8)
        .position(|window| window == b"Contrato")
        .unwrap();
    changed[at] = b'K';
    let invalid = asked("/verify", of(&changed)).await;
    assert_eq!(invalid.at("/verdict"), "invalid");
    assert_eq!(invalid.at("/signatures/0/indication"), "TOTAL-FAILED");
    assert_eq!(invalid.at("/signatures/0/sub_indication"), "HASH_FAILURE");
    assert_eq!(
        invalid.at("/signatures/0/reasons/0/sub_indication"),
        "HASH_FAILURE"
    );
    let other = TestApp::start().await;
    let foreign = signed(&other, &other.company("Otra").await).await.1;
    let foreign = asked("/verify", of(&foreign)).await;
    assert_eq!(foreign.at("/verdict"), "unknown_issuer");
    assert_eq!(foreign.at("/signatures/0/indication"), "INDETERMINATE");
    assert_eq!(
        foreign.at("/signatures/0/sub_indication"),
        "NO_CERTIFICATE_CHAIN_FOUND"
    );
    let none = asked("/verify", Form::new().text("other", b"x")).await;
    assert_eq!(
        (none.status, none.at("/message")),
        (422, "Elija el PDF que quiere verificar.".to_owned())
    );
}
