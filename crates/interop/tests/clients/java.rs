//! `java.net.http`, and Apache `HttpClient` 4 and 5.

use crate::program::{Program, source};
use crate::sample::{FILE_NAME, PERCENT_ENCODED_FILE_NAME, file_part, latin1_file_part};
use parts::JAVA_CLIENTS;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

const CLASSES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/java");

/// The libraries, and those that they need.
static CLASS_PATH: LazyLock<String> = LazyLock::new(|| {
    let jars = [
        "httpclient",
        "httpcore",
        "httpmime",
        "httpclient5",
        "httpcore5",
        "httpcore5-h2",
        "commons-logging",
        "commons-codec",
        "slf4j-api",
        "slf4j-nop",
    ];
    let jars = jars.map(|jar| format!("/usr/share/java/{jar}.jar"));
    format!("{}:{CLASSES}", jars.join(":"))
});

/// Compiles every client, once for all tests.
static COMPILED: LazyLock<()> = LazyLock::new(|| {
    parts::provide(&[&JAVA_CLIENTS]).unwrap();
    let sources = ["Steps", "JavaNetHttp", "Apache4", "Apache5"]
        .map(|class| source("java").join(class).with_extension("java"));
    parts::run(
        Command::new("javac")
            .args(["-encoding", "UTF-8", "-d", CLASSES, "-cp", &CLASS_PATH])
            .args(sources),
    )
    .unwrap();
    assert!(Path::new(CLASSES).is_dir());
});

fn java(class: &str) -> Program {
    LazyLock::force(&COMPILED);
    // A short-lived program: one thread for garbage, and the first compiler only.
    let quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp"];
    let program = Program::new("java");
    let program = quick.into_iter().fold(program, Program::arg);
    program.arg(CLASS_PATH.as_str()).arg(class)
}

#[tokio::test]
async fn java_net_http() {
    let run = java("JavaNetHttp").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent(latin1_file_part());
    run.assert_sent(file_part(""));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
}

#[tokio::test]
async fn java_apache_httpclient_4() {
    let run = java("Apache4").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent("Content-Type: text/plain; charset=ISO-8859-1");
    run.assert_sent(latin1_file_part());
    run.assert_sent(file_part(""));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
}

#[tokio::test]
async fn java_apache_httpclient_5() {
    let run = java("Apache5").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(PERCENT_ENCODED_FILE_NAME));
    run.assert_sent("Content-Type: text/plain; charset=ISO-8859-1");
    run.assert_sent(file_part(""));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
}
