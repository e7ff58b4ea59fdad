//! Recent requests to the API, for the people who connect a system.

use super::auth::{PanelRequest, RequireAdministrator};
use super::layout::{PanelLayout, Section};
use super::pagination::Pagination;
use crate::api::Operation;
use crate::page::{PageResult, PanelLang};
use app::Error;
use app::panel::is_live;
use askama::Template;
use domain::{KeyId, Timestamp};
use std::time::Duration;
use store::{ApiRequestFilter, KeyInfo, LoggedApiRequest};

/// How long a key that has ended can be chosen: as long as its requests are kept.
const ENDED_KEY_SHOWN_FOR: Duration = Duration::from_hours(24 * 7);

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/requests.html")]
pub(crate) struct RequestsPage {
    pub(crate) f: PanelLayout,
    pub(crate) filter: ApiRequestFilter,
    /// The keys to filter by.
    pub(crate) keys: Vec<KeyInfo>,
    pub(crate) requests: Vec<LoggedApiRequest>,
    pub(crate) pagination: Pagination,
    /// The address of this list, without the page.
    pub(crate) address: String,
}

impl RequestsPage {
    /// Whether the filter has any condition.
    pub(crate) fn is_narrow(&self) -> bool {
        self.filter != ApiRequestFilter::default()
    }

    /// The keys to choose from: identifier, name, and whether it is the chosen one.
    pub(crate) fn choices(&self) -> Vec<(KeyId, String, bool)> {
        let choice = |key: &KeyInfo| (key.id, name(key), self.filter.key == Some(key.id));
        self.keys.iter().map(choice).collect()
    }

    /// The key of a request, as the form names it.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn key(&self, id: &KeyId) -> String {
        let known = self.keys.iter().find(|key| key.id == *id);
        known.map_or_else(|| id.to_string(), name)
    }
}

/// A key by its purpose, and by what it is recognised by.
fn name(key: &KeyInfo) -> String {
    let hint = &key.hint;
    if key.label.is_empty() {
        hint.clone()
    } else {
        format!("{} ({hint})", key.label)
    }
}

/// `GET /panel/keys/requests`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let page = load_page(&request)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&page))
}

async fn load_page(request: &PanelRequest) -> Result<RequestsPage, Error> {
    let (app, company) = (&request.web.app, request.user().company);
    let f = request.frame(Section::Keys);
    let filter = ApiRequestFilter {
        key: request.query("key").and_then(|key| key.parse().ok()),
        failed: request.query("errors").is_some(),
    };
    let mut keys = app.company_keys(company).await?;
    keys.retain(|key| is_recent(key, f.now) || filter.key == Some(key.id));
    keys.reverse();
    let mut requests = app.api_requests(company, filter).await?;
    let pagination = Pagination::take(&mut requests, request.query("page").as_deref());
    Ok(RequestsPage {
        f,
        filter,
        keys,
        requests,
        pagination,
        address: address(&filter),
    })
}

/// Whether the key works, or has done so while requests are kept.
fn is_recent(key: &KeyInfo, now: Timestamp) -> bool {
    let ended = key.revoked_at.or(key.expires_at);
    is_live(key, now) || ended.is_some_and(|at| at > now.before(ENDED_KEY_SHOWN_FOR))
}

fn address(filter: &ApiRequestFilter) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some(key) = filter.key {
        query.append_pair("key", &key.to_string());
    }
    if filter.failed {
        query.append_pair("errors", "yes");
    }
    let query = query.finish();
    let question = if query.is_empty() { "" } else { "?" };
    format!("/panel/keys/requests{question}{query}")
}

impl PanelLang {
    /// The name of an operation, and its method and address; an unknown one as it is stored.
    pub(crate) fn operation(self, name: &str) -> (&str, &'static str) {
        let known = Operation::ALL.into_iter().find(|known| known.name() == name);
        let Some(operation) = known else {
            return (name, "");
        };
        match operation {
            Operation::CreateFolio => (self.operation_create(), "POST sign"),
            Operation::ReadFolio => (self.operation_read(), "GET consult"),
            Operation::ReadFolios => (self.operation_read_several(), "POST consult"),
            Operation::ResendEmails => (self.operation_resend(), "POST forward_emails"),
            Operation::DownloadDocument => (self.operation_download(), "download"),
            Operation::CancelFolios => (self.operation_cancel(), "POST cancel"),
            Operation::StartBulk => (self.operation_start_bulk(), "POST massive_sign"),
            Operation::ReadBulk => (self.operation_read_bulk(), "GET consult_massive_sign"),
            Operation::ReadEvidence => (self.operation_evidence(), "GET evidence"),
        }
    }

    /// How long a request took.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn took(self, took: &Duration) -> String {
        format!("{} ms", self.tenths(took.as_secs_f64() * 1000.0))
    }
}

/// The pages with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{NOW, frame, sample};
    let id = |id: u8| KeyId::from_bytes([id; 16]);
    let key = |number: u8, label: &str| KeyInfo {
        id: id(number),
        company: "Inmobiliaria Los Andes S.A.S.".to_owned(),
        label: label.to_owned(),
        hint: "firmeza_Zk3v…1b2c".to_owned(),
        permissions: domain::Permissions::ALL,
        created_at: NOW.before(Duration::from_hours(24 * 40)),
        expires_at: None,
        last_used_at: Some(NOW),
        revoked_at: None,
    };
    let answers = [
        (200, ""),
        (
            400,
            "El parámetro (folioName) es obligatorio. · El parámetro (signers) no contiene un formato válido.",
        ),
        (
            403,
            "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.",
        ),
        (
            409,
            "El encabezado (Idempotency-Key) ya fue utilizado con otra solicitud.",
        ),
        (429, "Demasiadas solicitudes, intente nuevamente más tarde."),
        (206, ""),
    ];
    let request = |(place, operation): (usize, Operation)| {
        let (status, message) = answers[place % answers.len()];
        let minutes = u64::try_from(place).unwrap_or_default();
        LoggedApiRequest {
            key: id(if place == 7 { 9 } else { 1 }),
            at: NOW.before(Duration::from_mins(minutes)),
            operation: operation.name().to_owned(),
            status,
            message: message.to_owned(),
            request_id: "0f1e2d3c4b5a69780f1e2d3c4b5a6978".to_owned(),
            took: Duration::from_micros(733 + 12_345 * minutes),
            address: "2001:db8:85a3::8a2e:370:7334".to_owned(),
        }
    };
    let requests: Vec<_> = Operation::ALL.into_iter().enumerate().map(request).collect();
    let page = |requests, filter: ApiRequestFilter, last| RequestsPage {
        f: frame(l, Section::Keys, app::panel::Role::Administrator),
        filter,
        keys: vec![key(1, "Sistema de nómina"), key(2, "")],
        requests,
        pagination: Pagination { here: 1, last },
        address: address(&filter),
    };
    let narrow = ApiRequestFilter {
        key: Some(id(2)),
        failed: true,
    };
    vec![
        sample(l, "requests", &page(requests, ApiRequestFilter::default(), 3)),
        sample(
            l,
            "requests-none",
            &page(Vec::new(), ApiRequestFilter::default(), 1),
        ),
        sample(l, "requests-unmatched", &page(Vec::new(), narrow, 1)),
    ]
}
