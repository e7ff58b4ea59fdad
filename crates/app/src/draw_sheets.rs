//! Draws signature sheets while the code travels to its signer, so that the act itself only signs.

use crate::case::{Case, leave_out};
use crate::holder::Holder;
use crate::tip_key::TipKey;
use crate::{App, Error, Notary};
use domain::{Folio, FolioId, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;
use store::{NewSheet, SigningState};

impl App {
    /// Draws the sheets that the party's documents still lack. The caller stores them.
    pub(crate) async fn draw_sheets(&self, holder: Holder, now: Timestamp) -> Result<Vec<NewSheet>, Error> {
        let lacking = self.store.read(move |tx| {
            let case = Case::load(tx, holder, false)?;
            let open: Vec<i64> = case.open(now)?.iter().map(|folio| folio.stored.seq).collect();
            let signing_states = tx.signing_states_without_sheet(&open)?;
            Ok::<_, Error>((case, signing_states))
        });
        let (case, signing_states) = lacking.await?;
        if signing_states.is_empty() {
            return Ok(Vec::new());
        }
        let (notary, key) = (Arc::clone(&self.notary), self.tips.clone());
        let drawn = tokio::task::spawn_blocking(move || draw((&notary, &key), &case, &signing_states, now));
        drawn.await.map_err(|error| Error::Internal(error.into()))?
    }
}

fn draw(
    (notary, key): (&Notary, &TipKey),
    case: &Case,
    signing_states: &[SigningState],
    now: Timestamp,
) -> Result<Vec<NewSheet>, Error> {
    let folios: HashMap<i64, &Folio> = case
        .folios
        .iter()
        .map(|folio| (folio.stored.seq, &folio.stored.folio))
        .collect();
    let mut sheets = Vec::with_capacity(signing_states.len());
    let mut broken: Vec<(FolioId, Error)> = Vec::new();
    for signing_state in signing_states {
        let folio = folios[&signing_state.folio];
        match draw_one((notary, key), &case.company.name, folio, signing_state, now) {
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
    signing_state: &SigningState,
    now: Timestamp,
) -> Result<Option<NewSheet>, Error> {
    let document = &folio.documents[signing_state.position];
    let prepared = key.open(folio.id, signing_state.position, &signing_state.prepared)?;
    let drawn = notary.sheet(folio, company, document, &prepared, now)?;
    Ok(drawn.map(|(bytes, next)| NewSheet {
        folio: signing_state.folio,
        position: signing_state.position,
        bytes,
        prepared: key.seal(folio.id, signing_state.position, next.to_bytes()),
    }))
}
