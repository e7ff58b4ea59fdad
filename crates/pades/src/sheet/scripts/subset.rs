//! The parts of fonts that a drawing uses, embedded with it.

use std::fmt::Write as _;

use harfrust::GlyphId;
use pdf::increment::Objects;
use pdf::syntax::Ref;
use skrifa::instance::{LocationRef, Size};
use skrifa::raw::{FontRef, TableProvider};
use skrifa::{MetadataProvider, Tag};
use subsetter::GlyphRemapper;

use super::super::archive::{Archive, bits};
use super::super::embedded_fonts::Packer;
use super::face::Face;

/// The fonts of a drawing beyond those of every sheet, with the glyphs it uses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Subsets(Vec<Subset>);

#[derive(Debug, Clone, PartialEq)]
struct Subset {
    face: &'static Face,
    glyphs: GlyphRemapper,
    /// The text of each glyph by its new number, if it stands for one.
    texts: Vec<String>,
}

/// A glyph in its subset.
pub(in super::super) struct Placed {
    /// Its code in the embedded font.
    pub(in super::super) code: u16,
    /// The width that the embedded font gives it, in thousandths of its size.
    pub(in super::super) width: f64,
    /// Whether the embedded font gives it the text that was asked for.
    pub(in super::super) has_text: bool,
}

impl Subsets {
    /// The number of a font among those of the drawing.
    pub(in super::super) fn place(&mut self, face: &'static Face) -> usize {
        let known = self.0.iter().position(|subset| subset.face == face);
        known.unwrap_or_else(|| {
            self.0.push(Subset {
                face,
                glyphs: GlyphRemapper::new(),
                texts: vec![String::new()],
            });
            self.0.len() - 1
        })
    }

    /// Adds a glyph, with the text that it stands for on its own.
    pub(in super::super) fn add(&mut self, place: usize, glyph: u16, text: Option<&str>) -> Option<Placed> {
        let subset = self.0.get_mut(place)?;
        let code = subset.glyphs.remap(glyph);
        let at = usize::from(code);
        if subset.texts.len() <= at {
            subset.texts.resize(at + 1, String::new());
        }
        let known = subset.texts.get_mut(at)?;
        if let (true, Some(text)) = (known.is_empty(), text) {
            text.clone_into(known);
        }
        Some(Placed {
            code,
            has_text: text.is_some_and(|text| text == known),
            width: width(subset.face, glyph),
        })
    }

    /// Writes the fonts, and returns their entries in the dictionary of fonts.
    pub(crate) fn embed(&self, objects: &mut impl Objects, archive: Archive) -> Option<String> {
        let mut entries = String::new();
        for (place, subset) in self.0.iter().enumerate() {
            let id = subset.embed(objects, place, archive)?;
            let _ = write!(entries, "/{} {} 0 R", key(place), id.number);
        }
        Some(entries)
    }
}

/// The name of a font in the resources.
pub(in super::super) fn key(place: usize) -> String {
    format!("S{place}")
}

/// The width of a glyph, rounded as the embedded font has it.
fn width(face: &Face, glyph: u16) -> f64 {
    let Some(font) = face.font() else { return 0.0 };
    let units = font.glyph_metrics().h_advance(GlyphId::from(u32::from(glyph)));
    (f64::from(units) * 1000.0 / f64::from(font.units_per_em().max(1))).round()
}

impl Subset {
    fn embed(&self, objects: &mut impl Objects, place: usize, archive: Archive) -> Option<Ref> {
        let font = subsetter::subset(self.face.file, 0, &self.glyphs).ok()?;
        let parsed = FontRef::new(self.face.file).ok()?;
        // A font of cubic outlines is embedded as its outlines alone: older readers know no other form.
        let cubic = parsed.cff().is_ok();
        let program = if cubic {
            let subset = FontRef::new(&font).ok()?;
            subset.table_data(Tag::new(b"CFF "))?.as_bytes().to_vec()
        } else {
            font
        };
        let name = format!("{}+{}", tag(place), self.face.name);
        let [outer, inner, descriptor, file, unicode] = [(); 5].map(|()| objects.allocate());
        let kind = if cubic {
            "/Subtype/CIDFontType0C".into()
        } else {
            format!("/Length1 {}", program.len())
        };
        let mut packer = Packer::best();
        objects.write_stream(
            file,
            format!("{kind}/Filter/FlateDecode").as_bytes(),
            &packer.pack(&program),
        );
        objects.write_stream(
            unicode,
            b"/Filter/FlateDecode",
            &packer.pack(self.unicode().as_bytes()),
        );
        let codes = usize::from(self.glyphs.num_gids());
        let listed = archive.cid_set(objects, &bits(codes, 0..codes));
        let metrics = parsed.metrics(Size::new(1000.0), LocationRef::default());
        let area = metrics.bounds?;
        let body = format!(
            "<</Type/FontDescriptor/FontName/{name}/Flags 4/FontBBox[{:.0} {:.0} {:.0} {:.0}]/ItalicAngle 0\
             /Ascent {:.0}/Descent {:.0}/CapHeight {:.0}/StemV 80/{} {} 0 R{listed}>>",
            area.x_min,
            area.y_min,
            area.x_max,
            area.y_max,
            metrics.ascent,
            metrics.descent,
            metrics.cap_height.unwrap_or(714.0),
            if cubic { "FontFile3" } else { "FontFile2" },
            file.number,
        );
        objects.write(descriptor, body.as_bytes());
        let mut widths = String::new();
        for glyph in self.glyphs.remapped_gids() {
            let _ = write!(widths, "{:.0} ", width(self.face, glyph));
        }
        let kind = if cubic {
            "CIDFontType0"
        } else {
            "CIDFontType2/CIDToGIDMap/Identity"
        };
        let body = format!(
            "<</Type/Font/Subtype/{kind}/BaseFont/{name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)\
             /Supplement 0>>/DW 1000/W[0[{}]]/FontDescriptor {} 0 R>>",
            widths.trim_end(),
            descriptor.number
        );
        objects.write(inner, body.as_bytes());
        let body = format!(
            "<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts[{} 0 R]/ToUnicode {} 0 R>>",
            inner.number, unicode.number
        );
        objects.write(outer, body.as_bytes());
        Some(outer)
    }

    /// The map from codes to text.
    fn unicode(&self) -> String {
        let mut out = String::from(
            "/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n\
             /CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n\
             /CMapName/Adobe-Identity-UCS def/CMapType 2 def\n\
             1 begincodespacerange<0000><FFFF>endcodespacerange\n",
        );
        let known: Vec<_> = self
            .texts
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.is_empty())
            .collect();
        // The format allows a hundred lines in one group.
        for group in known.chunks(100) {
            let _ = writeln!(out, "{} beginbfchar", group.len());
            for (code, text) in group {
                let _ = write!(out, "<{code:04X}><");
                for unit in text.encode_utf16() {
                    let _ = write!(out, "{unit:04X}");
                }
                out.push_str(">\n");
            }
            out.push_str("endbfchar\n");
        }
        out.push_str("endcmap CMapName currentdict/CMap defineresource pop end end");
        out
    }
}

/// Six letters that set the subset of a font apart from others.
fn tag(place: usize) -> String {
    let letter = |at: usize| ('A'..='Z').nth(at % 26).unwrap_or('A');
    format!("SFRM{}{}", letter(place / 26), letter(place))
}
