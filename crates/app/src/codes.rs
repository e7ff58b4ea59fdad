//! One-time codes as they are kept: a keyed hash bound to their holder, their channel and the documents shown.

use crate::case::Case;
use crate::secrets::MasterKey;
use aws_lc_rs::hmac;
use domain::{Channel, Code};

/// Hashes and compares codes.
#[derive(Clone, Debug)]
pub(crate) struct Codes(hmac::Key);

impl Codes {
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self(hmac::Key::new(
            hmac::HMAC_SHA256,
            &master.derive("one-time codes"),
        ))
    }

    /// What is kept of a code.
    pub(crate) fn digest(&self, case: &Case, channel: Channel, code: &Code) -> [u8; 32] {
        let mut digest = [0; 32];
        digest.copy_from_slice(hmac::sign(&self.0, &text(case, channel, code)).as_ref());
        digest
    }

    /// Whether it is the code that was kept, in constant time.
    pub(crate) fn matches(&self, digest: &[u8; 32], case: &Case, channel: Channel, code: &Code) -> bool {
        hmac::verify(&self.0, &text(case, channel, code), digest).is_ok()
    }
}

fn text(case: &Case, channel: Channel, code: &Code) -> Vec<u8> {
    let kind = match channel {
        Channel::Email => b"e",
        Channel::Sms => b"s",
    };
    [
        kind.as_slice(),
        code.as_str().as_bytes(),
        &case.documents_hash(),
        &case.holder.to_bytes(),
        case.recipient(channel).as_bytes(),
    ]
    .concat()
}
