//! Node's own fetch, axios with form-data, and got.

use crate::program::{Program, source};
use crate::sample::{FILE_NAME, file_part};
use parts::{NODE_CLIENTS, NodeModules};

fn node(script: &str) -> Program {
    let modules = NodeModules::of(&NODE_CLIENTS).unwrap();
    Program::new(modules.node())
        .arg(source("node").join(script))
        .env("NODE_PACKAGES", modules.directory())
}

#[tokio::test]
async fn node_fetch() {
    let run = node("fetch.mjs").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent("Transfer-Encoding: chunked");
}

#[tokio::test]
async fn node_axios() {
    let run = node("axios.mjs").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent("Content-Disposition: form-data; name=\"documents[]\"");
}

#[tokio::test]
async fn node_got() {
    let run = node("got.mjs").exercise().await;
    run.assert_kept_alive();
    run.assert_sent(file_part(FILE_NAME));
    run.assert_sent("Transfer-Encoding: chunked");
}
