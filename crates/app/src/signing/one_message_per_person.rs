//! A bulk signature signs many folios at once. A person gets one message about all of them, not one for each.

use domain::{Change, DocumentType, FolioId, Message, SignerIndex, Template};
use std::collections::HashMap;
use store::StoredFolio;

/// What makes two messages one: the template, the recipient, and the number of the identity document.
type MessageKey = (Template, String, DocumentType, String);

/// Leaves each person one receipt, and one message about what all have signed: the first, which names the other folios.
pub(super) fn one_message_per_person(changes: &mut [(&StoredFolio, Change)]) {
    let mut first: HashMap<MessageKey, (usize, usize)> = HashMap::new();
    let mut others: Vec<((usize, usize), (FolioId, SignerIndex))> = Vec::new();
    for (number, (stored, change)) in changes.iter_mut().enumerate() {
        let folio = &stored.folio;
        let mut kept: Vec<Message> = Vec::with_capacity(change.messages.len());
        for message in std::mem::take(&mut change.messages) {
            if matches!(message.template, Template::Receipt | Template::Completed) {
                let signer = &folio[message.signer];
                let (document_type, number_of) = (signer.document_type, signer.document_number.bare());
                let key = (
                    message.template,
                    message.recipient.clone(),
                    document_type,
                    number_of,
                );
                if let Some(place) = first.get(&key) {
                    others.push((*place, (folio.id, message.signer)));
                    continue;
                }
                first.insert(key, (number, kept.len()));
            }
            kept.push(message);
        }
        change.messages = kept;
    }
    for ((number, place), other) in others {
        changes[number].1.messages[place].others.push(other);
    }
}
