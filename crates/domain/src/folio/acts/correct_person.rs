//! The correction of a person.

use super::notices_to_old_contact;
use crate::event::{Event, EventKind, Origin, PersonRef};
use crate::folio::Folio;
use crate::folio::change::{Change, SignerChange};
use crate::folio::refusal::Refusal;
use crate::ids::SignerIndex;
use crate::message::Template;
use crate::signer::{Contact, PersonFields};
use crate::text::{DocumentNumber, PersonName};
use crate::time::Timestamp;

impl Folio {
    /// An administrator corrects what a signer is called, the number of their document and where they are reached, also
    /// after the signer has acted. While the signer can still act, sessions end with another number or contact, and the old
    /// contact gets a notice, as when a resend corrects it.
    pub fn correct_person(
        &self,
        signer_index: SignerIndex,
        now: &PersonFields,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        if self.erased {
            return Err(Refusal::Erased);
        }
        let signer = self.signer(signer_index).ok_or(Refusal::UnknownSigner)?;
        let renumbered = signer.document_number != now.document_number;
        if renumbered && self.has_other_with_number(signer_index, &now.document_number) {
            return Err(Refusal::RepeatedSigner);
        }
        let may_act = self.may_act(signer_index, at).is_ok();
        let corrected = may_act && !signer.contact.reaches_the_same(&now.contact);
        let mut change = Change::new(self.state, self.state, at);
        change.signers.push(SignerChange {
            name: Some(now.name.clone()),
            document_number: Some(now.document_number.clone()),
            contact: now.contact.clone(),
            ends_sessions: corrected || may_act && renumbered,
            contact_corrected: corrected,
            ..self.unchanged(signer_index)
        });
        if corrected {
            let old = &signer.contact;
            change.messages =
                notices_to_old_contact(Template::ContactChanged, old, &now.contact, signer_index);
        }
        let person = |name: &PersonName, number: &DocumentNumber, contact: &Contact| PersonRef {
            name: name.clone(),
            document_number: renumbered.then(|| number.clone()),
            contact: contact.clone(),
        };
        let what = EventKind::Corrected {
            signer: signer_index,
            before: person(&signer.name, &signer.document_number, &signer.contact),
            now: person(&now.name, &now.document_number, &now.contact),
        };
        change.events.push(Event { at, origin, what });
        Ok(change)
    }
}
