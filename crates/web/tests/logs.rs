//! The log has no personal data and no secrets, even at the most verbose level.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

use delivery::SmtpSettings;
use reqwest::Method;
use serde_json::json;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::{TestApp, correction, folio, pdf, until};
use tracing::Instrument;

/// The trace that a proxy began.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[derive(Debug, Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

// One test in a program of its own: what is logged is the whole process's.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story, and one log")]
async fn logs_hold_no_personal_data_and_no_secrets() {
    let written = Written::default();
    let writer = written.clone();
    tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
        .with_writer(move || writer.clone())
        .init();
    let server = SmtpServer::start().await;
    let said = "550 <zoraida@quintanilla.example.com> rejected";
    server.always_to("quintanilla", SmtpStage::Rcpt, SmtpFault::Says(said));
    let smtp = SmtpSettings::parse(&server.url()).unwrap();
    let app = TestApp::builder().smtp(smtp).start().await;
    let acme = app.company("Acme").await.once("llave-de-idempotencia");
    let zoraida = json!([{
        "name": "Zoraida Quintanilla", "email": "zoraida@quintanilla.example.com", "documentType": "CC",
        "documentNumber": "79543210", "cellPhoneNumber": "3157654321",
    }]);
    let fields = folio()
        .signers(&zoraida)
        .with("folioName", "Herencia de Zoraida")
        .with("folioMessage", "Un mensaje muy privado")
        .with("urlReturn", "https://privado.example.com/vuelta")
        .documents([("testamento.pdf", pdf::contract())]);
    let created = acme.create(fields.clone()).await;
    let id = created.at("/data/folioId");
    let acme = acme.once("otra");
    acme.resend(
        &id,
        &[correction(
            "79543210",
            "nueva@quintanilla.example.com",
            "3157654321",
        )],
    )
    .await
    .ok();
    let document = acme.document_of(&id).await;
    acme.download(&document).await;
    let acme = acme.once("otra-mas");
    acme.create(fields.with("folioName", "Zoraida\0"))
        .await
        .refused(400, "");
    acme.saying(Some("Bearer firmeza_secreto"))
        .read(&id)
        .await
        .refused(403, "");
    for blob in app.app().blobs.list(None, 10).await.unwrap() {
        app.app().blobs.delete(blob.id).await.unwrap();
    }
    let download = acme.request(Method::GET, &format!("download?documentId={document}"));
    let lost = acme.send(download.header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01")));
    let lost = lost.await;
    assert_eq!(lost.status, 500);
    let party = format!("{id}-0").parse().unwrap();
    for _ in 0..2 {
        let refused = app.ask_for_codes(party).await;
        assert!(matches!(refused, Err(app::Error::DocumentUnavailable)));
    }
    until("messages given up", async || {
        let age = app.app().store.read(|tx| tx.outbox_age()).await.unwrap();
        (age.waiting == 0 && age.given_up > 0).then_some(())
    })
    .await;
    acme.choose(|settings| settings.erasure.pending = Some(1)).await;
    app.advance(Duration::from_hours(48));
    assert_eq!(app.app().erase_past_retention().await.unwrap(), 1);
    let transaction = app.app().store.write(|_| {
        tracing::info!("said within a transaction");
        Ok::<_, store::Error>(())
    });
    let request = tracing::error_span!("request", trace = TRACE);
    transaction.instrument(request).await.unwrap();
    let header = acme.header().to_owned();
    drop(acme);
    drop(app);
    let log = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let request = lost.header("x-request-id").unwrap();
    assert!(log.contains("answered") && log.contains("an act failed"), "{log}");
    assert!(
        log.contains("a message was given up") && log.contains("RCPT TO"),
        "{log}"
    );
    // The store's threads know whose work they do.
    let said = log
        .lines()
        .find(|line| line.contains("said within a transaction"));
    assert!(said.unwrap().contains(TRACE), "{said:?}");
    assert_one_failure(&log, &[request, TRACE, "a document is not whole in storage"]);
    let alarms: Vec<_> = log.lines().filter(|line| line.contains("ALARM")).collect();
    assert_eq!(alarms.len(), 1, "one check, one alarm: {alarms:?}");
    for part in ["ERROR", &id, &document, "missing"] {
        assert!(alarms[0].contains(part), "{part}: {}", alarms[0]);
    }
    let url = created.at("/data/signProcessUrl");
    let token = url.split("f=").nth(1).unwrap();
    for secret in [
        "oraida",
        "uintanilla",
        "79543210",
        "3157654321",
        "privado",
        "testamento",
        "secreto",
        "otra",
        "llave-de-idempotencia",
        token,
        header.strip_prefix("Bearer ").unwrap(),
    ] {
        assert!(!log.contains(secret), "`{secret}` is in the log:\n{log}");
    }
}

/// One failure is one line, with these parts.
fn assert_one_failure(log: &str, parts: &[&str]) {
    let failures: Vec<_> = log
        .lines()
        .filter(|line| line.contains("an act failed"))
        .collect();
    assert_eq!(failures.len(), 1, "{failures:?}");
    for part in parts {
        assert!(failures[0].contains(part), "{part}: {}", failures[0]);
    }
}
