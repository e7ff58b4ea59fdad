//! Random acts by random people, on the folio and on the model at once: both must always say the same.

use crate::hash_chain;
use crate::model::{Act, Model, Stage};
use crate::sample::{
    CountingBytes, apply, at, correction, created, details, first_email, new_signer, observation,
    own_contact, return_url,
};
use domain::event::ChainedEvent;
use domain::{
    Actor, BulkId, Change, Channel, DocumentType, Event, Folio, FolioState, HistoryHead, Message, Origin,
    Refusal, SignerIndex, SignerState, Template,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

fn acts(signers: usize) -> impl Strategy<Value = Act> {
    // One more than there are: a stranger tries, too.
    let people = || 0..=signers;
    let why = "[a-zé ]{0,20}que no".prop_map(|text| format!("porque sí {text}"));
    let address = "[a-c]@(x|y)\\.co";
    let to = prop::collection::vec((people(), address), 0..4);
    prop_oneof![
        12 => people().prop_map(Act::Sign),
        1 => (people(), why.clone()).prop_map(|(who, why)| Act::Reject(who, why)),
        1 => why.clone().prop_map(Act::Cancel),
        3 => (to, "https://(a|b)\\.co/[a-z]{1,5}").prop_map(|(to, url)| Act::Resend(to, url)),
        2 => Just(Act::Approve),
        2 => why.prop_map(Act::Disapprove),
        1 => Just(Act::Drop),
        2 => people().prop_map(Act::StartBulk),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn random_acts_agree_with_the_model(
        (signers, acts) in (1_usize..=10).prop_flat_map(|signers| {
            (Just(signers), prop::collection::vec((acts(signers), 0_i64..20), 1..60))
        }),
        end in prop::option::weighted(0.3, 1_i64..600),
    ) {
        let made = created(signers, end.map(at));
        let mut folio = made.folio;
        let addresses = (0..signers).map(|place| (place, first_email(place))).collect();
        let mut model = Model::new(addresses, end);
        let (first, mut link) = HistoryHead::START.append(folio.id, &made.event, &mut CountingBytes(0));
        let mut history = vec![first];
        let mut happened = vec!["created"];
        let mut now = 0;

        for (act, later) in acts {
            now += later;
            let expected = model.act(&act, now);
            match (perform(&folio, &act, now), expected) {
                (Err(_), None) => {}
                (Ok(done), Some(expected)) => {
                    prop_assert_eq!(told(&done.messages), sorted(expected.told));
                    happened.extend(expected.events);
                    link = record(&mut history, link, &folio, &done.events);
                    if let Some(change) = done.change {
                        apply(&mut folio, &change);
                    }
                }
                (given, expected) => prop_assert!(false, "{act:?} at {now}: {given:?}, not {expected:?}"),
            }
            agree(&folio, &model)?;
        }
        prop_assert_eq!(hash_chain::kinds(&history), happened);
        prop_assert_eq!(hash_chain::verified(folio.id, &history), Some(link));
    }
}

/// What an act gave: a bulk start is an event alone.
#[derive(Debug)]
struct Done {
    change: Option<Change>,
    events: Vec<Event>,
    messages: Vec<Message>,
}

fn perform(folio: &Folio, act: &Act, now: i64) -> Result<Done, Refusal> {
    let now = at(now);
    let origin = |actor| Origin {
        actor,
        client: domain::Client::at(HERE),
    };
    let person = origin(Actor::User {
        email: "boss@example.com".into(),
    });
    let change = match act {
        Act::Sign(who) => folio.sign(
            SignerIndex(*who),
            &own_contact(folio, *who),
            details(),
            origin(Actor::Signer {
                signer: SignerIndex(*who),
            }),
            now,
        ),
        Act::Reject(who, why) => folio.reject(
            SignerIndex(*who),
            &own_contact(folio, *who),
            &observation(why),
            None,
            origin(Actor::Signer {
                signer: SignerIndex(*who),
            }),
            now,
        ),
        Act::Cancel(why) => folio.cancel(&observation(why), &BTreeSet::new(), person, now),
        Act::Resend(to, url) => {
            let corrections: Vec<_> = to.iter().map(|(who, email)| correction(*who, email)).collect();
            folio.resend(&corrections, Some(&return_url(url)), &person, now)
        }
        Act::Approve => folio.approve(folio.document_refs(), person, now),
        Act::Disapprove(why) => folio.disapprove(&observation(why), folio.document_refs(), person, now),
        Act::Drop => folio.drop_finished(person, now),
        Act::StartBulk(who) => {
            let signer = new_signer(*who, DocumentType::CitizenCard, own_contact(folio, *who));
            let (event, messages) = folio.start_bulk(BulkId::from_bytes([9; 16]), &signer, person, now)?;
            return Ok(Done {
                change: None,
                events: vec![event],
                messages,
            });
        }
    }?;
    Ok(Done {
        events: change.events.clone(),
        messages: change.messages.clone(),
        change: Some(change),
    })
}

fn record(
    history: &mut Vec<ChainedEvent>,
    mut link: HistoryHead,
    folio: &Folio,
    events: &[Event],
) -> HistoryHead {
    for event in events {
        let (chained, next) = link.append(folio.id, event, &mut CountingBytes(0));
        history.push(chained);
        link = next;
    }
    link
}

fn told(messages: &[Message]) -> Vec<(&'static str, String)> {
    let about = |message: &Message| {
        assert_eq!(message.channel, Channel::Email);
        let about = match message.template {
            Template::Invitation => "invitation",
            Template::Reminder => "reminder",
            Template::Cancelled => "cancelled",
            Template::Rejected => "rejected",
            Template::Receipt => "receipt",
            Template::Completed => "completed",
            Template::ContactChanged => "contact changed",
            Template::OtherContact => "other contact",
            Template::Code => "code",
        };
        (about, message.recipient.clone())
    };
    sorted(messages.iter().map(about).collect())
}

fn sorted(mut told: Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
    told.sort();
    told
}

fn agree(folio: &Folio, model: &Model) -> Result<(), TestCaseError> {
    let state = match model.stage {
        Stage::Waiting => FolioState::Pending,
        Stage::Complete => FolioState::Signed,
        Stage::RejectedBySigner => FolioState::RejectedBySigner,
        Stage::Cancelled => FolioState::Cancelled,
        Stage::Approved => FolioState::Approved,
        Stage::Disapproved => FolioState::Disapproved,
    };
    prop_assert_eq!(folio.state, state);
    prop_assert_eq!(folio.dropped, model.dropped);
    let given = folio.observation.as_ref().map(domain::Observation::as_str);
    prop_assert_eq!(given, model.observation.as_deref());
    for (place, signer) in folio.signers.iter().enumerate() {
        let given = model.return_urls.get(&place).map(String::as_str);
        let own = folio.return_url_of(SignerIndex(place)).as_str();
        prop_assert_eq!(own, given.unwrap_or("https://example.com/back"));
        let (state, from) = match (model.signed.contains(&place), model.rejected.contains(&place)) {
            (true, false) => (SignerState::Signed, Some(HERE)),
            (false, true) => (SignerState::Rejected, None),
            (false, false) => (SignerState::Pending, None),
            (true, true) => unreachable!(),
        };
        prop_assert_eq!((signer.state, signer.signed_from), (state, from));
        prop_assert_eq!(signer.updated_at.is_some(), state != SignerState::Pending);
        prop_assert_eq!(signer.contact.email.as_str(), &model.addresses[&place]);
    }
    Ok(())
}

#[test]
fn creation_invites_everybody_once() {
    let made = created(3, None);
    let expected = (0..3).map(|place| ("invitation", first_email(place))).collect();
    assert_eq!(told(&made.messages), sorted(expected));
}
