//! The tools: one for each operation of the API, and what each does with its arguments. Values of folios and signers
//! are passed on as they are: the API checks them, and says in Spanish what is wrong.

mod list;

use super::api::{Api, Body};
use super::error::ToolError;
use super::files;
use super::form::Form;
use bytes::Bytes;
pub(super) use list::list;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Bytes of evidence that is returned as text: an assistant has to read it.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Runs a tool; `None` if there is no tool of that name. A failure is a result too, so that the assistant sees it.
pub(super) async fn call(api: &Api, params: &Value) -> Option<Value> {
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => json!({}),
        Some(arguments) => arguments.clone(),
    };
    let outcome = match params["name"].as_str()? {
        "create_folio" => create_folio(api, arguments).await,
        "read_folio" => read_folio(api, arguments).await,
        "read_folios" => read_folios(api, arguments).await,
        "resend_emails" => resend_emails(api, arguments).await,
        "download_document" => download_document(api, arguments).await,
        "cancel_folios" => cancel_folios(api, arguments).await,
        "start_bulk" => start_bulk(api, arguments).await,
        "read_bulk" => read_bulk(api, arguments).await,
        "read_evidence" => read_evidence(api, arguments).await,
        "download_evidence" => download_evidence(api, arguments).await,
        _ => return None,
    };
    let failed = outcome.is_err();
    let text = outcome.unwrap_or_else(|ToolError(text)| text);
    Some(json!({ "content": [{ "type": "text", "text": text }], "isError": failed }))
}

fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, ToolError> {
    serde_json::from_value(arguments)
        .map_err(|error| ToolError(format!("Los argumentos no son válidos: {error}")))
}

/// The data of a response of the API, or its message if it has no data.
fn data(body: &Bytes) -> Result<String, ToolError> {
    let response: Value = serde_json::from_slice(body)
        .map_err(|error| ToolError(format!("La respuesta no es de la API: {error}")))?;
    let data = response.get("data").or(response.get("message"));
    Ok(data.map_or_else(String::new, |data| match data {
        Value::String(text) => text.clone(),
        data => data.to_string(),
    }))
}

fn saved(path: &str, bytes: &Bytes) -> Result<String, ToolError> {
    files::save(path, bytes)?;
    Ok(json!({ "path": path, "bytes": bytes.len() }).to_string())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateFolio {
    folio_name: String,
    folio_message: String,
    signature_type: String,
    url_return: String,
    send_email: bool,
    language: Option<String>,
    signers: Vec<Value>,
    #[serde(default)]
    document_paths: Vec<String>,
    #[serde(default)]
    documents_base64: Vec<Value>,
    idempotency_key: Option<String>,
}

async fn create_folio(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let folio: CreateFolio = read(arguments)?;
    let mut form = Form::default()
        .field("signers", &json!(folio.signers).to_string())
        .field("folioName", &folio.folio_name)
        .field("folioMessage", &folio.folio_message)
        .field("signatureType", &folio.signature_type)
        .field("urlReturn", &folio.url_return)
        .field("sendEmail", if folio.send_email { "true" } else { "false" });
    if let Some(language) = &folio.language {
        form = form.field("language", language);
    }
    form = match (folio.document_paths.as_slice(), folio.documents_base64.as_slice()) {
        ([], documents @ [_, ..]) => form
            .field("fileType", "base64")
            .field("documentsBase64", &json!(documents).to_string()),
        (paths @ [_, ..], []) => {
            form = form.field("fileType", "file");
            for path in paths {
                let (name, content) = files::read_pdf(path)?;
                form = form.pdf("documents[]", &name, content);
            }
            form
        }
        _ => {
            let message = "Indique los documentos en documentPaths o en documentsBase64: en uno de los dos.";
            return Err(ToolError(message.to_owned()));
        }
    };
    let key = folio.idempotency_key.as_deref();
    data(&api.post("sign", Body::Form(form), key).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OneFolio {
    folio_id: String,
}

async fn read_folio(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let OneFolio { folio_id } = read(arguments)?;
    data(&api.get("consult", &[("folioId", &folio_id)]).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SeveralFolios {
    folio_ids: Vec<String>,
}

async fn read_folios(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let SeveralFolios { folio_ids } = read(arguments)?;
    let body = Body::Json(json!({ "folioId": folio_ids }));
    data(&api.post("consult", body, None).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ResendEmails {
    folio_id: String,
    signers: Vec<Value>,
    url_return: String,
    idempotency_key: Option<String>,
}

async fn resend_emails(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let resend: ResendEmails = read(arguments)?;
    let form = Form::default()
        .field("folioId", &resend.folio_id)
        .field("signers", &json!(resend.signers).to_string())
        .field("urlReturn", &resend.url_return);
    let key = resend.idempotency_key.as_deref();
    data(&api.post("forward_emails", Body::Form(form), key).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DownloadDocument {
    document_id: String,
    path: String,
}

async fn download_document(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let DownloadDocument { document_id, path } = read(arguments)?;
    files::check_target(&path, "pdf")?;
    let bytes = api.get("download", &[("documentId", &document_id)]).await?;
    saved(&path, &bytes)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CancelFolios {
    folio_ids: Vec<String>,
    observation: String,
}

async fn cancel_folios(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let cancel: CancelFolios = read(arguments)?;
    let form = Form::default()
        .field("folios", &json!(cancel.folio_ids).to_string())
        .field("observation", &cancel.observation);
    data(&api.post("cancel", Body::Form(form), None).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct StartBulk {
    folio_ids: Vec<String>,
    signer: Value,
    url_return: String,
    idempotency_key: Option<String>,
}

async fn start_bulk(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let bulk: StartBulk = read(arguments)?;
    let form = Form::default()
        .field("foliosIds", &json!(bulk.folio_ids).to_string())
        .field("signer", &json!([bulk.signer]).to_string())
        .field("urlReturn", &bulk.url_return);
    let key = bulk.idempotency_key.as_deref();
    data(&api.post("massive_sign", Body::Form(form), key).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReadBulk {
    massive_id: String,
}

async fn read_bulk(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let ReadBulk { massive_id } = read(arguments)?;
    let query = [("massiveId", massive_id.as_str())];
    data(&api.get("consult_massive_sign", &query).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReadEvidence {
    folio_id: String,
    part: Option<u32>,
}

async fn read_evidence(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let ReadEvidence { folio_id, part } = read(arguments)?;
    let part = part.unwrap_or(1).to_string();
    let query = [("folioId", folio_id.as_str()), ("part", &part)];
    let bytes = api.get("evidence", &query).await?;
    if bytes.len() > MAX_TEXT_BYTES {
        let message = "La evidencia es demasiado larga para leerla aquí: use download_evidence.";
        return Err(ToolError(message.to_owned()));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DownloadEvidence {
    folio_id: String,
    path: String,
    format: EvidenceFormat,
    part: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EvidenceFormat {
    Json,
    Pdf,
}

async fn download_evidence(api: &Api, arguments: Value) -> Result<String, ToolError> {
    let evidence: DownloadEvidence = read(arguments)?;
    let (operation, extension) = match evidence.format {
        EvidenceFormat::Json => ("evidence", "json"),
        EvidenceFormat::Pdf => ("evidence_report", "pdf"),
    };
    files::check_target(&evidence.path, extension)?;
    let part = evidence.part.unwrap_or(1).to_string();
    let query = [("folioId", evidence.folio_id.as_str()), ("part", &part)];
    let bytes = api.get(operation, &query).await?;
    saved(&evidence.path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_that_is_listed_takes_what_its_schema_says() {
        let api = Api::new("http://127.0.0.1:9", "firmeza_x").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for tool in list() {
            let refused = |arguments: &Value| {
                let params = json!({ "name": tool["name"], "arguments": arguments });
                let result = runtime.block_on(call(&api, &params)).unwrap();
                assert_eq!(result["isError"], true);
                result["content"][0]["text"].as_str().unwrap().to_owned()
            };
            let schema = &tool["inputSchema"];
            let first = schema["required"][0].as_str().unwrap();
            assert!(
                refused(&json!({})).contains(&format!("missing field `{first}`")),
                "{tool}"
            );
            // The names that are expected are those of the schema.
            let said = refused(&json!({ "inventado": 1 }));
            for name in schema["properties"].as_object().unwrap().keys() {
                assert!(said.contains(&format!("`{name}`")), "{name}: {said}");
            }
        }
    }
}
