//! Addresses of internal networks, in every spelling: the service connects to none of them.

use crate::{log, tried};
use app::WebhookPolicy;
use domain::{CompanyId, WebhookId};
use std::net::{IpAddr, UdpSocket};
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

/// Adds an address past the policy: the name behind it may lead elsewhere by the time it is used.
async fn past_the_door(app: &TestApp, company: CompanyId, address: &str) -> WebhookId {
    let id = WebhookId::random(&mut app::SystemRandom);
    let (address, now) = (address.to_owned(), app.app().clock.now());
    let sealed = app.app().webhook_secrets.seal("webhook", &[1; 32]);
    let added = app.app().store.write(move |tx| {
        let new = store::NewWebhook {
            id,
            address: &address,
            label: "",
            kinds: &domain::WantedKinds::All,
            secret: &sealed,
            at: now,
        };
        tx.add_webhook(company, &new, 100)
    });
    assert!(added.await.unwrap());
    id
}

/// An address of this machine that is no loopback one, where there is a network.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

#[tokio::test]
async fn nothing_inside_is_connected_to() {
    let (port, connected) = trap().await;
    let app = TestApp::builder()
        .with_webhooks()
        .policy(|policy| {
            policy.webhooks = WebhookPolicy {
                plain_http: true,
                ports: vec![port],
                ..WebhookPolicy::default()
            };
        })
        .start()
        .await;
    let company = app.company("Acme").await;
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
    for host in hosts.into_iter().filter(|host| !host.is_empty()) {
        for scheme in ["http", "https"] {
            let address = format!("{scheme}://{host}:{port}/");
            let id = past_the_door(&app, company.id, &address).await;
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
    let app = TestApp::builder().with_webhooks().start().await;
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

/// What the operator lists is judged again when something is sent.
#[tokio::test]
async fn the_operators_networks_and_ports_hold_for_connections() {
    let (port, connected) = trap().await;
    let own = own_address();
    let inside = own.unwrap_or(IpAddr::from([10, 1, 2, 3]));
    let start = async |ports| {
        let listed = WebhookPolicy {
            plain_http: true,
            ports,
            networks: inside.to_string().parse().unwrap(),
            ..WebhookPolicy::default()
        };
        let app = TestApp::builder().with_webhooks();
        app.policy(|policy| policy.webhooks = listed).start().await
    };
    let app = start(Vec::new()).await;
    let company = app.company("Acme").await;
    let id = past_the_door(&app, company.id, &format!("http://{inside}:{port}/")).await;
    app.app().try_webhook(company.id, id).await.unwrap();
    let (_, attempts) = tried(&app, company.id, id, 1).await;
    let why = attempts[0].error.clone().unwrap();
    assert!(why.contains("port"), "{why}");
    assert_eq!(connected.load(Ordering::SeqCst), 0);
    // A machine without a network has no address to be reached at.
    if own.is_some() {
        let app = start(vec![port]).await;
        let company = app.company("Acme").await;
        let (id, _) = crate::webhook(&company, &app, &format!("http://{inside}:{port}/")).await;
        app.app().try_webhook(company.id, id).await.unwrap();
        until("a connection", async || {
            (connected.load(Ordering::SeqCst) > 0).then_some(())
        })
        .await;
    }
}
