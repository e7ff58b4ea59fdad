//! The schemas of requests and responses.

use domain::limits;
use serde_json::{Value, json};

pub(super) const FOLIO_ID: &str = "3f0c9a52d1b84e7f9c6a0d4e8b7f1a23";
pub(super) const DOCUMENT_ID: &str = "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d";
pub(super) const MASSIVE_ID: &str = "0a4d55a8d778e5022fab701977c5d840";

fn text(description: &str, example: &str) -> Value {
    json!({ "type": "string", "description": description, "examples": [example] })
}

fn optional(description: &str, example: &str) -> Value {
    json!({ "type": ["string", "null"], "description": description, "examples": [example, null] })
}

fn words(description: &str, allowed: &[&str]) -> Value {
    json!({ "type": "string", "description": description, "enum": allowed })
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

/// An answer of success around some data, with such a message.
pub(crate) fn success(data: Option<Value>, message: Option<&str>) -> Value {
    let mut properties = json!({
        "success": { "type": "boolean" },
        "status": { "type": "integer", "examples": [200] },
    });
    if let Some(message) = message {
        properties["message"] = text("Resultado en palabras.", message);
    }
    if let Some(data) = data {
        properties["data"] = data;
    }
    object(&properties)
}

/// Every named shape.
pub(crate) fn all() -> Value {
    json!({
        "FolioId": id("Identificador del folio.", FOLIO_ID),
        "DocumentId": id("Identificador del documento.", DOCUMENT_ID),
        "MassiveId": id("Identificador de la firma masiva.", MASSIVE_ID),
        "FolioData": folio_data(),
        "Document": object(&json!({
            "documentId": { "$ref": "#/components/schemas/DocumentId" },
            "name": text("Nombre del archivo.", "contrato.pdf"),
            "dateCreate": date("Fecha de creación."),
        })),
        "Signer": signer_record(),
        "FolioDetail": object(&json!({
            "folioData": { "$ref": "#/components/schemas/FolioData" },
            "documents": { "type": "array", "items": { "$ref": "#/components/schemas/Document" } },
            "signers": { "type": "array", "items": { "$ref": "#/components/schemas/Signer" } },
        })),
        "Evidence": evidence(),
        "SignerInput": signer_input(),
        "SignerCorrection": signer_correction(),
        "ErrorA": error(json!({ "message": text("Qué ocurrió.", "Autenticación requerida") })),
        "ErrorB": error(json!({ "error": object(&json!({ "message": text("Qué ocurrió.", "Invalid parameters") })) })),
        "Fault": object(&json!({
            "field": text("Campo con el problema.", "folioName"),
            "message": text("Qué tiene de malo.", "El parámetro (folioName) es obligatorio."),
        })),
    })
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
    json!({ "oneOf": [date(description), { "type": "null" }] })
}

fn folio_data() -> Value {
    object(&json!({
        "folioId": { "$ref": "#/components/schemas/FolioId" },
        "name": text("Nombre del folio.", "Contrato de prestación de servicios"),
        "message": text("Mensaje para los firmantes.", "Por favor revise y firme el contrato."),
        "observation": optional("Observaciones, por ejemplo el motivo de la anulación.", "Documento con errores"),
        "dateCreate": date("Fecha de creación."),
        "dateLastUpdate": optional_date("Fecha de la última actualización."),
        "state": words("Código del estado.", &["1", "2", "3", "4", "5", "6"]),
        "stateName": words("Nombre del estado.", &[
            "FIRMADO", "PENDIENTE", "RECHAZADO FIRMANTE", "FIRMADO Y APROBADO",
            "RECHAZADO GESTIÓN / ADMINISTRADOR", "ANULADO",
        ]),
        "flag_drop": words("`1` cuando el folio fue eliminado.", &["0", "1"]),
        "signatureType": words("Código del tipo de firma.", &["1", "2"]),
        "signatureTypeName": words("Nombre del tipo de firma.", &["OTP Básico", "OTP Móvil Verificado"]),
    }))
}

fn signer_record() -> Value {
    object(&json!({
        "name": text("Nombre completo.", "María Pérez"),
        "documentType": words("Tipo de documento.", domain::DocumentType::CODES),
        "documentNumber": text("Número de documento.", "1020304050"),
        "email": text("Correo electrónico.", "maria@example.com"),
        "cellPhoneNumber": text("Celular.", "3001234567"),
        "folioState": words("Código del estado del firmante.", &["1", "2", "3"]),
        "folioStateName": words("Nombre del estado.", &["FIRMADO", "PENDIENTE", "RECHAZADO FIRMANTE"]),
        "ipSignatureAddress": optional("Dirección IP desde la que firmó.", "203.0.113.7"),
        "dateLastUpdate": optional_date("Fecha de la última acción del firmante."),
    }))
}

fn signer_input() -> Value {
    object(&json!({
        "name": { "type": "string", "maxLength": limits::PERSON_NAME, "examples": ["María Pérez"] },
        "email": { "type": "string", "format": "email", "maxLength": limits::EMAIL, "examples": ["maria@example.com"] },
        "documentType": words("Tipo de documento.", domain::DocumentType::CODES),
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
    message["success"] = json!({ "type": "boolean", "const": false });
    message["status"] = json!({ "type": "integer" });
    let mut schema = object(&message);
    schema["properties"]["errors"] = json!({
        "type": "array",
        "description": "Los problemas encontrados, hasta cien, cuando son de los campos.",
        "items": { "$ref": "#/components/schemas/Fault" },
    });
    schema["properties"]["requestId"] =
        json!({ "type": "string", "description": "Para citar en soporte; solo en errores 5xx." });
    schema
}
