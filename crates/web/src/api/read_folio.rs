//! `GET consult`: one folio.

use super::answer::{Answer, room_for};
use super::call::Call;
use super::errors::{Cause, Failure};
use super::sheaf::Sheaf;
use crate::Web;
use app::read_folios::Scribe;
use domain::FolioId;
use std::collections::HashSet;
use store::Shown;

pub(crate) const FOUND: &str = "Consulta realizada exitosamente.";

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let id = call
        .query("folioId")
        .ok()
        .and_then(|text| text.parse::<FolioId>().ok());
    let Some(id) = id else {
        web.caller(call.access()).await?;
        return Err(Cause::Malformed.into());
    };
    let one = One(Sheaf::with_room(room_for(1), web.settings.timezone.clone()));
    Ok(web.app.dictate_folio(call.access()?, id, one).await?)
}

/// The folio in the making.
struct One(Sheaf);

impl Scribe for One {
    type Written = Answer;

    fn take(&mut self, of: usize, shown: &Shown<'_>) {
        self.0.take(of, shown);
    }

    fn finish(self, _: &HashSet<FolioId>) -> Answer {
        Answer::found(1, |json| {
            if let Some(sheet) = self.0.first() {
                self.0.write(sheet, json);
            }
        })
    }
}
