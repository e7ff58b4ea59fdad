//! A signer proves the contact by typing a code that was sent to it. A corrected contact and the evidence
//! require that proof in the session.

use crate::case::{Case, channels};
use crate::codes::{CodeOutcome, TypedCodes};
use crate::sessions::Session;
use crate::{App, Error};
use std::net::IpAddr;

impl App {
    /// Compares the codes, and remembers in the session that they were right.
    pub async fn prove_contact(
        &self,
        session: &Session,
        codes: TypedCodes,
        address: Option<IpAddr>,
    ) -> Result<CodeOutcome<()>, Error> {
        let now = self.clock.now();
        let (app, session) = (self.clone(), session.clone());
        let proved = self.store.write(move |tx| {
            let case = Case::load(tx, session.holder, true)?;
            session.must_hold(tx, &case)?;
            let folios = case.asked_about(now)?;
            let wanted = channels(folios.iter().map(|folio| &folio.stored.folio));
            let told = (folios.as_slice(), address, now);
            if let Some(refused) = app.codes.check(tx, &case, &session, &wanted, &codes, told)? {
                return Ok(refused);
            }
            tx.prove_signer_session(session.id, now)?;
            Ok::<_, Error>(CodeOutcome::Done(()))
        });
        proved.await
    }
}
