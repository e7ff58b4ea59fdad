//! Adds new pages at the end of the document's page tree.

use pdf::Damage;
use pdf::increment::{Increment, append_item, edit, entry};
use pdf::syntax::Value;

/// Adds pages at the end of the document.
pub(super) fn add_pages(increment: &mut Increment, pages: &str, count: u32) -> Result<(), Damage> {
    let id = increment.append_state.pages;
    let body = increment.object(id).ok_or(Damage::Missing(id.number))?.to_vec();
    let kids = entry(&body, "Kids")?;
    increment.append_state.page_count += count;
    let total = increment.append_state.page_count.to_string();
    let mut changes = vec![("Count", total.into_bytes())];
    match kids.as_ref().and_then(Value::as_ref) {
        Some(list) => {
            let longer = append_item(increment.object(list), pages)?;
            increment.restate(list, longer);
        }
        None => changes.push(("Kids", append_item(kids.map(|value| value.raw), pages)?)),
    }
    let body = apply(&body, &changes)?;
    increment.restate(id, body);
    Ok(())
}

fn apply(body: &[u8], changes: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, Damage> {
    let changes: Vec<(&str, &[u8])> = changes
        .iter()
        .map(|(key, value)| (*key, value.as_slice()))
        .collect();
    edit(body, &changes)
}
