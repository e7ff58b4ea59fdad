//! The form's list of fields.

use pdf::Damage;
use pdf::increment::{Increment, append_item, dict_of, edit, entry};
use pdf::syntax::Value;

/// Sets the flags of a form with signatures, and adds a field to it. Restates nothing that is right already.
pub(crate) fn add_to_form(increment: &mut Increment, item: Option<&str>) -> Result<(), Damage> {
    let root = increment.append_state.root;
    let catalog = increment
        .object(root)
        .ok_or(Damage::Missing(root.number))?
        .to_vec();
    let form = entry(&catalog, "AcroForm")?;
    let own = form.as_ref().and_then(Value::as_ref);
    // A reference to an object that does not exist means that there is no form.
    let is_missing = own.is_some_and(|id| increment.object(id).is_none());
    let (own, form) = if is_missing { (None, None) } else { (own, form) };
    let body = match own {
        Some(id) => increment.object(id).ok_or(Damage::Missing(id.number))?.to_vec(),
        None => form.map_or(b"<<>>".to_vec(), |value| value.raw.to_vec()),
    };
    let dict = dict_of(&body)?;
    let mut changes: Vec<(&str, Vec<u8>)> = Vec::new();
    if dict.int("SigFlags") != Some(3) {
        changes.push(("SigFlags", b"3".to_vec()));
    }
    if let Some(item) = item {
        match dict.get("Fields").and_then(Value::as_ref) {
            Some(list) => {
                let longer = append_item(increment.object(list), item)?;
                increment.restate(list, longer);
            }
            None => changes.push((
                "Fields",
                append_item(dict.get("Fields").map(|value| value.raw), item)?,
            )),
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    let changes: Vec<(&str, &[u8])> = changes
        .iter()
        .map(|(key, value)| (*key, value.as_slice()))
        .collect();
    let body = edit(&body, &changes)?;
    if let Some(id) = own {
        increment.restate(id, body);
    } else {
        let catalog = edit(&catalog, &[("AcroForm", &body)])?;
        increment.restate(root, catalog);
    }
    Ok(())
}
