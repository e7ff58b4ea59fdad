//! The examples that check a webhook's signature: they take what the service signs, and nothing else.

use crate::chapters::{Example, examples};
use crate::programs::Programs;
use data_encoding::BASE64;
use delivery::webhooks::signature::sign;
use parts::{End, Scratch};
use std::fs;
use std::net::TcpStream;

const RECEIVER: &str = "receiver";
const SECRET: [u8; 32] = [7; 32];
const ID: &str = "msg_0123456789abcdef";
const BODY: &str = r#"{"type":"folio.signed","timestamp":"2026-03-02T14:30:00Z","data":{"name":"María"}}"#;

/// A message as it arrives.
struct Message {
    seconds: i64,
    signature: String,
    body: String,
}

impl Message {
    fn signed(seconds: i64) -> Self {
        Self {
            seconds,
            // For a day after a secret was replaced, both sign.
            signature: sign(&[vec![1; 32], SECRET.to_vec()], ID, seconds, BODY),
            body: BODY.to_owned(),
        }
    }
}

/// One that is to be taken, and those that are to be refused.
fn messages() -> (Message, [Message; 3]) {
    let now = app::Clock::System.now().as_micros().div_euclid(1_000_000);
    let changed = Message {
        body: BODY.replace("signed", "rejected"),
        ..Message::signed(now)
    };
    let of_another = Message {
        signature: sign(&[vec![1; 32]], ID, now, BODY),
        ..Message::signed(now)
    };
    (
        Message::signed(now),
        [changed, of_another, Message::signed(now - 400)],
    )
}

fn secret() -> String {
    format!("whsec_{}", BASE64.encode(&SECRET))
}

fn examples_of_webhooks() -> impl Iterator<Item = Example> {
    examples().into_iter().filter(|example| example.name == "webhook")
}

fn start(programs: &Programs, example: &Example, port: u16) -> Scratch {
    let mut scratch = Scratch::new().unwrap();
    let text = example
        .text
        .replace("9000", &port.to_string())
        .replace("WEBHOOK_SECRET", &secret());
    let directory = scratch.directory().to_path_buf();
    let mut command = programs.prepare(&example.language, &text, &directory).unwrap();
    if example.language == "php" {
        command = std::process::Command::new("php");
        command.args(["-S", &format!("127.0.0.1:{port}"), "example.php"]);
        command.current_dir(&directory);
    }
    scratch.start(RECEIVER, &mut command, End::KillGroup).unwrap();
    let listens = || TcpStream::connect(("127.0.0.1", port)).is_ok();
    scratch.wait_until(RECEIVER, listens).unwrap();
    scratch
}

#[tokio::test]
async fn receivers_take_what_the_service_signs_and_nothing_else() {
    let programs = tokio::task::spawn_blocking(Programs::provide)
        .await
        .unwrap()
        .unwrap();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for example in examples_of_webhooks().filter(|example| example.language != "sh") {
        let port = parts::free_port().unwrap();
        let (programs, language) = (programs.clone(), example.language.clone());
        let running = tokio::task::spawn_blocking(move || start(&programs, &example, port));
        let running = running.await.unwrap();
        let send = async |message: &Message| {
            let request = http
                .post(format!("http://127.0.0.1:{port}/"))
                .header("content-type", "application/json")
                .header("webhook-id", ID)
                .header("webhook-timestamp", message.seconds)
                .header("webhook-signature", &message.signature)
                .body(message.body.clone());
            request.send().await.unwrap().status().as_u16()
        };
        let (genuine, others) = messages();
        assert_eq!(send(&genuine).await, 204, "{language}");
        for other in others {
            assert_eq!(send(&other).await, 401, "{language}");
        }
        drop(running);
    }
}

#[test]
fn the_shell_checks_a_stored_message() {
    let programs = Programs::provide().unwrap();
    let check = |example: &Example, message: &Message| {
        let scratch = Scratch::new().unwrap();
        fs::write(scratch.directory().join("body.json"), &message.body).unwrap();
        let text = example
            .text
            .replace("WEBHOOK_SECRET", &secret())
            .replace("MESSAGE_ID", ID)
            .replace("MESSAGE_TIMESTAMP", &message.seconds.to_string())
            .replace("MESSAGE_SIGNATURE", &message.signature);
        let mut command = programs.prepare("sh", &text, scratch.directory()).unwrap();
        parts::run(&mut command)
    };
    let (genuine, others) = messages();
    let shells: Vec<Example> = examples_of_webhooks()
        .filter(|example| example.language == "sh")
        .collect();
    assert!(!shells.is_empty());
    for example in shells {
        assert_eq!(check(&example, &genuine).unwrap(), "genuine\n");
        for other in &others {
            assert!(
                check(&example, other)
                    .unwrap_err()
                    .to_string()
                    .contains("refused")
            );
        }
    }
}
