//! Go's net/http, with mime/multipart.

use crate::program::{Program, source};
use crate::sample::{FILE_NAME, PERCENT_ENCODED_FILE_NAME, file_part};
use parts::GO;
use std::process::Command;

const PROGRAM: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/go-client");
/// Compiled packages, kept between runs.
const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/go-cache");

#[tokio::test]
async fn go_net_http() {
    parts::provide(&[&GO]).unwrap();
    // No module, so nothing is fetched; no C, so no compiler of it is wanted.
    let settings = [("GO111MODULE", "off"), ("CGO_ENABLED", "0"), ("GOCACHE", CACHE)];
    parts::run(
        Command::new("go")
            .args(["build", "-o", PROGRAM])
            .arg(source("go").join("main.go"))
            .envs(settings),
    )
    .unwrap();
    let run = Program::new(PROGRAM).exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent(format!(
        "Content-Disposition: form-data; name=\"documents[]\"; filename*=UTF-8''{PERCENT_ENCODED_FILE_NAME}"
    ));
    run.assert_sent(file_part(""));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
    assert_eq!(run.line("download_get")["fileName"], FILE_NAME);
}
