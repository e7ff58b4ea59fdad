//! The fonts embedded in a document, reduced to the letters of every sheet. Codes in the text are Unicode,
//! not numbers of glyphs: a later version can still write with a font that an earlier one embedded.

use std::fmt::Write as _;
use std::sync::LazyLock;

use flate2::{Compress, Compression, FlushCompress};
use pdf::increment::Objects;
use pdf::syntax::Ref;
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};
use subsetter::GlyphRemapper;

use super::archive::{Archive, bits};
use super::charset::repertoire;
use super::font::Font;

/// A font in its embedded form.
struct Embedded {
    program: Vec<u8>,
    program_length: usize,
    glyphs: Vec<u8>,
    /// A bit for each code that has a glyph.
    codes: Vec<u8>,
    widths: String,
    descriptor: String,
}

static REGULAR: LazyLock<Option<Embedded>> = LazyLock::new(|| Embedded::of(Font::Regular));
static BOLD: LazyLock<Option<Embedded>> = LazyLock::new(|| Embedded::of(Font::Bold));

impl Font {
    /// Writes the font into a document.
    pub(super) fn embed(self, increment: &mut impl Objects, archive: Archive) -> Option<Ref> {
        let font = match self {
            Self::Regular => REGULAR.as_ref(),
            Self::Bold => BOLD.as_ref(),
        }?;
        let name = match self {
            Self::Regular => "HFRMZA+NotoSans",
            Self::Bold => "HFRMZB+NotoSans-Bold",
        };
        let [outer, inner, descriptor, program, glyphs, unicode] = [(); 6].map(|()| increment.allocate());
        let entries = format!("/Filter/FlateDecode/Length1 {}", font.program_length);
        increment.write_stream(program, entries.as_bytes(), &font.program);
        increment.write_stream(glyphs, b"/Filter/FlateDecode", &font.glyphs);
        increment.write_stream(unicode, b"/Filter/FlateDecode", &UNICODE);
        let listed = archive.cid_set(increment, &font.codes);
        let body = format!(
            "<</Type/FontDescriptor/FontName/{name}{}/FontFile2 {} 0 R{listed}>>",
            font.descriptor, program.number
        );
        increment.write(descriptor, body.as_bytes());
        let body = format!(
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/{name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)\
             /Supplement 0>>/DW 600/W[{}]/CIDToGIDMap {} 0 R/FontDescriptor {} 0 R>>",
            font.widths, glyphs.number, descriptor.number
        );
        increment.write(inner, body.as_bytes());
        let body = format!(
            "<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts[{} 0 R]/ToUnicode {} 0 R>>",
            inner.number, unicode.number
        );
        increment.write(outer, body.as_bytes());
        Some(outer)
    }
}

/// Codes are Unicode already.
static UNICODE: LazyLock<Vec<u8>> = LazyLock::new(|| Packer::best().pack(UNICODE_CMAP.as_bytes()));

const UNICODE_CMAP: &str = "/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n\
    /CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n\
    /CMapName/Adobe-Identity-UCS def/CMapType 2 def\n\
    1 begincodespacerange<0000><FFFF>endcodespacerange\n\
    4 beginbfrange\n<0020><00FF><0020>\n<0100><01FF><0100>\n<2000><20FF><2000>\n<2200><22FF><2200>\nendbfrange\n\
    endcmap CMapName currentdict/CMap defineresource pop end end";

impl Embedded {
    fn of(font: Font) -> Option<Self> {
        let parsed = font.parsed()?;
        let map = parsed.charmap();
        let mut chosen = GlyphRemapper::new();
        let letters: Vec<_> = repertoire()
            .filter_map(|letter| Some((u32::from(letter), map.map(letter)?)))
            .map(|(code, glyph)| {
                (
                    code,
                    glyph,
                    chosen.remap(u16::try_from(glyph.to_u32()).unwrap_or(0)),
                )
            })
            .collect();
        let program = subsetter::subset(font.file(), 0, &chosen).ok()?;
        let size = Size::new(1000.0);
        let advances = parsed.glyph_metrics(size, LocationRef::default());
        let (last, ..) = letters.last()?;
        let last = usize::try_from(*last).ok()?;
        let mut glyphs = vec![0; last * 2 + 2];
        let mut widths = String::new();
        let mut follows = None;
        for (code, glyph, place) in &letters {
            let at = usize::try_from(*code).ok()? * 2;
            glyphs.get_mut(at..at + 2)?.copy_from_slice(&place.to_be_bytes());
            if follows != Some(*code) {
                let _ = write!(widths, "{}{code}[", if follows.is_some() { "]" } else { "" });
            }
            follows = Some(code + 1);
            let _ = write!(widths, "{:.0} ", advances.advance_width(*glyph)?);
        }
        widths.push(']');
        let metrics = parsed.metrics(size, LocationRef::default());
        let area = metrics.bounds?;
        let descriptor = format!(
            "/Flags 4/FontBBox[{:.0} {:.0} {:.0} {:.0}]/ItalicAngle 0/Ascent {:.0}/Descent {:.0}/CapHeight {:.0}/StemV {}",
            area.x_min,
            area.y_min,
            area.x_max,
            area.y_max,
            metrics.ascent,
            metrics.descent,
            metrics.cap_height.unwrap_or(714.0),
            if font == Font::Bold { 140 } else { 80 },
        );
        let codes = letters.iter().map(|(code, ..)| *code as usize);
        Some(Self {
            codes: bits(last + 1, codes.chain([0])),
            program_length: program.len(),
            program: Packer::best().pack(&program),
            glyphs: Packer::best().pack(&glyphs),
            widths,
            descriptor,
        })
    }
}

/// Compresses streams. Its tables are large, so that one serves a whole sheet.
pub(super) struct Packer(Compress);

impl Packer {
    /// For fonts, most of which are compressed once and written with every sheet.
    pub(super) fn best() -> Self {
        Self(Compress::new(Compression::best(), true))
    }

    /// For drawings, which are compressed while a request waits.
    pub(super) fn fast() -> Self {
        Self(Compress::new(Compression::fast(), true))
    }

    pub(super) fn pack(&mut self, data: &[u8]) -> Vec<u8> {
        self.0.reset();
        // More capacity than incompressible data takes: one call always suffices.
        let mut out = Vec::with_capacity(data.len() + data.len() / 1000 + 64);
        let _ = self.0.compress_vec(data, &mut out, FlushCompress::Finish);
        out
    }
}
