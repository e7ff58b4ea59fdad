//! What the events tell, against what the bundle says besides. A part of a history is held to what it tells.

use super::super::bundle::{Evidence, SignerFacts};
use super::super::gather::time;
use super::fault::Fault;
use domain::Timestamp;
use serde_json::Value;
use std::collections::HashMap;

/// What the events tell.
#[derive(Debug, Default)]
struct Told<'e> {
    created: Option<&'e Value>,
    state: &'e str,
    /// The last version of each document that an act made.
    versions: HashMap<&'e str, &'e str>,
    /// What each signer did.
    acts: HashMap<u64, &'e Value>,
    consents: Vec<&'e str>,
    /// Documents that a verdict names with a hash that no act before it made.
    misjudged: Vec<&'e str>,
}

impl<'e> Told<'e> {
    fn by(events: &'e [Value]) -> Self {
        let mut told = Self {
            state: "pending",
            ..Self::default()
        };
        for event in events {
            match event["what"].as_str().unwrap_or_default() {
                "created" => told.created = Some(event),
                "signed" => {
                    told.acted(event);
                    told.changed(&event["results"]);
                    told.consents.extend(event["consent"].as_str());
                }
                "extended" => told.changed(&event["documents"]),
                "rejected" => {
                    told.acted(event);
                    told.state = "rejected_by_signer";
                }
                "completed" => told.state = "signed",
                "cancelled" => told.state = "cancelled",
                what @ ("approved" | "disapproved") => {
                    told.state = what;
                    told.judged(&event["documents"]);
                }
                _ => {}
            }
        }
        told
    }

    fn acted(&mut self, event: &'e Value) {
        self.acts
            .insert(event["signer"].as_u64().unwrap_or(u64::MAX), event);
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

pub(super) fn check(evidence: &Evidence) -> Vec<Fault> {
    let history = &evidence.history;
    let events: Vec<Value> = history
        .events
        .iter()
        .map(|event| serde_json::from_str(&event.body).unwrap_or_default())
        .collect();
    let told = Told::by(&events);
    let last = history.events.last().map_or(0, |event| event.number);
    let to_the_end = last == history.length;
    let whole = to_the_end && told.created.is_some();
    let mut faults = Vec::new();
    if whole && told.state != evidence.folio.state {
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
        if created.is_some_and(|created| !is_named(signer, created)) || !acted(signer, act, whole) {
            faults.push(Fault::Signer(signer.signer));
        }
    }
    let listed = |hash: &str| evidence.consents.iter().any(|consent| consent.sha256 == hash);
    let mut missing: Vec<&str> = told.consents.clone();
    missing.sort_unstable();
    missing.dedup();
    for hash in missing.into_iter().filter(|hash| !listed(hash)) {
        faults.push(Fault::ConsentMissing(hash.to_owned()));
    }
    faults
}

/// The documents as they were sent, and how many signers there are.
fn originals(evidence: &Evidence, created: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    let count = |member: &str| created[member].as_array().map_or(0, Vec::len);
    if count("documents") != evidence.documents.len() || count("signers") != evidence.signers.len() {
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
    created["name"] == signer.name.as_str()
        && created["document_type"] == signer.document_type.as_str()
        && created["document_number"] == signer.document_number.as_str()
}

/// Whether a signer did what is said, when and from where.
fn acted(signer: &SignerFacts, act: Option<&Value>, whole: bool) -> bool {
    let Some(act) = act else {
        return !whole
            || signer.state == "pending" && signer.acted_at.is_none() && signer.certificates.is_empty();
    };
    let at = act["at"].as_i64().map(|at| time(Timestamp::from_micros(at)));
    if at != signer.acted_at {
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
