//! The Spanish of the report.

use super::super::bundle::{EventFacts, Evidence, History, MessageFacts, SignerFacts};
use crate::signing::consent::Consent;
use domain::Channel;
use domain::mask::masked;
use domain::personal::restored;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

pub(super) const EYEBROW: &str = "Constancia";
pub(super) const TITLE: &str = "Constancia de firma electrónica";

pub(super) const VERIFYING: [&str; 4] = [
    "Este documento lleva la firma electrónica del servicio con estampa de tiempo: cualquier lector de PDF muestra si \
     cambió. Lleva además, como archivo adjunto, la misma información en JSON con su propio sello.",
    "Con el programa firmeza, sin conexión: firmeza verify constancia.pdf evidencia.json documento.pdf --root root.crt. Comprueba los \
     sellos, la cadena de eventos, los textos aceptados y que los documentos sean los que aquí se nombran.",
    "Sin él: la huella de cada evento es el SHA-256 de los 32 bytes de la huella anterior (ceros para el primero) \
     seguidos del texto del evento tal como está en el JSON; y la huella de un documento es el SHA-256 de su archivo.",
    "La raíz de los certificados se descarga de la instalación en /authority/root.crt; compare su huella con la de esta \
     constancia por un medio distinto.",
];

/// An event as text.
pub(super) struct EventText {
    pub(super) when: String,
    pub(super) what: String,
    pub(super) details: Vec<String>,
}

pub(super) fn introduction(evidence: &Evidence) -> String {
    format!(
        "Esta constancia reúne lo que el servicio registró sobre «{}»: los documentos, a quiénes se pidió la firma, qué \
         hizo cada persona, cuándo y desde dónde. Las horas están en la zona horaria de la empresa.",
        evidence.folio.name
    )
}

pub(super) fn chain(history: &History) -> String {
    let (length, shown) = (history.length, history.events.len());
    let are = if shown == 1 { "está" } else { "están" };
    let rest = if history.is_whole() {
        ""
    } else {
        " Esta constancia es una parte: las demás se descargan en el mismo lugar."
    };
    format!(
        "El historial tiene {length} eventos; aquí {are} {shown}. Debajo de cada uno está su huella, que depende de la del \
         evento anterior: si uno cambiara, cambiarían las huellas de todos los siguientes.{rest}"
    )
}

/// A point in time as people write it, in the company's zone.
pub(super) fn format_time(text: &str, zone: &TimeZone) -> String {
    text.parse::<Timestamp>()
        .map_or_else(|_| text.to_owned(), |at| in_zone(at, zone))
}

fn in_zone(at: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned(zone.clone());
    at.strftime("%Y-%m-%d %H:%M:%S %:z").to_string()
}

pub(super) fn bytes(count: u64) -> String {
    format!("{count} bytes")
}

pub(super) fn folio_state(state: &str) -> &str {
    match state {
        "pending" => "Pendiente de firmas",
        "signed" => "Firmado por todos",
        "rejected_by_signer" => "Rechazado por un firmante",
        "approved" => "Firmado y aprobado",
        "disapproved" => "Firmado y rechazado por la empresa",
        "cancelled" => "Anulado",
        other => other,
    }
}

pub(super) fn signature_type(kind: &str) -> &str {
    match kind {
        "email_code" => "Código de un solo uso por correo",
        "sms_code" => "Código de un solo uso por SMS",
        other => other,
    }
}

pub(super) fn signer_state(state: &str) -> &str {
    match state {
        "pending" => "Pendiente",
        "signed" => "Firmó",
        "rejected" => "Rechazó",
        other => other,
    }
}

pub(super) fn role(role: &str) -> &str {
    match role {
        "root" => "Raíz",
        "issuer" => "Emisor",
        "service" => "Servicio",
        "time_stamping" => "Estampado de tiempo",
        other => other,
    }
}

fn channel(channel: &str) -> &str {
    match channel {
        "email" => "correo",
        "sms" => "SMS",
        other => other,
    }
}

fn template(template: &str) -> &str {
    match template {
        "invitation" => "la invitación a firmar",
        "reminder" => "el recordatorio",
        "cancelled" => "el aviso de anulación",
        "rejected" => "el aviso de rechazo",
        "completed" => "el aviso de que todos firmaron",
        "contact_changed" => "el aviso de cambio de contacto",
        "other_contact" => "el aviso de firma masiva con otro contacto",
        "code" => "el código de un solo uso",
        other => other,
    }
}

pub(super) fn message_state(message: &MessageFacts) -> String {
    match message.state.as_str() {
        "sent" => "Enviado",
        "dead" => "No se pudo entregar",
        "superseded" => "Reemplazado por un código posterior",
        _ => "En espera",
    }
    .to_owned()
}

pub(super) fn message(message: &MessageFacts, zone: &TimeZone) -> String {
    let sent = message.sent_at.as_ref().map_or_else(String::new, |at| {
        format!(", enviado el {}", format_time(at, zone))
    });
    let error = message
        .last_error
        .as_ref()
        .map_or_else(String::new, |error| format!(". El servidor respondió: {error}"));
    format!(
        "{} por {} a {}, creado el {}{sent}, intentos: {}{error}",
        capital(template(&message.template)),
        channel(&message.channel),
        message.recipient,
        format_time(&message.created_at, zone),
        message.attempts,
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The event's body; a placeholder stands for every value that is not in the file.
fn restored_body(event: &EventFacts) -> Value {
    let body = serde_json::from_str(&event.body).unwrap_or_default();
    let mut values = event.values.clone();
    for value in &mut values {
        if value.shown().is_none() {
            let word = if value.erased { "(borrado)" } else { "(reservado)" };
            value.masked = Some(word.to_owned());
        }
    }
    restored(body, &values)
}

/// An event in words.
pub(super) fn event(event: &EventFacts, evidence: &Evidence, zone: &TimeZone) -> EventText {
    let body = restored_body(event);
    let at = body["at"]
        .as_i64()
        .and_then(|at| Timestamp::from_microsecond(at).ok());
    let (what, details) = event_sentence(&body, evidence);
    EventText {
        when: at.map_or_else(String::new, |at| in_zone(at, zone)),
        what: format!("{what}{}.", origin(&body, evidence)),
        details,
    }
}

/// Who did it, where the sentence does not say so, and from where.
fn origin(body: &Value, evidence: &Evidence) -> String {
    let who = match body["who"].as_str().unwrap_or_default() {
        "integration" => format!(", por el sistema de {}", evidence.company),
        "user" => format!(", por {}", body["email"].as_str().unwrap_or_default()),
        _ => String::new(),
    };
    let address = body["address"].as_str();
    let from = address.map_or_else(String::new, |address| format!(", desde {address}"));
    who + &from
}

/// How the signature of a signer was verified, and the text that was accepted, as its event says.
pub(super) fn signature(signer: &SignerFacts, evidence: &Evidence) -> Option<(String, String)> {
    let events = evidence.history.events.iter().map(restored_body);
    let mut signatures = events.filter(|body| body["what"] == "signed");
    let place = u64::try_from(signer.signer.0).ok()?;
    let body = signatures.find(|body| body["signer"].as_u64() == Some(place))?;
    let text = |key: &str| body[key].as_str().unwrap_or_default();
    let way = match text("channel") {
        "email" => Channel::Email,
        _ => Channel::Sms,
    };
    let to = text("recipient");
    // A copy for another signer has it masked already, and an erased one has a word in its place.
    let to = if to.contains(['•', '(']) {
        to.to_owned()
    } else {
        masked(way, to)
    };
    let name = match body["template"].as_str() {
        Some(template) => template,
        None => Consent::hashed(text("consent")).map_or("desconocida", |consent| consent.name),
    };
    Some((
        format!("Código por {} a {to}", channel(text("channel"))),
        format!("versión {name}, huella {}", text("consent")),
    ))
}

/// Why the report lists no consent text.
pub(super) fn no_consents(evidence: &Evidence) -> &'static str {
    if !evidence.signers.iter().any(|signer| signer.state == "signed") {
        "Nadie ha firmado todavía."
    } else if evidence.history.events.iter().any(is_signature) {
        "El texto aceptado no es de los que este programa conoce; su huella está en el historial."
    } else {
        "El texto aceptado no está en esta parte del historial: está en la que contiene la firma."
    }
}

fn is_signature(event: &EventFacts) -> bool {
    serde_json::from_str::<Value>(&event.body).is_ok_and(|body| body["what"] == "signed")
}

/// The name of the signer that an event is about.
fn name(body: &Value, evidence: &Evidence) -> String {
    let signer_index = body["signer"]
        .as_u64()
        .and_then(|signer_index| usize::try_from(signer_index).ok());
    let signer = signer_index.and_then(|signer_index| evidence.signers.get(signer_index));
    signer.map_or_else(String::new, |signer| signer.name.clone())
}

/// The document that an event is about, by its name.
fn document(body: &Value, evidence: &Evidence) -> String {
    let mut documents = evidence.documents.iter();
    let found = documents.find(|document| body["document"] == document.id.as_str());
    found.map_or_else(|| "un documento".to_owned(), |found| format!("«{}»", found.name))
}

/// What had been shown of each document when a text was accepted.
fn shown(body: &Value, evidence: &Evidence) -> Vec<String> {
    let line = |shown: &Value| {
        let file = if shown["downloaded"] == true {
            ", y el archivo se descargó"
        } else {
            ""
        };
        format!(
            "Se le mostraron {} de {} páginas de {}{file}",
            shown["shown"],
            shown["pages"],
            document(shown, evidence)
        )
    };
    body["shown"].as_array().into_iter().flatten().map(line).collect()
}

/// The document hashes that an approval or a rejection names.
fn reviewed_documents(body: &Value) -> Vec<String> {
    let documents = body["documents"].as_array().into_iter().flatten();
    documents
        .filter_map(|document| Some(format!("Documento revisado: {}", document["sha256"].as_str()?)))
        .collect()
}

/// A bulk signature, and the contact that it names where it is another.
fn bulk_started(body: &Value, name: &str) -> (String, Vec<String>) {
    let ways = ["email", "mobile"].into_iter();
    let other = ways.filter_map(|way| Some(format!("Con otro contacto: {}", body["contact"][way].as_str()?)));
    (format!("Se inició una firma masiva para {name}"), other.collect())
}

/// The documents that were repaired when they came in.
fn repairs(body: &Value) -> Vec<String> {
    let repairs = body["repaired"].as_array().into_iter().flatten();
    let line = |repair: &Value| {
        let done = match repair["repair"].as_str() {
            Some("actions") => "se le quitaron acciones y programas",
            Some("hidden") => "se le quitó contenido que no se ve en sus páginas",
            _ => "se corrigió su estructura",
        };
        let sent = repair["sent"].as_str()?;
        Some(format!(
            "Un documento se reparó al recibirlo: {done}. Huella del archivo enviado: {sent}"
        ))
    };
    repairs.filter_map(line).collect()
}

fn code_refused(name: &str, tries_left: &Value) -> String {
    match tries_left.as_u64() {
        Some(1) => format!("{name} ingresó un código incorrecto; le quedaba 1 intento"),
        _ => format!("{name} ingresó un código incorrecto; le quedaban {tries_left} intentos"),
    }
}

#[expect(clippy::too_many_lines, reason = "each kind of event has a sentence")]
fn event_sentence(body: &Value, evidence: &Evidence) -> (String, Vec<String>) {
    let text = |key: &str| body[key].as_str().unwrap_or_default();
    let name = name(body, evidence);
    let plain = |what: &str| (what.to_owned(), Vec::new());
    match text("what") {
        "created" => ("Se creó el proceso de firma".into(), repairs(body)),
        "resent" => {
            let contact = &body["contact"];
            let to = contact["email"].as_str().unwrap_or_default();
            let changed = if body["before"].is_object() {
                ", con el contacto corregido"
            } else {
                ""
            };
            (
                format!("Se reenvió la invitación a {name}, a {to}{changed}"),
                Vec::new(),
            )
        }
        "downloaded" => (
            "Se descargó un documento".into(),
            vec![format!("Huella {}", text("sha256"))],
        ),
        "evidence_downloaded" => (
            "Se descargó la constancia".into(),
            vec![format!("Huella {}", text("sha256"))],
        ),
        "code_sent" => (
            format!(
                "Se generó un código de un solo uso para {name}, por {}, a {}",
                channel(text("channel")),
                text("recipient")
            ),
            Vec::new(),
        ),
        "code_refused" => (code_refused(&name, &body["tries_left"]), Vec::new()),
        "identified" => (format!("{name} se identificó con su documento"), Vec::new()),
        "opened" => (
            format!("{name} abrió {}", document(body, evidence)),
            vec![format!("Huella {}", text("sha256"))],
        ),
        "end_reached" => (
            format!(
                "A {name} se le mostró la última página de {}",
                document(body, evidence)
            ),
            vec![format!("Huella {}", text("sha256"))],
        ),
        "accepted" => {
            let mut details = vec![format!("Texto aceptado: {}", text("consent"))];
            details.extend(shown(body, evidence));
            (format!("{name} aceptó firmar electrónicamente"), details)
        }
        "freed" => (format!("{name} puede pedir códigos otra vez"), Vec::new()),
        "signed" => {
            let mut details = vec![format!("Texto aceptado: {}", text("consent"))];
            let results = body["results"].as_array().into_iter().flatten();
            details.extend(
                results.filter_map(|result| Some(format!("Resultado: {}", result["sha256"].as_str()?))),
            );
            let (by, to) = (channel(text("channel")), text("recipient"));
            (
                format!("{name} firmó con el código recibido por {by} en {to}"),
                details,
            )
        }
        "delivered" => (
            format!(
                "Se envió {} para {name}, por {}, a {}",
                template(text("template")),
                channel(text("channel")),
                text("recipient")
            ),
            Vec::new(),
        ),
        "undelivered" => (
            format!(
                "No se pudo entregar {} para {name}, a {}",
                template(text("template")),
                text("recipient")
            ),
            vec![text("reason").to_owned()],
        ),
        "bounced" => (
            format!(
                "Un servidor de correo informó que un mensaje para {name} no llegó: {}",
                text("recipient")
            ),
            vec![text("reason").to_owned()],
        ),
        "complained" => (
            format!(
                "El proveedor de correo informó que {name} marcó un mensaje como no deseado: {}",
                text("recipient")
            ),
            vec![text("reason").to_owned()],
        ),
        "extended" => plain("Los documentos recibieron estampas de tiempo y datos de revocación"),
        "rejected" => (
            format!("{name} rechazó los documentos"),
            vec![text("reason").to_owned()],
        ),
        "completed" => plain("Todos firmaron: el proceso está completo"),
        "cancelled" => (
            "Se anuló el proceso de firma".into(),
            vec![text("observation").to_owned()],
        ),
        "approved" => (
            "La empresa aprobó los documentos firmados".into(),
            reviewed_documents(body),
        ),
        "disapproved" => {
            let mut details = vec![text("observation").to_owned()];
            details.extend(reviewed_documents(body));
            ("La empresa rechazó los documentos firmados".into(), details)
        }
        "dropped" => plain("Se retiraron los documentos"),
        what @ ("corrected" | "erased" | "hold_placed" | "hold_lifted") => {
            let (sentence, mut details) = personal_data(what, &name, text("reason"));
            details.extend(corrected_number(body));
            (sentence, details)
        }
        "bulk_started" => bulk_started(body, &name),
        other => (other.to_owned(), Vec::new()),
    }
}

/// The document number before a correction and after it. A signature made before has the earlier one in its certificate.
fn corrected_number(body: &Value) -> Option<String> {
    let number = |of: &str| body[of]["document_number"].as_str();
    let (before, now) = (number("before")?, number("now")?);
    Some(format!("Número de documento antes: {before}; ahora: {now}"))
}

/// What was done to the personal data of the folio.
fn personal_data(what: &str, name: &str, reason: &str) -> (String, Vec<String>) {
    let sentence = match what {
        "corrected" => format!("Se corrigieron los datos de {name}"),
        "erased" => "Se borraron los documentos y los datos personales".to_owned(),
        "hold_placed" => "Se puso el proceso en retención legal".to_owned(),
        _ => "Se levantó la retención legal".to_owned(),
    };
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    (sentence, reason.map(str::to_owned).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Evidence of a folio that one person was asked to sign, with these events of so many.
    fn evidence(state: &str, length: usize, events: &[&str]) -> Evidence {
        let events = events.iter().zip(1..);
        let events = events.map(
            |(what, number)| json!({"number": number, "hash": "", "body": json!({"what": what}).to_string(), "values": []}),
        );
        let made = json!({
            "format": "firmeza-evidence", "version": 1, "made": {"at": "", "by": "", "program": ""},
            "company": "Acme",
            "folio": {"id": "", "name": "", "message": "", "state": "", "signature_type": "", "created_at": ""},
            "documents": [],
            "signers": [{"signer": 0, "name": "", "document_type": "", "document_number": "", "email": "",
                "mobile": "", "state": state, "certificates": []}],
            "history": {"length": length, "head": "", "before": "", "events": events.collect::<Vec<_>>()},
            "consents": [], "certificates": [], "messages": [],
        });
        serde_json::from_value(made).unwrap()
    }

    #[test]
    fn a_part_without_the_signature_does_not_speak_of_a_text_it_does_not_know() {
        for (state, length, events, said) in [
            ("pending", 1, &["created"][..], "Nadie ha firmado"),
            (
                "signed",
                2,
                &["created", "signed"],
                "no es de los que este programa conoce",
            ),
            (
                "signed",
                3,
                &["created", "downloaded"],
                "no está en esta parte del historial",
            ),
        ] {
            let told = no_consents(&evidence(state, length, events));
            assert!(told.contains(said), "{told}");
        }
    }

    #[test]
    fn a_part_of_a_history_says_that_it_is_one() {
        let whole = chain(&evidence("pending", 1, &["created"]).history);
        assert!(!whole.contains("es una parte"), "{whole}");
        let part = chain(&evidence("pending", 2, &["created"]).history);
        assert!(
            part.contains("tiene 2 eventos; aquí está 1") && part.contains("es una parte"),
            "{part}"
        );
    }
}
