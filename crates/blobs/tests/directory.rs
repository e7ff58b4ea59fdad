//! Blobs in a directory: the suite, and what only a file system can show.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod suite;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use blobs::{Blobs, Error, Location};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use suite::{LARGE, SMALL, content, finish, put, upload};
use tempfile::TempDir;

suite!(open);

fn open() -> (Blobs, TempDir) {
    let temp = tempfile::tempdir().unwrap();
    (open_at(temp.path()), temp)
}

fn open_at(temp: &Path) -> Blobs {
    Blobs::open(&Location::Directory(temp.join("blobs")), &temp.join("temp")).unwrap()
}

/// All regular files below a directory, but for the locks.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else if entry.file_name() != "lock" && entry.file_name() != ".create-lock" {
            found.push(entry.path());
        }
    }
    found
}

/// What a document of that size takes.
const MEMORY: u64 = (LARGE as u64).next_multiple_of(2 << 20);

#[tokio::test]
async fn a_blob_is_a_file_named_by_its_hash() {
    let (blobs, temp) = open();
    for len in [SMALL, LARGE] {
        let content = content(1, len);
        let id = put(&blobs, &content).await.to_string();
        let path = temp.path().join("blobs").join(&id[..2]).join(&id);
        assert!(fs::read(path).unwrap() == content);
    }
    assert_eq!(files(temp.path()).len(), 2);
}

#[tokio::test]
async fn what_the_system_no_longer_has_in_memory_is_read_all_the_same() {
    let (blobs, temp) = open();
    for len in [SMALL, LARGE] {
        let content = content(1, len);
        let id = put(&blobs, &content).await;
        for path in files(&temp.path().join("blobs")) {
            let file = fs::File::open(path).unwrap();
            rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
        }
        let reader = blobs.read(id, 0..len as u64).await.unwrap();
        assert!(reader.bytes().await.unwrap() == content);
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_upload_is_spilled_to_free_its_memory() {
    let (blobs, temp) = open();
    let blobs = blobs.with_memory_limit(MEMORY);
    let document = content(1, LARGE);
    let mut late = blobs.upload().with_size_hint(Some(LARGE as u64));
    late.push(document.slice(..LARGE / 2)).await.unwrap();
    assert_eq!(files(temp.path()), Vec::<PathBuf>::new());
    // It has all of the memory that this one is looked at in.
    let mut other = blobs.upload();
    other.push(content(2, LARGE)).await.unwrap();
    let (other, ()) = finish(other, |_, _| ()).await.unwrap();
    assert_eq!(files(temp.path()).len(), 2);
    late.push(document.slice(LARGE / 2..)).await.unwrap();
    let (late, ()) = finish(late, |_, _| ()).await.unwrap();
    let id = late.id();
    assert_eq!(id.as_bytes()[..], Sha256::digest(&document)[..]);
    blobs.persist(vec![late, other]).await.unwrap();
    let reader = blobs.read(id, 0..LARGE as u64).await.unwrap();
    assert!(reader.bytes().await.unwrap() == document);
}

#[tokio::test(start_paused = true)]
async fn an_uninspected_upload_waits_for_no_memory() {
    let (blobs, temp) = open();
    let blobs = blobs.with_memory_limit(MEMORY);
    let mut in_memory = blobs.upload().with_size_hint(Some(LARGE as u64));
    in_memory.push(content(1, LARGE / 2)).await.unwrap();
    let document = content(2, LARGE);
    let pending = upload(&blobs, &document).await;
    assert_eq!(files(temp.path()).len(), 1, "the other has all the memory still");
    assert_eq!(pending.id().as_bytes()[..], Sha256::digest(&document)[..]);
    let id = pending.id();
    blobs.persist(vec![pending]).await.unwrap();
    let reader = blobs.read(id, 0..LARGE as u64).await.unwrap();
    assert!(reader.bytes().await.unwrap() == document);
}

#[tokio::test(start_paused = true)]
async fn chunks_of_any_length_are_joined_and_hashed() {
    let (blobs, temp) = open();
    let document = content(1, LARGE);
    let mut upload = blobs.upload().with_size_hint(Some(LARGE as u64));
    let lengths = [0, 1, 63, 64, 65, 1023, 1024, 1025, 5_000, 150_000];
    let mut rest = document.clone();
    for length in lengths.into_iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let chunk = rest.split_to(length.min(rest.len()));
        upload.push(chunk).await.unwrap();
    }
    assert_eq!(files(&temp.path().join("temp")), Vec::<PathBuf>::new());
    let expected = document.clone();
    let (pending, same) = finish(upload, move |seen, _| expected == seen).await.unwrap();
    assert!(same);
    assert_eq!(pending.id().as_bytes()[..], Sha256::digest(&document)[..]);
}

#[tokio::test(start_paused = true)]
async fn an_upload_that_could_not_be_spilled_is_lost() {
    let (blobs, temp) = open();
    let mut late = blobs.upload().with_size_hint(Some(LARGE as u64));
    late.push(content(1, LARGE / 2)).await.unwrap();
    fs::remove_dir_all(temp.path().join("temp")).unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let lost = late.push(content(1, 1)).await;
    assert!(matches!(lost, Err(Error::Io { .. })), "{lost:?}");
}

#[tokio::test(start_paused = true)]
async fn recycled_pages_leak_into_no_document() {
    let (blobs, temp) = open();
    for (seed, len) in [(1, 2_000_000), (2, 1_500_001), (3, 1_999_999)] {
        let document = content(seed, len);
        let mut upload = blobs.upload().with_size_hint(Some(2_000_000));
        upload.push(document.clone()).await.unwrap();
        assert_eq!(files(&temp.path().join("temp")), Vec::<PathBuf>::new());
        let expected = document.clone();
        let (pending, same) = finish(upload, move |seen, _| expected == seen).await.unwrap();
        assert!(same);
        let name = pending.id().to_string();
        blobs.persist(vec![pending]).await.unwrap();
        let path = temp.path().join("blobs").join(&name[..2]).join(&name);
        assert!(fs::read(path).unwrap() == document);
    }
}

#[tokio::test]
async fn a_refused_document_is_not_written() {
    let (blobs, temp) = open();
    for (len, size_hint) in [(SMALL, None), (LARGE, None), (2_000_000, Some(2_000_000))] {
        let mut upload = blobs.upload().with_memory_max(0).with_size_hint(size_hint);
        upload.push(content(1, len)).await.unwrap();
        let (_, refused) = upload.finish(|_, _| Err::<(), _>("no")).await.unwrap();
        assert_eq!(refused.unwrap_err(), "no");
        assert_eq!(files(temp.path()), Vec::<PathBuf>::new());
    }
}

#[tokio::test]
async fn a_document_larger_than_its_size_hint_is_refused() {
    let (blobs, temp) = open();
    let mut upload = blobs.upload().with_size_hint(Some(1_000_000));
    upload.push(content(1, 600_000)).await.unwrap();
    assert!(upload.push(content(1, 600_000)).await.is_err());
    assert!(finish(upload, |_, _| ()).await.is_err());
    assert_eq!(files(temp.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_dropped_upload_leaves_nothing_behind() {
    let (blobs, temp) = open();
    let mut unfinished = blobs.upload();
    unfinished.push(content(1, LARGE)).await.unwrap();
    let pending = upload(&blobs, &content(2, LARGE)).await;
    assert_eq!(files(temp.path()).len(), 2);
    drop((unfinished, pending));
    assert_eq!(files(temp.path()), Vec::<PathBuf>::new());
    drop(blobs);
    let left: Vec<_> = fs::read_dir(temp.path().join("temp")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[tokio::test]
async fn opening_removes_the_temp_files_of_dead_processes_only() {
    let (first, temp) = open();
    let pending = upload(&first, &content(1, LARGE)).await;
    let crashed = temp.path().join("temp/upload-1-0");
    let half_made = temp.path().join("temp/upload-2-0");
    for directory in [&crashed, &half_made] {
        fs::create_dir(directory).unwrap();
        fs::write(directory.join("0"), "left over").unwrap();
    }
    fs::write(crashed.join("lock"), "").unwrap();
    let second = open_at(temp.path());
    assert!(!crashed.exists() && !half_made.exists());
    first.persist(vec![pending]).await.unwrap();
    assert_eq!(suite::list(&second).await.len(), 1);
}

#[tokio::test]
async fn a_large_document_counts_as_new_from_its_persisting() {
    let (blobs, temp) = open();
    let pending = upload(&blobs, &content(1, LARGE)).await;
    let modified = |path: &Path| -> SystemTime { fs::metadata(path).unwrap().modified().unwrap() };
    let temp_modified = modified(&files(&temp.path().join("temp"))[0]);
    let marker = temp.path().join("marker");
    loop {
        fs::write(&marker, "later than the upload").unwrap();
        if modified(&marker) > temp_modified {
            break;
        }
    }
    blobs.persist(vec![pending]).await.unwrap();
    assert!(suite::list(&blobs).await[0].modified >= modified(&marker));
}

#[tokio::test]
async fn shards_that_were_tidied_away_come_back() {
    let (blobs, temp) = open();
    for shard in fs::read_dir(temp.path().join("blobs")).unwrap() {
        fs::remove_dir(shard.unwrap().path()).unwrap();
    }
    assert!(matches!(blobs.check().await, Err(Error::Unavailable { .. })));
    assert!(suite::list(&blobs).await.is_empty());
    put(&blobs, &content(1, SMALL)).await;
    blobs.check().await.unwrap();
}

#[tokio::test]
async fn a_directory_that_is_gone_is_an_error_and_is_not_made_again() {
    let (blobs, temp) = open();
    fs::remove_dir_all(temp.path().join("blobs")).unwrap();
    let pending = upload(&blobs, &content(1, SMALL)).await;
    assert!(matches!(
        blobs.persist(vec![pending]).await,
        Err(Error::Io { .. })
    ));
    assert!(!temp.path().join("blobs").exists());
}

#[tokio::test]
async fn an_upload_that_failed_stays_failed() {
    let (blobs, temp) = open();
    let mut broken = blobs.upload();
    fs::remove_dir_all(temp.path().join("temp")).unwrap();
    assert!(matches!(
        broken.push(content(1, LARGE)).await,
        Err(Error::Io { .. })
    ));
    broken.push(Bytes::from_static(b"more")).await.unwrap();
    assert!(matches!(
        finish(broken, |_, _| ()).await,
        Err(Error::Interrupted(_))
    ));
}
