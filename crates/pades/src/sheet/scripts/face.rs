//! The font files for letters beyond Western European ones. They are parsed when a text first needs them.

use std::fmt;
use std::sync::OnceLock;

use harfrust::Font as ShapingFont;

use super::super::charset::is_joiner;
use super::super::font::Font;

/// A font file.
pub(in super::super) struct Face {
    /// The name without its weight.
    pub(in super::super) name: &'static str,
    pub(in super::super) file: &'static [u8],
    /// Set for the two weights of the sheet's own font. The other fonts have one weight: strokes make it bold.
    own: Option<Font>,
    font: OnceLock<Option<ShapingFont>>,
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Face {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Face {
    const fn own(name: &'static str, file: &'static [u8], weight: Font) -> Self {
        Self {
            name,
            file,
            own: Some(weight),
            font: OnceLock::new(),
        }
    }

    const fn other(name: &'static str, file: &'static [u8]) -> Self {
        Self {
            name,
            file,
            own: None,
            font: OnceLock::new(),
        }
    }

    pub(in super::super) fn font(&self) -> Option<&ShapingFont> {
        let parse = || ShapingFont::new(self.file, 0);
        self.font.get_or_init(parse).as_ref()
    }

    /// Whether a text of this weight has to be thickened.
    pub(in super::super) fn is_thin(&self, weight: Font) -> bool {
        self.own.is_none() && weight == Font::Bold
    }

    /// Whether the font has every letter of a text.
    fn has(&self, text: &str) -> bool {
        let Some(font) = self.font() else {
            return false;
        };
        let map = font.charmap();
        let mut letters = text.chars().filter(|letter| !is_joiner(*letter));
        letters.all(|letter| map.map_unicode(letter).is_some())
    }

    /// The first font that has every letter of a text.
    pub(super) fn of(text: &str, weight: Font) -> Option<&'static Self> {
        let right_weight = |face: &&Face| face.own.is_none_or(|own| own == weight);
        FACES.iter().filter(right_weight).find(|face| face.has(text))
    }
}

macro_rules! faces {
    ($($name:literal $ending:literal),* $(,)?) => {
        [
            Face::own("NotoSans", notosans::REGULAR_TTF, Font::Regular),
            Face::own("NotoSans-Bold", notosans::BOLD_TTF, Font::Bold),
            $(Face::other(
                $name,
                include_bytes!(concat!("../../../fonts/", $name, "-Regular.", $ending)),
            ),)*
        ]
    };
}

/// In the order in which they are asked for a letter.
static FACES: [Face; 62] = faces![
    "NotoSansCJKsc" "otf",
    "NotoSansArabic" "ttf",
    "NotoSansHebrew" "ttf",
    "NotoEmoji" "ttf",
    "NotoSansAdlam" "ttf",
    "NotoSansArmenian" "ttf",
    "NotoSansBalinese" "ttf",
    "NotoSansBatak" "ttf",
    "NotoSansBengali" "ttf",
    "NotoSansBuginese" "ttf",
    "NotoSansCanadianAboriginal" "ttf",
    "NotoSansChakma" "ttf",
    "NotoSansCham" "ttf",
    "NotoSansCherokee" "ttf",
    "NotoSansCoptic" "ttf",
    "NotoSansDevanagari" "ttf",
    "NotoSansEthiopic" "ttf",
    "NotoSansGeorgian" "ttf",
    "NotoSansGothic" "ttf",
    "NotoSansGujarati" "ttf",
    "NotoSansGurmukhi" "ttf",
    "NotoSansHanifiRohingya" "ttf",
    "NotoSansJavanese" "ttf",
    "NotoSansKannada" "ttf",
    "NotoSansKayahLi" "ttf",
    "NotoSansKhmer" "ttf",
    "NotoSansLao" "ttf",
    "NotoSansLepcha" "ttf",
    "NotoSansLimbu" "ttf",
    "NotoSansLisu" "ttf",
    "NotoSansMalayalam" "ttf",
    "NotoSansMandaic" "ttf",
    "NotoSansMeeteiMayek" "ttf",
    "NotoSansMiao" "ttf",
    "NotoSansMongolian" "ttf",
    "NotoSansMyanmar" "ttf",
    "NotoSansNKo" "ttf",
    "NotoSansNewTaiLue" "ttf",
    "NotoSansOlChiki" "ttf",
    "NotoSansOriya" "ttf",
    "NotoSansOsage" "ttf",
    "NotoSansPahawhHmong" "ttf",
    "NotoSansRunic" "ttf",
    "NotoSansSamaritan" "ttf",
    "NotoSansSinhala" "ttf",
    "NotoSansSundanese" "ttf",
    "NotoSansSyriac" "ttf",
    "NotoSansTaiLe" "ttf",
    "NotoSansTaiTham" "ttf",
    "NotoSansTaiViet" "ttf",
    "NotoSansTamil" "ttf",
    "NotoSansTelugu" "ttf",
    "NotoSansThaana" "ttf",
    "NotoSansThai" "ttf",
    "NotoSansTifinagh" "ttf",
    "NotoSansVai" "ttf",
    "NotoSansYi" "ttf",
    "NotoSerifTibetan" "ttf",
    "NotoSansSymbols" "ttf",
    "NotoSansSymbols2" "ttf",
];

#[cfg(test)]
mod tests {
    use super::FACES;

    /// What all font files together may add to the program.
    const MAX_FONT_BYTES: usize = 15_000_000;

    #[test]
    fn the_fonts_keep_within_what_they_may_add_to_the_program() {
        let bytes: usize = FACES.iter().map(|face| face.file.len()).sum();
        assert!(bytes <= MAX_FONT_BYTES, "{bytes} bytes");
    }
}
