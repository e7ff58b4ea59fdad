//! Reads a request's body and hashes it; keeps nothing.

use super::http;
use bytes::Bytes;
use http_body_util::BodyExt;
use parts::{Error, Result};
use sha2::{Digest, Sha256};

pub(super) async fn serve(port: u16) -> Result<()> {
    http::serve(port, |request| async {
        let mut body = request.into_body();
        let mut hash = Sha256::new();
        while let Some(frame) = body.frame().await {
            if let Ok(bytes) = frame.map_err(Error::while_("the body"))?.into_data() {
                hash.update(&bytes);
            }
        }
        Ok(Bytes::copy_from_slice(&hash.finalize()))
    })
    .await
}
