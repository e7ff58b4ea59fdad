//! A page that is not fully understood is reported, and an empty image is never returned for a page that draws.

use render::{Failure, RenderWarning, Rendered};

use crate::build::{CATALOG, Doc, FIRST_PAGE, deflate, stream};
use crate::drawing::{pool, source};
use crate::{faithful, page};

fn warnings(doc: &Doc) -> Vec<RenderWarning> {
    match pool().image(&source(&doc.table()), 0, 600) {
        Ok(Rendered::WithWarnings { warnings, .. }) => warnings,
        other => panic!("{other:?}"),
    }
}

/// Gives the first page another resource.
fn resource(doc: &mut Doc, kind: &str, name: &str, body: impl AsRef<[u8]>) {
    let number = doc.add(body);
    let text = format!(
        "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>/{kind}<</{name} {number} 0 R>>>>>>",
        FIRST_PAGE + 1
    );
    doc.set(FIRST_PAGE, text);
}

#[test]
fn an_image_that_cannot_be_decoded_gives_a_warning() {
    let mut doc = page("q 300 0 0 300 100 100 cm /X Do Q BT /F1 12 Tf 72 720 Td (texto) Tj ET");
    let entries = "/Type/XObject/Subtype/Image/Width 100/Height 100/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode";
    resource(
        &mut doc,
        "XObject",
        "X",
        stream(entries, b"\xff\xd8 not a photograph"),
    );
    assert_eq!(warnings(&doc), [RenderWarning::Image]);
}

#[test]
fn an_image_with_too_little_data_gives_a_warning() {
    let contents = "q 300 0 0 300 100 100 cm /X Do Q BT /F1 12 Tf 72 720 Td (texto) Tj ET";
    let entries = "/Type/XObject/Subtype/Image/Width 10/Height 10/BitsPerComponent 8/ColorSpace";
    let drawn = |space: &str, bytes: usize| {
        let mut doc = page(contents);
        let data = deflate(&vec![0x80; bytes]);
        let entries = format!("{entries}{space}/Filter/FlateDecode");
        resource(&mut doc, "XObject", "X", stream(&entries, &data));
        pool().image(&source(&doc.table()), 0, 600)
    };
    let profile = "[/Indexed/DeviceRGB 1<000000ffffff>]";
    for (space, enough) in [
        ("/DeviceRGB", 300),
        ("/DeviceCMYK", 400),
        ("/DeviceGray", 100),
        (profile, 100),
    ] {
        faithful(drawn(space, enough));
        faithful(drawn(space, enough + 1));
        let short = drawn(space, enough - 1);
        let Ok(Rendered::WithWarnings { warnings, .. }) = short else {
            panic!("{space}: {short:?}")
        };
        assert_eq!(warnings, [RenderWarning::Image]);
    }
    let inline = |data: &str| page(&format!("q 9 0 0 9 9 9 cm BI /W 2/H 2/BPC 8/CS/G ID {data} EI Q"));
    faithful(pool().image(&source(&inline("abcd").table()), 0, 600));
    assert_eq!(warnings(&inline("ab")), [RenderWarning::Image]);
}

#[test]
fn a_form_that_cannot_be_read_gives_a_warning_however_deep() {
    let contents = "/X Do BT /F1 12 Tf 72 720 Td (texto) Tj ET";
    let nested = |entries: &str, data: &str| {
        let mut doc = page(contents);
        let inner = doc.add(stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 99 99]{entries}"),
            data.as_bytes(),
        ));
        let outer =
            format!("/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</Y {inner} 0 R>>>>");
        resource(&mut doc, "XObject", "X", stream(&outer, b"q /Y Do Q"));
        doc
    };
    faithful(pool().image(&source(&nested("", "0 g 9 9 50 50 re f").table()), 0, 600));
    for (entries, data) in [
        ("", "0 g 9 9 50 50 re f (no end"),
        ("/Filter/Nonsense", "0 g 9 9 50 50 re f"),
    ] {
        assert_eq!(
            warnings(&nested(entries, data)),
            [RenderWarning::Contents],
            "{entries} {data}"
        );
    }
    // A form that draws itself is drawn once.
    let mut doc = page(contents);
    resource(
        &mut doc,
        "XObject",
        "X",
        stream("/Type/XObject/Subtype/Form/BBox[0 0 99 99]", b"/X Do"),
    );
    faithful(pool().image(&source(&doc.table()), 0, 600));
}

#[test]
fn a_font_that_is_not_there_gives_a_warning_on_every_page_that_uses_it() {
    let mut doc = Doc::contract(3);
    let inner = doc.add(
        "<</Type/Font/Subtype/CIDFontType0/BaseFont/SimSun/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>\
         /FontDescriptor<</Type/FontDescriptor/FontName/SimSun/Flags 4/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontBBox[0 0 1000 1000]>>>>",
    );
    let font = doc.add(format!(
        "<</Type/Font/Subtype/Type0/BaseFont/SimSun/Encoding/UniGB-UCS2-H/DescendantFonts[{inner} 0 R]>>"
    ));
    for place in [0, 2] {
        let number = FIRST_PAGE + 2 * place;
        doc.set(
            number,
            format!(
                "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F1 3 0 R/F2 {font} 0 R>>>>>>",
                number + 1
            ),
        );
        let contents = "BT /F1 12 Tf 72 720 Td (texto) Tj /F2 12 Tf <4E2D6587> Tj ET";
        doc.set(number + 1, stream("", contents.as_bytes()));
    }
    let (pool, document) = (pool(), source(&doc.table()));
    for (number, warned) in [(0, true), (1, false), (2, true), (0, true)] {
        let drawn = pool.image(&document, number, 600).unwrap();
        assert_eq!(
            matches!(&drawn, Rendered::WithWarnings { warnings, .. } if *warnings == [RenderWarning::MissingFont]),
            warned,
            "{number}"
        );
    }
    assert!(!pool.text(&document, 2).unwrap().complete);
}

#[test]
fn letters_of_another_font_give_a_warning() {
    let text = "BT /F2 12 Tf 72 720 Td (texto) Tj ET";
    let encoded = |font: &str, program: Option<&[u8]>, encoding: &str| {
        let mut doc = page(text);
        let program = program.map(|bytes| doc.add(stream("", bytes)));
        let program = program.map_or(String::new(), |number| format!("/FontFile2 {number} 0 R"));
        let body = format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/{font}{encoding}/FontDescriptor<</Type/FontDescriptor/FontName/{font}\
             /Flags 4/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontBBox[0 0 1000 1000]{program}>>>>"
        );
        let number = doc.add(body);
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F2 {number} 0 R>>>>>>",
            FIRST_PAGE + 1
        );
        doc.set(FIRST_PAGE, page);
        doc
    };
    let drawn = |font: &str, program: Option<&[u8]>| encoded(font, program, "");
    assert_eq!(warnings(&drawn("Wingdings", None)), [RenderWarning::Font]);
    assert_eq!(warnings(&drawn("LiberationSans", None)), [RenderWarning::Font]);
    for (font, encoding, latin) in [
        ("LiberationSans", "/Encoding/WinAnsiEncoding", true),
        (
            "LiberationSans",
            "/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/a]>>",
            true,
        ),
        ("LiberationSans", "/Encoding<</Differences[1/a]>>", false),
        ("Wingdings-Regular", "/Encoding/WinAnsiEncoding", false),
        ("OpenSymbol", "/Encoding/WinAnsiEncoding", false),
    ] {
        let drawn = pool().image(&source(&encoded(font, None, encoding).table()), 0, 600);
        assert_eq!(
            matches!(drawn, Ok(Rendered::Faithful(_))),
            latin,
            "{font} {encoding}"
        );
    }
    assert_eq!(
        warnings(&drawn("ABCDEF+Arial", Some(b"no font"))),
        [RenderWarning::Font]
    );
    // A program of another kind than the font's is not looked for.
    assert_eq!(
        warnings(&drawn("ABCDEF+Arial", Some(b"%!FontType1"))),
        [RenderWarning::Font]
    );
    faithful(pool().image(&source(&drawn("ArialMT", None).table()), 0, 600));
    // The renderer takes no program with a table of names of another version.
    let noto = notosans::REGULAR_TTF;
    let whole = drawn("ABCDEF+Noto", Some(noto));
    faithful(pool().image(&source(&whole.table()), 0, 600));
    let mut renamed = noto.to_vec();
    let entry = noto.windows(4).position(|tag| tag == b"post").unwrap();
    let offset = u32::from_be_bytes(noto[entry + 8..entry + 12].try_into().unwrap()) as usize;
    renamed[offset..offset + 4].copy_from_slice(&[0, 4, 0, 0]);
    assert_eq!(
        warnings(&drawn("ABCDEF+Noto", Some(&renamed[..]))),
        [RenderWarning::Font]
    );
}

#[test]
fn contents_that_cannot_be_decoded_give_a_warning() {
    let mut doc = page("BT /F1 12 Tf 72 720 Td (texto) Tj ET");
    let broken = doc.add(stream("/Filter/Nonsense", b"abc"));
    for parts in [
        format!("5 0 R {broken} 0 R"),
        format!("999 0 R 5 0 R {broken} 0 R"),
    ] {
        doc.set(
            FIRST_PAGE,
            Doc::page(FIRST_PAGE + 1, "").replace("/Contents 5 0 R", &format!("/Contents[{parts}]")),
        );
        assert_eq!(warnings(&doc), [RenderWarning::Contents], "{parts}");
    }
    for (entries, data) in [
        ("/Filter/Nonsense", "0 g 9 9 50 50 re f"),
        ("", "0 g 9 9 50 50 re f (no end"),
        ("", "0 g 9 9 50 50 re f (a) 5 re f"),
    ] {
        let mut doc = page("");
        doc.set(FIRST_PAGE + 1, stream(entries, data.as_bytes()));
        assert_eq!(warnings(&doc), [RenderWarning::Contents], "{entries} {data}");
    }
    let mut doc = page("");
    doc.set(FIRST_PAGE + 1, stream("/Filter/Nonsense", b"abc"));
    let drawn = pool().image(&source(&doc.table()), 0, 600);
    assert_eq!(drawn, Err(Failure::Blank));
}

#[test]
fn an_annotation_that_cannot_be_drawn_gives_a_warning() {
    let mut doc = page("BT /F1 12 Tf 72 720 Td (texto) Tj ET");
    doc.on_page("/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 100 100]/AP<</N 99 0 R>>>>]");
    assert_eq!(warnings(&doc), [RenderWarning::Annotation]);
}

#[test]
fn an_annotation_without_an_appearance_gives_a_warning_if_it_shows_something() {
    let with = |annotations: &str| {
        let mut doc = page("BT /F1 12 Tf 72 720 Td (texto) Tj ET");
        doc.add("<</FT/Tx/T(arriba)/V(heredado)>>");
        doc.on_page(&format!("/Annots[{annotations}]"));
        doc
    };
    for shown in [
        "<</Subtype/FreeText/Rect[0 0 100 100]/Contents(Rebaja)/DA(/F1 9 Tf)>>",
        "<</Subtype/Text/Rect[0 0 20 20]/Contents(Nota)>>",
        "<</Subtype/Widget/FT/Tx/T(a)/V(100)/Rect[0 0 100 20]>>",
        "<</Subtype/Widget/Parent 6 0 R/Rect[0 0 100 20]>>",
        "<</Subtype/Widget/FT/Btn/T(a)/V/Yes/Rect[0 0 20 20]>>",
        "<</Subtype/Widget/FT/Btn/T(a)/MK<</CA(Aceptar)>>/Rect[0 0 100 20]>>",
        "<</Subtype/Widget/FT/Tx/T(a)/MK<</BG[1]>>/Rect[0 0 100 20]>>",
        "<</Subtype/Link/Rect[0 0 9 9]>> <</Subtype/Square/Rect[0 0 100 100]>>",
    ] {
        let doc = with(shown);
        assert_eq!(warnings(&doc), [RenderWarning::Annotation], "{shown}");
        let read = pool().text(&source(&doc.table()), 0).unwrap();
        assert!(!read.complete, "{shown}");
    }
    for unseen in [
        "<</Subtype/Link/Rect[0 0 100 100]>>",
        "<</Subtype/Popup/Rect[0 0 100 100]>>",
        "<</Subtype/FreeText/F 2/Rect[0 0 100 100]/Contents(Rebaja)>>",
        "<</Subtype/FreeText/F 32/Rect[0 0 100 100]/Contents(Rebaja)>>",
        "<</Subtype/FreeText/Rect[0 0 0 0]/Contents(Rebaja)>>",
        "<</Subtype/Widget/FT/Tx/T(a)/Rect[0 0 100 20]/MK<</BG[]/BC[]>>>>",
        "<</Subtype/Widget/FT/Tx/T(a)/V()/Rect[0 0 100 20]>>",
        "<</Subtype/Widget/FT/Btn/T(a)/V/Off/Rect[0 0 20 20]>>",
        "<</Subtype/Widget/FT/Sig/T(a)/MK<</BC[0]>>/Rect[0 0 100 20]>>",
    ] {
        faithful(pool().image(&source(&with(unseen).table()), 0, 600));
    }
    // Whatever follows one that is not there is not drawn.
    let mut doc = with("99 0 R 7 0 R");
    doc.set(7, "<</Subtype/Stamp/Rect[0 0 100 100]/AP<</N 8 0 R>>>>");
    let look = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]";
    doc.set(8, stream(look, b"0 g 0 0 9 9 re f"));
    assert_eq!(warnings(&doc), [RenderWarning::Annotation]);
}

#[test]
fn empty_pages_are_faithful_and_drawn_ones_that_come_out_empty_are_not() {
    let pool = pool();
    let draw = |contents: &str| pool.image(&source(&page(contents).table()), 0, 600);
    for empty in [
        "",
        "q Q",
        "1 g 0 0 600 800 re f",
        "BT /F1 12 Tf 72 720 Td (   ) Tj ET",
        "BT 3 Tr /F1 12 Tf 72 720 Td (only for searching) Tj ET",
        "0 g 2000 2000 10 10 re f",
        "BT /F1 12 Tf 72 720 Td () Tj ET",
    ] {
        faithful(draw(empty));
    }
    for lost in [
        "0 0 0 0 re W n BT /F1 12 Tf 72 720 Td (clipped away) Tj ET",
        "0 0 0 0 re W n 0 g 100 100 50 50 re f",
        "0 0 0 0 re W n q 9 0 0 9 9 9 cm BI /W 1/H 1/BPC 8/CS/G ID x EI Q",
        "/Nowhere Do",
    ] {
        assert_eq!(draw(lost), Err(Failure::Blank), "{lost}");
    }
}

#[test]
fn the_white_back_of_a_scanned_sheet_is_a_page() {
    let scan = |paper: u8, specks: &[(usize, u8)]| {
        let mut samples = vec![paper; 400 * 400];
        for (place, shade) in specks {
            samples[*place] = *shade;
        }
        let mut doc = page("q 595 0 0 842 0 0 cm /X Do Q");
        let entries =
            "/Subtype/Image/Width 400/Height 400/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode";
        resource(&mut doc, "XObject", "X", stream(entries, &deflate(&samples)));
        pool().image(&source(&doc.table()), 0, 100)
    };
    faithful(scan(255, &[]));
    // Dust that is too faint for a pixel.
    faithful(scan(255, &[(999, 250), (70_000, 252)]));
    // What can be seen is in the image.
    let speck = faithful(scan(255, &[(80_200, 0)]));
    assert_ne!(speck.file, faithful(scan(255, &[])).file);
    // An empty form is no loss either.
    let mut doc = page("/X Do");
    resource(
        &mut doc,
        "XObject",
        "X",
        stream("/Subtype/Form/BBox[0 0 9 9]", b""),
    );
    faithful(pool().image(&source(&doc.table()), 0, 600));
}

#[test]
fn a_button_that_is_not_pressed_needs_no_appearance() {
    let with = |entries: &str| {
        let mut doc = page("BT /F1 12 Tf 72 720 Td (texto) Tj ET");
        doc.set(7, stream("/Subtype/Form/BBox[0 0 9 9]", b"0 0 9 9 re f"));
        doc.on_page(&format!(
            "/Annots[<</Subtype/Widget/FT/Btn/T(a)/Rect[0 0 20 20]{entries}>>]"
        ));
        doc
    };
    for fine in [
        "/AS/Off/AP<</N<</Yes 7 0 R>>>>",
        "/AS/Yes/V/Yes/AP<</N<</Yes 7 0 R>>>>",
    ] {
        faithful(pool().image(&source(&with(fine).table()), 0, 600));
    }
    for lost in ["/V/Yes/AP<</N<</Yes 7 0 R>>>>", "/V/Yes/AP<<>>"] {
        assert_eq!(warnings(&with(lost)), [RenderWarning::Annotation], "{lost}");
    }
}

#[test]
fn an_appearance_without_an_area_gives_a_warning_if_it_paints() {
    let with = |area: &str, bounds: &str, contents: &str| {
        let mut doc = page("BT /F1 12 Tf 72 720 Td (texto) Tj ET");
        let entries = format!("/Subtype/Form/BBox[{bounds}]/Resources<</XObject<</Y 8 0 R/Z 9 0 R>>>>");
        doc.set(7, stream(&entries, contents.as_bytes()));
        doc.set(8, stream("/Subtype/Form/BBox[0 0 9 9]", b"% DSBlank"));
        doc.set(9, stream("/Subtype/Form/BBox[0 0 9 9]", b"0 0 9 9 re f"));
        doc.on_page(&format!(
            "/Annots[<</Subtype/Widget/FT/Sig/T(a)/Rect[{area}]/AP<</N 7 0 R>>>>]"
        ));
        doc
    };
    let (point, sheet) = ("0 0 0 0", "0 0 99 99");
    for (area, bounds) in [(point, sheet), ("0 0 99 0", sheet), (point, point)] {
        for empty in [
            "",
            "% DSBlank",
            "q 1 0 0 1 0 0 cm Q",
            "q /Y Do Q",
            "0 0 9 9 re W n",
        ] {
            faithful(pool().image(&source(&with(area, bounds, empty).table()), 0, 600));
        }
    }
    for (area, bounds) in [
        (point, sheet),
        ("0 0 99 0", sheet),
        (point, point),
        (sheet, point),
    ] {
        for seen in [
            "0 0 9 9 re f",
            "BT /F1 9 Tf (Rebaja) Tj ET",
            "/Y Do /Z Do",
            "/Nowhere Do",
        ] {
            let drawn = pool().image(&source(&with(area, bounds, seen).table()), 0, 600);
            let is_announced = matches!(
                &drawn,
                Ok(Rendered::WithWarnings { warnings, .. }) if warnings.contains(&RenderWarning::Annotation)
            );
            assert!(is_announced, "{area}, {bounds}, {seen}: {drawn:?}");
        }
    }
}

#[test]
fn an_appearance_that_cannot_be_read_gives_a_warning() {
    for (entries, contents) in [
        ("/Subtype/Form", "0 0 9 9 re f"),
        ("/Subtype/Form/BBox[0 0 9 9]", "/Nowhere Do"),
    ] {
        let mut doc = page("BT /F1 12 Tf 72 720 Td (texto) Tj ET");
        doc.set(7, stream(entries, contents.as_bytes()));
        doc.on_page("/Annots[<</Subtype/Stamp/Rect[0 0 100 100]/AP<</N 7 0 R>>>>]");
        assert_eq!(warnings(&doc), [RenderWarning::Contents], "{entries}");
    }
}

#[test]
fn what_belongs_to_a_layer_that_is_off_gives_a_warning() {
    let with = |shown: &str, mark: &str| {
        let mut doc = page(&format!(
            "BT /F1 12 Tf 72 720 Td (texto) Tj ET {mark} BDC 50 50 99 99 re f EMC"
        ));
        resource(&mut doc, "Properties", "M", "<</Type/OCG/Name(Capa)>>");
        doc.extend(CATALOG, &format!("/OCProperties<</OCGs[6 0 R]/D<<{shown}>>>>"));
        doc
    };
    // The renderer asks the properties of whatever is marked.
    for mark in ["/OC /M", "/Span /M", "/Span<</OC 6 0 R>>"] {
        for shown in ["", "/BaseState/OFF/ON[6 0 R]", "/OFF[7 0 R]"] {
            faithful(pool().image(&source(&with(shown, mark).table()), 0, 600));
        }
        for hidden in ["/OFF[6 0 R]", "/BaseState/OFF"] {
            assert_eq!(
                warnings(&with(hidden, mark)),
                [RenderWarning::Contents],
                "{mark} {hidden}"
            );
        }
    }
}

#[test]
fn an_appearance_in_a_state_that_the_page_leaves_behind_gives_a_warning() {
    let contents = |rest: &str| page(&format!("BT /F1 12 Tf 72 720 Td (texto) Tj ET {rest}"));
    let stamped = |rest: &str| {
        let mut doc = contents(rest);
        doc.set(7, stream("/Subtype/Form/BBox[0 0 9 9]", b"0 0 9 9 re f"));
        doc.on_page("/Annots[<</Subtype/Stamp/Rect[0 0 100 100]/AP<</N 7 0 R>>>>]");
        doc
    };
    for left in ["Q 0.001 0 0 0.001 0 0 cm", "Q 0 0 1 1 re W n", "Q 1 g"] {
        assert_eq!(warnings(&stamped(left)), [RenderWarning::Contents], "{left}");
        faithful(pool().image(&source(&contents(left).table()), 0, 600));
    }
    for kept in ["0.001 0 0 0.001 0 0 cm", "Q", "q 0 0 1 1 re W n Q Q"] {
        faithful(pool().image(&source(&stamped(kept).table()), 0, 600));
    }
}
