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
            .chain_update(b"account email")
            .chain_update(written.as_micros().to_be_bytes())
            .chain_update(seq.0.to_be_bytes())
            .finalize();
        let hash = hex(&hash.into());
        Self(format!("p{seq}.{}@{host}", &hash[..16]))
    }

    /// The number of the folio's message that a `Message-ID` may name, with or without its brackets. Whether it is that
    /// message is for [`Self::is_of`] to say.
    pub fn number_in(header: &str) -> Option<MessageRow> {
        let (number, _) = bare(header).split_once('.')?;
        number.parse().ok().map(MessageRow)
    }

    /// Whether a `Message-ID` names the folio's message with that number, at any host: the installation may have moved.
    pub fn is_of(header: &str, folio: FolioId, seq: MessageRow) -> bool {
        let Self(own) = Self::new(folio, seq, "");
        bare(header)
            .split_once('@')
            .is_some_and(|(name, _)| own == format!("{name}@"))
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

fn bare(header: &str) -> &str {
    header.trim().trim_start_matches('<').trim_end_matches('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_names_its_own_message_and_no_other() {
        let (folio, seq) = (FolioId::from_bytes([1; 16]), MessageRow(7));
        let id = MessageId::new(folio, seq, "firma.example.com");
        for header in [id.header(), id.to_string(), format!(" {} ", id.header())] {
            assert_eq!(MessageId::number_in(&header), Some(seq), "{header}");
            assert!(MessageId::is_of(&header, folio, seq), "{header}");
            assert!(
                !MessageId::is_of(&header, FolioId::from_bytes([2; 16]), seq),
                "{header}"
            );
            assert!(!MessageId::is_of(&header, folio, MessageRow(8)), "{header}");
        }
        let account = MessageId::of_account_email(AccountEmailRow(7), Timestamp::from_micros(0), "h");
        for other in [
            "",
            "<>",
            "7",
            "<7.@>",
            "<CA+x.y@mail.example.com>",
            &account.header(),
        ] {
            let named = MessageId::number_in(other).is_some_and(|seq| MessageId::is_of(other, folio, seq));
            assert!(!named, "{other}");
        }
    }
}
