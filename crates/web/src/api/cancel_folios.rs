//! `POST cancel`: cancels folios, with an outcome for each.

use super::answer::Answer;
use super::call::{Call, answered, once};
use super::errors::Failure;
use super::fields::{Faults, Fields};
use super::form;
use crate::Web;
use app::{Judged, Judgements};
use domain::{FolioId, Observation, Problem, limits};
use serde::Serialize;

pub(crate) const CANCELLED: &str = "Los folios fueron anulados exitosamente.";
pub(crate) const ONE_CANCELLED: &str = "Folio anulado exitosamente.";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    cancelled_folios: usize,
    failed_folios: usize,
    details: Vec<Detail>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Detail {
    folio_id: FolioId,
    status: &'static str,
    message: &'static str,
}

#[derive(Serialize)]
struct Body<'a> {
    success: bool,
    status: u16,
    message: &'a str,
    data: Summary,
}

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let caller = web.caller(call.access()).await?;
    let fields = form::short(call).await?;
    let ticket = call.ticket(|| Some(fields.fingerprint(call.operation.name(), &[])))?;
    let (folios, observation) = match read(&fields) {
        Ok(read) => read,
        Err(failure) => return web.refuse(call.operation, &caller, ticket, failure).await,
    };
    let once = once(call.operation, ticket, render);
    Ok(answered(
        web.app.cancel_folios(caller, folios, observation, once).await?,
        render,
    ))
}

fn read(fields: &Fields) -> Result<(Vec<FolioId>, Observation), Failure> {
    let mut faults = Faults::default();
    let folios = faults.take(
        "folios",
        fields.texts("folios").and_then(|texts| folio_ids(&texts)),
    );
    let observation = fields.text("observation").and_then(Observation::new);
    let observation = faults.take("observation", observation);
    faults.unless_any(folios.zip(observation))
}

/// Identifiers without repetitions.
fn folio_ids(texts: &[String]) -> Result<Vec<FolioId>, Problem> {
    if texts.is_empty() {
        return Err(Problem::Missing);
    }
    if texts.len() > limits::CANCEL_FOLIOS {
        return Err(Problem::TooMany {
            max: limits::CANCEL_FOLIOS,
        });
    }
    let mut ids = Vec::with_capacity(texts.len());
    for text in texts {
        let id = text.parse().map_err(|_| Problem::NotJson)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn render(cancellations: &Judgements) -> Answer {
    let detail = |(folio_id, outcome): &(FolioId, Judged)| {
        let (status, message) = match outcome {
            Judged::Done => ("CANCELLED", ONE_CANCELLED),
            Judged::Refused(_) => (
                "FAILED",
                "El folio no se encuentra en un estado que permita anularlo.",
            ),
            Judged::Foreign => (
                "FAILED",
                "Acceso denegado. No tiene permisos para cancelar este folio.",
            ),
            Judged::Unknown => ("FAILED", "El folio no existe."),
        };
        Detail {
            folio_id: *folio_id,
            status,
            message,
        }
    };
    let details: Vec<Detail> = cancellations.iter().map(detail).collect();
    let cancelled = cancellations
        .iter()
        .filter(|(_, outcome)| *outcome == Judged::Done)
        .count();
    let failed = cancellations.len() - cancelled;
    let message = match (cancelled, failed) {
        (_, 0) => CANCELLED,
        (0, _) => "Ningún folio pudo ser anulado.",
        _ => "Algunos folios no pudieron ser anulados.",
    };
    let data = Summary {
        cancelled_folios: cancelled,
        failed_folios: failed,
        details,
    };
    Answer::ok(&Body {
        success: cancelled > 0,
        status: 200,
        message,
        data,
    })
}
