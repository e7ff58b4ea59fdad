//! A signer rejects a folio, which ends it for everybody.

use crate::case::Case;
use crate::holder::Holder;
use crate::{App, Error};
use domain::{Actor, FolioId, Observation, Origin};
use std::net::IpAddr;

impl App {
    /// Rejects one of the holder's folios.
    pub async fn reject_folio(
        &self,
        holder: Holder,
        folio: FolioId,
        reason: Observation,
        address: Option<IpAddr>,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        self.store
            .write(move |tx| {
                let case = Case::load(tx, holder, true)?;
                let found = case.folios.iter().find(|own| own.stored.folio.id == folio);
                let own = found.ok_or(Error::NotFound)?;
                case.may_act(own, now)?;
                let origin = Origin {
                    actor: Actor::Signer { signer: own.place },
                    address,
                };
                let change = own.stored.folio.reject(own.place, &reason, origin, now)?;
                tx.apply(case.company.id, now, &[(&own.stored, change)])?;
                Ok::<_, Error>(())
            })
            .await?;
        self.bell.ring();
        self.clerk.ring();
        Ok(())
    }
}
