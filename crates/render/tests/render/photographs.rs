//! Scans are small and sharp; pages of text stay lossless.

use render::{ImageFormat, Photographs, Picture, Pool};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::build::{Doc, FIRST_PAGE, stream};
use crate::drawing::{GreyImage, pool, source};
use crate::scan::scan;
use crate::{faithful, page};
use jpeg_encoder::{ColorType, Encoder};

const LINE: &str =
    "El arrendatario declara haberlo recibido en buen estado de servicio, presentacion y aseo, y pagara";

/// A page full of small letters.
fn dense_page() -> Doc {
    let lines: String = (0..48)
        .map(|row| format!("BT /F1 11 Tf 50 {} Td ({LINE}) Tj ET\n", 790 - 16 * row))
        .collect();
    page(&lines)
}

fn scanned(pool: &Pool) -> Vec<u8> {
    scan(
        &faithful(pool.image(&source(&dense_page().table()), 0, 1240)).file,
        1,
    )
}

fn image(pool: &Pool, document: &[u8], width: u32, max_bytes: usize) -> Picture {
    let photographs = Photographs::Jpeg { max_bytes };
    faithful(pool.image_with(&source(document), 0, width, photographs))
}

fn jpeg(picture: &Picture) -> GreyImage {
    assert_eq!(picture.format, ImageFormat::Jpeg);
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&picture.file), options);
    let pixels = decoder.decode().unwrap();
    let (width, height) = decoder.dimensions().unwrap();
    GreyImage {
        width,
        height,
        pixels,
    }
}

/// How much of the contrast of letters' edges is left, in percent: of steps from ink to paper between neighbours.
fn edge_contrast(sharp: &GreyImage, seen: &GreyImage) -> i64 {
    let steps = |image: &GreyImage| -> Vec<i64> {
        let rows = image.pixels.chunks(image.width);
        let pairs = rows.flat_map(|row| row.windows(2));
        pairs.map(|two| i64::from(two[1]) - i64::from(two[0])).collect()
    };
    let (mut before, mut after) = (0, 0);
    for (sharp, seen) in steps(sharp).into_iter().zip(steps(seen)) {
        if sharp.abs() > 64 {
            before += sharp.abs();
            after += seen * sharp.signum();
        }
    }
    assert!(before > 0, "there are letters");
    100 * after / before
}

#[test]
fn a_noisy_colour_scan_is_a_small_photograph_with_crisp_letters() {
    let pool = pool();
    let document = scanned(&pool);
    for (width, max_bytes, contrast) in [(720, 120_000, 85), (1080, 350_000, 90), (1440, 700_000, 90)] {
        let lossless = faithful(pool.image(&source(&document), 0, width));
        let picture = image(&pool, &document, width, max_bytes);
        let (before, after) = (lossless.file.len(), picture.file.len());
        let seen = edge_contrast(&GreyImage::read(&lossless.file), &jpeg(&picture));
        println!("{width} px: {before} bytes as PNG, {after} as JPEG, {seen} % of the contrast of edges");
        assert!(
            after <= max_bytes && before > 4 * max_bytes,
            "{before} became {after}"
        );
        assert!(seen >= contrast, "{seen} % at {width} px");
    }
}

#[test]
fn a_grey_scan_is_a_grey_photograph() {
    let noise = |at: u32| at.wrapping_mul(2_654_435_761).to_be_bytes()[0];
    let shades: Vec<u8> = (0..200 * 280).map(|at| 200 + noise(at) / 8).collect();
    let hex: String = shades.iter().map(|shade| format!("{shade:02x}")).collect();
    let contents = format!("q 595 0 0 842 0 0 cm BI /W 200/H 280/CS/G/BPC 8/F/AHx ID {hex}> EI Q");
    let picture = image(&pool(), &page(&contents).table(), 200, 120_000);
    let components = picture
        .file
        .windows(2)
        .position(|marker| marker == [0xff, 0xc0])
        .unwrap()
        + 9;
    assert_eq!((picture.format, picture.file[components]), (ImageFormat::Jpeg, 1));
}

#[test]
fn text_stays_lossless() {
    let pool = pool();
    let blue: String = (0..48)
        .map(|row| {
            format!(
                "0 0 0.6 rg BT /F1 11 Tf 50 {} Td ({LINE}) Tj ET\n",
                790 - 16 * row
            )
        })
        .collect();
    for document in [dense_page().table(), page(&blue).table()] {
        for (width, max_bytes) in [(720, 120_000), (1080, 350_000), (1440, 700_000)] {
            let picture = image(&pool, &document, width, max_bytes);
            assert_eq!(picture.format, ImageFormat::Png);
            assert_eq!(picture, faithful(pool.image(&source(&document), 0, width)));
        }
    }
}

#[test]
fn a_photograph_beside_text_is_sent_as_one_and_noise_as_well_as_it_can_be() {
    let pool = pool();
    let noise = |at: u32| at.wrapping_mul(2_654_435_761).to_be_bytes()[0];
    let hex: String = (0..300 * 300 * 3)
        .map(|at| format!("{:02x}", noise(at)))
        .collect();
    let photograph = |place: &str| {
        let contents = format!(
            "BT /F1 12 Tf 50 800 Td (Copia de la cedula) Tj ET q {place} cm BI /W 300/H 300/CS/RGB/BPC 8/F/AHx ID {hex}> EI Q"
        );
        page(&contents).table()
    };
    let beside = photograph("300 0 0 300 100 300");
    let lossless = faithful(pool.image(&source(&beside), 0, 720));
    let picture = image(&pool, &beside, 720, lossless.file.len() / 3);
    assert_eq!(picture.format, ImageFormat::Jpeg);
    let small = image(&pool, &beside, 720, lossless.file.len());
    assert_eq!(small.format, ImageFormat::Png, "a small file stays lossless");
    let all_over = photograph("595 0 0 842 0 0");
    assert_eq!(image(&pool, &all_over, 720, 1_000).format, ImageFormat::Jpeg);
}

/// A photograph that looks different however it is turned, shifted or coloured.
fn photograph(components: ColorType) -> Vec<u8> {
    let noise = |at: u32| at.wrapping_mul(2_654_435_761).to_be_bytes()[0] / 32;
    let pixel = |across: u32, down: u32| {
        let corner = across < 120 && down < 90;
        let shade = |value: u32| u8::try_from(value).unwrap() + noise(400 * down + across);
        match components {
            ColorType::Luma => vec![if corner { 20 } else { shade(across / 2) }],
            _ => vec![
                shade(across / 2),
                shade(down / 3),
                if corner { 20 } else { shade(150) },
            ],
        }
    };
    let pixels = (0..566).flat_map(|down| (0..400).map(move |across| (across, down)));
    let samples: Vec<u8> = pixels.flat_map(|(across, down)| pixel(across, down)).collect();
    let mut jpeg = Vec::new();
    let encoder = Encoder::new(&mut jpeg, 95);
    encoder.encode(&samples, 400, 566, components).unwrap();
    jpeg
}

/// A page of that photograph, object 6.
fn photographed(components: ColorType, entries: &str, contents: &str) -> Doc {
    let space = if components == ColorType::Luma {
        "DeviceGray"
    } else {
        "DeviceRGB"
    };
    let mut doc = Doc::contract(1);
    let page = "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</Im 6 0 R>>\
                /ExtGState<</Faint<</ca 0.5>>/Dark<</BM/Multiply>>>>>>>>";
    doc.set(FIRST_PAGE, page);
    doc.set(FIRST_PAGE + 1, stream("", contents.as_bytes()));
    let entries = format!(
        "/Type/XObject/Subtype/Image/Width 400/Height 566/BitsPerComponent 8/ColorSpace/{space}/Filter/DCTDecode{entries}"
    );
    doc.set(FIRST_PAGE + 2, stream(&entries, &photograph(components)));
    doc
}

fn colours(picture: &Picture) -> Vec<u8> {
    if picture.format == ImageFormat::Jpeg {
        let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&picture.file), options);
        return decoder.decode().unwrap();
    }
    let mut reader = png::Decoder::new(std::io::Cursor::new(&picture.file))
        .read_info()
        .unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    match reader.next_frame(&mut bytes).unwrap().color_type {
        png::ColorType::Rgb => bytes,
        _ => bytes.iter().flat_map(|shade| [*shade; 3]).collect(),
    }
}

#[test]
fn a_photograph_shows_what_the_page_shows() {
    const WHOLE: &str = "q 595.276 0 0 841.89 0 0 cm /Im Do Q";
    let of = |entries: &str, contents: &str| photographed(ColorType::Rgb, entries, contents);
    let with = |entries: &str| {
        let mut doc = of("", WHOLE);
        doc.on_page(entries);
        doc
    };
    let mut masked = of("/SMask 7 0 R", WHOLE);
    let mask = "/Type/XObject/Subtype/Image/Width 2/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray";
    masked.set(7, stream(mask, &[255, 60]));
    let mut stamped = with("/Annots[7 0 R]");
    stamped.set(
        7,
        "<</Type/Annot/Subtype/Stamp/F 4/Rect[300 300 500 500]/AP<</N 8 0 R>>>>",
    );
    stamped.set(
        8,
        stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", b"0 0 9 9 re f"),
    );
    let pages = [
        ("alone", of("", WHOLE)),
        ("grey", photographed(ColorType::Luma, "", WHOLE)),
        ("turned", with("/Rotate 90")),
        ("cropped", with("/CropBox[100 200 500 800]")),
        ("inverted", of("/Decode[1 0 1 0 1 0]", WHOLE)),
        ("one colour of another range", of("/Decode[0 1 0.5 1 0 1]", WHOLE)),
        ("masked", masked),
        ("with a colour as a mask", of("/Mask[100 255 0 255 0 255]", WHOLE)),
        ("stamped", stamped),
        ("mirrored", of("", "-595.276 0 0 841.89 595.276 0 cm /Im Do")),
        ("upside down", of("", "595.276 0 0 -841.89 0 841.89 cm /Im Do")),
        ("slanted", of("", "595.276 40 0 841.89 0 0 cm /Im Do")),
        ("smaller than the page", of("", "500 0 0 841.89 40 0 cm /Im Do")),
        ("larger than the page", of("", "900 0 0 1200 -100 -100 cm /Im Do")),
        ("clipped", of("", &format!("100 100 300 300 re W n {WHOLE}"))),
        (
            "clipped to the page",
            of("", &format!("0 0 600 842 re W n {WHOLE}")),
        ),
        ("faint", of("", &format!("/Faint gs {WHOLE}"))),
        (
            "multiplied",
            of("", &format!("0 1 0 rg 0 0 600 900 re f /Dark gs {WHOLE}")),
        ),
        ("twice", of("", &format!("{WHOLE} 200 0 0 200 300 100 cm /Im Do"))),
        ("under a line", of("", &format!("{WHOLE} 40 w 0 0 m 500 800 l S"))),
        (
            "under letters",
            of("", &format!("{WHOLE} BT /F1 200 Tf 9 300 Td (ABC) Tj ET")),
        ),
        (
            "with unseen letters",
            of("", &format!("{WHOLE} BT 3 Tr /F1 200 Tf 9 300 Td (ABC) Tj ET")),
        ),
        (
            "under an inline image",
            of(
                "",
                &format!("{WHOLE} 300 0 0 300 9 9 cm BI /W 1/H 1/CS/G/BPC 8/F/AHx ID 00> EI"),
            ),
        ),
    ];
    let pool = pool();
    for (name, doc) in pages {
        let document = source(&doc.table());
        let lossless = faithful(pool.image(&document, 0, 300));
        let photographs = Photographs::Jpeg { max_bytes: 100_000 };
        let picture = faithful(pool.image_with(&document, 0, 300, photographs));
        assert_eq!(
            (picture.width, picture.height),
            (lossless.width, lossless.height),
            "{name}"
        );
        let (sent, seen) = (colours(&lossless), colours(&picture));
        assert_eq!(sent.len(), seen.len(), "{name}");
        let differences = sent
            .iter()
            .zip(&seen)
            .map(|(sent, seen)| u64::from(sent.abs_diff(*seen)));
        let mean = 100 * differences.sum::<u64>() / sent.len() as u64;
        println!("{name}: {:?}, differs by {mean} hundredths", picture.format);
        assert!(mean < 300, "{name}: {mean} hundredths of a shade");
    }
}
