//! The appearance of a field once its signer has signed.

use pdf::increment::{dict_of, encoded, entry};
use pdf::prepare::Prepared;
use pdf::syntax::Value;

use super::appearance::Appearance;
use super::canvas::Canvas;
use super::data::{Act, SheetError};
use super::signer_card;

/// Draws a signature for the empty field of that name on the sheet, in the sheet's own fonts.
pub fn appearance(prepared: &Prepared, field: &str, act: &Act<'_>) -> Result<Appearance, SheetError> {
    let slots = &prepared.append_state.slots;
    let slot = slots.iter().find(|slot| slot.name == encoded(field));
    let slot = slot.ok_or(SheetError::NoSuchField)?;
    let copy = prepared.append_state.objects.get(&slot.id.number);
    let body = copy.ok_or(SheetError::NoSuchField)?.body.as_slice();
    let Some(resources) = entry(body, "DR")? else {
        return Err(SheetError::NoSuchField);
    };
    let resources = resources.as_dict().ok_or(SheetError::NoSuchField)?;
    let fonts = resources
        .get("Font")
        .and_then(|fonts| fonts.raw.strip_prefix(b"<<"))
        .and_then(|raw| raw.strip_suffix(b">>"))
        .ok_or(SheetError::NoSuchField)?;
    let colours = resources.get("ColorSpace").map(|colours| colours.raw);
    let size = size(body)?.ok_or(SheetError::NoSuchField)?;
    let mut canvas = Canvas::default();
    let content = signer_card::signed(&mut canvas, size, act);
    Ok(Appearance {
        size,
        content,
        fonts: String::from_utf8_lossy(fonts).into_owned(),
        resources: colours.map_or_else(String::new, |raw| {
            format!("/ColorSpace{}", String::from_utf8_lossy(raw))
        }),
        subsets: canvas.into_subsets(),
    })
}

/// Width and height of a field.
fn size(field: &[u8]) -> Result<Option<[f64; 2]>, SheetError> {
    let dict = dict_of(field)?;
    let Some([left, bottom, right, top]) = dict.get("Rect").and_then(Value::as_array) else {
        return Ok(None);
    };
    let sides = [left, bottom, right, top].map(Value::as_number);
    let [Some(left), Some(bottom), Some(right), Some(top)] = sides else {
        return Ok(None);
    };
    Ok(Some([right - left, top - bottom]))
}
