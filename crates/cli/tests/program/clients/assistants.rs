//! `firmeza mcp`, as assistants use it.

use crate::support::{Ended, Installation, Order};
use parts::{MCP, Venv};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::process::Command;

#[test]
fn the_official_client_calls_every_tool() {
    let venv = Venv::of(&MCP).unwrap();
    let installation = Installation::new();
    let _server = installation.serve();
    let output = installation.directory().join("output");
    fs::create_dir(&output).unwrap();
    let pdf = installation.directory().join("contrato año.pdf");
    fs::write(&pdf, Order::small().papers[0].bytes()).unwrap();
    let script = parts::workspace().join("crates/cli/tests/program/clients/assistant.py");
    let key = installation.key();
    parts::run(
        Command::new(venv.program("python"))
            .arg(script)
            .arg(env!("CARGO_BIN_EXE_firmeza"))
            .arg(format!("http://127.0.0.1:{}", installation.port))
            .arg(&key)
            .args([&pdf, &output]),
    )
    .unwrap();
    for mode in ["legacy", "auto"] {
        let files = [format!("{mode}-evidence.json"), format!("{mode}.pdf")];
        let files = files.map(|name| output.join(name).to_str().unwrap().to_owned());
        installation.ok(&["verify", "--installation", &files[0], &files[1]]);
    }
}

/// Runs `firmeza mcp` with those messages, to its end.
fn speak(installation: &Installation, key: &str, messages: &str) -> Ended {
    let file = installation.directory().join("messages");
    fs::write(&file, messages).unwrap();
    let mut command = installation.command();
    command
        .arg("mcp")
        .env("FIRMEZA_API_KEY", key)
        .env("FIRMEZA_URL", format!("http://127.0.0.1:{}", installation.port))
        .stdin(File::open(file).unwrap());
    Ended::of(&command.output().unwrap())
}

#[test]
fn nothing_but_the_protocol_is_on_standard_output() {
    let installation = Installation::new();
    let folio = json!({ "folioId": "x" });
    let call =
        json!({ "id": "c", "method": "tools/call", "params": { "name": "read_folio", "arguments": folio } });
    let messages = format!(
        "{}\n\n{}\nnot JSON\n{call}\n{}",
        json!({ "id": 1, "method": "initialize", "params": {} }),
        json!({ "method": "notifications/initialized" }),
        // The last line may lack its end.
        json!({ "id": 2, "method": "ping" }),
    );
    let key = "firmeza_secreta";
    let ended = speak(&installation, key, &messages);
    assert!(ended.success, "{ended:?}");
    assert_eq!(ended.stderr, "");
    let lines = ended.stdout.lines().map(serde_json::from_str::<Value>);
    let ids: Vec<Value> = lines.map(|line| line.unwrap()["id"].clone()).collect();
    assert_eq!(ids, [json!(1), Value::Null, json!("c"), json!(2)]);
    assert!(!ended.stdout.contains(key));
    assert!(
        !installation.data().exists(),
        "an assistant needs no installation here"
    );
}

#[test]
fn an_assistant_without_a_key_is_told_what_to_set() {
    let installation = Installation::new();
    let ended = speak(&installation, "", "");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    assert!(ended.stderr.contains("FIRMEZA_API_KEY must be set"), "{ended:?}");
}
