//! The clients in `clients/`: their types are checked, and their own tests run against the program. And assistants.

mod assistants;

use crate::support::{Installation, block_on};
use parts::{MYPY, NodeModules, Scratch, TYPESCRIPT, Venv};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::{Receiver, TestApp, folio};

/// A copy of a client, in which its tools may leave files.
struct ClientCopy {
    scratch: Scratch,
    name: &'static str,
}

impl ClientCopy {
    fn of(name: &'static str) -> Self {
        let scratch = Scratch::new().unwrap();
        let original = parts::workspace().join("clients").join(name);
        parts::run(
            Command::new("cp")
                .arg("-r")
                .arg(original)
                .arg(scratch.directory()),
        )
        .unwrap();
        Self { scratch, name }
    }

    fn directory(&self) -> PathBuf {
        self.scratch.directory().join(self.name)
    }

    /// Puts the examples of the client's README into one file.
    fn write_examples(&self, language: &str, before: &str, file: &str) {
        let readme = fs::read_to_string(self.directory().join("README.md")).unwrap();
        let fence = format!("```{language}\n");
        let blocks = readme.split(&fence).skip(1);
        let blocks: Vec<&str> = blocks.filter_map(|rest| rest.split("```").next()).collect();
        assert_eq!(blocks.len(), 2, "a create and a webhook");
        let examples = format!("{before}\n{}", blocks.join("\n"));
        fs::write(self.directory().join(file), examples).unwrap();
    }

    fn run(&self, command: &mut Command) {
        parts::run(command.current_dir(self.directory())).unwrap();
    }

    /// Runs the client's tests against an installation, and verifies what they leave.
    fn test(&self, tests: &mut Command) {
        let installation = Installation::new();
        let _server = installation.serve();
        let output = self.scratch.directory().join("output");
        fs::create_dir(&output).unwrap();
        let webhook = self.scratch.directory().join("webhook.json");
        fs::write(&webhook, sent_webhook()).unwrap();
        self.run(
            tests
                .env(
                    "FIRMEZA_TEST_URL",
                    format!("http://127.0.0.1:{}", installation.port),
                )
                .env("FIRMEZA_TEST_API_KEY", installation.key())
                .env("FIRMEZA_TEST_OUTPUT", &output)
                .env("FIRMEZA_TEST_WEBHOOK", webhook)
                // A proxy that the developer uses does not lead to this machine.
                .env("no_proxy", "*"),
        );
        let [evidence, signed] = ["evidence.json", "signed.pdf"].map(|name| output.join(name));
        let [evidence, signed] = [&evidence, &signed].map(|file| file.to_str().unwrap());
        installation.ok(&["verify", "--installation", evidence, signed]);
    }
}

/// A webhook as an installation sent it, and what its receiver knows.
fn sent_webhook() -> String {
    block_on(async {
        let app = TestApp::builder().with_webhooks().start().await;
        let company = app.company("Acme").await;
        let receiver = Receiver::start().await;
        let address = app.app().policy.webhooks.address(&receiver.url()).unwrap();
        let added = app.app().add_webhook(
            company.id,
            address,
            "pruebas".to_owned(),
            domain::WantedKinds::All,
        );
        let (_, secret) = added.await.unwrap().unwrap();
        company.created(folio()).await;
        while app.app().project_changes().await.unwrap() > 0 {}
        let message = receiver.until(1).await.remove(0);
        let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        let headers = headers.map(|name| (name.to_owned(), json!(message.header(name))));
        json!({
            "headers": serde_json::Map::from_iter(headers),
            "body": str::from_utf8(&message.body).unwrap(),
            "secret": secret.reveal(),
            "now": app.app().clock.now().as_micros() / 1_000_000,
        })
        .to_string()
    })
}

#[test]
fn the_typescript_client_does_what_the_openapi_document_says() {
    let modules = NodeModules::of(&TYPESCRIPT).unwrap();
    let client = ClientCopy::of("typescript");
    symlink(modules.directory(), client.directory().join("node_modules")).unwrap();
    let tsc = |arguments: &[&str]| {
        let script = Path::new("node_modules/typescript/bin/tsc");
        client.run(Command::new(modules.node()).arg(script).args(arguments));
    };
    tsc(&["--project", "tsconfig.build.json"]);
    client.write_examples("ts", "declare const request: Request;", "test/readme.ts");
    tsc(&[]);
    client.test(Command::new(modules.node()).args(["--test", "test/*.test.ts"]));
}

#[test]
fn the_python_client_does_what_the_openapi_document_says() {
    let venv = Venv::of(&MYPY).unwrap();
    let client = ClientCopy::of("python");
    let before = "from typing import Any\nrequest: Any";
    client.write_examples("python", before, "tests/readme.py");
    client.run(&mut Command::new(venv.program("mypy")));
    client.test(Command::new(venv.program("python")).args(["-m", "unittest"]));
}
