//! The pages of webhooks with data made up for them.

use super::delivery::DeliveryPage;
use super::kinds::KindsForm;
use super::replay::ReplayForm;
use super::{SecretPage, WebhookForm, WebhookPage, WebhooksPage};
use crate::page::{FormFields, PanelLang};
use crate::panel::layout::Section;
use crate::panel::sample_data::{NOW, frame, sample};
use crate::signer::samples::Sample;
use app::panel::Role;
use domain::{DeliveryId, FolioId, Timestamp, WantedKinds, WebhookId, WebhookKind};
use std::time::Duration;
use store::{
    AttemptRow, DeliveryDetails, DeliveryRow, DeliveryState, WebhookDelivery, WebhookEndpointRow, WebhookRow,
};

/// What a delivery sends.
const SENT: &str = r#"{"type":"folio.signed","timestamp":"2026-03-02T13:40:00Z","data":{"event":7,
    "folioData":{"folioId":"02020202020202020202020202020202","state":"1","stateName":"FIRMADO"},
    "documents":[],"signers":[{"name":"María Peña","email":"maria.pena@example.com"}]}}"#;

/// So many minutes before the samples are looked at.
fn ago(minutes: u64) -> Timestamp {
    NOW.before(Duration::from_mins(minutes))
}

/// A webhook that works, fails, or was disabled.
fn webhook(seq: u8, failing: bool, note: Option<&str>) -> WebhookRow {
    WebhookRow {
        seq: WebhookEndpointRow(seq.into()),
        id: WebhookId::from_bytes([seq; 16]),
        address: format!("https://sistemas.losandes.example/firmeza/avisos/{seq}?origen=contratos"),
        label: "ERP de contratos".to_owned(),
        kinds: if failing {
            WantedKinds::Only(vec![WebhookKind::Signed, WebhookKind::Rejected])
        } else {
            WantedKinds::All
        },
        created_at: ago(90_000),
        failing_since: failing.then(|| ago(300)),
        disabled_at: note.map(|_| ago(60)),
        note: note.map(str::to_owned),
        previous_until: None,
    }
}

/// An attempt.
fn attempt(number: i64, status: Option<i64>, error: Option<&str>) -> AttemptRow {
    AttemptRow {
        delivery: DeliveryRow(1),
        number,
        at: ago(40 - u64::try_from(number).unwrap_or_default()),
        millis: 183 * number,
        status,
        error: error.map(str::to_owned),
        response: status
            .filter(|status| *status != 204)
            .map(|_| "<!doctype html>\n<title>Error\u{1b}[0m</title>".to_owned()),
    }
}

/// A delivery.
fn delivery(seq: u8, kind: &str, state: DeliveryState) -> WebhookDelivery {
    WebhookDelivery {
        seq: DeliveryRow(seq.into()),
        id: DeliveryId::from_bytes([seq; 16]),
        kind: kind.to_owned(),
        folio: (kind != "webhook.test").then(|| FolioId::from_bytes([seq; 16])),
        state,
        created_at: ago(u64::from(seq) * 7),
        due_at: NOW.after(Duration::from_mins(30)),
        attempts: 2,
    }
}

/// A delivery in each state, with its attempts.
fn deliveries() -> Vec<(WebhookDelivery, Vec<AttemptRow>)> {
    vec![
        (delivery(1, "webhook.test", DeliveryState::Waiting), Vec::new()),
        (
            delivery(2, "folio.signed", DeliveryState::Waiting),
            vec![
                attempt(1, Some(503), None),
                attempt(2, None, Some("connection refused (os error 111)")),
            ],
        ),
        (
            delivery(3, "folio.created", DeliveryState::Sent),
            vec![attempt(1, Some(204), None)],
        ),
        (
            delivery(4, "folio.cancelled", DeliveryState::Dead),
            vec![attempt(1, Some(302), Some("redirects are not followed"))],
        ),
    ]
}

/// The page of a delivery that failed, and of one before its first attempt.
fn delivery_samples(l: PanelLang) -> [Sample; 2] {
    let page_of = |delivery, body: Option<&str>, attempts| DeliveryPage {
        f: frame(l, Section::Webhooks, Role::Administrator),
        webhook: webhook(2, true, None),
        sent: DeliveryDetails {
            delivery,
            webhook: WebhookId::from_bytes([2; 16]),
            happened_at: ago(50),
            body: body.map(str::to_owned),
        },
        attempts,
    };
    let failed = page_of(
        delivery(2, "folio.signed", DeliveryState::Waiting),
        Some(SENT),
        vec![
            attempt(2, None, Some("connection refused (os error 111)")),
            attempt(1, Some(503), None),
        ],
    );
    let untried = page_of(
        delivery(1, "webhook.test", DeliveryState::Waiting),
        None,
        Vec::new(),
    );
    [
        sample(l, "webhook-delivery", &failed),
        sample(l, "webhook-delivery-untried", &untried),
    ]
}

/// Each of them.
pub(in crate::panel) fn samples(l: PanelLang) -> Vec<Sample> {
    let f = || frame(l, Section::Webhooks, Role::Administrator);
    let list = |webhooks, typed| WebhooksPage {
        f: f(),
        webhooks,
        typed,
    };
    let wrong = WebhookForm {
        address: "http://10.0.0.1/".to_owned(),
        label: "ERP".to_owned(),
        kinds: KindsForm::default(),
        error: Some(l.webhook_not_public()),
    };
    let one = |webhook: WebhookRow, deliveries| WebhookPage {
        f: f().with_notice(Some(l.webhook_tested())),
        kinds: KindsForm::of(&webhook.kinds),
        replay: ReplayForm::default(),
        webhook,
        deliveries,
        older: Some(DeliveryRow(1)),
    };
    let secret = |again| SecretPage {
        f: f(),
        id: WebhookId::from_bytes([1; 16]),
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=".to_owned(),
        again,
    };
    let some = vec![
        webhook(1, false, None),
        webhook(2, true, None),
        webhook(3, true, Some("failing")),
    ];
    let replay = |deliveries| WebhookPage {
        replay: ReplayForm {
            by_time: true,
            since: String::new(),
            error: Some(l.replay_when()),
            next: Some(("which", "dead".to_owned())),
        },
        ..one(webhook(1, false, None), deliveries)
    };
    let no_kinds = WebhookPage {
        kinds: KindsForm {
            error: Some(l.webhook_kinds_none()),
            ..KindsForm::sent(&FormFields::default())
        },
        ..one(webhook(1, false, None), Vec::new())
    };
    let mut samples = vec![
        sample(l, "webhooks", &list(some, WebhookForm::default())),
        sample(l, "webhooks-empty", &list(Vec::new(), wrong)),
        sample(l, "webhook", &one(webhook(2, true, None), deliveries())),
        sample(l, "webhook-replay", &replay(deliveries())),
        sample(
            l,
            "webhook-disabled",
            &one(webhook(3, true, Some("failing")), Vec::new()),
        ),
        sample(l, "webhook-kinds-none", &no_kinds),
        sample(l, "webhook-secret", &secret(false)),
        sample(l, "webhook-secret-again", &secret(true)),
    ];
    samples.extend(delivery_samples(l));
    samples
}
