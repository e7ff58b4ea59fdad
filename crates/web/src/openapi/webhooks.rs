//! The webhooks: what this installation sends to a company's system.

use super::schemas::{WEBHOOK_KINDS, named};
use serde_json::{Map, Value, json};

pub(super) fn all() -> Value {
    let each = WEBHOOK_KINDS.map(|(kind, meaning)| (kind.to_owned(), webhook(kind, meaning)));
    Value::Object(Map::from_iter(each))
}

fn webhook(kind: &str, meaning: &str) -> Value {
    let header = |name: &str, description: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": description,
            "schema": { "type": "string" },
        })
    };
    json!({ "post": {
        "operationId": format!("on_{}", kind.replace('.', "_")),
        "tags": ["Webhooks"],
        "summary": format!("Aviso: {meaning}"),
        "description": "Se envía a las direcciones que la empresa configuró en el panel, hasta diez veces en tres días, \
            hasta que responda con 2xx. La firma sigue el estándar Standard Webhooks.",
        "security": [],
        "parameters": [
            header("webhook-id", "Identificador del aviso, el mismo en cada intento: sirve para descartar repetidos."),
            header("webhook-timestamp", "Cuándo se envió este intento, en segundos desde 1970."),
            header("webhook-signature", "`v1,` y el HMAC-SHA256 en base64 de `id.timestamp.cuerpo`; varias firmas se \
                separan con un espacio."),
        ],
        "requestBody": { "required": true, "content": { "application/json": { "schema": named("WebhookEvent") } } },
        "responses": {
            "2XX": { "description": "Recibido." },
            "4XX": { "description": "No recibido: se intenta de nuevo." },
            "5XX": { "description": "No recibido: se intenta de nuevo." },
        },
    } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::WebhookKind;

    #[test]
    fn every_kind_is_described() {
        let described = WEBHOOK_KINDS.map(|(kind, _)| kind);
        let mut sent = WebhookKind::ALL.map(WebhookKind::word).to_vec();
        sent.push("webhook.test");
        assert_eq!(described.to_vec(), sent);
    }
}
