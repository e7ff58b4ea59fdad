//! Signers who act, without a browser.

use crate::app::TestApp;
use app::signing::codes::TypedCodes;
use app::signing::consent::Consent;
use app::signing::sign::{Attempt, Signed};
use app::{CodeOutcome, CodePurpose, Error, Session, SigningParty};
use domain::{Channel, Code, SignerIndex};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{LazyLock, Mutex};

/// From where signers act.
pub const SIGNER_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));

/// The browser of each signer, which is one at whatever instance it asks.
static BROWSERS: LazyLock<Mutex<HashMap<SigningParty, Session>>> = LazyLock::new(Mutex::default);

impl TestApp {
    /// The session of the party's own browser, or a new one where it has ended. A corrected contact counts
    /// as proved.
    pub async fn session(&self, party: SigningParty) -> Session {
        let signing = self.app().signing(party, None).await.unwrap();
        let known = BROWSERS.lock().unwrap().get(&party).cloned();
        if let Some(known) = known.filter(|known| known.is_of(signing.session_generation)) {
            return known;
        }
        let session = if signing.contact_changed {
            self.proven_session(party).await
        } else {
            self.new_session(party).await
        };
        BROWSERS.lock().unwrap().insert(party, session.clone());
        session
    }

    /// The session of another browser that has the same link.
    pub async fn new_session(&self, party: SigningParty) -> Session {
        let signing = self.app().signing(party, None).await.unwrap();
        let now = self.app().clock.now();
        self.app().sessions.begin(party, signing.session_generation, now)
    }

    /// A session in which a code was typed.
    pub async fn proven_session(&self, party: SigningParty) -> Session {
        let session = self.new_session(party).await;
        self.prove(&session).await;
        session
    }

    /// Has the session whose cookie it is prove the contact.
    pub async fn prove_cookie(&self, party: SigningParty, cookie: &str) {
        let (_, token) = cookie.split_once('=').expect("a cookie");
        let now = self.app().clock.now();
        let session = self.app().sessions.read(token, party, now);
        self.prove(&session.expect("a session")).await;
    }

    async fn prove(&self, session: &Session) {
        let (id, party, now) = (session.id, session.party, self.app().clock.now());
        let proved = self.app().store.write(move |tx| {
            tx.put_signer_session(id, &party.to_bytes(), None, now)?;
            tx.prove_signer_session(id, now)
        });
        proved.await.unwrap();
    }

    /// A session in which the code that went to that address was typed: the address is the signer's contact.
    pub async fn session_proved_by(&self, party: SigningParty, email: &str) -> Session {
        let session = self.new_session(party).await;
        let sent = self
            .app()
            .send_codes(&session, CodePurpose::Prove, domain::Client::default());
        sent.await.unwrap();
        let codes = typed(Channel::Email, self.code_for(email).await);
        let proved = self
            .app()
            .prove_contact(&session, codes, domain::Client::default())
            .await;
        assert_eq!(proved.unwrap(), CodeOutcome::Done(()));
        session
    }

    /// Has codes sent to the party's own browser, to sign with.
    pub async fn ask_for_codes(&self, party: SigningParty) -> Result<(), Error> {
        let session = self.session(party).await;
        let purpose = CodePurpose::Sign {
            consent: Consent::SPANISH,
        };
        self.app()
            .send_codes(&session, purpose, domain::Client::at(SIGNER_ADDRESS))
            .await
    }

    /// Signs in the party's own browser.
    pub async fn sign_as(&self, party: SigningParty, attempt: Attempt) -> Result<Signed, Error> {
        let session = self.session(party).await;
        self.app().sign_folios(&session, attempt).await
    }

    /// The whole act of a signer who is reached by email: a code is sent, read and given back.
    pub async fn sign_by_email(&self, folio: &str, signer_index: SignerIndex, email: &str) {
        self.send_code(folio, signer_index).await;
        let code = self.code_for(email).await;
        let signed = self.give_code(folio, signer_index, code).await;
        assert!(matches!(signed, Signed::Done(_)), "{signed:?}");
    }

    /// Has a code sent to a signer.
    pub async fn send_code(&self, folio: &str, signer_index: SignerIndex) {
        self.ask_for_codes(party(folio, signer_index)).await.unwrap();
    }

    /// Gives a code that came by email, right or wrong.
    pub async fn give_code(&self, folio: &str, signer_index: SignerIndex, code: Code) -> Signed {
        let attempt = attempt(Channel::Email, code);
        self.sign_as(party(folio, signer_index), attempt).await.unwrap()
    }
}

/// An attempt to sign with one code.
pub fn attempt(channel: Channel, code: Code) -> Attempt {
    Attempt {
        codes: typed(channel, code),
        picture: None,
        client: domain::Client::at(SIGNER_ADDRESS),
    }
}

/// A code, typed where it is asked for.
pub fn typed(channel: Channel, code: Code) -> TypedCodes {
    match channel {
        Channel::Email => TypedCodes {
            email: Some(code),
            sms: None,
        },
        Channel::Sms => TypedCodes {
            email: None,
            sms: Some(code),
        },
    }
}

fn party(folio: &str, signer_index: SignerIndex) -> SigningParty {
    let folio = folio.parse().unwrap();
    SigningParty::Signer { folio, signer_index }
}
