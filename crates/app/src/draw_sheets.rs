//! Draws signature sheets while the code travels to its signer, so that the act itself only signs.

use crate::case::{Case, leave_out};
use crate::holder::Holder;
use crate::tip_key::TipKey;
use crate::{App, Error, Notary};
use domain::{Folio, FolioId, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;
use store::{NewSheet, Tip};

impl App {
    /// Draws the sheets that the party's documents still lack. The caller stores them.
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
        let (notary, key) = (Arc::clone(&self.notary), self.tips.clone());
        let drawn = tokio::task::spawn_blocking(move || draw((&notary, &key), &case, &tips, now));
        drawn.await.map_err(|error| Error::Internal(error.into()))?
    }
}

fn draw(
    (notary, key): (&Notary, &TipKey),
    case: &Case,
    tips: &[Tip],
    now: Timestamp,
) -> Result<Vec<NewSheet>, Error> {
    let folios: HashMap<i64, &Folio> = case
        .folios
        .iter()
        .map(|folio| (folio.stored.seq, &folio.stored.folio))
        .collect();
    let mut sheets = Vec::with_capacity(tips.len());
    let mut broken: Vec<(FolioId, Error)> = Vec::new();
    for tip in tips {
        let folio = folios[&tip.folio];
        match draw_one((notary, key), &case.company.name, folio, tip, now) {
            Ok(sheet) => sheets.extend(sheet),
            Err(error) if !broken.iter().any(|(known, _)| *known == folio.id) => {
                broken.push((folio.id, error));
            }
            Err(_) => {}
        }
    }
    leave_out(case.open(now)?.len(), broken)?;
    Ok(sheets)
}

fn draw_one(
    (notary, key): (&Notary, &TipKey),
    company: &str,
    folio: &Folio,
    tip: &Tip,
    now: Timestamp,
) -> Result<Option<NewSheet>, Error> {
    let document = &folio.documents[tip.position];
    let prepared = key.open(folio.id, tip.position, &tip.prepared)?;
    let drawn = notary.sheet(folio, company, document, &prepared, now)?;
    Ok(drawn.map(|(bytes, next)| NewSheet {
        folio: tip.folio,
        position: tip.position,
        bytes,
        prepared: key.seal(folio.id, tip.position, next.to_bytes()),
    }))
}
