//! `firmeza outbox`, beside a server that cannot send.

use crate::support::{Installation, MailServer, Order, Recipients, texts, wait_for};

#[test]
fn what_was_given_up_is_listed_and_tried_again() {
    let mail_server = MailServer::start(Recipients::Refused);
    let installation = Installation::new().with("FIRMEZA_SMTP_URL", mail_server.url());
    let client = installation.client();
    let server = installation.serve();
    client.created(&Order::small());
    let list = || installation.ok(&["outbox", "list"]);
    // The folio may have several signers, and the messages to them are given up one by one.
    let is_none_waiting = || installation.ok(&["outbox", "list", "--waiting"]).lines().count() == 1;
    wait_for("every message to be given up", is_none_waiting);
    let listed = list();
    for words in ["invitation", "550", "nobody here"] {
        assert!(listed.contains(words), "{listed}");
    }

    mail_server.set(Recipients::Accepted);
    let said = installation.ok(&["outbox", "retry", "--all"]);
    assert!(said.starts_with("Messages to be tried again: "), "{said}");
    let nothing = || is_none_waiting() && list().lines().count() == 1;
    wait_for("everything sent", nothing);
    assert_eq!(installation.run(&["outbox", "retry"]).code, Some(2));
    for none in [["outbox", "retry", "--all"], ["outbox", "retry", "999"]] {
        let said = installation.run(&none);
        assert_eq!(said.code, Some(1), "it did nothing: {said:?}");
    }
    drop(server);
}

#[test]
fn what_a_dead_instance_held_is_freed() {
    let mail_server = MailServer::start(Recipients::Ignored);
    let installation = Installation::new().with("FIRMEZA_SMTP_URL", mail_server.url());
    let server = installation.serve();
    let order = Order::small();
    installation.client().created(&order);
    wait_for("the messages to be on their way", || {
        mail_server.ignored() == order.signers.len()
    });
    let held = || {
        texts(
            &installation.sqlite(),
            "SELECT seq FROM outbox WHERE leased_by IS NOT NULL",
        )
    };
    let busy = installation.run(&["outbox", "retry", "--all"]);
    assert_eq!(busy.code, Some(1), "they are being sent: {busy:?}");
    assert_eq!(held().len(), order.signers.len());
    server.kill();
    wait_for("its heartbeat to end", || {
        installation.run(&["outbox", "retry", "--all"]).success
    });
    assert!(held().is_empty());
}
