//! PHP's curl functions, and Guzzle.

use crate::program::{Program, source};
use crate::sample::{FILE_NAME, file_part, latin1_file_part};
use parts::PHP_CLIENTS;

fn php(script: &str) -> Program {
    parts::provide(&[&PHP_CLIENTS]).unwrap();
    Program::new("php")
        .arg("--define")
        .arg("memory_limit=256M")
        .arg(source("php").join(script))
}

#[tokio::test]
async fn php_curl() {
    let run = php("curl.php").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent(latin1_file_part());
    run.assert_sent(file_part(""));
    run.assert_sent("Expect: 100-continue");
}

#[tokio::test]
async fn php_guzzle() {
    let run = php("guzzle.php").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
}
