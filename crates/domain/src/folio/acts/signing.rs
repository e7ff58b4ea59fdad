//! What signers do.

use super::notices_to_old_contact;
use crate::code::UsedCode;
use crate::event::{Event, EventKind, Origin, SignatureDetails};
use crate::folio::Folio;
use crate::folio::change::{Change, SignerChange};
use crate::folio::refusal::Refusal;
use crate::folio::state::FolioState;
use crate::ids::{BulkId, SignerIndex};
use crate::message::{Channel, Message, Template};
use crate::signer::{Contact, NewSigner, SignerState};
use crate::text::Observation;
use crate::time::Timestamp;

impl Folio {
    /// A signer signs, whose code went to this contact, and gets a receipt. The last one completes the folio; then the others get
    /// a message, too: the receipt of the last one says the same.
    pub fn sign(
        &self,
        signer_index: SignerIndex,
        contact: &Contact,
        details: SignatureDetails,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.may_act(signer_index, at)?;
        let last = self.is_last(signer_index);
        let to = if last { FolioState::Signed } else { self.state };
        let mut change = Change::new(self.state, to, at);
        let other = self.other_contact(signer_index, contact);
        change.signers.push(SignerChange {
            state: SignerState::Signed,
            contact: other
                .clone()
                .unwrap_or_else(|| self[signer_index].contact.clone()),
            contact_corrected: other.is_some(),
            signed_from: origin.client.address,
            updated_at: Some(at),
            ends_sessions: true,
            proves_email: details.channel == Channel::Email,
            ..self.unchanged(signer_index)
        });
        let what = EventKind::Signed {
            signer: signer_index,
            documents: self.document_refs(),
            details,
            contact: other,
        };
        change.events.push(Event {
            at,
            origin: origin.clone(),
            what,
        });
        if self.send_email {
            let receipt = Message::email(Template::Receipt, &contact.email, signer_index);
            change.messages.push(receipt);
        }
        if last {
            change.events.push(Event {
                at,
                origin,
                what: EventKind::Completed,
            });
            let mut completed = self.automatic_messages(Template::Completed);
            completed.retain(|message| message.signer != signer_index);
            change.messages.extend(completed);
        }
        let old = &self[signer_index].contact;
        let notices = notices_to_old_contact(Template::ContactChanged, old, contact, signer_index);
        change.messages.extend(notices);
        Ok(change)
    }

    /// Whether the signer can still sign or reject.
    pub fn may_act(&self, signer_index: SignerIndex, at: Timestamp) -> Result<(), Refusal> {
        self.must_be_open(at)?;
        self.must_not_have_acted(signer_index)
    }

    /// Whether all other signers have signed.
    pub fn is_last(&self, signer_index: SignerIndex) -> bool {
        self.indexed_signers()
            .all(|(other, signer)| other == signer_index || signer.state == SignerState::Signed)
    }

    /// A signer rejects the folio, which ends it; the other signers get a message that does not say why. The code that
    /// proved who it is went to this contact.
    pub fn reject(
        &self,
        signer_index: SignerIndex,
        contact: &Contact,
        reason: &Observation,
        code: Option<UsedCode>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.may_act(signer_index, at)?;
        let mut change = Change::new(self.state, FolioState::RejectedBySigner, at);
        change.observation = Some(reason.clone());
        let other = self.other_contact(signer_index, contact);
        change.signers.push(SignerChange {
            state: SignerState::Rejected,
            contact: other
                .clone()
                .unwrap_or_else(|| self[signer_index].contact.clone()),
            contact_corrected: other.is_some(),
            updated_at: Some(at),
            ends_sessions: true,
            ..self.unchanged(signer_index)
        });
        change.messages = self.automatic_messages(Template::Rejected);
        change.messages.retain(|message| message.signer != signer_index);
        let old = &self[signer_index].contact;
        let notices = notices_to_old_contact(Template::ContactChanged, old, contact, signer_index);
        change.messages.extend(notices);
        let channel = self.signature_type.channel();
        let what = EventKind::Rejected {
            signer: signer_index,
            reason: reason.clone(),
            channel,
            recipient: contact.recipient(channel),
            code,
            contact: other,
        };
        change.events.push(Event { at, origin, what });
        Ok(change)
    }

    /// A bulk signature over this folio is started for one of its signers. This is recorded. If it names another contact
    /// than the folio, the folio's own contact gets a message.
    pub fn start_bulk(
        &self,
        bulk: BulkId,
        signer: &NewSigner,
        origin: Origin,
        at: Timestamp,
    ) -> Result<(Event, Vec<Message>), Refusal> {
        let signer_index = self.signer_by_number(&signer.document_number)?;
        let own = &self[signer_index];
        if own.document_type != signer.document_type {
            return Err(Refusal::UnknownSigner);
        }
        // Of a folio that has ended otherwise it says that it has ended, also to a signer who had signed.
        let acted = match own.state {
            SignerState::Pending => false,
            SignerState::Signed => self.must_be_pending().is_ok(),
            SignerState::Rejected => true,
        };
        if acted {
            return Err(Refusal::AlreadyActed);
        }
        self.must_be_open(at)?;
        let messages = notices_to_old_contact(
            Template::OtherContact,
            &own.contact,
            &signer.contact,
            signer_index,
        );
        let what = EventKind::BulkStarted {
            bulk,
            signer: signer_index,
            contact: (!own.contact.reaches_the_same(&signer.contact)).then(|| signer.contact.clone()),
        };
        Ok((Event { at, origin, what }, messages))
    }
}
