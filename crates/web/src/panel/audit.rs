//! What users did in the panel, newest first: looked through, and taken away as a file.

use super::auth::{PanelRequest, RequireAdministrator};
use super::csv::CsvTable;
use super::layout::{PanelLayout, Section};
use crate::http::conditional::attachment;
use crate::page::{Embedding, PageResult, PanelLang, headers};
use app::Error;
use app::panel::{AuditAct, Member, OPERATOR, Role};
use askama::Template;
use axum::http::Method;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::response::IntoResponse;
use domain::limits::EMAIL;
use domain::{Permission, Timestamp};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::{ActFilter, AuditEntry, AuditPosition, AuditRow};

/// Acts on a page.
const ROWS_PER_PAGE: usize = 50;
/// Acts in a file.
const MAX_EXPORTED_ROWS: usize = 10_000;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/audit.html")]
pub(crate) struct AuditPage {
    pub(crate) f: PanelLayout,
    pub(crate) query: AuditQuery,
    /// The users to filter by: address and name.
    pub(crate) people: Vec<(String, String)>,
    pub(crate) acts: Vec<AuditEntry>,
    /// The address of the first page, if this is another.
    pub(crate) first: Option<String>,
    /// The address of the next page.
    pub(crate) next: Option<String>,
    /// The address of the file.
    pub(crate) export: String,
}

/// The filter of the request.
#[derive(Debug, Clone, Default)]
pub(crate) struct AuditQuery {
    pub(crate) who: String,
    pub(crate) what: Option<AuditAct>,
    pub(crate) from: Option<Date>,
    pub(crate) to: Option<Date>,
}

impl AuditQuery {
    fn of(request: &PanelRequest) -> Self {
        let text = |name| request.query(name).unwrap_or_default();
        let typed = text("who");
        let who: String = typed
            .trim()
            .chars()
            .filter(|c| !c.is_control())
            .take(EMAIL)
            .collect();
        Self {
            who: who.to_lowercase(),
            what: AuditAct::from_word(&text("what")),
            from: text("from").parse().ok(),
            to: text("to").parse().ok(),
        }
    }

    fn filter(&self, zone: &TimeZone) -> ActFilter {
        let begins = |date: Date| {
            let zoned = date.to_zoned(zone.clone()).ok()?;
            Some(Timestamp::from_micros(zoned.timestamp().as_microsecond()))
        };
        ActFilter {
            who: Some(self.who.clone()).filter(|who| !who.is_empty()),
            what: self.what.map(|act| act.word().to_owned()),
            from: self.from.and_then(begins),
            until: self.to.and_then(|date| date.tomorrow().ok()).and_then(begins),
        }
    }

    /// The address of that path with the same filter, from a position on.
    fn address(&self, path: &str, before: Option<AuditPosition>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !self.who.is_empty() {
            query.append_pair("who", &self.who);
        }
        if let Some(act) = self.what {
            query.append_pair("what", act.word());
        }
        for (name, date) in [("from", self.from), ("to", self.to)] {
            if let Some(date) = date {
                query.append_pair(name, &date.to_string());
            }
        }
        if let Some(before) = before {
            query.append_pair("before", &format!("{}-{}", before.at.as_micros(), before.seq));
        }
        let query = query.finish();
        let question = if query.is_empty() { "" } else { "?" };
        format!("{path}{question}{query}")
    }

    /// Whether the filter has any condition.
    pub(crate) fn is_narrow(&self) -> bool {
        !self.who.is_empty() || self.what.is_some() || self.from.is_some() || self.to.is_some()
    }

    /// The days as fields show them.
    pub(crate) fn days(&self) -> (String, String) {
        let day = |date: Option<Date>| date.map_or_else(String::new, |date| date.to_string());
        (day(self.from), day(self.to))
    }
}

/// A position as an address carries it.
fn position(text: &str) -> Option<AuditPosition> {
    let (at, seq) = text.split_once('-')?;
    Some(AuditPosition {
        at: Timestamp::from_micros(at.parse().ok()?),
        seq: seq.parse().ok()?,
    })
}

impl AuditPage {
    /// The kinds to choose from: word, name, and whether it is the chosen one.
    pub(crate) fn kinds(&self) -> Vec<(&'static str, &str, bool)> {
        let mut kinds: Vec<_> = AuditAct::ALL
            .into_iter()
            .map(|act| (act.word(), self.f.l.act(act.word()), self.query.what == Some(act)))
            .collect();
        kinds.sort_by_key(|(_, name, _)| *name);
        kinds
    }
}

/// `GET /panel/audit`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let page = load_page(&request)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&page))
}

async fn load_page(request: &PanelRequest) -> Result<AuditPage, Error> {
    let (app, company) = (&request.web.app, request.user().company);
    let query = AuditQuery::of(request);
    let before = request.query("before").and_then(|text| position(&text));
    let mut acts = app
        .acts(company, query.filter(&request.zone), before, ROWS_PER_PAGE + 1)
        .await?;
    let more = acts.len() > ROWS_PER_PAGE;
    acts.truncate(ROWS_PER_PAGE);
    let members = app.members(company).await?;
    let last = acts.last().filter(|_| more).map(AuditEntry::position);
    Ok(AuditPage {
        f: request.frame(Section::Audit),
        people: people(request.l, members),
        first: before.map(|_| query.address("/panel/audit", None)),
        next: last.map(|last| query.address("/panel/audit", Some(last))),
        export: query.address("/panel/audit.csv", None),
        acts,
        query,
    })
}

/// The company's users and the operator, as the form offers them.
fn people(l: PanelLang, members: Vec<Member>) -> Vec<(String, String)> {
    let mut people: Vec<_> = members
        .into_iter()
        .map(|member| (member.email.clone(), member.email))
        .collect();
    people.push((OPERATOR.to_owned(), l.operator().to_owned()));
    people
}

/// `GET /panel/audit.csv`: the same as a file, as far as it goes.
pub(crate) async fn export(
    RequireAdministrator(request): RequireAdministrator,
    method: Method,
) -> PageResult {
    let filter = AuditQuery::of(&request).filter(&request.zone);
    let acts = request
        .web
        .app
        .acts(request.user().company, filter, None, MAX_EXPORTED_ROWS + 1);
    let acts = acts.await.map_err(|error| request.error_page(error))?;
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(CONTENT_DISPOSITION, attachment("auditoria.csv"));
    let text = csv(request.l, &acts, &request.zone);
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    if method == Method::HEAD {
        return Ok(headers.into_response());
    }
    Ok((headers, text).into_response())
}

/// The acts as a table, the newest first.
fn csv(l: PanelLang, acts: &[AuditEntry], zone: &TimeZone) -> String {
    let mut table = CsvTable::new();
    table.line(&[
        l.audit_when(),
        l.audit_who(),
        l.audit_where(),
        l.audit_what(),
        l.audit_word(),
        l.audit_detail(),
        l.audit_times(),
    ]);
    for act in acts.iter().take(MAX_EXPORTED_ROWS) {
        let at = jiff::Timestamp::from_microsecond(act.at.as_micros()).unwrap_or_default();
        let at = at
            .to_zoned(zone.clone())
            .strftime("%Y-%m-%d %H:%M:%S%:z")
            .to_string();
        table.line(&[
            &at,
            l.actor(&act.who),
            act.address.as_deref().unwrap_or_default(),
            l.act(&act.what),
            &act.what,
            &l.act_detail(&act.what, &act.detail),
            &act.times.to_string(),
        ]);
    }
    if acts.len() > MAX_EXPORTED_ROWS {
        table.line(&[l.audit_cut(), "", "", "", "", "", ""]);
    }
    table.into_text()
}

impl PanelLang {
    /// The name of an act; an unknown one as it is stored.
    pub(crate) fn act(self, word: &str) -> &str {
        let Some(act) = AuditAct::from_word(word) else {
            return word;
        };
        match act {
            AuditAct::UserInvited => self.act_user_invited(),
            AuditAct::UserAdded => self.act_user_added(),
            AuditAct::PasswordGiven => self.act_password_given(),
            AuditAct::UserInvitedAgain => self.act_user_invited_again(),
            AuditAct::RoleChanged => self.act_role_changed(),
            AuditAct::UserDisabled => self.act_user_disabled(),
            AuditAct::UserEnabled => self.act_user_enabled(),
            AuditAct::SecondFactorRemoved => self.act_second_factor_removed(),
            AuditAct::RecoveryCodesRenewed => self.act_recovery_codes_renewed(),
            AuditAct::ProviderChanged => self.act_provider_changed(),
            AuditAct::ProviderTried => self.act_provider_tried(),
            AuditAct::ProviderEnabled => self.act_provider_enabled(),
            AuditAct::ProviderDisabled => self.act_provider_disabled(),
            AuditAct::ProviderRemoved => self.act_provider_removed(),
            AuditAct::ProviderRefused => self.act_provider_refused(),
            AuditAct::IdentityLinked => self.act_identity_linked(),
            AuditAct::IdentityUnlinked => self.act_identity_unlinked(),
            AuditAct::RoleFromGroups => self.act_role_from_groups(),
            AuditAct::CompanyChanged => self.act_company_changed(),
            AuditAct::LogoChanged => self.act_logo_changed(),
            AuditAct::KeyMade => self.act_key_made(),
            AuditAct::KeyRotated => self.act_key_rotated(),
            AuditAct::KeyRevoked => self.act_key_revoked(),
            AuditAct::WebhookAdded => self.act_webhook_added(),
            AuditAct::WebhookChanged => self.act_webhook_changed(),
            AuditAct::WebhookRemoved => self.act_webhook_removed(),
            AuditAct::WebhookTested => self.act_webhook_tested(),
            AuditAct::WebhookResent => self.act_webhook_resent(),
            AuditAct::WebhookReplayed => self.act_webhook_replayed(),
            AuditAct::FolioDropped => self.act_folio_dropped(),
            AuditAct::FolioErased => self.act_folio_erased(),
            AuditAct::HoldPlaced => self.act_hold_placed(),
            AuditAct::HoldLifted => self.act_hold_lifted(),
            AuditAct::PersonExported => self.act_person_exported(),
            AuditAct::PersonCorrected => self.act_person_corrected(),
            AuditAct::MessagesRetried => self.act_messages_retried(),
            AuditAct::SignerFreed => self.act_signer_freed(),
            AuditAct::SignedIn => self.act_signed_in(),
            AuditAct::SignInFailed => self.act_sign_in_failed(),
            AuditAct::CodeFailed => self.act_code_failed(),
            AuditAct::SignedOut => self.act_signed_out(),
            AuditAct::SessionsEnded => self.act_sessions_ended(),
            AuditAct::PasswordChanged => self.act_password_changed(),
            AuditAct::PasswordReset => self.act_password_reset(),
            AuditAct::InvitationAccepted => self.act_invitation_accepted(),
            AuditAct::InvitationWithdrawn => self.act_invitation_withdrawn(),
            AuditAct::SecondFactorAdded => self.act_second_factor_added(),
            AuditAct::FoliosApproved => self.act_folios_approved(),
            AuditAct::FoliosDisapproved => self.act_folios_disapproved(),
            AuditAct::FoliosCancelled => self.act_folios_cancelled(),
            AuditAct::FolioResent => self.act_folio_resent(),
            AuditAct::SignerLinkShown => self.act_signer_link_shown(),
            AuditAct::TemplateSaved => self.act_template_saved(),
            AuditAct::TemplateRenamed => self.act_template_renamed(),
            AuditAct::TemplateDeleted => self.act_template_deleted(),
            AuditAct::FoliosImported => self.act_folios_imported(),
        }
    }
}

impl PanelLang {
    /// Who did it.
    pub(crate) fn actor(self, who: &str) -> &str {
        if who == OPERATOR { self.operator() } else { who }
    }

    /// The object of the act, with roles and settings in the reader's language.
    pub(crate) fn act_detail(self, word: &str, detail: &str) -> String {
        let roles = |text: &str| {
            let roles = Role::ALL.into_iter();
            roles.fold(text.to_owned(), |text, role| {
                text.replace(role.word(), self.role(role))
            })
        };
        let told = match AuditAct::from_word(word) {
            Some(AuditAct::RoleChanged | AuditAct::RoleFromGroups) => detail
                .rsplit_once(": ")
                .map(|(who, rest)| format!("{who}: {}", roles(rest))),
            Some(AuditAct::UserInvited | AuditAct::UserAdded | AuditAct::InvitationAccepted) => detail
                .rsplit_once(" (")
                .map(|(who, rest)| format!("{who} ({}", roles(rest))),
            Some(AuditAct::CompanyChanged) => {
                let names: Vec<&str> = detail.split(", ").map(|name| self.company_part(name)).collect();
                Some(names.join(", "))
            }
            Some(AuditAct::KeyMade | AuditAct::KeyRotated) => detail
                .rsplit_once(": ")
                .map(|(key, words)| format!("{key}: {}", self.permission_names(words))),
            Some(AuditAct::WebhookAdded | AuditAct::WebhookChanged | AuditAct::WebhookReplayed) => detail
                .strip_suffix(')')
                .and_then(|detail| detail.rsplit_once(" ("))
                .map(|(address, what)| format!("{address} ({})", self.webhook_part(what))),
            _ => None,
        };
        told.unwrap_or_else(|| detail.to_owned())
    }

    fn permission_names(self, words: &str) -> String {
        let name = |word| Permission::from_word(word).map_or(word, |known| self.permission(&known).0);
        let names: Vec<&str> = words.split(", ").map(name).collect();
        names.join(", ")
    }

    fn company_part(self, name: &str) -> &str {
        match name {
            "name" => self.part_name(),
            "colour" => self.part_colour(),
            "timezone" => self.part_timezone(),
            "language" => self.part_language(),
            "legal_basis" => self.part_legal_basis(),
            "embedding" => self.part_embedding(),
            "approval" => self.part_approval(),
            "second_factor_required" => self.part_second_factor_required(),
            "second_factor_optional" => self.part_second_factor_optional(),
            "folio_days" => self.part_folio_days(),
            "retention_days" => self.part_retention_days(),
            "erasure_days" => self.part_erasure_days(),
            "contact" => self.part_contact(),
            "picture" => self.part_picture(),
            "reminders" => self.part_reminders(),
            "auto_return" => self.part_auto_return(),
            "read_to_end" => self.part_read_to_end(),
            other => other,
        }
    }

    fn webhook_part(self, what: &str) -> String {
        if let Some(kinds) = what.strip_prefix("kinds: ") {
            let name = |kind: &str| match kind {
                "all" => self.part_all_kinds(),
                kind => self.webhook_event_name(kind),
            };
            let names: Vec<&str> = kinds.split(", ").map(name).collect();
            return format!("{}: {}", self.part_kinds(), names.join(", "));
        }
        if let Some(count) = what.strip_prefix("dead: ") {
            return format!("{}: {count}", self.part_dead());
        }
        if let Some(since) = what.strip_prefix("since ") {
            return format!("{} {since}", self.part_since());
        }
        let part = match what {
            "disabled" => self.part_disabled(),
            "enabled" => self.part_enabled(),
            "secret" => self.part_secret(),
            other => other,
        };
        part.to_owned()
    }
}

/// The page with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{NOW, frame, sample};
    use std::time::Duration;
    let act = |(hours, act): (u32, AuditAct)| AuditEntry {
        seq: AuditRow(100 - i64::from(hours)),
        at: NOW.before(Duration::from_hours(7 * u64::from(hours))),
        who: match act {
            AuditAct::UserAdded | AuditAct::PasswordGiven => OPERATOR.to_owned(),
            _ => "luisa.gomez@losandes.example".to_owned(),
        },
        times: if act == AuditAct::SignInFailed { 37 } else { 1 },
        address: (!matches!(
            act,
            AuditAct::UserAdded | AuditAct::PasswordGiven | AuditAct::SignInFailed
        ))
        .then(|| "203.0.113.7".to_owned()),
        what: act.word().to_owned(),
        detail: match act {
            AuditAct::CompanyChanged => "name, colour, retention_days".to_owned(),
            AuditAct::SignedIn | AuditAct::SignInFailed | AuditAct::SignedOut | AuditAct::PasswordChanged => {
                String::new()
            }
            AuditAct::UserInvited | AuditAct::UserAdded | AuditAct::InvitationAccepted => {
                "omar.pardo@losandes.example (reader)".to_owned()
            }
            AuditAct::RoleChanged => "omar.pardo@losandes.example: reader → supervisor".to_owned(),
            AuditAct::WebhookChanged => "https://erp.losandes.example/firmeza (secret)".to_owned(),
            _ => "omar.pardo@losandes.example".to_owned(),
        },
    };
    let page = |acts: Vec<AuditEntry>, query: AuditQuery| AuditPage {
        f: frame(l, Section::Audit, app::panel::Role::Administrator),
        people: vec![
            (
                "luisa.gomez@losandes.example".to_owned(),
                "luisa.gomez@losandes.example".to_owned(),
            ),
            (OPERATOR.to_owned(), l.operator().to_owned()),
        ],
        first: (!acts.is_empty()).then(|| query.address("/panel/audit", None)),
        next: acts
            .last()
            .map(|act| query.address("/panel/audit", Some(act.position()))),
        export: query.address("/panel/audit.csv", None),
        acts,
        query,
    };
    let narrow = AuditQuery {
        what: Some(AuditAct::SignInFailed),
        ..AuditQuery::default()
    };
    let acts = (0..).zip(AuditAct::ALL).map(act).collect();
    vec![
        sample(l, "audit", &page(acts, AuditQuery::default())),
        sample(l, "audit-none", &page(Vec::new(), AuditQuery::default())),
        sample(l, "audit-unmatched", &page(Vec::new(), narrow)),
    ]
}
