//! Signers who act, without a browser.

use crate::app::TestApp;
use app::Holder;
use app::sign_folio::{Attempt, Signed};
use domain::Code;
use std::net::{IpAddr, Ipv4Addr};

/// From where signers act.
pub const SIGNER_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));

impl TestApp {
    /// The whole act of a signer who is reached by email: a code is sent, read and given back.
    pub async fn sign_by_email(&self, folio: &str, place: usize, email: &str, consent: &str) {
        self.send_code(folio, place).await;
        let code = self.code_for(email).await;
        let signed = self.give_code(folio, place, code, consent).await;
        assert!(matches!(signed, Signed::Done(_)), "{signed:?}");
    }

    /// Has a code sent to a signer.
    pub async fn send_code(&self, folio: &str, place: usize) {
        let sent = self.app().send_codes(holder(folio, place), Some(SIGNER_ADDRESS));
        sent.await.unwrap();
    }

    /// Gives a code that came by email, right or wrong.
    pub async fn give_code(&self, folio: &str, place: usize, code: Code, consent: &str) -> Signed {
        let attempt = Attempt {
            email_code: Some(code),
            sms_code: None,
            consent: consent.to_owned(),
            address: Some(SIGNER_ADDRESS),
        };
        let signed = self.app().sign_folios(holder(folio, place), attempt);
        signed.await.unwrap()
    }
}

fn holder(folio: &str, place: usize) -> Holder {
    let folio = folio.parse().unwrap();
    Holder::Signer { folio, place }
}
