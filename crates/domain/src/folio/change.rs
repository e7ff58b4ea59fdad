//! What an act changes. The store applies it in one transaction, or not at all.

use crate::contact::ReturnUrl;
use crate::event::Event;
use crate::folio::state::FolioState;
use crate::ids::SignerIndex;
use crate::message::Message;
use crate::signer::{Contact, SignerState};
use crate::text::{DocumentNumber, Observation, PersonName};
use crate::time::Timestamp;
use std::net::IpAddr;

/// The effect of one act on one folio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The state the act found; the store refuses the change where it finds another.
    pub from: FolioState,
    /// The state after the act.
    pub to: FolioState,
    /// When the act took place.
    pub at: Timestamp,
    /// The observation from now on, where the act gives one.
    pub observation: Option<Observation>,
    /// Whether the folio is dropped by this act.
    pub drop: bool,
    /// The signers that change.
    pub signers: Vec<SignerChange>,
    /// What goes into the history.
    pub events: Vec<Event>,
    /// What must be sent.
    pub messages: Vec<Message>,
}

/// A signer after an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignerChange {
    /// Index in the folio.
    pub signer: SignerIndex,
    /// State from now on.
    pub state: SignerState,
    /// Name from now on, where the act gives one.
    pub name: Option<PersonName>,
    /// Document number from now on, where the act gives one.
    pub document_number: Option<DocumentNumber>,
    /// Contact from now on.
    pub contact: Contact,
    /// From where the signature was made.
    pub signed_from: Option<IpAddr>,
    /// When the signer acted last.
    pub updated_at: Option<Timestamp>,
    /// The return address from now on, where the act gives one.
    pub return_url: Option<ReturnUrl>,
    /// Whether the signer's sessions end with this act.
    pub ends_sessions: bool,
    /// Whether a code was typed that came to the email address.
    pub proves_email: bool,
    /// Whether the company corrected the contact: until a code sent to it was typed, the link shows nothing.
    pub contact_corrected: bool,
}

impl Change {
    pub(crate) const fn new(from: FolioState, to: FolioState, at: Timestamp) -> Self {
        Self {
            from,
            to,
            at,
            observation: None,
            drop: false,
            signers: Vec::new(),
            events: Vec::new(),
            messages: Vec::new(),
        }
    }
}
