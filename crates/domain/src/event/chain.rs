//! The chain of a folio's events.

use super::kind::EventKind;
use super::origin::{Actor, Origin};
use crate::client::Client;
use crate::ids::{FolioId, Random, SignerIndex};
use crate::personal::{PersonalValue, extract, restored};
use crate::time::Timestamp;
use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The actor in an event's JSON. A signer who acts on their own signature is named once: readers differ in
/// what they make of a repeated member.
#[derive(Serialize)]
#[serde(untagged)]
enum ActorJson<'a> {
    Full(&'a Actor),
    SameSigner { who: &'static str },
}

impl<'a> ActorJson<'a> {
    fn of(event: &'a Event) -> Self {
        match event.origin.actor {
            Actor::Signer { signer } if event.what.signer() == Some(signer) => {
                Self::SameSigner { who: "signer" }
            }
            _ => Self::Full(&event.origin.actor),
        }
    }
}

/// An event that is not in the chain yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// Who, from where.
    pub origin: Origin,
    /// What.
    pub what: EventKind,
}

impl Event {
    /// Its text in that place of the folio's chain, with the personal values in it.
    fn full_body(&self, folio: FolioId, number: i64) -> Value {
        #[derive(Serialize)]
        struct Body<'a> {
            folio: FolioId,
            number: i64,
            at: Timestamp,
            #[serde(flatten)]
            actor: ActorJson<'a>,
            #[serde(flatten)]
            client: &'a Client,
            #[serde(flatten)]
            what: &'a EventKind,
        }
        let body = Body {
            folio,
            number,
            at: self.at,
            actor: ActorJson::of(self),
            client: &self.origin.client,
            what: &self.what,
        };
        // Strings, numbers and maps with string keys only: there is nothing in it that JSON cannot hold.
        serde_json::to_value(&body).unwrap_or_default()
    }
}

/// The end of a folio's chain: how many events it has, and the hash of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryHead {
    /// Events so far.
    pub length: i64,
    /// Hash of the last one; zeros before the first.
    pub hash: [u8; 32],
}

/// An event in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainedEvent {
    /// Its number in the folio, from 1.
    pub number: i64,
    /// Its text: JSON, hashed byte for byte.
    pub body: String,
    /// The personal values whose digests are in the text: JSON, a list of [`PersonalValue`].
    pub personal: String,
    /// SHA-256 over the hash before and the text.
    pub hash: [u8; 32],
}

impl ChainedEvent {
    /// The personal values; none where they cannot be read.
    pub fn values(&self) -> Vec<PersonalValue> {
        serde_json::from_str(&self.personal).unwrap_or_default()
    }

    /// The names, document numbers, contacts and pictures of signers among them, each with whose it is.
    pub fn values_of_signers(&self) -> Vec<(SignerIndex, PersonalValue)> {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        let own = body["signer"].as_u64().and_then(|own| usize::try_from(own).ok());
        let whose = |value: &PersonalValue| {
            let listed = value.at.strip_prefix("/signers/");
            let listed = listed.and_then(|at| at.split('/').next()?.parse().ok());
            // What the event says of the person who acted is not the signer's, or is no name, number or contact.
            listed.or(own.filter(|_| !value.at.starts_with("/actor")))
        };
        let of_person = ["name", "document_number", "email", "mobile", "picture_text"];
        let values = self.values().into_iter();
        values
            .filter(|value| of_person.contains(&value.field()))
            .filter_map(|value| Some((SignerIndex(whose(&value)?), value)))
            .collect()
    }

    /// The text beside it with every personal value erased: the digests in its own text stay.
    pub fn erased_values(&self) -> String {
        let erased: Vec<PersonalValue> = self.values().into_iter().map(PersonalValue::erase).collect();
        serde_json::to_string(&erased).unwrap_or_default()
    }

    /// The signer to whom the event shows that the folio exists: a message was sent, or the signer came.
    pub fn reached_signer(&self) -> Option<SignerIndex> {
        let body: Value = serde_json::from_str(&self.body).ok()?;
        let what = body["what"].as_str()?;
        let reached = [
            "resent",
            "code_sent",
            "code_refused",
            "identified",
            "opened",
            "accepted",
            "end_reached",
            "signed",
            "delivered",
        ];
        let signer = body["signer"].as_u64().filter(|_| reached.contains(&what))?;
        usize::try_from(signer).ok().map(SignerIndex)
    }

    /// Whether this is that event of the folio.
    pub fn is(&self, folio: FolioId, event: &Event) -> bool {
        self.full_body() == event.full_body(folio, self.number)
    }

    /// The body with the personal values in their positions.
    pub fn full_body(&self) -> Value {
        // What is stored is what was written: JSON.
        let body = serde_json::from_str(&self.body).unwrap_or_default();
        restored(body, &self.values())
    }
}

impl HistoryHead {
    /// The chain of a folio to which nothing has happened.
    pub const START: Self = Self {
        length: 0,
        hash: [0; 32],
    };

    /// Appends an event; `random` gives the salts of its personal values.
    #[must_use]
    pub fn append(self, folio: FolioId, event: &Event, random: &mut dyn Random) -> (ChainedEvent, Self) {
        let number = self.length + 1;
        let mut body = event.full_body(folio, number);
        let values = extract(&mut body, random);
        let event = ChainedEvent {
            number,
            body: body.to_string(),
            personal: serde_json::to_string(&values).unwrap_or_default(),
            hash: [0; 32],
        };
        let hash = hash_after(&self.hash, &event.body);
        (ChainedEvent { hash, ..event }, Self { length: number, hash })
    }
}

/// The hash of an event's text that follows an event with the hash `before`.
pub fn hash_after(before: &[u8; 32], body: &str) -> [u8; 32] {
    Sha256::new()
        .chain_update(before)
        .chain_update(body.as_bytes())
        .finalize()
        .into()
}

/// Hexadecimal text of a hash.
pub fn hex(hash: &[u8; 32]) -> String {
    HEXLOWER.encode(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Zeros;

    impl Random for Zeros {
        fn fill(&mut self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn an_event_in_a_chain_is_recognised() {
        let folio = FolioId::from_bytes([1; 16]);
        let origin = Origin {
            actor: Actor::Service,
            client: Client::at([192, 0, 2, 1].into()),
        };
        let event = |micros| Event {
            at: Timestamp::from_micros(micros),
            origin: origin.clone(),
            what: EventKind::Completed,
        };
        let (first, head) = HistoryHead::START.append(folio, &event(5), &mut Zeros);
        let (second, _) = head.append(folio, &event(7), &mut Zeros);
        assert!(first.is(folio, &event(5)) && second.is(folio, &event(7)));
        assert!(!first.is(folio, &event(7)) && !first.is(FolioId::from_bytes([2; 16]), &event(5)));
    }

    #[test]
    fn no_member_of_an_event_comes_twice() {
        let folio = FolioId::from_bytes([1; 16]);
        let text = |signer, what| {
            let origin = Origin {
                actor: Actor::Signer { signer },
                client: Client::default(),
            };
            let at = Timestamp::from_micros(0);
            let event = Event { at, origin, what };
            HistoryHead::START.append(folio, &event, &mut Zeros).0.body
        };
        let identified = text(
            SignerIndex(2),
            EventKind::Identified {
                signer: SignerIndex(2),
            },
        );
        assert!(identified.contains(r#""who":"signer""#), "{identified}");
        assert_eq!(identified.matches(r#""signer":2"#).count(), 1, "{identified}");
        let sha256 = String::new();
        let read = text(SignerIndex(1), EventKind::EvidenceDownloaded { sha256 });
        assert_eq!(read.matches(r#""signer":1"#).count(), 1, "{read}");
    }
}
