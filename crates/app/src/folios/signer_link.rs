//! Shows a panel user the link of one signer, to hand it over in another way than by email. The audit log says so: who has the
//! link can act as the signer up to the code.

use crate::panel::{AuditAct, record_caller_act};
use crate::{App, Caller, Error};
use domain::{FolioId, FolioState, Refusal, SignerIndex, SignerState};

impl App {
    /// The link of a signer who has not acted yet, of a folio that can be signed.
    pub async fn show_signer_link(
        &self,
        caller: Caller,
        folio: FolioId,
        signer_index: SignerIndex,
    ) -> Result<String, Error> {
        let now = self.clock.now();
        let shown = self.store.write_retryable(move |tx| {
            caller.must_be_live(tx, now)?;
            let found = tx.folios(caller.company, &[folio])?.pop();
            let stored = found.ok_or(Error::NotFound)?;
            let signer = stored.folio.signer(signer_index).ok_or(Refusal::UnknownSigner)?;
            let may_sign = stored.folio.state == FolioState::Pending
                && !stored.folio.is_expired(now)
                && signer.state == SignerState::Pending;
            if !may_sign {
                return Err(Refusal::NotPending.into());
            }
            record_caller_act(tx, &caller, AuditAct::SignerLinkShown, &folio.to_string(), now)?;
            Ok::<_, Error>(())
        });
        shown.await?;
        Ok(self.links.signer(folio, signer_index).to_string())
    }
}
