//! A person gets one message about many folios, not one for each.

use domain::{FolioId, Message};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// Leaves one message of each key: the first, which names the other folios. `key_of` takes the index of a folio and a message of
/// it; a message without a key stays as it is.
pub(crate) fn merge_messages<K: Eq + Hash>(
    folios: &mut [(FolioId, &mut Vec<Message>)],
    key_of: impl Fn(usize, &Message) -> Option<K>,
) {
    let mut first: HashMap<K, (usize, usize)> = HashMap::new();
    let mut others = Vec::new();
    for (folio, (id, messages)) in folios.iter_mut().enumerate() {
        let mut kept = Vec::with_capacity(messages.len());
        for message in messages.drain(..) {
            if let Some(key) = key_of(folio, &message) {
                match first.entry(key) {
                    Entry::Occupied(entry) => {
                        others.push((*entry.get(), (*id, message.signer)));
                        continue;
                    }
                    Entry::Vacant(entry) => {
                        entry.insert((folio, kept.len()));
                    }
                }
            }
            kept.push(message);
        }
        **messages = kept;
    }
    for ((folio, message), other) in others {
        folios[folio].1[message].others.push(other);
    }
}
