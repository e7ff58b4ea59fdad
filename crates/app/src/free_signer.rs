//! Lets a signer who has used up the codes of the day ask for more, on request of a panel user.

use crate::holder::Holder;
use crate::panel::{Act, note_caller};
use crate::{App, Caller, Error};
use domain::{Event, FolioId, Happening, Refusal};

impl App {
    /// Lets this signer ask for codes again, also in bulk signatures that contain the folio.
    pub async fn free_signer(&self, caller: Caller, folio: FolioId, place: usize) -> Result<(), Error> {
        let now = self.clock.now();
        let freed = self.store.write(move |tx| {
            let found = tx.lock_folios(caller.company, &[folio])?.pop();
            let stored = found.ok_or(Error::NotFound)?;
            let signer = stored.folio.signers.get(place).ok_or(Refusal::UnknownSigner)?;
            let mut holders = vec![Holder::Signer { folio, place }.to_bytes()];
            let bulks = tx.open_bulks(stored.seq, signer.document_type, &signer.document_number, now)?;
            holders.extend(bulks.into_iter().map(|bulk| Holder::Bulk(bulk).to_bytes()));
            tx.reset_send_limits(&holders)?;
            let event = Event {
                at: now,
                origin: caller.origin(),
                what: Happening::Freed { signer: place },
            };
            tx.append_events(&[(folio, event)])?;
            note_caller(tx, &caller, Act::SignerFreed, &folio.to_string(), now)?;
            Ok::<_, Error>(())
        });
        freed.await
    }
}
