//! A document storage that goes away, and comes back.

use super::{Envelope, Subject, assert_all_fail};
use crate::support::{Installation, Order, Relay, given, wait_for};
use std::time::Duration;

fn lose(how: impl Fn(&Relay), limit: Duration) {
    let endpoint = given("AWS_ENDPOINT_URL");
    let port = endpoint.rsplit_once(':').unwrap().1.trim_end_matches('/');
    let relay = Relay::to(port.parse().unwrap());
    let mut installation = Installation::new();
    let name = installation
        .directory()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let bucket = format!("{}/{name}", given("FIRMEZA_TEST_S3_URL"));
    for name in [
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_REGION",
        "AWS_ALLOW_HTTP",
    ] {
        installation = installation.with(name, given(name));
    }
    let installation = installation
        .with("FIRMEZA_BLOBS_URL", bucket)
        .with("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{}", relay.port));
    let _server = installation.serve();
    let client = installation.client();
    let subject = Subject::new(&client);
    subject.assert_readable(&client);
    // The document of the other is in the read cache.
    let unread = Subject::new(&client);

    how(&relay);
    let create = (Order::small().request(), Envelope::A);
    let large = (Order::sized(6_000_000).request(), Envelope::A);
    assert_all_fail(&client, vec![create, large, unread.download()], limit);
    // A balancer keeps the instance: it still reads, sends again and cancels.
    wait_for("the service to say that it is ready", || {
        parts::answers(installation.port, "/ready")
    });
    for (request, _) in [subject.read(), subject.resend(), subject.cancel()] {
        let answer = client.send(request);
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    relay.mend();
    wait_for("the service to find its storage", || {
        client.send(unread.download().0).status == 200
    });
    subject.assert_readable(&client);
    unread.assert_readable(&client);
    client.created(&Order::small());
    client.created(&Order::sized(6_000_000));
}

#[test]
fn a_storage_that_breaks_off_stops_documents_only() {
    lose(Relay::cut, Duration::from_secs(10));
}

#[test]
fn a_storage_that_falls_silent_stops_documents_only() {
    lose(Relay::go_dead, Duration::from_secs(25));
}
