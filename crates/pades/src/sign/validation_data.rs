//! The document security store: certificates, revocation lists and OCSP responses that make signatures verifiable offline.
//! The items of an existing store are kept, since earlier signatures may need them.

use pdf::Damage;
use pdf::increment::{Appended, Increment, append_item, edit, entry};
use pdf::prepare::Prepared;
use pdf::syntax::{Ref, Value};
use sha2::{Digest, Sha256};

/// Appends certificates, revocation lists and OCSP responses, in DER, to the document's store, without those it has already.
/// The increment is empty if it has all.
pub fn add_validation_data(
    prepared: &Prepared,
    certificates: &[&[u8]],
    crls: &[&[u8]],
    ocsp_responses: &[&[u8]],
) -> Result<Appended, Damage> {
    let mut increment = Increment::new(prepared);
    let root = increment.append_state.root;
    let catalog = increment
        .object(root)
        .ok_or(Damage::Missing(root.number))?
        .to_vec();
    let store = entry(&catalog, "DSS")?;
    let own = store.as_ref().and_then(Value::as_ref);
    let mut body = match own {
        Some(id) => increment.object(id).ok_or(Damage::Missing(id.number))?.to_vec(),
        None => store.map_or(b"<</Type/DSS>>".to_vec(), |value| value.raw.to_vec()),
    };
    let before = increment.append_state.validation_data.len();
    for (key, items) in [("Certs", certificates), ("CRLs", crls), ("OCSPs", ocsp_responses)] {
        let fresh = |item: &&&[u8]| {
            increment
                .append_state
                .validation_data
                .insert(Sha256::digest(item).into())
        };
        let items: Vec<&[u8]> = items.iter().filter(fresh).copied().collect();
        if !items.is_empty() {
            body = extend(&mut increment, &body, key, &items)?;
        }
    }
    if increment.append_state.validation_data.len() == before {
        return Ok(Appended {
            increment: Vec::new(),
            next: prepared.clone(),
        });
    }
    if let Some(id) = own {
        increment.restate(id, body);
    } else {
        let id = increment.allocate();
        let reference = format!("{} 0 R", id.number);
        increment.restate(root, edit(&catalog, &[("DSS", reference.as_bytes())])?);
        increment.restate(id, body);
    }
    increment.append(prepared)
}

/// Adds each item as a stream to the list under a key.
fn extend(increment: &mut Increment, body: &[u8], key: &str, items: &[&[u8]]) -> Result<Vec<u8>, Damage> {
    let ids: Vec<Ref> = items.iter().map(|_| increment.allocate()).collect();
    for (id, item) in ids.iter().zip(items) {
        increment.write_stream(*id, b"", item);
    }
    let list: Vec<_> = ids.iter().map(|id| format!("{} 0 R", id.number)).collect();
    let list = list.join(" ");
    let old = entry(body, key)?;
    // An array of its own is left as it is, since other dictionaries may share it: pyHanko calls that a change of theirs.
    let longer = match old.as_ref().and_then(Value::as_ref) {
        Some(id) => append_item(increment.object(id), &list)?,
        None => append_item(old.map(|value| value.raw), &list)?,
    };
    edit(body, &[(key, &longer)])
}
