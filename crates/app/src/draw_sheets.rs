//! Sheets drawn ahead: while a code travels to its signer, and off the way of the act, which then only signs.

use crate::case::Case;
use crate::holder::Holder;
use crate::{App, Error, Notary};
use domain::{Folio, Timestamp};
use pades::prepare::Prepared;
use std::collections::HashMap;
use std::sync::Arc;
use store::{NewSheet, Tip};

impl App {
    /// Draws the sheets that documents before the holder still lack. The caller keeps them.
    pub(crate) async fn draw_sheets(&self, holder: Holder, now: Timestamp) -> Result<Vec<NewSheet>, Error> {
        let lacking = self.store.read(move |tx| {
            let case = Case::load(tx, holder, false)?;
            let open: Vec<i64> = case.open(now)?.iter().map(|folio| folio.stored.seq).collect();
            let tips = tx.tips_without_sheet(&open)?;
            Ok::<_, Error>((case, tips))
        });
        let (case, tips) = lacking.await?;
        if tips.is_empty() {
            return Ok(Vec::new());
        }
        let notary = Arc::clone(&self.notary);
        let drawn = tokio::task::spawn_blocking(move || draw(&notary, &case, &tips, now));
        drawn.await.map_err(|error| Error::Internal(error.into()))?
    }
}

fn draw(notary: &Notary, case: &Case, tips: &[Tip], now: Timestamp) -> Result<Vec<NewSheet>, Error> {
    let folios: HashMap<i64, &Folio> = case
        .folios
        .iter()
        .map(|folio| (folio.stored.seq, &folio.stored.folio))
        .collect();
    let mut sheets = Vec::with_capacity(tips.len());
    for tip in tips {
        let folio = folios[&tip.folio];
        let document = &folio.documents[tip.position];
        let prepared = Prepared::from_bytes(&tip.prepared).map_err(|error| Error::Internal(error.into()))?;
        if let Some((bytes, next)) = notary.sheet(folio, &case.company.name, document, &prepared, now)? {
            sheets.push(NewSheet {
                folio: tip.folio,
                position: tip.position,
                bytes,
                prepared: next.to_bytes(),
            });
        }
    }
    Ok(sheets)
}
