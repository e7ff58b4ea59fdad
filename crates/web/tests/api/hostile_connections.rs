//! Clients that send too much, too slowly, do not read, or go away.

use axum::Router;
use axum::routing::get;
use std::time::{Duration, Instant};
use testkit::{Company, Form, PROMPT, RawConnection, TestApp, folio, pdf, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use web::http::server::{Connections, serve};

/// A form whose document has that many bytes.
fn with_document(bytes: usize) -> Vec<u8> {
    folio()
        .documents([("grande.pdf", pdf::of_bytes(bytes))])
        .form()
        .into_bytes()
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_and_the_connection_ends() {
    let app = TestApp::builder().request_bytes(1 << 20).start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let announced = [
        ("sign", 1_usize << 32),
        ("cancel", 1 << 20),
        ("consult", 1 << 20),
        ("download/", 1 << 20),
    ];
    for (path, length) in announced {
        let mut raw = RawConnection::connect(&app).await;
        let begun = Instant::now();
        raw.send(RawConnection::head(path, acme.header(), length)).await;
        let answer = raw.response().await;
        assert!(begun.elapsed() < PROMPT, "{path}");
        answer.refused(413, "La solicitud supera el tamaño permitido.");
        assert_eq!(answer.header("connection"), Some("close"));
        assert!(raw.is_closed().await, "{path}");
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn documents_over_the_limit_of_a_request_are_refused() {
    let app = TestApp::builder().request_bytes(1 << 20).start().await;
    let acme = app.company("Acme").await;
    let half = || pdf::of_bytes((1 << 19) + 1);
    let text = crate::base64(&half());
    // Up to twice the limit the answer names the first document that is too much.
    for count in [2, 3] {
        let files: Vec<_> = ["a.pdf", "b.pdf", "c.pdf"]
            .into_iter()
            .take(count)
            .map(|name| (name, half()))
            .collect();
        let items: Vec<_> = files
            .iter()
            .map(|(name, _)| format!(r#"{{"name":"{name}","content":"{text}"}}"#))
            .collect();
        for form in [
            folio().documents(files),
            folio().base64(format!("[{}]", items.join(","))),
        ] {
            acme.create(form).await.refused(
                409,
                "El documento (b.pdf) sobra: los documentos juntos superan el tamaño permitido de 1 MB.",
            );
        }
    }
    let four = vec![("a.pdf", half()); 4];
    acme.create(folio().documents(four))
        .await
        .refused(413, "La solicitud supera el tamaño permitido.");
    let items = vec![format!(r#"{{"name":"a","content":"{text}"}}"#); 4];
    acme.create(folio().base64(format!("[{}]", items.join(","))))
        .await
        .refused(413, "La solicitud supera el tamaño permitido.");
    let fits = folio().documents([("a.pdf", pdf::of_bytes(1 << 20))]);
    acme.create(fits).await.ok();
    assert_eq!(app.census().await.of("folios"), 1);
    assert_eq!(app.blobs_kept().await, 1);
}

#[tokio::test]
async fn a_body_in_chunks_cannot_be_without_end() {
    let app = TestApp::builder().request_bytes(1 << 20).start().await;
    let acme = app.company("Acme").await;
    let mut raw = RawConnection::connect(&app).await;
    raw.send(format!(
        "POST /api/integrations/cancel HTTP/1.1\r\nhost: test\r\nx-api-key: {}\r\ncontent-type: {}\r\n\
         transfer-encoding: chunked\r\n\r\n",
        acme.header(),
        Form::content_type()
    ))
    .await;
    let part = format!(
        "--{}\r\nContent-Disposition: form-data; name=\"folios\"\r\n\r\n",
        Form::BOUNDARY
    );
    raw.send(format!("{:x}\r\n{part}\r\n", part.len())).await;
    for _ in 0..20 {
        raw.send(format!("{:x}\r\n{}\r\n", 1 << 16, "x".repeat(1 << 16)))
            .await;
    }
    let answer = raw.response().await;
    answer.refused(413, "La solicitud supera el tamaño permitido.");
    assert_eq!(answer.header("connection"), Some("close"));
}

/// A service that waits for bodies only a moment.
async fn hurried() -> TestApp {
    TestApp::builder()
        .body_grace(Duration::from_millis(150))
        .start()
        .await
}

#[tokio::test]
async fn a_client_that_sends_a_byte_now_and_then_is_disconnected() {
    let app = hurried().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let body = with_document(400_000);
    for path in [
        "sign",
        "consult",
        "forward_emails",
        "download",
        "download/",
        "cancel",
        "massive_sign",
    ] {
        // On a busy machine all bytes may be sent before the service has seen the first.
        let answer = until("an answer before the last byte", async || {
            let mut raw = RawConnection::connect(&app).await;
            raw.send(RawConnection::head(path, acme.header(), body.len()))
                .await;
            raw.trickle(&body[..200], Duration::from_millis(30)).await
        });
        let answer = answer.await;
        answer.refused(408, "La solicitud tardó demasiado en llegar.");
        assert_eq!(answer.header("connection"), Some("close"), "{path}");
    }
    assert_eq!(app.census().await, before);
    // With the usual grace: a machine that halts for a moment is not a slow client.
    let usual = TestApp::start().await;
    usual.company("Acme").await.create(folio()).await.ok();
}

#[tokio::test]
async fn a_client_that_falls_silent_after_much_is_disconnected() {
    let app = hurried().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    // What comes before the silence would be worth an hour of it, at the slowest that a body may be.
    let large = pdf::of_bytes(4 << 20);
    let create = folio().documents([("grande.pdf", large.clone())]).form();
    let check = Form::new().file("file", "grande.pdf", large);
    for (path, form) in [("/api/integrations/sign", create), ("/verify", check)] {
        let body = form.into_bytes();
        let head = RawConnection::head("", acme.header(), body.len()).replacen("/api/integrations/", path, 1);
        let mut raw = RawConnection::connect(&app).await;
        raw.send(head).await;
        raw.send(&body[..body.len() - 100]).await;
        let answer = raw.response().await;
        assert_eq!(answer.status, 408, "{path}: {}", answer.text());
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    // More than the system takes off the server's hands.
    let large = Router::new().route("/large", get(|| async { vec![0_u8; 64 << 20] }));
    let router = large.route("/small", get(|| async { "a few words" }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Connections {
        max: 1,
        write_timeout: Duration::from_millis(150),
        ..Connections::default()
    };
    let clients = async {
        let mut deaf = TcpStream::connect(address).await.unwrap();
        let ask = b"GET /large HTTP/1.1\r\nhost: test\r\n\r\n";
        deaf.write_all(ask).await.unwrap();
        // There is one permit: the next connection is served once the first has been closed.
        let mut next = TcpStream::connect(address).await.unwrap();
        let ask = b"GET /small HTTP/1.1\r\nhost: test\r\n\r\n";
        next.write_all(ask).await.unwrap();
        let mut status = [0; 12];
        let read = tokio::time::timeout(Duration::from_mins(1), next.read_exact(&mut status)).await;
        read.expect("an answer in time").unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
    };
    tokio::select! {
        () = serve(listener, router, connections, std::future::pending()) => panic!("the server stopped"),
        () = clients => {}
    }
}

async fn send_half(app: &TestApp, acme: &Company<'_>, body: &[u8], until_spooled: bool) {
    let mut raw = RawConnection::connect(app).await;
    raw.send(RawConnection::head("sign", acme.header(), body.len()))
        .await;
    raw.send(&body[..body.len() - 100]).await;
    if until_spooled {
        until("a temporary file", async || {
            (app.temp_file_count() > 0).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_client_that_goes_away_half_way_leaves_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    send_half(&app, &acme, &with_document(3 << 20), true).await;
    until("no temporary file", async || {
        (app.temp_file_count() == 0).then_some(())
    })
    .await;
    send_half(&app, &acme, &folio().form().into_bytes(), false).await;
    let mut head_only = RawConnection::connect(&app).await;
    head_only.send("POST /api/integrations/sign HTT").await;
    drop(head_only);
    acme.get("consult").await.refused(400, "");
    assert_eq!(app.census().await, before);
    assert_eq!(app.blobs_kept().await, 0);
}

#[tokio::test]
async fn a_refused_request_whose_body_was_read_lets_the_connection_go_on() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut raw = RawConnection::connect(&app).await;
    let faulty = folio().with("folioName", "").form().into_bytes();
    for _ in 0..2 {
        raw.send(RawConnection::head("sign", acme.header(), faulty.len()))
            .await;
        raw.send(&faulty).await;
        let answer = raw.response().await;
        assert_eq!((answer.status, answer.header("connection")), (400, None));
    }
    let mut stranger = RawConnection::connect(&app).await;
    stranger
        .send(RawConnection::head("sign", "Bearer x", 1 << 20))
        .await;
    let answer = stranger.response().await;
    assert_eq!((answer.status, answer.header("connection")), (403, Some("close")));
}

#[tokio::test]
async fn a_client_that_expects_100_continue_gets_an_answer_before_it_sends() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let body = folio().form().into_bytes();
    let asking = |key: &str| {
        RawConnection::head("sign", key, body.len()).replacen("\r\n", "\r\nexpect: 100-continue\r\n", 1)
    };
    let mut raw = RawConnection::connect(&app).await;
    raw.send(asking(acme.header())).await;
    assert_eq!(raw.response().await.status, 100);
    raw.send(&body).await;
    raw.response().await.ok();
    let mut stranger = RawConnection::connect(&app).await;
    stranger.send(asking("Bearer x")).await;
    assert_eq!(stranger.response().await.status, 403);
}

#[tokio::test]
async fn what_is_not_http_is_disconnected() {
    let app = TestApp::start().await;
    for nonsense in [
        "\x16\x03\x01\x02\x00\x01",
        "GET /health HTTP/9.9\r\n\r\n",
        "\r\n\r\n\0\0\0\r\n\r\n",
    ] {
        let mut raw = RawConnection::connect(&app).await;
        raw.send(nonsense).await;
        let answer = raw.response().await;
        assert_eq!(answer.status, 400, "{nonsense:?}");
    }
    let mut endless = RawConnection::connect(&app).await;
    endless
        .send(format!("GET /health HTTP/1.1\r\nx: {}\r\n", "a".repeat(1 << 20)))
        .await;
    let answer = endless.response().await;
    assert!(matches!(answer.status, 400 | 431), "{}", answer.status);
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let app = TestApp::start().await;
    for (head, status) in [
        ("GET /health HTTP/1.1\r\nhost: a.co\r\n\r\n", 200),
        ("GET /health HTTP/1.0\r\n\r\n", 200),
        ("GET /health HTTP/1.1\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nhost: a.co\r\nhost: b.co\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nhost: a.co\r\nHost: a.co\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nhost:\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nhost: a b\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nhost: a.co/x?y\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nhost: user@a.co\r\n\r\n", 400),
    ] {
        let mut raw = RawConnection::connect(&app).await;
        raw.send(head).await;
        let answer = raw.response().await;
        assert_eq!(answer.status, status, "{head:?}");
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{head:?}"
        );
    }
}

#[tokio::test]
async fn one_client_cannot_take_every_connection() {
    let router = Router::new().route("/", get(|| async { "a few words" }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Connections {
        max: 8,
        per_client: 4,
        // None of those that are held ends before the test.
        head_timeout: Duration::from_hours(1),
        ..Connections::default()
    };
    let ask = async |from: [u8; 4]| {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
        let mut status = [0; 12];
        let read = tokio::time::timeout(Duration::from_mins(1), stream.read_exact(&mut status)).await;
        let answered = read.expect("an answer or an end in time").is_ok();
        (answered && &status == b"HTTP/1.1 200").then_some(stream)
    };
    let clients = async {
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(ask([127, 0, 0, 1]).await.expect("an answer"));
        }
        for _ in 0..20 {
            assert!(ask([127, 0, 0, 1]).await.is_none(), "more than its share");
        }
        assert!(ask([127, 0, 0, 2]).await.is_some(), "another client is served");
        held.pop();
        until("its share again", async || {
            ask([127, 0, 0, 1]).await.map(|stream| held.push(stream))
        })
        .await;
    };
    tokio::select! {
        () = serve(listener, router, connections, std::future::pending()) => panic!("the server stopped"),
        () = clients => {}
    }
}

#[tokio::test]
async fn a_client_that_is_still_sending_reads_the_refusal() {
    let app = TestApp::builder().request_bytes(16 << 20).start().await;
    let acme = app.company("Acme").await;
    let body = vec![b'x'; 8 << 20];
    let length = body.len();
    for (path, key, status) in [
        ("/api/integrations/sign", "Bearer nothing", 403),
        ("/api/integrations/nothing", acme.header(), 404),
        ("/api/integrations/cancel", acme.header(), 413),
        ("/panel/company/logo", "", 303),
        ("/health", "", 405),
    ] {
        let mut raw = RawConnection::connect(&app).await;
        raw.send(format!(
            "POST {path} HTTP/1.1\r\nhost: test\r\nx-api-key: {key}\r\ncontent-length: {length}\r\n\
             content-type: multipart/form-data; boundary=b\r\n\r\n",
        ))
        .await;
        // All of it is taken, though the answer came long before: nothing breaks the pipe.
        raw.send_whole(&body).await;
        let answer = raw.response().await;
        assert_eq!(
            (answer.status, answer.header("connection")),
            (status, Some("close")),
            "{path}"
        );
        assert!(raw.is_closed().await, "{path}");
    }
}
