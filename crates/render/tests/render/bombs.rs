//! Small pages that ask for hours or gigabytes: bounded, reported, and the next page is drawn.

use std::time::{Duration, Instant};

use render::{Failure, Limits, Pool, Rendered};

use crate::build::{Doc, FIRST_PAGE, deflate, stream};
use crate::drawing::{launch, source};
use crate::{faithful, page};

/// A page with resources of its own; `more` are its objects, from number 6 on.
fn bomb(contents: &str, resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let mut doc = page(contents);
    doc.set(
        FIRST_PAGE,
        format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>{resources}>>>>",
            FIRST_PAGE + 1
        ),
    );
    for body in more {
        doc.add(body);
    }
    doc.table()
}

fn image(entries: &str, data: &[u8]) -> Vec<u8> {
    stream(&format!("/Type/XObject/Subtype/Image{entries}"), data)
}

fn form(resources: &str, contents: &str) -> Vec<u8> {
    stream(
        &format!("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<{resources}>>"),
        contents.as_bytes(),
    )
}

/// A page that no worker draws to its end.
pub(crate) fn endless() -> Vec<u8> {
    let ten = "/X Do ".repeat(10);
    let exponential: Vec<_> = (0..14)
        .map(|level| match level {
            13 => form("", "0 0 m 600 800 l S 10 10 50 50 re f"),
            _ => form(&format!("/XObject<</X {} 0 R>>", level + 7), &ten),
        })
        .collect();
    bomb(&ten, "/XObject<</X 6 0 R>>", &exponential)
}

fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let draw = "q 500 0 0 700 50 50 cm /X Do Q";
    let object = "/XObject<</X 6 0 R>>";
    let ten = "/X Do ".repeat(10);
    let groups: Vec<_> = (0..12)
        .map(|level| {
            let inside = format!("/XObject<</X {} 0 R>>", level + 7);
            let entries = format!("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Group<</S/Transparency/I true>>/Resources<<{inside}>>");
            stream(&entries, if level == 11 { "0 0 600 800 re f" } else { &ten }.as_bytes())
        })
        .collect();
    let large = "/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB";
    let lines = "0.01 w [0.001 0.001] 0 d ".to_owned() + &"0 0 m 600 800 l S ".repeat(50);
    let pattern = |entries: &str, contents: &str| {
        stream(
            &format!("/Type/Pattern/PatternType 1/PaintType 1/TilingType 1{entries}/Resources<<>>"),
            contents.as_bytes(),
        )
    };
    let tiled = "/Pattern cs /X scn 0 0 600 800 re f";
    let sampled = "/FunctionType 0/Domain[0 1 0 1]/Range[0 1 0 1 0 1]/Size[65535 65535]/BitsPerSample 8";
    vec![
        ("forms that include each other exponentially", endless()),
        ("transparency groups, exponentially", bomb(&ten, object, &groups)),
        ("a form that includes itself", bomb("/X Do", object, &[form("/XObject<</X 6 0 R>>", &ten)])),
        ("an image of 10 GB without data", bomb(draw, object, &[image(large, b"")])),
        ("an image of 10 GB, compressed", bomb(draw, object, &[image(&format!("{large}/Filter/FlateDecode"), &deflate(&vec![7; 40 << 20]))])),
        ("a fax 65535 pixels wide", bomb(draw, object, &[image("/Width 65535/Height 65535/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 65535/Rows 65535>>", &[0x55; 400])])),
        ("a mask of 4 GiB", bomb(draw, object, &[image("/Width 65535/Height 65535/BitsPerComponent 8/ColorSpace/DeviceGray/SMask 6 0 R", b"")])),
        ("a line of a million dashes", bomb(&lines, "", &[])),
        ("a pattern of tiny tiles", bomb(tiled, "/Pattern<</X 6 0 R>>", &[pattern("/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001", "0 0 1 1 re f")])),
        ("a pattern of one huge tile", bomb(tiled, "/Pattern<</X 6 0 R>>", &[pattern("/BBox[0 0 1000000 1000000]/XStep 1000000/YStep 1000000/Matrix[100 0 0 100 0 0]", "0 0 1 1 re f")])),
        ("a shading with a table of 12 GB", bomb("/X sh", "/Shading<</X<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Function 6 0 R>>>>", &[stream(sampled, b"")])),
        ("a gigabyte of contents", {
            let mut doc = Doc::contract(1);
            doc.set(FIRST_PAGE + 1, stream("/Filter/FlateDecode", &deflate(&b"0 0 m 9 9 l S ".repeat(70 << 20 >> 4).repeat(8))));
            doc.table()
        }),
        ("a million saved states", bomb(&"q 1 0 0 1 1 1 cm ".repeat(1_000_000), "", &[])),
        ("a million clips", bomb(&("q 0 0 600 800 re W n ".repeat(300_000) + "0 0 10 10 re f"), "", &[])),
        ("arrays in arrays", bomb(&("[".repeat(500_000) + &"]".repeat(500_000) + " TJ"), "", &[])),
        ("letters a mile high", bomb("BT /F1 1000000 Tf 1 0 0 1 -300000 -300000 Tm (firma) Tj ET", "", &[])),
        ("a path of a million curves", bomb(&("0 0 m ".to_owned() + &"0 800 600 0 600 800 c 600 0 0 800 0 0 c ".repeat(250_000) + "f*"), "", &[])),
        ("a soft mask within itself", bomb("/G gs 0 0 600 800 re f", "/ExtGState<</G 6 0 R>>", &[b"<</SMask<</S/Luminosity/G 7 0 R>>>>".to_vec(), stream("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Group<</S/Transparency/CS/DeviceGray>>/Resources<</ExtGState<</G 6 0 R>>>>", b"/G gs 0 0 600 800 re f")])),
        ("a drawn letter that draws itself", bomb("BT /T 12 Tf (aaaaaaaaaa) Tj ET", "/Font<</T 6 0 R>>", &[b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 7 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[9]/Resources<</Font<</T 6 0 R>>>>>>".to_vec(), stream("", b"9 0 d0 BT /T 12 Tf (aaaaaaaaaa) Tj ET")])),
        ("contents compressed eight times", {
            let data = (0..8).fold(b"0 0 9 9 re f ".repeat(1 << 20), |data, _| deflate(&data));
            let mut doc = Doc::contract(1);
            doc.set(FIRST_PAGE + 1, stream(&format!("/Filter[{}]", "/FlateDecode".repeat(8)), &data));
            doc.table()
        }),
    ]
}

#[test]
fn no_page_takes_more_than_its_share() {
    let mut limits = Limits::default();
    limits.memory = 512 << 20;
    limits.cpu = Duration::from_secs(2);
    // Reached only by what waits without working: a busy machine may halt a worker for a while.
    limits.wall = Duration::from_mins(1);
    let pool = Pool::new(launch(), 1, limits);
    let good = source(&Doc::contract(1).table());
    for (name, bytes) in bombs() {
        let start = Instant::now();
        let drawn = pool.image(&source(&bytes), 0, 1200);
        let spent = start.elapsed();
        // What was drawn within the limits need not be reported, but an empty page must be.
        let result = match &drawn {
            Ok(Rendered::Faithful(_)) => "drawn".to_owned(),
            Ok(Rendered::WithWarnings { warnings, .. }) => format!("drawn but for {warnings:?}"),
            Err(failure) => format!("{failure:?}"),
        };
        println!(
            "{name}: {} bytes, {result} after {} ms",
            bytes.len(),
            spent.as_millis()
        );
        assert!(spent < Duration::from_mins(2), "{name}: {spent:?}");
        let calm = matches!(
            drawn,
            Ok(_) | Err(Failure::TooSlow | Failure::TooLarge | Failure::Blank)
        );
        assert!(calm, "{name}: {drawn:?}");
        faithful(pool.image(&good, 0, 600));
    }
}
