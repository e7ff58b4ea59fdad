//! The layout of the panel's pages: the signed-in user, the current section, the navigation.

use crate::assets::{PANEL_SCRIPT, PANEL_STYLE, STYLE};
use crate::page::{Embedding, PanelLang};
use app::panel::{PanelSession, Role};
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, REFERRER_POLICY};
use axum::response::Response;
use domain::Timestamp;
use jiff::tz::TimeZone;
use std::net::IpAddr;

/// The frame of a page.
#[derive(Debug, Clone)]
pub(crate) struct PanelLayout {
    pub(crate) l: PanelLang,
    /// Who is signed in.
    pub(crate) user: Option<LayoutUser>,
    pub(crate) here: Section,
    /// The page that the language switch returns to.
    pub(crate) back: String,
    /// The notice about the act that redirected here.
    pub(crate) notice: Option<String>,
    /// The form that undoes it.
    pub(crate) undo: Option<Undo>,
    /// Whether times are shown to the second, with their zone.
    pub(crate) exact: bool,
    /// An untrusted proxy that hides clients' addresses; shown to administrators.
    pub(crate) unlisted_proxy: Option<IpAddr>,
    /// Whether to warn that the installation stamps the time itself.
    pub(crate) own_timestamps: bool,
    pub(crate) now: Timestamp,
    pub(crate) zone: TimeZone,
}

/// The form that undoes the last act.
#[derive(Debug, Clone)]
pub(crate) struct Undo {
    /// Where it goes.
    pub(crate) action: String,
    /// Its fields besides the CSRF token.
    pub(crate) fields: Vec<(&'static str, String)>,
    /// The label of its button, with the user's name.
    pub(crate) button: String,
}

/// Who is signed in, as pages show it.
#[derive(Debug, Clone)]
pub(crate) struct LayoutUser {
    pub(crate) company: String,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) role: Role,
    /// The CSRF token.
    pub(crate) csrf: String,
    /// Whether the company approves signed folios.
    pub(crate) approval: bool,
    /// Whether a second factor is to be set up before anything else.
    pub(crate) lacks_second_factor: bool,
}

/// The pages that navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Folios,
    Approvals,
    Overview,
    Keys,
    Company,
    Users,
    Webhooks,
    Audit,
    Account,
    /// None of them.
    Nowhere,
}

/// A line of the navigation.
#[derive(Debug)]
pub(crate) struct NavLink {
    pub(crate) section: Section,
    pub(crate) address: &'static str,
    pub(crate) label: &'static str,
    /// The role that it requires.
    required_role: Role,
}

impl PanelLayout {
    pub(crate) fn new(l: PanelLang, here: Section, now: Timestamp) -> Self {
        Self {
            l,
            user: None,
            here,
            back: String::new(),
            notice: None,
            undo: None,
            exact: false,
            unlisted_proxy: None,
            own_timestamps: false,
            now,
            zone: TimeZone::UTC,
        }
    }

    /// The same for a signed-in user.
    pub(crate) fn with(self, signed: &PanelSession) -> Self {
        let user = LayoutUser {
            company: signed.company.name.clone(),
            name: signed.user.name.clone(),
            email: signed.user.email.clone(),
            role: signed.user.role,
            csrf: signed.csrf.clone(),
            approval: signed.company.approval,
            lacks_second_factor: signed.lacks_second_factor,
        };
        Self {
            user: Some(user),
            ..self
        }
    }

    /// The same with a notice about the last act.
    #[must_use]
    pub(crate) fn with_notice(self, notice: Option<impl Into<String>>) -> Self {
        Self {
            notice: notice.map(Into::into),
            ..self
        }
    }

    /// The navigation of this user. A new page adds a line here and a [`Section`].
    pub(crate) fn nav_links(&self) -> Vec<NavLink> {
        let l = self.l;
        let all = [
            (Section::Folios, "/panel/folios", l.nav_folios(), Role::Reader),
            (
                Section::Approvals,
                "/panel/approvals",
                l.nav_approvals(),
                Role::Supervisor,
            ),
            (
                Section::Overview,
                "/panel/overview",
                l.nav_overview(),
                Role::Reader,
            ),
            (Section::Keys, "/panel/keys", l.nav_keys(), Role::Administrator),
            (
                Section::Webhooks,
                "/panel/webhooks",
                l.webhooks_title(),
                Role::Administrator,
            ),
            (
                Section::Company,
                "/panel/company",
                l.nav_company(),
                Role::Administrator,
            ),
            (Section::Users, "/panel/users", l.nav_users(), Role::Administrator),
            (Section::Audit, "/panel/audit", l.nav_audit(), Role::Administrator),
            (Section::Account, "/panel/account", l.nav_account(), Role::Reader),
        ];
        let user = self.user.as_ref();
        let Some(user) = user.filter(|user| !user.lacks_second_factor) else {
            return Vec::new();
        };
        let link = |(section, address, label, required_role)| NavLink {
            section,
            address,
            label,
            required_role,
        };
        all.into_iter()
            .map(link)
            .filter(|link| link.required_role <= user.role)
            .filter(|link| link.section != Section::Approvals || user.approval)
            .collect()
    }

    /// The CSRF token.
    pub(crate) fn csrf(&self) -> &str {
        self.user.as_ref().map_or("", |user| user.csrf.as_str())
    }

    /// Where the language switch goes: what a user chooses is kept with the user.
    pub(crate) const fn language_form(&self) -> &'static str {
        if self.user.is_some() {
            "/panel/account/language"
        } else {
            "/panel/language"
        }
    }

    /// The guide for integrators, in the language of the page.
    pub(crate) const fn guide(&self) -> &'static str {
        match self.l {
            PanelLang::Es => "/docs",
            PanelLang::En => "/docs/en",
        }
    }

    #[allow(clippy::unused_self, reason = "templates ask the frame")]
    pub(crate) fn styles(&self) -> [&'static str; 2] {
        [&STYLE.address, &PANEL_STYLE.address]
    }

    #[allow(clippy::unused_self, reason = "templates ask the frame")]
    pub(crate) fn script(&self) -> &'static str {
        &PANEL_SCRIPT.address
    }

    /// "hace 3 horas".
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn ago(&self, at: &Timestamp) -> String {
        self.l.ago(*at, self.now)
    }

    /// The exact time, for people.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn date(&self, at: &Timestamp) -> String {
        self.l.date(*at, &self.zone)
    }

    /// The time to the second with its zone.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "templates hand out references")]
    pub(crate) fn seconds(&self, at: &Timestamp) -> String {
        let at = jiff::Timestamp::from_microsecond(at.as_micros());
        let at = at.map(|at| at.to_zoned(self.zone.clone()));
        at.map_or_else(
            |_| String::new(),
            |at| at.strftime("%Y-%m-%d %H:%M:%S %:z").to_string(),
        )
    }

    /// The exact time, for programs.
    #[allow(
        clippy::unused_self,
        clippy::trivially_copy_pass_by_ref,
        reason = "templates ask the frame, and hand out references"
    )]
    pub(crate) fn iso(&self, at: &Timestamp) -> String {
        jiff::Timestamp::from_microsecond(at.as_micros()).map_or_else(|_| String::new(), |at| at.to_string())
    }
}

/// Renders a page. Forms need their origin, so the referrer is sent to this service itself.
pub(crate) fn render_page(status: StatusCode, page: &impl Template) -> Response {
    let mut response = crate::page::render_page(status, page, &Embedding::default());
    let own = HeaderValue::from_static("same-origin");
    response.headers_mut().insert(REFERRER_POLICY, own);
    response
}
