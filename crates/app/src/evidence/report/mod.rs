//! The evidence as a document for people: what happened, in order and in words. It carries the sealed JSON, and is
//! certified by the service like any document.

mod texts;

use super::SealedEvidence;
use super::bundle::{DocumentFacts, Evidence, SignerFacts, Version};
use crate::notary::{ACCENT, LEGAL_BASIS};
use crate::{App, Error};
use jiff::tz::TimeZone;
use pades::sheet::TextDocument;

impl App {
    /// The report of sealed evidence.
    pub async fn evidence_report(&self, sealed: &SealedEvidence) -> Result<Vec<u8>, Error> {
        let permit = self.evidence_admission.acquire().await?;
        let (app, sealed, now) = (self.clone(), sealed.clone(), self.clock.now());
        let made = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let drawn = draw(&sealed);
            app.notary.certify_report(drawn, now)
        });
        made.await.map_err(|error| Error::Internal(error.into()))?
    }
}

fn draw(sealed: &SealedEvidence) -> Vec<u8> {
    let (evidence, zone) = (&sealed.evidence, &sealed.zone);
    let when = |text: &str| texts::format_time(text, zone);
    let reference = format!("Folio {}", evidence.folio.id);
    let mut page = TextDocument::new(texts::EYEBROW, texts::TITLE, &reference, ACCENT);
    page.paragraph(&texts::introduction(evidence));
    page.space();
    page.fact("Asunto", &evidence.folio.name);
    page.fact("ID del folio", &evidence.folio.id);
    page.fact("Enviado por", &evidence.company);
    page.fact("Estado", texts::folio_state(&evidence.folio.state));
    page.fact(
        "Tipo de firma",
        texts::signature_type(&evidence.folio.signature_type),
    );
    page.fact("Base legal", LEGAL_BASIS);
    if let Some(observation) = &evidence.folio.observation {
        page.fact("Observación", observation);
    }
    page.fact("Creado", &when(&evidence.folio.created_at));
    page.fact("Constancia generada", &when(&evidence.made.at));
    page.fact("Servicio", &evidence.made.by);

    page.heading("Documentos");
    for facts in &evidence.documents {
        document(&mut page, facts);
    }
    page.heading("Firmantes");
    for facts in &evidence.signers {
        signer(&mut page, facts, evidence, zone);
    }
    page.heading("Qué ocurrió");
    events(&mut page, evidence, zone);
    page.heading("Textos aceptados");
    if evidence.consents.is_empty() {
        page.paragraph(texts::no_consents(evidence));
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
        page.paragraph("No se envió ningún mensaje.");
    }
    for message in &evidence.messages {
        page.fact(&texts::message_state(message), &texts::message(message, zone));
    }
    page.heading("Certificados del servicio");
    for certificate in &evidence.certificates {
        page.fact(texts::role(&certificate.role), &certificate.subject);
        page.fine("Huella SHA-256", &certificate.sha256);
    }
    page.heading("Cómo verificar esta constancia");
    for step in texts::VERIFYING {
        page.paragraph(step);
    }
    page.fine("Huella de la evidencia", &domain::event::hex(&sealed.sha256));
    let name = format!("evidencia-{}.json", evidence.folio.id);
    page.attach(&name, "application/json", sealed.text.clone().into_bytes());
    page.finish(|number, count| format!("Página {number} de {count}"))
}

fn document(page: &mut TextDocument, facts: &DocumentFacts) {
    page.subheading(&facts.name);
    page.fact("Identificador", &facts.id);
    let mut version = |label: &str, version: &Version| {
        page.fact(label, &texts::bytes(version.size));
        page.fine("Huella SHA-256", &version.sha256);
    };
    version("Como fue enviado", &facts.original);
    version("Como está ahora", &facts.current);
    page.space();
}

fn signer(page: &mut TextDocument, facts: &SignerFacts, evidence: &Evidence, zone: &TimeZone) {
    page.subheading(&facts.name);
    page.fact(
        "Documento",
        &format!("{} {}", facts.document_type, facts.document_number),
    );
    page.fact("Correo", &facts.email);
    page.fact("Celular", &facts.mobile);
    page.fact("Estado", texts::signer_state(&facts.state));
    if let Some(at) = &facts.acted_at {
        page.fact("Fecha y hora", &texts::format_time(at, zone));
    }
    if let Some(address) = &facts.address {
        page.fact("Dirección IP", address);
    }
    if let Some((channel, consent)) = texts::signature(facts, evidence) {
        page.fact("Medio de verificación", &channel);
        page.fact("Texto aceptado", &consent);
    }
    for certificate in &facts.certificates {
        page.fine("Certificado SHA-256", certificate);
    }
    page.space();
}

fn events(page: &mut TextDocument, evidence: &Evidence, zone: &TimeZone) {
    page.paragraph(&texts::chain(&evidence.history));
    for event in &evidence.history.events {
        let text = texts::event(event, evidence, zone);
        page.fact(&format!("{}. {}", event.number, text.when), &text.what);
        for detail in text.details {
            page.fine("", &detail);
        }
        page.fine("Huella", &event.hash);
        page.space();
    }
}
