//! A message's identifier: the same at every attempt, so that a receiver can detect duplicates.

use domain::event::hex;
use domain::{FolioId, Timestamp};
use sha2::{Digest, Sha256};
use std::fmt;
use store::{AccountEmailRow, MessageRow};

/// A name that no other message has, without the angle brackets around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageId(String);

impl MessageId {
    /// The name of the folio's message with that number, at that host.
    pub fn new(folio: FolioId, seq: MessageRow, host: &str) -> Self {
        let hash = Sha256::new()
            .chain_update(folio.as_bytes())
            .chain_update(seq.0.to_be_bytes())
            .finalize();
        let hash = hex(&hash.into());
        Self(format!("{seq}.{}@{host}", &hash[..16]))
    }

    /// The name of an account email.
    pub fn of_account_email(seq: AccountEmailRow, written: Timestamp, host: &str) -> Self {
        let hash = Sha256::new()
            .chain_update(b"letter")
            .chain_update(written.as_micros().to_be_bytes())
            .chain_update(seq.0.to_be_bytes())
            .finalize();
        let hash = hex(&hash.into());
        Self(format!("p{seq}.{}@{host}", &hash[..16]))
    }

    /// The value of the email's header.
    pub fn header(&self) -> String {
        format!("<{}>", self.0)
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
