//! The schemas of requests and responses.

use super::examples::{self, DOCUMENT_ID, FOLIO_ID, MASSIVE_ID};
use crate::api::operations::read_folio;
use domain::limits;
use serde_json::{Value, json};

fn text(description: &str, example: &str) -> Value {
    json!({ "type": "string", "description": description, "examples": [example] })
}

fn optional(description: &str, example: &str) -> Value {
    json!({ "type": ["string", "null"], "description": description, "examples": [example, null] })
}

/// One of a few values, each with its meaning.
fn one_of(description: &str, allowed: &[(&str, &str)]) -> Value {
    let meanings: Vec<String> = allowed
        .iter()
        .map(|(value, meaning)| format!("- `{value}`: {meaning}"))
        .collect();
    let values: Vec<&str> = allowed.iter().map(|(value, _)| *value).collect();
    let description = format!("{description}\n\n{}", meanings.join("\n"));
    json!({ "type": "string", "description": description, "enum": values })
}

fn id(description: &str, example: &str) -> Value {
    json!({ "type": "string", "description": description, "pattern": "^[0-9a-f]{32}$", "examples": [example] })
}

fn object(properties: &Value) -> Value {
    let required: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(|map| map.keys())
        .collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

/// The same with names for the values: generators make constants of them, and a digit is no name.
fn one_of_named(description: &str, allowed: &[(&str, &str)], names: &[&str]) -> Value {
    let mut schema = one_of(description, allowed);
    schema["x-enum-varnames"] = json!(names);
    schema
}

/// A reference to a named shape.
pub(super) fn named(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list_of(name: &str) -> Value {
    json!({ "type": "array", "items": named(name) })
}

/// An answer of success around some data, of which that is an example.
fn success(data: Option<Value>, example: &Value) -> Value {
    let mut properties = json!({
        "success": { "type": "boolean", "description": "`true`: la operación se realizó." },
        "status": { "type": "integer", "description": "El estado HTTP.", "examples": [200] },
    });
    if let Some(message) = example["message"].as_str() {
        properties["message"] = text("Resultado en palabras.", message);
    }
    if let Some(data) = data {
        properties["data"] = data;
    }
    object(&properties)
}

/// Every named shape.
pub(crate) fn all() -> Value {
    let mut all = json!({
        "FolioId": id("Identificador del folio.", FOLIO_ID),
        "DocumentId": id("Identificador del documento.", DOCUMENT_ID),
        "MassiveId": id("Identificador de la firma masiva.", MASSIVE_ID),
        "FolioState": one_of_named("Código del estado del folio.", &FOLIO_STATES, &[
            "FOLIO_SIGNED", "FOLIO_PENDING", "FOLIO_REJECTED_BY_SIGNER", "FOLIO_APPROVED", "FOLIO_REJECTED_BY_COMPANY",
            "FOLIO_CANCELLED",
        ]),
        "SignerState": one_of_named("Código del estado del firmante.", &SIGNER_STATES, &[
            "SIGNER_SIGNED", "SIGNER_PENDING", "SIGNER_REJECTED",
        ]),
        "SignatureType": one_of_named("Código del tipo de firma.", &SIGNATURE_TYPES, &["CODE_BY_EMAIL", "CODE_BY_SMS"]),
        "DocumentType": one_of("Tipo de documento de identidad.", &DOCUMENT_TYPES),
        "FolioData": folio_data(),
        "Document": object(&json!({
            "documentId": named("DocumentId"),
            "name": text("Nombre del archivo.", "contrato.pdf"),
            "dateCreate": date("Fecha de creación."),
        })),
        "Signer": signer_record(),
        "FolioDetail": object(&json!({
            "folioData": named("FolioData"),
            "documents": list_of("Document"),
            "signers": list_of("Signer"),
        })),
        "FolioEntry": folio_entry(),
        "CreatedFolio": object(&json!({
            "folioId": named("FolioId"),
            "signProcessUrl": { "type": "string", "format": "uri", "description": "Enlace de firma del folio." },
        })),
        "CancelDetail": object(&json!({
            "folioId": { "type": "string", "description": "El identificador como se envió." },
            "status": one_of("Resultado.", &[("CANCELLED", "el folio quedó anulado"), ("FAILED", "no se anuló; el mensaje dice por qué")]),
            "message": text("Resultado en palabras.", "Folio anulado exitosamente."),
        })),
        "CancelSummary": object(&json!({
            "cancelledFolios": { "type": "integer", "minimum": 0, "description": "Folios anulados." },
            "failedFolios": { "type": "integer", "minimum": 0, "description": "Folios que no se anularon." },
            "details": list_of("CancelDetail"),
        })),
        "StartedBulk": object(&json!({
            "signProcessMassiveUrl": { "type": "string", "format": "uri", "description": "Vence a las 24 horas." },
            "massiveId": named("MassiveId"),
        })),
        "Evidence": evidence(),
        "SignerInput": signer_input(),
        "SignerCorrection": signer_correction(),
        "ErrorA": error(json!({ "message": text("Qué ocurrió.", "Autenticación requerida") })),
        "ErrorB": error(json!({ "error": named("ErrorMessage") })),
        "ErrorMessage": object(&json!({ "message": text("Qué ocurrió.", "Invalid parameters") })),
        "Fault": object(&json!({
            "field": text("Campo con el problema.", "folioName"),
            "message": text("Qué tiene de malo.", "El parámetro (folioName) es obligatorio."),
        })),
        "WebhookEvent": webhook_event(),
    });
    for (name, data, example) in [
        (
            "CreateFolioResponse",
            Some(named("CreatedFolio")),
            examples::created(),
        ),
        (
            "ReadFolioResponse",
            Some(named("FolioDetail")),
            examples::folio_read(),
        ),
        (
            "ReadFoliosResponse",
            Some(list_of("FolioEntry")),
            examples::folios_read(),
        ),
        ("ResendEmailsResponse", None, examples::resent()),
        (
            "CancelFoliosResponse",
            Some(named("CancelSummary")),
            examples::cancelled(),
        ),
        (
            "StartBulkResponse",
            Some(named("StartedBulk")),
            examples::bulk_started(),
        ),
        (
            "ReadBulkResponse",
            Some(list_of("FolioDetail")),
            examples::bulk_read(),
        ),
    ] {
        all[name] = success(data, &example);
    }
    all
}

const FOLIO_STATES: [(&str, &str); 6] = [
    ("1", "FIRMADO: todos los firmantes firmaron"),
    ("2", "PENDIENTE: faltan firmas"),
    ("3", "RECHAZADO FIRMANTE: un firmante lo rechazó"),
    ("4", "FIRMADO Y APROBADO: un supervisor aprobó el folio firmado"),
    (
        "5",
        "RECHAZADO GESTIÓN / ADMINISTRADOR: la empresa rechazó el folio firmado",
    ),
    ("6", "ANULADO: la empresa lo anuló"),
];

const SIGNER_STATES: [(&str, &str); 3] = [
    ("1", "FIRMADO: el firmante firmó"),
    ("2", "PENDIENTE: el firmante no ha firmado ni rechazado"),
    ("3", "RECHAZADO FIRMANTE: el firmante rechazó el folio"),
];

const SIGNATURE_TYPES: [(&str, &str); 2] = [
    ("1", "OTP Básico: el código de un solo uso llega por correo"),
    ("2", "OTP Móvil Verificado: el código llega por SMS"),
];

const DOCUMENT_TYPES: [(&str, &str); 4] = [
    ("CC", "cédula de ciudadanía"),
    ("CE", "cédula de extranjería"),
    ("NIT", "número de identificación tributaria"),
    ("TI", "tarjeta de identidad"),
];

/// The kinds of events, and what each means.
pub(super) const WEBHOOK_KINDS: [(&str, &str); 12] = [
    ("folio.created", "se creó un folio"),
    ("folio.resent", "se reenviaron correos de firma"),
    ("folio.signer_signed", "un firmante firmó"),
    ("folio.signed", "firmaron todos: el folio está completo"),
    ("folio.rejected", "un firmante rechazó el folio"),
    ("folio.cancelled", "la empresa anuló el folio"),
    ("folio.approved", "un supervisor aprobó el folio firmado"),
    ("folio.disapproved", "la empresa rechazó el folio firmado"),
    ("folio.dropped", "un administrador eliminó el folio"),
    ("folio.email_bounced", "un correo a un firmante fue devuelto"),
    (
        "folio.email_complained",
        "un firmante marcó un correo como no deseado",
    ),
    ("webhook.test", "una prueba pedida desde el panel"),
];

/// The answer about one folio of a list.
fn folio_entry() -> Value {
    object(&json!({
        "success": { "type": "boolean", "description": "Si el folio se encontró." },
        "status": { "type": "integer", "description": "El estado que daría la consulta de este folio solo.", "examples": [200] },
        "message": text("Resultado en palabras.", read_folio::FOUND),
        "folioId": { "type": "string", "description": "El identificador como se envió." },
        "data": { "oneOf": [named("FolioDetail"), { "type": "null" }], "description": "El folio, o `null` si no se encontró." },
    }))
}

/// What a webhook brings.
fn webhook_event() -> Value {
    let mut schema = object(&json!({
        "type": one_of("Qué ocurrió.", &WEBHOOK_KINDS),
        "timestamp": { "type": "string", "format": "date-time", "description": "Cuándo ocurrió, en UTC." },
        "data": {
            "type": "object",
            "description": "El folio como lo muestra `consult`, y el número del evento en su historial. En `webhook.test`, solo un mensaje.",
            "properties": {
                "event": { "type": "integer", "description": "Número del evento en el historial del folio." },
                "folioData": named("FolioData"),
                "documents": list_of("Document"),
                "signers": list_of("Signer"),
                "message": text("En `webhook.test`.", "Prueba: este webhook funciona."),
            },
        },
    }));
    schema["description"] = "El cuerpo de un webhook.".into();
    schema
}

fn evidence() -> Value {
    let whole = json!({ "type": "object", "description": "Lo que la instalación sabe del folio." });
    object(&json!({
        "evidence": whole,
        "seal": object(&json!({
            "sha256": text("SHA-256 del texto compacto de `evidence`.", &"0".repeat(64)),
            "cms": text("Firma CMS del servicio, con estampa de tiempo, en base64.", "MIIH..."),
        })),
    }))
}

fn date(description: &str) -> Value {
    let pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$";
    json!({ "type": "string", "description": description, "pattern": pattern, "examples": ["2026-03-01 09:30:00"] })
}

fn optional_date(description: &str) -> Value {
    let mut schema = date(description);
    schema["type"] = json!(["string", "null"]);
    schema
}

fn folio_data() -> Value {
    object(&json!({
        "folioId": named("FolioId"),
        "name": text("Nombre del folio.", "Contrato de prestación de servicios"),
        "message": text("Mensaje para los firmantes.", "Por favor revise y firme el contrato."),
        "observation": optional("Observaciones, por ejemplo el motivo de la anulación.", "Documento con errores"),
        "dateCreate": date("Fecha de creación."),
        "dateLastUpdate": optional_date("Fecha de la última actualización."),
        "state": named("FolioState"),
        "stateName": text("Nombre del estado.", "PENDIENTE"),
        "flag_drop": one_of("Si el folio fue eliminado.", &[("0", "no"), ("1", "sí: se consulta, pero sus documentos ya no")]),
        "signatureType": named("SignatureType"),
        "signatureTypeName": text("Nombre del tipo de firma.", "OTP Básico"),
    }))
}

fn signer_record() -> Value {
    object(&json!({
        "name": text("Nombre completo.", "María Pérez"),
        "documentType": named("DocumentType"),
        "documentNumber": text("Número de documento.", "1020304050"),
        "email": text("Correo electrónico.", "maria@example.com"),
        "cellPhoneNumber": text("Celular.", "3001234567"),
        "folioState": named("SignerState"),
        "folioStateName": text("Nombre del estado.", "PENDIENTE"),
        "ipSignatureAddress": optional("Dirección IP desde la que firmó.", "203.0.113.7"),
        "dateLastUpdate": optional_date("Fecha de la última acción del firmante."),
    }))
}

fn signer_input() -> Value {
    object(&json!({
        "name": { "type": "string", "maxLength": limits::PERSON_NAME, "examples": ["María Pérez"] },
        "email": { "type": "string", "format": "email", "maxLength": limits::EMAIL, "examples": ["maria@example.com"] },
        "documentType": named("DocumentType"),
        "documentNumber": { "type": "string", "maxLength": limits::DOCUMENT_NUMBER, "examples": ["1020304050"] },
        "cellPhoneNumber": { "type": "string", "examples": ["3001234567"] },
    }))
}

fn signer_correction() -> Value {
    let mut schema = object(&json!({
        "documentNumber": { "type": "string", "maxLength": limits::DOCUMENT_NUMBER, "examples": ["1020304050"] },
        "email": { "type": "string", "format": "email", "maxLength": limits::EMAIL, "examples": ["maria@example.com"] },
        "cellPhoneNumber": { "type": "string", "examples": ["3001234567"] },
    }));
    schema["required"] = json!(["documentNumber"]);
    schema["additionalProperties"] = false.into();
    schema
}

fn error(mut message: Value) -> Value {
    message["success"] = json!({ "type": "boolean", "description": "`false`: la operación no se realizó." });
    message["status"] = json!({ "type": "integer", "description": "El estado HTTP." });
    let mut schema = object(&message);
    schema["properties"]["errors"] = json!({
        "type": "array",
        "description": "Los problemas encontrados, hasta cien, cuando son de los campos.",
        "items": named("Fault"),
    });
    schema["properties"]["requestId"] =
        json!({ "type": "string", "description": "Para citar en soporte; solo en errores 5xx." });
    schema
}
