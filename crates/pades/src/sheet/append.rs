//! Appends a sheet in an increment.

use std::fmt::Write;

use pdf::increment::{Increment, encoded, text};
use pdf::prepare::{Prepared, SlotField};
use pdf::syntax::Ref;

use super::archive::Archive;
use super::canvas::Canvas;
use super::charset::clean;
use super::data::{Sheet, SheetError, Signer};
use super::embedded_fonts::Packer;
use super::font::Font;
use super::layout::{self, SheetPage, Subject};
use super::page_tree::add_pages;
use super::paper::PaperSize;
use super::signer_card;
use super::texts;
use crate::form::add_to_form;
use crate::language::Language;
use crate::structure::Section;

/// Signers of one sheet.
const MAX_SIGNERS: usize = 100;

/// Drawings below this size are not compressed: a sheet has one for each field.
const MIN_COMPRESSED_BYTES: usize = 1_200;

/// Appends a sheet in an increment of a document without signatures. The hash on it is that of the document so far.
///
/// Later fields go on the sheet, so that no page of the document itself changes again.
pub(crate) fn append_sheet(
    increment: &mut Increment,
    prepared: &Prepared,
    sheet: &Sheet<'_>,
) -> Result<(), SheetError> {
    if prepared.append_state.signatures > 0 {
        return Err(SheetError::Signed);
    }
    if sheet.signers.is_empty() || sheet.signers.len() > MAX_SIGNERS {
        return Err(SheetError::Signers { limit: MAX_SIGNERS });
    }
    for signer in sheet.signers {
        let name = signer.field.as_bytes();
        let plain = !name.is_empty()
            && name
                .iter()
                .all(|byte| (0x20..0x7f).contains(byte) && *byte != b'.');
        if !plain || !increment.append_state.field_names.insert(name.to_vec()) {
            return Err(SheetError::FieldName);
        }
    }
    let subject = Subject {
        sha256: prepared.sha256(),
        pages: prepared.append_state.page_count,
    };
    let paper = PaperSize::like(prepared.append_state.paper);
    let section = Section::begin(increment);
    let mut canvas = Canvas::new(section.is_some());
    let pages = layout::draw(&mut canvas, sheet, &subject, paper)?;
    let areas = pages.iter().flat_map(|page| &page.fields);
    let cards: Vec<Vec<u8>> = areas
        .zip(sheet.signers)
        .map(|([left, bottom, right, top], signer)| {
            signer_card::pending(&mut canvas, [right - left, top - bottom], signer, sheet)
        })
        .collect();
    let archive = Archive::of(increment);
    let common = fonts(increment, archive)?;
    let others = canvas.into_subsets().embed(increment, archive);
    let others = others.ok_or(pdf::Damage::Entry("Font"))?;
    let colours = archive.colours(increment);
    let mut writer = Writer {
        resources: format!("/Font<<{common}{others}>>{colours}"),
        lasting_resources: format!("/Font<<{common}>>{colours}"),
        packer: Packer::fast(),
        increment,
        paper,
        section,
        language: sheet.language,
    };
    let (mut page_list, mut fields) = (Vec::new(), Vec::new());
    let mut signers = sheet.signers.iter().zip(&cards);
    for page in &pages {
        let added = writer.page(page, &mut signers);
        page_list.push(added.0);
        fields.extend(added.1);
    }
    let Writer {
        increment, section, ..
    } = writer;
    if let Some(section) = section {
        section.end(increment, sheet.language)?;
    }
    add_pages(
        increment,
        &list(&page_list),
        u32::try_from(pages.len()).unwrap_or(u32::MAX),
    )?;
    add_to_form(increment, Some(&list(&fields)))?;
    increment.append_state.field_page = page_list
        .first()
        .copied()
        .unwrap_or(increment.append_state.field_page);
    Ok(())
}

/// Appends a page with an empty field and nothing drawn, as a sheet is appended.
pub(crate) fn append_blank_sheet(increment: &mut Increment, field: &str) -> Result<(), SheetError> {
    if !increment.append_state.field_names.insert(encoded(field)) {
        return Err(SheetError::FieldName);
    }
    let (page, id) = (increment.allocate(), increment.allocate());
    let parent = increment.append_state.pages;
    let mut of_page = String::new();
    let mut of_field = String::new();
    if let Some(mut section) = Section::begin(increment) {
        of_page = section.page(increment, page, &[]);
        of_field = section.field(increment, page, id, field);
        section.end(increment, Language::default())?;
    }
    let body = format!(
        "<</Type/Page/Parent {} {} R/MediaBox[0 0 99 99]/Resources<<>>/Annots[{} 0 R]{of_page}>>",
        parent.number, parent.generation, id.number
    );
    increment.restate(page, body.into_bytes());
    let body = format!(
        "<</Type/Annot/Subtype/Widget/FT/Sig/T{}/F 132/Rect[9 9 90 90]/P {} 0 R{of_field}>>",
        text(field),
        page.number
    );
    increment.restate(id, body.into_bytes());
    increment.append_state.slots.push(SlotField {
        name: encoded(field),
        id,
    });
    add_pages(increment, &list(&[page]), 1)?;
    add_to_form(increment, Some(&list(&[id])))?;
    increment.append_state.field_page = page;
    Ok(())
}

/// New objects as the items of an array.
fn list(ids: &[Ref]) -> String {
    let items: Vec<String> = ids.iter().map(|id| format!("{} 0 R", id.number)).collect();
    items.join(" ")
}

/// Embeds the fonts of every sheet, and returns their entries in the dictionary of fonts.
fn fonts(increment: &mut Increment, archive: Archive) -> Result<String, SheetError> {
    let mut entries = String::new();
    for font in Font::ALL {
        let id = font.embed(increment, archive).ok_or(pdf::Damage::Entry("Font"))?;
        let _ = write!(entries, "/{} {} 0 R", font.key(), id.number);
    }
    Ok(entries)
}

/// Adds pages and fields to an increment.
struct Writer<'w> {
    increment: &'w mut Increment,
    paper: PaperSize,
    /// The resources of this sheet.
    resources: String,
    /// Those of them with which later signatures are drawn.
    lasting_resources: String,
    packer: Packer,
    /// The section of a tagged document that the sheet becomes.
    section: Option<Section>,
    language: Language,
}

impl Writer<'_> {
    /// Writes a drawing, compressed if that saves more than it costs.
    fn drawing(&mut self, id: Ref, entries: &str, content: &[u8]) {
        if content.len() < MIN_COMPRESSED_BYTES {
            self.increment.write_stream(id, entries.as_bytes(), content);
        } else {
            let entries = format!("{entries}/Filter/FlateDecode");
            let packed = self.packer.pack(content);
            self.increment.write_stream(id, entries.as_bytes(), &packed);
        }
    }

    /// Adds a page and its fields.
    fn page<'s>(
        &mut self,
        page: &SheetPage,
        signers: &mut impl Iterator<Item = (&'s Signer<'s>, &'s Vec<u8>)>,
    ) -> (Ref, Vec<Ref>) {
        let id = self.increment.allocate();
        let content = self.increment.allocate();
        self.drawing(content, "", page.content.as_bytes());
        let structure = match &mut self.section {
            Some(section) => section.page(self.increment, id, &page.tags),
            None => String::new(),
        };
        let fields = page.fields.iter().zip(signers);
        let fields: Vec<Ref> = fields
            .map(|(area, (signer, card))| self.field(id, *area, signer, card))
            .collect();
        let area = format!("[0 0 {:.2} {:.2}]", self.paper.width, self.paper.height);
        // Overrides every attribute that pages inherit from the page tree.
        let body = format!(
            "<</Type/Page/Parent {} {} R/MediaBox{area}/CropBox{area}/Rotate 0/Contents {} 0 R/Resources<<{}>>/Annots[{}]{structure}>>",
            self.increment.append_state.pages.number,
            self.increment.append_state.pages.generation,
            content.number,
            self.resources,
            list(&fields),
        );
        self.increment.restate(id, body.into_bytes());
        (id, fields)
    }

    fn field(
        &mut self,
        page: Ref,
        [left, bottom, right, top]: [f64; 4],
        signer: &Signer<'_>,
        card: &[u8],
    ) -> Ref {
        let (width, height) = (right - left, top - bottom);
        let look = self.increment.allocate();
        let entries = format!(
            "/Type/XObject/Subtype/Form/BBox[0 0 {width:.2} {height:.2}]/Resources<<{}>>",
            self.resources
        );
        self.drawing(look, &entries, card);
        let id = self.increment.allocate();
        let description = texts::field_of(self.language, &clean(signer.name));
        let structure = match &mut self.section {
            Some(section) => section.field(self.increment, page, id, &description),
            None => String::new(),
        };
        let body = format!(
            "<</Type/Annot/Subtype/Widget/FT/Sig/T{}/TU{}/F 132/Rect[{left:.2} {bottom:.2} {right:.2} {top:.2}]/P {} 0 R/AP<</N {} 0 R>>/DR<<{}>>{structure}>>",
            text(signer.field),
            text(&description),
            page.number,
            look.number,
            self.lasting_resources,
        );
        self.increment.restate(id, body.into_bytes());
        self.increment.append_state.slots.push(SlotField {
            name: encoded(signer.field),
            id,
        });
        id
    }
}
