//! A bulk signature signs many folios at once. A person gets one message about all of them, not one for each.

use crate::messages::merge::merge_messages;
use domain::{Change, Template};
use store::StoredFolio;

/// Leaves each person one receipt, and one message about what all have signed: the first, which names the other folios. A
/// person is told by the recipient and the number of the identity document.
pub(super) fn one_message_per_person(changes: &mut [(&StoredFolio, Change)]) {
    let folios: Vec<&StoredFolio> = changes.iter().map(|(stored, _)| *stored).collect();
    let mut messages: Vec<_> = changes
        .iter_mut()
        .map(|(stored, change)| (stored.folio.id, &mut change.messages))
        .collect();
    merge_messages(&mut messages, |folio, message| {
        if !matches!(message.template, Template::Receipt | Template::Completed) {
            return None;
        }
        let signer = &folios[folio].folio[message.signer];
        Some((
            message.template,
            message.recipient.clone(),
            signer.document_type,
            signer.document_number.bare(),
        ))
    });
}
