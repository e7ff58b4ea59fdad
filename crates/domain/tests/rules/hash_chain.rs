//! The hash chain of events holds, and breaks wherever an event is changed.

use crate::sample::{CountingBytes, at, contact, created, observation, return_url, service};
use domain::event::ChainedEvent;
use domain::{
    Actor, Channel, Delivery, Event, EventKind, FolioId, HistoryHead, Origin, SignerIndex, Template, personal,
};
use proptest::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The end of a chain that holds from its first event to its last; nothing when it is broken.
pub(crate) fn verified(folio: FolioId, events: &[ChainedEvent]) -> Option<HistoryHead> {
    let mut end = HistoryHead {
        length: 0,
        hash: [0; 32],
    };
    for event in events {
        let mut hashed = Sha256::new();
        hashed.update(end.hash);
        hashed.update(&event.body);
        let hash: [u8; 32] = hashed.finalize().into();
        let body: Value = serde_json::from_str(&event.body).ok()?;
        let in_place = body["number"] == event.number
            && body["folio"] == folio.to_string()
            && event.number == end.length + 1;
        if !in_place || hash != event.hash {
            return None;
        }
        end = HistoryHead {
            length: event.number,
            hash,
        };
    }
    Some(end)
}

/// What each event says happened.
pub(crate) fn kinds(events: &[ChainedEvent]) -> Vec<String> {
    let kind = |event: &ChainedEvent| {
        let body: Value = serde_json::from_str(&event.body).unwrap();
        body["what"].as_str().unwrap().to_owned()
    };
    events.iter().map(kind).collect()
}

fn history(length: usize) -> (FolioId, Vec<ChainedEvent>, HistoryHead) {
    let made = created(2, None);
    let id = made.folio.id;
    let (first, mut link) = HistoryHead::START.append(id, &made.event, &mut CountingBytes(0));
    let mut events = vec![first];
    for round in 1..length {
        let what = EventKind::Cancelled {
            observation: observation(&format!("the reason of round {round}")),
        };
        let event = Event {
            at: at(i64::try_from(round).unwrap()),
            origin: service(),
            what,
        };
        let (chained, next) = link.append(id, &event, &mut CountingBytes(0));
        events.push(chained);
        link = next;
    }
    (id, events, link)
}

#[test]
fn the_text_says_who_did_what_when() {
    let (id, events, _) = history(1);
    let body: Value = serde_json::from_str(&events[0].body).unwrap();
    assert_eq!(body["folio"], id.to_string());
    assert_eq!(body["number"], 1);
    assert_eq!(body["at"], at(0).as_micros());
    assert_eq!(body["who"], "service");
    assert_eq!(body["what"], "created");
    assert_eq!(body["documents"][1]["sha256"], "02".repeat(32));
    assert_eq!(body["signers"][1]["document_type"], "CC");
    let body = events[0].full_body();
    assert_eq!(body["signers"][1]["document_number"], "10001");
    assert_eq!(body["signers"][1]["email"], "signer1@example.com");
}

#[test]
fn no_text_of_an_event_tells_of_a_person() {
    let folio = FolioId::from_bytes([1; 16]);
    let contact = contact("maria@example.com");
    let delivery = || Delivery {
        signer: SignerIndex(0),
        template: Template::Invitation,
        channel: Channel::Email,
        recipient: "maria@example.com".to_owned(),
        message_id: "<m@example.net>".to_owned(),
        attempt: 1,
        code: None,
    };
    let happened = [
        created(1, None).event.what,
        EventKind::Resent {
            signer: SignerIndex(0),
            before: Some(contact.clone()),
            contact,
            return_url: return_url("https://example.com/volver?sesion=secreta"),
        },
        EventKind::CodeSent {
            signer: SignerIndex(0),
            channel: Channel::Sms,
            recipient: "3001234567".to_owned(),
            code: domain::code::CodeCommitment::new(
                domain::CodeId::from_bytes([6; 16]),
                &[7; 16],
                &domain::Code::typed("123456").unwrap(),
            ),
            documents: Vec::new(),
        },
        EventKind::Delivered {
            delivery: delivery(),
            reply: Some("250 maria@example.com taken".to_owned()),
        },
        EventKind::Undelivered {
            delivery: delivery(),
            reason: "550 maria@example.com: no such user".to_owned(),
            given_up: true,
        },
        EventKind::Rejected {
            signer: SignerIndex(0),
            reason: observation("La suma de Marta está mal"),
            channel: Channel::Email,
            recipient: "maria@example.com".to_owned(),
            code: None,
            contact: None,
        },
        EventKind::Cancelled {
            observation: observation("La suma de Marta está mal"),
        },
        EventKind::Disapproved {
            observation: observation("La suma de Marta está mal"),
            documents: Vec::new(),
        },
    ];
    for what in happened {
        let origin = Origin {
            actor: Actor::User {
                email: "luisa@example.org".to_owned(),
            },
            client: domain::Client::at([192, 0, 2, 7].into()),
        };
        let event = Event {
            at: at(0),
            origin,
            what,
        };
        let (chained, _) = HistoryHead::START.append(folio, &event, &mut CountingBytes(0));
        for secret in [
            "maria@",
            "signer0@",
            "luisa@",
            "192.0.2.7",
            "3001234567",
            "10000",
            "Signer",
            "sesion",
            "Marta",
            "no such",
        ] {
            assert!(!chained.body.contains(secret), "{secret}: {}", chained.body);
        }
        let body: Value = serde_json::from_str(&chained.body).unwrap();
        assert_eq!(personal::check(&body, &chained.values()), []);
        assert_eq!(chained.full_body()["email"], "luisa@example.org");
        assert_eq!(chained.full_body()["address"], "192.0.2.7");
    }
}

proptest! {
    #[test]
    fn touching_anything_breaks_the_chain(
        length in 2_usize..12,
        place in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        letter in any::<prop::sample::Index>(),
        bit in 0_u8..8,
    ) {
        let (id, events, end) = history(length);
        prop_assert_eq!(verified(id, &events), Some(end));
        prop_assert_eq!(end.length, i64::try_from(length).unwrap());
        let (place, other) = (place.index(length), other.index(length));

        let broken = |change: &dyn Fn(&mut Vec<ChainedEvent>)| {
            let mut touched = events.clone();
            change(&mut touched);
            // A chain cut short still holds in itself: it no longer ends where the folio says.
            verified(id, &touched) != Some(end)
        };
        prop_assert!(broken(&|events| {
            let body = &mut events[place].body;
            let (at, _) = body.char_indices().nth(letter.index(body.chars().count())).unwrap();
            let with = if &body[at..=at] == "0" { "1" } else { "0" };
            body.replace_range(at..=at, with);
        }), "a letter changed");
        prop_assert!(broken(&|events| events[place].hash[letter.index(32)] ^= 1 << bit), "a hash changed");
        prop_assert!(broken(&|events| events[place].number += 1), "a number changed");
        prop_assert!(broken(&|events| drop(events.remove(place))), "an event removed");
        let twice = events[place].clone();
        prop_assert!(broken(&|events| events.insert(other, twice.clone())), "an event repeated");
        if place != other {
            prop_assert!(broken(&|events| events.swap(place, other)), "events swapped");
        }
        let moved = FolioId::from_bytes([0xee; 16]);
        prop_assert_eq!(verified(moved, &events), None);
    }
}

#[test]
fn a_signer_who_acts_on_their_own_signature_is_named_once() {
    let id = FolioId::from_bytes([9; 16]);
    let event = |actor: SignerIndex, concerned: SignerIndex| Event {
        at: at(1),
        origin: Origin {
            actor: Actor::Signer { signer: actor },
            client: domain::Client::default(),
        },
        what: EventKind::Identified { signer: concerned },
    };
    let body = |event: &Event| {
        let start = HistoryHead {
            length: 0,
            hash: [0; 32],
        };
        start.append(id, event, &mut CountingBytes(0)).0.body
    };
    let own = body(&event(SignerIndex(1), SignerIndex(1)));
    assert_eq!(own.matches("\"signer\":").count(), 1, "{own}");
    let parsed: Value = serde_json::from_str(&own).unwrap();
    assert_eq!((&parsed["who"], &parsed["signer"]), (&"signer".into(), &1.into()));
}
