//! A signer proves the contact by typing a code that was sent to it. A corrected contact and the evidence
//! require that proof in the session.

use crate::signing::codes::{CodeOutcome, TypedCodes};
use crate::signing::context::{SigningContext, channels};
use crate::signing::session::Session;
use crate::{App, Error};
use domain::Client;

impl App {
    /// Compares the codes, and remembers in the session that they were right.
    pub async fn prove_contact(
        &self,
        session: &Session,
        codes: TypedCodes,
        client: Client,
    ) -> Result<CodeOutcome<()>, Error> {
        let now = self.clock.now();
        let (app, session) = (self.clone(), session.clone());
        let proved = self.store.write_retryable(move |tx| {
            let context = SigningContext::load(tx, session.party, true)?;
            session.must_hold(tx, &context)?;
            let folios = context.asked_about(now)?;
            let wanted = channels(folios.iter().map(|folio| &folio.stored.folio));
            let refusal_record = (folios.as_slice(), &client, now);
            let checked = app
                .codes
                .check(tx, &context, &session, &wanted, &codes, refusal_record)?;
            if let Err(refused) = checked {
                return Ok(refused);
            }
            tx.prove_signer_session(session.id, now)?;
            Ok::<_, Error>(CodeOutcome::Done(()))
        });
        let proved = proved.await?;
        self.signing_counts.count_typed_code(&proved);
        Ok(proved)
    }
}
