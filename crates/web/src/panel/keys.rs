//! API keys: made, shown once, replaced with an overlap, revoked.

use super::auth::{PanelRequest, RequireAdministrator};
use super::confirm::ConfirmPage;
use super::csrf_form::CsrfForm;
use super::layout::{PanelLayout, Section};
use super::pagination::Pagination;
use crate::page::{PageError, PageResult, PanelLang};
use app::Error;
use app::operator::keys::{KeyRequest, is_label};
use app::panel::is_live;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use domain::{KeyId, Permission, Permissions, Timestamp};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::time::Duration;
use store::KeyInfo;

/// Hours for which the old key may still work, as they are offered.
const OVERLAP_HOURS: [u64; 4] = [1, 24, 72, 168];
/// How long revoked and expired keys are listed.
const ENDED_KEY_SHOWN_FOR: Duration = Duration::from_hours(24 * 90);

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/keys.html")]
pub(crate) struct KeysPage {
    pub(crate) f: PanelLayout,
    pub(crate) keys: Vec<KeyInfo>,
    pub(crate) pagination: Pagination,
    pub(crate) typed: KeyForm,
}

/// The form of a new key, and its errors.
#[derive(Debug)]
pub(crate) struct KeyForm {
    pub(crate) label: String,
    /// The ticked permissions; `None` if there is none.
    pub(crate) permissions: Option<Permissions>,
    pub(crate) expires: String,
    pub(crate) label_error: Option<&'static str>,
    pub(crate) permissions_error: Option<&'static str>,
    pub(crate) expires_error: Option<&'static str>,
}

impl Default for KeyForm {
    fn default() -> Self {
        Self {
            label: String::new(),
            permissions: Some(Permissions::ALL),
            expires: String::new(),
            label_error: None,
            permissions_error: None,
            expires_error: None,
        }
    }
}

impl KeyForm {
    /// The boxes of the permissions, and whether each is ticked.
    pub(crate) fn boxes(&self) -> [(Permission, bool); 5] {
        let ticked = |permission| self.permissions.is_some_and(|chosen| chosen.allow(permission));
        Permission::ALL.map(|permission| (permission, ticked(permission)))
    }

    /// An empty form with the error that the company has the maximum of keys.
    fn full(l: PanelLang) -> Self {
        Self {
            label_error: Some(l.keys_full()),
            ..Self::default()
        }
    }
}

/// The page that shows a new key, once.
#[derive(Debug, Template)]
#[template(path = "panel/key.html")]
pub(crate) struct KeyPage {
    pub(crate) f: PanelLayout,
    pub(crate) key: String,
    pub(crate) permissions: Permissions,
    /// A line to try it with: it creates a folio, if the key may.
    pub(crate) line: Option<String>,
    pub(crate) ends: Option<Timestamp>,
}

/// The page that asks how long the old key may still work, and until when the new one does.
#[derive(Debug, Template)]
#[template(path = "panel/key_rotate.html")]
pub(crate) struct RotatePage {
    pub(crate) f: PanelLayout,
    pub(crate) key: KeyInfo,
    /// Hours for which the old key may still work.
    pub(crate) hours: u64,
    pub(crate) expires: String,
    pub(crate) error: Option<&'static str>,
}

impl RotatePage {
    fn of(request: &PanelRequest, key: KeyInfo) -> Self {
        Self {
            f: request.frame(Section::Keys),
            key,
            hours: OVERLAP_HOURS[1],
            expires: String::new(),
            error: None,
        }
    }

    pub(crate) fn overlaps(&self) -> [(u64, &'static str, bool); 4] {
        let offered = self.f.l.overlaps();
        offered.map(|(hours, words)| (hours, words, hours == self.hours))
    }
}

/// `GET /panel/keys`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let notice = request.done().map(|_| request.l.key_revoked());
    let page = load_page(&request, KeyForm::default())
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&KeysPage {
        f: page.f.with_notice(notice),
        ..page
    }))
}

async fn load_page(request: &PanelRequest, typed: KeyForm) -> Result<KeysPage, Error> {
    let f = request.frame(Section::Keys);
    let since = f.now.before(ENDED_KEY_SHOWN_FOR);
    let over = |key: &KeyInfo| key.revoked_at.or(key.expires_at);
    let mut keys = request.web.app.company_keys(request.user().company).await?;
    keys.retain(|key| is_live(key, f.now) || over(key).is_some_and(|at| at > since));
    keys.sort_by_key(|key| (!is_live(key, f.now), std::cmp::Reverse(key.created_at)));
    let pagination = Pagination::take(&mut keys, request.query("page").as_deref());
    Ok(KeysPage {
        f,
        keys,
        pagination,
        typed,
    })
}

/// `POST /panel/keys`.
pub(crate) async fn make(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let l = request.l;
    let mut typed = KeyForm {
        label: form.get("label").trim().to_owned(),
        permissions: Permissions::new(form.all("permission").filter_map(Permission::from_word)),
        expires: form.get("expires").to_owned(),
        ..KeyForm::default()
    };
    if typed.label.is_empty() || !is_label(&typed.label) {
        typed.label_error = Some(l.key_label_malformed());
    }
    if typed.permissions.is_none() {
        typed.permissions_error = Some(l.key_permissions_missing());
    }
    let expires = read_end(&request, &typed.expires);
    typed.expires_error = expires.err();
    if let (Some(permissions), Ok(expires_at), None) = (typed.permissions, expires, typed.label_error) {
        let new = KeyRequest {
            label: typed.label.clone(),
            permissions,
            expires_at,
        };
        let issued = request.web.app.make_key(request.actor(), new).await;
        match issued.map_err(|error| request.error_page(error))? {
            Some(issued) => return Ok(show(&request, issued.key.reveal(), permissions, expires_at)),
            None => typed.label_error = Some(l.keys_full()),
        }
    }
    let page = load_page(&request, typed)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

/// The expiry of a key, or the error in its field.
fn read_end(request: &PanelRequest, day: &str) -> Result<Option<Timestamp>, &'static str> {
    let now = request.web.app.clock.now();
    match end_of(day, &request.zone) {
        Ok(end) if end.is_none_or(|end| end > now) => Ok(end),
        _ => Err(request.l.key_expires_malformed()),
    }
}

/// The end of that day, if one is given.
fn end_of(day: &str, zone: &TimeZone) -> Result<Option<Timestamp>, jiff::Error> {
    if day.trim().is_empty() {
        return Ok(None);
    }
    let end = day
        .parse::<Date>()?
        .tomorrow()?
        .to_zoned(zone.clone())?
        .timestamp();
    Ok(Some(Timestamp::from_micros(end.as_microsecond())))
}

/// `GET /panel/keys/{key}/rotate`.
pub(crate) async fn rotate_page(
    RequireAdministrator(request): RequireAdministrator,
    Path(key): Path<String>,
) -> PageResult {
    let key = live(&request, &key).await?;
    Ok(request.page(&RotatePage::of(&request, key)))
}

/// `POST /panel/keys/{key}/rotate`.
pub(crate) async fn rotate(
    RequireAdministrator(request): RequireAdministrator,
    Path(key): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let key = live(&request, &key).await?;
    let hours = form
        .get("hours")
        .parse()
        .ok()
        .filter(|hours| OVERLAP_HOURS.contains(hours));
    let hours = hours.unwrap_or(OVERLAP_HOURS[1]);
    let expires = match read_end(&request, form.get("expires")) {
        Ok(expires) => expires,
        Err(error) => {
            return Ok(request.page_with_errors(&RotatePage {
                hours,
                expires: form.get("expires").to_owned(),
                error: Some(error),
                ..RotatePage::of(&request, key)
            }));
        }
    };
    let (app, overlap) = (&request.web.app, Duration::from_hours(hours));
    let issued = app.rotate_key(request.actor(), key.id, overlap, expires).await;
    if let Some(issued) = issued.map_err(|error| request.error_page(error))? {
        return Ok(show(&request, issued.key.reveal(), key.permissions, expires));
    }
    let page = load_page(&request, KeyForm::full(request.l)).await;
    let page = page.map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

/// `POST /panel/keys/{key}/revoke`: asks first.
pub(crate) async fn revoke(
    RequireAdministrator(request): RequireAdministrator,
    Path(key): Path<String>,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let key = live(&request, &key).await?;
    let l = request.l;
    if form.get("sure").is_empty() {
        return Ok(request.page(&ConfirmPage {
            f: request.frame(Section::Keys),
            title: l.key_revoke_title().to_owned(),
            lead: l.key_revoke_lead().to_owned(),
            lasting: true,
            about: vec![key.label.clone(), key.hint.clone()],
            action: format!("/panel/keys/{}/revoke", key.id),
            fields: vec![("sure", "yes".to_owned())],
            button: l.key_revoke().to_owned(),
            back: "/panel/keys".to_owned(),
        }));
    }
    request
        .web
        .app
        .revoke_company_key(request.actor(), key.id)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.redirect("/panel/keys?done=revoked"))
}

/// A key of the company that works.
async fn live(request: &PanelRequest, key: &str) -> Result<KeyInfo, PageError> {
    let not_found = || request.error_page(Error::NotFound);
    let id = key.parse::<KeyId>().map_err(|_| not_found())?;
    let key = request.web.app.company_key(request.user().company, id).await;
    let key = key.map_err(|error| request.error_page(error))?;
    if !is_live(&key, request.web.app.clock.now()) {
        return Err(not_found().into());
    }
    Ok(key)
}

/// Shows the key once: it is stored as a hash, and reloading the page creates another.
fn show(request: &PanelRequest, key: &str, permissions: Permissions, ends: Option<Timestamp>) -> Response {
    let base = &request.web.settings.base_url;
    request.page(&KeyPage {
        f: request.frame(Section::Keys),
        key: key.to_owned(),
        permissions,
        line: permissions.allow(Permission::Create).then(|| line(base, key)),
        ends,
    })
}

/// What creates a folio out of a `contrato.pdf`, once it is pasted.
fn line(base: &str, key: &str) -> String {
    format!(
        r#"curl -s '{base}/api/integrations/sign' \
  -H 'x-api-key: Bearer {key}' \
  -F 'signers=[{{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1020304050","cellPhoneNumber":"3001234567"}}]' \
  -F 'folioName=Mi primer folio' -F 'folioMessage=Por favor firme el contrato.' \
  -F signatureType=1 -F urlReturn=https://example.com/gracias -F fileType=file -F sendEmail=true \
  -F 'documents[]=@contrato.pdf;type=application/pdf'"#
    )
}

impl PanelLang {
    /// The permissions of a key, by their names.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn permissions(self, permissions: &Permissions) -> String {
        if *permissions == Permissions::ALL {
            return self.key_permissions_all().to_owned();
        }
        let names: Vec<&str> = permissions
            .iter()
            .map(|permission| self.permission(&permission).0)
            .collect();
        names.join(", ")
    }

    /// The name of a permission, and what it is for.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) const fn permission(self, permission: &Permission) -> (&'static str, &'static str) {
        match permission {
            Permission::Create => (self.permission_create(), self.permission_create_lead()),
            Permission::Read => (self.permission_read(), self.permission_read_lead()),
            Permission::Download => (self.permission_download(), self.permission_download_lead()),
            Permission::Act => (self.permission_act(), self.permission_act_lead()),
            Permission::Evidence => (self.permission_evidence(), self.permission_evidence_lead()),
        }
    }

    /// The state of a key: an icon and a word.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn key_state_label(self, key: &KeyInfo, now: &Timestamp) -> (&'static str, &'static str) {
        if key.revoked_at.is_some() {
            ("bad", self.key_state_revoked())
        } else if is_live(key, *now) {
            ("good", self.key_state_live())
        } else {
            ("over", self.key_state_expired())
        }
    }
}

/// The pages with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{NOW, frame, sample};
    let f = || frame(l, Section::Keys, app::panel::Role::Administrator);
    let key = |id: u8, label: &str| KeyInfo {
        id: KeyId::from_bytes([id; 16]),
        company: "Inmobiliaria Los Andes S.A.S.".to_owned(),
        label: label.to_owned(),
        hint: "firmeza_Zk3v…1b2c".to_owned(),
        permissions: Permissions::new(Permission::ALL.into_iter().skip(usize::from(id) - 1))
            .unwrap_or(Permissions::ALL),
        created_at: NOW.before(Duration::from_hours(24 * 40)),
        expires_at: (id != 1).then(|| NOW.after(Duration::from_hours(30))),
        last_used_at: (id == 1).then(|| NOW.before(Duration::from_mins(12))),
        revoked_at: (id == 3).then_some(NOW),
    };
    let page = |keys: Vec<KeyInfo>, typed: KeyForm| KeysPage {
        f: f(),
        keys,
        pagination: Pagination { here: 1, last: 1 },
        typed,
    };
    let wrong = KeyForm {
        expires: "2020-01-01".to_owned(),
        permissions: None,
        label_error: Some(l.key_label_malformed()),
        permissions_error: Some(l.key_permissions_missing()),
        expires_error: Some(l.key_expires_malformed()),
        ..KeyForm::default()
    };
    let text = "firmeza_Zk3v9QeR7mT2bX8nL5cW1yH4uJ6pA0sDfGqE9rBtYiO0a1b2c";
    let shown = KeyPage {
        f: f(),
        key: text.to_owned(),
        permissions: Permissions::ALL,
        line: Some(line("https://firmas.losandes.example", text)),
        ends: Some(NOW.after(Duration::from_hours(24 * 90))),
    };
    let rotate = RotatePage {
        f: f(),
        key: key(1, "Sistema de nómina"),
        hours: OVERLAP_HOURS[0],
        expires: "2020-01-01".to_owned(),
        error: Some(l.key_expires_malformed()),
    };
    let keys = vec![
        key(1, "Sistema de nómina"),
        key(2, "Portal de clientes"),
        key(3, "Pruebas"),
    ];
    vec![
        sample(l, "keys", &page(keys, KeyForm::default())),
        sample(l, "keys-none", &page(Vec::new(), wrong)),
        sample(l, "key", &shown),
        sample(l, "key-rotate", &rotate),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_works_until_the_end_of_its_last_day() {
        let bogota = TimeZone::get("America/Bogota").unwrap();
        let end = end_of("2027-01-31", &bogota).unwrap().unwrap();
        assert_eq!(end.as_micros(), 1_801_458_000_000_000);
        assert_eq!(end_of(" ", &bogota).unwrap(), None);
        assert!(end_of("mañana", &bogota).is_err());
    }
}
