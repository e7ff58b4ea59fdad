//! JSON-RPC 2.0 and the part of the Model Context Protocol that a server of tools needs: its methods are few.
//!
//! Until 2025-11-25 a client begins with `initialize`. From 2026-07-28 on every request names its version and nothing
//! is remembered between requests. Both are answered.

use super::api::Api;
use super::tools;
use serde_json::{Value, json};

/// Versions that a client may ask for in `initialize`; the last is offered to those that ask for another.
const HANDSHAKE_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// Versions that every request names.
const MODERN_VERSIONS: [&str; 1] = ["2026-07-28"];
const VERSION_KEY: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";

const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const INVALID_PARAMS: i64 = -32_602;
const UNSUPPORTED_VERSION: i64 = -32_022;

const INSTRUCTIONS: &str = "Firmeza gestiona firmas electrónicas. Un folio reúne documentos PDF y firmantes; se nombra por su \
    folioId. Crear, reenviar y anular escriben a personas reales, y la anulación es irreversible: confirme con el usuario antes. \
    Nadie puede firmar por un firmante: después de crear un folio, consulte su estado más tarde.";

/// The response to a message, unless it is a notification.
pub(super) async fn respond(api: &Api, message: &[u8]) -> Option<Value> {
    let Ok(message) = serde_json::from_slice::<Value>(message) else {
        return Some(error(&Value::Null, PARSE_ERROR, "not JSON", None));
    };
    let id = match message.get("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => id,
        // A notification (a call was cancelled, the client is ready) needs no response.
        None if message.get("method").is_some() => return None,
        _ => return Some(error(&Value::Null, INVALID_REQUEST, "not a request", None)),
    };
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        return Some(error(id, INVALID_REQUEST, "a request without a method", None));
    };
    let version = message.pointer(VERSION_KEY).and_then(Value::as_str);
    if let Some(requested) = version.filter(|version| !MODERN_VERSIONS.contains(version)) {
        let data = json!({ "supported": supported_versions(), "requested": requested });
        return Some(error(
            id,
            UNSUPPORTED_VERSION,
            "unsupported protocol version",
            Some(data),
        ));
    }
    let params = message.get("params").unwrap_or(&Value::Null);
    let mut result = match method {
        "initialize" => initialize(params),
        "server/discover" => discover(),
        "ping" => json!({}),
        "tools/list" => cacheable(json!({ "tools": tools::list() })),
        "tools/call" => match tools::call(api, params).await {
            Some(result) => result,
            None => return Some(error(id, INVALID_PARAMS, "there is no such tool", None)),
        },
        _ => return Some(error(id, METHOD_NOT_FOUND, "there is no such method", None)),
    };
    // Older clients check the members of an empty result strictly.
    if version.is_some() {
        result["resultType"] = "complete".into();
    }
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn error(id: &Value, code: i64, message: &str, data: Option<Value>) -> Value {
    let mut error = json!({ "code": code, "message": message });
    if let Some(data) = data {
        error["data"] = data;
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

fn supported_versions() -> Vec<&'static str> {
    HANDSHAKE_VERSIONS.into_iter().chain(MODERN_VERSIONS).collect()
}

fn server_info() -> Value {
    json!({ "name": "firmeza", "title": "Firmeza", "version": env!("CARGO_PKG_VERSION") })
}

fn initialize(params: &Value) -> Value {
    let [.., latest] = HANDSHAKE_VERSIONS;
    let requested = params["protocolVersion"].as_str().unwrap_or_default();
    let version = HANDSHAKE_VERSIONS
        .into_iter()
        .find(|version| *version == requested);
    json!({
        "protocolVersion": version.unwrap_or(latest),
        "capabilities": { "tools": {} },
        "serverInfo": server_info(),
        "instructions": INSTRUCTIONS,
    })
}

fn discover() -> Value {
    cacheable(json!({
        "supportedVersions": supported_versions(),
        "capabilities": { "tools": {} },
        "instructions": INSTRUCTIONS,
        "_meta": { SERVER_INFO_KEY: server_info() },
    }))
}

/// Says how long a client may keep a result. The program never changes while it runs.
fn cacheable(mut result: Value) -> Value {
    result["ttlMs"] = 3_600_000.into();
    result["cacheScope"] = "public".into();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(message: &str) -> Option<Value> {
        let api = Api::new("http://127.0.0.1:9", "firmeza_x").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(respond(&api, message.as_bytes()))
    }

    fn request(method: &str, params: &Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let response = ask(&message.to_string()).unwrap();
        assert_eq!(
            (&response["jsonrpc"], &response["id"]),
            (&json!("2.0"), &json!(7))
        );
        response
    }

    #[test]
    fn what_is_not_a_request_is_told_so() {
        for (message, code) in [
            ("{", PARSE_ERROR),
            ("[]", INVALID_REQUEST),
            ("3", INVALID_REQUEST),
            (r#"{"id": null, "method": "ping"}"#, INVALID_REQUEST),
            (r#"{"id": {}, "method": "ping"}"#, INVALID_REQUEST),
            (r#"{"id": 1}"#, INVALID_REQUEST),
            (r#"{"id": 1, "method": "resources/list"}"#, METHOD_NOT_FOUND),
            (
                r#"{"id": 1, "method": "tools/call", "params": {"name": "sign"}}"#,
                INVALID_PARAMS,
            ),
            (r#"{"id": 1, "method": "tools/call"}"#, INVALID_PARAMS),
        ] {
            assert_eq!(ask(message).unwrap()["error"]["code"], code, "{message}");
        }
    }

    #[test]
    fn a_notification_has_no_response() {
        for method in [
            "notifications/initialized",
            "notifications/cancelled",
            "tools/call",
        ] {
            assert_eq!(
                ask(&json!({ "jsonrpc": "2.0", "method": method }).to_string()),
                None
            );
        }
    }

    #[test]
    fn a_client_gets_its_version_or_the_newest_that_it_may_ask_for() {
        for (requested, given) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-11-25", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
            ("1999-01-01", "2025-11-25"),
        ] {
            let result = &request("initialize", &json!({ "protocolVersion": requested }))["result"];
            assert_eq!(result["protocolVersion"], given);
            assert_eq!(result["serverInfo"]["name"], "firmeza");
        }
        assert_eq!(request("ping", &Value::Null)["result"], json!({}));
    }

    #[test]
    fn a_request_that_names_its_version_is_answered_in_it() {
        let naming =
            |version: &str| json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": version } });
        let discovered = &request("server/discover", &naming("2026-07-28"))["result"];
        assert_eq!(discovered["resultType"], "complete");
        assert!(
            discovered["supportedVersions"]
                .as_array()
                .unwrap()
                .contains(&json!("2026-07-28"))
        );
        let refused = &request("tools/list", &naming("2031-01-01"))["error"];
        assert_eq!(
            (&refused["code"], &refused["data"]["requested"]),
            (&json!(UNSUPPORTED_VERSION), &json!("2031-01-01"))
        );
    }
}
