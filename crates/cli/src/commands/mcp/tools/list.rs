//! How the tools are described to an assistant.

use domain::limits;
use serde_json::{Value, json};

/// What a tool does to the world.
enum Effect {
    /// Nothing is changed.
    Reads,
    /// Something is added: a folio, a message, a file.
    Adds,
    /// Something ends that cannot be brought back.
    Destroys,
}

/// Every tool.
pub(crate) fn list() -> Vec<Value> {
    vec![
        create_folio(),
        read_folio(),
        read_folios(),
        resend_emails(),
        download_document(),
        cancel_folios(),
        start_bulk(),
        read_bulk(),
        read_evidence(),
        download_evidence(),
    ]
}

fn create_folio() -> Value {
    tool(
        "create_folio",
        "Crear un folio",
        "Crea un folio: documentos PDF que se envían a uno o más firmantes. Queda en estado PENDIENTE. Con sendEmail \
         verdadero, el servicio escribe a los firmantes. Devuelve el folioId y el enlace de firma.",
        &Effect::Adds,
        &[
            "folioName",
            "folioMessage",
            "signatureType",
            "urlReturn",
            "sendEmail",
            "signers",
        ],
        &json!({
            "folioName": text("Nombre del folio.", limits::FOLIO_NAME),
            "folioMessage": text("Mensaje para los firmantes.", limits::FOLIO_MESSAGE),
            "signatureType": { "type": "string", "enum": ["1", "2"],
                "description": "Cómo llega el código de un solo uso: `1`, por correo; `2`, por SMS." },
            "urlReturn": text("Dirección a la que vuelve el firmante después de firmar.", limits::RETURN_URL),
            "sendEmail": { "type": "boolean",
                "description": "Si el servicio escribe a los firmantes. Si no, usted les entrega el enlace." },
            "language": { "type": "string", "enum": ["es", "en", "pt"],
                "description": "Idioma de la hoja de firmas y de los mensajes; si no se indica, el de la empresa." },
            "signers": { "type": "array", "minItems": 1, "maxItems": limits::SIGNERS, "items": signer() },
            "documentPaths": { "type": "array", "items": { "type": "string" },
                "description": "Rutas de archivos PDF de esta máquina. O estas, o documentsBase64." },
            "documentsBase64": { "type": "array", "description": "Los PDF en base64. O estos, o documentPaths.",
                "items": { "type": "object", "required": ["name", "content"], "properties": {
                    "name": { "type": "string", "description": "Nombre del archivo." },
                    "content": { "type": "string", "description": "El archivo en base64." },
                } } },
            "idempotencyKey": idempotency_key(),
        }),
    )
}

fn read_folio() -> Value {
    tool(
        "read_folio",
        "Consultar un folio",
        "Muestra un folio: su estado, sus documentos y sus firmantes. Estados: 1 FIRMADO, 2 PENDIENTE, 3 RECHAZADO \
         FIRMANTE, 4 FIRMADO Y APROBADO, 5 RECHAZADO GESTIÓN / ADMINISTRADOR, 6 ANULADO.",
        &Effect::Reads,
        &["folioId"],
        &json!({ "folioId": id("Identificador del folio.") }),
    )
}

fn read_folios() -> Value {
    tool(
        "read_folios",
        "Consultar varios folios",
        "Muestra varios folios. Cada uno se responde por separado y conserva su lugar.",
        &Effect::Reads,
        &["folioIds"],
        &json!({ "folioIds": ids(limits::READ_FOLIOS) }),
    )
}

fn resend_emails() -> Value {
    tool(
        "resend_emails",
        "Reenviar los correos de firma",
        "Escribe de nuevo a los firmantes indicados, con el mismo enlace. Un correo o un celular distinto reemplaza al \
         anterior; lo que no se indica queda como está.",
        &Effect::Adds,
        &["folioId", "signers", "urlReturn"],
        &json!({
            "folioId": id("Identificador del folio."),
            "signers": { "type": "array", "minItems": 1, "maxItems": limits::SIGNERS, "items": {
                "type": "object",
                "required": ["documentNumber"],
                "additionalProperties": false,
                "properties": {
                    "documentNumber": text("Número de documento del firmante.", limits::DOCUMENT_NUMBER),
                    "email": text("Correo electrónico nuevo.", limits::EMAIL),
                    "cellPhoneNumber": { "type": "string", "description": "Celular nuevo." },
                },
            } },
            "urlReturn": text("Dirección a la que vuelve el firmante.", limits::RETURN_URL_SHORT),
            "idempotencyKey": idempotency_key(),
        }),
    )
}

fn download_document() -> Value {
    tool(
        "download_document",
        "Descargar un documento",
        "Guarda un documento de un folio como PDF, con las firmas hasta el momento, en un archivo nuevo de esta máquina. \
         La descarga queda en el historial del folio.",
        &Effect::Adds,
        &["documentId", "path"],
        &json!({
            "documentId": id("Identificador del documento, como lo muestra read_folio."),
            "path": { "type": "string", "description": "Ruta del archivo nuevo; termina en .pdf." },
        }),
    )
}

fn cancel_folios() -> Value {
    tool(
        "cancel_folios",
        "Anular folios",
        "Anula folios PENDIENTES. Es irreversible, y los firmantes reciben un aviso. Cada folio se evalúa por separado: \
         el resultado de cada uno está en details.",
        &Effect::Destroys,
        &["folioIds", "observation"],
        &json!({
            "folioIds": ids(limits::CANCEL_FOLIOS),
            "observation": { "type": "string", "minLength": limits::OBSERVATION_MIN,
                "maxLength": limits::OBSERVATION_MAX, "description": "Motivo de la anulación." },
        }),
    )
}

fn start_bulk() -> Value {
    tool(
        "start_bulk",
        "Iniciar una firma masiva",
        "Genera una sola dirección en la que un firmante firma muchos folios PENDIENTES. Vence a las 24 horas. No firma \
         ni cambia ningún folio.",
        &Effect::Adds,
        &["folioIds", "signer", "urlReturn"],
        &json!({
            "folioIds": ids(limits::BULK_FOLIOS),
            "signer": signer(),
            "urlReturn": text("Dirección a la que vuelve el firmante.", limits::RETURN_URL_SHORT),
            "idempotencyKey": idempotency_key(),
        }),
    )
}

fn read_bulk() -> Value {
    tool(
        "read_bulk",
        "Consultar una firma masiva",
        "Muestra los folios de una firma masiva, en su orden.",
        &Effect::Reads,
        &["massiveId"],
        &json!({ "massiveId": id("Identificador de la firma masiva.") }),
    )
}

fn read_evidence() -> Value {
    tool(
        "read_evidence",
        "Leer la evidencia de un folio",
        "Muestra la evidencia de un folio: su historial, documentos, firmantes y mensajes. La lectura queda en el historial \
         del folio. Para guardarla y comprobarla, use download_evidence.",
        &Effect::Reads,
        &["folioId"],
        &json!({ "folioId": id("Identificador del folio."), "part": part() }),
    )
}

fn download_evidence() -> Value {
    tool(
        "download_evidence",
        "Descargar la evidencia de un folio",
        "Guarda la evidencia sellada de un folio en un archivo nuevo de esta máquina: como JSON, que se comprueba con \
         `firmeza verify`, o como PDF para personas.",
        &Effect::Adds,
        &["folioId", "path", "format"],
        &json!({
            "folioId": id("Identificador del folio."),
            "path": { "type": "string", "description": "Ruta del archivo nuevo; termina en .json o en .pdf." },
            "format": { "type": "string", "enum": ["json", "pdf"] },
            "part": part(),
        }),
    )
}

fn tool(
    name: &str,
    title: &str,
    description: &str,
    effect: &Effect,
    required: &[&str],
    properties: &Value,
) -> Value {
    json!({
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": {
            "type": "object",
            "required": required,
            "properties": properties,
            "additionalProperties": false,
        },
        "annotations": {
            "title": title,
            "readOnlyHint": matches!(effect, Effect::Reads),
            "destructiveHint": matches!(effect, Effect::Destroys),
            // Messages reach people; reading reaches the installation only.
            "openWorldHint": !matches!(effect, Effect::Reads),
        },
    })
}

fn text(description: &str, most: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": most, "description": description })
}

fn id(description: &str) -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-f]{32}$", "description": description })
}

fn ids(most: usize) -> Value {
    json!({ "type": "array", "minItems": 1, "maxItems": most, "items": id("Identificador de un folio.") })
}

fn part() -> Value {
    json!({ "type": "integer", "minimum": 1,
        "description": "La parte de un historial que no cabe en un solo archivo, desde 1." })
}

fn idempotency_key() -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": limits::IDEMPOTENCY_KEY,
        "description": "Texto propio de esta solicitud. Si se repite con el mismo, no se hace dos veces." })
}

fn signer() -> Value {
    json!({
        "type": "object",
        "required": ["name", "email", "documentType", "documentNumber", "cellPhoneNumber"],
        "properties": {
            "name": text("Nombre completo.", limits::PERSON_NAME),
            "email": text("Correo electrónico.", limits::EMAIL),
            "documentType": { "type": "string", "enum": ["CC", "CE", "NIT", "TI"],
                "description": "Cédula de ciudadanía, cédula de extranjería, NIT o tarjeta de identidad." },
            "documentNumber": text("Número de documento.", limits::DOCUMENT_NUMBER),
            "cellPhoneNumber": { "type": "string", "description": "Celular: de 7 a 15 dígitos." },
        },
    })
}
