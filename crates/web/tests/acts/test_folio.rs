//! A folio with its signers, and what they do.

use app::signing::sign::Signed;
use app::{Error, SigningParty};
use domain::{Channel, Code, FolioId, SignerIndex};
use std::net::IpAddr;
use testkit::{Company, FolioFields, TestApp, attempt};

pub(crate) const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 7));
pub(crate) const MOBILE: &str = "+573001234567";

/// A folio and the instance its signers talk to.
#[derive(Clone, Copy)]
pub(crate) struct TestFolio<'a> {
    pub(crate) app: &'a TestApp,
    pub(crate) folio: FolioId,
}

/// Creates a folio.
pub(crate) async fn test_folio<'a>(
    company: &Company<'a>,
    app: &'a TestApp,
    fields: FolioFields,
) -> TestFolio<'a> {
    let folio = company.created(fields).await.parse().unwrap();
    TestFolio { app, folio }
}

impl TestFolio<'_> {
    pub(crate) fn party(&self, place: usize) -> SigningParty {
        let folio = self.folio;
        SigningParty::Signer {
            folio,
            signer_index: SignerIndex(place),
        }
    }

    /// The same folio at another instance.
    pub(crate) fn at<'b>(&self, app: &'b TestApp) -> TestFolio<'b> {
        TestFolio {
            app,
            folio: self.folio,
        }
    }

    /// Has a code sent to a signer of the usual folio, and reads it.
    pub(crate) async fn code(&self, place: usize) -> Code {
        self.send(place).await.unwrap();
        self.app.code_for(&email(place)).await
    }

    pub(crate) async fn send(&self, place: usize) -> Result<(), Error> {
        self.app.ask_for_codes(self.party(place)).await
    }

    pub(crate) async fn try_code(&self, place: usize, code: Code) -> Result<Signed, Error> {
        let attempt = attempt(Channel::Email, code);
        self.app.sign_as(self.party(place), attempt).await
    }

    /// The whole act of a signer.
    pub(crate) async fn sign(&self, place: usize) {
        let code = self.code(place).await;
        let signed = self.try_code(place, code).await.unwrap();
        assert!(matches!(signed, Signed::Done(_)), "{signed:?}");
    }
}

/// The address of a signer of the usual folio.
pub(crate) fn email(place: usize) -> String {
    format!("maria.{}@example.com", 1001 + place)
}

/// A code that is not this one.
pub(crate) fn another(code: &Code) -> Code {
    let wrong = if code.as_str() == "000000" {
        "000001"
    } else {
        "000000"
    };
    Code::typed(wrong).unwrap()
}
