//! `firmeza outbox`, beside a server that cannot send.

use crate::support::{Installation, Order, wait_for};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

/// A mail server that refuses every recipient while the flag is set. Returns its port.
fn refusing(refuse: &'static AtomicBool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || converse(stream, refuse));
        }
    });
    port
}

fn converse(stream: TcpStream, refuse: &AtomicBool) {
    let mut answers = stream.try_clone().unwrap();
    let _ = answers.write_all(b"220 x\r\n");
    let mut inside = false;
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        let answer: &[u8] = match line.as_str() {
            "." if inside => b"250 taken\r\n",
            _ if inside => continue,
            "DATA" => b"354 go on\r\n",
            rcpt if rcpt.starts_with("RCPT") && refuse.load(SeqCst) => b"550 nobody here\r\n",
            _ => b"250 ok\r\n",
        };
        inside = line == "DATA";
        if answers.write_all(answer).is_err() {
            break;
        }
    }
}

#[test]
fn what_was_given_up_is_listed_and_tried_again() {
    static REFUSE: AtomicBool = AtomicBool::new(true);
    let port = refusing(&REFUSE);
    let installation = Installation::new().with("FIRMEZA_SMTP_URL", format!("smtp://127.0.0.1:{port}"));
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

    REFUSE.store(false, SeqCst);
    let said = installation.ok(&["outbox", "retry", "--all"]);
    assert!(said.starts_with("Messages to be tried again: "), "{said}");
    let nothing = || is_none_waiting() && list().lines().count() == 1;
    wait_for("everything sent", nothing);
    assert_eq!(installation.run(&["outbox", "retry"]).code, Some(2));
    drop(server);
}
