//! A signer rejects a folio, which ends it for everybody. It takes a code, like signing.

use crate::case::{Case, channels};
use crate::codes::{CodeOutcome, TypedCodes};
use crate::sessions::Session;
use crate::{App, Error};
use domain::{Actor, FolioId, Observation, Origin};
use std::net::IpAddr;

impl App {
    /// Rejects one of the folios before the session's holder. The codes are those of every folio before it.
    pub async fn reject_folio(
        &self,
        session: &Session,
        folio: FolioId,
        reason: Observation,
        codes: TypedCodes,
        address: Option<IpAddr>,
    ) -> Result<CodeOutcome<()>, Error> {
        let now = self.clock.now();
        let (app, session) = (self.clone(), session.clone());
        let rejected = self.store.write(move |tx| {
            let case = Case::load(tx, session.holder, true)?;
            let found = case.folios.iter().find(|own| own.stored.folio.id == folio);
            let own = found.ok_or(Error::NotFound)?;
            case.may_act(own, now)?;
            session.must_hold(tx, &case)?;
            session.must_be_proven(tx, &case)?;
            let open = case.open(now)?;
            let wanted = channels(open.iter().map(|folio| &folio.stored.folio));
            let told = (&[own][..], address, now);
            if let Some(refused) = app.codes.check(tx, &case, &session, &wanted, &codes, told)? {
                return Ok(refused);
            }
            let origin = Origin {
                actor: Actor::Signer { signer: own.place },
                address,
            };
            let contact = &case.person.contact;
            let change = own
                .stored
                .folio
                .reject(own.place, contact, &reason, origin, now)?;
            tx.apply(case.company.id, now, &[(&own.stored, change)])?;
            if let Some(bulk) = &case.bulk {
                tx.end_bulk_sessions(bulk.seq)?;
            }
            Ok::<_, Error>(CodeOutcome::Done(()))
        });
        let rejected = rejected.await?;
        if matches!(rejected, CodeOutcome::Done(())) {
            self.bell.ring();
            self.clerk.ring();
        }
        Ok(rejected)
    }
}
