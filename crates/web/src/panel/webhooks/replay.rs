//! Many deliveries of a webhook are sent again.

use super::{endpoint_page, webhook_id};
use crate::page::{FormFields, PageResult};
use crate::panel::auth::{PanelRequest, RequireAdministrator};
use crate::panel::csrf_form::CsrfForm;
use app::webhooks::MAX_REPLAYED;
use axum::extract::Path;
use domain::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use store::{DeliveryRow, Replay, Replayed};

/// The form, and its error.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReplayForm {
    /// Whether the messages since a time are chosen, and not those that were given up.
    pub(crate) by_time: bool,
    /// The time, as it was typed.
    pub(crate) since: String,
    pub(crate) error: Option<&'static str>,
    /// The field that continues the last replay, if it reached the limit: its name and its value.
    pub(crate) next: Option<(&'static str, String)>,
}

impl ReplayForm {
    fn sent(form: &FormFields) -> Self {
        Self {
            by_time: form.get("which") == "since",
            since: form.get("since").chars().take(32).collect(),
            error: None,
            next: None,
        }
    }

    /// The form after a replay that this page's address tells of.
    pub(super) fn after_replay(request: &PanelRequest) -> Self {
        let field = |name: &'static str| request.query(name).map(|value| (name, value));
        Self {
            next: field("which").or_else(|| field("after")),
            ..Self::default()
        }
    }
}

/// How many messages this page's address says were queued.
pub(super) fn queued(request: &PanelRequest) -> usize {
    let queued = request.query("queued").and_then(|count| count.parse().ok());
    queued.unwrap_or(0).min(MAX_REPLAYED)
}

/// The deliveries that a form chooses; times are in that zone.
fn chosen(form: &FormFields, zone: &TimeZone) -> Option<Replay> {
    if form.has("after") {
        let (time, seq) = form.get("after").split_once('-')?;
        return Some(Replay::After(
            Timestamp::from_micros(time.parse().ok()?),
            seq.parse().ok()?,
        ));
    }
    match form.get("which") {
        "dead" => Some(Replay::Dead),
        "since" => {
            let typed: DateTime = form.get("since").parse().ok()?;
            let time = typed.to_zoned(zone.clone()).ok()?.timestamp();
            Some(Replay::After(
                Timestamp::from_micros(time.as_microsecond()),
                DeliveryRow::ZERO,
            ))
        }
        _ => None,
    }
}

/// `POST /panel/webhooks/{webhook}/replay`.
pub(crate) async fn send(
    RequireAdministrator(request): RequireAdministrator,
    Path(webhook): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let id = webhook_id(&request, &webhook)?;
    let Some(which) = chosen(&form, &request.zone) else {
        let mut page = endpoint_page(&request, id, None).await?;
        page.replay = ReplayForm {
            error: Some(request.l.replay_when()),
            ..ReplayForm::sent(&form)
        };
        return Ok(request.page_with_errors(&page));
    };
    let replayed = request.web.app.replay_webhook(request.actor(), id, which).await;
    let replayed = replayed.map_err(|error| request.error_page(error))?;
    let next = next_field(which, replayed);
    Ok(request.redirect(&format!(
        "/panel/webhooks/{id}?done=replayed&queued={}{next}",
        replayed.queued
    )))
}

/// What continues a replay that reached the limit, as a part of an address.
fn next_field(which: Replay, replayed: Replayed) -> String {
    match (which, replayed.last) {
        _ if replayed.queued < MAX_REPLAYED => String::new(),
        (Replay::Dead, _) => "&which=dead".to_owned(),
        (Replay::After(..), Some((time, seq))) => format!("&after={}-{seq}", time.as_micros()),
        (Replay::After(..), None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_companys_zone_and_the_limit_leads_on() {
        let zone = TimeZone::get("America/Bogota").unwrap();
        let chosen = |fields: &[(&str, &str)]| {
            let fields = fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            chosen(&FormFields::of(fields.collect()), &zone)
        };
        let since = Replay::After(Timestamp::from_micros(1_772_461_800_000_000), DeliveryRow::ZERO);
        assert_eq!(
            chosen(&[("which", "since"), ("since", "2026-03-02T09:30")]),
            Some(since)
        );
        assert_eq!(chosen(&[("which", "dead"), ("since", "")]), Some(Replay::Dead));
        for wrong in [
            &[("which", "since"), ("since", "")][..],
            &[("which", "since"), ("since", "ayer")],
            &[("which", "other")],
            &[("after", "7")],
            &[],
        ] {
            assert_eq!(chosen(wrong), None, "{wrong:?}");
        }

        let (time, seq) = (Timestamp::from_micros(5), DeliveryRow(7));
        let last = Some((time, seq));
        let full = Replayed {
            queued: MAX_REPLAYED,
            last,
        };
        assert_eq!(next_field(Replay::Dead, full), "&which=dead");
        assert_eq!(next_field(since, full), "&after=5-7");
        assert_eq!(chosen(&[("after", "5-7")]), Some(Replay::After(time, seq)));
        assert_eq!(next_field(since, Replayed { queued: 999, last }), "");
    }
}
