//! The layout of a sheet's pages.

use data_encoding::HEXLOWER;

use super::canvas::{Canvas, INK, LABEL_COLOUR, LINE, Style, style};
use super::charset::clean;
use super::data::{Sheet, SheetError};
use super::font::Font;
use super::line_break::fit;
use super::paper::PaperSize;
use super::qr::Code;
use super::signer_card;
use super::texts;
use crate::structure::Tag;

const GAP: f64 = 12.0;
const QR_SIDE: f64 = 92.0;
const LABEL_WIDTH: f64 = 88.0;

/// A page of a sheet: its drawing, and the areas of its fields.
pub(super) struct SheetPage {
    pub(super) content: String,
    /// Left, bottom, right, top; in the order of the signers.
    pub(super) fields: Vec<[f64; 4]>,
    /// The marked parts of its drawing, if the document is tagged.
    pub(super) tags: Vec<Tag>,
}

/// What the sheet says about the document itself.
pub(super) struct Subject {
    pub(super) sha256: [u8; 32],
    pub(super) pages: u32,
}

/// Draws the pages of a sheet.
pub(super) fn draw(
    canvas: &mut Canvas,
    sheet: &Sheet<'_>,
    subject: &Subject,
    paper: PaperSize,
) -> Result<Vec<SheetPage>, SheetError> {
    let code = Code::of(sheet.address)?;
    let columns: u8 = match paper.column() {
        ..380.0 => 1,
        ..640.0 => 2,
        _ => 3,
    };
    let width = (paper.column() - f64::from(columns - 1) * GAP) / f64::from(columns);
    let mut pages = Vec::new();
    let mut fields = Vec::new();
    let mut top = first(canvas, sheet, subject, paper, &code);
    for row in sheet.signers.chunks(usize::from(columns)) {
        let heights = row
            .iter()
            .map(|signer| signer_card::height(width, signer, sheet.language));
        let height = heights.fold(0.0, f64::max);
        // A page after the first takes at least one row.
        let can_turn = pages.is_empty() || !fields.is_empty();
        if can_turn && top - height <= paper.margin + 2.0 {
            pages.push(SheetPage {
                content: canvas.take(),
                fields: std::mem::take(&mut fields),
                tags: canvas.take_tags(),
            });
            top = next(canvas, sheet, paper);
        }
        let mut left = paper.margin;
        for _ in row {
            let bottom = top - height;
            canvas.decorate(|canvas| signer_card::frame(canvas, [left, bottom, width, height]));
            fields.push([left, bottom, left + width, top]);
            left += width + GAP;
        }
        top -= height + GAP;
    }
    pages.push(SheetPage {
        content: canvas.take(),
        fields,
        tags: canvas.take_tags(),
    });
    let count = pages.len();
    for (place, page) in pages.iter_mut().enumerate() {
        canvas.resume(std::mem::take(&mut page.content));
        let number = texts::place(sheet.language, place + 1, count);
        canvas.decorate(|canvas| foot(canvas, sheet, paper, &number));
        page.content = canvas.take();
    }
    Ok(pages)
}

/// Draws the head of the first page and returns where the cards may start.
fn first(canvas: &mut Canvas, sheet: &Sheet<'_>, subject: &Subject, paper: PaperSize, code: &Code) -> f64 {
    let (left, right) = (paper.margin, paper.right());
    let top = paper.height - paper.margin;
    let room = paper.column() - QR_SIDE - 28.0;
    eyebrow(canvas, sheet, [left, top], texts::of(sheet.language).sheet);
    let (title, lines) = fit(style(Font::Bold, 17.0, INK), 11.0, room, 3, &clean(sheet.title));
    let mut y = top - 20.0;
    canvas.mark(Tag::Paragraph, |canvas| {
        for line in lines {
            y -= title.size + 6.0;
            canvas.text([left, y], title, &line);
        }
    });
    canvas.mark(
        Tag::Figure(texts::code_of(sheet.language, sheet.address)),
        |canvas| {
            code.draw(canvas, [right - QR_SIDE, top - QR_SIDE], QR_SIDE, INK);
        },
    );
    let remark = style(Font::Regular, 6.2, LABEL_COLOUR);
    let mut below = top - QR_SIDE - 11.0;
    canvas.mark(Tag::Paragraph, |canvas| {
        canvas.text_to([right, below], remark, texts::of(sheet.language).verify);
        for line in pieces(remark, QR_SIDE + 24.0, &clean(sheet.address)) {
            below -= 8.5;
            canvas.text_to([right, below], style(Font::Regular, remark.size, INK), &line);
        }
    });
    y -= 24.0;
    y = facts(canvas, sheet, subject, [left, y], room);
    y = y.min(below) - 12.0;
    canvas.decorate(|canvas| canvas.bar([left, y, paper.column(), 0.5], LINE));
    y -= 22.0;
    canvas.mark(Tag::Paragraph, |canvas| {
        canvas.text(
            [left, y],
            style(Font::Bold, 11.5, INK),
            texts::of(sheet.language).signers,
        );
    });
    let remark = style(Font::Regular, 7.2, LABEL_COLOUR);
    canvas.mark(Tag::Paragraph, |canvas| {
        for line in fit(
            remark,
            6.0,
            paper.column(),
            2,
            texts::of(sheet.language).explanation,
        )
        .1
        {
            canvas.text([left, y - 15.0], remark, &line);
            y -= 11.0;
        }
    });
    y - 19.0
}

/// Draws what kind of page this is.
fn eyebrow(canvas: &mut Canvas, sheet: &Sheet<'_>, [left, top]: [f64; 2], words: &str) {
    canvas.decorate(|canvas| canvas.bar([left, top - 2.5, 34.0, 2.5], sheet.accent));
    let mut set = style(Font::Bold, 7.5, sheet.accent);
    set.spread = 1.1;
    canvas.mark(Tag::Paragraph, |canvas| {
        canvas.text([left, top - 20.0], set, &words.to_uppercase());
    });
}

/// Draws the facts about the document, line by line.
fn facts(canvas: &mut Canvas, sheet: &Sheet<'_>, subject: &Subject, [x, mut y]: [f64; 2], room: f64) -> f64 {
    let (label, value) = (
        style(Font::Regular, 8.2, LABEL_COLOUR),
        style(Font::Regular, 8.2, INK),
    );
    let labels = LABEL_WIDTH.min(room * 0.3);
    let extent = texts::pages(sheet.language, subject.pages);
    let own = [(texts::of(sheet.language).pages, extent.as_str())];
    let given = sheet.facts.iter().take(6).map(|fact| (fact.label, fact.value));
    for (name, text) in given.chain(own) {
        let top = y;
        let names = fit(label, 6.5, labels - 8.0, 1, &clean(name));
        let values = fit(value, 6.5, room - labels, 1, &clean(text));
        canvas.mark(Tag::Paragraph, |canvas| {
            for (left, (set, lines)) in [(x, names), (x + labels, values)] {
                for (place, line) in (0_u16..).zip(lines) {
                    let line_y = top - f64::from(place) * set.size * 1.3;
                    canvas.text([left, line_y], set, &line);
                    y = y.min(line_y);
                }
            }
        });
        y -= 14.0;
    }
    // Two people can compare groups of eight digits aloud.
    let groups: Vec<String> = subject
        .sha256
        .chunks(4)
        .map(|four| HEXLOWER.encode(four))
        .collect();
    let column = ((room - labels) / 4.0).min(52.0);
    let widest = groups.iter().map(|group| value.width(group)).fold(1.0, f64::max);
    let value = value.sized(value.size * ((column - 6.0) / widest).min(1.0));
    canvas.mark(Tag::Paragraph, |canvas| {
        canvas.text([x, y], label, texts::of(sheet.language).hash);
        for row in groups.chunks(4) {
            let mut at = x + labels;
            for group in row {
                canvas.text([at, y], value, group);
                at += column;
            }
            y -= 11.5;
        }
    });
    y
}

/// Draws the head of a further page and returns where the cards may start.
fn next(canvas: &mut Canvas, sheet: &Sheet<'_>, paper: PaperSize) -> f64 {
    let (left, top) = (paper.margin, paper.height - paper.margin);
    eyebrow(canvas, sheet, [left, top], texts::of(sheet.language).continued);
    let (title, lines) = fit(
        style(Font::Bold, 12.0, INK),
        9.0,
        paper.column(),
        1,
        &clean(sheet.title),
    );
    let mut y = top - 24.0;
    canvas.mark(Tag::Paragraph, |canvas| {
        for line in lines {
            y -= title.size + 2.0;
            canvas.text([left, y], title, &line);
        }
    });
    canvas.decorate(|canvas| canvas.bar([left, y - 14.0, paper.column(), 0.5], LINE));
    y - 30.0
}

fn foot(canvas: &mut Canvas, sheet: &Sheet<'_>, paper: PaperSize, place: &str) {
    let y = paper.margin * 0.62;
    let set = style(Font::Regular, 6.5, LABEL_COLOUR);
    canvas.bar([paper.margin, y + 11.0, paper.column(), 0.5], LINE);
    canvas.text_to([paper.right(), y], set, place);
    let room = paper.column() - set.width(place) - 20.0;
    let (set, lines) = fit(set, 3.0, room, 1, &clean(sheet.reference));
    for (place, line) in (0_u16..).zip(lines) {
        canvas.text([paper.margin, y - f64::from(place) * set.size * 1.2], set, &line);
    }
}

/// The lines of an address: the host first, then the rest, broken where a line is full.
fn pieces(set: Style, width: f64, text: &str) -> Vec<String> {
    let path = text.find("://").map_or(0, |at| at + 3);
    let path = text
        .get(path..)
        .and_then(|rest| rest.find('/'))
        .map_or(text.len(), |at| path + at);
    let (place, rest) = text.split_at_checked(path).unwrap_or((text, ""));
    if set.width(text) <= width {
        return vec![text.into()];
    }
    let mut lines: Vec<String> = Vec::new();
    for part in [place, rest] {
        let mut line = String::new();
        for letter in part.chars() {
            line.push(letter);
            if set.width(&line) > width {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.into()));
            }
        }
        lines.extend((!line.is_empty()).then_some(line));
    }
    lines
}
