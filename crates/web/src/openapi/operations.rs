//! The operations: what they take and what they answer.

use super::schemas::named as schema;
use super::{examples, responses};
use crate::api::Operation;
use domain::{Language, limits};
use serde_json::{Value, json};

/// Every path, where a folio has so many documents at the most.
pub(super) fn paths(documents: usize) -> Value {
    json!({
        "/api/integrations/sign": { "post": create_folio(documents) },
        "/api/integrations/consult": { "get": read_folio(), "post": read_folios() },
        "/api/integrations/forward_emails": { "post": resend_emails() },
        "/api/integrations/download": {
            "get": download(),
            "post": download_by_form(),
        },
        "/api/integrations/cancel": { "post": cancel_folios() },
        "/api/integrations/massive_sign": { "post": start_bulk() },
        "/api/integrations/consult_massive_sign": { "get": read_bulk() },
        "/api/integrations/evidence": { "get": read_evidence() },
        "/api/integrations/evidence_report": { "get": read_evidence_report() },
    })
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
        "description": "Dirección a la que vuelve el firmante: http, https, o el esquema de una app.",
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

/// An answer of success of that shape, of which that is an example.
fn ok(shape: &str, example: &Value) -> Value {
    json!({ "200": {
        "description": "Operación realizada.",
        "headers": { "x-request-id": { "$ref": "#/components/headers/RequestId" } },
        "content": { "application/json": {
            "schema": schema(shape),
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
    json!({
        "name": name, "in": "query", "required": true, "description": "Identificador de 32 caracteres.",
        "schema": schema(shape),
    })
}

const SIGNERS: &str = r#"[{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1020304050","cellPhoneNumber":"3001234567"}]"#;
const CORRECTIONS: &str =
    r#"[{"documentNumber":"1020304050","email":"maria@example.com","cellPhoneNumber":"3001234567"}]"#;
const FOLIOS: &str = r#"["3f0c9a52d1b84e7f9c6a0d4e8b7f1a23"]"#;

fn create_folio(documents: usize) -> Value {
    let base64 = json!({ "type": "object", "required": ["name", "content"], "properties": {
        "name": { "type": "string", "description": "Nombre del archivo." },
        "content": { "type": "string", "contentEncoding": "base64", "contentMediaType": "application/pdf",
            "description": "El archivo en base64." },
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
                "folioName": { "type": "string", "minLength": 1, "maxLength": limits::FOLIO_NAME,
                    "description": "Nombre del folio.", "examples": ["Contrato de prestación de servicios"] },
                "folioMessage": { "type": "string", "minLength": 1, "maxLength": limits::FOLIO_MESSAGE,
                    "description": "Mensaje para los firmantes.", "examples": ["Por favor revise y firme el contrato."] },
                "signatureType": schema("SignatureType"),
                "urlReturn": return_url(limits::RETURN_URL),
                "fileType": { "type": "string", "enum": ["file", "base64"],
                    "description": "`file`: los documentos van en `documents[]`. `base64`: van en `documentsBase64`." },
                "sendEmail": { "type": "string", "enum": ["true", "false"],
                    "description": "`true`: el servicio escribe a los firmantes. `false`: usted les envía el enlace." },
                "documents[]": { "type": "array", "description": "Archivos PDF, con fileType=file.",
                    "items": { "type": "string", "format": "binary", "contentMediaType": "application/pdf" },
                    "maxItems": documents },
                "documentsBase64": json_text("Archivos PDF, con fileType=base64.", &list(&base64, 1, documents),
                    &examples::base64_documents()),
                "language": { "type": "string", "enum": Language::CODES,
                    "description": "Idioma de la hoja de firmas, y de los mensajes a los firmantes que no elijan otro: español, \
                        inglés o portugués. Si no se envía, el de la empresa." },
            }),
        ),
        "responses": responses(Operation::CreateFolio, ok("CreateFolioResponse", &examples::created())),
    })
}

fn read_folio() -> Value {
    json!({
        "operationId": "readFolio",
        "tags": ["Folios"],
        "summary": "Consultar un folio",
        "description": "El folio con sus documentos y firmantes.",
        "parameters": [query_id("folioId", "FolioId")],
        "responses": responses(Operation::ReadFolio, ok("ReadFolioResponse", &examples::folio_read())),
    })
}

fn read_folios() -> Value {
    let ids = list(&schema("FolioId"), 1, limits::READ_FOLIOS);
    json!({
        "operationId": "readFolios",
        "tags": ["Folios"],
        "summary": "Consultar varios folios",
        "description": "Cada folio se procesa por separado y conserva su lugar en la respuesta. También se acepta un formulario \
            con el campo `folios`, una lista en JSON; aquí se describe una sola forma, porque hay generadores de clientes que \
            no admiten dos.",
        "parameters": [idempotency_key()],
        "requestBody": { "required": true, "content": {
            "application/json": { "schema": {
                "type": "object", "required": ["folioId"], "properties": { "folioId": ids },
            } },
        } },
        "responses": responses(
            Operation::ReadFolios,
            ok("ReadFoliosResponse", &examples::folios_read()),
        ),
    })
}

fn resend_emails() -> Value {
    json!({
        "operationId": "resendEmails",
        "tags": ["Folios"],
        "summary": "Reenviar los correos de firma",
        "description": "Reenvía el mismo enlace. Un correo o un celular distinto reemplaza al anterior; lo que no se envía queda \
            como está.",
        "parameters": [idempotency_key()],
        "requestBody": form(&["folioId", "signers", "urlReturn"], &json!({
            "folioId": schema("FolioId"),
            "signers": json_text("Firmantes del folio.", &list(&schema("SignerCorrection"), 1, limits::SIGNERS), CORRECTIONS),
            "urlReturn": return_url(limits::RETURN_URL_SHORT),
        })),
        "responses": responses(Operation::ResendEmails, ok("ResendEmailsResponse", &examples::resent())),
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
    let optional = |name: &str| {
        json!({
            "name": name, "in": "header", "required": false, "description": "Como en RFC 9110.",
            "schema": { "type": "string" },
        })
    };
    json!({
        "operationId": "downloadDocument",
        "tags": ["Folios"],
        "summary": "Descargar un documento",
        "description": "Los bytes como se enviaron o, después de una firma, con las firmas hasta el momento. Cada descarga \
            queda en el historial.",
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

fn download_by_form() -> Value {
    json!({
        "operationId": "downloadDocumentByForm",
        "tags": ["Folios"],
        "summary": "Descargar un documento (formulario)",
        "description": "La misma operación con un formulario. También se acepta con una barra al final de la ruta.",
        "requestBody": form(&["documentId"], &json!({ "documentId": schema("DocumentId") })),
        "responses": responses(Operation::DownloadDocument, json!({ "200": pdf("El documento.") })),
    })
}

fn cancel_folios() -> Value {
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
        "responses": responses(Operation::CancelFolios, ok("CancelFoliosResponse", &examples::cancelled())),
    })
}

fn start_bulk() -> Value {
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
        "responses": responses(Operation::StartBulk, ok("StartBulkResponse", &examples::bulk_started())),
    })
}

fn read_bulk() -> Value {
    json!({
        "operationId": "readBulk",
        "tags": ["Firma masiva"],
        "summary": "Consultar una firma masiva",
        "description": "Los folios de la firma masiva, en su orden.",
        "parameters": [query_id("massiveId", "MassiveId")],
        "responses": responses(Operation::ReadBulk, ok("ReadBulkResponse", &examples::bulk_read())),
    })
}

fn evidence_headers() -> Value {
    json!({
        "Content-Disposition": {
            "description": "`attachment`, con el nombre del archivo.", "schema": { "type": "string" },
        },
        "x-request-id": { "$ref": "#/components/headers/RequestId" },
    })
}

fn evidence_parameters() -> Value {
    json!([
        query_id("folioId", "FolioId"),
        { "name": "part", "in": "query", "required": false,
            "description": "La parte de un historial que no cabe en un solo archivo, desde 1.",
            "schema": { "type": "integer", "minimum": 1, "default": 1 } },
    ])
}

fn read_evidence() -> Value {
    json!({
        "operationId": "readEvidence",
        "tags": ["Folios"],
        "summary": "Descargar la evidencia de un folio",
        "description": "El historial encadenado del folio, sus documentos y firmantes, los certificados, los textos \
            aceptados y los mensajes enviados, con el sello del servicio. Se comprueba con `firmeza verify`, sin \
            conexión. Cada descarga queda en el historial.",
        "parameters": evidence_parameters(),
        "responses": responses(Operation::ReadEvidence, json!({ "200": {
            "description": "La evidencia.",
            "headers": evidence_headers(),
            "content": { "application/json": {
                "schema": schema("Evidence"),
                "examples": { "Success": { "value": examples::evidence() } },
            } },
        } })),
    })
}

fn read_evidence_report() -> Value {
    json!({
        "operationId": "readEvidenceReport",
        "tags": ["Folios"],
        "summary": "Descargar la evidencia como informe",
        "description": "Un PDF legible que lleva adjunta la evidencia. Es lo mismo que `evidence` con `format=pdf`.",
        "parameters": evidence_parameters(),
        "responses": responses(Operation::ReadEvidence, json!({ "200": {
            "description": "El informe.",
            "headers": evidence_headers(),
            "content": { "application/pdf": pdf_bytes() },
        } })),
    })
}
