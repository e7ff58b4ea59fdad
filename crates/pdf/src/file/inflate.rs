//! Flate with a limit on its output, and the PNG predictors.

use flate2::{Decompress, FlushDecompress, Status};

use crate::damage::Damage;
use crate::syntax::Dict;

/// Inflates zlib data to at most `limit` bytes.
pub(super) fn inflate(data: &[u8], limit: usize) -> Result<Vec<u8>, Damage> {
    let mut out = Vec::with_capacity(data.len().saturating_mul(4).clamp(512, 1 << 20).min(limit));
    let mut state = Decompress::new(true);
    loop {
        let consumed = usize::try_from(state.total_in()).unwrap_or(usize::MAX);
        let input = data.get(consumed..).unwrap_or_default();
        let before = out.len();
        let status = state
            .decompress_vec(input, &mut out, FlushDecompress::None)
            .map_err(|_| Damage::Compressed)?;
        if out.len() > limit {
            return Err(Damage::Inflated);
        }
        match status {
            Status::StreamEnd => return Ok(out),
            Status::Ok | Status::BufError => {
                if out.len() == out.capacity() {
                    if out.len() >= limit {
                        return Err(Damage::Inflated);
                    }
                    out.reserve_exact(out.capacity().max(512).min(limit - out.len()));
                } else if out.len() == before && usize::try_from(state.total_in()) == Ok(consumed) {
                    // Some writers leave out the checksum at the end, and every reader accepts that.
                    return if input.is_empty() && !out.is_empty() {
                        Ok(out)
                    } else {
                        Err(Damage::Compressed)
                    };
                }
            }
        }
    }
}

/// Undoes the predictor named in the decode parameters. That of TIFF, which pyHanko does not read, only where a file is
/// recovered.
pub(super) fn unpredict(
    data: Vec<u8>,
    params: Option<&Dict<'_>>,
    is_recovered: bool,
) -> Result<Vec<u8>, Damage> {
    let Some(params) = params else { return Ok(data) };
    let predictor = params.int("Predictor").unwrap_or(1);
    if predictor == 1 {
        return Ok(data);
    }
    let plain = params.int("Colors").unwrap_or(1) == 1 && params.int("BitsPerComponent").unwrap_or(8) == 8;
    let columns = usize::try_from(params.int("Columns").unwrap_or(1)).map_err(|_| Damage::Compressed)?;
    if !plain || columns == 0 || columns > 1 << 16 {
        return Err(Damage::Compressed);
    }
    match predictor {
        10..=15 => png(&data, columns),
        2 if is_recovered => Ok(tiff(data, columns)),
        _ => Err(Damage::Compressed),
    }
}

fn tiff(mut data: Vec<u8>, columns: usize) -> Vec<u8> {
    for row in data.chunks_mut(columns) {
        let mut left = 0u8;
        for cell in row {
            *cell = cell.wrapping_add(left);
            left = *cell;
        }
    }
    data
}

fn png(data: &[u8], columns: usize) -> Result<Vec<u8>, Damage> {
    let mut out = Vec::with_capacity(data.len());
    let mut above = vec![0u8; columns];
    let mut row = vec![0u8; columns];
    for coded in data.chunks(columns + 1) {
        let Some((&filter, body)) = coded.split_first() else {
            break;
        };
        if body.len() != columns {
            return Err(Damage::Compressed);
        }
        let mut left = 0u8;
        let mut corner = 0u8;
        for ((cell, &byte), &up) in row.iter_mut().zip(body).zip(&above) {
            let guess = match filter {
                0 => 0,
                1 => left,
                2 => up,
                3 => left.midpoint(up),
                4 => paeth(left, up, corner),
                _ => return Err(Damage::Compressed),
            };
            *cell = byte.wrapping_add(guess);
            left = *cell;
            corner = up;
        }
        out.extend_from_slice(&row);
        std::mem::swap(&mut above, &mut row);
    }
    Ok(out)
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let (a, b, c) = (i16::from(left), i16::from(up), i16::from(corner));
    let p = a + b - c;
    let (pa, pb, pc) = ((p - a).abs(), (p - b).abs(), (p - c).abs());
    if pa <= pb && pa <= pc {
        left
    } else if pb <= pc {
        up
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn deflated(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_comes_out_is_bounded() {
        let data = vec![7; 100_000];
        let packed = deflated(&data);
        assert_eq!(inflate(&packed, 100_000).unwrap(), data);
        assert_eq!(inflate(&packed, 99_999), Err(Damage::Inflated));
        assert_eq!(inflate(&packed, 0), Err(Damage::Inflated));
    }

    #[test]
    fn a_missing_checksum_is_forgiven_and_nonsense_is_not() {
        let packed = deflated(b"0123456789");
        assert_eq!(inflate(&packed[..packed.len() - 4], 100).unwrap(), b"0123456789");
        assert_eq!(inflate(&[], 100), Err(Damage::Compressed));
        assert_eq!(inflate(b"nonsense", 100), Err(Damage::Compressed));
    }

    #[test]
    fn every_png_predictor_is_undone() {
        let rows = [
            [0u8, 1, 2, 3],
            [1, 1, 1, 1],
            [2, 1, 1, 1],
            [3, 2, 2, 2],
            [4, 1, 1, 1],
        ]
        .concat();
        let plain = [[1, 2, 3], [1, 2, 3], [2, 3, 4], [3, 5, 6], [4, 6, 7]].concat();
        assert_eq!(png(&rows, 3).unwrap(), plain);
        assert_eq!(png(&[9, 1, 1, 1], 3), Err(Damage::Compressed));
        assert_eq!(png(&[0, 1, 1], 3), Err(Damage::Compressed));
    }
}
