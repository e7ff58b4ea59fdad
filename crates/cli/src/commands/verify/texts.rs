//! Spanish messages for the errors of a bundle.

use super::report::WithheldFound;
use app::evidence::{EventFacts, Fault, History};
use pades::verify::{Language, cms_fault, path_fault, timestamp_fault};

/// A bundle as a whole.
pub(super) fn bundle(verdict: &str, history: Option<&History>) -> String {
    let seal = match verdict {
        "unknown_issuer" => "El sello está íntegro, pero no se conoce su emisor: indique la raíz con --root.",
        _ => "El sello es válido.",
    };
    match (verdict, history) {
        ("valid" | "unknown_issuer", Some(part)) if !part.is_whole() => {
            let number = |event: Option<&EventFacts>| event.map_or(0, |event| event.number);
            format!(
                "{seal} La evidencia concuerda con la parte del historial que trae: los eventos {} a {} de {}. Lo que \
                 esos eventos no cuentan solo se comprueba con las demás partes.",
                number(part.events.first()),
                number(part.events.last()),
                part.length
            )
        }
        ("valid" | "unknown_issuer", _) => format!("{seal} Todo lo que dice la evidencia concuerda."),
        ("invalid", _) => "La evidencia no es la que se selló, o no concuerda consigo misma.".into(),
        _ => "El archivo no es una evidencia que este programa entienda.".into(),
    }
}

/// The values that a bundle does not have, event by event; nothing where it has them all.
pub(super) fn withheld(values: &[WithheldFound]) -> Vec<String> {
    let (erased, kept): (Vec<_>, Vec<_>) = values.iter().partition(|value| value.erased);
    let mut lines = Vec::new();
    for (values, one, many) in [
        (
            kept,
            "Valor reservado en esta copia",
            "Valores reservados en esta copia",
        ),
        (erased, "Valor borrado", "Valores borrados"),
    ] {
        let title = if values.len() == 1 { one } else { many };
        if !values.is_empty() {
            lines.push(format!("{title}: {}", values.len()));
        }
        for group in values.chunk_by(|a, b| a.event == b.event) {
            let fields: Vec<&str> = group.iter().map(|value| value.field.as_str()).collect();
            let event = group.first().map_or(0, |value| value.event);
            lines.push(format!("  evento {event}: {}", fields.join(", ")));
        }
    }
    lines
}

/// The message for an error.
pub(super) fn fault(fault: &Fault) -> String {
    match fault {
        Fault::NotEvidence => "El archivo no es una evidencia de Firmeza.".into(),
        Fault::UnknownVersion => {
            "La evidencia es de una versión que este programa no conoce: use uno más nuevo.".into()
        }
        Fault::Ambiguous => {
            "El archivo se puede leer de más de una manera (miembros repetidos o escritos de otra forma)."
                .into()
        }
        Fault::Shape(what) => {
            let member = what.split('`').nth(1).map(|name| format!(" (miembro «{name}»)"));
            format!(
                "A la evidencia le falta algo, o algo no tiene la forma debida{}.",
                member.unwrap_or_default()
            )
        }
        Fault::SealDigest => "El texto no es el que se selló: su huella no coincide.".into(),
        Fault::Seal(error) => format!("El sello no es válido: {}.", cms_fault(error, Language::Spanish)),
        Fault::SealForm => "El sello no tiene la forma debida.".into(),
        Fault::SealSigner => "El sello no es del servicio que la evidencia nombra.".into(),
        Fault::SealPurpose => "El certificado del sello no es de los que usa un servicio de firma.".into(),
        Fault::SealFuture => "La estampa de tiempo del sello es de una fecha que aún no llega.".into(),
        Fault::SealOlder(number) => format!("El sello es anterior al evento {number}, que dice cubrir."),
        Fault::SealRevoked(since) => format!("Un certificado del sello fue revocado el {since}."),
        Fault::SealUntrusted(error) => {
            format!(
                "El certificado del sello no es de confianza: {}.",
                path_fault(*error)
            )
        }
        Fault::Untimed => "El sello no lleva estampa de tiempo.".into(),
        Fault::SealTime(error) => {
            format!(
                "La estampa de tiempo del sello no es válida: {}.",
                timestamp_fault(error, Language::Spanish)
            )
        }
        Fault::SealTimeUntrusted(error) => {
            format!(
                "La estampa de tiempo del sello no es de confianza: {}.",
                path_fault(*error)
            )
        }
        Fault::Certificate(role) => format!("El certificado {} no es el que se dice.", of_role(role)),
        Fault::CertificateUntrusted(role, error) => {
            format!(
                "El certificado {} no es de confianza: {}.",
                of_role(role),
                path_fault(*error)
            )
        }
        Fault::RevocationList(place) => {
            format!(
                "La lista de certificados revocados número {} no se puede leer.",
                place + 1
            )
        }
        Fault::Event(number) => format!("El evento {number} no es el que ocurrió: su huella no coincide."),
        Fault::Misplaced(number) => format!("El evento {number} no está en su lugar, o es de otro folio."),
        Fault::Forged(number) => format!("El evento {number} no lo escribió el servicio."),
        Fault::ValueChanged(number, at) => {
            format!("El valor {at} del evento {number} no es el que se registró: su huella no coincide.")
        }
        Fault::ValueStray(number, at) => {
            format!("El evento {number} trae un valor ({at}) al que no corresponde ninguna huella.")
        }
        Fault::ValueMissing(number, at) => {
            format!("Del valor {at} del evento {number} no se dice si fue reservado o borrado.")
        }
        Fault::Beginning => "El historial no comienza con la creación del folio.".into(),
        Fault::End => "El historial no termina donde dice.".into(),
        Fault::Folio => "El folio no es como cuentan los eventos.".into(),
        Fault::Document(id) => format!("El documento {id} no es como cuentan los eventos."),
        Fault::Signer(place) => format!("El firmante {} no es como cuentan los eventos.", place.0 + 1),
        Fault::Message(place) => format!("El mensaje {} no terminó como cuentan los eventos.", place + 1),
        Fault::MessageMissing(number) => format!("Falta el mensaje del que habla el evento {number}."),
        Fault::ConsentText(name) => format!("El texto aceptado «{name}» no es el de su huella."),
        Fault::CodeUnknown(number) => {
            format!("El evento {number} nombra un código que no se generó antes para ese firmante.")
        }
        Fault::CodeDiffers(number) => {
            format!("El código usado en el evento {number} no es el que se generó: su huella es otra.")
        }
        Fault::ConsentMissing(hash) => format!("Falta el texto que un firmante aceptó (huella {hash})."),
    }
}

/// Whose certificate it is, after "el certificado".
fn of_role(role: &str) -> String {
    match role {
        "root" => "raíz".into(),
        "issuer" => "del emisor".into(),
        "service" => "del servicio".into(),
        "time_stamping" => "de la autoridad de estampado".into(),
        other => format!("«{other}»"),
    }
}
