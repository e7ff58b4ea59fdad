//! Replays the events and compares the result with the other facts of the bundle. A partial history is
//! compared as far as it goes.

use super::super::MESSAGES;
use super::super::bundle::{Evidence, MessageFacts, SignerFacts};
use super::super::gather::time;
use super::Event;
use super::fault::Fault;
use domain::Timestamp;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A message as events name it: the signer, what it is about, how it travels, where to.
type Posted<'e> = (u64, &'e str, &'e str, &'e str);

/// The contact values of a signer.
#[derive(Debug, Clone, Copy)]
struct Reached<'e> {
    email: &'e Value,
    mobile: &'e Value,
}

impl<'e> Reached<'e> {
    fn at(contact: &'e Value) -> Self {
        Self {
            email: &contact["email"],
            mobile: &contact["mobile"],
        }
    }
}

/// The folio's state according to its events.
#[derive(Debug, Default)]
struct Told<'e> {
    created: Option<&'e Value>,
    state: &'e str,
    /// Why it was cancelled or rejected.
    observation: Option<&'e str>,
    /// Where each signer is reached since the last correction.
    contacts: HashMap<u64, Reached<'e>>,
    /// The last version of each document that an act made.
    versions: HashMap<&'e str, &'e str>,
    /// What each signer did.
    acts: HashMap<u64, &'e Value>,
    consents: Vec<&'e str>,
    /// Messages that left, and when.
    left: HashSet<(Posted<'e>, Option<String>)>,
    /// Messages that were given up, and what the other side said.
    given_up: HashSet<(Posted<'e>, Option<&'e str>)>,
    /// Every message that came to an end, by the event that says so.
    ended: Vec<(i64, Posted<'e>)>,
    /// Documents that a verdict names with a hash that no act before it made.
    misjudged: Vec<&'e str>,
}

impl<'e> Told<'e> {
    fn by(events: &'e [Event]) -> Self {
        let mut told = Self {
            state: "pending",
            ..Self::default()
        };
        for Event { told: event, .. } in events {
            match event["what"].as_str().unwrap_or_default() {
                "created" => told.created(event),
                "resent" => {
                    told.contacts
                        .insert(signer_of(event), Reached::at(&event["contact"]));
                }
                "signed" => {
                    told.acted(event);
                    told.proved(event);
                    told.changed(&event["results"]);
                    told.consents.extend(event["consent"].as_str());
                }
                "extended" => told.changed(&event["documents"]),
                "rejected" => {
                    told.acted(event);
                    told.proved(event);
                    told.state = "rejected_by_signer";
                    told.observation = event["reason"].as_str();
                }
                "completed" => told.state = "signed",
                "cancelled" => {
                    told.state = "cancelled";
                    told.observation = event["observation"].as_str();
                }
                what @ ("approved" | "disapproved") => {
                    told.state = what;
                    told.observation = event["observation"].as_str();
                    told.judged(&event["documents"]);
                }
                "delivered" => {
                    told.left.insert((posted(event), moment(event)));
                    told.ended(event);
                }
                "undelivered" if event["given_up"] == true => {
                    told.given_up.insert((posted(event), event["reason"].as_str()));
                    told.ended(event);
                }
                _ => {}
            }
        }
        told
    }

    fn created(&mut self, event: &'e Value) {
        self.created = Some(event);
        let signers = event["signers"].as_array().into_iter().flatten();
        self.contacts.extend((0_u64..).zip(signers.map(Reached::at)));
    }

    fn acted(&mut self, event: &'e Value) {
        self.acts.insert(signer_of(event), event);
    }

    /// A code that went to another contact than the folio's makes it the folio's.
    fn proved(&mut self, event: &'e Value) {
        if event["contact"].is_object() {
            let contact = Reached::at(&event["contact"]);
            self.contacts.insert(signer_of(event), contact);
        }
    }

    fn ended(&mut self, event: &'e Value) {
        let number = event["number"].as_i64().unwrap_or_default();
        self.ended.push((number, posted(event)));
    }

    fn judged(&mut self, documents: &'e Value) {
        for document in documents.as_array().into_iter().flatten() {
            let (id, sha256) = (document["document"].as_str(), document["sha256"].as_str());
            let known = id.and_then(|id| self.versions.get(id));
            if known.is_some_and(|known| Some(*known) != sha256) {
                self.misjudged.extend(id);
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
fn signer_of(event: &Value) -> u64 {
    event["signer"].as_u64().unwrap_or(u64::MAX)
}

/// The message that an event is about.
fn posted(event: &Value) -> Posted<'_> {
    (
        signer_of(event),
        event["template"].as_str().unwrap_or_default(),
        event["channel"].as_str().unwrap_or_default(),
        event["recipient"].as_str().unwrap_or_default(),
    )
}

/// When an event happened.
fn moment(event: &Value) -> Option<String> {
    event["at"].as_i64().map(|at| time(Timestamp::from_micros(at)))
}

pub(super) fn check(evidence: &Evidence, events: &[Event]) -> Vec<Fault> {
    let history = &evidence.history;
    let told = Told::by(events);
    let last = history.events.last().map_or(0, |event| event.number);
    let to_the_end = last == history.length;
    let whole = to_the_end && told.created.is_some();
    let mut faults = Vec::new();
    let folio = &evidence.folio;
    if whole && (told.state != folio.state || told.observation != folio.observation.as_deref()) {
        faults.push(Fault::Folio);
    }
    if let Some(created) = told.created {
        faults.extend(originals(evidence, created));
    }
    if to_the_end {
        faults.extend(versions(evidence, &told, whole));
    }
    faults.extend(told.misjudged.iter().map(|id| Fault::Document((*id).to_owned())));
    for signer in &evidence.signers {
        let act = told.acts.get(&(signer.signer as u64)).copied();
        let created = told.created.map(|created| &created["signers"][signer.signer]);
        let contact = told.contacts.get(&(signer.signer as u64)).filter(|_| to_the_end);
        if created.is_some_and(|created| !is_named(signer, created))
            || contact.is_some_and(|contact| !is_reached(signer, *contact))
            || !acted(signer, act, whole)
        {
            faults.push(Fault::Signer(signer.signer));
        }
    }
    faults.extend(messages(evidence, &told, whole));
    let listed = |hash: &str| evidence.consents.iter().any(|consent| consent.sha256 == hash);
    let mut missing: Vec<&str> = told.consents.clone();
    missing.sort_unstable();
    missing.dedup();
    for hash in missing.into_iter().filter(|hash| !listed(hash)) {
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
        || moment(created).as_deref() != Some(evidence.folio.created_at.as_str())
    {
        faults.push(Fault::Folio);
    }
    for (place, document) in evidence.documents.iter().enumerate() {
        let told = &created["documents"][place];
        if told["document"] != document.id.as_str() || told["sha256"] != document.original.sha256.as_str() {
            faults.push(Fault::Document(document.id.clone()));
        }
    }
    faults
}

/// The documents as they are now.
fn versions(evidence: &Evidence, told: &Told<'_>, whole: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for document in &evidence.documents {
        let is_told = match told.versions.get(document.id.as_str()) {
            Some(sha256) => *sha256 == document.current.sha256,
            None => !whole || document.current == document.original,
        };
        if !is_told {
            faults.push(Fault::Document(document.id.clone()));
        }
    }
    faults
}

fn is_named(signer: &SignerFacts, created: &Value) -> bool {
    says(&created["name"], &signer.name)
        && created["document_type"] == signer.document_type.as_str()
        && says(&created["document_number"], &signer.document_number)
}

fn is_reached(signer: &SignerFacts, contact: Reached<'_>) -> bool {
    says(contact.email, &signer.email) && says(contact.mobile, &signer.mobile)
}

/// Whether an event states this fact. For a withheld or erased value, the fact must be empty too.
fn says(told: &Value, fact: &str) -> bool {
    told.as_str().unwrap_or_default() == fact
}

/// Compares messages with events: sent and abandoned ones must have an event, and each such event its
/// message.
fn messages(evidence: &Evidence, told: &Told<'_>, whole: bool) -> Vec<Fault> {
    let is_told = |message: &MessageFacts| match message.state.as_str() {
        "sent" => told.left.contains(&(named(message), message.sent_at.clone())),
        "dead" => {
            let said = message.last_error.as_deref();
            told.given_up.contains(&(named(message), said))
        }
        _ => true,
    };
    let mut faults = Vec::new();
    if whole {
        let untold = evidence.messages.iter().enumerate();
        let untold = untold.filter(|(_, message)| !is_told(message));
        faults.extend(untold.map(|(place, _)| Fault::Message(place)));
    }
    // A full list has the last messages only.
    if evidence.messages.len() < MESSAGES {
        let listed: HashSet<Posted<'_>> = evidence.messages.iter().map(named).collect();
        let missing = told.ended.iter().filter(|(_, message)| !listed.contains(message));
        faults.extend(missing.map(|(number, _)| Fault::MessageMissing(*number)));
    }
    faults
}

fn named(message: &MessageFacts) -> Posted<'_> {
    (
        message.signer as u64,
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
    if moment(act) != signer.acted_at {
        return false;
    }
    if act["what"] == "rejected" {
        return signer.state == "rejected" && signer.certificates.is_empty();
    }
    let certificates = act["certificates"].as_array().into_iter().flatten();
    signer.state == "signed"
        && act["address"].as_str() == signer.address.as_deref()
        && certificates.eq(signer.certificates.iter())
}
