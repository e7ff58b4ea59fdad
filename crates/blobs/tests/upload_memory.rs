//! How much memory many large uploads cost together. Alone in its binary: it measures the whole process.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

use std::fs;

use blobs::{Blobs, Location};
use bytes::Bytes;

const CLIENTS: u8 = 32;
const CHUNKS: u64 = 400;
const CHUNK: usize = 64 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_large_uploads_share_one_memory_limit() {
    let temp = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(&Location::Directory(temp.path().join("blobs")), temp.path()).unwrap();
    let before = kib("VmRSS");
    let uploads: Vec<_> = (0..CLIENTS)
        .map(|client| tokio::spawn(upload(blobs.clone(), client)))
        .collect();
    for upload in uploads {
        upload.await.unwrap();
    }
    let grown = kib("VmHWM") - before;
    println!(
        "{CLIENTS} uploads of 25 MiB: {} KiB more at the peak, {} after",
        grown,
        kib("VmRSS") - before
    );
    // The limit is 48 MiB; stacks, and what the allocator keeps, come on top and vary with the load. Without a limit it
    // would be 800 MiB. `cargo xtask bench memory` has the exact figure.
    assert!(grown <= 128 * 1024, "{grown} KiB");
}

async fn upload(blobs: Blobs, client: u8) {
    // Some say how large they are.
    let size_hint = client.is_multiple_of(2).then_some(CHUNKS * CHUNK as u64);
    let mut upload = blobs.upload().with_size_hint(size_hint);
    for _ in 0..CHUNKS {
        upload.push(Bytes::from(vec![client; CHUNK])).await.unwrap();
        tokio::task::yield_now().await;
    }
    let inspect = |bytes: &[u8], _: &_| Ok::<u64, ()>(bytes.iter().map(|byte| u64::from(*byte)).sum());
    let (_, accepted) = upload.finish(inspect).await.unwrap();
    let (pending, sum) = accepted.unwrap();
    assert_eq!(pending.len(), CHUNKS * CHUNK as u64);
    assert_eq!(sum, pending.len() * u64::from(client));
    blobs.persist(vec![pending]).await.unwrap();
}

fn kib(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
