//! What the renderer leaves out without a word is found and reported: one document for each line of `UNDRAWN.md`.

use render::{RenderWarning, Rendered};

use crate::build::{Doc, FIRST_PAGE, deflate, stream};
use crate::drawing::{pool, source};
use crate::page;

/// A document whose page has visible text, these contents and these resources. Objects from seven on are the parts.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    contents: String,
    resources: &'static str,
    parts: Vec<Vec<u8>>,
    /// What is reported, of a document that the renderer does not draw whole.
    warning: Option<RenderWarning>,
}

const WHOLE: Option<RenderWarning> = None;
const CONTENTS: Option<RenderWarning> = Some(RenderWarning::Contents);
const IMAGE: Option<RenderWarning> = Some(RenderWarning::Image);
const FONT: Option<RenderWarning> = Some(RenderWarning::Font);
const MISSING_FONT: Option<RenderWarning> = Some(RenderWarning::MissingFont);

const FILL: &str = "/Pattern cs /P scn 50 50 200 200 re f";
const TILE: &str = "0 0 5 5 re f";

impl Case {
    fn new(
        name: &'static str,
        warning: Option<RenderWarning>,
        contents: &str,
        resources: &'static str,
        parts: &[Vec<u8>],
    ) -> Self {
        Self {
            name,
            contents: contents.to_owned(),
            resources,
            parts: parts.to_vec(),
            warning,
        }
    }

    pub(crate) fn document(&self) -> Doc {
        let mut doc = page(&format!(
            "q BT /F1 12 Tf 72 720 Td (texto) Tj ET Q {}",
            self.contents
        ));
        doc.set(
            FIRST_PAGE,
            format!(
                "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F1 3 0 R/T3 7 0 R>>{}>>>>",
                FIRST_PAGE + 1,
                self.resources
            ),
        );
        for (number, body) in (7..).zip(&self.parts) {
            doc.set(number, body);
        }
        doc
    }
}

fn tile(entries: &str, contents: &str) -> Vec<u8> {
    stream(
        &format!("/Type/Pattern/PatternType 1{entries}"),
        contents.as_bytes(),
    )
}

fn text(body: &str) -> Vec<u8> {
    body.as_bytes().to_vec()
}

const PATTERN: &str = "/Pattern<</P 7 0 R>>";
const SHADING: &str = "/Shading<</S 7 0 R>>";
const OBJECT: &str = "/XObject<</X 7 0 R>>";
const SPACE: &str = "/ColorSpace<</C 7 0 R>>";
const STATE: &str = "/ExtGState<</G 7 0 R>>";
const RAMP: &str = "/Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[0.5]/N 1>>";

fn patterns() -> Vec<Case> {
    let case = |name, warning, entries: &str| Case::new(name, warning, FILL, PATTERN, &[tile(entries, TILE)]);
    vec![
        case(
            "tiling pattern",
            WHOLE,
            "/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>",
        ),
        case(
            "pattern without PaintType",
            CONTENTS,
            "/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>",
        ),
        case(
            "pattern without XStep",
            CONTENTS,
            "/PaintType 1/TilingType 1/BBox[0 0 9 9]/YStep 9/Resources<<>>",
        ),
        case(
            "pattern without YStep",
            CONTENTS,
            "/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/Resources<<>>",
        ),
        case(
            "pattern without BBox",
            CONTENTS,
            "/PaintType 1/TilingType 1/XStep 9/YStep 9/Resources<<>>",
        ),
        case(
            "pattern of a tiny step under a huge matrix",
            CONTENTS,
            "/PaintType 1/TilingType 1/BBox[0 0 0.003 0.003]/XStep 0.003/YStep 0.003/Matrix[3000 0 0 3000 0 0]/Resources<<>>",
        ),
        case(
            "pattern that is flat",
            CONTENTS,
            "/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Matrix[1 1 1 1.0001 0 0]/Resources<<>>",
        ),
        case(
            "pattern of an unknown filter",
            CONTENTS,
            "/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>/Filter/Nonsense",
        ),
        Case::new("pattern that is not there", CONTENTS, FILL, "", &[]),
        Case::new(
            "pattern with the resources of its page",
            CONTENTS,
            FILL,
            "/Pattern<</P 7 0 R>>/XObject<</X 8 0 R>>",
            &[
                tile("/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9", "/X Do"),
                stream("/Subtype/Form/BBox[0 0 9 9]", TILE.as_bytes()),
            ],
        ),
        Case::new(
            "image in a pattern without colours",
            IMAGE,
            "/C cs 1 0 0 /P scn 50 50 200 200 re f",
            "/ColorSpace<</C[/Pattern/DeviceRGB]>>/Pattern<</P 7 0 R>>",
            &[tile(
                "/PaintType 2/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>",
                "q 9 0 0 9 0 0 cm BI /W 1/H 1/BPC 8/CS/G ID 0 EI Q",
            )],
        ),
    ]
}

fn shadings() -> Vec<Case> {
    let case = |name, warning, body: String| {
        let parts = [body.into_bytes()];
        Case::new(name, warning, "q 50 50 200 200 re W n /S sh Q", SHADING, &parts)
    };
    let axial = |coords: &str, rest: &str| {
        format!("<</ShadingType 2/ColorSpace/DeviceGray/Coords[{coords}]/Extend[true true]{rest}>>")
    };
    let mesh = |entries: &str, data: &[u8]| {
        let dict = format!(
            "/ShadingType 4/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8{entries}"
        );
        Case::new(
            "mesh that ends early",
            CONTENTS,
            "q 50 50 200 200 re W n /S sh Q",
            SHADING,
            &[stream(&dict, data)],
        )
    };
    vec![
        case("axial shading", WHOLE, axial("0 0 300 300", RAMP)),
        case(
            "axial shading of one point",
            CONTENTS,
            axial("100 100 100.001 100", RAMP),
        ),
        case(
            "radial shading of one circle",
            CONTENTS,
            axial("100 100 50 100 100 50.001", RAMP).replace("Type 2/C", "Type 3/C"),
        ),
        case("shading without a function", CONTENTS, axial("0 0 300 300", "")),
        case(
            "shading with a function of two numbers",
            CONTENTS,
            axial("0 0 300 300", &RAMP.replace("[0 1]", "[0 1 0 1]")),
        ),
        case(
            "shading with too many colours",
            CONTENTS,
            axial("0 0 300 300", &RAMP.replace("C0[0]/C1[0.5]", "C0[0 0]/C1[1 1]")),
        ),
        case(
            "shading of an unknown colour space",
            CONTENTS,
            axial("0 0 300 300", RAMP).replace("/DeviceGray", "/Nonsense"),
        ),
        case(
            "shading of an unknown kind",
            CONTENTS,
            axial("0 0 300 300", RAMP).replace("/ShadingType 2", "/ShadingType 9"),
        ),
        Case::new("shading that is not there", CONTENTS, "/S sh", "", &[]),
        mesh("/Decode[0 300 0 300 0 1]", b"\x00\x00\x00\x00\x00\xff\x00\x00"),
        Case::new(
            "shading pattern of one point",
            CONTENTS,
            FILL,
            PATTERN,
            &[text(&format!(
                "<</PatternType 2/Shading {}>>",
                axial("100 100 100.001 100", RAMP)
            ))],
        ),
    ]
}

fn forms() -> Vec<Case> {
    let case = |name, warning, entries: &str, contents: &str| {
        let parts = [stream(entries, contents.as_bytes())];
        Case::new(name, warning, "/X Do", OBJECT, &parts)
    };
    let nested: Vec<_> = (0..60)
        .map(|level: u32| {
            let next = format!(
                "/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X {} 0 R>>>>",
                level + 8
            );
            stream(&next, b"/X Do")
        })
        .chain([stream("/Subtype/Form/BBox[0 0 99 99]", TILE.as_bytes())])
        .collect();
    vec![
        case("form", WHOLE, "/Subtype/Form/BBox[0 0 99 99]", TILE),
        case("form without BBox", CONTENTS, "/Subtype/Form", TILE),
        case("form without Subtype", CONTENTS, "/BBox[0 0 99 99]", TILE),
        case(
            "form of an unknown Subtype",
            CONTENTS,
            "/Subtype/PS/BBox[0 0 99 99]",
            TILE,
        ),
        case(
            "form with an operator that lacks its operands",
            CONTENTS,
            "/Subtype/Form/BBox[0 0 99 99]",
            "1 0 rg 0 0 5 5 re f",
        ),
        case(
            "form without the resources of its page",
            CONTENTS,
            "/Subtype/Form/BBox[0 0 99 99]/Resources<<>>",
            "/F1 12 Tf /P gs",
        ),
        case(
            "form with a layer that stays open",
            CONTENTS,
            "/Subtype/Form/BBox[0 0 99 99]",
            "/OC /L BDC 0 0 5 5 re f",
        ),
        case(
            "form in a layer with an expression",
            CONTENTS,
            "/Subtype/Form/BBox[0 0 99 99]/OC<</Type/OCMD/VE[/Not null]>>",
            TILE,
        ),
        Case::new("form nested sixty times", CONTENTS, "/X Do", OBJECT, &nested),
        Case::new(
            "form that is drawn with other resources before",
            CONTENTS,
            "/X Do /Y Do",
            "/XObject<</X 7 0 R/Y 8 0 R>>",
            &[
                stream(
                    "/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</Y 8 0 R/Z 9 0 R>>>>",
                    b"/Y Do",
                ),
                stream("/Subtype/Form/BBox[0 0 99 99]", b"/Z Do"),
                stream("/Subtype/Form/BBox[0 0 99 99]", TILE.as_bytes()),
            ],
        ),
        Case::new(
            "form that is drawn in another font before",
            FONT,
            "/F1 12 Tf /X Do /F9 12 Tf /X Do",
            OBJECT,
            &[stream(
                "/Subtype/Form/BBox[0 0 600 800]",
                b"BT 72 600 Td (a\\361o) Tj ET",
            )],
        ),
        Case::new(
            "image that is drawn with other resources before",
            IMAGE,
            "/X Do q 99 0 0 99 200 9 cm /Y Do Q",
            "/XObject<</X 7 0 R/Y 8 0 R>>",
            &[
                stream(
                    "/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</Y 8 0 R>>/ColorSpace<</C/DeviceGray>>>>",
                    b"q 99 0 0 99 9 9 cm /Y Do Q",
                ),
                stream(
                    "/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/C",
                    &[0x40; 4],
                ),
            ],
        ),
        Case::new("object that is not there", CONTENTS, "/X Do", "", &[]),
    ]
}

fn images() -> Vec<Case> {
    let case = |name, warning, entries: &str| {
        let entries = format!("/Subtype/Image{entries}");
        let parts = [stream(&entries, &[0x40; 12])];
        Case::new(name, warning, "q 99 0 0 99 9 9 cm /X Do Q", OBJECT, &parts)
    };
    vec![
        case(
            "image",
            WHOLE,
            "/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB",
        ),
        case(
            "image without Width",
            IMAGE,
            "/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB",
        ),
        case(
            "image without Height",
            IMAGE,
            "/Width 2/BitsPerComponent 8/ColorSpace/DeviceRGB",
        ),
        case(
            "image of an unknown colour space",
            IMAGE,
            "/Width 2/Height 2/BitsPerComponent 8/ColorSpace/Nonsense",
        ),
        case(
            "image with too many bits",
            IMAGE,
            "/Width 1/Height 1/BitsPerComponent 32/ColorSpace/DeviceGray",
        ),
        case(
            "image with too few ranges",
            IMAGE,
            "/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB/Decode[0 1]",
        ),
        case(
            "image with a short palette",
            IMAGE,
            "/Width 2/Height 2/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 255<000000>]",
        ),
        case(
            "image with an unknown filter",
            IMAGE,
            "/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/Nonsense",
        ),
        Case::new(
            "image with a mask without a size",
            IMAGE,
            "q 99 0 0 99 9 9 cm /X Do Q",
            OBJECT,
            &[
                stream(
                    "/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB/SMask 8 0 R",
                    &[0x40; 12],
                ),
                stream(
                    "/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceGray",
                    &[0x40; 4],
                ),
            ],
        ),
    ]
}

fn colours() -> Vec<Case> {
    let paint = "/C cs 1 scn 50 50 200 200 re f";
    let case = |name, warning, space: &str| Case::new(name, warning, paint, SPACE, &[text(space)]);
    let tint = "<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 0 0]/N 1>>";
    vec![
        case(
            "spot colour",
            WHOLE,
            &format!("[/Separation/Spot/DeviceCMYK {tint}]"),
        ),
        case(
            "spot colour without a function",
            CONTENTS,
            "[/Separation/Spot/DeviceCMYK]",
        ),
        case(
            "spot colour with another number of colours",
            CONTENTS,
            &format!("[/Separation/Spot/DeviceRGB {tint}]"),
        ),
        case("unknown colour space", CONTENTS, "[/Nonsense/DeviceRGB]"),
        case(
            "palette that is short",
            CONTENTS,
            "[/Indexed/DeviceRGB 9<000000>]",
        ),
        Case::new("colour space that is not there", CONTENTS, paint, "", &[]),
    ]
}

fn states() -> Vec<Case> {
    let case = |name, warning, state: &str| {
        let group = stream(
            "/Subtype/Form/BBox[0 0 300 300]/Group<</S/Transparency>>",
            b"1 g 0 0 99 99 re f",
        );
        let contents = "q /G gs 50 50 200 200 re f Q";
        Case::new(name, warning, contents, STATE, &[text(state), group])
    };
    vec![
        case("mask", WHOLE, "<</SMask<</S/Alpha/G 8 0 R>>>>"),
        case(
            "mask of luminosity without a colour space",
            CONTENTS,
            "<</SMask<</S/Luminosity/G 8 0 R>>>>",
        ),
        case("mask without a group", CONTENTS, "<</SMask<</S/Alpha>>>>"),
        case(
            "transfer function",
            CONTENTS,
            "<</TR<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>>>",
        ),
        Case::new("graphics state that is not there", CONTENTS, "/G gs", "", &[]),
        Case::new(
            "sixty-six thousand saved states",
            CONTENTS,
            &"q ".repeat(66_000),
            "",
            &[],
        ),
    ]
}

fn letters() -> Vec<Case> {
    let glyphs = |glyph: &[u8]| {
        vec![
            text(
                "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[0.1 0 0 0.1 0 0]/FirstChar 97/LastChar 97\
                 /Widths[9]/Encoding<</Type/Encoding/Differences[97/a]>>/CharProcs<</a 8 0 R>>/Resources<<>>>>",
            ),
            glyph.to_vec(),
        ]
    };
    let shown = "BT /T3 12 Tf 72 600 Td (aaa) Tj ET";
    vec![
        Case::new(
            "drawn glyph",
            WHOLE,
            shown,
            "",
            &glyphs(&stream("", b"9 0 d0 0 0 5 5 re f")),
        ),
        Case::new(
            "drawn glyph of an unknown filter",
            FONT,
            shown,
            "",
            &glyphs(&stream("/Filter/Nonsense", b"9 0 d0 0 0 5 5 re f")),
        ),
        Case::new(
            "drawn glyph with a form that is not there",
            CONTENTS,
            shown,
            "",
            &glyphs(&stream("", b"9 0 d0 /X Do")),
        ),
        Case::new(
            "image in a drawn glyph without colours",
            IMAGE,
            shown,
            "",
            &glyphs(&stream(
                "",
                b"9 0 0 0 9 9 d1 q 9 0 0 9 0 0 cm BI /W 1/H 1/BPC 8/CS/G ID 0 EI Q",
            )),
        ),
        Case::new(
            "accents without a font",
            FONT,
            "BT /F9 12 Tf 72 600 Td (a\\361o) Tj ET",
            "",
            &[],
        ),
        Case::new("line without a font", FONT, "BT 72 600 Td (texto) ' ET", "", &[]),
    ]
}

/// Fonts without a program, for which the renderer has another font.
fn other_fonts() -> Vec<Case> {
    let case = |name, warning, text: &str, font: &str, encoding: &str| {
        let font = format!("<</Type/Font{font}{encoding}>>");
        let contents = format!("BT /T3 12 Tf 72 600 Td {text} Tj ET");
        Case::new(name, warning, &contents, "", &[font.into_bytes()])
    };
    let arial = "/Subtype/TrueType/BaseFont/Arial";
    let helvetica = "/Subtype/Type1/BaseFont/Helvetica";
    let cyrillic = "/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[192/afii10017]>>";
    let composite = |name, warning, font: &str, descriptor: &str| {
        let outer = format!(
            "<</Type/Font/Subtype/Type0/BaseFont/{font}/Encoding/Identity-H/DescendantFonts[8 0 R]>>"
        );
        let inner = format!(
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/{font}\
             /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>{descriptor}>>"
        );
        let contents = "BT /T3 12 Tf 72 600 Td <00240025> Tj ET";
        let program = stream("", b"no program");
        Case::new(
            name,
            warning,
            contents,
            "",
            &[text(&outer), text(&inner), program],
        )
    };
    vec![
        case(
            "Latin letters of another font",
            WHOLE,
            "(A\\361o)",
            arial,
            "/Encoding/WinAnsiEncoding",
        ),
        case("other Latin letters", WHOLE, "(abc)", helvetica, cyrillic),
        case(
            "accents that are named",
            WHOLE,
            "(\\001)",
            arial,
            "/Encoding<</Differences[1/ntilde]>>",
        ),
        case(
            "letter that another font lacks",
            MISSING_FONT,
            "(\\300)",
            arial,
            cyrillic,
        ),
        case(
            "line with a letter that another font lacks",
            MISSING_FONT,
            "(abc\\300)",
            helvetica,
            cyrillic,
        ),
        case(
            "soft hyphen of another font",
            MISSING_FONT,
            "(\\255500)",
            helvetica,
            "/Encoding/WinAnsiEncoding",
        ),
        case(
            "small capitals of another font",
            MISSING_FONT,
            "(abc)",
            helvetica,
            "/Encoding/MacExpertEncoding",
        ),
        case(
            "symbols",
            WHOLE,
            "(\\267a\\001)",
            "/Subtype/Type1/BaseFont/Symbol",
            "/Encoding<</Differences[1/alpha 183/bullet]>>",
        ),
        composite(
            "composite font without a program",
            MISSING_FONT,
            "ArialUnicodeMS",
            "",
        ),
        composite(
            "composite font of another family",
            MISSING_FONT,
            "NotoSansCJKsc-Regular",
            "",
        ),
        composite(
            "composite font with a program that is none",
            FONT,
            "ABCDEF+Arial",
            "/FontDescriptor<</Type/FontDescriptor/FontName/ABCDEF+Arial/Flags 4/FontFile2 9 0 R>>",
        ),
        Case::new(
            "font with a program in another format",
            FONT,
            "BT /T3 12 Tf 72 600 Td (abc) Tj ET",
            "",
            &[
                text(
                    "<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Nimbus\
                     /FontDescriptor<</Type/FontDescriptor/FontName/ABCDEF+Nimbus/Flags 32/FontFile 8 0 R>>>>",
                ),
                stream("", b"%!PS-Resource-Font: Nimbus"),
            ],
        ),
    ]
}

/// Contents that are marked: the renderer takes the properties of each for a layer.
fn marked() -> Vec<Case> {
    let case = |name, warning, tag: &str, properties: &str| {
        let contents = format!("{tag} /M BDC 50 50 99 99 re f EMC");
        let parts = [text(properties), text("<</Type/OCG/Name(Capa)>>")];
        Case::new(name, warning, &contents, "/Properties<</M 7 0 R>>", &parts)
    };
    let hidden = "<</Type/OCMD/P/AllOff/OCGs 9 0 R>>";
    vec![
        case("marked content", WHOLE, "/Span", "<</MCID 3/Lang(es)>>"),
        case(
            "marked content in a layer",
            WHOLE,
            "/OC",
            "<</Type/OCG/Name(Capa)>>",
        ),
        case(
            "marked content in layers of which one is on",
            WHOLE,
            "/OC",
            "<</Type/OCMD/OCGs[8 0 R]>>",
        ),
        case(
            "marked content that is shown while a layer is off",
            CONTENTS,
            "/OC",
            "<</Type/OCMD/P/AnyOff/OCGs[8 0 R]>>",
        ),
        case(
            "marked content of another tag that is shown while a layer is off",
            CONTENTS,
            "/Span",
            "<</Type/OCMD/P/AllOff/OCGs 8 0 R>>",
        ),
        Case::new(
            "image for readers that know no layers",
            WHOLE,
            "50 50 99 99 re f /X Do",
            OBJECT,
            &[
                stream(
                    "/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/OC 8 0 R",
                    b"\0",
                ),
                text(hidden),
                text("<</Type/OCG/Name(Capa)>>"),
            ],
        ),
        Case::new(
            "form with marked content that is shown while a layer is off",
            CONTENTS,
            "/X Do",
            OBJECT,
            &[
                stream(
                    "/Subtype/Form/BBox[0 0 600 800]/Resources<</Properties<</M 8 0 R>>>>",
                    b"/Span /M BDC 50 50 99 99 re f EMC",
                ),
                text(hidden),
                text("<</Type/OCG/Name(Capa)>>"),
            ],
        ),
    ]
}

/// Graphics states that are restored without having been saved.
fn restored() -> Vec<Case> {
    let letters = "BT /F1 12 Tf 72 600 Td (Debe) Tj ET";
    let form = |name, warning, before: &str, contents: &str| {
        let parts = [stream("/Subtype/Form/BBox[0 0 600 800]", contents.as_bytes())];
        Case::new(
            name,
            warning,
            &format!("{before} /X Do {letters}"),
            OBJECT,
            &parts,
        )
    };
    vec![
        form(
            "form that restores the states of its page",
            CONTENTS,
            "q 0.001 0 0 0.001 -99 -99 cm q 1 0 0 1 0 0 cm q 1000 0 0 1000 99000 99000 cm",
            "Q Q Q",
        ),
        form("form with a restore at its end", WHOLE, "", "0 0 5 5 re f Q"),
        form(
            "form that goes on after a restore",
            CONTENTS,
            "",
            "1 0 0 1 900 0 cm Q 0 0 5 5 re f",
        ),
        Case::new(
            "page with a restore at its end",
            WHOLE,
            "0 g 0 0 9 9 re f Q",
            "",
            &[],
        ),
        Case::new(
            "page that goes on after a restore",
            CONTENTS,
            &format!("1 0 0 1 9000 9000 cm Q {letters}"),
            "",
            &[],
        ),
        Case::new(
            "text after a restore",
            CONTENTS,
            "BT /F1 12 Tf q 72 600 Td Q (Debe) Tj ET",
            "",
            &[],
        ),
        Case::new(
            "text with its own place after a restore",
            WHOLE,
            "BT /F1 12 Tf q 72 500 Td Q 1 0 0 1 72 600 Tm (Debe) Tj ET",
            "",
            &[],
        ),
    ]
}

/// Groups that are blended with what was painted before them.
fn groups() -> Vec<Case> {
    let case = |name, warning, before: &str, (group, state): (&str, &str), contents: &str| {
        let entries = format!(
            "/Subtype/Form/BBox[0 0 600 800]/Group<</S/Transparency{group}>>/Resources<</ExtGState<</G<<{state}>>>>>>"
        );
        let parts = [stream(&entries, contents.as_bytes())];
        Case::new(name, warning, &format!("{before} /X Do"), OBJECT, &parts)
    };
    let letters = "BT /F1 40 Tf 72 600 Td (Debe) Tj ET";
    let (open, multiply) = ("", "/BM/Multiply");
    let over = "/G gs 1 1 0 rg 60 590 300 60 re f";
    vec![
        case(
            "highlighter in a group",
            CONTENTS,
            letters,
            (open, multiply),
            over,
        ),
        case(
            "white paint in a group",
            CONTENTS,
            letters,
            (open, "/BM[/Nonsense/Difference]"),
            "/G gs 1 g 60 590 300 60 re f",
        ),
        case(
            "highlighter in an isolated group",
            WHOLE,
            letters,
            ("/I true", multiply),
            over,
        ),
        case(
            "black paint in a group",
            WHOLE,
            letters,
            (open, multiply),
            "/G gs 0 g 60 590 300 60 re f",
        ),
        case(
            "shadow in a group",
            WHOLE,
            letters,
            (open, multiply),
            "/G gs 0.5 g 60 90 300 60 re f",
        ),
        case(
            "shadow in a group over a background",
            WHOLE,
            "1 0.9 0.8 rg 0 0 595 842 re f",
            (open, multiply),
            "/G gs 0.5 g 60 90 300 60 re f",
        ),
        case(
            "paint of the normal kind in a group",
            WHOLE,
            letters,
            (open, "/BM/Normal/ca 0.5"),
            "/G gs 0.5 g 60 90 300 60 re f",
        ),
        case(
            "translucent paint in a group that knocks out",
            CONTENTS,
            letters,
            ("/K true", "/ca 0.5"),
            "0 g 50 50 99 99 re f /G gs 70 70 50 50 re f",
        ),
    ]
}

/// Fonts with a program, of which the renderer may ignore what their codes stand for.
fn own_fonts() -> Vec<Case> {
    let program = stream("/Filter/FlateDecode", &deflate(notosans::REGULAR_TTF));
    let case = |name, warning, shown: &str, flags: u32, encoding: &str| {
        let font = format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Noto{encoding}/FirstChar 0/LastChar 255/Widths[{}]\
             /FontDescriptor 8 0 R>>",
            "600 ".repeat(256)
        );
        let descriptor = format!(
            "<</Type/FontDescriptor/FontName/ABCDEF+Noto/Flags {flags}/ItalicAngle 0/Ascent 900/Descent -200\
             /CapHeight 700/StemV 80/FontBBox[0 -200 1000 900]/FontFile2 9 0 R>>"
        );
        let contents = format!("BT /T3 12 Tf 72 600 Td {shown} Tj ET");
        let parts = [font.into_bytes(), descriptor.into_bytes(), program.clone()];
        Case::new(name, warning, &contents, "", &parts)
    };
    let latin = "/Encoding/WinAnsiEncoding";
    let named = "/Encoding<</Differences[5/a]>>";
    vec![
        case("letters by their names", WHOLE, "(ab\\361)", 32, latin),
        case("letters by their codes", WHOLE, "(ab\\361)", 4, latin),
        case("letter that has a name alone", WHOLE, "(\\005)", 32, named),
        case(
            "letter of a symbolic font that has a name alone",
            FONT,
            "(\\005)",
            4,
            named,
        ),
        case(
            "letter that has a name alone, with an unknown flag",
            FONT,
            "(\\005)",
            288,
            named,
        ),
        case(
            "digit with the name of another",
            FONT,
            "(1)",
            4,
            "/Encoding<</Differences[49/nine]>>",
        ),
        case(
            "digit beside one with the name of another",
            WHOLE,
            "(2)",
            4,
            "/Encoding<</Differences[49/nine]>>",
        ),
        case(
            "letter after others that have names",
            FONT,
            "(C)",
            4,
            "/Encoding<</Differences[5/a 65/A/B/H]>>",
        ),
        case("accent without an encoding", FONT, "(\\361)", 32, ""),
        case("accent outside of the differences", FONT, "(\\361)", 32, named),
        case(
            "quotation mark without an encoding, with an unknown flag",
            FONT,
            "(\\223)",
            288,
            "",
        ),
        case("apostrophe without an encoding", WHOLE, "(a'b)", 32, ""),
        case(
            "accent of a symbolic font without an encoding",
            WHOLE,
            "(\\361)",
            4,
            "",
        ),
    ]
}

pub(crate) fn cases() -> Vec<Case> {
    [
        patterns(),
        shadings(),
        forms(),
        images(),
        colours(),
        states(),
        letters(),
        other_fonts(),
        own_fonts(),
        marked(),
        restored(),
        groups(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn what_the_renderer_leaves_out_is_reported() {
    let pool = pool();
    let mut wrong = Vec::new();
    for case in cases() {
        let warnings = match pool.image(&source(&case.document().table()), 0, 300) {
            Ok(Rendered::Faithful(_)) => Vec::new(),
            Ok(Rendered::WithWarnings { warnings, .. }) => warnings,
            Err(failure) => panic!("{}: {failure}", case.name),
        };
        if warnings != case.warning.into_iter().collect::<Vec<_>>() {
            wrong.push((case.name, warnings));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
