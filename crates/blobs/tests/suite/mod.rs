//! What every storage must do, written once.

use std::convert::Infallible;
use std::time::Duration;

use blobs::{BlobId, Blobs, Error, ListedBlob, PendingBlob, Sha256, Upload};
use bytes::Bytes;
use futures_util::StreamExt;

pub(crate) const SMALL: usize = 100_000;
pub(crate) const EDGE: usize = 256 * 1024;
pub(crate) const LARGE: usize = 30_000_000;

/// Runs the whole suite on the stores that `$open` makes: an empty one each time, and what must outlive it.
#[macro_export]
macro_rules! suite {
    ($open:path) => {
        suite!(
            $open: what_was_persisted_is_read_back_whole, what_was_uploaded_with_a_size_hint_is_read_back_whole, an_empty_document_is_a_document,
            ranges_are_exact, a_range_past_the_end_is_refused, what_is_not_there_is_not_found,
            a_large_document_streams_in_frames, names_are_listed_in_order_a_page_at_a_time,
            a_removed_blob_stays_removed, persisting_again_replaces_and_counts_as_new,
            many_are_persisted_at_once, what_exceeds_the_memory_max_is_not_in_memory,
            inspecting_sees_the_document_and_its_hash, an_inspection_that_panics_fails_alone,
            checks_and_probes_pass_and_leave_nothing, the_owner_file_is_replaced_whole_and_is_no_blob
        );
    };
    ($open:path: $($test:ident),*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let (blobs, _temp) = $open();
                suite::$test(blobs).await;
            }
        )*
    };
}

/// Bytes that repeat nowhere soon and differ by seed.
pub(crate) fn content(seed: u64, len: usize) -> Bytes {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(len);
    bytes.into()
}

pub(crate) async fn upload(blobs: &Blobs, content: &Bytes) -> PendingBlob {
    let upload = pushed(blobs.upload(), content).await;
    let pending = upload.finish_uninspected().await.unwrap();
    assert_eq!(pending.len(), content.len() as u64);
    pending
}

/// Ends a document that is accepted whatever is seen of it.
pub(crate) async fn finish<T: Send + 'static>(
    upload: Upload,
    inspect: impl FnOnce(&[u8], &Sha256) -> T + Send + 'static,
) -> Result<(PendingBlob, T), Error> {
    let inspect = move |bytes: &[u8], hash: &Sha256| Ok::<_, Infallible>(inspect(bytes, hash));
    let (id, accepted) = upload.finish(inspect).await?;
    let (pending, seen) = accepted.unwrap();
    assert_eq!(pending.id(), id);
    Ok((pending, seen))
}

async fn pushed(mut upload: Upload, content: &Bytes) -> Upload {
    for start in (0..content.len()).step_by(60_000) {
        upload
            .push(content.slice(start..content.len().min(start + 60_000)))
            .await
            .unwrap();
    }
    assert_eq!(upload.len(), content.len() as u64);
    upload
}

pub(crate) async fn put(blobs: &Blobs, content: &Bytes) -> BlobId {
    let pending = upload(blobs, content).await;
    let id = pending.id();
    blobs.persist(vec![pending]).await.unwrap();
    id
}

async fn read(blobs: &Blobs, id: BlobId, start: usize, end: usize) -> Result<Bytes, Error> {
    blobs.read(id, start as u64..end as u64).await?.bytes().await
}

pub(crate) async fn list(blobs: &Blobs) -> Vec<ListedBlob> {
    blobs.list(None, 10_000).await.unwrap()
}

pub(crate) async fn what_was_persisted_is_read_back_whole(blobs: Blobs) {
    for len in [
        1,
        SMALL,
        EDGE - 1,
        EDGE,
        EDGE + 1,
        3 * EDGE,
        5 * 1024 * 1024,
        5 * 1024 * 1024 + 1,
    ] {
        let content = content(len as u64, len);
        let id = put(&blobs, &content).await;
        assert!(read(&blobs, id, 0, len).await.unwrap() == content, "{len}");
    }
}

pub(crate) async fn what_was_uploaded_with_a_size_hint_is_read_back_whole(blobs: Blobs) {
    for len in [SMALL, EDGE, EDGE + 1, 1 << 20, 9_999_999] {
        let content = content(len as u64, len);
        let expected = content.clone();
        let upload = blobs.upload().with_size_hint(Some(len as u64 + 300));
        let upload = pushed(upload, &content).await;
        let (pending, same) = finish(upload, move |seen, _| expected == seen).await.unwrap();
        assert!(same, "{len}");
        let id = pending.id();
        blobs.persist(vec![pending]).await.unwrap();
        assert!(read(&blobs, id, 0, len).await.unwrap() == content, "{len}");
        assert_eq!(put(&blobs, &content).await, id);
    }
}

pub(crate) async fn an_empty_document_is_a_document(blobs: Blobs) {
    let id = put(&blobs, &Bytes::new()).await;
    assert_eq!(
        id.to_string(),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    assert_eq!(read(&blobs, id, 0, 0).await.unwrap(), Bytes::new());
    assert_eq!(list(&blobs).await[0].id, id);
}

pub(crate) async fn ranges_are_exact(blobs: Blobs) {
    let content = content(1, 3_000_000);
    let id = put(&blobs, &content).await;
    let ranges = [
        (0, 1),
        (5, 5),
        (7, 70_000),
        (EDGE, 2 * EDGE),
        (1, 2_500_000),
        (2_999_999, 3_000_000),
    ];
    for (start, end) in ranges {
        let reader = blobs.read(id, start as u64..end as u64).await.unwrap();
        assert_eq!(reader.remaining(), (end - start) as u64);
        assert!(
            reader.bytes().await.unwrap() == content[start..end],
            "{start}..{end}"
        );
    }
}

pub(crate) async fn a_range_past_the_end_is_refused(blobs: Blobs) {
    let id = put(&blobs, &content(2, SMALL)).await;
    assert!(matches!(
        read(&blobs, id, SMALL - 1, SMALL + 1).await,
        Err(Error::Truncated(_))
    ));
    assert!(read(&blobs, id, SMALL, SMALL + 1).await.is_err());
    let id = put(&blobs, &content(2, 2_000_000)).await;
    assert!(matches!(
        read(&blobs, id, 0, 2_000_001).await,
        Err(Error::Truncated(_))
    ));
}

pub(crate) async fn what_is_not_there_is_not_found(blobs: Blobs) {
    let id = BlobId::from_bytes([9; 32]);
    for end in [0, 1, LARGE] {
        let error = read(&blobs, id, 0, end).await.unwrap_err();
        assert!(error.is_not_found(), "{error:?}");
    }
}

pub(crate) async fn a_large_document_streams_in_frames(blobs: Blobs) {
    let content = content(3, LARGE);
    let id = put(&blobs, &content).await;
    let mut reader = blobs.read(id, 0..LARGE as u64).await.unwrap();
    let mut at = 0;
    while let Some(frame) = reader.next().await {
        let frame = frame.unwrap();
        assert!(!frame.is_empty() && frame.len() <= 1024 * 1024, "{}", frame.len());
        assert!(frame == content[at..at + frame.len()]);
        at += frame.len();
        assert_eq!(reader.remaining(), (LARGE - at) as u64);
    }
    assert_eq!(at, LARGE);
}

pub(crate) async fn names_are_listed_in_order_a_page_at_a_time(blobs: Blobs) {
    let mut expected = Vec::new();
    for seed in 0..40 {
        expected.push(put(&blobs, &content(seed, 10)).await);
    }
    expected.sort_unstable();
    for limit in [1, 7, 40, 1000] {
        let mut found = Vec::new();
        loop {
            let page = blobs.list(found.last().copied(), limit).await.unwrap();
            assert!(page.len() <= limit);
            if page.is_empty() {
                break;
            }
            found.extend(page.into_iter().map(|listed| listed.id));
        }
        assert_eq!(found, expected, "{limit}");
    }
    assert!(blobs.list(None, 0).await.unwrap().is_empty());
}

pub(crate) async fn a_removed_blob_stays_removed(blobs: Blobs) {
    let content = content(4, SMALL);
    let id = put(&blobs, &content).await;
    // What is read again and again is kept in memory, until then.
    for _ in 0..3 {
        assert!(read(&blobs, id, 0, SMALL).await.unwrap() == content);
    }
    blobs.delete(id).await.unwrap();
    blobs.delete(id).await.unwrap();
    for end in [1, SMALL] {
        assert!(read(&blobs, id, 0, end).await.unwrap_err().is_not_found());
    }
    assert!(list(&blobs).await.is_empty());
}

pub(crate) async fn persisting_again_replaces_and_counts_as_new(blobs: Blobs) {
    let content = content(5, SMALL);
    let id = put(&blobs, &content).await;
    let first = list(&blobs).await[0].modified;
    // Clocks of storages tick as coarsely as once a second.
    let newer = async {
        while list(&blobs).await[0].modified <= first {
            assert_eq!(put(&blobs, &content).await, id);
        }
    };
    tokio::time::timeout(Duration::from_mins(2), newer).await.unwrap();
    assert_eq!(list(&blobs).await.len(), 1);
    assert!(read(&blobs, id, 0, SMALL).await.unwrap() == content);
}

pub(crate) async fn many_are_persisted_at_once(blobs: Blobs) {
    let contents: Vec<_> = (0..9)
        .map(|seed| content(seed % 8, 120_000 * usize::try_from(seed % 8).unwrap()))
        .collect();
    let mut pending = Vec::new();
    for content in &contents {
        pending.push(upload(&blobs, content).await);
    }
    let ids: Vec<_> = pending.iter().map(PendingBlob::id).collect();
    blobs.persist(pending).await.unwrap();
    blobs.persist(Vec::new()).await.unwrap();
    for (id, content) in ids.into_iter().zip(contents) {
        assert!(read(&blobs, id, 0, content.len()).await.unwrap() == content);
    }
    assert_eq!(list(&blobs).await.len(), 8);
}

pub(crate) async fn what_exceeds_the_memory_max_is_not_in_memory(blobs: Blobs) {
    let memory_max = SMALL as u64;
    for (memory_max, len, in_memory) in [
        (memory_max, SMALL, memory_max),
        (memory_max - 1, SMALL, 0),
        (0, SMALL, 0),
        (u64::MAX, 300_000, 0),
    ] {
        let content = content(9, len);
        let mut upload = blobs.upload().with_memory_max(memory_max);
        upload.push(content.clone()).await.unwrap();
        let expected = content.clone();
        let (pending, seen) = finish(upload, move |bytes, _| bytes == expected).await.unwrap();
        let found = (pending.in_memory().len() as u64, pending.len(), seen);
        assert_eq!(found, (in_memory, len as u64, true));
        let id = pending.id();
        blobs.persist(vec![pending]).await.unwrap();
        assert!(read(&blobs, id, 0, len).await.unwrap() == content);
        blobs.delete(id).await.unwrap();
    }
}

pub(crate) async fn inspecting_sees_the_document_and_its_hash(blobs: Blobs) {
    for len in [0, SMALL, 3_000_000] {
        let content = content(6, len);
        let mut upload = blobs.upload();
        for chunk in content.chunks(1000) {
            upload.push(Bytes::copy_from_slice(chunk)).await.unwrap();
        }
        let expected = content.clone();
        let inspect = move |bytes: &[u8], hash: &blobs::Sha256| {
            assert!(bytes == expected);
            hash.clone()
        };
        let (pending, hash) = finish(upload, inspect).await.unwrap();
        let digest: [u8; 32] = sha2::Digest::finalize(hash).into();
        assert_eq!(pending.id(), BlobId::from_bytes(digest));
    }
}

pub(crate) async fn an_inspection_that_panics_fails_alone(blobs: Blobs) {
    for len in [SMALL, LARGE] {
        let mut upload = blobs.upload();
        upload.push(content(7, len)).await.unwrap();
        let finished = finish(upload, |_, _| panic!("a inspect that panics, as it should")).await;
        assert!(matches!(finished.map(|(_, ())| ()), Err(Error::Interrupted(_))));
    }
    put(&blobs, &content(8, LARGE)).await;
}

pub(crate) async fn checks_and_probes_pass_and_leave_nothing(blobs: Blobs) {
    blobs.check().await.unwrap();
    blobs.probe().await.unwrap();
    assert!(list(&blobs).await.is_empty());
}

pub(crate) async fn the_owner_file_is_replaced_whole_and_is_no_blob(blobs: Blobs) {
    assert_eq!(blobs.read_owner_file().await.unwrap(), None);
    for owner in ["a longer first text", "another"] {
        blobs.write_owner_file(Bytes::from(owner)).await.unwrap();
        assert_eq!(blobs.read_owner_file().await.unwrap(), Some(Bytes::from(owner)));
    }
    assert_eq!(blobs.list(None, 10).await.unwrap(), []);
}
