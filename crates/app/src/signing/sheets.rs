//! Draws signature sheets while the code travels to its signer, so that the act itself only signs.

use crate::shared::blocking::run_blocking;
use crate::shared::signing_state_key::SigningStateKey;
use crate::signing::context::{SigningContext, leave_out};
use crate::signing::party::SigningParty;
use crate::{App, Error, Notary};
use domain::{Folio, FolioId, PersonName, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;
use store::{FolioRow, NewSheet, SigningState, Tx};

/// Sheets, and what the signers were called when they were drawn.
#[derive(Debug, Default)]
pub(crate) struct DrawnSheets {
    sheets: Vec<NewSheet>,
    names: Vec<PersonName>,
}

impl DrawnSheets {
    /// Stores them; not where a signer's name was corrected meanwhile, because then the signature draws the sheet.
    pub(crate) fn keep(&self, tx: &mut Tx<'_>, context: &SigningContext) -> Result<(), store::Error> {
        if self.names == names(context) {
            tx.keep_sheets(&self.sheets)?;
        }
        Ok(())
    }
}

/// What all signers of the folios are called.
fn names(context: &SigningContext) -> Vec<PersonName> {
    let signers = context
        .folios
        .iter()
        .flat_map(|folio| &folio.stored.folio.signers);
    signers.map(|signer| signer.name.clone()).collect()
}

impl App {
    /// Draws the sheets that the party's documents still lack. The caller stores them.
    pub(crate) async fn draw_sheets(
        &self,
        party: SigningParty,
        now: Timestamp,
    ) -> Result<DrawnSheets, Error> {
        let lacking = self.store.read(move |tx| {
            let context = SigningContext::load(tx, party, false)?;
            let open: Vec<FolioRow> = context.open(now)?.iter().map(|folio| folio.stored.seq).collect();
            let signing_states = tx.signing_states_without_sheet(&open)?;
            Ok::<_, Error>((context, signing_states))
        });
        let (context, signing_states) = lacking.await?;
        if signing_states.is_empty() {
            return Ok(DrawnSheets::default());
        }
        let (notary, key) = (Arc::clone(&self.notary), self.signing_state_key.clone());
        run_blocking(move || {
            let sheets = draw((&notary, &key), &context, &signing_states, now)?;
            let names = names(&context);
            Ok(DrawnSheets { sheets, names })
        })
        .await
    }
}

fn draw(
    (notary, key): (&Notary, &SigningStateKey),
    context: &SigningContext,
    signing_states: &[SigningState],
    now: Timestamp,
) -> Result<Vec<NewSheet>, Error> {
    let folios: HashMap<FolioRow, &Folio> = context
        .folios
        .iter()
        .map(|folio| (folio.stored.seq, &folio.stored.folio))
        .collect();
    let mut sheets = Vec::with_capacity(signing_states.len());
    let mut broken: Vec<(FolioId, Error)> = Vec::new();
    for signing_state in signing_states {
        let folio = folios[&signing_state.folio];
        match draw_one((notary, key), &context.company.name, folio, signing_state, now) {
            Ok(sheet) => sheets.extend(sheet),
            Err(error) if !broken.iter().any(|(known, _)| *known == folio.id) => {
                broken.push((folio.id, error));
            }
            Err(_) => {}
        }
    }
    leave_out(context.open(now)?.len(), broken)?;
    Ok(sheets)
}

fn draw_one(
    (notary, key): (&Notary, &SigningStateKey),
    company: &str,
    folio: &Folio,
    signing_state: &SigningState,
    now: Timestamp,
) -> Result<Option<NewSheet>, Error> {
    let document = &folio[signing_state.position];
    let prepared = key.open(folio.id, signing_state.position, &signing_state.prepared)?;
    let drawn = notary.sheet(folio, company, document, &prepared, now)?;
    Ok(drawn.map(|(bytes, next)| NewSheet {
        folio: signing_state.folio,
        position: signing_state.position,
        bytes,
        prepared: key.seal(folio.id, signing_state.position, next.to_bytes()),
    }))
}
