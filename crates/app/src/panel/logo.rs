//! Logos: PNG or JPEG, small, and really pictures. Drawings that can carry scripts are not taken.

use domain::limits::{LOGO_BYTES, LOGO_SIDE};
use sha2::{Digest, Sha256};
use std::io::Cursor;
use store::Logo;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadLogo {
    /// Too many bytes.
    Heavy,
    /// Too many pixels.
    Large,
    /// Neither a PNG nor a JPEG, or a damaged one.
    NotAPicture,
}

/// The logo in these bytes, and its hash. It is decoded whole, within bounds.
pub(super) fn read(bytes: &[u8]) -> Result<(Logo, [u8; 32]), BadLogo> {
    if bytes.len() > LOGO_BYTES {
        return Err(BadLogo::Heavy);
    }
    let kind = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        png(bytes)?;
        "image/png"
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        jpeg(bytes)?;
        "image/jpeg"
    } else {
        return Err(BadLogo::NotAPicture);
    };
    let logo = Logo {
        kind: kind.to_owned(),
        bytes: bytes.to_vec(),
    };
    Ok((logo, Sha256::digest(bytes).into()))
}

fn bounded(width: u32, height: u32) -> Result<(), BadLogo> {
    if width == 0 || height == 0 {
        return Err(BadLogo::NotAPicture);
    }
    if width > LOGO_SIDE || height > LOGO_SIDE {
        return Err(BadLogo::Large);
    }
    Ok(())
}

fn png(bytes: &[u8]) -> Result<(), BadLogo> {
    let bad = |_| BadLogo::NotAPicture;
    let limits = png::Limits { bytes: 64 << 20 };
    let mut reader = png::Decoder::new_with_limits(Cursor::new(bytes), limits)
        .read_info()
        .map_err(bad)?;
    bounded(reader.info().width, reader.info().height)?;
    let size = reader.output_buffer_size().ok_or(BadLogo::Large)?;
    reader.next_frame(&mut vec![0; size]).map_err(bad)?;
    Ok(())
}

fn jpeg(bytes: &[u8]) -> Result<(), BadLogo> {
    let side = LOGO_SIDE as usize;
    let options = DecoderOptions::default()
        .set_max_width(side * 8)
        .set_max_height(side * 8)
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| BadLogo::NotAPicture)?;
    let (width, height) = decoder.dimensions().ok_or(BadLogo::NotAPicture)?;
    let side = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    bounded(side(width), side(height))?;
    decoder.decode().map_err(|_| BadLogo::NotAPicture)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().unwrap();
        writer
            .write_image_data(&vec![90; (width * height) as usize])
            .unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn only_small_pictures_are_logos() {
        let (logo, digest) = read(&drawn(40, 20)).unwrap();
        assert_eq!(logo.kind, "image/png");
        assert_eq!(digest, <[u8; 32]>::from(Sha256::digest(&logo.bytes)));
        assert_eq!(read(&drawn(2001, 1)), Err(BadLogo::Large));
        assert_eq!(read(&vec![0; LOGO_BYTES + 1]), Err(BadLogo::Heavy));
        let mut cut = drawn(40, 20);
        cut.truncate(50);
        for bad in [
            cut.as_slice(),
            b"",
            b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
            b"GIF89a",
            b"\xff\xd8\xff\xe0 not a picture",
        ] {
            assert_eq!(read(bad), Err(BadLogo::NotAPicture));
        }
    }
}
