//! Loads the rows of a bundle in one read transaction, so that all are of one snapshot.

use super::bundle::{
    CertificateFacts, ConsentFacts, DocumentFacts, EventFacts, Evidence, FORMAT, FolioFacts, History, Made,
    MessageFacts, SignerFacts, TimestampFacts, VERSION, Version, time,
};
use super::check::{Fault, damage};
use super::{EVENTS_PER_BUNDLE, MESSAGES_PER_BUNDLE};
use crate::folios::read::{Lookup, look_up_folios};
use crate::notary::{Notary, TimeStamping, legal_basis};
use crate::signing::consent::{Consent, hash};
use crate::{Clock, Error};
use data_encoding::BASE64;
use domain::event::{ShownDocument, hex};
use domain::{CompanyId, DocumentId, FolioId, HistoryHead, SignerIndex, SignerState};
use pki::cms::Certificate;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use store::{DocumentVersion, HistoryKey, LoggedMessage, Store, StoredEvent, StoredFolio, Tx};

/// Everything a bundle is made of.
#[derive(Debug)]
pub(crate) struct EvidenceSource {
    /// Which part of the history it is, from 1.
    part: usize,
    company: String,
    /// The name of the company's zone.
    pub(super) timezone: Option<String>,
    stored: StoredFolio,
    versions: Vec<DocumentVersion>,
    /// The event before the first of these, where they are a later part.
    before: Option<StoredEvent>,
    events: Vec<StoredEvent>,
    messages: Vec<LoggedMessage>,
}

impl EvidenceSource {
    pub(crate) fn read(
        tx: &mut Tx<'_>,
        company: CompanyId,
        folio: FolioId,
        part: usize,
    ) -> Result<Self, Error> {
        let stored = match look_up_folios(tx, company, &[folio])?.remove(&folio) {
            Some(Lookup::Own(stored)) => stored,
            Some(Lookup::Foreign) => return Err(Error::Foreign),
            Some(Lookup::Unknown) | None => return Err(Error::NotFound),
        };
        let skipped = part.saturating_sub(1).saturating_mul(EVENTS_PER_BUNDLE);
        let skipped = i64::try_from(skipped).map_err(|_| Error::NotFound)?;
        // One event more than is shown, for its hash.
        let mut events = tx.history_from(company, folio, skipped.max(1), EVENTS_PER_BUNDLE + 1)?;
        let mut before = None;
        if skipped > 0 {
            if events.len() < 2 {
                return Err(Error::NotFound);
            }
            before = Some(events.remove(0));
        } else {
            events.truncate(EVENTS_PER_BUNDLE);
        }
        let company_row = tx.company_of_folio(folio)?.ok_or(Error::NotFound)?;
        Ok(Self {
            part: part.max(1),
            company: company_row.name,
            timezone: company_row.timezone,
            versions: tx.document_versions(company, folio)?,
            messages: tx.message_log(company, folio, MESSAGES_PER_BUNDLE)?,
            stored,
            before,
            events,
        })
    }

    pub(super) fn folio(&self) -> FolioId {
        self.stored.folio.id
    }

    pub(super) const fn part(&self) -> usize {
        self.part
    }

    /// How many events the history has in all.
    pub(crate) const fn length(&self) -> i64 {
        self.stored.history.length
    }

    /// The bundle, still without its seal.
    pub(super) fn bundle(&self, notary: &Notary, clock: &Clock) -> Result<Evidence, Error> {
        let now = clock.now();
        let zone = notary.zone(self.timezone.as_deref());
        let made = Made {
            at: time(now),
            by: notary.base_url().to_owned(),
            program: concat!("firmeza ", env!("CARGO_PKG_VERSION")).to_owned(),
            zone: zone.iana_name().unwrap_or_default().to_owned(),
            clock: clock.source().to_owned(),
            timestamps: Some(timestamps(notary)),
        };
        let certificates = notary.certificates();
        let certificates = certificates.map(|(role, one)| certificate(role, &one));
        let lists = notary.revocation_lists(now)?;
        Ok(Evidence {
            made,
            certificates: certificates.into(),
            revocation_lists: lists.iter().map(|list| BASE64.encode(list)).collect(),
            ..self.facts()
        })
    }

    /// Finds faults in the rows: events without a valid MAC of the history key, a broken hash chain, or
    /// rows that contradict the history.
    pub(crate) fn damage(&self, key: &HistoryKey) -> Vec<Fault> {
        let folio = self.folio();
        let written = |stored: &&StoredEvent| {
            let event = &stored.event;
            !key.wrote(folio, event.number, &event.hash, stored.mac.as_deref())
        };
        let forged = self.before.iter().chain(&self.events).filter(written);
        let mut faults: Vec<Fault> = forged.map(|stored| Fault::Forged(stored.event.number)).collect();
        faults.extend(damage(&self.facts()));
        faults
    }

    /// Refuses to seal a folio with faults.
    pub(super) fn expect_whole(&self, store: &Store) -> Result<(), Error> {
        let key = store.history_key().ok_or(store::Error::NoHistoryKey)?;
        let faults = self.damage(key);
        if faults.is_empty() {
            return Ok(());
        }
        let folio = self.folio();
        tracing::error!(%folio, ?faults, "the history of a folio is damaged: no evidence of it is sealed");
        Err(Error::BrokenHistory)
    }

    /// What the rows say.
    fn facts(&self) -> Evidence {
        let acts = Acts::read(&self.events);
        let event = |StoredEvent { event, .. }: &StoredEvent| EventFacts {
            number: event.number,
            hash: hex(&event.hash),
            body: event.body.clone(),
            values: event.values(),
        };
        let before = self
            .before
            .as_ref()
            .map_or(HistoryHead::START.hash, |before| before.event.hash);
        Evidence {
            format: FORMAT.to_owned(),
            version: VERSION,
            made: Made::default(),
            company: self.company.clone(),
            folio: self.folio_facts(),
            documents: self.document_facts(),
            signers: self.signer_facts(&acts),
            history: History {
                length: self.stored.history.length,
                head: hex(&self.stored.history.hash),
                before: hex(&before),
                events: self.events.iter().map(event).collect(),
            },
            consents: acts
                .consents
                .values()
                .filter_map(|body| self.consent(body))
                .collect(),
            certificates: Vec::new(),
            revocation_lists: Vec::new(),
            messages: self.messages.iter().map(message).collect(),
        }
    }

    fn folio_facts(&self) -> FolioFacts {
        let folio = &self.stored.folio;
        FolioFacts {
            id: folio.id.to_string(),
            name: folio.name.as_str().to_owned(),
            message: folio.message.as_str().to_owned(),
            state: word(folio.state),
            signature_type: word(folio.signature_type),
            observation: folio.observation.as_ref().map(|text| text.as_str().to_owned()),
            created_at: time(folio.created_at),
            updated_at: folio.updated_at.map(time),
            expires_at: folio.expires_at.map(time),
            language: folio.language.code().to_owned(),
            legal_basis: legal_basis(folio).to_owned(),
        }
    }

    fn document_facts(&self) -> Vec<DocumentFacts> {
        let documents = self.stored.folio.documents.iter().zip(&self.versions);
        documents
            .map(|(document, version)| DocumentFacts {
                id: document.id.to_string(),
                name: document.name.as_str().to_owned(),
                original: Version {
                    sha256: hex(&document.sha256),
                    size: document.size,
                    since: time(document.created_at),
                },
                current: Version {
                    sha256: hex(&version.sha256),
                    size: version.size,
                    since: time(version.changed_at.unwrap_or(document.created_at)),
                },
            })
            .collect()
    }

    /// The text that an event says a signer accepted, filled with what the event says was shown; none where the names of the
    /// documents were erased.
    fn consent(&self, body: &Value) -> Option<ConsentFacts> {
        let sha256 = body["consent"].as_str()?;
        let consent = Consent::named(body["template"].as_str()?)?;
        let shown = body["shown"].as_array().into_iter().flatten();
        let text = consent.filled(shown.filter_map(|shown| self.shown(shown)));
        (hash(&text) == sha256).then(|| ConsentFacts {
            sha256: sha256.to_owned(),
            name: consent.name.to_owned(),
            text,
        })
    }

    /// What an event says was shown of a document, with the document's name.
    fn shown(&self, shown: &Value) -> Option<(&str, ShownDocument)> {
        let id: DocumentId = shown["document"].as_str()?.parse().ok()?;
        let documents = &self.stored.folio.documents;
        let document = documents.iter().find(|document| document.id == id)?;
        let count = |member: &str| u32::try_from(shown[member].as_u64()?).ok();
        let shown = ShownDocument {
            document: id,
            pages: count("pages")?,
            shown: count("shown")?,
            downloaded: shown["downloaded"] == true,
        };
        Some((document.name.as_str(), shown))
    }

    fn signer_facts(&self, acts: &Acts) -> Vec<SignerFacts> {
        self.stored
            .folio
            .indexed_signers()
            .map(|(signer_index, signer)| SignerFacts {
                signer: signer_index,
                name: signer.name.as_str().to_owned(),
                document_type: signer.document_type.code().to_owned(),
                document_number: signer.document_number.as_str().to_owned(),
                email: signer.contact.email.as_str().to_owned(),
                mobile: signer.contact.mobile.as_str().to_owned(),
                state: word(signer.state),
                acted_at: signer
                    .updated_at
                    .filter(|_| signer.state != SignerState::Pending)
                    .map(time),
                address: signer.signed_from.map(|address| address.to_string()),
                device: acts.said(signer_index, "device"),
                language: acts.said(signer_index, "language"),
                certificates: acts.certificates.get(&signer_index).cloned().unwrap_or_default(),
            })
            .collect()
    }
}

/// What events say of signatures.
#[derive(Debug, Default)]
struct Acts {
    certificates: BTreeMap<SignerIndex, Vec<String>>,
    /// The events of the signatures, with the personal values in them.
    signatures: BTreeMap<SignerIndex, Value>,
    /// By its hash, the event in which a signer accepted a text, or signed.
    consents: BTreeMap<String, Value>,
}

impl Acts {
    /// A text of the event in which that signer signed.
    fn said(&self, signer: SignerIndex, member: &str) -> Option<String> {
        self.signatures.get(&signer)?[member].as_str().map(str::to_owned)
    }

    fn read(events: &[StoredEvent]) -> Self {
        let mut acts = Self::default();
        for StoredEvent { event, .. } in events {
            let Ok(body) = serde_json::from_str::<Value>(&event.body) else {
                continue;
            };
            if !matches!(body["what"].as_str(), Some("accepted" | "signed")) {
                continue;
            }
            if let Some(consent) = body["consent"].as_str() {
                acts.consents.insert(consent.to_owned(), body.clone());
            }
            if body["what"] != "signed" {
                continue;
            }
            let signer_index = body["signer"]
                .as_u64()
                .and_then(|signer_index| usize::try_from(signer_index).ok())
                .map(SignerIndex);
            let certificates = body["certificates"].as_array().into_iter().flatten();
            if let Some(signer_index) = signer_index {
                let certificates = certificates.filter_map(|one| one.as_str().map(str::to_owned));
                acts.certificates.insert(signer_index, certificates.collect());
                acts.signatures.insert(signer_index, event.full_body());
            }
        }
        acts
    }
}

/// Who stamps the time. The installation always stamps the seal. It stamps documents and signatures only if no other authority is
/// set.
fn timestamps(notary: &Notary) -> TimestampFacts {
    const OWN: &str = "installation";
    let others: Vec<&str> = notary.time_stamping().iter().map(TimeStamping::name).collect();
    let documents = if others.is_empty() {
        OWN.to_owned()
    } else {
        others.join(", ")
    };
    TimestampFacts {
        signatures: documents.clone(),
        documents,
        seal: OWN.to_owned(),
    }
}

fn certificate(role: &str, certificate: &Certificate) -> CertificateFacts {
    CertificateFacts {
        role: role.to_owned(),
        subject: certificate.subject(),
        not_before: certificate.not_before().to_string(),
        not_after: certificate.not_after().to_string(),
        sha256: hex(certificate.sha256()),
        der: BASE64.encode(certificate.as_der()),
    }
}

fn message(row: &LoggedMessage) -> MessageFacts {
    MessageFacts {
        template: word(row.template),
        channel: word(row.channel),
        recipient: row.recipient.clone(),
        signer: row.signer,
        state: row.state.clone(),
        attempts: row.attempts,
        created_at: time(row.created_at),
        sent_at: row.sent_at.map(time),
        last_error: row.last_error.clone(),
    }
}

/// The word by which a state or a kind is stored.
fn word(of: impl Serialize) -> String {
    let value = serde_json::to_value(of).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
