//! curl on a command line.

use crate::program::{Program, source};
use crate::sample::{FILE_NAME, file_part};
use parts::CURL;

#[tokio::test]
async fn curl() {
    parts::provide(&[&CURL]).unwrap();
    let run = Program::new("sh")
        .arg(source("curl").join("curl.sh"))
        .exercise()
        .await;
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent(file_part(""));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
    // curl does not read `filename*`: the name without its accents is for such clients.
    assert_eq!(
        run.line("download_saved")["fileName"],
        "N_mina a_o 2026 _ se_al _.pdf"
    );
    assert_eq!(run.line("one_connection")["connects"], "1 0 0 ");
}
