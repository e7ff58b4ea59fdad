//! A sign-in by an identity provider: on the way there, and back with its answer.

use super::admit::{Admitted, Arrival, admit};
use super::flow::{Flow, ProviderAnswer};
use super::metadata::Known;
use super::person::{Person, claim, with_userinfo_claims};
use super::refusal::ProviderRefusal;
use super::settings::PURPOSE;
use super::token::{Expected, TokenError, verify};
use super::transport::ProviderRequest;
use crate::panel::sessions::digest;
use crate::panel::{AuditAct, Entered, PanelActor, PanelSession, Visitor};
use crate::{App, Error};
use data_encoding::{BASE64, HEXLOWER};
use domain::{ProviderId, Role};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use store::{Identity, StoredProvider};
use url::form_urlencoded;

/// What a browser that leaves for a provider takes with it.
#[derive(Debug)]
pub struct Begun {
    /// The provider's page.
    pub address: String,
    /// What the browser keeps until it comes back.
    pub flow: String,
}

/// Whether a sign-in can begin.
#[derive(Debug)]
pub enum ProviderStart {
    /// It can.
    Begun(Begun),
    /// It cannot.
    Refused(ProviderRefusal),
}

/// What a sign-in by a provider came to.
#[derive(Debug)]
pub enum ProviderOutcome {
    /// Signed in; the page to open, if one was asked for.
    Entered(Entered, String),
    /// The user's own second factor is asked for. The token proves the first one.
    CodeWanted(String, String),
    /// A link was sent to the person's address, which is to be confirmed first.
    ConfirmAddress,
    /// An administrator tried the provider.
    Tried(Try),
    /// An administrator tried it, and it failed or did not vouch for them.
    TryFailed(ProviderRefusal),
    /// Not let in.
    Refused(ProviderRefusal),
}

/// What came of trying a provider: what it says of the administrator, and what that would give.
#[derive(Debug)]
pub struct Try {
    /// The administrator as the provider describes them.
    pub person: Person,
    /// The role that the groups give.
    pub role: Option<Role>,
    /// Why the person would not be let in.
    pub refusal: Option<ProviderRefusal>,
}

/// A company whose people sign in by its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInCompany {
    /// Its provider.
    pub provider: ProviderId,
    /// Its name.
    pub name: String,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

fn failed(reason: &str) -> ProviderRefusal {
    ProviderRefusal::Failed(reason.to_owned())
}

impl App {
    /// The company whose people sign in by that provider, if they do.
    pub async fn sign_in_company(&self, id: ProviderId) -> Result<Option<SignInCompany>, Error> {
        let read = self.store.read(move |tx| {
            let found = tx.identity_provider_with_id(id)?;
            let Some(provider) = found.filter(|provider| provider.enabled_at.is_some()) else {
                return Ok(None);
            };
            let settings = tx.company_settings(provider.company)?;
            Ok::<_, Error>(settings.map(|settings| SignInCompany {
                provider: id,
                name: settings.name,
            }))
        });
        read.await
    }

    /// Begins a sign-in that opens that page of the panel, perhaps by the link of an invitation.
    pub async fn begin_provider_sign_in(
        &self,
        id: ProviderId,
        next: &str,
        invitation: Option<&str>,
    ) -> Result<ProviderStart, Error> {
        let found = self
            .store
            .read(move |tx| tx.identity_provider_with_id(id))
            .await?;
        let Some(provider) = found.filter(|provider| provider.enabled_at.is_some()) else {
            return Ok(ProviderStart::Refused(ProviderRefusal::Off));
        };
        let mut flow = Flow::new(&provider, next, self.clock.now());
        flow.invitation = invitation.map(|token| HEXLOWER.encode(&digest(token)));
        Ok(self.begin(&provider, &flow).await)
    }

    /// Begins to try the company's provider.
    pub async fn try_identity_provider(&self, signed: &PanelSession) -> Result<ProviderStart, Error> {
        let company = signed.user.company;
        let found = self.store.read(move |tx| tx.identity_provider(company)).await?;
        let provider = found.ok_or(Error::NotFound)?;
        self.forget_provider(&provider.settings.issuer);
        let mut flow = Flow::new(&provider, "", self.clock.now());
        flow.tries = Some(HEXLOWER.encode(&signed.digest));
        Ok(self.begin(&provider, &flow).await)
    }

    async fn begin(&self, provider: &StoredProvider, flow: &Flow) -> ProviderStart {
        match self.known_provider(&provider.settings.issuer).await {
            Ok(known) => {
                let redirect = self.redirect_address(provider.id);
                ProviderStart::Begun(Begun {
                    address: flow.address(provider, &known.metadata, &redirect).into(),
                    flow: flow.seal(&self.panel),
                })
            }
            Err(reason) => {
                tracing::warn!(%reason, company = provider.company.0, "an identity provider cannot be used");
                ProviderStart::Refused(ProviderRefusal::Failed(reason))
            }
        }
    }

    /// Ends a sign-in with the provider's answer. An administrator who tries it comes with the session that began the try.
    pub async fn finish_provider_sign_in(
        &self,
        id: ProviderId,
        flow: &str,
        answer: ProviderAnswer,
        visitor: Visitor,
        signed: Option<PanelSession>,
    ) -> Result<ProviderOutcome, Error> {
        let stale = || Ok(ProviderOutcome::Refused(ProviderRefusal::Stale));
        let Some(flow) = Flow::open(&self.panel, flow, id, &answer, self.clock.now()) else {
            return stale();
        };
        let found = self
            .store
            .read(move |tx| tx.identity_provider_with_id(id))
            .await?;
        let Some(provider) = found.filter(|provider| flow.is_of(provider)) else {
            return stale();
        };
        let trier = signed.filter(|signed| {
            let begun_by = HEXLOWER.encode(&signed.digest);
            signed.user.company == provider.company
                && signed.user.role == Role::Administrator
                && flow.tries.as_deref() == Some(begun_by.as_str())
        });
        if flow.tries.is_some() && trier.is_none() {
            return stale();
        }
        if trier.is_none() && provider.enabled_at.is_none() {
            return Ok(ProviderOutcome::Refused(ProviderRefusal::Off));
        }
        let person = match self.person_behind(&provider, &flow, &answer).await {
            Ok(person) => person,
            Err(refusal) => {
                tracing::warn!(
                    ?refusal,
                    company = provider.company.0,
                    "a sign-in by an identity provider failed"
                );
                return Ok(match trier {
                    Some(_) => ProviderOutcome::TryFailed(refusal),
                    None => ProviderOutcome::Refused(refusal),
                });
            }
        };
        match trier {
            Some(trier) => {
                let actor = PanelActor {
                    user: trier.user,
                    address: visitor.address,
                };
                self.keep_try(provider, flow, person, actor).await
            }
            None => self.admit_person(provider, flow, person, visitor).await,
        }
    }

    /// The person whom the provider vouches for by that answer.
    async fn person_behind(
        &self,
        provider: &StoredProvider,
        flow: &Flow,
        answer: &ProviderAnswer,
    ) -> Result<Person, ProviderRefusal> {
        let settings = &provider.settings;
        let known = self
            .known_provider(&settings.issuer)
            .await
            .map_err(ProviderRefusal::Failed)?;
        // Another provider that answers in this one's place would get the code (mix-up).
        let names_itself = known.metadata.authorization_response_iss_parameter_supported;
        if answer
            .issuer
            .as_ref()
            .is_some_and(|issuer| *issuer != settings.issuer)
            || names_itself && answer.issuer.is_none()
        {
            return Err(failed("another issuer answered"));
        }
        if let Some(error) = &answer.error {
            return Err(ProviderRefusal::Denied(error.chars().take(100).collect()));
        }
        let tokens = self.redeem(provider, flow, &known, &answer.code).await?;
        let claims = self
            .claims(&tokens.id_token, known.clone(), provider, flow)
            .await?;
        let claims = self.with_userinfo(claims, &tokens, &known, provider).await?;
        Ok(Person::of(&claims, settings))
    }

    /// Exchanges the code for tokens.
    async fn redeem(
        &self,
        provider: &StoredProvider,
        flow: &Flow,
        known: &Known,
        code: &str,
    ) -> Result<Tokens, ProviderRefusal> {
        let request = self.token_request(provider, flow, known, code)?;
        let answer = self.ask_provider(request).await;
        let answer = self.remember_failure(&provider.settings.issuer, answer);
        let answer = answer.map_err(ProviderRefusal::Failed)?;
        if answer.status != 200 {
            let said: Option<Value> = serde_json::from_slice(&answer.body).ok();
            let error = said
                .as_ref()
                .and_then(|said| said["error"].as_str())
                .unwrap_or("no reason");
            let error: String = error.chars().take(100).collect();
            let status = answer.status;
            return Err(failed(&format!(
                "the provider does not take the code: {status} ({error})"
            )));
        }
        serde_json::from_slice(&answer.body).map_err(|_| failed("the provider sent no ID token"))
    }

    /// The request that exchanges the code, with our secret as the provider wants it.
    fn token_request(
        &self,
        provider: &StoredProvider,
        flow: &Flow,
        known: &Known,
        code: &str,
    ) -> Result<ProviderRequest, ProviderRefusal> {
        let client = &provider.settings.client_id;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &self.redirect_address(provider.id))
            .append_pair("code_verifier", &flow.verifier);
        let mut authorization = None;
        if let Some(sealed) = &provider.client_secret {
            let secret = self.panel.unseal(PURPOSE, sealed);
            let secret = secret.and_then(|secret| String::from_utf8(secret).ok());
            let unreadable = "the client secret cannot be opened: is the master key the right one?";
            let secret = secret.ok_or_else(|| failed(unreadable))?;
            let methods = &known.metadata.token_endpoint_auth_methods_supported;
            let has = |method: &str| methods.iter().any(|known| known == method);
            if !methods.is_empty() && !has("client_secret_basic") && has("client_secret_post") {
                form.append_pair("client_id", client)
                    .append_pair("client_secret", &secret);
            } else {
                let encoded =
                    |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
                let pair = format!("{}:{}", encoded(client), encoded(&secret));
                authorization = Some(format!("Basic {}", BASE64.encode(pair.as_bytes())));
            }
        } else {
            form.append_pair("client_id", client);
        }
        Ok(ProviderRequest {
            address: known.metadata.token_endpoint.clone(),
            form: Some(form.finish()),
            authorization,
        })
    }

    /// The verified claims of a token. A token that names an unknown key has the keys asked for again, once.
    async fn claims(
        &self,
        token: &str,
        known: Arc<Known>,
        provider: &StoredProvider,
        flow: &Flow,
    ) -> Result<Map<String, Value>, ProviderRefusal> {
        let expected = Expected {
            issuer: &provider.settings.issuer,
            client_id: &provider.settings.client_id,
            nonce: &flow.nonce,
        };
        let verified = match verify(token, &known.keys, expected, self.clock.now()) {
            Err(TokenError::UnknownKey | TokenError::Signature) => {
                let known = self.with_new_keys(known).await.map_err(ProviderRefusal::Failed)?;
                verify(token, &known.keys, expected, self.clock.now())
            }
            other => other,
        };
        verified.map_err(|error| ProviderRefusal::Failed(error.to_string()))
    }

    /// The claims with those that the provider names elsewhere: many leave address and groups out of the token.
    async fn with_userinfo(
        &self,
        claims: Map<String, Value>,
        tokens: &Tokens,
        known: &Known,
        provider: &StoredProvider,
    ) -> Result<Map<String, Value>, ProviderRefusal> {
        let settings = &provider.settings;
        let has_groups = settings.groups.is_empty() || claim(&claims, &settings.groups_claim).is_some();
        if has_groups && claims.contains_key("email") {
            return Ok(claims);
        }
        let (Some(address), Some(token)) = (&known.metadata.userinfo_endpoint, &tokens.access_token) else {
            return Ok(claims);
        };
        let asked = self.provider_json(address.clone(), Some(format!("Bearer {token}")));
        let told: Map<String, Value> = asked.await.map_err(ProviderRefusal::Failed)?;
        if told.get("sub") != claims.get("sub") {
            return Err(failed("the provider tells of another person (userinfo)"));
        }
        Ok(with_userinfo_claims(claims, told))
    }

    /// Notes that an administrator signed in by the provider as it is set.
    async fn keep_try(
        &self,
        provider: StoredProvider,
        flow: Flow,
        person: Person,
        actor: PanelActor,
    ) -> Result<ProviderOutcome, Error> {
        let now = self.clock.now();
        let role = person.role(&provider.settings);
        let refusal = match (&role, person.address(&provider.settings)) {
            (Err(why), _) => Some(ProviderRefusal::from(*why)),
            (_, Err(why)) => Some(ProviderRefusal::from(why)),
            _ => None,
        };
        let kept = self.store.write_retryable(move |tx| {
            let found = tx.lock_identity_provider(provider.company)?;
            let Some(mut provider) = found.filter(|provider| flow.is_of(provider)) else {
                return Ok::<_, Error>(false);
            };
            if !tx.use_sign_in(&flow.digest(), now)? {
                return Ok(false);
            }
            provider.tried_at = Some(now);
            tx.put_identity_provider(&provider)?;
            actor.record_act(tx, AuditAct::ProviderTried, &provider.settings.issuer, now)?;
            Ok(true)
        });
        if !kept.await? {
            return Ok(ProviderOutcome::Refused(ProviderRefusal::Stale));
        }
        Ok(ProviderOutcome::Tried(Try {
            person,
            role: role.unwrap_or_default(),
            refusal,
        }))
    }

    /// Lets the person in, or says why not.
    async fn admit_person(
        &self,
        provider: StoredProvider,
        flow: Flow,
        person: Person,
        visitor: Visitor,
    ) -> Result<ProviderOutcome, Error> {
        let next = flow.next.clone();
        let invitation = flow.invitation.as_ref().and_then(|link| {
            let link = HEXLOWER.decode(link.as_bytes()).ok()?;
            <[u8; 32]>::try_from(link).ok()
        });
        let identity = Identity {
            issuer: provider.settings.issuer.clone(),
            subject: person.subject.clone(),
        };
        let role = person.role(&provider.settings);
        let address = person.address(&provider.settings).map(str::to_owned);
        let arrival = Arrival {
            used: flow.digest(),
            invitation,
            identity,
            role: role.map_err(Into::into),
            address: address.map_err(Into::into),
            called: person.email.clone().unwrap_or_else(|| person.subject.clone()),
            name: person.name.clone(),
            second_factor: person.showed_second_factor(),
        };
        let (app, now) = (self.clone(), self.clock.now());
        let admitted = self.store.write_retryable(move |tx| {
            // The provider may have been turned off or changed meanwhile.
            let found = tx.identity_provider(provider.company)?;
            let same = found.filter(|found| flow.is_of(found) && found.enabled_at.is_some());
            match same {
                Some(provider) => admit(&app, tx, &provider, &arrival, &visitor, now),
                None => Ok(Admitted::Refused(ProviderRefusal::Off)),
            }
        });
        let admitted = admitted.await?;
        self.wakeups.account_emails.notify();
        Ok(match admitted {
            Admitted::Entered(entered) => ProviderOutcome::Entered(entered, next),
            Admitted::CodeWanted(halfway) => ProviderOutcome::CodeWanted(halfway, next),
            Admitted::ConfirmAddress => ProviderOutcome::ConfirmAddress,
            Admitted::Refused(refusal) => ProviderOutcome::Refused(refusal),
        })
    }
}
