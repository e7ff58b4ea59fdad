//! What administrators did, newest first.

use super::desk::Administer;
use super::frame::{Frame, Place};
use crate::page::Lang;
use app::panel::{Act, OPERATOR, Role};
use askama::Template;
use axum::response::Response;
use store::AuditRow;

/// Acts on a page.
const PAGE: usize = 50;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/audit.html")]
pub(crate) struct AuditPage {
    pub(crate) f: Frame,
    pub(crate) acts: Vec<AuditRow>,
    /// Whether it is not the first page.
    pub(crate) later: bool,
    /// The number that the next page begins before.
    pub(crate) before: Option<i64>,
}

/// `GET /panel/audit`.
pub(crate) async fn page(Administer(desk): Administer) -> Response {
    let before = desk.query("before").and_then(|number| number.parse().ok());
    let acts = desk.web.app.acts(desk.user().company, before, PAGE + 1).await;
    let mut acts = match acts {
        Ok(acts) => acts,
        Err(error) => return desk.trouble(error),
    };
    let more = acts.len() > PAGE;
    acts.truncate(PAGE);
    desk.page(&AuditPage {
        f: desk.frame(Place::Audit),
        later: before.is_some(),
        before: acts.last().filter(|_| more).map(|act| act.seq),
        acts,
    })
}

impl Lang {
    /// What was done, in words; a word of another version as it stands.
    pub(crate) fn act(self, word: &str) -> &str {
        let Some(act) = Act::from_word(word) else {
            return word;
        };
        match act {
            Act::UserInvited => self.act_user_invited(),
            Act::UserAdded => self.act_user_added(),
            Act::PasswordGiven => self.act_password_given(),
            Act::UserInvitedAgain => self.act_user_invited_again(),
            Act::RoleChanged => self.act_role_changed(),
            Act::UserDisabled => self.act_user_disabled(),
            Act::UserEnabled => self.act_user_enabled(),
            Act::SecondFactorRemoved => self.act_second_factor_removed(),
            Act::RecoveryCodesRenewed => self.act_recovery_codes_renewed(),
            Act::CompanyChanged => self.act_company_changed(),
            Act::LogoChanged => self.act_logo_changed(),
            Act::KeyMade => self.act_key_made(),
            Act::KeyRotated => self.act_key_rotated(),
            Act::KeyRevoked => self.act_key_revoked(),
            Act::WebhookAdded => self.act_webhook_added(),
            Act::WebhookChanged => self.act_webhook_changed(),
            Act::WebhookRemoved => self.act_webhook_removed(),
            Act::WebhookTested => self.act_webhook_tested(),
            Act::WebhookResent => self.act_webhook_resent(),
            Act::FolioDropped => self.act_folio_dropped(),
            Act::MessagesRetried => self.act_messages_retried(),
            Act::SignerFreed => self.act_signer_freed(),
        }
    }
}

impl Lang {
    /// Who did it.
    pub(crate) fn actor(self, who: &str) -> &str {
        if who == OPERATOR { self.operator() } else { who }
    }

    /// To whom or what it was done, with our own words in the reader's language.
    pub(crate) fn act_detail(self, word: &str, detail: &str) -> String {
        let roles = |text: &str| {
            let roles = Role::ALL.into_iter();
            roles.fold(text.to_owned(), |text, role| {
                text.replace(role.word(), self.role(role))
            })
        };
        let told = match Act::from_word(word) {
            Some(Act::RoleChanged) => detail
                .rsplit_once(": ")
                .map(|(who, rest)| format!("{who}: {}", roles(rest))),
            Some(Act::UserInvited | Act::UserAdded) => detail
                .rsplit_once(" (")
                .map(|(who, rest)| format!("{who} ({}", roles(rest))),
            Some(Act::CompanyChanged) => {
                let names: Vec<&str> = detail.split(", ").map(|name| self.company_part(name)).collect();
                Some(names.join(", "))
            }
            Some(Act::WebhookChanged) => detail
                .strip_suffix(')')
                .and_then(|detail| detail.rsplit_once(" ("))
                .map(|(address, what)| format!("{address} ({})", self.webhook_part(what))),
            _ => None,
        };
        told.unwrap_or_else(|| detail.to_owned())
    }

    fn company_part(self, name: &str) -> &str {
        match name {
            "name" => self.part_name(),
            "colour" => self.part_colour(),
            "timezone" => self.part_timezone(),
            "embedding" => self.part_embedding(),
            "approval" => self.part_approval(),
            "folio_days" => self.part_folio_days(),
            "retention_days" => self.part_retention_days(),
            other => other,
        }
    }

    fn webhook_part(self, what: &str) -> &str {
        match what {
            "disabled" => self.part_disabled(),
            "enabled" => self.part_enabled(),
            "secret" => self.part_secret(),
            other => other,
        }
    }
}

/// The page with made-up data.
pub(super) fn samples(l: Lang) -> Vec<crate::signer::samples::Sample> {
    use super::samples::{NOW, frame, sample};
    use std::time::Duration;
    let act = |(hours, act): (u32, Act)| AuditRow {
        seq: 100 - i64::from(hours),
        at: NOW.before(Duration::from_hours(7 * u64::from(hours))),
        who: match act {
            Act::UserAdded | Act::PasswordGiven => OPERATOR.to_owned(),
            _ => "luisa.gomez@losandes.example".to_owned(),
        },
        address: (!matches!(act, Act::UserAdded | Act::PasswordGiven)).then(|| "203.0.113.7".to_owned()),
        what: act.word().to_owned(),
        detail: match act {
            Act::CompanyChanged => "name, colour, retention_days".to_owned(),
            Act::UserInvited | Act::UserAdded => "omar.pardo@losandes.example (reader)".to_owned(),
            Act::RoleChanged => "omar.pardo@losandes.example: reader → supervisor".to_owned(),
            Act::WebhookChanged => "https://erp.losandes.example/firmeza (secret)".to_owned(),
            _ => "omar.pardo@losandes.example".to_owned(),
        },
    };
    let page = |acts: Vec<AuditRow>| AuditPage {
        f: frame(l, Place::Audit, app::panel::Role::Administrator),
        later: !acts.is_empty(),
        before: acts.last().map(|act| act.seq),
        acts,
    };
    let acts = (0..).zip(Act::ALL).map(act).collect();
    vec![
        sample(l, "audit", &page(acts)),
        sample(l, "audit-none", &page(Vec::new())),
    ]
}
