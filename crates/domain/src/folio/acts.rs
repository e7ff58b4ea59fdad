//! The acts on a folio. Each returns the change it makes, or the rule that forbids it.

use crate::code::UsedCode;
use crate::contact::ReturnUrl;
use crate::event::{DocumentRef, Event, EventKind, Origin, PersonRef, SignatureDetails};
use crate::folio::Folio;
use crate::folio::change::{Change, SignerChange};
use crate::folio::refusal::Refusal;
use crate::folio::state::FolioState;
use crate::ids::{BulkId, SignerIndex};
use crate::message::{Channel, Message, Template};
use crate::signer::{Contact, Correction, NewSigner, PersonFields, SignerState};
use crate::text::{DocumentNumber, Observation, PersonName};
use crate::time::Timestamp;
use std::collections::BTreeSet;

impl Folio {
    /// The company cancels: the folio can no longer be signed, and its signers get a notice. Where the service does not
    /// write by itself, only those do who know of the folio.
    pub fn cancel(
        &self,
        observation: &Observation,
        knowing: &BTreeSet<SignerIndex>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_be_pending()?;
        let mut change = Change::new(self.state, FolioState::Cancelled, at);
        change.observation = Some(observation.clone());
        change.messages = self.messages_to_all(Template::Cancelled);
        change
            .messages
            .retain(|message| self.send_email || knowing.contains(&message.signer));
        let what = EventKind::Cancelled {
            observation: observation.clone(),
        };
        change.events.push(Event { at, origin, what });
        Ok(change)
    }

    /// Writes to signers again, at a corrected contact where it differs. The old contact gets a notice.
    pub fn resend(
        &self,
        corrections: &[Correction],
        return_url: &ReturnUrl,
        origin: &Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_be_open(at)?;
        if corrections.is_empty() {
            return Err(Refusal::NoSigners);
        }
        let mut change = Change::new(self.state, self.state, at);
        for correction in corrections {
            let signer_index = self.signer_by_number(&correction.document_number)?;
            let signer = &self[signer_index];
            if signer.state != SignerState::Pending {
                return Err(Refusal::AlreadyActed);
            }
            if change
                .signers
                .iter()
                .any(|changed| changed.signer == signer_index)
            {
                return Err(Refusal::RepeatedSigner);
            }
            let contact = Contact {
                email: correction
                    .email
                    .clone()
                    .unwrap_or_else(|| signer.contact.email.clone()),
                mobile: correction
                    .mobile
                    .clone()
                    .unwrap_or_else(|| signer.contact.mobile.clone()),
            };
            let corrected = !signer.contact.reaches_the_same(&contact);
            let before = corrected.then(|| signer.contact.clone());
            change.messages.extend(notices_to_old_contact(
                Template::ContactChanged,
                &signer.contact,
                &contact,
                signer_index,
            ));
            change
                .messages
                .push(Message::email(Template::Reminder, &contact.email, signer_index));
            let what = EventKind::Resent {
                signer: signer_index,
                before,
                contact: contact.clone(),
                return_url: return_url.clone(),
            };
            change.events.push(Event {
                at,
                origin: origin.clone(),
                what,
            });
            change.signers.push(SignerChange {
                ends_sessions: corrected,
                contact_corrected: corrected,
                contact,
                return_url: Some(return_url.clone()),
                ..self.unchanged(signer_index)
            });
        }
        Ok(change)
    }

    /// Reminds the signers who have not acted, except those whom no email reaches. Returns no message where the company does not
    /// have the service send emails.
    pub fn remind(
        &self,
        is_unreachable: impl Fn(SignerIndex) -> bool,
        at: Timestamp,
    ) -> Result<Vec<Message>, Refusal> {
        self.must_be_open(at)?;
        let waiting = self.indexed_signers().filter(|(index, signer)| {
            self.send_email && signer.state == SignerState::Pending && !is_unreachable(*index)
        });
        Ok(waiting
            .map(|(index, signer)| Message::email(Template::Reminder, &signer.contact.email, index))
            .collect())
    }

    /// Whether signers who have not acted may still be reminded by the company's schedule.
    pub fn may_remind(&self, at: Timestamp) -> bool {
        self.send_email && self.must_be_open(at).is_ok()
    }

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

    /// A supervisor approves the signed folio, whose documents now have these hashes.
    pub fn approve(
        &self,
        documents: Vec<DocumentRef>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_await_approval()?;
        let mut change = Change::new(self.state, FolioState::Approved, at);
        change.events.push(Event {
            at,
            origin,
            what: EventKind::Approved { documents },
        });
        Ok(change)
    }

    /// A supervisor or administrator rejects the signed folio, whose documents now have these hashes.
    pub fn disapprove(
        &self,
        observation: &Observation,
        documents: Vec<DocumentRef>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_await_approval()?;
        let mut change = Change::new(self.state, FolioState::Disapproved, at);
        change.observation = Some(observation.clone());
        let what = EventKind::Disapproved {
            observation: observation.clone(),
            documents,
        };
        change.events.push(Event { at, origin, what });
        Ok(change)
    }

    /// An administrator drops the finished folio: it is still read, its documents no longer.
    pub fn drop_finished(&self, origin: Origin, at: Timestamp) -> Result<Change, Refusal> {
        self.must_not_be_dropped()?;
        if !self.state.is_final() {
            return Err(Refusal::NotFinal);
        }
        let mut change = Change::new(self.state, self.state, at);
        change.drop = true;
        change.events.push(Event {
            at,
            origin,
            what: EventKind::Dropped,
        });
        Ok(change)
    }

    /// The documents and personal values of the finished folio are erased. The folio counts as dropped.
    pub fn erase(
        &self,
        reason: Option<&Observation>,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_be_erasable()?;
        if !self.state.is_final() {
            return Err(Refusal::NotFinal);
        }
        Ok(erased(Change::new(self.state, self.state, at), reason, origin))
    }

    /// The company's retention of pending folios has ended: the folio is cancelled without a word to its signers, and
    /// erased.
    pub fn erase_pending(
        &self,
        observation: &Observation,
        origin: Origin,
        at: Timestamp,
    ) -> Result<Change, Refusal> {
        self.must_be_erasable()?;
        let mut change = self.cancel(observation, &BTreeSet::new(), origin.clone(), at)?;
        change.messages.clear();
        Ok(erased(change, None, origin))
    }

    /// An administrator places the folio under legal hold, whatever its state.
    pub fn place_hold(&self, reason: &Observation, origin: Origin, at: Timestamp) -> Result<Event, Refusal> {
        self.must_be_erasable()?;
        let what = EventKind::HoldPlaced {
            reason: reason.clone(),
        };
        Ok(Event { at, origin, what })
    }

    /// An administrator lifts the legal hold.
    pub fn lift_hold(&self, reason: &Observation, origin: Origin, at: Timestamp) -> Result<Event, Refusal> {
        if !self.held {
            return Err(Refusal::NotHeld);
        }
        let what = EventKind::HoldLifted {
            reason: reason.clone(),
        };
        Ok(Event { at, origin, what })
    }

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

    /// The contact, where it is not the signer's.
    fn other_contact(&self, signer_index: SignerIndex, contact: &Contact) -> Option<Contact> {
        (!self[signer_index].contact.reaches_the_same(contact)).then(|| contact.clone())
    }

    fn unchanged(&self, signer_index: SignerIndex) -> SignerChange {
        let signer = &self[signer_index];
        SignerChange {
            signer: signer_index,
            state: signer.state,
            name: None,
            document_number: None,
            contact: signer.contact.clone(),
            signed_from: signer.signed_from,
            updated_at: signer.updated_at,
            return_url: None,
            ends_sessions: false,
            proves_email: false,
            contact_corrected: false,
        }
    }

    fn must_not_be_dropped(&self) -> Result<(), Refusal> {
        if self.dropped {
            Err(Refusal::Dropped)
        } else {
            Ok(())
        }
    }

    const fn must_be_erasable(&self) -> Result<(), Refusal> {
        match (self.erased, self.held) {
            (true, _) => Err(Refusal::Erased),
            (false, true) => Err(Refusal::Held),
            (false, false) => Ok(()),
        }
    }

    fn must_be_pending(&self) -> Result<(), Refusal> {
        self.must_not_be_dropped()?;
        if self.state == FolioState::Pending {
            Ok(())
        } else {
            Err(Refusal::NotPending)
        }
    }

    fn must_be_open(&self, now: Timestamp) -> Result<(), Refusal> {
        self.must_be_pending()?;
        if self.is_expired(now) {
            Err(Refusal::Expired)
        } else {
            Ok(())
        }
    }

    fn must_await_approval(&self) -> Result<(), Refusal> {
        self.must_not_be_dropped()?;
        if self.state == FolioState::Signed {
            Ok(())
        } else {
            Err(Refusal::NotAwaitingApproval)
        }
    }

    fn must_not_have_acted(&self, signer_index: SignerIndex) -> Result<(), Refusal> {
        match self.signer(signer_index) {
            None => Err(Refusal::UnknownSigner),
            Some(signer) if signer.state == SignerState::Pending => Ok(()),
            Some(_) => Err(Refusal::AlreadyActed),
        }
    }
}

/// The change with the erasure at its end.
fn erased(mut change: Change, reason: Option<&Observation>, origin: Origin) -> Change {
    change.drop = true;
    change.events.push(Event {
        at: change.at,
        origin,
        what: EventKind::Erased {
            reason: reason.cloned(),
        },
    });
    change
}

/// The notices to a contact that is no longer the signer's, or that a bulk signature does not use.
fn notices_to_old_contact(
    template: Template,
    old: &Contact,
    new: &Contact,
    signer_index: SignerIndex,
) -> Vec<Message> {
    let mut messages = Vec::new();
    if old.email != new.email {
        messages.push(Message::email(template, &old.email, signer_index));
    }
    if old.mobile.international() != new.mobile.international() {
        messages.push(Message::sms(template, &old.mobile, signer_index));
    }
    messages
}
