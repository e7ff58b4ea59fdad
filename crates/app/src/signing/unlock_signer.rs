//! Lets a signer who has used up the codes of the day ask for more, on request of a panel user.

use crate::panel::{AuditAct, record_caller_act};
use crate::signing::party::SigningParty;
use crate::{App, Caller, Error};
use domain::{Event, EventKind, FolioId, Refusal, SignerIndex};

impl App {
    /// Lets this signer ask for codes again, also in bulk signatures that contain the folio.
    pub async fn unlock_signer(
        &self,
        caller: Caller,
        folio: FolioId,
        signer_index: SignerIndex,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let freed = self.store.write_retryable(move |tx| {
            let found = tx.lock_folios(caller.company, &[folio])?.pop();
            let stored = found.ok_or(Error::NotFound)?;
            stored.folio.signer(signer_index).ok_or(Refusal::UnknownSigner)?;
            let mut parties = vec![SigningParty::Signer { folio, signer_index }.to_bytes()];
            let bulks = tx.open_bulks(stored.seq, signer_index, now)?;
            parties.extend(bulks.into_iter().map(|bulk| SigningParty::Bulk(bulk).to_bytes()));
            tx.reset_send_limits(&parties)?;
            let event = Event {
                at: now,
                origin: caller.origin(),
                what: EventKind::Freed { signer: signer_index },
            };
            tx.append_events(&[(folio, event)])?;
            record_caller_act(tx, &caller, AuditAct::SignerFreed, &folio.to_string(), now)?;
            Ok::<_, Error>(())
        });
        freed.await
    }
}
