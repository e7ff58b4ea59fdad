//! The field of a signature: an empty one is filled, a new one joins the form and the first page.

use pdf::Damage;
use pdf::increment::{Increment, append_item, array_of, edit, encoded, entry, text};
use pdf::prepare::ObjectCopy;
use pdf::syntax::{Ref, Value};

use super::Appearance;
use super::error::SignError;
use super::request::{Field, Lock, NewSignature};
use crate::form::add_to_form;
use crate::language::Language;
use crate::sheet::Archive;
use crate::structure::Section;

/// Writes the field with the signature in it, and the entries of the form that it needs.
pub(super) fn write(
    increment: &mut Increment,
    request: &NewSignature<'_>,
    signature: Ref,
) -> Result<(), SignError> {
    // Readers disagree about an appearance without an area: some draw it.
    let appearance = request
        .appearance
        .as_ref()
        .filter(|_| !matches!(request.field, Field::Invisible(_)));
    let archive = Archive::of(increment);
    let drawn = match appearance {
        Some(appearance) => Some(draw(increment, appearance, archive)?),
        // Archives want an appearance in every field, also in one without an area. This one draws nothing.
        None if archive != Archive::No && matches!(request.field, Field::Invisible(_)) => {
            let id = increment.allocate();
            increment.write_stream(id, b"/Type/XObject/Subtype/Form/BBox[0 0 0 0]/Resources<<>>", b"");
            Some(format!("<</N {} 0 R>>", id.number))
        }
        None => None,
    };
    match request.field {
        Field::Existing(name) => fill(increment, request, signature, name, drawn.as_deref()),
        Field::Invisible(name) => add(increment, request, signature, name, [0.0; 4], drawn.as_deref()),
        Field::Visible(name, area) => add(increment, request, signature, name, area, drawn.as_deref()),
    }
}

/// Writes an appearance with its fonts, and returns the dictionary that names it.
fn draw(increment: &mut Increment, appearance: &Appearance, archive: Archive) -> Result<String, SignError> {
    let others = appearance.subsets.embed(increment, archive);
    let others = others.ok_or(Damage::Entry("Font"))?;
    let id = increment.allocate();
    let [width, height] = appearance.size;
    let entries = format!(
        "/Type/XObject/Subtype/Form/BBox[0 0 {width:.2} {height:.2}]/Resources<</Font<<{}{others}>>{}>>",
        appearance.fonts, appearance.resources
    );
    increment.write_stream(id, entries.as_bytes(), &appearance.content);
    Ok(format!("<</N {} 0 R>>", id.number))
}

fn fill(
    increment: &mut Increment,
    request: &NewSignature<'_>,
    signature: Ref,
    name: &str,
    drawn: Option<&str>,
) -> Result<(), SignError> {
    let found = increment
        .append_state
        .slots
        .iter()
        .position(|slot| slot.name == encoded(name));
    let slot = increment
        .append_state
        .slots
        .remove(found.ok_or(SignError::NoSuchField)?);
    let lock = request.lock.map(|lock| write_lock(increment, lock));
    let body = increment.object(slot.id).ok_or(SignError::NoSuchField)?;
    let value = format!("{} 0 R", signature.number);
    let mut changes: Vec<(&str, &[u8])> = vec![("V", value.as_bytes())];
    changes.extend(drawn.map(|drawn| ("AP", drawn.as_bytes())));
    changes.extend(lock.as_ref().map(|lock| ("Lock", lock.as_bytes())));
    let body = edit(body, &changes)?;
    increment.settle(slot.id, body);
    add_to_form(increment, None)?;
    Ok(())
}

fn add(
    increment: &mut Increment,
    request: &NewSignature<'_>,
    signature: Ref,
    name: &str,
    area: [f64; 4],
    drawn: Option<&str>,
) -> Result<(), SignError> {
    if name.is_empty() || name.contains('.') || !increment.append_state.field_names.insert(encoded(name)) {
        return Err(SignError::NameTaken);
    }
    let page = increment.append_state.field_page;
    let id = increment.allocate();
    let [left, bottom, right, top] = area;
    let lock = request
        .lock
        .map(|lock| format!("/Lock {}", write_lock(increment, lock)))
        .unwrap_or_default();
    let drawn = drawn.map(|drawn| format!("/AP{drawn}")).unwrap_or_default();
    let mut structure = String::new();
    if let Some(mut section) = Section::begin(increment) {
        let entry = section.field(increment, page, id, name);
        section.end(increment, Language::default())?;
        structure = format!("/TU{}{entry}", text(name));
    }
    let body = format!(
        "<</Type/Annot/Subtype/Widget/FT/Sig/T{}/F 132/Rect[{left:.2} {bottom:.2} {right:.2} {top:.2}]/P {} {} R/V {} 0 R{drawn}{lock}{structure}>>",
        text(name),
        page.number,
        page.generation,
        signature.number,
    );
    increment.write(id, body.as_bytes());
    let item = format!("{} 0 R", id.number);
    annotate(increment, page, &item)?;
    add_to_form(increment, Some(&item))?;
    Ok(())
}

/// Adds the field to the annotations of a page.
fn annotate(increment: &mut Increment, page: Ref, item: &str) -> Result<(), SignError> {
    let body = increment.object(page).ok_or(Damage::Missing(page.number))?;
    let body = body.to_vec();
    let annotations = entry(&body, "Annots")?;
    let own = annotations.as_ref().and_then(Value::as_ref);
    let list = match own {
        Some(id) => increment.object(id).map(<[u8]>::to_vec),
        None => annotations.map(|value| value.raw.to_vec()),
    };
    let list = list.map(|list| {
        if increment.append_state.signatures == 0 {
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

/// Makes objects of the annotations that are written into the pages of a document without signatures. Strict
/// validators refuse every later signature of a document with annotations inside pages.
pub(crate) fn loosen_pages(increment: &mut Increment) -> Result<(), Damage> {
    let copies: Vec<(u32, ObjectCopy)> = increment
        .append_state
        .objects
        .iter()
        .map(|(number, copy)| (*number, copy.clone()))
        .collect();
    for (number, ObjectCopy { generation, body }) in copies {
        let Ok(Some(annotations)) = entry(&body, "Annots") else {
            continue;
        };
        let own = annotations.as_ref();
        let list = match own {
            Some(id) => increment.object(id).map(<[u8]>::to_vec),
            None => Some(annotations.raw.to_vec()),
        };
        let Some(list) = list.filter(|list| array_of(list).is_ok()) else {
            continue;
        };
        let loose = loosen(increment, list.clone())?;
        if loose == list {
            continue;
        }
        if let Some(id) = own {
            increment.restate(id, loose);
        } else {
            let body = edit(&body, &[("Annots", &loose)])?;
            increment.restate(Ref { number, generation }, body);
        }
    }
    Ok(())
}

/// Makes objects of annotations that are written into the list itself, so that strict validators can tell old
/// annotations from new ones. Only a document without signatures may be changed so.
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

/// Writes the lock of a field, which must be an object of its own, and returns a reference to it.
fn write_lock(increment: &mut Increment, lock: Lock<'_>) -> String {
    let id = increment.allocate();
    let body = format!("<</Type/SigFieldLock{}>>", lock_entries(lock));
    increment.write(id, body.as_bytes());
    format!("{} 0 R", id.number)
}

/// The entries of a lock, which transform parameters share.
pub(super) fn lock_entries(lock: Lock<'_>) -> String {
    let list = |names: &[&str]| names.iter().map(|name| text(name)).collect::<Vec<_>>().join(" ");
    match lock {
        Lock::All => "/Action/All".into(),
        Lock::Only(names) => format!("/Action/Include/Fields[{}]", list(names)),
        Lock::AllBut(names) => format!("/Action/Exclude/Fields[{}]", list(names)),
    }
}
