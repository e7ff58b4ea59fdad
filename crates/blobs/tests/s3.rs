//! Blobs in a bucket: the suite, against the server that the environment names.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod suite;

use blobs::{Blobs, Location};
use tempfile::TempDir;

suite!(open);

fn open() -> (Blobs, TempDir) {
    let Ok(address) = std::env::var("FIRMEZA_TEST_S3_URL") else {
        panic!("run through `cargo xtask test`");
    };
    let spool = tempfile::tempdir().unwrap();
    // The directory's random name keeps the tests apart in the bucket, too.
    let name = spool
        .path()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .trim_start_matches('.');
    let address = format!("{}/{name}", address.trim_end_matches('/'));
    (Blobs::open(&Location::S3(address), spool.path()).unwrap(), spool)
}
