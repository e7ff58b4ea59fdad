//! Ruby's `Net::HTTP`.

use crate::program::{Program, source};
use crate::sample::{FILE_NAME, file_part, latin1_file_part};
use parts::RUBY;

#[tokio::test]
async fn ruby_net_http() {
    parts::provide(&[&RUBY]).unwrap();
    let program = Program::new("ruby").arg(source("ruby").join("net_http.rb"));
    let run = program.exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent(latin1_file_part());
    run.assert_sent("Content-Disposition: form-data; name=\"_charset_\"");
    run.assert_sent(file_part(""));
    run.assert_sent("Transfer-Encoding: chunked");
    run.assert_sent("Expect: 100-continue");
}
