//! A signer rejects a folio, which ends it for all signers. It needs a code, like signing.

use crate::signing::codes::{CodeOutcome, TypedCodes};
use crate::signing::context::{SigningContext, channels};
use crate::signing::session::Session;
use crate::{App, Error};
use domain::{Actor, Client, FolioId, Observation, Origin};

impl App {
    /// Rejects one of the folios before the session's party. The codes are those of every folio before it.
    pub async fn reject_folio(
        &self,
        session: &Session,
        folio: FolioId,
        reason: Observation,
        codes: TypedCodes,
        client: Client,
    ) -> Result<CodeOutcome<()>, Error> {
        let now = self.clock.now();
        let (app, session) = (self.clone(), session.clone());
        let rejected = self.store.write_retryable(move |tx| {
            let context = SigningContext::load(tx, session.party, true)?;
            let found = context.folios.iter().find(|own| own.stored.folio.id == folio);
            let own = found.ok_or(Error::NotFound)?;
            context.may_act(own, now)?;
            session.must_hold(tx, &context)?;
            session.must_be_proven(tx, &context)?;
            let open = context.open(now)?;
            let wanted = channels(open.iter().map(|folio| &folio.stored.folio));
            let refusal_record = (&[own][..], &client, now);
            let checked = app
                .codes
                .check(tx, &context, &session, &wanted, &codes, refusal_record)?;
            let used = match checked {
                Ok(used) => used,
                Err(refused) => return Ok(refused),
            };
            let origin = Origin {
                actor: Actor::Signer {
                    signer: own.signer_index,
                },
                client: client.clone(),
            };
            let code = used.by(own.stored.folio.signature_type.channel());
            let contact = &context.person.contact;
            let change = own
                .stored
                .folio
                .reject(own.signer_index, contact, &reason, code, origin, now)?;
            tx.apply(context.company.id, now, &[(&own.stored, change)])?;
            if let Some(bulk) = &context.bulk {
                tx.end_bulk_sessions(bulk.seq)?;
            }
            Ok::<_, Error>(CodeOutcome::Done(()))
        });
        let rejected = rejected.await?;
        self.signing_counts.count_typed_code(&rejected);
        if matches!(rejected, CodeOutcome::Done(())) {
            self.signing_counts.rejections.inc();
            self.wakeups.outbox.notify();
            self.wakeups.projector.notify();
        }
        Ok(rejected)
    }
}
