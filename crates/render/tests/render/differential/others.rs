//! Fonts, images and annotations of kinds that the generated pages lack.

use hayro_font::StandardFont;
use jpeg_encoder::{ColorType, Encoder};

use crate::build::{Doc, FIRST_PAGE, deflate, stream};
use crate::page;

/// A document whose page has these contents and resources. Objects from seven on are the parts.
fn document(contents: &str, resources: &str, parts: &[Vec<u8>]) -> Doc {
    let mut doc = page(contents);
    doc.set(
        FIRST_PAGE,
        format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<<{resources}>>>>",
            FIRST_PAGE + 1
        ),
    );
    for (number, body) in (7..).zip(parts) {
        doc.set(number, body);
    }
    doc
}

fn written(shown: &str, parts: &[Vec<u8>]) -> Doc {
    let contents = format!("BT /F 40 Tf 72 600 Td {shown} Tj ET");
    document(&contents, "/Font<</F 7 0 R>>", parts)
}

fn pictured(entries: &str, data: &[u8]) -> Doc {
    let image = stream(&format!("/Type/XObject/Subtype/Image{entries}"), data);
    let contents = "q 300 0 0 300 100 300 cm /X Do Q";
    document(contents, "/XObject<</X 7 0 R>>", &[image])
}

fn annotated(entries: &str, matrix: &str) -> Doc {
    let bounds = format!("/Type/XObject/Subtype/Form/BBox[0 0 90 20]{matrix}/Resources<<>>");
    let look = stream(&bounds, b"0.2 g 0 0 60 20 re f");
    let mut doc = document("", "", &[look]);
    doc.on_page(&format!(
        "/Annots[<</Type/Annot/F 4/Rect[100 300 200 500]{entries}>>]"
    ));
    doc
}

fn photograph(colours: ColorType, components: usize) -> Vec<u8> {
    let samples = (0..64 * 64 * components).map(|at| u8::try_from(at * 7 % 120).unwrap());
    let mut jpeg = Vec::new();
    let encoder = Encoder::new(&mut jpeg, 90);
    encoder
        .encode(&samples.collect::<Vec<u8>>(), 64, 64, colours)
        .unwrap();
    jpeg
}

/// Fonts with a program in the Compact Font Format, simple and composite, and fonts without one.
fn fonts() -> Vec<(&'static str, Doc)> {
    let (serif, _) = StandardFont::TimesRoman.get_font_data();
    let serif: &[u8] = (*serif).as_ref();
    let program = |kind: &str| {
        let entries = format!("/Subtype/{kind}/Filter/FlateDecode");
        stream(&entries, &deflate(serif))
    };
    let text = |body: &str| body.as_bytes().to_vec();
    let descriptor = text(
        "<</Type/FontDescriptor/FontName/ABCDEF+Serif/Flags 32/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700\
         /StemV 80/FontBBox[0 -200 1000 900]/FontFile3 9 0 R>>",
    );
    let simple = format!(
        "<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Serif/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126\
         /Widths[{}]/FontDescriptor 8 0 R>>",
        "600 ".repeat(95)
    );
    let composite =
        "<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Serif/Encoding/Identity-H/DescendantFonts[10 0 R]>>";
    let inner = "<</Type/Font/Subtype/CIDFontType0/BaseFont/ABCDEF+Serif/DW 600/FontDescriptor 8 0 R\
                 /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>";
    let other = |encoding: &str| {
        let font = format!("<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding<<{encoding}>>>>");
        written("(ABEFH)", &[font.into_bytes()])
    };
    vec![
        (
            "simple font in the compact format",
            written("(ABEFH)", &[text(&simple), descriptor.clone(), program("Type1C")]),
        ),
        (
            "composite font in the compact format",
            written(
                "<002400250026>",
                &[text(composite), descriptor, program("CIDFontType0C"), text(inner)],
            ),
        ),
        (
            "accents in a font without a program",
            other("/BaseEncoding/WinAnsiEncoding/Differences[65/aacute/Ntilde/Euro]"),
        ),
        (
            "letters of another script in a font without a program",
            other("/BaseEncoding/WinAnsiEncoding/Differences[65/afii10017/Omega/aleph]"),
        ),
    ]
}

pub(super) fn cases() -> Vec<(&'static str, Doc)> {
    let jpeg = "/Width 64/Height 64/BitsPerComponent 8/Filter/DCTDecode/ColorSpace";
    // The left half of each line white, the right half black: runs of four.
    let fax = "/Width 8/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode\
               /DecodeParms<</K 0/Columns 8/Rows 8/EncodedByteAlign true/EndOfBlock false>>";
    let mut cases = fonts();
    cases.extend([
        (
            "grey photograph",
            pictured(&format!("{jpeg}/DeviceGray"), &photograph(ColorType::Luma, 1)),
        ),
        (
            "coloured photograph",
            pictured(&format!("{jpeg}/DeviceRGB"), &photograph(ColorType::Rgb, 3)),
        ),
        ("fax", pictured(fax, &[0b1011_0110; 8])),
        ("stamp", annotated("/Subtype/Stamp/AP<</N 7 0 R>>", "")),
        (
            "stamp that is turned",
            annotated("/Subtype/Stamp/AP<</N 7 0 R>>", "/Matrix[0 1 -1 0 0 0]"),
        ),
        (
            "pressed button",
            annotated(
                "/Subtype/Widget/FT/Btn/T(a)/V/Yes/AS/Yes/AP<</N<</Yes 7 0 R>>>>",
                "",
            ),
        ),
    ]);
    cases
}
