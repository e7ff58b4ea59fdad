//! The card of a signer: who is to sign, and then who signed, when and from where.

use super::canvas::{Canvas, INK, LINE, QUIET, style};
use super::charset::clean;
use super::data::{Act, Colour, Signer};
use super::font::Font;
use super::line_break::{fit, wrap};
use super::words;

/// The height of a card.
pub(super) const HEIGHT: f64 = 86.0;

const PADDING: f64 = 11.0;
/// The column of labels.
const LABEL_WIDTH: f64 = 46.0;

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

/// A card before its signer has signed.
pub(super) fn pending([width, height]: [f64; 2], signer: &Signer<'_>, accent: Colour) -> Vec<u8> {
    let mut canvas = Canvas::default();
    let room = InnerArea::of(width);
    let below = head(&mut canvas, &room, height, signer.role, signer.name, accent);
    let line = (height * 0.24).min(below - 4.0);
    canvas.bar([room.left, line, room.width, 0.5], QUIET);
    canvas.text(
        [room.left, line - 9.5],
        style(Font::Regular, 7.0, QUIET),
        words::PENDING,
    );
    canvas.into_bytes()
}

/// A card after its signer has signed.
pub(super) fn signed([width, height]: [f64; 2], act: &Act<'_>) -> Vec<u8> {
    let mut canvas = Canvas::default();
    let room = InnerArea::of(width);
    canvas.bar([0.0, 0.0, 2.5, height], act.accent);
    let role = clean(act.role);
    let caption = if role.is_empty() {
        words::SIGNED.to_owned()
    } else {
        format!("{role} · {}", words::SIGNED)
    };
    let below = head(&mut canvas, &room, height, &caption, act.name, act.accent);
    let rows = [
        (words::DOCUMENT, clean(act.document)),
        (words::TIME, words::time(act.time)),
        (words::ADDRESS, clean(act.address)),
        (words::CHANNEL, clean(act.channel)),
    ];
    let (label, value) = (style(Font::Regular, 7.0, QUIET), style(Font::Regular, 7.0, INK));
    let pitch = ((below - PADDING + 4.0) / 4.0).min(10.5);
    let mut y = below - pitch + 1.5;
    for (name, text) in rows {
        canvas.text([room.left, y], label, name);
        let (value, text) = fit(value, 5.5, room.width - LABEL_WIDTH, &text);
        canvas.text([room.left + LABEL_WIDTH, y], value, &text);
        y -= pitch;
    }
    canvas.into_bytes()
}

/// Draws the caption and the name, and returns where the space below them starts.
fn head(
    canvas: &mut Canvas,
    room: &InnerArea,
    height: f64,
    caption: &str,
    name: &str,
    accent: Colour,
) -> f64 {
    let mut y = height - PADDING - 4.5;
    let caption = clean(caption).to_uppercase();
    if !caption.is_empty() {
        let mut set = style(Font::Bold, 5.6, accent);
        set.spread = 0.45;
        let (set, caption) = fit(set, 4.6, room.width, &caption);
        canvas.text([room.left, y], set, &caption);
    }
    y -= 14.0;
    let name = clean(name);
    let set = style(Font::Bold, 10.5, INK);
    let (one_line, whole) = fit(set, 8.6, room.width, &name);
    if whole == name {
        canvas.text([room.left, y], one_line, &name);
    } else {
        let set = set.sized(7.8);
        y += 2.0;
        for line in wrap(set, room.width, 2, &name) {
            canvas.text([room.left, y], set, &line);
            y -= 9.0;
        }
        y += 8.0;
    }
    y - 5.5
}

/// The frame around a card, which belongs to the page.
pub(super) fn frame(canvas: &mut Canvas, area: [f64; 4]) {
    canvas.frame(area, 0.5, LINE);
}
