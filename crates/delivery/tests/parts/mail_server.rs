//! A mail server that asks for TLS and a password; Python reads what it was given.

use delivery::{Smtp, SmtpSettings};
use parts::{AIOSMTPD, MailServer, Venv};
use serde_json::Value;
use std::process::Command;
use testkit::{TestApp, folio, signer, signers, until};

fn settings(server: &MailServer, url: &str) -> SmtpSettings {
    SmtpSettings {
        root: Some(std::fs::read(server.authority()).unwrap()),
        ..SmtpSettings::parse(url).unwrap()
    }
}

/// The message as another program reads it.
fn read(data: &str) -> Value {
    let script = r#"
import email, email.policy, json, sys
m = email.message_from_string(sys.argv[1], policy=email.policy.default)
print(json.dumps({
    "defects": [str(d) for part in m.walk() for d in part.defects],
    "from": m["from"].addresses[0].display_name, "address": m["from"].addresses[0].addr_spec,
    "to": m["to"].addresses[0].display_name, "subject": m["subject"], "id": m["message-id"], "date": str(m["date"].datetime),
    "text": m.get_body(("plain",)).get_content(), "html": m.get_body(("html",)).get_content()}))
"#;
    let python = Venv::of(&AIOSMTPD).unwrap().program("python");
    let output = Command::new(python).args(["-c", script, data]).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn taken(server: &MailServer, count: usize) -> Vec<Value> {
    let taken = until("what the mail server took", async || {
        Some(server.taken()).filter(|taken| taken.len() >= count)
    });
    let taken = taken.await;
    taken
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test]
async fn emails_leave_encrypted_and_authenticated_and_are_read_as_written() {
    let server = MailServer::start().unwrap();
    for (count, url) in [(1, server.url()), (2, server.private_url())] {
        let app = TestApp::builder().smtp(settings(&server, &url)).start().await;
        let acme = app.company("Inmobiliaria Ñandú").await;
        acme.created(folio().with("signers", signers(1).to_string()))
            .await;
        let taken = taken(&server, count).await;
        let one = taken.last().unwrap();
        assert_eq!(
            (&one["tls"], &one["user"]),
            (&Value::Bool(true), &Value::Bool(true)),
            "{one}"
        );
        assert_eq!(one["from"], "firmas@example.com");
        assert_eq!(one["to"][0], "maria.1001@example.com");
        let message = read(one["data"].as_str().unwrap());
        assert_eq!(message["defects"], serde_json::json!([]));
        assert_eq!(message["from"], "Inmobiliaria Ñandú · Firmeza");
        assert_eq!(message["address"], "firmas@example.com");
        assert_eq!(message["to"], "María Pérez 1001");
        assert_eq!(
            message["subject"],
            "Inmobiliaria Ñandú le pide su firma: Contrato de arriendo"
        );
        assert_eq!(message["date"], "2026-03-02 14:30:00+00:00");
        assert!(
            message["text"]
                .as_str()
                .unwrap()
                .contains("https://firmas.example.com/sign?s=")
        );
        assert!(message["html"].as_str().unwrap().contains("Leer y firmar"));
    }
}

#[tokio::test]
async fn an_address_beyond_ascii_is_written_to_where_the_server_can() {
    let server = MailServer::start().unwrap();
    let app = TestApp::builder()
        .smtp(settings(&server, &server.url()))
        .start()
        .await;
    let acme = app.company("Acme").await;
    let mut maria = signer("1001");
    maria["email"] = "maría@ejemplo.com".into();
    acme.created(folio().with("signers", serde_json::json!([maria]).to_string()))
        .await;
    assert_eq!(taken(&server, 1).await[0]["to"][0], "maría@ejemplo.com");
}

#[tokio::test]
async fn what_is_wrong_with_a_mail_server_is_said() {
    let server = MailServer::start().unwrap();
    let check = async |settings: SmtpSettings| {
        let smtp = Smtp::new(
            settings,
            "firmas@example.com".parse().unwrap(),
            "firmeza.example.com",
        );
        smtp.unwrap().check().await
    };
    let good = settings(&server, &server.url());
    let said = check(good.clone()).await.unwrap();
    assert!(said.contains("with TLS, authenticated"), "{said}");

    let mut wrong = good.clone();
    wrong.credentials = Some(("firmeza".to_owned(), "otra".to_owned()));
    let said = check(wrong).await.unwrap_err();
    assert!(said.reason().starts_with("authentication: "), "{said}");

    let mut stranger = good.clone();
    stranger.root = None;
    let said = check(stranger).await.unwrap_err();
    assert!(said.reason().contains("certificate"), "{said}");

    let plain = testkit::smtp::SmtpServer::start().await;
    let url = format!("{}?tls=required", plain.url());
    let said = check(SmtpSettings::parse(&url).unwrap()).await.unwrap_err();
    assert!(said.reason().starts_with("STARTTLS: "), "{said}");
}
