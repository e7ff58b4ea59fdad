//! The operations: what they take and what they answer.

use super::schemas::success;
use super::{examples, responses};
use crate::api::Operation;
use domain::limits;
use serde_json::{Value, json};

/// Every path, where a folio has so many documents at the most.
pub(super) fn paths(documents: usize) -> Value {
    json!({
        "/api/integrations/sign": { "post": create_folio(documents) },
        "/api/integrations/consult": { "get": read_folio(), "post": read_folios() },
        "/api/integrations/forward_emails": { "post": resend_emails() },
        "/api/integrations/download": {
            "get": download(),
            "post": download_by_form("downloadDocumentByForm", "formulario"),
        },
        "/api/integrations/download/": {
            "post": download_by_form("downloadDocumentByFormWithSlash", "formulario, con barra al final"),
        },
        "/api/integrations/cancel": { "post": cancel_folios() },
        "/api/integrations/massive_sign": { "post": start_bulk() },
        "/api/integrations/consult_massive_sign": { "get": read_bulk() },
        "/api/integrations/evidence": { "get": read_evidence() },
    })
}

fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(of: &Value, least: usize, most: usize) -> Value {
    json!({ "type": "array", "items": of, "minItems": least, "maxItems": most })
}

/// A form field that holds JSON as text.
fn json_text(description: &str, shape: &Value, example: &str) -> Value {
    json!({
        "type": "string",
        "description": description,
        "contentMediaType": "application/json",
        "contentSchema": shape,
        "examples": [example],
    })
}

fn return_url(most: usize) -> Value {
    json!({
        "type": "string",
        "format": "uri",
        "maxLength": most,
        "description": "Dirección http o https a la que vuelve el firmante.",
        "examples": ["https://cliente.example.com/gracias"],
    })
}

fn form(required: &[&str], properties: &Value) -> Value {
    json!({
        "required": true,
        "content": { "multipart/form-data": {
            "schema": { "type": "object", "required": required, "properties": properties },
        } },
    })
}

/// An answer of success around some data, of which that is an example.
fn ok(data: Option<Value>, example: &Value) -> Value {
    json!({ "200": {
        "description": "Operación realizada.",
        "headers": { "x-request-id": { "$ref": "#/components/headers/RequestId" } },
        "content": { "application/json": {
            "schema": success(data, example["message"].as_str()),
            "examples": { "Success": { "value": example } },
        } },
    } })
}

fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "La primera respuesta se conserva 24 horas y se devuelve de nuevo; con otra solicitud: 409.",
        "schema": { "type": "string", "minLength": 1, "maxLength": limits::IDEMPOTENCY_KEY, "pattern": "^[!-~]+$" },
    })
}

fn query_id(name: &str, shape: &str) -> Value {
    json!({ "name": name, "in": "query", "required": true, "schema": schema(shape) })
}

const SIGNERS: &str = r#"[{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1020304050","cellPhoneNumber":"3001234567"}]"#;
const CORRECTIONS: &str =
    r#"[{"documentNumber":"1020304050","email":"maria@example.com","cellPhoneNumber":"3001234567"}]"#;
const FOLIOS: &str = r#"["3f0c9a52d1b84e7f9c6a0d4e8b7f1a23"]"#;

fn create_folio(documents: usize) -> Value {
    let base64 = json!({ "type": "object", "required": ["name", "content"], "properties": {
        "name": { "type": "string", "description": "Nombre del archivo." },
        "content": { "type": "string", "contentEncoding": "base64", "contentMediaType": "application/pdf" },
    } });
    json!({
        "operationId": "createFolio",
        "tags": ["Folios"],
        "summary": "Crear un folio",
        "description": "Crea el folio en estado PENDIENTE y, con `sendEmail=true`, escribe a los firmantes.",
        "parameters": [idempotency_key()],
        "requestBody": form(
            &["signers", "folioName", "folioMessage", "signatureType", "urlReturn", "fileType", "sendEmail"],
            &json!({
                "signers": json_text("De 1 a 10 firmantes.", &list(&schema("SignerInput"), 1, limits::SIGNERS), SIGNERS),
                "folioName": { "type": "string", "minLength": 1, "maxLength": limits::FOLIO_NAME },
                "folioMessage": { "type": "string", "minLength": 1, "maxLength": limits::FOLIO_MESSAGE },
                "signatureType": { "type": "string", "enum": ["1", "2"],
                    "description": "1: código por correo. 2: código por SMS." },
                "urlReturn": return_url(limits::RETURN_URL),
                "fileType": { "type": "string", "enum": ["file", "base64"] },
                "sendEmail": { "type": "string", "enum": ["true", "false"] },
                "documents[]": { "type": "array", "description": "Archivos PDF, con fileType=file.",
                    "items": { "type": "string", "contentMediaType": "application/pdf" }, "maxItems": documents },
                "documentsBase64": json_text("Archivos PDF, con fileType=base64.", &list(&base64, 1, documents),
                    r#"[{"name":"contrato.pdf","content":"JVBERi0xLjcK"}]"#),
            }),
        ),
        "responses": responses(Operation::CreateFolio, ok(Some(json!({
            "type": "object",
            "required": ["folioId", "signProcessUrl"],
            "properties": {
                "folioId": schema("FolioId"),
                "signProcessUrl": { "type": "string", "format": "uri", "description": "Enlace de firma del folio." },
            },
        })), &examples::created())),
    })
}

fn read_folio() -> Value {
    json!({
        "operationId": "readFolio",
        "tags": ["Folios"],
        "summary": "Consultar un folio",
        "parameters": [query_id("folioId", "FolioId")],
        "responses": responses(Operation::ReadFolio, ok(Some(schema("FolioDetail")), &examples::folio_read())),
    })
}

fn read_folios() -> Value {
    let ids = list(&schema("FolioId"), 1, limits::READ_FOLIOS);
    let element = json!({
        "type": "object",
        "required": ["success", "status", "message", "folioId", "data"],
        "properties": {
            "success": { "type": "boolean" },
            "status": { "type": "integer" },
            "message": { "type": "string" },
            "folioId": { "type": "string", "description": "El identificador como se envió." },
            "data": { "oneOf": [schema("FolioDetail"), { "type": "null" }] },
        },
    });
    json!({
        "operationId": "readFolios",
        "tags": ["Folios"],
        "summary": "Consultar varios folios",
        "description": "Cada folio se procesa por separado y conserva su lugar en la respuesta.",
        "parameters": [idempotency_key()],
        "requestBody": { "required": true, "content": {
            "application/json": { "schema": {
                "type": "object", "required": ["folioId"], "properties": { "folioId": ids },
            } },
            "multipart/form-data": { "schema": {
                "type": "object", "required": ["folios"],
                "properties": { "folios": json_text("Lista de folios.", &ids, FOLIOS) },
            } },
        } },
        "responses": responses(
            Operation::ReadFolios,
            ok(Some(json!({ "type": "array", "items": element })), &examples::folios_read()),
        ),
    })
}

fn resend_emails() -> Value {
    json!({
        "operationId": "resendEmails",
        "tags": ["Folios"],
        "summary": "Reenviar los correos de firma",
        "description": "Reenvía el mismo enlace y corrige, si difieren, el correo y el celular de los firmantes.",
        "parameters": [idempotency_key()],
        "requestBody": form(&["folioId", "signers", "urlReturn"], &json!({
            "folioId": schema("FolioId"),
            "signers": json_text("Firmantes del folio.", &list(&schema("SignerCorrection"), 1, limits::SIGNERS), CORRECTIONS),
            "urlReturn": return_url(limits::RETURN_URL_SHORT),
        })),
        "responses": responses(Operation::ResendEmails, ok(None, &examples::resent())),
    })
}

fn pdf(description: &str) -> Value {
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    json!({
        "description": description,
        "headers": {
            "Content-Disposition": text("`attachment`, con el nombre del archivo."),
            "Cache-Control": text("`private, max-age=86400`"),
            "Last-Modified": text("Cuándo cambiaron los bytes por última vez."),
            "ETag": text("Versión del documento."),
            "x-request-id": { "$ref": "#/components/headers/RequestId" },
        },
        "content": { "application/pdf": pdf_bytes() },
    })
}

fn pdf_bytes() -> Value {
    json!({
        "schema": { "type": "string", "format": "binary" },
        "examples": { "Success": { "summary": "Los bytes de un PDF.", "value": "%PDF-1.7\n…" } },
    })
}

fn download() -> Value {
    let optional = |name: &str| json!({ "name": name, "in": "header", "required": false, "schema": { "type": "string" } });
    json!({
        "operationId": "downloadDocument",
        "tags": ["Folios"],
        "summary": "Descargar un documento",
        "parameters": [
            query_id("documentId", "DocumentId"),
            optional("Range"), optional("If-Range"), optional("If-None-Match"), optional("If-Modified-Since"),
            optional("If-Match"), optional("If-Unmodified-Since"),
        ],
        "responses": responses(Operation::DownloadDocument, json!({
            "200": pdf("El documento."),
            "206": pdf("Una parte del documento."),
            "304": { "description": "El documento no ha cambiado." },
        })),
    })
}

fn download_by_form(id: &str, how: &str) -> Value {
    json!({
        "operationId": id,
        "tags": ["Folios"],
        "summary": format!("Descargar un documento ({how})"),
        "requestBody": form(&["documentId"], &json!({ "documentId": schema("DocumentId") })),
        "responses": responses(Operation::DownloadDocument, json!({ "200": pdf("El documento.") })),
    })
}

fn cancel_folios() -> Value {
    let detail = json!({
        "type": "object",
        "required": ["folioId", "status", "message"],
        "properties": {
            "folioId": schema("FolioId"),
            "status": { "type": "string", "enum": ["CANCELLED", "FAILED"] },
            "message": { "type": "string" },
        },
    });
    let data = json!({
        "type": "object",
        "required": ["cancelledFolios", "failedFolios", "details"],
        "properties": {
            "cancelledFolios": { "type": "integer", "minimum": 0 },
            "failedFolios": { "type": "integer", "minimum": 0 },
            "details": { "type": "array", "items": detail },
        },
    });
    json!({
        "operationId": "cancelFolios",
        "tags": ["Folios"],
        "summary": "Anular folios",
        "description": "Cada folio se evalúa por separado. La anulación es irreversible.",
        "parameters": [idempotency_key()],
        "requestBody": form(&["folios", "observation"], &json!({
            "folios": json_text("Lista de folios.", &list(&schema("FolioId"), 1, limits::CANCEL_FOLIOS), FOLIOS),
            "observation": { "type": "string", "minLength": limits::OBSERVATION_MIN,
                "maxLength": limits::OBSERVATION_MAX, "examples": ["El contrato tiene un error en el valor."] },
        })),
        "responses": responses(Operation::CancelFolios, ok(Some(data), &examples::cancelled())),
    })
}

fn start_bulk() -> Value {
    let data = json!({
        "type": "object",
        "required": ["signProcessMassiveUrl", "massiveId"],
        "properties": {
            "signProcessMassiveUrl": { "type": "string", "format": "uri", "description": "Vence a las 24 horas." },
            "massiveId": schema("MassiveId"),
        },
    });
    json!({
        "operationId": "startBulk",
        "tags": ["Firma masiva"],
        "summary": "Iniciar una firma masiva",
        "description": "Genera una sola dirección en la que un firmante firma todos los folios.",
        "parameters": [idempotency_key()],
        "requestBody": form(&["foliosIds", "signer", "urlReturn"], &json!({
            "foliosIds": json_text("Lista de folios.", &list(&schema("FolioId"), 1, limits::BULK_FOLIOS), FOLIOS),
            "signer": json_text("El firmante, dentro de una lista.", &list(&schema("SignerInput"), 1, 1), SIGNERS),
            "urlReturn": return_url(limits::RETURN_URL_SHORT),
        })),
        "responses": responses(Operation::StartBulk, ok(Some(data), &examples::bulk_started())),
    })
}

fn read_bulk() -> Value {
    let data = json!({ "type": "array", "items": schema("FolioDetail") });
    json!({
        "operationId": "readBulk",
        "tags": ["Firma masiva"],
        "summary": "Consultar una firma masiva",
        "parameters": [query_id("massiveId", "MassiveId")],
        "responses": responses(Operation::ReadBulk, ok(Some(data), &examples::bulk_read())),
    })
}

fn read_evidence() -> Value {
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    json!({
        "operationId": "readEvidence",
        "tags": ["Folios"],
        "summary": "Descargar la evidencia de un folio",
        "description": "La historia encadenada del folio, sus documentos y firmantes, los certificados, los textos \
            aceptados y los mensajes enviados, con el sello del servicio. Se comprueba con `firmeza verify`, sin \
            conexión. Cada descarga queda en la historia.",
        "parameters": [
            query_id("folioId", "FolioId"),
            { "name": "format", "in": "query", "required": false,
                "description": "`json`, o `pdf` para un informe legible que lleva adjunto el JSON.",
                "schema": { "type": "string", "enum": ["json", "pdf"], "default": "json" } },
            { "name": "part", "in": "query", "required": false,
                "description": "La parte de una historia que no cabe en un solo archivo, desde 1.",
                "schema": { "type": "integer", "minimum": 1, "default": 1 } },
        ],
        "responses": responses(Operation::ReadEvidence, json!({ "200": {
            "description": "La evidencia.",
            "headers": {
                "Content-Disposition": text("`attachment`, con el nombre del archivo."),
                "x-request-id": { "$ref": "#/components/headers/RequestId" },
            },
            "content": {
                "application/json": {
                    "schema": schema("Evidence"),
                    "examples": { "Success": { "value": examples::evidence() } },
                },
                "application/pdf": pdf_bytes(),
            },
        } })),
    })
}
