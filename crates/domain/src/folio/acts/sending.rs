//! Cancelling, resending and reminding.

use super::notices_to_old_contact;
use crate::contact::ReturnUrl;
use crate::event::{Event, EventKind, Origin};
use crate::folio::Folio;
use crate::folio::change::{Change, SignerChange};
use crate::folio::refusal::Refusal;
use crate::folio::state::FolioState;
use crate::ids::SignerIndex;
use crate::message::{Message, Template};
use crate::signer::{Contact, Correction, SignerState};
use crate::text::Observation;
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

    /// Writes to signers again, at a corrected contact where it differs. The old contact gets a notice. Without a return address,
    /// the signers keep theirs.
    pub fn resend(
        &self,
        corrections: &[Correction],
        return_url: Option<&ReturnUrl>,
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
                return_url: return_url
                    .unwrap_or_else(|| self.return_url_of(signer_index))
                    .clone(),
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
                return_url: return_url.cloned(),
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
}
