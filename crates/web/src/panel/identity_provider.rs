//! The company's identity provider, as its administrators set it, try it and turn it on.

use super::auth::{PanelRequest, RequireAdministrator};
use super::confirm::ConfirmPage;
use super::csrf_form::CsrfForm;
use super::layout::{PanelLayout, Section};
use crate::page::{FormFields, PageResult, PanelLang};
use app::Error;
use app::panel::Role;
use app::panel::identity_provider::{
    BadProvider, ProviderSettings, ProviderState, RoleGroups, Try, USUAL_SCOPES,
};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// Where the page is.
pub(crate) const PAGE: &str = "/panel/company/sign-in";
/// Lines of a list, and characters of a line.
const MAX_LINES: usize = 50;
const MAX_LINE: usize = 200;
const MAX_SECRET: usize = 1000;
const MAX_CLIENT_ID: usize = 255;
const MAX_SCOPES: usize = 500;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/identity_provider.html")]
pub(crate) struct ProviderPage {
    pub(crate) f: PanelLayout,
    pub(crate) state: Option<ProviderState>,
    /// Where the provider sends people back to, and where people sign in: once there is a provider.
    pub(crate) redirect: Option<String>,
    pub(crate) sign_in: Option<String>,
    pub(crate) typed: ProviderForm,
    pub(crate) wrong: ProviderErrors,
}

/// What came of a try.
#[derive(Debug, Template)]
#[template(path = "panel/identity_provider_tried.html")]
pub(crate) struct TriedPage {
    pub(crate) f: PanelLayout,
    pub(crate) tried: Try,
}

impl TriedPage {
    /// Why the person would not be let in.
    pub(crate) fn refusal(&self) -> Option<&'static str> {
        self.tried
            .refusal
            .as_ref()
            .map(|refusal| self.f.l.refusal(refusal))
    }

    /// The role that the person would have.
    pub(crate) fn role(&self) -> &'static str {
        let l = self.f.l;
        self.tried
            .role
            .map_or_else(|| l.tried_no_role(), |role| l.role(role))
    }

    /// Texts in a line, or what stands for none.
    pub(crate) fn line(&self, texts: &[String]) -> String {
        if texts.is_empty() {
            return self.f.l.provider_says_nothing().to_owned();
        }
        texts
            .iter()
            .take(MAX_LINES)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The fields of the form.
#[derive(Debug, Default, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "a form has as many boxes as it has")]
pub(crate) struct ProviderForm {
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    pub(crate) scopes: String,
    pub(crate) groups_claim: String,
    pub(crate) reader_groups: String,
    pub(crate) supervisor_groups: String,
    pub(crate) administrator_groups: String,
    pub(crate) email_domains: String,
    pub(crate) trusts_email: bool,
    pub(crate) creates_users: bool,
    pub(crate) required: bool,
}

/// The errors of the form.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ProviderErrors {
    pub(crate) issuer: Option<&'static str>,
    pub(crate) client_id: Option<&'static str>,
    pub(crate) secret: Option<&'static str>,
    pub(crate) scopes: Option<&'static str>,
    pub(crate) groups_claim: Option<&'static str>,
    pub(crate) groups: Option<&'static str>,
    pub(crate) email_domains: Option<&'static str>,
    pub(crate) creates_users: Option<&'static str>,
    pub(crate) state: Option<&'static str>,
}

/// The lines of a text, without blanks around them.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(str::to_owned).collect()
}

impl ProviderForm {
    fn of(state: Option<&ProviderState>) -> Self {
        let Some(ProviderState { settings, .. }) = state else {
            return Self {
                scopes: USUAL_SCOPES.to_owned(),
                groups_claim: "groups".to_owned(),
                ..Self::default()
            };
        };
        let groups = |role| settings.groups.of(role).join("\n");
        Self {
            issuer: settings.issuer.clone(),
            client_id: settings.client_id.clone(),
            scopes: settings.scopes.clone(),
            groups_claim: settings.groups_claim.clone(),
            reader_groups: groups(Role::Reader),
            supervisor_groups: groups(Role::Supervisor),
            administrator_groups: groups(Role::Administrator),
            email_domains: settings.email_domains.join("\n"),
            trusts_email: settings.trusts_email,
            creates_users: settings.creates_users,
            required: settings.required,
        }
    }

    fn read(form: &FormFields) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            issuer: text("issuer"),
            client_id: text("client_id"),
            scopes: text("scopes"),
            groups_claim: text("groups_claim"),
            reader_groups: text("reader_groups"),
            supervisor_groups: text("supervisor_groups"),
            administrator_groups: text("administrator_groups"),
            email_domains: text("email_domains"),
            trusts_email: form.has("trusts_email"),
            creates_users: form.has("creates_users"),
            required: form.has("required"),
        }
    }

    /// The settings of the form, or its errors.
    fn settings(&self, l: PanelLang) -> Result<ProviderSettings, Box<ProviderErrors>> {
        let mut wrong = ProviderErrors::default();
        let plain = |text: &str, max: usize| text.len() <= max && !text.chars().any(char::is_control);
        if self.issuer.is_empty() || self.issuer.contains(['?', '#']) || !plain(&self.issuer, 2048) {
            wrong.issuer = Some(l.issuer_malformed());
        }
        if self.client_id.is_empty() || !plain(&self.client_id, MAX_CLIENT_ID) {
            wrong.client_id = Some(l.client_id_malformed());
        }
        let mut scopes: Vec<&str> = self.scopes.split_whitespace().collect();
        if !scopes.contains(&"openid") {
            scopes.insert(0, "openid");
        }
        let scopes = scopes.join(" ");
        if scopes.len() > MAX_SCOPES || scopes.contains(['"', '\\']) {
            wrong.scopes = Some(l.scopes_malformed());
        }
        let groups = RoleGroups {
            reader: lines(&self.reader_groups),
            supervisor: lines(&self.supervisor_groups),
            administrator: lines(&self.administrator_groups),
        };
        let too_much = |lines: &Vec<String>| {
            lines.len() > MAX_LINES || lines.iter().any(|line| line.chars().count() > MAX_LINE)
        };
        if Role::ALL.iter().any(|role| too_much(groups.of(*role))) {
            wrong.groups = Some(l.groups_malformed());
        }
        if !plain(&self.groups_claim, MAX_LINE) || self.groups_claim.is_empty() && !groups.is_empty() {
            wrong.groups_claim = Some(l.groups_claim_malformed());
        }
        if self.creates_users && groups.is_empty() {
            wrong.creates_users = Some(l.creates_users_without_groups());
        }
        let domains: Vec<String> = self
            .email_domains
            .split_whitespace()
            .map(|domain| domain.trim_start_matches('@').to_lowercase())
            .collect();
        let is_domain = |domain: &String| {
            let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
            domain.contains('.') && domain.len() <= MAX_LINE && domain.chars().all(plain)
        };
        if domains.len() > MAX_LINES || !domains.iter().all(is_domain) {
            wrong.email_domains = Some(l.email_domains_malformed());
        }
        if wrong != ProviderErrors::default() {
            return Err(Box::new(wrong));
        }
        Ok(ProviderSettings {
            issuer: self.issuer.clone(),
            client_id: self.client_id.clone(),
            scopes,
            groups_claim: self.groups_claim.clone(),
            groups,
            email_domains: domains,
            trusts_email: self.trusts_email,
            creates_users: self.creates_users,
            required: self.required,
        })
    }
}

async fn load_page(
    request: &PanelRequest,
    typed: Option<ProviderForm>,
    wrong: ProviderErrors,
) -> Result<ProviderPage, Error> {
    let app = &request.web.app;
    let state = app.identity_provider(request.user().company).await?;
    Ok(ProviderPage {
        f: request.frame(Section::Company),
        redirect: state.as_ref().map(|state| app.redirect_address(state.id)),
        sign_in: state.as_ref().map(|state| app.sign_in_address(state.id)),
        typed: typed.unwrap_or_else(|| ProviderForm::of(state.as_ref())),
        state,
        wrong,
    })
}

/// `GET /panel/company/sign-in`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let l = request.l;
    let notice = match request.done().as_deref() {
        Some("saved") => Some(l.provider_saved()),
        Some("on") => Some(l.provider_turned_on()),
        Some("off") => Some(l.provider_turned_off()),
        Some("removed") => Some(l.provider_removed()),
        _ => None,
    };
    let page = load_page(&request, None, ProviderErrors::default()).await;
    let page = page.map_err(|error| request.error_page(error))?;
    Ok(request.page(&ProviderPage {
        f: page.f.with_notice(notice),
        ..page
    }))
}

async fn with_errors(
    request: &PanelRequest,
    typed: Option<ProviderForm>,
    wrong: ProviderErrors,
) -> PageResult {
    let page = load_page(request, typed, wrong).await;
    let page = page.map_err(|error| request.error_page(error))?;
    Ok(request.page_with_errors(&page))
}

/// `POST /panel/company/sign-in`.
pub(crate) async fn save(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let (l, typed) = (request.l, ProviderForm::read(&form));
    let settings = match typed.settings(l) {
        Ok(settings) => settings,
        Err(wrong) => return with_errors(&request, Some(typed), *wrong).await,
    };
    let mut wrong = ProviderErrors::default();
    let secret = Some(form.get("secret").trim().to_owned()).filter(|secret| !secret.is_empty());
    if secret.as_ref().is_some_and(|secret| secret.len() > MAX_SECRET) {
        wrong.secret = Some(l.secret_malformed());
        return with_errors(&request, Some(typed), wrong).await;
    }
    let app = &request.web.app;
    let kept = app.set_identity_provider(request.actor(), settings, secret).await;
    match kept.map_err(|error| request.error_page(error))? {
        Ok(()) => return Ok(request.redirect(&format!("{PAGE}?done=saved"))),
        Err(BadProvider::Issuer(_)) => wrong.issuer = Some(l.issuer_malformed()),
        Err(BadProvider::SecretNeeded | BadProvider::Untried) => wrong.secret = Some(l.secret_needed()),
    }
    with_errors(&request, Some(typed), wrong).await
}

/// `POST /panel/company/sign-in/on`.
pub(crate) async fn turn_on(RequireAdministrator(request): RequireAdministrator, _: CsrfForm) -> PageResult {
    let app = &request.web.app;
    let done = app.enable_identity_provider(request.actor(), true).await;
    match done {
        Ok(Ok(())) => Ok(request.redirect(&format!("{PAGE}?done=on"))),
        // Another administrator has removed it.
        Err(Error::NotFound) => Ok(request.redirect(PAGE)),
        Err(error) => Err(request.error_page(error).into()),
        Ok(Err(_)) => {
            let wrong = ProviderErrors {
                state: Some(request.l.provider_untried()),
                ..ProviderErrors::default()
            };
            with_errors(&request, None, wrong).await
        }
    }
}

/// `POST /panel/company/sign-in/off`.
pub(crate) async fn turn_off(RequireAdministrator(request): RequireAdministrator, _: CsrfForm) -> PageResult {
    let app = &request.web.app;
    let done = app.enable_identity_provider(request.actor(), false).await;
    match done {
        // Turning off is always possible.
        Ok(_) => Ok(request.redirect(&format!("{PAGE}?done=off"))),
        Err(Error::NotFound) => Ok(request.redirect(PAGE)),
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// `POST /panel/company/sign-in/remove`: asks first.
pub(crate) async fn remove(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let (l, app) = (request.l, &request.web.app);
    if form.get("sure").is_empty() {
        let state = app.identity_provider(request.user().company).await;
        let state = state.map_err(|error| request.error_page(error))?;
        let Some(state) = state else {
            return Ok(request.redirect(PAGE));
        };
        return Ok(request.page(&ConfirmPage {
            f: request.frame(Section::Company),
            title: l.provider_remove_title().to_owned(),
            lead: l.provider_remove_lead().to_owned(),
            lasting: true,
            about: vec![state.settings.issuer],
            action: format!("{PAGE}/remove"),
            fields: vec![("sure", "yes".to_owned())],
            button: l.provider_remove().to_owned(),
            back: PAGE.to_owned(),
        }));
    }
    let removed = app.remove_identity_provider(request.actor()).await;
    match removed {
        Ok(()) => Ok(request.redirect(&format!("{PAGE}?done=removed"))),
        Err(Error::NotFound) => Ok(request.redirect(PAGE)),
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// What came of a try.
pub(super) fn tried_page(f: PanelLayout, tried: Try) -> Response {
    let f = PanelLayout {
        here: Section::Company,
        ..f
    };
    super::layout::render_page(StatusCode::OK, &TriedPage { f, tried })
}

/// The pages with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{NOW, frame, sample};
    use app::panel::identity_provider::{Person, ProviderRefusal};
    let f = || frame(l, Section::Company, Role::Administrator);
    let settings = ProviderSettings {
        issuer: "https://id.losandes.example/realms/empresa".to_owned(),
        client_id: "firmeza".to_owned(),
        scopes: USUAL_SCOPES.to_owned(),
        groups_claim: "groups".to_owned(),
        groups: RoleGroups {
            reader: vec!["firmas-consulta".to_owned()],
            supervisor: vec!["firmas-supervision".to_owned()],
            administrator: vec!["firmas-administracion".to_owned()],
        },
        email_domains: vec!["losandes.example".to_owned()],
        creates_users: true,
        ..ProviderSettings::default()
    };
    let state = ProviderState {
        id: domain::ProviderId::from_bytes([7; 16]),
        settings,
        has_secret: true,
        tried_at: Some(NOW),
        enabled_at: Some(NOW),
    };
    let page = |state: Option<ProviderState>, wrong: ProviderErrors| ProviderPage {
        f: f(),
        redirect: state
            .as_ref()
            .map(|_| "https://firmas.losandes.example/panel/sign-in/with/0707/callback".to_owned()),
        sign_in: state
            .as_ref()
            .map(|_| "https://firmas.losandes.example/panel/sign-in?company=0707".to_owned()),
        typed: ProviderForm::of(state.as_ref()),
        state,
        wrong,
    };
    let wrong = ProviderErrors {
        issuer: Some(l.issuer_malformed()),
        secret: Some(l.secret_needed()),
        creates_users: Some(l.creates_users_without_groups()),
        ..ProviderErrors::default()
    };
    let tried = |refusal: Option<ProviderRefusal>| TriedPage {
        f: f(),
        tried: Try {
            person: Person {
                subject: "248289761001".to_owned(),
                email: Some("luisa.gomez@losandes.example".to_owned()),
                email_verified: Some(true),
                name: Some("Luisa Fernanda Gómez".to_owned()),
                groups: vec!["todos".to_owned(), "firmas-administracion".to_owned()],
                too_many_groups: false,
                methods: vec!["pwd".to_owned(), "otp".to_owned()],
            },
            role: refusal.is_none().then_some(Role::Administrator),
            refusal,
        },
    };
    vec![
        sample(l, "provider", &page(Some(state), ProviderErrors::default())),
        sample(l, "provider-wrong", &page(None, wrong)),
        sample(l, "provider-tried", &tried(None)),
        sample(
            l,
            "provider-tried-no-group",
            &tried(Some(ProviderRefusal::NoGroup)),
        ),
    ]
}
