//! Blobs in a directory: the suite, and what only a file system can show.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod suite;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use blobs::{Blobs, Error, Location};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use suite::{LARGE, SMALL, content, finish, keep, stage};
use tempfile::TempDir;

suite!(open);

fn open() -> (Blobs, TempDir) {
    let place = tempfile::tempdir().unwrap();
    (open_at(place.path()), place)
}

fn open_at(place: &Path) -> Blobs {
    Blobs::open(&Location::Directory(place.join("blobs")), &place.join("spool")).unwrap()
}

/// All regular files below a directory, but for the locks.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else if entry.file_name() != "lock" && entry.file_name() != ".gate" {
            found.push(entry.path());
        }
    }
    found
}

/// What a document of that size takes.
const MEMORY: u64 = (LARGE as u64).next_multiple_of(2 << 20);

#[tokio::test]
async fn a_blob_is_a_file_named_by_its_hash() {
    let (blobs, place) = open();
    for len in [SMALL, LARGE] {
        let content = content(1, len);
        let id = keep(&blobs, &content).await.to_string();
        let path = place.path().join("blobs").join(&id[..2]).join(&id);
        assert!(fs::read(path).unwrap() == content);
    }
    assert_eq!(files(place.path()).len(), 2);
}

#[tokio::test]
async fn what_the_system_no_longer_has_in_memory_is_read_all_the_same() {
    let (blobs, place) = open();
    for len in [SMALL, LARGE] {
        let content = content(1, len);
        let id = keep(&blobs, &content).await;
        for path in files(&place.path().join("blobs")) {
            let file = fs::File::open(path).unwrap();
            rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
        }
        let reader = blobs.read(id, 0..len as u64).await.unwrap();
        assert!(reader.bytes().await.unwrap() == content);
    }
}

#[tokio::test(start_paused = true)]
async fn a_document_that_is_late_makes_room_for_others() {
    let (blobs, place) = open();
    let blobs = blobs.with_budget(MEMORY);
    let document = content(1, LARGE);
    let mut late = blobs.stage().of_at_most(Some(LARGE as u64));
    late.push(document.slice(..LARGE / 2)).await.unwrap();
    assert_eq!(files(place.path()), Vec::<PathBuf>::new());
    // It has all of the memory that this one is looked at in.
    let mut other = blobs.stage();
    other.push(content(2, LARGE)).await.unwrap();
    let (other, ()) = finish(other, |_, _| ()).await.unwrap();
    assert_eq!(files(place.path()).len(), 2);
    late.push(document.slice(LARGE / 2..)).await.unwrap();
    let (late, ()) = finish(late, |_, _| ()).await.unwrap();
    let id = late.id();
    assert_eq!(id.as_bytes()[..], Sha256::digest(&document)[..]);
    blobs.persist(vec![late, other]).await.unwrap();
    let reader = blobs.read(id, 0..LARGE as u64).await.unwrap();
    assert!(reader.bytes().await.unwrap() == document);
}

#[tokio::test(start_paused = true)]
async fn what_nobody_looks_at_waits_for_no_memory() {
    let (blobs, place) = open();
    let blobs = blobs.with_budget(MEMORY);
    let mut gathered = blobs.stage().of_at_most(Some(LARGE as u64));
    gathered.push(content(1, LARGE / 2)).await.unwrap();
    let document = content(2, LARGE);
    let staged = stage(&blobs, &document).await;
    assert_eq!(files(place.path()).len(), 1, "the other has all the memory still");
    assert_eq!(staged.id().as_bytes()[..], Sha256::digest(&document)[..]);
    let id = staged.id();
    blobs.persist(vec![staged]).await.unwrap();
    let reader = blobs.read(id, 0..LARGE as u64).await.unwrap();
    assert!(reader.bytes().await.unwrap() == document);
}

#[tokio::test]
async fn chunks_of_any_length_are_gathered_and_hashed() {
    let (blobs, place) = open();
    let document = content(1, LARGE);
    let mut stage = blobs.stage().of_at_most(Some(LARGE as u64));
    let lengths = [0, 1, 63, 64, 65, 1023, 1024, 1025, 5_000, 150_000];
    let mut rest = document.clone();
    for length in lengths.into_iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let chunk = rest.split_to(length.min(rest.len()));
        stage.push(chunk).await.unwrap();
    }
    assert_eq!(files(&place.path().join("spool")), Vec::<PathBuf>::new());
    let expected = document.clone();
    let (staged, same) = finish(stage, move |seen, _| expected == seen).await.unwrap();
    assert!(same);
    assert_eq!(staged.id().as_bytes()[..], Sha256::digest(&document)[..]);
}

#[tokio::test(start_paused = true)]
async fn a_document_that_could_not_be_moved_out_is_lost() {
    let (blobs, place) = open();
    let mut late = blobs.stage().of_at_most(Some(LARGE as u64));
    late.push(content(1, LARGE / 2)).await.unwrap();
    fs::remove_dir_all(place.path().join("spool")).unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let lost = late.push(content(1, 1)).await;
    assert!(matches!(lost, Err(Error::Io { .. })), "{lost:?}");
}

#[tokio::test]
async fn what_lay_in_memory_before_is_in_no_document() {
    let (blobs, place) = open();
    for (seed, len) in [(1, 2_000_000), (2, 1_500_001), (3, 1_999_999)] {
        let document = content(seed, len);
        let mut stage = blobs.stage().of_at_most(Some(2_000_000));
        stage.push(document.clone()).await.unwrap();
        assert_eq!(files(&place.path().join("spool")), Vec::<PathBuf>::new());
        let expected = document.clone();
        let (staged, same) = finish(stage, move |seen, _| expected == seen).await.unwrap();
        assert!(same);
        let name = staged.id().to_string();
        blobs.persist(vec![staged]).await.unwrap();
        let path = place.path().join("blobs").join(&name[..2]).join(&name);
        assert!(fs::read(path).unwrap() == document);
    }
}

#[tokio::test]
async fn what_is_refused_is_not_written() {
    let (blobs, place) = open();
    for (len, most) in [(SMALL, None), (LARGE, None), (2_000_000, Some(2_000_000))] {
        let mut stage = blobs.stage().with_room(0).of_at_most(most);
        stage.push(content(1, len)).await.unwrap();
        let (_, refused) = stage.finish(|_, _| Err::<(), _>("no")).await.unwrap();
        assert_eq!(refused.unwrap_err(), "no");
        assert_eq!(files(place.path()), Vec::<PathBuf>::new());
    }
}

#[tokio::test]
async fn a_document_that_is_larger_than_was_said_is_not_kept() {
    let (blobs, place) = open();
    let mut stage = blobs.stage().of_at_most(Some(1_000_000));
    stage.push(content(1, 600_000)).await.unwrap();
    assert!(stage.push(content(1, 600_000)).await.is_err());
    assert!(finish(stage, |_, _| ()).await.is_err());
    assert_eq!(files(place.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn what_is_dropped_leaves_nothing_behind() {
    let (blobs, place) = open();
    let mut unfinished = blobs.stage();
    unfinished.push(content(1, LARGE)).await.unwrap();
    let unkept = stage(&blobs, &content(2, LARGE)).await;
    assert_eq!(files(place.path()).len(), 2);
    drop((unfinished, unkept));
    assert_eq!(files(place.path()), Vec::<PathBuf>::new());
    drop(blobs);
    let left: Vec<_> = fs::read_dir(place.path().join("spool")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[tokio::test]
async fn opening_removes_what_a_crash_left_and_nothing_that_lives() {
    let (first, place) = open();
    let staged = stage(&first, &content(1, LARGE)).await;
    let crashed = place.path().join("spool/stage-1-0");
    let half_made = place.path().join("spool/stage-2-0");
    for directory in [&crashed, &half_made] {
        fs::create_dir(directory).unwrap();
        fs::write(directory.join("0"), "left over").unwrap();
    }
    fs::write(crashed.join("lock"), "").unwrap();
    let second = open_at(place.path());
    assert!(!crashed.exists() && !half_made.exists());
    first.persist(vec![staged]).await.unwrap();
    assert_eq!(suite::list(&second).await.len(), 1);
}

#[tokio::test]
async fn a_large_document_counts_as_new_from_its_persisting() {
    let (blobs, place) = open();
    let staged = stage(&blobs, &content(1, LARGE)).await;
    let modified = |path: &Path| -> SystemTime { fs::metadata(path).unwrap().modified().unwrap() };
    let spooled = modified(&files(&place.path().join("spool"))[0]);
    let marker = place.path().join("marker");
    loop {
        fs::write(&marker, "later than the upload").unwrap();
        if modified(&marker) > spooled {
            break;
        }
    }
    blobs.persist(vec![staged]).await.unwrap();
    assert!(suite::list(&blobs).await[0].modified >= modified(&marker));
}

#[tokio::test]
async fn shards_that_were_tidied_away_come_back() {
    let (blobs, place) = open();
    for shard in fs::read_dir(place.path().join("blobs")).unwrap() {
        fs::remove_dir(shard.unwrap().path()).unwrap();
    }
    assert!(matches!(blobs.check().await, Err(Error::Unavailable { .. })));
    assert!(suite::list(&blobs).await.is_empty());
    keep(&blobs, &content(1, SMALL)).await;
    blobs.check().await.unwrap();
}

#[tokio::test]
async fn a_directory_that_is_gone_is_an_error_and_is_not_made_again() {
    let (blobs, place) = open();
    fs::remove_dir_all(place.path().join("blobs")).unwrap();
    let staged = stage(&blobs, &content(1, SMALL)).await;
    assert!(matches!(blobs.persist(vec![staged]).await, Err(Error::Io { .. })));
    assert!(!place.path().join("blobs").exists());
}

#[tokio::test]
async fn a_stage_that_failed_says_so_ever_after() {
    let (blobs, place) = open();
    let mut broken = blobs.stage();
    fs::remove_dir_all(place.path().join("spool")).unwrap();
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
