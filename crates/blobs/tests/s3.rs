//! Blobs in a bucket: the suite, against the server that the environment names.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod suite;

use blobs::{Blobs, Location};
use suite::{content, put};
use tempfile::TempDir;

suite!(open);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_keep_below_the_same_prefix_is_not_listed() {
    let (address, temp_files) = address();
    let at = |address: &str| Blobs::open(&Location::S3(address.to_owned()), temp_files.path()).unwrap();
    let ours = at(&address);
    let mut expected = Vec::new();
    for seed in 0..10 {
        expected.push(put(&ours, &content(seed, 10)).await);
    }
    expected.sort_unstable();
    // Before ours, among them and after them, with names that could be ours and some that are.
    for folder in ["0", "7", "80/7f", "old", "staging/ff"] {
        let others = at(&format!("{address}/{folder}"));
        for seed in 8..14 {
            put(&others, &content(seed, 10)).await;
        }
    }
    for limit in [1, 3, 10, 1000] {
        let mut found = Vec::new();
        // As many pages as there can be, and the empty one that is the end.
        for _ in 0..=expected.len() {
            let page = ours.list(found.last().copied(), limit).await.unwrap();
            assert!(page.len() <= limit);
            found.extend(page.into_iter().map(|listed| listed.id));
        }
        assert_eq!(found, expected, "{limit}");
    }
}

fn open() -> (Blobs, TempDir) {
    let (address, temp_files) = address();
    (
        Blobs::open(&Location::S3(address), temp_files.path()).unwrap(),
        temp_files,
    )
}

/// A place of the test's own in the bucket, and a directory for its temporary files.
fn address() -> (String, TempDir) {
    let Ok(address) = std::env::var("FIRMEZA_TEST_S3_URL") else {
        panic!("run through `cargo xtask test`");
    };
    let temp_files = tempfile::tempdir().unwrap();
    // The directory's random name keeps the tests apart in the bucket, too.
    let name = temp_files
        .path()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .trim_start_matches('.');
    (format!("{}/{name}", address.trim_end_matches('/')), temp_files)
}
