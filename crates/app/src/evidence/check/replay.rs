//! Replays the events and compares the result with the other facts of the bundle. A partial history is
//! compared as far as it goes.

use super::super::MESSAGES_PER_BUNDLE;
use super::super::bundle::{Evidence, MessageFacts, SignerFacts, time};
use super::ParsedEvent;
use super::fault::Fault;
use domain::{SignerIndex, Timestamp};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A message as events name it: the signer, what it is about, how it travels, where to.
type MessageKey<'e> = (SignerIndex, &'e str, &'e str, &'e str);

/// The contact values of a signer.
#[derive(Debug, Clone, Copy)]
struct ContactValues<'e> {
    email: &'e Value,
    mobile: &'e Value,
}

impl<'e> ContactValues<'e> {
    fn at(contact: &'e Value) -> Self {
        Self {
            email: &contact["email"],
            mobile: &contact["mobile"],
        }
    }
}

/// The folio's state according to its events.
#[derive(Debug, Default)]
struct Replay<'e> {
    created: Option<&'e Value>,
    state: &'e str,
    /// Why it was cancelled or rejected.
    observation: Option<&'e str>,
    /// Where each signer is reached since the last correction.
    contacts: HashMap<SignerIndex, ContactValues<'e>>,
    /// What each signer is called since the last correction.
    names: HashMap<SignerIndex, &'e Value>,
    /// The document number of each signer for whom it was corrected.
    numbers: HashMap<SignerIndex, &'e Value>,
    /// The last version of each document that an act made.
    versions: HashMap<&'e str, &'e str>,
    /// What each signer did.
    acts: HashMap<SignerIndex, &'e Value>,
    consents: Vec<&'e str>,
    /// Whether the names of the documents are gone, which stand in the accepted texts, and the messages.
    erased: bool,
    /// Messages that left, and when.
    left: HashSet<(MessageKey<'e>, Option<String>)>,
    /// Messages that were given up, with the error of the last attempt.
    given_up: HashSet<(MessageKey<'e>, Option<&'e str>)>,
    /// Every message that came to an end, by the event that says so.
    ended: Vec<(i64, MessageKey<'e>)>,
    /// Documents that a verdict names with a hash that no act before it made.
    misreviewed: Vec<&'e str>,
}

impl<'e> Replay<'e> {
    fn by(events: &'e [ParsedEvent]) -> Self {
        let mut replay = Self {
            state: "pending",
            ..Self::default()
        };
        for ParsedEvent { restored: event, .. } in events {
            match event["what"].as_str().unwrap_or_default() {
                "created" => replay.created(event),
                "resent" => {
                    replay
                        .contacts
                        .insert(signer_of(event), ContactValues::at(&event["contact"]));
                }
                "corrected" => {
                    let (signer, now) = (signer_of(event), &event["now"]);
                    replay.contacts.insert(signer, ContactValues::at(now));
                    replay.names.insert(signer, &now["name"]);
                    if let Some(number) = now.get("document_number") {
                        replay.numbers.insert(signer, number);
                    }
                }
                "signed" => {
                    replay.acted(event);
                    replay.proved(event);
                    replay.changed(&event["results"]);
                    replay.consents.extend(event["consent"].as_str());
                }
                "extended" => replay.changed(&event["documents"]),
                "rejected" => {
                    replay.acted(event);
                    replay.proved(event);
                    replay.state = "rejected_by_signer";
                    replay.observation = event["reason"].as_str();
                }
                "erased" => replay.erased = true,
                "completed" => replay.state = "signed",
                "cancelled" => {
                    replay.state = "cancelled";
                    replay.observation = event["observation"].as_str();
                }
                what @ ("approved" | "disapproved") => {
                    replay.state = what;
                    replay.observation = event["observation"].as_str();
                    replay.reviewed(&event["documents"]);
                }
                "delivered" => {
                    replay.left.insert((message_key(event), event_time(event)));
                    replay.ended(event);
                }
                "undelivered" if event["given_up"] == true => {
                    replay
                        .given_up
                        .insert((message_key(event), event["reason"].as_str()));
                    replay.ended(event);
                }
                _ => {}
            }
        }
        replay
    }

    fn created(&mut self, event: &'e Value) {
        self.created = Some(event);
        let signers = event["signers"].as_array().into_iter().flatten();
        self.contacts
            .extend((0..).map(SignerIndex).zip(signers.map(ContactValues::at)));
    }

    fn acted(&mut self, event: &'e Value) {
        self.acts.insert(signer_of(event), event);
    }

    /// A code that went to another contact than the folio's makes it the folio's.
    fn proved(&mut self, event: &'e Value) {
        if event["contact"].is_object() {
            let contact = ContactValues::at(&event["contact"]);
            self.contacts.insert(signer_of(event), contact);
        }
    }

    fn ended(&mut self, event: &'e Value) {
        let number = event["number"].as_i64().unwrap_or_default();
        self.ended.push((number, message_key(event)));
    }

    fn reviewed(&mut self, documents: &'e Value) {
        for document in documents.as_array().into_iter().flatten() {
            let (id, sha256) = (document["document"].as_str(), document["sha256"].as_str());
            let known = id.and_then(|id| self.versions.get(id));
            if known.is_some_and(|known| Some(*known) != sha256) {
                self.misreviewed.extend(id);
            }
        }
    }

    fn changed(&mut self, documents: &'e Value) {
        for document in documents.as_array().into_iter().flatten() {
            if let (Some(id), Some(sha256)) = (document["document"].as_str(), document["sha256"].as_str()) {
                self.versions.insert(id, sha256);
            }
        }
    }
}

/// The index of the signer that an event concerns.
fn signer_of(event: &Value) -> SignerIndex {
    let signer_index = event["signer"].as_u64();
    let signer_index = signer_index.and_then(|signer_index| usize::try_from(signer_index).ok());
    SignerIndex(signer_index.unwrap_or(usize::MAX))
}

/// The message that an event is about.
fn message_key(event: &Value) -> MessageKey<'_> {
    (
        signer_of(event),
        event["template"].as_str().unwrap_or_default(),
        event["channel"].as_str().unwrap_or_default(),
        event["recipient"].as_str().unwrap_or_default(),
    )
}

/// When an event happened.
fn event_time(event: &Value) -> Option<String> {
    event["at"].as_i64().map(|at| time(Timestamp::from_micros(at)))
}

pub(super) fn check(evidence: &Evidence, events: &[ParsedEvent]) -> Vec<Fault> {
    let history = &evidence.history;
    let replay = Replay::by(events);
    let last = history.events.last().map_or(0, |event| event.number);
    let to_the_end = last == history.length;
    let whole = to_the_end && replay.created.is_some();
    let mut faults = Vec::new();
    let folio = &evidence.folio;
    if whole && (replay.state != folio.state || replay.observation != folio.observation.as_deref()) {
        faults.push(Fault::Folio);
    }
    if let Some(created) = replay.created {
        faults.extend(originals(evidence, created));
    }
    if to_the_end {
        faults.extend(versions(evidence, &replay, whole));
    }
    faults.extend(
        replay
            .misreviewed
            .iter()
            .map(|id| Fault::Document((*id).to_owned())),
    );
    for signer in &evidence.signers {
        let act = replay.acts.get(&signer.signer).copied();
        let created = replay.created.map(|created| &created["signers"][signer.signer.0]);
        let contact = replay.contacts.get(&signer.signer).filter(|_| to_the_end);
        let name = replay.names.get(&signer.signer).copied();
        let number = replay.numbers.get(&signer.signer).copied();
        let is_named = |created| is_named(signer, created, (name, number), to_the_end);
        if created.is_some_and(|created| !is_named(created))
            || contact.is_some_and(|contact| !is_reached(signer, *contact))
            || !acted(signer, act, whole)
        {
            faults.push(Fault::Signer(signer.signer));
        }
    }
    faults.extend(messages(evidence, &replay, to_the_end));
    let listed = |hash: &str| evidence.consents.iter().any(|consent| consent.sha256 == hash);
    let mut missing: Vec<&str> = replay.consents.clone();
    missing.sort_unstable();
    missing.dedup();
    for hash in missing.into_iter().filter(|hash| !replay.erased && !listed(hash)) {
        faults.push(Fault::ConsentMissing(hash.to_owned()));
    }
    faults
}

/// The folio and its documents as they were sent, and how many signers there are.
fn originals(evidence: &Evidence, created: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    let count = |member: &str| created[member].as_array().map_or(0, Vec::len);
    if count("documents") != evidence.documents.len()
        || count("signers") != evidence.signers.len()
        || created["signature_type"] != evidence.folio.signature_type.as_str()
        || event_time(created).as_deref() != Some(evidence.folio.created_at.as_str())
    {
        faults.push(Fault::Folio);
    }
    for (index, document) in evidence.documents.iter().enumerate() {
        let recorded = &created["documents"][index];
        if recorded["document"] != document.id.as_str()
            || recorded["sha256"] != document.original.sha256.as_str()
        {
            faults.push(Fault::Document(document.id.clone()));
        }
    }
    faults
}

/// The documents as they are now.
fn versions(evidence: &Evidence, replay: &Replay<'_>, whole: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for document in &evidence.documents {
        let is_replayed = match replay.versions.get(document.id.as_str()) {
            Some(sha256) => *sha256 == document.current.sha256,
            None => !whole || document.current == document.original,
        };
        if !is_replayed {
            faults.push(Fault::Document(document.id.clone()));
        }
    }
    faults
}

/// Whether the signer is called as on creation, or as corrected since. A part of a history may lack the correction.
fn is_named(
    signer: &SignerFacts,
    created: &Value,
    (name, number): (Option<&Value>, Option<&Value>),
    to_the_end: bool,
) -> bool {
    let name = name.unwrap_or(&created["name"]);
    let number = number.unwrap_or(&created["document_number"]);
    created["document_type"] == signer.document_type.as_str()
        && (!to_the_end || says(name, &signer.name) && says(number, &signer.document_number))
}

fn is_reached(signer: &SignerFacts, contact: ContactValues<'_>) -> bool {
    says(contact.email, &signer.email) && says(contact.mobile, &signer.mobile)
}

/// Whether an event states this fact. For a withheld or erased value, the fact must be empty too.
fn says(stated: &Value, fact: &str) -> bool {
    stated.as_str().unwrap_or_default() == fact
}

/// Compares messages with events: sent and abandoned ones must have an event, and each such event its
/// message, unless an erasure deleted it.
fn messages(evidence: &Evidence, replay: &Replay<'_>, to_the_end: bool) -> Vec<Fault> {
    let whole = to_the_end && replay.created.is_some();
    let is_replayed = |message: &MessageFacts| match message.state.as_str() {
        "sent" => replay.left.contains(&(named(message), message.sent_at.clone())),
        "dead" => {
            let said = message.last_error.as_deref();
            replay.given_up.contains(&(named(message), said))
        }
        _ => true,
    };
    let mut faults = Vec::new();
    if whole {
        let unexplained = evidence.messages.iter().enumerate();
        let unexplained = unexplained.filter(|(_, message)| !is_replayed(message));
        faults.extend(unexplained.map(|(index, _)| Fault::Message(index)));
    }
    // A full list has the last messages only.
    if evidence.messages.len() < MESSAGES_PER_BUNDLE {
        let listed: HashSet<MessageKey<'_>> = evidence.messages.iter().map(named).collect();
        // A part that ends earlier lacks the event of the erasure: its events tell by themselves.
        let may_be_erased = replay.erased || !to_the_end;
        let erased: HashSet<i64> = evidence
            .history
            .events
            .iter()
            .filter(|event| event.values.iter().any(|value| value.erased))
            .map(|event| event.number)
            .collect();
        let is_erased = |number| may_be_erased && erased.contains(number);
        let missing = replay
            .ended
            .iter()
            .filter(|(number, message)| !listed.contains(message) && !is_erased(number));
        faults.extend(missing.map(|(number, _)| Fault::MessageMissing(*number)));
    }
    faults
}

fn named(message: &MessageFacts) -> MessageKey<'_> {
    (
        message.signer,
        &message.template,
        &message.channel,
        &message.recipient,
    )
}

/// Whether a signer did what is said, when and from where.
fn acted(signer: &SignerFacts, act: Option<&Value>, whole: bool) -> bool {
    let Some(act) = act else {
        return !whole
            || signer.state == "pending" && signer.acted_at.is_none() && signer.certificates.is_empty();
    };
    if event_time(act) != signer.acted_at {
        return false;
    }
    if act["what"] == "rejected" {
        return signer.state == "rejected" && signer.certificates.is_empty();
    }
    let certificates = act["certificates"].as_array().into_iter().flatten();
    signer.state == "signed"
        && act["address"].as_str() == signer.address.as_deref()
        && act["device"].as_str() == signer.device.as_deref()
        && act["language"].as_str() == signer.language.as_deref()
        && certificates.eq(signer.certificates.iter())
}
