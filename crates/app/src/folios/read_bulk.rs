//! Reading a bulk signature.

use crate::{Access, App, Error};
use domain::{BulkId, Folio};

impl App {
    /// The folios of the operation, in its order.
    pub async fn read_bulk(&self, access: Access, id: BulkId) -> Result<Vec<Folio>, Error> {
        self.authenticated_read(access, move |tx, caller| {
            let Some(bulk) = tx.bulk(caller.company, id)? else {
                let foreign = tx.is_foreign_bulk(caller.company, id)?;
                return Err(if foreign { Error::Foreign } else { Error::NotFound });
            };
            let folios = tx.folios_of_bulk(caller.company, bulk.seq)?;
            Ok(folios.into_iter().map(|stored| stored.folio).collect())
        })
        .await
    }
}
