//! `GET /panel/folios.csv` and `/panel/folios.json`: the list that is looked for as a file, as far as it goes.

use super::list_query::{FolioQuery, word};
use crate::http::conditional::attachment;
use crate::page::{Embedding, PageResult, PanelLang, headers};
use crate::panel::auth::{PanelRequest, RequireReader};
use crate::panel::csv::CsvTable;
use app::Error;
use axum::http::Method;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::{SignerState, Timestamp};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use store::ListedFolio;

/// The most folios of a file.
const MAX_EXPORTED_FOLIOS: usize = 5000;
/// Folios that are read at once.
const PAGE_FOLIOS: usize = 500;
/// Pages that are read for a file: those of a search may be nearly empty.
const MAX_PAGES: usize = 40;

/// What there is of the list.
struct Export {
    folios: Vec<ListedFolio>,
    /// Whether the list goes on.
    is_cut: bool,
}

/// `GET /panel/folios.csv`.
pub(crate) async fn csv(RequireReader(request): RequireReader, method: Method) -> PageResult {
    let export = read(&request).await.map_err(|error| request.error_page(error))?;
    let text = csv_text(request.l, &export, &request.zone);
    Ok(file("text/csv; charset=utf-8", "folios.csv", text, &method))
}

/// `GET /panel/folios.json`.
pub(crate) async fn json(RequireReader(request): RequireReader, method: Method) -> PageResult {
    let export = read(&request).await.map_err(|error| request.error_page(error))?;
    let folios: Vec<Value> = export.folios.iter().map(json_of).collect();
    let text = json!({ "folios": folios, "complete": !export.is_cut }).to_string();
    Ok(file("application/json", "folios.json", text, &method))
}

async fn read(request: &PanelRequest) -> Result<Export, Error> {
    let mut listing = FolioQuery::of(request).listing(request.user());
    listing.size = Some(PAGE_FOLIOS);
    listing.before = None;
    let mut folios = Vec::new();
    for _ in 0..MAX_PAGES {
        let page = request
            .web
            .app
            .list_folios(request.user().company, listing.clone())
            .await?;
        folios.extend(page.folios);
        let is_cut = folios.len() > MAX_EXPORTED_FOLIOS;
        listing.before = page.next;
        listing.before_state = folios.last().map(|folio| folio.state);
        if is_cut || page.next.is_none() {
            folios.truncate(MAX_EXPORTED_FOLIOS);
            return Ok(Export { folios, is_cut });
        }
    }
    Ok(Export { folios, is_cut: true })
}

fn file(kind: &'static str, name: &str, text: String, method: &Method) -> Response {
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CONTENT_DISPOSITION, attachment(name));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    if method == Method::HEAD {
        return headers.into_response();
    }
    (headers, text).into_response()
}

fn csv_text(l: PanelLang, export: &Export, zone: &TimeZone) -> String {
    let mut table = CsvTable::new();
    table.line(&[
        l.folio_id(),
        l.folios_name(),
        l.folios_state(),
        l.folio_dropped(),
        l.folios_created(),
        l.folio_updated(),
        l.folio_expires(),
        l.folios_signed(),
        l.folio_signers(),
    ]);
    let time = |at: Option<Timestamp>| at.map_or_else(String::new, |at| local(at, zone));
    for folio in &export.folios {
        let signers: Vec<String> = folio
            .signers
            .iter()
            .map(|signer| format!("{} ({})", signer.name, l.signer_did(signer.state)))
            .collect();
        let signed = folio
            .signers
            .iter()
            .filter(|signer| signer.state == SignerState::Signed);
        let dropped = if folio.dropped { l.yes() } else { l.no() };
        table.line(&[
            &folio.id.to_string(),
            &folio.name,
            l.folio_state_label(folio.state),
            dropped,
            &time(Some(folio.created_at)),
            &time(folio.updated_at),
            &time(folio.expires_at),
            &l.count_of(signed.count(), folio.signers.len()),
            &signers.join("; "),
        ]);
    }
    if export.is_cut {
        table.line(&[l.folios_export_cut(), "", "", "", "", "", "", "", ""]);
    }
    table.into_text()
}

fn local(at: Timestamp, zone: &TimeZone) -> String {
    let at = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or_default();
    at.to_zoned(zone.clone())
        .strftime("%Y-%m-%d %H:%M:%S%:z")
        .to_string()
}

fn json_of(folio: &ListedFolio) -> Value {
    let time = |at: Option<Timestamp>| {
        let at = jiff::Timestamp::from_microsecond(at?.as_micros()).ok()?;
        Some(at.to_string())
    };
    let state = |state| match state {
        SignerState::Pending => "pending",
        SignerState::Signed => "signed",
        SignerState::Rejected => "rejected",
    };
    let signers: Vec<Value> = folio
        .signers
        .iter()
        .map(|signer| {
            json!({
                "name": signer.name,
                "documentNumber": signer.document_number,
                "email": signer.email,
                "mobile": signer.mobile,
                "state": state(signer.state),
            })
        })
        .collect();
    json!({
        "folioId": folio.id.to_string(),
        "name": folio.name,
        "state": word(folio.state),
        "dropped": folio.dropped,
        "createdAt": time(Some(folio.created_at)),
        "updatedAt": time(folio.updated_at),
        "expiresAt": time(folio.expires_at),
        "signers": signers,
    })
}
