//! A page at the end of the document, with empty signature fields on it.

use thiserror::Error;

use super::form::enlist;
use super::import::Import;
use super::{Appended, Increment, append_item, edit, encoded, entry, text};
use crate::file::{Damage, Document};
use crate::inspect::{Limits, catalog, rectangle};
use crate::prepare::{Held, Prepared, SlotField};
use crate::syntax::{Dict, Kind, Ref, Value};

/// An empty signature field on a new page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot<'s> {
    /// The name of the field, without dots.
    pub name: &'s str,
    /// Left, bottom, right, top, in points from the page's lower left corner.
    pub area: [f64; 4],
}

/// Why a page cannot be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PageError {
    /// A page would break the signatures that are there.
    #[error("a signed document cannot get another page")]
    Signed,
    /// The PDF with the new page has none, or more than one.
    #[error("the PDF with the new page must have exactly one")]
    NotOnePage,
    /// A field of that name exists already, or the name is not a plain one.
    #[error("the name of the field is taken or not a plain one")]
    NameTaken,
    /// The PDF with the new page, or the stored state, does not hold together.
    #[error(transparent)]
    Damaged(#[from] Damage),
}

impl Prepared {
    /// Appends the single page of another PDF, with empty signature fields on it. Only a document without
    /// signatures can be added to.
    pub fn add_page(&self, pdf: &[u8], slots: &[Slot<'_>]) -> Result<Appended, PageError> {
        if self.base.signatures > 0 {
            return Err(PageError::Signed);
        }
        let source = Document::open(pdf, &Limits::default())?;
        let sheet = only_page(&source)?;
        let mut increment = Increment::new(self);
        let id = increment.allocate();
        let fields = write_fields(&mut increment, id, slots)?;
        write_page(&mut increment, &source, id, &sheet, &fields)?;
        join_tree(&mut increment, id)?;
        enlist(&mut increment, Some(&fields))?;
        increment.base.page_count += 1;
        increment.base.last_box = sheet.area;
        Ok(increment.append(self))
    }
}

/// The page to add, and the node above it that it inherits from.
#[derive(Debug)]
struct Sheet<'d> {
    id: Option<Ref>,
    page: Dict<'d>,
    parent_id: Option<Ref>,
    parent: Dict<'d>,
    area: [f64; 4],
}

fn only_page<'d>(source: &'d Document<'d>) -> Result<Sheet<'d>, PageError> {
    let (_, catalog) = catalog(source)?;
    let parent = source
        .look_dict(&catalog, "Pages")?
        .ok_or(Damage::Entry("Pages"))?;
    let kids = source.look_array(&parent, "Kids")?.unwrap_or_default();
    let [kid] = kids.as_slice() else {
        return Err(PageError::NotOnePage);
    };
    let page = match source.resolve(kid)?.kind {
        Kind::Dict(page) if page.name("Type") == Some(b"Page") && !page.ambiguous => page,
        _ => return Err(PageError::NotOnePage),
    };
    let area = source.look_array(if page.has("MediaBox") { &page } else { &parent }, "MediaBox")?;
    let area = rectangle(source, &area.unwrap_or_default())?;
    let parent_id = catalog.get("Pages").and_then(Value::as_ref);
    Ok(Sheet {
        id: kid.as_ref(),
        page,
        parent_id,
        parent,
        area,
    })
}

fn write_fields(increment: &mut Increment, page: Ref, slots: &[Slot<'_>]) -> Result<String, PageError> {
    let mut list = Vec::new();
    for Slot { name, area } in slots {
        if name.is_empty() || name.contains('.') || !increment.base.taken.insert(encoded(name)) {
            return Err(PageError::NameTaken);
        }
        let id = increment.allocate();
        let [left, bottom, right, top] = area;
        let body = format!(
            "<</Type/Annot/Subtype/Widget/FT/Sig/T{}/F 132/Rect[{left:.2} {bottom:.2} {right:.2} {top:.2}]/P {} 0 R>>",
            text(name),
            page.number
        );
        increment.write(id, body.as_bytes());
        increment.base.objects.insert(
            id.number,
            Held {
                generation: 0,
                body: body.into_bytes(),
            },
        );
        increment.base.slots.push(SlotField {
            name: encoded(name),
            id,
        });
        list.push(format!("{} 0 R", id.number));
    }
    Ok(list.join(" "))
}

/// Copies the page under its new parent. What it could inherit there is said on the page itself.
fn write_page(
    increment: &mut Increment,
    source: &Document<'_>,
    id: Ref,
    Sheet {
        id: theirs,
        page,
        parent_id,
        parent,
        ..
    }: &Sheet<'_>,
    fields: &str,
) -> Result<(), Damage> {
    let tree = format!(
        "{} {} R",
        increment.base.pages.number, increment.base.pages.generation
    );
    let pages = increment.base.pages;
    let mut import = Import::new(increment, source);
    import.same(*theirs, id);
    import.same(*parent_id, pages);
    let mut body = b"<</Type/Page/Parent ".to_vec();
    body.extend_from_slice(tree.as_bytes());
    let inherited = |key| page.get(key).or_else(|| parent.get(key));
    for (key, default) in [
        ("MediaBox", None),
        ("Resources", Some("<<>>")),
        ("Rotate", Some("0")),
        ("Contents", None),
    ] {
        let value = match inherited(key) {
            Some(value) => import.value(value)?,
            None => default.unwrap_or_default().as_bytes().to_vec(),
        };
        if !value.is_empty() {
            super::edit::put(&mut body, key.as_bytes(), &value);
        }
    }
    let visible = inherited("CropBox")
        .or_else(|| inherited("MediaBox"))
        .ok_or(Damage::Entry("MediaBox"))?;
    let visible = import.value(visible)?;
    super::edit::put(&mut body, b"CropBox", &visible);
    let mut annotations = b"[".to_vec();
    for item in source.look_array(page, "Annots")?.unwrap_or_default() {
        annotations.extend_from_slice(&import.value(&item)?);
        annotations.push(b' ');
    }
    annotations.extend_from_slice(fields.as_bytes());
    annotations.push(b']');
    super::edit::put(&mut body, b"Annots", &annotations);
    body.extend_from_slice(b">>");
    import.finish()?;
    increment.write(id, &body);
    Ok(())
}

/// Hangs the page at the end of the tree.
fn join_tree(increment: &mut Increment, page: Ref) -> Result<(), Damage> {
    let root = increment.base.pages;
    let tree = increment.held(root).ok_or(Damage::Missing(root.number))?.to_vec();
    let item = format!("{} 0 R", page.number);
    let count = (increment.base.page_count + 1).to_string();
    let kids = entry(&tree, "Kids")?;
    if let Some(list) = kids.as_ref().and_then(Value::as_ref) {
        let longer = append_item(increment.held(list), &item)?;
        increment.restate(list, longer);
        increment.restate(root, edit(&tree, &[("Count", count.as_bytes())])?);
    } else {
        let longer = append_item(kids.map(|value| value.raw), &item)?;
        increment.restate(
            root,
            edit(&tree, &[("Kids", &longer), ("Count", count.as_bytes())])?,
        );
    }
    Ok(())
}
