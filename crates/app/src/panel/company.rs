//! What a company looks like, and what it wants of folios, as its administrators choose it.

use super::audit::AuditAct;
use super::logo::BadLogo;
use super::{PanelActor, logo};
use crate::workers::reminder::REPLAN_DELAY;
use crate::{App, Error};
use bytes::Bytes;
use domain::colour::MIN_TEXT_CONTRAST;
use domain::{Colour, CompanyId};
use store::{CompanySettings, Logo};

/// The outcome of a change of the company's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsChange {
    /// Done, or nothing to do.
    Done,
    /// The name is another company's.
    NameTaken,
    /// The user who would make the second factor mandatory has none.
    NoOwnSecondFactor,
}

impl App {
    /// What the company chose.
    pub async fn company_settings(&self, company: CompanyId) -> Result<CompanySettings, Error> {
        let found = self.store.read(move |tx| tx.company_settings(company)).await?;
        found.ok_or(Error::NotFound)
    }

    /// Keeps what the company chooses, but for the logo.
    pub async fn set_company_settings(
        &self,
        actor: PanelActor,
        settings: CompanySettings,
    ) -> Result<SettingsChange, Error> {
        let now = self.clock.now();
        let kept = self.store.write_retryable(move |tx| {
            let company = actor.user.company;
            let before = tx.company_settings(company)?.ok_or(Error::NotFound)?;
            let settings = CompanySettings {
                logo: before.logo,
                ..settings.clone()
            };
            if settings == before {
                return Ok::<_, Error>(SettingsChange::Done);
            }
            if settings.second_factor_required && !before.second_factor_required {
                // Locked: a factor that is being turned off at the same moment stays, or is seen to be gone.
                let own = tx.lock_user_with_email(&actor.user.email)?;
                if own.is_none_or(|own| own.totp_secret.is_none()) {
                    return Ok(SettingsChange::NoOwnSecondFactor);
                }
            }
            match tx.savepoint(|tx| tx.set_company_settings(company, &settings)) {
                Ok(()) => {}
                Err(store::Error::Duplicate(_)) => return Ok(SettingsChange::NameTaken),
                Err(error) => return Err(error.into()),
            }
            if settings.reminders != before.reminders || settings.timezone != before.timezone {
                tx.replan_reminders(company, now.after(REPLAN_DELAY))?;
            }
            actor.record_act(tx, AuditAct::CompanyChanged, &changed(&before, &settings), now)?;
            Ok(SettingsChange::Done)
        });
        kept.await
    }

    /// Gives the company a logo, if the bytes are one; or none.
    pub async fn set_logo(
        &self,
        actor: PanelActor,
        bytes: Option<Bytes>,
    ) -> Result<Result<(), BadLogo>, Error> {
        let now = self.clock.now();
        let read = match bytes {
            None => None,
            Some(bytes) => {
                let read = tokio::task::spawn_blocking(move || logo::read(&bytes)).await;
                match read.map_err(|error| Error::Internal(error.into()))? {
                    Ok(read) => Some(read),
                    Err(bad) => return Ok(Err(bad)),
                }
            }
        };
        let kept = self.store.write_retryable(move |tx| {
            let logo = read.as_ref().map(|(logo, digest)| (logo, *digest));
            tx.set_logo(actor.user.company, logo)?;
            let detail = read.as_ref().map_or("-", |(logo, _)| logo.kind.as_str());
            actor.record_act(tx, AuditAct::LogoChanged, detail, now)
        });
        kept.await.map(Ok)
    }

    /// The logo with that hash.
    pub async fn logo(&self, digest: [u8; 32]) -> Result<Logo, Error> {
        let found = self.store.read(move |tx| tx.logo(&digest)).await?;
        found.ok_or(Error::NotFound)
    }
}

/// A colour with enough contrast against our pages and against white text: the chosen one, or a darker one.
pub fn readable(colour: Colour) -> Colour {
    colour.readable_on(Colour::DARKEST_BACKGROUND, Colour::BLACK, MIN_TEXT_CONTRAST)
}

/// The names of what differs.
fn changed(before: &CompanySettings, after: &CompanySettings) -> String {
    let differs = [
        ("name", before.name != after.name),
        ("colour", before.colour != after.colour),
        ("timezone", before.timezone != after.timezone),
        ("embedding", before.embedding_origins != after.embedding_origins),
        ("approval", before.approval != after.approval),
        (
            "second_factor_required",
            !before.second_factor_required && after.second_factor_required,
        ),
        (
            "second_factor_optional",
            before.second_factor_required && !after.second_factor_required,
        ),
        ("folio_days", before.folio_days != after.folio_days),
        ("retention_days", before.retention_days != after.retention_days),
        ("erasure_days", before.erasure != after.erasure),
        ("reminders", before.reminders != after.reminders),
        ("contact", before.contact != after.contact),
        ("auto_return", before.auto_return != after.auto_return),
        ("read_to_end", before.read_to_end != after.read_to_end),
        ("picture", before.picture != after.picture),
        ("language", before.language != after.language),
        ("legal_basis", before.legal_basis != after.legal_basis),
    ];
    let names: Vec<&str> = differs
        .iter()
        .filter_map(|(name, differs)| differs.then_some(*name))
        .collect();
    names.join(", ")
}
