//! The card of a signer: who is to sign, and then who signed, when and from where.

use super::canvas::{Canvas, INK, LABEL_COLOUR, LINE, Style, style};
use super::charset::clean;
use super::data::{Act, Colour, Picture, Sheet, Signer};
use super::font::Font;
use super::line_break::fit;
use super::texts;
use crate::language::Language;

/// The height of a card whose name takes at most two lines.
const HEIGHT: f64 = 86.0;

/// The part of a card's width that a picture takes.
const PICTURE_SHARE: f64 = 0.26;
const PADDING: f64 = 11.0;
/// Between the longest label and the values, for letters of size one.
const LABEL_GAP: f64 = 0.9;
/// From a line of the caption to the next.
const CAPTION_PITCH: f64 = 7.0;
/// From a line to the next, for letters of size one.
const LINE_PITCH: f64 = 1.16;

/// A label and what stands beside it.
type Row = (&'static str, String);

/// The area inside of a card.
struct InnerArea {
    left: f64,
    width: f64,
}

impl InnerArea {
    fn of(width: f64) -> Self {
        Self {
            left: PADDING + 2.0,
            width: width - 2.0 * PADDING - 2.0,
        }
    }
}

/// The height of a signer's card, before and after the signature.
pub(super) fn height(width: f64, signer: &Signer<'_>, language: Language) -> f64 {
    let room = InnerArea::of(width);
    HEIGHT + Head::new(&room, &caption(signer.role, language), signer.name, LABEL_COLOUR).extra()
}

/// A card before its signer has signed.
pub(super) fn pending(
    canvas: &mut Canvas,
    [width, height]: [f64; 2],
    signer: &Signer<'_>,
    sheet: &Sheet<'_>,
) -> Vec<u8> {
    let room = InnerArea::of(width);
    let below = Head::new(&room, &clean(signer.role), signer.name, sheet.accent).draw(canvas, &room, height);
    let line = (HEIGHT * 0.24).min(below - 4.0);
    canvas.bar([room.left, line, room.width, 0.5], LABEL_COLOUR);
    canvas.text(
        [room.left, line - 9.5],
        style(Font::Regular, 7.0, LABEL_COLOUR),
        texts::of(sheet.language).pending,
    );
    canvas.take().into_bytes()
}

/// A card after its signer has signed.
pub(super) fn signed(canvas: &mut Canvas, [width, height]: [f64; 2], act: &Act<'_>) -> Vec<u8> {
    let room = InnerArea::of(width);
    canvas.bar([0.0, 0.0, 2.5, height], act.accent);
    let below =
        Head::new(&room, &caption(act.role, act.language), act.name, act.accent).draw(canvas, &room, height);
    let own = texts::of(act.language);
    let rows = [
        (own.document, clean(act.document)),
        (own.time, act.language.date_and_time(act.time)),
        (own.address, clean(act.address)),
        (own.channel, clean(act.channel)),
        (own.consent, clean(act.consent)),
    ];
    let height = below - PADDING + 4.0;
    let room = match act.picture {
        Some(shown) => beside(canvas, &room, [below - height, height], shown),
        None => room,
    };
    let (size, values) = fit_rows(&room, height, &rows);
    let count: usize = values.iter().map(|(_, lines)| lines.len().max(1)).sum();
    let pitch = (height / f64::from(u32::try_from(count).unwrap_or(u32::MAX))).min(size * 1.5);
    let label = style(Font::Regular, size, LABEL_COLOUR);
    let labels = label_width(size, &rows);
    let mut y = below - pitch + 1.5;
    for ((name, _), (set, lines)) in rows.iter().zip(values) {
        canvas.text([room.left, y], label, name);
        for line in &lines {
            canvas.text([room.left + labels, y], set, line);
            y -= pitch;
        }
        if lines.is_empty() {
            y -= pitch;
        }
    }
    canvas.take().into_bytes()
}

/// Draws a picture at the right, from that place up; the area that is left beside it.
fn beside(
    canvas: &mut Canvas,
    room: &InnerArea,
    [bottom, height]: [f64; 2],
    picture: Picture<'_>,
) -> InnerArea {
    let width = room.width * PICTURE_SHARE;
    let left = room.left + room.width - width;
    match picture {
        Picture::Drawn { area, strokes } => canvas.strokes([left, bottom, width, height], area, strokes, INK),
        Picture::Typed(text) => {
            let set = style(Font::Regular, 15.0, INK);
            let (set, lines) = fit(set, 5.0, width * 0.94, 2, &clean(text));
            let pitch = set.size * LINE_PITCH;
            let count = f64::from(u32::try_from(lines.len()).unwrap_or(u32::MAX));
            let mut y = bottom + f64::midpoint(height, count * pitch) - set.size;
            for line in &lines {
                canvas.slanted([left, y], set, line);
                y -= pitch;
            }
        }
    }
    InnerArea {
        left: room.left,
        width: room.width - width - PADDING / 2.0,
    }
}

/// The column of labels at a size.
fn label_width(size: f64, rows: &[Row; 5]) -> f64 {
    let label = style(Font::Regular, size, LABEL_COLOUR);
    let widths = rows.iter().map(|(name, _)| label.width(name));
    widths.fold(0.0, f64::max) + LABEL_GAP * size
}

/// The values of the rows at the largest size at which all of them fit into a height.
fn fit_rows(room: &InnerArea, height: f64, rows: &[Row; 5]) -> (f64, [(Style, Vec<String>); 5]) {
    let mut size: f64 = 7.0;
    loop {
        let value = style(Font::Regular, size, INK);
        let width = room.width - label_width(size, rows);
        let values = rows
            .each_ref()
            .map(|(_, text)| fit(value, size * 0.8, width, 1, text));
        let heights = values.iter().map(|(set, lines)| {
            set.size.max(size * 0.8)
                * LINE_PITCH
                * f64::from(u32::try_from(lines.len().max(1)).unwrap_or(u32::MAX))
        });
        if heights.sum::<f64>() <= height || size < 2.0 {
            return (size, values);
        }
        size -= 0.25;
    }
}

/// The caption of a card after the signature, which is the longer one.
fn caption(role: &str, language: Language) -> String {
    let role = clean(role);
    let signed = texts::of(language).signed;
    if role.is_empty() {
        signed.to_owned()
    } else {
        format!("{role} · {signed}")
    }
}

/// Caption and name of a card.
struct Head {
    caption: (Style, Vec<String>),
    name: (Style, Vec<String>),
}

impl Head {
    fn new(room: &InnerArea, caption: &str, name: &str, accent: Colour) -> Self {
        let mut set = style(Font::Bold, 5.6, accent);
        set.spread = 0.45;
        let caption = fit(set, 4.6, room.width, 1, &caption.to_uppercase());
        let name = clean(name);
        let set = style(Font::Bold, 10.5, INK);
        let mut shown = fit(set, 8.6, room.width, 1, &name);
        if shown.1.len() > 1 {
            shown = fit(set.sized(7.8), 6.8, room.width, 2, &name);
        }
        Self { caption, name: shown }
    }

    /// What it needs beyond a caption of one line and a name of two.
    fn extra(&self) -> f64 {
        let beyond = |lines: usize, usual: usize| {
            f64::from(u32::try_from(lines.saturating_sub(usual)).unwrap_or(u32::MAX))
        };
        beyond(self.caption.1.len(), 1) * CAPTION_PITCH + beyond(self.name.1.len(), 2) * self.pitch()
    }

    /// From a line of the name to the next.
    fn pitch(&self) -> f64 {
        self.name.0.size * LINE_PITCH
    }

    /// Draws the head, and returns where the space below it starts.
    fn draw(&self, canvas: &mut Canvas, room: &InnerArea, height: f64) -> f64 {
        let mut y = height - PADDING - 4.5 + CAPTION_PITCH;
        let (set, lines) = &self.caption;
        for line in lines {
            y -= CAPTION_PITCH;
            canvas.text([room.left, y], *set, line);
        }
        if lines.is_empty() {
            y -= CAPTION_PITCH;
        }
        let (set, lines) = &self.name;
        y -= if lines.len() > 1 { 12.0 } else { 14.0 };
        for (place, line) in lines.iter().enumerate() {
            if place > 0 {
                y -= self.pitch();
            }
            canvas.text([room.left, y], *set, line);
        }
        y - 5.5
    }
}

/// The frame around a card, which belongs to the page.
pub(super) fn frame(canvas: &mut Canvas, area: [f64; 4]) {
    canvas.frame(area, 0.5, LINE);
}
