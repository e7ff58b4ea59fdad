//! What the pixels of a page have in common.

/// Pixels that are compared together: on most pages most blocks are all white.
pub(super) const BLOCK_PIXELS: usize = 64;
/// One row in this many is sampled to find a photograph.
const SAMPLED_ROW_STEP: usize = 16;

/// Whether every pixel is white.
pub(super) fn is_white(pixels: &[u8]) -> bool {
    // A comparison of whole blocks is vectorised, which is faster than an exit at the first byte.
    pixels.chunks(4 * BLOCK_PIXELS).all(all_ones)
}

pub(super) fn all_ones(bytes: &[u8]) -> bool {
    bytes.iter().fold(0xff, |all, value| all & value) == 0xff
}

/// One sample per pixel, and whether one has a colour.
pub(super) fn grey(block: &[[u8; 4]]) -> ([u8; BLOCK_PIXELS], bool) {
    let mut samples = [0xff; BLOCK_PIXELS];
    let mut colour = 0;
    for (pixel, sample) in block.iter().zip(&mut samples) {
        let pixel = u32::from_le_bytes(*pixel);
        colour |= (pixel ^ (pixel >> 8)) & 0xffff;
        *sample = (pixel & 0xff) as u8;
    }
    (samples, colour != 0)
}

/// Fills `rows` with one sample per pixel; each row begins with `lead`. Returns whether no pixel has a colour; if one has,
/// it stops there.
pub(super) fn shades(pixels: &[[u8; 4]], across: usize, lead: &[u8], rows: &mut Vec<u8>) -> bool {
    rows.clear();
    for row in pixels.chunks(across) {
        rows.extend_from_slice(lead);
        for block in row.chunks(BLOCK_PIXELS) {
            let (samples, colour) = grey(block);
            if colour {
                return false;
            }
            rows.extend_from_slice(&samples[..block.len()]);
        }
    }
    true
}

/// The share of the pixels in rows that differ from the one beside them.
#[allow(
    clippy::cast_precision_loss,
    reason = "a share, of far fewer pixels than a float counts"
)]
pub(super) fn differing_neighbours<'p, P: PartialEq + 'p>(rows: impl Iterator<Item = &'p [P]>) -> f64 {
    let (mut differing, mut all) = (0, 0);
    for row in rows.step_by(SAMPLED_ROW_STEP) {
        let neighbours = row.iter().zip(row.iter().skip(1));
        differing += neighbours.filter(|(one, other)| one != other).count();
        all += row.len();
    }
    differing as f64 / all.max(1) as f64
}
