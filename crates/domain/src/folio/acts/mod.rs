//! The acts on a folio. Each returns the change it makes, or the rule that forbids it.

mod closing;
mod correct_person;
mod sending;
mod signing;

use crate::folio::Folio;
use crate::folio::change::SignerChange;
use crate::folio::refusal::Refusal;
use crate::folio::state::FolioState;
use crate::ids::SignerIndex;
use crate::message::{Message, Template};
use crate::signer::{Contact, SignerState};
use crate::time::Timestamp;

impl Folio {
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
