//! Strangers' worst texts in every field, through the API and out by SMTP: no header splits, no markup appears.

use crate::by;
use testkit::smtp::SmtpServer;
use testkit::{FolioAct, folio, signer, until};

const WORST: &str = "<img src=x onerror=alert(1)> \"'><a href=\"https://evil.example\">x</a> =?utf-8?q?=0D=0ABcc:x?= ñ\u{1f600}";

#[tokio::test]
async fn no_header_splits_and_no_markup_appears() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("A\"c<me>, ñ; \\ Ltda").await;
    let mut first = signer("1001");
    first["name"] = WORST.into();
    let second = signer("1002");
    let message = format!("{WORST}\r\n.\r\nBcc: todos@evil.example\r\n\r\n..");
    let id = acme
        .created(
            folio()
                .with("signers", serde_json::json!([first, second]).to_string())
                .with("folioName", WORST.chars().take(100).collect::<String>())
                .with("folioMessage", message),
        )
        .await;
    acme.act(&id, FolioAct::Cancel).await;
    app.app().wakeups.outbox.notify();
    until("four messages", async || {
        (server.received().len() == 4).then_some(())
    })
    .await;
    for one in server.received() {
        let (head, body) = one.data.split_once("\r\n\r\n").unwrap();
        assert!(head.is_ascii(), "{head}");
        let names: Vec<&str> = head
            .split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']))
            .map(|line| line.split(':').next().unwrap())
            .collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        assert_eq!(
            sorted,
            [
                "Auto-Submitted",
                "Content-Type",
                "Date",
                "From",
                "MIME-Version",
                "Message-ID",
                "Subject",
                "To"
            ],
            "{head}"
        );
        assert!(!one.header("subject").unwrap().contains("=?utf-8?q?"), "{head}");
        let decoded = body.replace("=\r\n", "").replace("=3D", "=");
        assert!(!decoded.contains("evil.example"), "{decoded}");
        let (_, page) = decoded.split_once("text/html").unwrap();
        assert!(
            !page.contains("<img") && !page.contains("<a href=\"https://evil"),
            "{page}"
        );
    }
}
