//! The field of a signature: an empty one is filled, a new one joins the form and the first page.

use super::request::{Field, Lock, NewSignature};
use super::stages::SignError;
use crate::file::Damage;
use crate::increment::{Increment, append_item, array_of, dict_of, edit, entry, text};
use crate::syntax::{Ref, Value};

/// Writes the field so that it holds the signature, and whatever the form needs besides.
pub(super) fn write(
    increment: &mut Increment,
    request: &NewSignature<'_>,
    signature: Ref,
) -> Result<(), SignError> {
    let drawn = request.appearance.as_ref().map(|appearance| {
        let id = increment.allocate();
        let [width, height] = appearance.size;
        let entries = format!(
            "/Type/XObject/Subtype/Form/BBox[0 0 {width:.2} {height:.2}]/Resources<<{}>>",
            appearance.resources
        );
        increment.write_stream(id, &entries, &appearance.content);
        format!("<</N {} 0 R>>", id.number)
    });
    match request.field {
        Field::Existing(name) => fill(increment, request, signature, name, drawn.as_deref()),
        Field::Invisible(name) => add(increment, request, signature, name, [0.0; 4], drawn.as_deref()),
        Field::Visible(name, area) => add(increment, request, signature, name, area, drawn.as_deref()),
    }
}

fn fill(
    increment: &mut Increment,
    request: &NewSignature<'_>,
    signature: Ref,
    name: &str,
    drawn: Option<&str>,
) -> Result<(), SignError> {
    let found = increment
        .base
        .slots
        .iter()
        .position(|slot| slot.name == encoded(name));
    let slot = increment.base.slots.remove(found.ok_or(SignError::NoSuchField)?);
    let body = increment.held(slot.id).ok_or(SignError::NoSuchField)?;
    let value = format!("{} 0 R", signature.number);
    let lock = request.lock.map(lock_dict);
    let mut changes: Vec<(&str, &[u8])> = vec![("V", value.as_bytes())];
    changes.extend(drawn.map(|drawn| ("AP", drawn.as_bytes())));
    changes.extend(lock.as_ref().map(|lock| ("Lock", lock.as_bytes())));
    let body = edit(body, &changes)?;
    increment.write(slot.id, &body);
    increment.base.objects.remove(&slot.id.number);
    flag(increment, None)
}

fn add(
    increment: &mut Increment,
    request: &NewSignature<'_>,
    signature: Ref,
    name: &str,
    area: [f64; 4],
    drawn: Option<&str>,
) -> Result<(), SignError> {
    if name.is_empty() || name.contains('.') || !increment.base.taken.insert(encoded(name)) {
        return Err(SignError::NameTaken);
    }
    let page = increment.base.field_page;
    let id = increment.allocate();
    let [left, bottom, right, top] = area;
    let lock = request
        .lock
        .map(|lock| format!("/Lock{}", lock_dict(lock)))
        .unwrap_or_default();
    let drawn = drawn.map(|drawn| format!("/AP{drawn}")).unwrap_or_default();
    let body = format!(
        "<</Type/Annot/Subtype/Widget/FT/Sig/T{}/F 132/Rect[{left:.2} {bottom:.2} {right:.2} {top:.2}]/P {} {} R/V {} 0 R{drawn}{lock}>>",
        text(name),
        page.number,
        page.generation,
        signature.number,
    );
    increment.write(id, body.as_bytes());
    let item = format!("{} 0 R", id.number);
    annotate(increment, page, &item)?;
    flag(increment, Some(&item))
}

/// Adds the field to the annotations of a page.
fn annotate(increment: &mut Increment, page: Ref, item: &str) -> Result<(), SignError> {
    let body = increment.held(page).ok_or(Damage::Missing(page.number))?;
    let body = body.to_vec();
    let annotations = entry(&body, "Annots")?;
    let own = annotations.as_ref().and_then(Value::as_ref);
    let list = match own {
        Some(id) => increment.held(id).map(<[u8]>::to_vec),
        None => annotations.map(|value| value.raw.to_vec()),
    };
    let list = list.map(|list| {
        if increment.base.signatures == 0 {
            loosen(increment, list)
        } else {
            Ok(list)
        }
    });
    let longer = append_item(list.transpose()?.as_deref(), item)?;
    if let Some(id) = own {
        increment.restate(id, longer);
    } else {
        let body = edit(&body, &[("Annots", &longer)])?;
        increment.restate(page, body);
    }
    Ok(())
}

/// Makes objects of annotations that are written into the list itself. Only a document without signatures
/// may be changed so; afterwards strict validators can tell the old annotations from the new.
fn loosen(increment: &mut Increment, list: Vec<u8>) -> Result<Vec<u8>, Damage> {
    let items = array_of(&list)?;
    if items.iter().all(|item| item.as_ref().is_some()) {
        return Ok(list);
    }
    let mut out = Vec::from(b"[");
    for item in items {
        if item.as_dict().is_some() {
            let id = increment.allocate();
            increment.write(id, item.raw);
            out.extend_from_slice(format!("{} 0 R ", id.number).as_bytes());
        } else {
            out.extend_from_slice(item.raw);
            out.push(b' ');
        }
    }
    out.push(b']');
    Ok(out)
}

/// Says in the form that there are signatures, and adds a field to it. Rewrites nothing that is right already.
fn flag(increment: &mut Increment, item: Option<&str>) -> Result<(), SignError> {
    let root = increment.base.root;
    let catalog = increment.held(root).ok_or(Damage::Missing(root.number))?.to_vec();
    let form = entry(&catalog, "AcroForm")?;
    let own = form.as_ref().and_then(Value::as_ref);
    let body = match own {
        Some(id) => increment.held(id).ok_or(Damage::Missing(id.number))?.to_vec(),
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
                let longer = append_item(increment.held(list), item)?;
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

/// The lock of a field as a dictionary.
pub(super) fn lock_dict(lock: Lock<'_>) -> String {
    format!("<</Type/SigFieldLock{}>>", lock_entries(lock))
}

/// What a lock says, in the words that locks and transform parameters share.
pub(super) fn lock_entries(lock: Lock<'_>) -> String {
    let list = |names: &[&str]| names.iter().map(|name| text(name)).collect::<Vec<_>>().join(" ");
    match lock {
        Lock::All => "/Action/All".into(),
        Lock::Only(names) => format!("/Action/Include/Fields[{}]", list(names)),
        Lock::AllBut(names) => format!("/Action/Exclude/Fields[{}]", list(names)),
    }
}

/// A name as the bytes of the string that spells it in the file.
pub(crate) fn encoded(name: &str) -> Vec<u8> {
    if name.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return name.into();
    }
    [0xfe, 0xff]
        .into_iter()
        .chain(name.encode_utf16().flat_map(u16::to_be_bytes))
        .collect()
}
