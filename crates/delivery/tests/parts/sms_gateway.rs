//! Codes by text message, through kannel to a telephone; and gateways that say no.

use delivery::sms::Sms;
use delivery::{Format, Gateway, SmsSettings};
use parts::Kannel;
use testkit::until;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket};
use url::Url;

const SMS: Sms<'_> = Sms {
    to: "+573001234567",
    text: "123456 es su codigo de firma de Ñandu & Cia. Sirve 5 minutos. No lo comparta con nadie.",
    id: "7.ab@firmeza.example.com",
};

fn settings(url: &str, format: &str) -> SmsSettings {
    SmsSettings {
        url: Url::parse(url).unwrap(),
        format: format.parse().unwrap(),
        from: None,
        authorization: None,
        accepted: None,
    }
}

#[tokio::test]
async fn a_text_message_reaches_the_telephone_as_it_was_written() {
    let kannel = tokio::task::spawn_blocking(Kannel::start).await.unwrap().unwrap();
    let gateway = Gateway::new(settings(&kannel.url(), &kannel.format())).unwrap();
    assert!(gateway.check().await.is_ok());
    gateway.send(SMS).await.unwrap();
    let delivered = until("the text message", async || kannel.delivered().into_iter().next()).await;
    assert_eq!(delivered, format!("13013 {} text {}", SMS.to, SMS.text));

    let wrong = kannel.format().replace("secreta", "otra");
    let refused = Gateway::new(settings(&kannel.url(), &wrong))
        .unwrap()
        .send(SMS)
        .await
        .unwrap_err();
    assert!(matches!(refused, delivery::Failure::Transient(_)), "{refused}");
    assert!(refused.reason().starts_with("403"), "{refused}");
}

/// A gateway that answers every request with that, and gives what it was asked.
async fn answering(answer: &'static str) -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://SID:to%3Aken@{}/send", listener.local_addr().unwrap());
    let asked = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut asked = vec![0; 65536];
        let mut length = 0;
        while !asked[..length].ends_with(b"}") {
            length += stream.read(&mut asked[length..]).await.unwrap();
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
        String::from_utf8_lossy(&asked[..length]).into_owned()
    });
    (url, asked)
}

#[tokio::test]
async fn refusals_for_good_are_told_from_those_that_pass() {
    for (answer, good, permanent) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", true, false),
        ("HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n", true, false),
        (
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 6\r\n\r\nnumber",
            false,
            true,
        ),
        (
            "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n",
            false,
            false,
        ),
        (
            "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n",
            false,
            false,
        ),
        (
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
            false,
            true,
        ),
        (
            "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n",
            false,
            false,
        ),
        (
            "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n",
            false,
            false,
        ),
        (
            "HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n",
            false,
            false,
        ),
        ("nonsense\r\n\r\n", false, false),
    ] {
        let (url, asked) = answering(answer).await;
        let gateway = Gateway::new(settings(&url, "json")).unwrap();
        let outcome = gateway.send(SMS).await;
        assert_eq!(outcome.is_ok(), good, "{answer}: {outcome:?}");
        let for_good = matches!(outcome, Err(delivery::Failure::Permanent(_)));
        assert_eq!(for_good, permanent, "{answer}: {outcome:?}");
        let asked = asked.await.unwrap();
        assert!(asked.starts_with("POST /send HTTP/1.1\r\n"), "{asked}");
        assert!(
            asked.contains("authorization: Basic U0lEOnRvOmtlbg==\r\n"),
            "{asked}"
        );
    }
}

#[tokio::test]
async fn a_gateway_that_refuses_with_200_can_be_configured() {
    for (word, answer, good) in [
        (
            "\"ok\":\"true\"",
            "HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n{\"ok\":\"false\"}",
            false,
        ),
        (
            "OK",
            "HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\nERR: no credit",
            false,
        ),
        ("OK", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nOK: 7", true),
    ] {
        let (url, _asked) = answering(answer).await;
        let mut settings = settings(&url, "json");
        settings.accepted = Some(word.to_owned());
        let outcome = Gateway::new(settings).unwrap().send(SMS).await;
        assert_eq!(outcome.is_ok(), good, "{answer}: {outcome:?}");
        let passing = matches!(outcome, Err(delivery::Failure::Transient(_)));
        assert_eq!(passing, !good, "{answer}: {outcome:?}");
    }
}

#[tokio::test]
async fn an_unreachable_gateway_is_a_transient_failure() {
    // Bound, so that nothing else gets the port; without a listener, so that connections are refused.
    let closed = TcpSocket::new_v4().unwrap();
    closed.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}/", closed.local_addr().unwrap());
    let gateway = Gateway::new(settings(&url, "json")).unwrap();
    assert!(matches!(
        gateway.send(SMS).await,
        Err(delivery::Failure::Transient(_))
    ));
    assert!(gateway.check().await.is_err());
    let twilio = SmsSettings {
        format: Format::Twilio,
        ..settings(&url, "json")
    };
    assert!(Gateway::new(twilio).is_err(), "a sender is missing");
}
