//! What opens something for a signer, and must open nothing else.

use crate::company::Company;
use crate::fixtures::{folio, signer};
use app::SigningParty;
use domain::{FolioId, SignerIndex};
use url::Url;

/// A secret by what it is, and its text.
pub type NamedSecret = (&'static str, String);

impl Company<'_> {
    /// Everything that a signer of a new folio may hold: links, sessions, the CSRF token, a code.
    pub async fn signer_secrets(&self) -> Vec<NamedSecret> {
        let id = self.created(folio()).await;
        let started = self.start_bulk([&id], &signer("1001")).await;
        let (links, folio): (_, FolioId) = (&self.app.app().links, id.parse().unwrap());
        let signer_index = SignerIndex(0);
        let party = SigningParty::Signer { folio, signer_index };
        let session = self.app.new_session(party).await;
        let proven = self.app.proven_session(party).await;
        self.app.send_code(&id, signer_index).await;
        let code = self.app.code_for("maria.1001@example.com").await;
        let bulk = started.at("/data/signProcessMassiveUrl");
        vec![
            ("a folio's link", parameter(&links.folio(folio), "f")),
            (
                "a signer's link",
                parameter(links.signer(folio, signer_index).as_str(), "s"),
            ),
            ("a bulk signature's link", parameter(&bulk, "msv")),
            ("a signer's session", session.token),
            ("a session in which a code was typed", proven.token),
            ("a session's CSRF token", session.csrf),
            ("a code", code.as_str().to_owned()),
        ]
    }
}

/// A parameter of an address.
fn parameter(address: &str, name: &str) -> String {
    let url = Url::parse(address).unwrap();
    let found = url.query_pairs().find(|(known, _)| known == name);
    found.expect("the address has it").1.into_owned()
}
