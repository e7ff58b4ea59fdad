//! Whether the letters of a font are drawn, and with its own glyphs. Where the renderer cannot read the program of a font,
//! or there is none, it draws glyphs of another font, and nothing for a letter that this one lacks. It reports none of
//! that.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_font::{FontCache, GlyphId};
use rustc_hash::FxHashMap;
use skrifa::Font;
use skrifa::font::Kind;
use skrifa::raw::TableProvider as _;

/// The flag of a descriptor for codes outside the Latin alphabet.
const SYMBOLIC_FLAG: i32 = 4;

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
    lost: Lost,
}

/// The letters that the font which stands in for another lacks.
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
                is_own: is_program(&program, false),
                lost: Lost::Nothing,
            },
            // Codes of such a font choose glyphs by numbers that have no meaning in another font.
            None => Self {
                is_own: true,
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
        Self {
            is_own: has_widths_in_order(font)
                && program.is_some_and(|program| is_program(&program, true_type)),
            lost: Lost::Nothing,
        }
    }
}

impl Lost {
    /// The letters of a simple font without a program that the renderer has no glyphs for.
    fn of(font: &Dict<'_>, settings: &InterpreterSettings) -> Self {
        let letters = stated_letters(font);
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
}

/// The codes that stand for letters, by what a simple font says of them. In an encoding that it does not state, readers
/// know no other letters than the renderer.
fn stated_letters(font: &Dict<'_>) -> [bool; 256] {
    let key = b"Encoding".as_slice();
    let encoding = font.get::<Dict<'_>>(key);
    let base = match &encoding {
        Some(encoding) => encoding.get::<Name<'_>>(b"BaseEncoding".as_slice()),
        None => font.get::<Name<'_>>(key),
    };
    let mut letters = [false; 256];
    if let Some(b"WinAnsiEncoding" | b"MacRomanEncoding" | b"MacExpertEncoding") = base.as_deref() {
        letters[0x21..].fill(true);
        // The control code, and the space that does not break: where it is in one encoding, the other has a letter that
        // no font lacks.
        for blank in [0x7f, 0xa0, 0xca] {
            letters[blank] = false;
        }
    }
    let differences = encoding.and_then(|encoding| encoding.get::<Array<'_>>(b"Differences".as_slice()));
    let mut code = 0_i64;
    for item in differences.iter().flat_map(Array::iter::<Object<'_>>) {
        match item {
            Object::Number(number) => code = number.as_i64(),
            Object::Name(name) => {
                let place = usize::try_from(code).ok();
                if let Some(is_letter) = place.and_then(|code| letters.get_mut(code)) {
                    *is_letter = !BLANKS.contains(&&*name);
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    letters
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

/// Whether a stream holds a font program that the renderer takes: it reads it with the same library, and refuses tables
/// of names that are of another version.
fn is_program(program: &Stream<'_>, true_type: bool) -> bool {
    let Ok(data) = program.decoded_data() else {
        return false;
    };
    let Some(font) = Font::new(data.into_owned(), 0) else {
        return false;
    };
    if !matches!(font.kind(), Kind::Sfnt(..)) {
        return !true_type;
    }
    let has_other_names = font.tables().post().is_ok_and(|names| {
        let version = names.version().to_major_minor();
        !matches!(version, (1 | 3, 0) | (2, 0 | 5))
    });
    // Outlines of another kind, without a table of their number, are not looked for in a TrueType font.
    !has_other_names && (!true_type || font.num_glyphs() > 0)
}
