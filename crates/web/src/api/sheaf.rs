//! Folios whose parts may come by turns (those of older folios after all others) and are written folio by folio.

use super::folio_json::{DOCUMENTS, Json, SIGNERS};
use domain::FolioId;
use jiff::tz::TimeZone;
use std::collections::HashMap;
use std::ops::Range;
use store::Shown;

/// The parts of folios, as JSON, in the order in which they came.
#[derive(Debug)]
pub(crate) struct Sheaf {
    zone: TimeZone,
    parts: Json,
    sheets: Vec<Sheet>,
}

/// Where the parts of a folio are.
#[derive(Debug)]
pub(crate) struct Sheet {
    id: FolioId,
    data: Range<usize>,
    documents: Range<usize>,
    signers: Range<usize>,
}

impl Sheaf {
    /// Nothing yet, and room for so many bytes.
    pub(crate) fn with_room(bytes: usize, zone: TimeZone) -> Self {
        Self {
            zone,
            parts: Json::with_room(bytes),
            sheets: Vec::new(),
        }
    }

    /// Takes a folio, or what belongs to the folio of that number; all of a kind that belongs to one comes together.
    pub(crate) fn take(&mut self, of: usize, shown: &Shown<'_>) {
        let (parts, zone) = (&mut self.parts, &self.zone);
        match (shown, self.sheets.get_mut(of)) {
            (Shown::Folio(folio), _) => {
                let begun = parts.len();
                parts.folio_data(folio, zone);
                self.sheets.push(Sheet {
                    id: folio.id,
                    data: begun..parts.len(),
                    documents: 0..0,
                    signers: 0..0,
                });
            }
            (Shown::Document(document), Some(sheet)) => go_on(parts, &mut sheet.documents, |json| {
                json.document(document, zone);
            }),
            (Shown::Signer(signer), Some(sheet)) => go_on(parts, &mut sheet.signers, |json| {
                json.signer(signer, zone);
            }),
            (Shown::Document(_) | Shown::Signer(_), None) => {}
        }
    }

    /// The folio that came first.
    pub(crate) fn first(&self) -> Option<&Sheet> {
        self.sheets.first()
    }

    /// The folios by their identifiers.
    pub(crate) fn sheets(&self) -> HashMap<FolioId, &Sheet> {
        self.sheets.iter().map(|sheet| (sheet.id, sheet)).collect()
    }

    /// Adds one of the folios, with all that belongs to it.
    pub(crate) fn write(&self, sheet: &Sheet, json: &mut Json) {
        json.part(&self.parts, &sheet.data)
            .raw(DOCUMENTS)
            .raw("[")
            .part(&self.parts, &sheet.documents)
            .raw("]")
            .raw(SIGNERS)
            .raw("[")
            .part(&self.parts, &sheet.signers)
            .raw("]}");
    }
}

/// Adds one more to a list, whose end it is.
fn go_on(parts: &mut Json, list: &mut Range<usize>, add: impl FnOnce(&mut Json)) {
    if list.start == list.end {
        list.start = parts.len();
    } else {
        parts.raw(",");
    }
    add(parts);
    list.end = parts.len();
}
