//! Deflate for drawn pages. What repeats on them lies right beside, right above, or was drawn as the same letter a
//! moment ago: three places to look at, where a compressor of anything looks at many. One set of codes serves the
//! whole page. As small as the usual library makes it, for half of what that costs.

mod codes;
#[cfg(test)]
mod tests;

use codes::{Bits, Codes, Followed, write_lengths};

/// The longest repetition that one code can tell.
const LONGEST: usize = 258;
/// Shorter repetitions cost more than the bytes themselves.
const SHORTEST: usize = 4;
/// A repetition as long as this is taken without looking for a longer one.
const PLENTY: usize = 64;
/// How far back a repetition may lie.
const FURTHEST: usize = 32_768;
/// How many bits of a hash tell where the same bytes were last seen.
const HASH: u32 = 13;

/// The codes of bytes, of the end, and of lengths; and those of distances.
const CODES: usize = 286;
const END: usize = 256;
const DISTANCES: usize = 30;

/// Compresses bytes in which rows are `above` apart, and neighbours `beside`, into a stream of zlib.
pub(super) fn zlib(bytes: &[u8], above: usize, beside: usize) -> Vec<u8> {
    let mut page = Page::new();
    page.read(bytes, if above <= FURTHEST { above } else { beside }, beside);
    let mut out = Bits::after(&[0x78, 0x01], bytes.len() / 8);
    page.write(&mut out);
    let mut out = out.finish();
    out.extend_from_slice(&simd_adler32::adler32(&bytes).to_be_bytes());
    out
}

/// A byte, or a repetition of what lies at a distance.
#[derive(Clone, Copy)]
struct Part {
    /// Zero for a byte.
    distance: u16,
    /// The byte, or how many are repeated.
    value: u16,
}

/// A page in parts, and how often each code is needed.
struct Page {
    parts: Vec<Part>,
    codes: [u32; CODES],
    distances: [u32; DISTANCES],
}

impl Page {
    fn new() -> Self {
        let mut page = Self {
            parts: Vec::new(),
            codes: [0; CODES],
            distances: [0; DISTANCES],
        };
        // There are two codes of each kind even where fewer would do, since some readers insist on it.
        page.codes[END - 1..=END].fill(1);
        page.distances[..2].fill(1);
        page
    }

    fn read(&mut self, bytes: &[u8], above: usize, beside: usize) {
        let mut seen = vec![0_u32; 1 << HASH];
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let (mut length, mut distance) = (0, 0);
            if let Some(here) = word(bytes, at) {
                for near in [beside, above] {
                    if length < PLENTY && at >= near && word(bytes, at - near) == Some(here) {
                        let common = common(bytes, at - near, at);
                        if common > length {
                            (length, distance) = (common, near);
                        }
                    }
                }
                if length == 0 {
                    let slot = &mut seen[(here.wrapping_mul(0x9e37_79b1) >> (32 - HASH)) as usize];
                    let before = *slot as usize;
                    *slot = u32::try_from(at).unwrap_or_default();
                    let far = at.saturating_sub(before);
                    if (1..=FURTHEST).contains(&far) && word(bytes, before) == Some(here) {
                        (length, distance) = (common(bytes, before, at), far);
                    }
                }
            }
            if length < SHORTEST {
                self.codes[usize::from(byte)] += 1;
                self.push(0, usize::from(byte));
                at += 1;
            } else {
                self.codes[length_code(length).code] += 1;
                self.distances[distance_code(distance).code] += 1;
                self.push(distance, length);
                at += length;
            }
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "no distance and no length has more than sixteen bits"
    )]
    fn push(&mut self, distance: usize, value: usize) {
        self.parts.push(Part {
            distance: distance as u16,
            value: value as u16,
        });
    }

    fn write(&self, out: &mut Bits) {
        let codes = Codes::of(&self.codes, 15);
        let distances = Codes::of(&self.distances, 15);
        // One block, the last one, with codes of its own.
        out.put(0b101, 3);
        write_lengths(&codes, &distances, out);
        let bytes: [_; 256] = std::array::from_fn(|byte| codes.bits(Followed::by_nothing(byte)));
        let lengths: [_; LONGEST + 1] = std::array::from_fn(|length| codes.bits(length_code(length.max(3))));
        for part in &self.parts {
            let value = usize::from(part.value);
            let (bits, count) = if part.distance == 0 {
                bytes[value]
            } else {
                lengths[value]
            };
            out.put(bits, count);
            if part.distance > 0 {
                let (bits, count) = distances.bits(distance_code(usize::from(part.distance)));
                out.put(bits, count);
            }
        }
        let (bits, count) = codes.bits(Followed::by_nothing(END));
        out.put(bits, count);
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// How many bytes from two places on are the same, as far as one code can tell.
fn common(bytes: &[u8], from: usize, at: usize) -> usize {
    let (old, new) = (&bytes[from..], &bytes[at..]);
    let new = &new[..new.len().min(LONGEST)];
    let mut count = 0;
    for (one, other) in old.as_chunks::<8>().0.iter().zip(new.as_chunks::<8>().0) {
        let differing = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        if differing != 0 {
            return count + differing.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    let rest = old[count..].iter().zip(&new[count..]);
    count + rest.take_while(|(one, other)| one == other).count()
}

fn length_code(length: usize) -> Followed {
    let over = length - 3;
    if over < 8 {
        return Followed::by_nothing(257 + over);
    }
    if length == LONGEST {
        return Followed::by_nothing(CODES - 1);
    }
    let count = over.ilog2() - 2;
    Followed {
        code: 257 + 4 * count as usize + (over >> count),
        bits: (over & ((1 << count) - 1)) as u64,
        count,
    }
}

fn distance_code(distance: usize) -> Followed {
    let over = distance - 1;
    if over < 4 {
        return Followed::by_nothing(over);
    }
    let count = over.ilog2() - 1;
    Followed {
        code: 2 * count as usize + (over >> count),
        bits: (over & ((1 << count) - 1)) as u64,
        count,
    }
}
