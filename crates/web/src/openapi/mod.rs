//! The description of the API for machines: `OpenAPI` 3.1. Its errors come from the table that answers them.

mod examples;
mod operations;
mod schemas;
mod webhooks;

use crate::api::{Operation, errors};
use serde_json::{Map, Value, json};

/// The whole document, for a service at that address whose folios have at most that many documents.
pub(crate) fn document(base_url: &str, documents: usize) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Firmeza: API de integración",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Procesos de firma electrónica (folios) por HTTP.",
            "description": "Un folio reúne uno o más documentos PDF y uno o más firmantes. Se crea con `sign` y \
                todas las demás operaciones lo nombran por su `folioId`. Cada petición lleva el encabezado \
                `x-api-key` con el valor `Bearer <API_KEY>`. Los mensajes están en español; los códigos de \
                estado y de tipo de firma son cadenas.",
            "contact": { "name": "Operador de esta instalación", "url": format!("{base_url}/docs") },
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": base_url, "description": "Esta instalación" }],
        "security": [{ "apiKey": [] }],
        "tags": [
            { "name": "Folios", "description": "Crear, consultar, reenviar, descargar y anular." },
            { "name": "Firma masiva", "description": "Un firmante, muchos folios, una sola sesión." },
            { "name": "Webhooks", "description": "Avisos que esta instalación envía a su sistema." },
        ],
        "paths": operations::paths(documents),
        "webhooks": webhooks::all(),
        "components": {
            "securitySchemes": {
                "apiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "x-api-key",
                    "description": "La palabra `Bearer`, un espacio y la llave sin modificar.",
                },
            },
            "headers": {
                "RequestId": {
                    "description": "Identificador de la petición: el enviado por el cliente o uno nuevo.",
                    "schema": { "type": "string" },
                },
                "RetryAfter": {
                    "description": "Segundos que conviene esperar antes de reintentar.",
                    "schema": { "type": "integer", "minimum": 1 },
                },
            },
            "schemas": schemas::all(),
        },
    })
}

/// The responses of an operation: its success, and every error it can answer, with the exact bodies.
pub(crate) fn responses(operation: Operation, successes: Value) -> Value {
    let Value::Object(mut all) = successes else {
        return Value::Null;
    };
    let mut by_status: Map<String, Value> = Map::new();
    for cause in errors::Cause::ALL {
        let Some((status, message)) = errors::entry(operation, cause) else {
            continue;
        };
        let error_response = errors::error_response(operation, &cause.into(), None);
        let example = error_response
            .to_stored()
            .and_then(|kept| serde_json::from_str::<Value>(&kept.body).ok());
        let schema = if example.as_ref().is_some_and(|body| body.get("error").is_some()) {
            "ErrorB"
        } else {
            "ErrorA"
        };
        let key = status.as_u16().to_string();
        let response = by_status.entry(key).or_insert_with(|| {
            json!({
                "description": message,
                "headers": { "x-request-id": { "$ref": "#/components/headers/RequestId" } },
                "content": { "application/json": {
                    "schema": { "$ref": format!("#/components/schemas/{schema}") },
                    "examples": {},
                } },
            })
        });
        if matches!(status.as_u16(), 429 | 503) {
            response["headers"]["Retry-After"] = json!({ "$ref": "#/components/headers/RetryAfter" });
        }
        response["content"]["application/json"]["examples"][format!("{cause:?}")] =
            json!({ "value": example });
    }
    all.append(&mut by_status);
    all.sort_keys();
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document("http://localhost", 20);
        let text = document.to_string();
        for reference in text
            .split("\"$ref\":\"#")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
        {
            assert!(document.pointer(reference).is_some(), "{reference}");
        }
    }
}
