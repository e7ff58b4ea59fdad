//! Checks a bundle by itself: its seal, its chain of events, and that everything else in it says what the events say.

mod codes;
mod fault;
mod hash_chain;
mod replay;
mod seal;
mod values;

pub use fault::Fault;
pub use values::Withheld;

use super::bundle::{CertificateFacts, Evidence, FORMAT, SealedBundle, VERSION};
use super::compact_json::compact;
use data_encoding::BASE64;
use domain::event::hex;
use domain::personal::restored;
use jiff::Timestamp;
use pki::authority::{Crl, Path};
use pki::cms::Certificate;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The verdict on a bundle.
#[derive(Debug)]
pub struct Checked {
    /// What it says, if it can be read at all.
    pub evidence: Option<Evidence>,
    /// The roots that were trusted: those given, or the bundle's own.
    pub roots: Vec<Certificate>,
    /// The certificate that sealed it.
    pub sealed_by: Option<Certificate>,
    /// When it was sealed, as its timestamp proves.
    pub sealed_at: Option<Timestamp>,
    /// Its lists of revoked certificates.
    pub revocation_lists: Vec<Crl>,
    /// The personal values that are not in it.
    pub withheld: Vec<Withheld>,
    /// What is wrong with it: nothing, when it is valid.
    pub faults: Vec<Fault>,
}

/// An event's text, read.
struct ParsedEvent {
    /// As it is hashed.
    body: Value,
    /// The body with the visible personal values in their positions.
    restored: Value,
}

/// What is wrong with a history by itself: its chain of hashes, the personal values beside it, and its one-time codes.
fn history_faults(evidence: &Evidence, events: &[ParsedEvent]) -> Vec<Fault> {
    let mut faults = hash_chain::check(evidence, events);
    faults.extend(values::check(evidence, events));
    faults.extend(codes::check(events));
    faults
}

fn events(evidence: &Evidence) -> Vec<ParsedEvent> {
    let events = evidence.history.events.iter();
    events
        .map(|event| {
            let body = event.parsed_body();
            ParsedEvent {
                restored: restored(body.clone(), &event.values),
                body,
            }
        })
        .collect()
}

/// Finds tampered rows: a history that does not verify, or facts that differ from it. Facts are compared
/// only if the history verifies.
pub(super) fn damage(evidence: &Evidence) -> Vec<Fault> {
    let events = events(evidence);
    let mut faults = history_faults(evidence, &events);
    // A copy may withhold a value. The database may not: any other text could be put in its place.
    for event in &evidence.history.events {
        let withheld = event.values.iter().filter(|value| value.is_withheld());
        faults.extend(withheld.map(|value| Fault::ValueMissing(event.number, value.at.clone())));
    }
    if faults.is_empty() {
        faults = replay::check(evidence, &events);
        // A text of consent that this program does not have is no damage.
        faults.retain(|fault| !matches!(fault, Fault::ConsentMissing(_)));
    }
    faults
}

/// Checks a bundle at a time, knowing its own lists of revoked certificates and these. Without `roots` the bundle's own is trusted,
/// which proves only that the bundle is consistent.
pub fn check(file: &[u8], roots: Option<&[Certificate]>, crls: &[Crl], now: domain::Timestamp) -> Checked {
    let mut checked = Checked {
        evidence: None,
        roots: roots.unwrap_or_default().to_vec(),
        sealed_by: None,
        sealed_at: None,
        revocation_lists: Vec::new(),
        withheld: Vec::new(),
        faults: Vec::new(),
    };
    let now = Timestamp::from_microsecond(now.as_micros()).unwrap_or(Timestamp::UNIX_EPOCH);
    match read(file) {
        Ok((sealed, text)) => checked.verify(sealed, &text, roots.is_none(), CheckInputs { crls, now }),
        Err(fault) => checked.faults.push(fault),
    }
    checked
}

/// What is known besides the bundle.
#[derive(Clone, Copy)]
struct CheckInputs<'k> {
    crls: &'k [Crl],
    now: Timestamp,
}

/// The bundle, and the text that its seal covers.
fn read(file: &[u8]) -> Result<(SealedBundle<Evidence>, String), Fault> {
    let text = std::str::from_utf8(file).map_err(|_| Fault::NotEvidence)?;
    let text = text.trim_start_matches('\u{feff}');
    let value: Value = serde_json::from_str(text).map_err(|_| Fault::NotEvidence)?;
    if value["evidence"]["format"] != FORMAT {
        return Err(Fault::NotEvidence);
    }
    if value["evidence"]["version"] != VERSION {
        return Err(Fault::UnknownVersion);
    }
    let one_way = serde_json::to_string(&value).map_err(|_| Fault::NotEvidence)?;
    if compact(text) != one_way {
        return Err(Fault::Ambiguous);
    }
    let covered = value["evidence"].to_string();
    let sealed = serde_json::from_value(value).map_err(|error| Fault::Shape(error.to_string()))?;
    Ok((sealed, covered))
}

impl Checked {
    fn verify(
        &mut self,
        sealed: SealedBundle<Evidence>,
        text: &str,
        own_root: bool,
        inputs: CheckInputs<'_>,
    ) {
        let SealedBundle { evidence, seal } = sealed;
        let certificates = self.certificates(&evidence.certificates);
        let of = |role: &str| {
            let mut found = certificates.iter().filter(|(known, _)| known == role);
            found.next().map(|(_, certificate)| certificate.clone())
        };
        if own_root {
            self.roots.extend(of("root"));
        }
        self.revocation_lists = self.lists(&evidence.revocation_lists);
        let crls = [inputs.crls, &self.revocation_lists].concat();
        let inputs = CheckInputs {
            crls: &crls,
            ..inputs
        };
        let all: Vec<Certificate> = certificates.iter().map(|(_, one)| one.clone()).collect();
        match seal::check(&seal, text, of("service").as_ref(), &all, &self.roots, inputs) {
            Ok(proved) => {
                self.faults.extend(seal::newer_event(&evidence, proved.at));
                self.sealed_at = Some(proved.at);
                self.sealed_by = Some(proved.by);
                for (role, certificate) in &certificates {
                    if let Err(error) = Path::find(certificate, &all, &self.roots, proved.at) {
                        self.faults.push(Fault::CertificateUntrusted(role.clone(), error));
                    }
                }
            }
            Err(fault) => self.faults.push(fault),
        }
        let events = events(&evidence);
        self.faults.extend(history_faults(&evidence, &events));
        self.faults.extend(replay::check(&evidence, &events));
        self.withheld = values::withheld(&evidence);
        for consent in &evidence.consents {
            if hex(&Sha256::digest(consent.text.as_bytes()).into()) != consent.sha256 {
                self.faults.push(Fault::ConsentText(consent.name.clone()));
            }
        }
        self.evidence = Some(evidence);
    }

    /// The lists of a bundle. Their signatures are checked where one of them is asked about a certificate.
    fn lists(&mut self, listed: &[String]) -> Vec<Crl> {
        let mut read = Vec::new();
        for (place, list) in listed.iter().take(MAX_REVOCATION_LISTS).enumerate() {
            let der = BASE64.decode(list.as_bytes()).ok();
            match der.and_then(|der| Crl::from_der(&der).ok()) {
                Some(list) => read.push(list),
                None => self.faults.push(Fault::RevocationList(place)),
            }
        }
        read
    }

    fn certificates(&mut self, listed: &[CertificateFacts]) -> Vec<(String, Certificate)> {
        let mut read = Vec::new();
        for facts in listed.iter().take(MAX_CERTIFICATES) {
            let der = BASE64.decode(facts.der.as_bytes()).ok();
            let certificate = der.and_then(|der| Certificate::from_der(&der).ok());
            let certificate = certificate.filter(|one| {
                hex(one.sha256()) == facts.sha256
                    && one.subject() == facts.subject
                    && one.not_before().to_string() == facts.not_before
                    && one.not_after().to_string() == facts.not_after
            });
            match certificate {
                Some(certificate) => read.push((facts.role.clone(), certificate)),
                None => self.faults.push(Fault::Certificate(facts.role.clone())),
            }
        }
        read
    }
}

/// No bundle has more.
const MAX_CERTIFICATES: usize = 16;
/// One of the root and one of each issuer; an issuer is good for years.
const MAX_REVOCATION_LISTS: usize = 64;
