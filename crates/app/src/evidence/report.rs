//! The evidence as a document for people: what happened, in order and in words. It carries the sealed JSON, and is
//! certified by the service like any document.

mod words;

use super::SealedEvidence;
use super::bundle::{DocumentFacts, Evidence, SignerFacts, Version};
use crate::notary::ACCENT;
use crate::{App, Error};
use jiff::tz::TimeZone;
use pades::sheet::TextDocument;

impl App {
    /// The report of sealed evidence.
    pub async fn evidence_report(&self, sealed: &SealedEvidence) -> Result<Vec<u8>, Error> {
        let turn = self.evidence_turns.take().await?;
        let (app, sealed, now) = (self.clone(), sealed.clone(), self.clock.now());
        let made = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let drawn = draw(&sealed);
            app.notary.certify_report(drawn, now)
        });
        made.await.map_err(|error| Error::Internal(error.into()))?
    }
}

fn draw(sealed: &SealedEvidence) -> Vec<u8> {
    let (evidence, zone) = (&sealed.evidence, &sealed.zone);
    let when = |text: &str| words::moment(text, zone);
    let reference = format!("Folio {}", evidence.folio.id);
    let mut page = TextDocument::new(words::EYEBROW, words::TITLE, &reference, ACCENT);
    page.paragraph(&words::introduction(evidence));
    page.space();
    page.fact("Folio", &evidence.folio.name);
    page.fact("Identificador", &evidence.folio.id);
    page.fact("Enviado por", &evidence.company);
    page.fact("Estado", words::folio_state(&evidence.folio.state));
    page.fact(
        "Tipo de firma",
        words::signature_type(&evidence.folio.signature_type),
    );
    if let Some(observation) = &evidence.folio.observation {
        page.fact("Observación", observation);
    }
    page.fact("Creado", &when(&evidence.folio.created_at));
    page.fact("Constancia hecha", &when(&evidence.made.at));
    page.fact("Instalación", &evidence.made.by);

    page.heading("Documentos");
    for facts in &evidence.documents {
        document(&mut page, facts);
    }
    page.heading("Firmantes");
    for facts in &evidence.signers {
        signer(&mut page, facts, zone);
    }
    page.heading("Qué ocurrió");
    happenings(&mut page, evidence, zone);
    page.heading("Textos aceptados");
    if evidence.consents.is_empty() {
        page.paragraph(words::no_consents(evidence));
    }
    for consent in &evidence.consents {
        page.subheading(&format!("Versión {}", consent.name));
        for sentence in consent.text.lines() {
            page.paragraph(sentence);
        }
        page.fine("Huella SHA-256", &consent.sha256);
    }
    page.heading("Mensajes");
    if evidence.messages.is_empty() {
        page.paragraph("El servicio no escribió a nadie.");
    }
    for message in &evidence.messages {
        page.fact(&words::message_state(message), &words::message(message, zone));
    }
    page.heading("Certificados de la instalación");
    for certificate in &evidence.certificates {
        page.fact(words::role(&certificate.role), &certificate.subject);
        page.fine("Huella SHA-256", &certificate.sha256);
    }
    page.heading("Cómo verificar esta constancia");
    for step in words::VERIFYING {
        page.paragraph(step);
    }
    page.fine("Huella de la evidencia", &domain::history::hex(&sealed.sha256));
    let name = format!("evidencia-{}.json", evidence.folio.id);
    page.attach(&name, "application/json", sealed.text.clone().into_bytes());
    page.finish(|number, count| format!("Página {number} de {count}"))
}

fn document(page: &mut TextDocument, facts: &DocumentFacts) {
    page.subheading(&facts.name);
    page.fact("Identificador", &facts.id);
    let mut version = |label: &str, version: &Version| {
        page.fact(label, &words::bytes(version.size));
        page.fine("Huella SHA-256", &version.sha256);
    };
    version("Como fue enviado", &facts.original);
    version("Como está ahora", &facts.current);
    page.space();
}

fn signer(page: &mut TextDocument, facts: &SignerFacts, zone: &TimeZone) {
    page.subheading(&facts.name);
    page.fact(
        "Documento",
        &format!("{} {}", facts.document_type, facts.document_number),
    );
    page.fact("Correo", &facts.email);
    page.fact("Celular", &facts.mobile);
    page.fact("Estado", words::signer_state(&facts.state));
    if let Some(at) = &facts.acted_at {
        page.fact("Fecha", &words::moment(at, zone));
    }
    if let Some(address) = &facts.address {
        page.fact("Dirección", address);
    }
    for certificate in &facts.certificates {
        page.fine("Certificado SHA-256", certificate);
    }
    page.space();
}

fn happenings(page: &mut TextDocument, evidence: &Evidence, zone: &TimeZone) {
    page.paragraph(&words::chain(&evidence.history));
    for event in &evidence.history.events {
        let told = words::event(event, evidence, zone);
        page.fact(&format!("{}. {}", event.number, told.when), &told.what);
        for detail in told.details {
            page.fine("", &detail);
        }
        page.fine("Huella", &event.hash);
        page.space();
    }
}
