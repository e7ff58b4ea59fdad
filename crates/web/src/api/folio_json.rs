//! A folio as the operations that read it show it, written straight into the answer: to read folios is most of what is
//! asked for, and to write them down was a third of its cost.

use super::wire::{Date, folio_state, signature_type, signer_state};
use domain::Folio;
use jiff::tz::TimeZone;
use std::ops::Range;
use store::{ShownDocument, ShownFolio, ShownSigner};

/// What stands between the parts of a folio.
pub(super) const DOCUMENTS: &str = r#","documents":"#;
pub(super) const SIGNERS: &str = r#","signers":"#;

/// JSON in the making. Each value comes with what stands before it.
#[derive(Debug)]
pub(crate) struct Json(Vec<u8>);

impl Json {
    /// Nothing yet, and room for so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds what was written elsewhere.
    pub(crate) fn part(&mut self, json: &Self, part: &Range<usize>) -> &mut Self {
        self.0.extend_from_slice(&json.0[part.clone()]);
        self
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Adds what is JSON already.
    pub(crate) fn raw(&mut self, text: &str) -> &mut Self {
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, before: &str, text: &str) -> &mut Self {
        self.raw(before);
        // Without an early end, so that many bytes are looked at together.
        let is_special = |byte| matches!(byte, 0..0x20 | b'"' | b'\\');
        if text.bytes().fold(false, |any, byte| any | is_special(byte)) {
            // A vector takes everything.
            let _ = serde_json::to_writer(&mut self.0, text);
            return self;
        }
        self.0.push(b'"');
        self.raw(text);
        self.0.push(b'"');
        self
    }

    /// Adds a text, or that there is none.
    fn maybe(&mut self, before: &str, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(before, text),
            None => self.raw(before).raw("null"),
        }
    }

    /// Adds a list.
    pub(crate) fn list<T>(&mut self, items: &[T], mut add: impl FnMut(&mut Self, &T)) -> &mut Self {
        self.raw("[");
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.raw(",");
            }
            add(self, item);
        }
        self.raw("]")
    }

    /// Adds folios.
    pub(crate) fn folios(&mut self, folios: &[Folio], zone: &TimeZone) -> &mut Self {
        self.list(folios, |json, folio| {
            json.folio(folio, zone);
        })
    }

    /// Adds a folio with all that belongs to it.
    pub(crate) fn folio(&mut self, folio: &Folio, zone: &TimeZone) -> &mut Self {
        self.folio_data(&folio.into(), zone)
            .raw(DOCUMENTS)
            .list(&folio.documents, |json, document| {
                json.document(&document.into(), zone);
            })
            .raw(SIGNERS)
            .list(&folio.signers, |json, signer| {
                json.signer(&signer.into(), zone);
            })
            .raw("}")
    }

    /// Adds a folio up to what belongs to it.
    pub(super) fn folio_data(&mut self, folio: &ShownFolio<'_>, zone: &TimeZone) -> &mut Self {
        let (state, state_name) = folio_state(folio.state);
        let (kind, kind_name) = signature_type(folio.signature_type);
        let updated = folio.updated_at.map(|at| Date::new(at, zone));
        self.text(r#"{"folioData":{"folioId":"#, &folio.id.to_string())
            .text(r#","name":"#, folio.name)
            .text(r#","message":"#, folio.message)
            .maybe(r#","observation":"#, folio.observation)
            .text(r#","dateCreate":"#, Date::new(folio.created_at, zone).as_str())
            .maybe(r#","dateLastUpdate":"#, updated.as_ref().map(Date::as_str))
            .text(r#","state":"#, state)
            .text(r#","stateName":"#, state_name)
            .text(r#","flag_drop":"#, if folio.dropped { "1" } else { "0" })
            .text(r#","signatureType":"#, kind)
            .text(r#","signatureTypeName":"#, kind_name)
            .raw("}")
    }

    /// Adds a document.
    pub(super) fn document(&mut self, document: &ShownDocument<'_>, zone: &TimeZone) -> &mut Self {
        self.text(r#"{"documentId":"#, &document.id.to_string())
            .text(r#","name":"#, document.name)
            .text(r#","dateCreate":"#, Date::new(document.created_at, zone).as_str())
            .raw("}")
    }

    /// Adds a signer.
    pub(super) fn signer(&mut self, signer: &ShownSigner<'_>, zone: &TimeZone) -> &mut Self {
        let (state, state_name) = signer_state(signer.state);
        let address = signer.signed_from.map(|address| address.to_string());
        let updated = signer.updated_at.map(|at| Date::new(at, zone));
        self.text(r#"{"name":"#, signer.name)
            .text(r#","documentType":"#, signer.document_type.code())
            .text(r#","documentNumber":"#, signer.document_number)
            .text(r#","email":"#, signer.email)
            .text(r#","cellPhoneNumber":"#, signer.mobile)
            .text(r#","folioState":"#, state)
            .text(r#","folioStateName":"#, state_name)
            .maybe(r#","ipSignatureAddress":"#, address.as_deref())
            .maybe(r#","dateLastUpdate":"#, updated.as_ref().map(Date::as_str))
            .raw("}")
    }
}

/// The same for webhooks, which are told what the operation that reads a folio shows.
pub fn folio_as_read(folio: &Folio, zone: &TimeZone) -> serde_json::Value {
    let mut json = Json::with_room(0);
    json.folio(folio, zone);
    serde_json::from_slice(&json.0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_written_so_that_it_is_read_again() {
        let ascii: String = (0..=127u8).map(char::from).collect();
        let texts = [
            "",
            "Ñandú",
            "\"",
            "\\",
            "a\u{7f}b\u{2028}c",
            "línea\nlínea",
            &ascii,
        ];
        for text in texts {
            let mut json = Json::with_room(0);
            json.text("[", text).raw("]");
            assert_eq!(json.0, serde_json::to_vec(&[text]).unwrap());
        }
    }
}
