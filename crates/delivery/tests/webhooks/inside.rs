//! Addresses inside, however they are written: none is connected to.

use crate::{log, tried};
use app::WebhookPolicy;
use domain::WebhookId;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::{TestApp, until};
use tokio::net::TcpListener;

/// Counts who connects.
async fn trap() -> (u16, Arc<AtomicUsize>) {
    let counted = Arc::<AtomicUsize>::default();
    let count = counted.clone();
    // Every address of this machine, of both kinds where there are two.
    let listener = match TcpListener::bind("[::]:0").await {
        Ok(listener) => listener,
        Err(_) => TcpListener::bind("0.0.0.0:0").await.unwrap(),
    };
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    (port, counted)
}

#[tokio::test]
async fn nothing_inside_is_connected_to() {
    let app = TestApp::builder()
        .telling_webhooks()
        .policy(|policy| {
            policy.webhooks = WebhookPolicy {
                plain_http: true,
                loopback: false,
            };
        })
        .start()
        .await;
    let company = app.company("Acme").await;
    let (port, connected) = trap().await;
    let own = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let hosts = [
        "127.0.0.1",
        "127.1",
        "0x7f.1",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "0177.0.0.1",
        "127.0.0.1.",
        "0.0.0.0",
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "localhost",
        "localhost.",
        "LocalHost",
        "localhost.localdomain",
        own.trim(),
    ];
    for (number, host) in hosts.into_iter().filter(|host| !host.is_empty()).enumerate() {
        for scheme in ["http", "https"] {
            let address = format!("{scheme}://{host}:{port}/");
            // Past whatever refuses it at the door: a name may lead elsewhere by the time it is used.
            let id =
                WebhookId::from_bytes([u8::try_from(number * 2).unwrap() + u8::from(scheme == "https"); 16]);
            let (company_id, now) = (company.id, app.app().clock.now());
            let sealed = app.app().webhook_secrets.seal("webhook", &[1; 32]);
            let shown = address.clone();
            let added = app
                .app()
                .store
                .write(move |tx| tx.add_webhook(company_id, id, (&shown, ""), &sealed, 100, now));
            assert!(added.await.unwrap());
            app.app().try_webhook(company.id, id).await.unwrap();
            let (_, attempts) = tried(&app, company.id, id, 1).await;
            assert_eq!(attempts[0].status, None, "{address}: {attempts:?}");
            let why = attempts[0].error.clone().unwrap();
            println!("{address}: {why}");
            app.app().remove_webhook(company.id, id).await.unwrap();
        }
    }
    assert_eq!(connected.load(Ordering::SeqCst), 0);
}

/// The same trap is reached where that is allowed: it would have noticed.
#[tokio::test]
async fn the_trap_would_have_noticed() {
    let app = TestApp::builder().telling_webhooks().start().await;
    let company = app.company("Acme").await;
    let (port, connected) = trap().await;
    let (id, _) = crate::webhook(&company, &app, &format!("http://0x7f.1:{port}/")).await;
    app.app().try_webhook(company.id, id).await.unwrap();
    until("a connection", async || {
        (connected.load(Ordering::SeqCst) > 0).then_some(())
    })
    .await;
    let (row, _) = log(app.app(), company.id, id).await;
    assert_eq!(row.address, format!("http://127.0.0.1:{port}/"));
}
