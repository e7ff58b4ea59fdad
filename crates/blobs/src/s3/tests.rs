use std::time::{Duration, Instant};

use super::*;

fn unreachable() -> Arc<S3> {
    let builder = settings::defaults()
        .with_endpoint("http://127.0.0.1:9")
        .with_allow_http(true)
        .with_access_key_id("key")
        .with_secret_access_key("secret");
    Arc::new(S3::build("s3://bucket/some/prefix", builder, Arc::default()).unwrap())
}

#[tokio::test]
async fn a_server_that_is_down_is_unavailable_and_soon() {
    // Retrying by the rules of the library takes several times as long.
    let begun = Instant::now();
    let s3 = unreachable();
    let id = BlobId::from_bytes([7; 32]);
    assert!(matches!(s3.check().await, Err(Error::Unavailable { .. })));
    assert!(matches!(s3.delete(id).await, Err(Error::Unavailable { .. })));
    assert!(matches!(s3.read(id, 0..1).await, Err(Error::Unavailable { .. })));
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

#[test]
fn object_keys_are_below_the_prefix() {
    let id = BlobId::from_bytes([0xab; 32]);
    assert_eq!(unreachable().key(id).as_ref(), format!("some/prefix/ab/{id}"));
}

#[test]
fn addresses_are_a_bucket_and_perhaps_a_prefix() {
    let parts = |address| settings::bucket_and_prefix(address).map_err(drop);
    assert_eq!(parts("s3://docs"), Ok(("docs", String::new())));
    assert_eq!(parts("s3://docs/"), Ok(("docs", String::new())));
    assert_eq!(parts("s3://docs/a/b/"), Ok(("docs", "a/b/".to_owned())));
    for wrong in [
        "",
        "s3://",
        "s3:///a",
        "http://docs/a",
        "s3://docs/a//b",
        "s3://user@docs/a",
    ] {
        assert!(parts(wrong).is_err(), "{wrong}");
    }
}
