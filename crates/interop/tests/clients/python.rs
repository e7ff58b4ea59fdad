//! requests, httpx and aiohttp.

use crate::program::{Program, source};
use crate::sample::{FILE_NAME, PERCENT_ENCODED_FILE_NAME, file_part};
use parts::{PYTHON_CLIENTS, Venv};

fn python(script: &str) -> Program {
    let venv = Venv::of(&PYTHON_CLIENTS).unwrap();
    Program::new(venv.program("python"))
        .arg("-B")
        .arg(source("python").join(script))
}

#[tokio::test]
async fn python_requests() {
    let run = python("requests_client.py").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Content-Disposition: form-data; name=\"documents[]\"");
}

#[tokio::test]
async fn python_httpx() {
    let run = python("httpx_client.py").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Content-Disposition: form-data; name=\"documents[]\"");
}

#[tokio::test]
async fn python_aiohttp() {
    let run = python("aiohttp_client.py").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(PERCENT_ENCODED_FILE_NAME));
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent(file_part(""));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
}
