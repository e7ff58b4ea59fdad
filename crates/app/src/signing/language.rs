//! The language that a signer chooses: later messages to this signer are in it.

use crate::signing::context::SigningContext;
use crate::signing::session::Session;
use crate::{App, Error};
use domain::Language;

impl App {
    /// Stores the language for the session's signer, in every folio that is before the signer.
    pub async fn choose_language(&self, session: &Session, language: Language) -> Result<(), Error> {
        let session = session.clone();
        let chosen = self.store.write_retryable(move |tx| {
            let context = SigningContext::load(tx, session.party, true)?;
            session.must_hold(tx, &context)?;
            session.must_be_proven(tx, &context)?;
            for folio in context.shown() {
                tx.set_signer_language(folio.stored.seq, folio.signer_index, language)?;
            }
            Ok::<_, Error>(())
        });
        chosen.await
    }
}
