//! Scans are small and sharp; pages of text stay lossless.

use render::{ImageFormat, Photographs, Picture, Pool};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::build::Doc;
use crate::drawing::{GreyImage, pool, source};
use crate::scan::scan;
use crate::{faithful, page};

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
