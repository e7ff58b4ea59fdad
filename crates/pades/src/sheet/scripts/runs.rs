//! The pieces of a line, from left to right, each in one font and one direction.

use unicode_bidi::{BidiInfo, Level};
use unicode_segmentation::UnicodeSegmentation;

use super::super::charset::{is_common, is_direction_mark};
use super::super::font::Font;
use super::face::Face;

/// A part of a line that is drawn in one go.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Piece {
    /// Letters of the fonts that every sheet embeds.
    Common(String),
    /// Letters of another font.
    Other {
        face: &'static Face,
        text: String,
        rtl: bool,
    },
    /// Letters that no font has.
    Unknown(String),
}

/// Whether the first letter with a direction runs from right to left.
pub(in super::super) fn starts_rtl(text: &str) -> bool {
    matches!(
        unicode_bidi::get_base_direction(text),
        unicode_bidi::Direction::Rtl
    )
}

/// The pieces of a line from left to right, each with its place in reading order.
pub(in super::super) fn pieces(line: &str, weight: Font) -> Vec<(usize, Piece)> {
    let bidi = BidiInfo::new(line, None);
    let mut pieces = Vec::new();
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let rtl = levels.get(run.start).is_some_and(Level::is_rtl);
            let start = run.start;
            let mut parts = of_one_direction(line.get(run).unwrap_or_default(), rtl, weight);
            if rtl {
                parts.reverse();
            }
            pieces.extend(parts.into_iter().map(|(at, piece)| (start + at, piece)));
        }
    }
    pieces
}

/// The pieces of a text of one direction in reading order, each with its place in the text.
fn of_one_direction(text: &str, rtl: bool, weight: Font) -> Vec<(usize, Piece)> {
    let mut pieces: Vec<(usize, Piece)> = Vec::new();
    for (at, cluster) in text.grapheme_indices(true) {
        if cluster.chars().all(is_direction_mark) {
            continue;
        }
        if cluster.chars().all(is_common) {
            let letters = cluster
                .chars()
                .map(|letter| if rtl { mirrored(letter) } else { letter });
            match pieces.last_mut() {
                // Letters from right to left are drawn from left to right, one by one.
                Some((_, Piece::Common(text))) if rtl => *text = letters.chain(text.chars()).collect(),
                Some((_, Piece::Common(text))) => text.extend(letters),
                _ => pieces.push((at, Piece::Common(letters.collect()))),
            }
            continue;
        }
        let Some(face) = Face::of(cluster, weight) else {
            pieces.push((at, Piece::Unknown(cluster.to_owned())));
            continue;
        };
        match pieces.last_mut() {
            Some((_, Piece::Other { face: last, text, .. })) if *last == face => text.push_str(cluster),
            _ => {
                let text = cluster.to_owned();
                pieces.push((at, Piece::Other { face, text, rtl }));
            }
        }
    }
    pieces
}

/// A bracket as it looks from right to left.
fn mirrored(letter: char) -> char {
    match letter {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<String> {
        let name = |(_, piece)| match piece {
            Piece::Common(text) => format!("={text}"),
            Piece::Other { face, text, rtl } => format!("{}{}{text}", face.name, if rtl { "<" } else { ">" }),
            Piece::Unknown(text) => format!("?{text}"),
        };
        pieces(line, Font::Regular).into_iter().map(name).collect()
    }

    #[test]
    fn a_line_is_cut_by_direction_and_font() {
        assert_eq!(shown("Ana 山田"), ["=Ana ", "NotoSansCJKsc>山田"]);
        assert_eq!(shown("Łucja"), ["NotoSans>Ł", "=ucja"]);
        assert_eq!(
            shown("أحمد (CC 12)"),
            ["=(", "=CC 12", "=) ", "NotoSansArabic<أحمد"]
        );
        assert_eq!(
            shown("Sr. דוד לוי, x"),
            ["=Sr. ", "NotoSansHebrew<לוי", "= ", "NotoSansHebrew<דוד", "=, x"]
        );
        assert_eq!(
            shown("\u{200e}דוד x"),
            ["NotoSansHebrew<דוד", "= x"],
            "a mark sets the line's direction and is not drawn"
        );
        assert_eq!(shown("a\u{10ffff}"), ["=a", "?\u{10ffff}"]);
    }
}
