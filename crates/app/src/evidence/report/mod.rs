//! The evidence as a document for people: a line for each signer, the folio, what happened in order and in words, what was
//! checked, and hashes in an annex. It carries the sealed JSON, and is certified by the service like any document.

mod sentences;
mod summary;
mod texts;

use super::SealedEvidence;
use super::bundle::{DocumentFacts, Evidence, SignerFacts, Version};
use crate::notary::{ACCENT, LEGAL_BASIS, of_sheet};
use crate::{App, Error};
use domain::Language;
use jiff::tz::TimeZone;
use pades::sheet::{SheetError, TextDocument};
use texts::Texts;

impl App {
    /// The report of sealed evidence, in the folio's language.
    pub async fn evidence_report(&self, sealed: &SealedEvidence) -> Result<Vec<u8>, Error> {
        let permit = self.evidence_admission.acquire().await?;
        let (app, sealed, now) = (self.clone(), sealed.clone(), self.clock.now());
        let made = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let report = Report::new(&sealed);
            let drawn = report.draw().map_err(|error| Error::Internal(error.into()))?;
            app.notary.certify_report(drawn, report.w.language, now)
        });
        made.await.map_err(|error| Error::Internal(error.into()))?
    }
}

/// A report being written.
pub(super) struct Report<'s> {
    sealed: &'s SealedEvidence,
    evidence: &'s Evidence,
    zone: &'s TimeZone,
    w: &'static Texts,
}

impl<'s> Report<'s> {
    fn new(sealed: &'s SealedEvidence) -> Self {
        let evidence = &sealed.evidence;
        // Every bundle that is made has a language.
        let language = evidence.folio.language.parse::<Language>().unwrap_or_default();
        Self {
            sealed,
            evidence,
            zone: &sealed.zone,
            w: Texts::of(language),
        }
    }

    fn draw(&self) -> Result<Vec<u8>, SheetError> {
        let (evidence, w) = (self.evidence, self.w);
        let reference = sentences::filled(w.reference, &[("id", &evidence.folio.id)]);
        let mut page = TextDocument::new([w.eyebrow, w.title], &reference, ACCENT, of_sheet(w.language));
        page.code(&self.verification_address())?;
        page.paragraph(&sentences::filled(
            w.introduction,
            &[("folio", &evidence.folio.name)],
        ));
        self.summary(&mut page);
        self.folio(&mut page);
        self.story(&mut page);
        self.what_is_proved(&mut page);
        heading_with(&mut page, w.signers, &evidence.signers, |page, facts| {
            self.signer(page, facts);
        });
        self.consents(&mut page);
        heading_with(&mut page, w.documents, &evidence.documents, |page, facts| {
            self.document(page, facts);
        });
        self.annex(&mut page);
        page.keep(|page| self.verifying(page));
        page.attach(
            &self.sealed.json_name(),
            "application/json",
            self.sealed.text.clone().into_bytes(),
        );
        Ok(page.finish(|number, count| {
            let (number, count) = (number.to_string(), count.to_string());
            sentences::filled(w.page, &[("number", &number), ("count", &count)])
        }))
    }

    /// The page where a document can be verified: its own where the folio has one document.
    fn verification_address(&self) -> String {
        let by = &self.evidence.made.by;
        match self.evidence.documents.as_slice() {
            [only] => format!("{by}/verify/{}", only.id),
            _ => format!("{by}/verify"),
        }
    }

    fn summary(&self, page: &mut TextDocument) {
        let w = self.w;
        let rows: Vec<[String; 6]> = self
            .evidence
            .signers
            .iter()
            .map(|one| self.line_of(one))
            .collect();
        page.table(
            w.summary,
            [w.signer, w.invited, w.opened, w.accepted, w.code, w.signed],
            &rows,
        );
        if !self.evidence.history.is_whole() {
            page.paragraph(w.summary_part);
        }
    }

    fn folio(&self, page: &mut TextDocument) {
        let (evidence, w) = (self.evidence, self.w);
        page.keep(|page| {
            page.heading(w.process);
            page.fact(w.subject, &evidence.folio.name);
            page.fact(w.folio, &evidence.folio.id);
            page.fact(w.sent_by, &self.sender());
            page.fact(w.state, sentences::word(&w.states, &evidence.folio.state));
            page.fact(
                w.signature_type,
                sentences::word(&w.signature_types, &evidence.folio.signature_type),
            );
            if let Some(observation) = &evidence.folio.observation {
                page.fact(w.observation, observation);
            }
            page.fact(w.created, &self.when(&evidence.folio.created_at));
            page.fact(w.made, &self.when(&evidence.made.at));
            page.fact(w.service, &evidence.made.by);
            page.fact(w.verification, &self.verification_address());
        });
    }

    /// What the service checked, what it did not, and whose clocks are behind the times.
    fn what_is_proved(&self, page: &mut TextDocument) {
        let w = self.w;
        page.keep(|page| {
            page.heading(w.what_is_proved);
            page.fact(w.legal_level, &self.legal_level());
            let checked = match self.evidence.folio.signature_type.as_str() {
                "sms_code" => w.checked_sms,
                _ => w.checked_email,
            };
            page.fact(w.checked, checked);
            page.fact(w.unchecked, w.unchecked_text);
            let made = &self.evidence.made;
            let clock = match made.clock.as_str() {
                "sandbox" => w.clock_sandbox,
                _ => w.clock_system,
            };
            page.fact(
                w.time,
                &sentences::filled(w.time_text, &[("zone", &made.zone), ("clock", clock)]),
            );
            if let Some(stamps) = &made.timestamps {
                let text = if stamps.documents == stamps.signatures {
                    w.timestamps_own.to_owned()
                } else {
                    sentences::filled(w.timestamps_others, &[("names", &stamps.documents)])
                };
                page.fact(w.timestamps, &text);
            }
        });
    }

    fn legal_level(&self) -> String {
        let (w, basis) = (self.w, self.evidence.folio.legal_basis.as_str());
        let article = if basis == LEGAL_BASIS {
            w.legal_level_article
        } else {
            ""
        };
        sentences::filled(w.legal_level_text, &[("basis", basis), ("article", article)])
    }

    fn document(&self, page: &mut TextDocument, facts: &DocumentFacts) {
        let w = self.w;
        page.subheading(&facts.name);
        page.fact(w.identifier, &facts.id);
        let mut version = |label: &str, version: &Version| {
            let count = version.size.to_string();
            page.fact(label, &sentences::filled(w.bytes, &[("count", &count)]));
            page.fine(w.sha256, &version.sha256);
        };
        version(w.as_sent, &facts.original);
        version(w.as_now, &facts.current);
        page.space();
    }

    fn signer(&self, page: &mut TextDocument, facts: &SignerFacts) {
        let w = self.w;
        page.subheading(&facts.name);
        page.fact(
            w.document,
            &format!("{} {}", facts.document_type, facts.document_number),
        );
        page.fact(w.email, &facts.email);
        page.fact(w.mobile, &facts.mobile);
        page.fact(w.state, sentences::word(&w.signer_states, &facts.state));
        if let Some(at) = &facts.acted_at {
            page.fact(w.acted_at, &self.when(at));
        }
        if let Some(address) = &facts.address {
            page.fact(w.ip_address, address);
        }
        if let Some(device) = self.device(facts.device.as_deref(), facts.language.as_deref()) {
            page.fact(w.browser, &device);
        }
        if let Some((way, consent)) = self.signature(facts) {
            page.fact(w.way, &way);
            page.fact(w.accepted_text, &consent);
        }
        page.space();
    }

    fn story(&self, page: &mut TextDocument) {
        let (w, history) = (self.w, &self.evidence.history);
        let told = self.described_events();
        heading_with(page, w.story, &told, |page, told| {
            page.fact(&format!("{}. {}", told.number, told.when), &told.what);
            for detail in &told.details {
                page.fine("", detail);
            }
            page.space();
        });
        if !history.is_whole() {
            let (length, shown) = (history.length.to_string(), history.events.len().to_string());
            page.paragraph(&sentences::filled(
                w.part_of_history,
                &[("length", &length), ("shown", &shown)],
            ));
        }
        let waiting = self.messages_without_event();
        heading_with(page, w.messages_without_event, &waiting, |page, message| {
            page.paragraph(message);
        });
    }

    fn consents(&self, page: &mut TextDocument) {
        let w = self.w;
        if self.evidence.consents.is_empty() {
            page.keep(|page| {
                page.heading(w.consents);
                page.paragraph(self.no_consents());
            });
        }
        heading_with(page, w.consents, &self.evidence.consents, |page, consent| {
            page.subheading(&sentences::filled(w.version, &[("version", &consent.name)]));
            for sentence in consent.text.lines() {
                page.paragraph(sentence);
            }
            page.fine(w.sha256, &consent.sha256);
        });
    }

    /// Everything that is compared letter by letter.
    fn annex(&self, page: &mut TextDocument) {
        let w = self.w;
        page.keep(|page| {
            page.heading(w.annex);
            page.paragraph(w.annex_lead);
            page.fine(w.evidence_hash, &domain::event::hex(&self.sealed.sha256));
        });
        subheading_with(
            page,
            w.service_certificates,
            &self.evidence.certificates,
            |page, certificate| {
                page.fine(sentences::word(&w.roles, &certificate.role), &certificate.subject);
                page.fine("", &certificate.sha256);
            },
        );
        for signer in &self.evidence.signers {
            let heading = format!("{}: {}", w.certificates_of_signers, signer.name);
            subheading_with(page, &heading, &signer.certificates, |page, certificate| {
                page.fine("", certificate);
            });
        }
        subheading_with(
            page,
            w.events_hashes,
            &self.evidence.history.events,
            |page, event| {
                page.fine(&event.number.to_string(), &event.hash);
                for hash in self.hashes_of(event) {
                    page.fine("", &hash);
                }
            },
        );
    }

    fn verifying(&self, page: &mut TextDocument) {
        let (w, evidence) = (self.w, self.evidence);
        let on_site = |step| sentences::filled(step, &[("service", &evidence.made.by)]);
        page.heading(w.verifying);
        let [signed, root, command, without] = w.verifying_steps;
        page.paragraph(signed);
        page.paragraph(&on_site(root));
        page.paragraph(command);
        for line in sentences::verify_command(self.sealed) {
            page.fine("", &line);
        }
        page.space();
        page.paragraph(&on_site(without));
    }

    /// A point in time as people write it, in the company's zone.
    fn when(&self, text: &str) -> String {
        sentences::format_time(text, self.zone)
    }
}

/// A heading that stays with the first of what it is over; each stays on one page.
fn heading_with<T>(page: &mut TextDocument, heading: &str, all: &[T], write: impl Fn(&mut TextDocument, &T)) {
    under(page, |page| page.heading(heading), all, write);
}

/// The same with a smaller heading.
fn subheading_with<T>(
    page: &mut TextDocument,
    heading: &str,
    all: &[T],
    write: impl Fn(&mut TextDocument, &T),
) {
    under(page, |page| page.subheading(heading), all, write);
}

fn under<T>(
    page: &mut TextDocument,
    head: impl Fn(&mut TextDocument),
    all: &[T],
    write: impl Fn(&mut TextDocument, &T),
) {
    let Some((first, rest)) = all.split_first() else {
        return;
    };
    page.keep(|page| {
        head(page);
        write(page, first);
    });
    for one in rest {
        page.keep(|page| write(page, one));
    }
}
