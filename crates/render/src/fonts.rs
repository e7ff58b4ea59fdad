//! Whether a font is drawn with its own glyphs. Where the renderer cannot read the program of a simple font,
//! or a symbolic font is not embedded, it draws glyphs of another font and reports nothing.

use hayro::hayro_syntax::object::{Dict, Name, Stream};
use rustc_hash::FxHashMap;
use skrifa::FontRef;

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

/// The fonts of a document that were checked, each once.
#[derive(Default)]
pub(super) struct Fonts(FxHashMap<*const u8, bool>);

impl Fonts {
    /// Whether a font is drawn with its own glyphs, as far as that can be known.
    pub(super) fn are_own(&mut self, font: &Dict<'_>) -> bool {
        // By its address in the document: a font inside another object has no number of its own.
        let place = font.data().as_ptr();
        *self.0.entry(place).or_insert_with(|| are_own(font))
    }
}

fn are_own(font: &Dict<'_>) -> bool {
    let kind = font.get::<Name<'_>>(b"Subtype".as_slice());
    if !matches!(kind.as_deref(), Some(b"Type1" | b"MMType1" | b"TrueType")) {
        // The renderer itself reports what it cannot draw of the other kinds.
        return true;
    }
    let descriptor = font.get::<Dict<'_>>(b"FontDescriptor".as_slice());
    let Some(descriptor) = descriptor else {
        return true;
    };
    let programs = [b"FontFile".as_slice(), b"FontFile2", b"FontFile3"];
    if programs.iter().any(|key| descriptor.contains_key(*key)) {
        let true_type = kind.as_deref() == Some(b"TrueType");
        // The entries in which the renderer looks for the program.
        let looked: &[&[u8]] = if true_type {
            &[b"FontFile2"]
        } else {
            &[b"FontFile3", b"FontFile"]
        };
        let program = looked.iter().find_map(|key| descriptor.get::<Stream<'_>>(*key));
        return has_widths_in_order(font) && program.is_some_and(|program| is_program(&program, true_type));
    }
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

/// Whether a stream holds a font program in one of the known formats.
fn is_program(program: &Stream<'_>, true_type: bool) -> bool {
    let Ok(data) = program.decoded_data() else {
        return false;
    };
    match *data {
        // Type 1 in plain text, Type 1 in segments, and CFF: its first version and a header.
        [b'%', b'!', ..] | [0x80, 1, ..] | [1, _, 4..=255, 1..=4, ..] if !true_type => true,
        _ => FontRef::new(&data).is_ok(),
    }
}
