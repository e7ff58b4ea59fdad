//! Puts a sheet into an increment.

use std::fmt::Write;

use super::card;
use super::data::{Sheet, SheetError, Signer};
use super::embed::deflate;
use super::face::Face;
use super::layout::{self, Drawn, Subject};
use super::letters::clean;
use super::paper::Paper;
use super::tree::add_pages;
use super::words;
use crate::increment::{Increment, encoded, enlist, text};
use crate::prepare::{Prepared, SlotField};
use crate::syntax::Ref;

/// The most signers a sheet is for.
const SIGNERS: usize = 100;

/// Puts a sheet into an increment of a document without signatures. The hash on it is that of the document so far.
///
/// Fields that are added later go on the sheet, so that no page of the document itself is touched again.
pub(crate) fn place(
    increment: &mut Increment,
    state: &Prepared,
    sheet: &Sheet<'_>,
) -> Result<(), SheetError> {
    if state.base.signatures > 0 {
        return Err(SheetError::Signed);
    }
    if sheet.signers.is_empty() || sheet.signers.len() > SIGNERS {
        return Err(SheetError::Signers { limit: SIGNERS });
    }
    for signer in sheet.signers {
        let name = signer.field.as_bytes();
        let plain = !name.is_empty()
            && name
                .iter()
                .all(|byte| (0x20..0x7f).contains(byte) && *byte != b'.');
        if !plain || !increment.base.taken.insert(name.to_vec()) {
            return Err(SheetError::FieldName);
        }
    }
    let subject = Subject {
        sha256: state.sha256(),
        pages: state.base.page_count,
    };
    let paper = Paper::like(state.base.paper);
    let pages = layout::draw(sheet, &subject, paper)?;
    let fonts = fonts(increment)?;
    let (mut page_list, mut fields) = (Vec::new(), Vec::new());
    let mut signers = sheet.signers.iter();
    for page in &pages {
        let added = add_page(increment, page, &mut signers, sheet, paper, &fonts);
        page_list.push(added.0);
        fields.extend(added.1);
    }
    add_pages(
        increment,
        &list(&page_list),
        u32::try_from(pages.len()).unwrap_or(u32::MAX),
    )?;
    enlist(increment, Some(&list(&fields)))?;
    increment.base.field_page = page_list.first().copied().unwrap_or(increment.base.field_page);
    Ok(())
}

/// New objects as the items of an array.
fn list(ids: &[Ref]) -> String {
    let items: Vec<String> = ids.iter().map(|id| format!("{} 0 R", id.number)).collect();
    items.join(" ")
}

/// Embeds the fonts, and gives the resources that name them.
fn fonts(increment: &mut Increment) -> Result<String, SheetError> {
    let mut entries = String::new();
    for face in Face::ALL {
        let id = face.embed(increment).ok_or(crate::Damage::Entry("Font"))?;
        let _ = write!(entries, "/{} {} 0 R", face.key(), id.number);
    }
    Ok(format!("/Font<<{entries}>>"))
}

/// Adds a page and its fields.
fn add_page<'s>(
    increment: &mut Increment,
    page: &Drawn,
    signers: &mut impl Iterator<Item = &'s Signer<'s>>,
    sheet: &Sheet<'_>,
    paper: Paper,
    fonts: &str,
) -> (Ref, Vec<Ref>) {
    let id = increment.allocate();
    let content = increment.allocate();
    increment.write_stream(content, b"/Filter/FlateDecode", &deflate(&page.content));
    let mut fields = Vec::new();
    for (area, signer) in page.fields.iter().zip(signers) {
        fields.push(add_field(increment, id, *area, signer, sheet, fonts));
    }
    let area = format!("[0 0 {:.2} {:.2}]", paper.width, paper.height);
    // Whatever the page tree hands down to pages must not reach this one.
    let body = format!(
        "<</Type/Page/Parent {} {} R/MediaBox{area}/CropBox{area}/Rotate 0/Contents {} 0 R/Resources<<{fonts}>>/Annots[{}]>>",
        increment.base.pages.number,
        increment.base.pages.generation,
        content.number,
        list(&fields),
    );
    increment.restate(id, body.into_bytes());
    (id, fields)
}

fn add_field(
    increment: &mut Increment,
    page: Ref,
    area: [f64; 4],
    signer: &Signer<'_>,
    sheet: &Sheet<'_>,
    fonts: &str,
) -> Ref {
    let [left, bottom, right, top] = area;
    let (width, height) = (right - left, top - bottom);
    let look = increment.allocate();
    let entries = format!(
        "/Type/XObject/Subtype/Form/BBox[0 0 {width:.2} {height:.2}]/Resources<<{fonts}>>/Filter/FlateDecode"
    );
    let content = card::pending([width, height], signer, sheet.accent);
    increment.write_stream(look, entries.as_bytes(), &deflate(&content));
    let id = increment.allocate();
    let body = format!(
        "<</Type/Annot/Subtype/Widget/FT/Sig/T{}/TU{}/F 132/Rect[{left:.2} {bottom:.2} {right:.2} {top:.2}]/P {} 0 R/AP<</N {} 0 R>>/DR<<{fonts}>>>>",
        text(signer.field),
        text(&words::field_of(&clean(signer.name))),
        page.number,
        look.number,
    );
    increment.restate(id, body.into_bytes());
    increment.base.slots.push(SlotField {
        name: encoded(signer.field),
        id,
    });
    id
}
