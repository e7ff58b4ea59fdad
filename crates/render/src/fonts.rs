//! Whether the letters of a font are drawn, and with its own glyphs. Where the renderer cannot read the program of a font,
//! or there is none, it draws glyphs of another font, and nothing for a letter that this one lacks. In a `TrueType` font
//! it may ignore what its codes are said to stand for. It reports none of that.

use std::fmt::Write;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::object::{Array, Dict, FromBytes, Name, Object, Stream};
use hayro_font::hayro_cmap::BfString;
use hayro_font::{FontCache, FontGlyph, GlyphId};
use rustc_hash::FxHashMap;
use skrifa::Font;
use skrifa::font::Kind;
use skrifa::raw::TableProvider as _;

use crate::paint_probe::spelled;

/// The flag of a descriptor for codes outside the Latin alphabet.
const SYMBOLIC_FLAG: i32 = 4;

/// The flag for codes inside it, and all flags that the renderer knows. Beside another it sees none.
const LATIN_FLAG: u32 = 32;
const KNOWN_FLAGS: u32 = 0x7_006f;

/// The encodings of Latin letters, by their names.
const ENCODINGS: [&[u8]; 4] = [
    b"WinAnsiEncoding",
    b"MacRomanEncoding",
    b"MacExpertEncoding",
    b"StandardEncoding",
];

/// Families that every reader has, whatever their descriptors say.
const STANDARD_FAMILIES: [&[u8]; 6] = [
    b"Helvetica",
    b"Arial",
    b"Times",
    b"Courier",
    b"Symbol",
    b"ZapfDingbats",
];

/// Names of glyphs without ink.
const BLANKS: [&[u8]; 4] = [b".notdef", b"nbspace", b"nonbreakingspace", b"uni00A0"];

/// A font of a document, by its address there: a font inside another object has no number of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FontId(*const u8);

/// What is known of a font.
struct Known {
    /// Whether it is drawn with its own glyphs, as far as that can be known.
    is_own: bool,
    has_program: bool,
    lost: Lost,
}

/// The letters that are not drawn as the font has them, or that the font which stands in for it lacks.
enum Lost {
    Nothing,
    /// For each code of a simple font.
    Codes(Vec<bool>),
    Everything,
}

/// The fonts of a document that were looked at, each once.
#[derive(Default)]
pub(super) struct Fonts(FxHashMap<FontId, Known>);

impl Fonts {
    /// Looks at a font.
    pub(super) fn look_at(&mut self, font: &Dict<'_>, settings: &InterpreterSettings) -> FontId {
        let id = FontId(font.data().as_ptr());
        self.0.entry(id).or_insert_with(|| Known::of(font, settings));
        id
    }

    /// Whether a font is drawn with its own glyphs, as far as that can be known.
    pub(super) fn are_own(&self, font: FontId) -> bool {
        self.0.get(&font).is_some_and(|known| known.is_own)
    }

    /// Whether a font has a program.
    pub(super) fn have_program(&self, font: FontId) -> bool {
        self.0.get(&font).is_some_and(|known| known.has_program)
    }

    /// Whether no letter of a text is lost in this font.
    pub(super) fn have_glyphs(&self, font: FontId, text: &[u8]) -> bool {
        match self.0.get(&font).map(|known| &known.lost) {
            None | Some(Lost::Nothing) => true,
            Some(Lost::Codes(lost)) => !text
                .iter()
                .any(|code| lost.get(usize::from(*code)) == Some(&true)),
            Some(Lost::Everything) => text.is_empty(),
        }
    }
}

impl Known {
    fn of(font: &Dict<'_>, settings: &InterpreterSettings) -> Self {
        let kind = font.get::<Name<'_>>(b"Subtype".as_slice());
        match kind.as_deref() {
            Some(b"Type0") => Self::composite(font),
            Some(b"TrueType" | b"OpenType") => Self::simple(font, true, settings),
            Some(b"Type1" | b"MMType1") => Self::simple(font, false, settings),
            // A drawn font has glyphs of its own, and the renderer itself reports what it cannot draw of other kinds.
            _ => Self {
                is_own: true,
                has_program: true,
                lost: Lost::Nothing,
            },
        }
    }

    fn composite(font: &Dict<'_>) -> Self {
        let inner = font.get::<Array<'_>>(b"DescendantFonts".as_slice());
        let inner = inner.and_then(|list| list.iter::<Dict<'_>>().next());
        let descriptor = inner.and_then(|inner| inner.get::<Dict<'_>>(b"FontDescriptor".as_slice()));
        // In the order in which the renderer looks for the program.
        let keys = [b"FontFile2".as_slice(), b"FontFile3", b"FontFile"];
        let program =
            descriptor.and_then(|descriptor| keys.iter().find_map(|key| descriptor.get::<Stream<'_>>(*key)));
        match program {
            Some(program) => Self {
                is_own: own_program(&program, false).is_some(),
                has_program: true,
                lost: Lost::Nothing,
            },
            // Codes of such a font choose glyphs by numbers that have no meaning in another font.
            None => Self {
                is_own: true,
                has_program: false,
                lost: Lost::Everything,
            },
        }
    }

    fn simple(font: &Dict<'_>, true_type: bool, settings: &InterpreterSettings) -> Self {
        let descriptor = font.get::<Dict<'_>>(b"FontDescriptor".as_slice());
        let descriptor = descriptor.unwrap_or_default();
        let programs = [b"FontFile".as_slice(), b"FontFile2", b"FontFile3"];
        if !programs.iter().any(|key| descriptor.contains_key(*key)) {
            return Self {
                is_own: is_usual(font, &descriptor),
                has_program: false,
                lost: Lost::of(font, settings),
            };
        }
        // The entries in which the renderer looks for the program.
        let looked: &[&[u8]] = if true_type {
            &[b"FontFile2"]
        } else {
            &[b"FontFile3", b"FontFile"]
        };
        let program = looked.iter().find_map(|key| descriptor.get::<Stream<'_>>(*key));
        let program = program.and_then(|program| own_program(&program, true_type));
        let program = program.filter(|_| has_widths_in_order(font));
        Self {
            is_own: program.is_some(),
            has_program: true,
            lost: match program {
                Some(program) if true_type => Lost::of_codes(font, &descriptor, &program, settings),
                _ => Lost::Nothing,
            },
        }
    }
}

impl Lost {
    /// The letters of a simple font without a program that the renderer has no glyphs for.
    fn of(font: &Dict<'_>, settings: &InterpreterSettings) -> Self {
        let letters = Encoding::of(font).letters();
        if !letters.contains(&true) {
            return Self::Nothing;
        }
        let fonts = FontCache::new();
        // The renderer itself reports a font that it does not draw at all.
        let Some(drawn) = fonts.font(font, &settings.font_resolver, &settings.cmap_resolver) else {
            return Self::Nothing;
        };
        let lost = (0..).zip(letters);
        let lost = lost.map(|(code, is_letter)| is_letter && drawn.map_code(code) == GlyphId::NOTDEF);
        Self::Codes(lost.collect())
    }

    /// The codes of a `TrueType` font for which the renderer draws another glyph than that of their names, or none. It goes
    /// by names where a flag says that the letters are Latin; other programs do so wherever there are names. For a Latin
    /// letter without a name, it takes the standard encoding, and other programs that of Windows.
    fn of_codes(
        font: &Dict<'_>,
        descriptor: &Dict<'_>,
        program: &Font,
        settings: &InterpreterSettings,
    ) -> Self {
        let flags = descriptor.get::<u32>(b"Flags".as_slice()).unwrap_or_default();
        let is_latin = flags & LATIN_FLAG != 0;
        let by_names = is_latin && flags & !KNOWN_FLAGS == 0;
        let tables = program.charmap();
        let encoding = Encoding::of(font);
        // That table the renderer asks as well.
        let is_asked = by_names && tables.encodings().any(|table| table.sfnt_ids() == Some((3, 1)));
        if is_asked && encoding.known_base().is_some() {
            return Self::Nothing;
        }
        let unicode: Vec<_> = tables
            .encodings()
            .filter(|table| matches!(table.sfnt_ids(), Some((0, _) | (3, 1 | 10))))
            .collect();
        if unicode.is_empty() || !is_latin && !encoding.has_names() {
            return Self::Nothing;
        }
        let characters = encoding.characters(settings);
        let fonts = FontCache::new();
        let Some(drawn) = fonts.font(font, &settings.font_resolver, &settings.cmap_resolver) else {
            return Self::Nothing;
        };
        let own = |character: char| {
            let code = u32::from(character);
            let found = unicode.iter().find_map(|table| tables.map_code(*table, code));
            let found = found.map(|glyph| GlyphId::new(glyph.to_u32()));
            found.filter(|glyph| *glyph != GlyphId::NOTDEF)
        };
        let is_lost = |(code, character): (u32, Option<char>)| {
            let character = character.filter(|character| !character.is_whitespace());
            let (Some(own), glyph) = (character.and_then(own), drawn.map_code(code)) else {
                return false;
            };
            let may_differ = if encoding.states(code) {
                !by_names || glyph == GlyphId::NOTDEF && !is_asked
            } else {
                is_latin
            };
            let shape = |glyph| match drawn.glyph(glyph, code) {
                FontGlyph::Outline(glyph) => glyph.outline().to_svg(),
                FontGlyph::Type3(_) => String::new(),
            };
            may_differ && own != glyph && !shape(own).is_empty() && shape(own) != shape(glyph)
        };
        Self::Codes((0..).zip(characters).map(is_lost).collect())
    }
}

/// What a simple font says of its codes. In an encoding that it does not state, readers know no other letters than the
/// renderer.
struct Encoding<'a> {
    base: Option<Name<'a>>,
    /// The name of each code that differs from the base.
    differences: Vec<Option<Name<'a>>>,
}

impl<'a> Encoding<'a> {
    fn of(font: &Dict<'a>) -> Self {
        let key = b"Encoding".as_slice();
        let encoding = font.get::<Dict<'_>>(key);
        let base = match &encoding {
            Some(encoding) => encoding.get::<Name<'_>>(b"BaseEncoding".as_slice()),
            None => font.get::<Name<'_>>(key),
        };
        let list = encoding.and_then(|encoding| encoding.get::<Array<'_>>(b"Differences".as_slice()));
        let mut differences = vec![None; 256];
        let mut code = 0_i64;
        for item in list.iter().flat_map(Array::iter::<Object<'_>>) {
            match item {
                Object::Number(number) => code = number.as_i64(),
                Object::Name(name) => {
                    let place = usize::try_from(code).ok();
                    if let Some(named) = place.and_then(|code| differences.get_mut(code)) {
                        *named = Some(name);
                    }
                    code = code.saturating_add(1);
                }
                _ => {}
            }
        }
        Self { base, differences }
    }

    /// The codes that stand for letters.
    fn letters(&self) -> [bool; 256] {
        let mut letters = [false; 256];
        if let Some(b"WinAnsiEncoding" | b"MacRomanEncoding" | b"MacExpertEncoding") = self.base.as_deref() {
            letters[0x21..].fill(true);
            // The control code, and the space that does not break: where it is in one encoding, the other has a letter
            // that no font lacks.
            for blank in [0x7f, 0xa0, 0xca] {
                letters[blank] = false;
            }
        }
        for (is_letter, name) in letters.iter_mut().zip(&self.differences) {
            if let Some(name) = name {
                *is_letter = !BLANKS.contains(&&**name);
            }
        }
        letters
    }

    /// The name of an encoding that is known.
    fn known_base(&self) -> Option<&Name<'a>> {
        self.base.as_ref().filter(|base| ENCODINGS.contains(&&***base))
    }

    /// Whether codes have names.
    fn has_names(&self) -> bool {
        self.known_base().is_some() || self.differences.iter().any(Option::is_some)
    }

    /// Whether the font gives a code a name.
    fn states(&self, code: u32) -> bool {
        let code = usize::try_from(code).unwrap_or(usize::MAX);
        self.known_base().is_some() || matches!(self.differences.get(code), Some(Some(_)))
    }

    /// The character of each code that has a name, as the renderer understands it: of a font without anything else, it
    /// tells the characters. A code beyond ASCII that has no name stands for what it does in Windows.
    fn characters(&self, settings: &InterpreterSettings) -> Vec<Option<char>> {
        let base = self
            .known_base()
            .map_or_else(|| "/WinAnsiEncoding".to_owned(), spelled);
        let mut font =
            format!("<</Subtype/Type1/BaseFont/Helvetica/Encoding<</BaseEncoding{base}/Differences[");
        for (code, name) in self.differences.iter().enumerate() {
            if let Some(name) = name {
                // Without the space, the number would belong to the name before it. Writing to a String cannot fail.
                let _ = write!(font, " {code}{}", spelled(name));
            }
        }
        font.push_str("]>>>>");
        let fonts = FontCache::new();
        let dict = Dict::from_bytes(font.as_bytes()).unwrap_or_default();
        let told = fonts.font(&dict, &settings.font_resolver, &settings.cmap_resolver);
        let character = |code: u32| {
            let told = told.as_ref().filter(|_| code > 0x7f || self.states(code))?;
            let FontGlyph::Outline(glyph) = told.glyph(told.map_code(code), code) else {
                return None;
            };
            match glyph.as_unicode()? {
                BfString::Char(character) => Some(character),
                BfString::String(_) => None,
            }
        };
        (0..256).map(character).collect()
    }
}

/// Whether every reader draws a simple font without a program with much the same letters.
fn is_usual(font: &Dict<'_>, descriptor: &Dict<'_>) -> bool {
    let name = font.get::<Name<'_>>(b"BaseFont".as_slice());
    let name = name.as_deref().unwrap_or_default();
    let known = STANDARD_FAMILIES.iter().any(|family| name.starts_with(family));
    let flags = descriptor.get::<i32>(b"Flags".as_slice()).unwrap_or_default();
    known || flags & SYMBOLIC_FLAG == 0 || has_latin_codes(font) && !has_pictures(name)
}

/// Whether a font says that its codes are Latin letters. `LibreOffice` flags every font of a form as symbolic.
fn has_latin_codes(font: &Dict<'_>) -> bool {
    let encoding = font.get::<Name<'_>>(b"Encoding".as_slice());
    let encoding = encoding.or_else(|| {
        let differences = font.get::<Dict<'_>>(b"Encoding".as_slice())?;
        differences.get::<Name<'_>>(b"BaseEncoding".as_slice())
    });
    let latin: [&[u8]; 3] = [b"WinAnsiEncoding", b"MacRomanEncoding", b"StandardEncoding"];
    encoding.is_some_and(|encoding| latin.contains(&&*encoding))
}

/// Whether a font has pictures for letters, by its name.
fn has_pictures(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let has = |word: &[u8]| name.windows(word.len()).any(|part| part == word);
    has(b"dings") || has(b"symbol")
}

/// Whether the first width comes before the last: otherwise the renderer takes another font.
fn has_widths_in_order(font: &Dict<'_>) -> bool {
    let number = |key: &[u8]| font.get::<i32>(key);
    match (number(b"FirstChar"), number(b"LastChar")) {
        (Some(first), Some(last)) => first <= last,
        _ => true,
    }
}

/// The font program in a stream, if the renderer takes it: it reads it with the same library, and refuses tables of names
/// that are of another version.
fn own_program(program: &Stream<'_>, true_type: bool) -> Option<Font> {
    let font = Font::new(program.decoded_data().ok()?.into_owned(), 0)?;
    if !matches!(font.kind(), Kind::Sfnt(..)) {
        return (!true_type).then_some(font);
    }
    let has_other_names = font.tables().post().is_ok_and(|names| {
        let version = names.version().to_major_minor();
        !matches!(version, (1 | 3, 0) | (2, 0 | 5))
    });
    // Outlines of another kind, without a table of their number, are not looked for in a TrueType font.
    let is_taken = !has_other_names && (!true_type || font.num_glyphs() > 0);
    is_taken.then_some(font)
}
