//! A sign-in on its way: what the browser keeps, sealed, between leaving for the provider and coming back. Its state binds
//! the answer to the browser, its nonce the token to the request, its verifier the code to both (PKCE).

use super::metadata::Metadata;
use crate::panel::Panel;
use crate::shared::secrets::SystemRandom;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use data_encoding::BASE64URL_NOPAD;
use domain::{ProviderId, Random, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;
use store::StoredProvider;
use url::Url;

/// How long a person may take at the provider.
const FLOW_TIMEOUT: Duration = Duration::from_mins(10);
const PURPOSE: &str = "provider sign-in";

/// What the browser keeps.
#[derive(Serialize, Deserialize)]
pub(super) struct Flow {
    provider: String,
    /// Hash of the provider's settings: changing one ends the sign-in.
    settings: String,
    pub(super) state: String,
    pub(super) nonce: String,
    pub(super) verifier: String,
    /// The page to open afterwards.
    pub(super) next: String,
    /// The hash of the panel session that tries the provider; none for a sign-in.
    pub(super) tries: Option<String>,
    /// The hash of the link of an invitation that is accepted so.
    pub(super) invitation: Option<String>,
    until: i64,
}

/// What the provider sends back with the browser.
#[derive(Clone, Default)]
pub struct ProviderAnswer {
    /// The state.
    pub state: String,
    /// The code.
    pub code: String,
    /// Who answers, where the provider says so (RFC 9207).
    pub issuer: Option<String>,
    /// Why there is no code.
    pub error: Option<String>,
}

impl std::fmt::Debug for ProviderAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No codes: this may be logged.
        f.debug_struct("ProviderAnswer")
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

fn random_text() -> String {
    let mut bytes = [0; 32];
    SystemRandom.fill(&mut bytes);
    BASE64URL_NOPAD.encode(&bytes)
}

/// The hash of what a provider is known by, and of what we are to it.
pub(super) fn fingerprint(provider: &StoredProvider) -> String {
    let mut hash = Sha256::new();
    let settings = &provider.settings;
    let secret = provider.client_secret.as_deref().unwrap_or_default();
    for part in [
        settings.issuer.as_bytes(),
        settings.client_id.as_bytes(),
        settings.scopes.as_bytes(),
        secret,
    ] {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part);
    }
    let hash: [u8; 32] = hash.finalize().into();
    BASE64URL_NOPAD.encode(&hash)
}

impl Flow {
    pub(super) fn new(provider: &StoredProvider, next: &str, now: Timestamp) -> Self {
        Self {
            provider: provider.id.to_string(),
            settings: fingerprint(provider),
            state: random_text(),
            nonce: random_text(),
            verifier: random_text(),
            next: next.to_owned(),
            tries: None,
            invitation: None,
            until: now.after(FLOW_TIMEOUT).as_micros(),
        }
    }

    /// The provider's page on which the person signs in.
    pub(super) fn address(&self, provider: &StoredProvider, metadata: &Metadata, redirect: &str) -> Url {
        let challenge: [u8; 32] = Sha256::digest(self.verifier.as_bytes()).into();
        let challenge = BASE64URL_NOPAD.encode(&challenge);
        let mut address = metadata.authorization_endpoint.clone();
        address
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &provider.settings.client_id)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", &provider.settings.scopes)
            .append_pair("state", &self.state)
            .append_pair("nonce", &self.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        address
    }

    pub(super) fn seal(&self, panel: &Panel) -> String {
        // A struct of texts always serializes.
        let json = serde_json::to_vec(self).unwrap_or_default();
        BASE64URL_NOPAD.encode(&panel.seal(PURPOSE, &json))
    }

    /// The sign-in that a browser keeps, if the answer belongs to it and it is not too late.
    pub(super) fn open(
        panel: &Panel,
        sealed: &str,
        id: ProviderId,
        answer: &ProviderAnswer,
        now: Timestamp,
    ) -> Option<Self> {
        let sealed = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let flow: Self = serde_json::from_slice(&panel.unseal(PURPOSE, &sealed)?).ok()?;
        let same = verify_slices_are_equal(flow.state.as_bytes(), answer.state.as_bytes()).is_ok();
        let in_time = now < Timestamp::from_micros(flow.until);
        (same && in_time && flow.provider == id.to_string()).then_some(flow)
    }

    /// Whether the provider is set as it was when the sign-in began.
    pub(super) fn is_of(&self, provider: &StoredProvider) -> bool {
        self.settings == fingerprint(provider)
    }

    /// What is written down of a completed sign-in.
    pub(super) fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.state.as_bytes()).into()
    }
}
