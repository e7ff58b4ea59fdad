//! How administrators set the company's identity provider. What decides who we are to it counts only after an administrator
//! has signed in by it.

use super::ProviderSettings;
use crate::panel::{AuditAct, PanelActor};
use crate::shared::secrets::SystemRandom;
use crate::webhooks::BadAddress;
use crate::{App, Error};
use domain::{CompanyId, ProviderId, Timestamp};
use store::StoredProvider;

/// What secrets are sealed for.
pub(super) const PURPOSE: &str = "identity provider";

/// A company's identity provider as administrators see it: without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderState {
    /// The identifier.
    pub id: ProviderId,
    /// What was chosen.
    pub settings: ProviderSettings,
    /// Whether it knows us by a secret.
    pub has_secret: bool,
    /// When an administrator signed in by it as it is set.
    pub tried_at: Option<Timestamp>,
    /// Since when it counts for everybody.
    pub enabled_at: Option<Timestamp>,
}

/// Why settings of an identity provider are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadProvider {
    /// The issuer is no address that may be asked.
    Issuer(BadAddress),
    /// Another issuer or client needs its secret anew: the one that is kept is never sent elsewhere.
    SecretNeeded,
    /// It was not tried as it is set.
    Untried,
}

impl App {
    /// The company's identity provider.
    pub async fn identity_provider(&self, company: CompanyId) -> Result<Option<ProviderState>, Error> {
        let found = self.store.read(move |tx| tx.identity_provider(company)).await?;
        Ok(found.map(|provider| ProviderState {
            id: provider.id,
            has_secret: provider.client_secret.is_some(),
            settings: provider.settings,
            tried_at: provider.tried_at,
            enabled_at: provider.enabled_at,
        }))
    }

    /// Sets the company's identity provider, with a secret or with the one that is kept. If the provider, our name there, the
    /// secret or the scopes changed, it is off until an administrator has tested it and turned it on.
    pub async fn set_identity_provider(
        &self,
        actor: PanelActor,
        settings: ProviderSettings,
        secret: Option<String>,
    ) -> Result<Result<(), BadProvider>, Error> {
        if let Err(bad) = self.policy.webhooks.address(&settings.issuer) {
            return Ok(Err(BadProvider::Issuer(bad)));
        }
        let now = self.clock.now();
        let sealed = secret.map(|secret| self.panel.seal(PURPOSE, secret.as_bytes()));
        let kept = self.store.write_retryable(move |tx| {
            let company = actor.user.company;
            let before = tx.lock_identity_provider(company)?;
            let same_client = before.as_ref().is_some_and(|before| {
                before.settings.issuer == settings.issuer && before.settings.client_id == settings.client_id
            });
            let kept = before.as_ref().and_then(|before| before.client_secret.clone());
            if kept.is_some() && sealed.is_none() && !same_client {
                return Ok::<_, Error>(Err(BadProvider::SecretNeeded));
            }
            let same_scopes = before
                .as_ref()
                .is_some_and(|before| before.settings.scopes == settings.scopes);
            let as_tried = same_client && same_scopes && sealed.is_none();
            let tried = before.as_ref().filter(|_| as_tried);
            let provider = StoredProvider {
                id: before
                    .as_ref()
                    .map_or_else(|| ProviderId::random(&mut SystemRandom), |before| before.id),
                company,
                client_secret: sealed.clone().or(kept),
                tried_at: tried.and_then(|before| before.tried_at),
                enabled_at: tried.and_then(|before| before.enabled_at),
                settings: settings.clone(),
            };
            if before.as_ref() == Some(&provider) {
                return Ok(Ok(()));
            }
            tx.put_identity_provider(&provider)?;
            actor.record_act(tx, AuditAct::ProviderChanged, &provider.settings.issuer, now)?;
            Ok(Ok(()))
        });
        kept.await
    }

    /// Has people sign in by the company's identity provider, once it was tried; or no more.
    pub async fn enable_identity_provider(
        &self,
        actor: PanelActor,
        enabled: bool,
    ) -> Result<Result<(), BadProvider>, Error> {
        let now = self.clock.now();
        let done = self.store.write_retryable(move |tx| {
            let found = tx.lock_identity_provider(actor.user.company)?;
            let mut provider = found.ok_or(Error::NotFound)?;
            if enabled && provider.tried_at.is_none() {
                return Ok(Err(BadProvider::Untried));
            }
            if provider.enabled_at.is_some() == enabled {
                return Ok(Ok(()));
            }
            provider.enabled_at = enabled.then_some(now);
            tx.put_identity_provider(&provider)?;
            let act = if enabled {
                AuditAct::ProviderEnabled
            } else {
                AuditAct::ProviderDisabled
            };
            actor.record_act(tx, act, &provider.settings.issuer, now)?;
            Ok::<_, Error>(Ok(()))
        });
        done.await
    }

    /// Removes the company's identity provider, and as whom it knew the company's people.
    pub async fn remove_identity_provider(&self, actor: PanelActor) -> Result<(), Error> {
        let now = self.clock.now();
        let done = self.store.write_retryable(move |tx| {
            // All changes of a company's users take this lock first, so that they cannot deadlock.
            tx.lock_administrators(actor.user.company)?;
            let found = tx.lock_identity_provider(actor.user.company)?;
            let provider = found.ok_or(Error::NotFound)?;
            tx.remove_identity_provider(actor.user.company)?;
            actor.record_act(tx, AuditAct::ProviderRemoved, &provider.settings.issuer, now)
        });
        done.await
    }
}
