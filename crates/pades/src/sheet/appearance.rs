//! How a visible signature is drawn.

use super::scripts::Subsets;

/// The drawing of a signature field: a form with its own coordinates, scaled into the field's area.
#[derive(Debug, Clone, PartialEq)]
pub struct Appearance {
    /// Width and height of the drawing.
    pub size: [f64; 2],
    /// The drawing, as PDF operators.
    pub content: Vec<u8>,
    /// The entries of its dictionary of fonts, as PDF; they may refer to objects of the document.
    pub fonts: String,
    /// The other entries of its resources dictionary.
    pub resources: String,
    /// Fonts that are embedded with it, under names of their own.
    pub subsets: Subsets,
}

impl Appearance {
    /// Lines of text in Helvetica, as large as fit. Letters outside Western European are drawn as `?`.
    pub fn text(size: [f64; 2], lines: &[&str]) -> Self {
        let count = u32::try_from(lines.len().max(1)).unwrap_or(1);
        let longest = lines
            .iter()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(1)
            .max(1);
        let longest = f64::from(u32::try_from(longest).unwrap_or(u32::MAX));
        let [width, height] = size;
        let points = (height / f64::from(count) / 1.25)
            .min(width / longest / 0.56)
            .clamp(2.0, 12.0);
        let mut content = format!(
            "q BT /F1 {points:.2} Tf {:.2} TL 2 {:.2} Td\n",
            points * 1.2,
            height - points
        )
        .into_bytes();
        for line in lines {
            content.push(b'(');
            for letter in line.chars() {
                let byte = u8::try_from(u32::from(letter))
                    .ok()
                    .filter(|byte| !(0x7f..0xa0).contains(byte) && *byte >= 0x20);
                if matches!(byte, Some(b'(' | b')' | b'\\')) {
                    content.push(b'\\');
                }
                content.push(byte.unwrap_or(b'?'));
            }
            content.extend_from_slice(b") Tj T*\n");
        }
        content.extend_from_slice(b"ET Q");
        let fonts = "/F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";
        Self {
            size,
            content,
            fonts: fonts.into(),
            resources: String::new(),
            subsets: Subsets::default(),
        }
    }
}
