//! Signing in to the panel by the company's own identity provider (`OpenID` Connect): the authorization code flow with PKCE,
//! state and nonce.

mod admit;
mod flow;
mod metadata;
mod pending_sign_in;
mod person;
mod refusal;
mod settings;
mod sign_in;
mod token;
mod transport;

pub use flow::ProviderAnswer;
pub use person::Person;
pub use refusal::ProviderRefusal;
pub use settings::{BadProvider, ProviderState};
pub use sign_in::{Begun, ProviderOutcome, ProviderStart, SignInCompany, Try};
pub use store::{ProviderSettings, RoleGroups};
pub use transport::{ProviderRequest, ProviderResponse, ProviderTransport};

pub(crate) use metadata::IdentityProviders;
pub(super) use pending_sign_in::PendingProviderSignIn;

use crate::App;
use domain::ProviderId;

/// Scopes that administrators are offered.
pub const USUAL_SCOPES: &str = "openid email profile";

impl App {
    /// Where people of a company sign in.
    pub fn sign_in_address(&self, provider: ProviderId) -> String {
        format!("{}/panel/sign-in?company={provider}", self.notary.base_url())
    }

    /// Where a provider sends people back to. Each has an address of its own: a code of one never reaches another.
    pub fn redirect_address(&self, provider: ProviderId) -> String {
        format!(
            "{}/panel/sign-in/with/{provider}/callback",
            self.notary.base_url()
        )
    }
}
