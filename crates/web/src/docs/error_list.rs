//! The errors of an operation as a table of Markdown, from the table that answers them.

use crate::api::{ErrorRow, error_table};
use crate::page::PanelLang;
use serde_json::Value;
use std::fmt::Write;

const OPEN: &str = "<!-- errores: ";
const CLOSE: &str = " -->";

/// Puts the errors of an operation where a chapter has `<!-- errores: operation -->`.
pub(super) fn fill_in(lang: PanelLang, text: &str) -> String {
    let rows = error_table();
    let mut filled = String::with_capacity(text.len() + 4096);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        filled.push_str(before);
        let Some((operation, after)) = after.split_once(CLOSE) else {
            filled.push_str(OPEN);
            rest = after;
            continue;
        };
        table(
            lang,
            rows.iter().filter(|row| row.operation == operation),
            &mut filled,
        );
        rest = after;
    }
    filled.push_str(rest);
    filled
}

fn table<'a>(lang: PanelLang, rows: impl Iterator<Item = &'a ErrorRow>, out: &mut String) {
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| row.status);
    let _ = writeln!(
        out,
        "| {} | {} | {} |\n|---|---|---|",
        lang.docs_errors_status(),
        lang.docs_errors_when(),
        lang.docs_errors_message()
    );
    // Causes with the same response are one row.
    let mut merged: Vec<(u16, String, Vec<&str>)> = Vec::new();
    for row in rows {
        let when = cause(lang, &row.cause).unwrap_or_default();
        let message = message(&row.body).replace('|', "\\|");
        let same = merged
            .iter_mut()
            .find(|(status, text, _)| *status == row.status && *text == message);
        match same {
            Some((_, _, causes)) => causes.push(when),
            None => merged.push((row.status, message, vec![when])),
        }
    }
    for (status, message, causes) in merged {
        let _ = writeln!(out, "| {status} | {} | {message} |", causes.join("; "));
    }
}

/// The message of an error's body, in either of its two forms.
fn message(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let message = body.pointer("/error/message").or_else(|| body.get("message"));
    message.and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// What a cause means, in a few words.
fn cause(lang: PanelLang, name: &str) -> Option<&'static str> {
    let (es, en) = match name {
        "NoKey" => (
            "falta el encabezado `x-api-key`, o está vacío",
            "the header `x-api-key` is missing or empty",
        ),
        "Denied" => (
            "la llave no es válida, venció, fue revocada o no tiene el permiso de esta operación",
            "the key is not valid, has expired, was revoked, or lacks the permission for this operation",
        ),
        "Malformed" => (
            "un dato no tiene el formato esperado",
            "a value does not have the expected format",
        ),
        "MalformedSigners" => (
            "los firmantes no son JSON de la forma esperada",
            "the signers are not JSON of the expected form",
        ),
        "Missing" => ("falta un dato obligatorio", "a required value is missing"),
        "Foreign" => (
            "el recurso es de otra empresa",
            "the resource belongs to another company",
        ),
        "NotFound" => ("el recurso no existe", "the resource does not exist"),
        "UnknownSigner" => (
            "el firmante no es firmante del folio",
            "the signer is not a signer of the folio",
        ),
        "AlreadyActed" => (
            "el firmante ya firmó o rechazó",
            "the signer has already signed or rejected",
        ),
        "NotActive" => (
            "el folio ya no se puede firmar: terminó, fue anulado o venció",
            "the folio can no longer be signed: it is finished, cancelled or expired",
        ),
        "Unfit" => (
            "un documento no se puede firmar; el mensaje nombra el archivo y la causa",
            "a document cannot be signed; the message names the file and the cause",
        ),
        "Condition" => (
            "la versión de `If-Match` o `If-Unmodified-Since` no es la actual",
            "the version of `If-Match` or `If-Unmodified-Since` is not the current one",
        ),
        "Range" => (
            "el documento no tiene el rango de `Range`",
            "the document does not have the range of `Range`",
        ),
        "KeyReused" => (
            "la misma `Idempotency-Key` llegó antes con otra solicitud",
            "the same `Idempotency-Key` came before with another request",
        ),
        "TooLarge" => ("la solicitud es demasiado grande", "the request is too large"),
        "TooSlow" => (
            "la solicitud tardó demasiado en llegar",
            "the request took too long to arrive",
        ),
        "TooOften" => (
            "demasiadas solicitudes; espere lo que dice `Retry-After`",
            "too many requests; wait as long as `Retry-After` says",
        ),
        "Overloaded" => (
            "el servicio está ocupado; espere lo que dice `Retry-After`",
            "the service is busy; wait as long as `Retry-After` says",
        ),
        "Unconfirmed" => (
            "no se sabe si quedó guardada; repítala con la misma `Idempotency-Key`, o consulte antes",
            "whether it was stored is not known; repeat it with the same `Idempotency-Key`, or read first",
        ),
        "Internal" => (
            "el servicio falló; la respuesta trae `requestId`",
            "the service failed; the response has a `requestId`",
        ),
        "BrokenHistory" => (
            "el historial guardado del folio no es el que el servicio escribió",
            "the stored history of the folio is not the one that the service wrote",
        ),
        _ => return None,
    };
    Some(match lang {
        PanelLang::Es => es,
        PanelLang::En => en,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_words_in_both_languages() {
        for row in error_table() {
            for lang in PanelLang::ALL {
                assert!(cause(lang, &row.cause).is_some(), "{}", row.cause);
            }
        }
    }

    #[test]
    fn the_place_is_filled_with_every_error_of_the_operation() {
        for row in error_table() {
            let text = fill_in(
                PanelLang::Es,
                &format!("antes\n\n{OPEN}{}{CLOSE}\n", row.operation),
            );
            let (cause, message) = (cause(PanelLang::Es, &row.cause).unwrap(), message(&row.body));
            let is_row = |line: &&str| {
                line.starts_with(&format!("| {} |", row.status))
                    && line.contains(cause)
                    && line.ends_with(&format!("| {message} |"))
            };
            assert_eq!(
                text.lines().filter(is_row).count(),
                1,
                "{text}\n{cause}\n{message}"
            );
        }
        assert_eq!(fill_in(PanelLang::Es, "sin lugar"), "sin lugar");
    }
}
