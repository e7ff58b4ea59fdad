//! Deflate for drawn pages. Repetitions on them are right beside, right above, or the last occurrence of the
//! same letter: three candidates, where a general compressor tries many. One set of codes serves the whole
//! page. The result is as small as that of the usual library, for half its cost.

mod codes;
#[cfg(test)]
mod tests;

use codes::{Bits, Codes, Followed, write_lengths};

/// The longest repetition of one code.
const MAX_MATCH: usize = 258;
/// A repetition this long is taken without a search for a longer one.
const GOOD_MATCH: usize = 64;
/// The longest distance of a repetition.
const WINDOW_BYTES: usize = 32_768;
/// Bits of the hash that finds the last occurrence of the same bytes.
const HASH_BITS: u32 = 14;

/// The number of codes for bytes, end and lengths; the code of the end; the number of codes for distances.
const CODES: usize = 286;
const END: usize = 256;
const DISTANCES: usize = 30;

/// Compresses bytes into a zlib stream. Rows are `above` bytes apart, and neighbouring pixels `beside`.
pub(super) fn zlib(bytes: &[u8], above: usize, beside: usize) -> Vec<u8> {
    let page = Matches::read(bytes, if above <= WINDOW_BYTES { above } else { beside }, beside);
    let mut out = Bits::after(&[0x78, 0x01], bytes.len() / 8);
    page.write(&mut out);
    let mut out = out.finish();
    out.extend_from_slice(&simd_adler32::adler32(&bytes).to_be_bytes());
    out
}

/// A repetition at a distance, after `plain` literal bytes.
#[derive(Clone, Copy)]
struct Repeat {
    plain: u32,
    length: u16,
    distance: u16,
}

/// A page as repetitions, and the frequency of each code.
struct Matches<'b> {
    bytes: &'b [u8],
    repeats: Vec<Repeat>,
    codes: [u32; CODES],
    distances: [u32; DISTANCES],
}

impl<'b> Matches<'b> {
    fn read(bytes: &'b [u8], above: usize, beside: usize) -> Self {
        let mut page = Self {
            bytes,
            repeats: Vec::with_capacity(bytes.len() / 64),
            codes: [0; CODES],
            distances: [0; DISTANCES],
        };
        // At least two codes of each kind, since some decoders insist on it.
        page.codes[END - 1..=END].fill(1);
        page.distances[..2].fill(1);
        let mut seen = vec![0_u32; 1 << HASH_BITS];
        let (mut at, mut told) = (0, 0);
        while let Some(here) = word(bytes, at) {
            let near = |far: usize| {
                let same = at >= far && word(bytes, at - far) == Some(here);
                same.then(|| (common(bytes, at - far, at), far))
            };
            let found = match near(beside) {
                Some((length, far)) if length >= GOOD_MATCH => Some((length, far)),
                found => [near(above), found]
                    .into_iter()
                    .flatten()
                    .max_by_key(|found| found.0),
            };
            let Some((length, distance)) = found.or_else(|| {
                let slot = &mut seen[(here.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize];
                let before = *slot as usize;
                *slot = u32::try_from(at).unwrap_or_default();
                let far = at.saturating_sub(before);
                let same = (1..=WINDOW_BYTES).contains(&far) && word(bytes, before) == Some(here);
                same.then(|| (common(bytes, before, at), far))
            }) else {
                // A repetition of the neighbour can only begin at the next pixel.
                at += beside;
                continue;
            };
            page.repeat(told, at, length, distance);
            at += length;
            told = at;
        }
        page.plain(told, bytes.len());
        page
    }

    fn plain(&mut self, from: usize, to: usize) {
        for byte in &self.bytes[from..to] {
            self.codes[usize::from(*byte)] += 1;
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "no distance and no length has more than sixteen bits"
    )]
    fn repeat(&mut self, told: usize, at: usize, length: usize, distance: usize) {
        self.plain(told, at);
        self.codes[length_code(length).code] += 1;
        self.distances[distance_code(distance).code] += 1;
        self.repeats.push(Repeat {
            plain: (at - told) as u32,
            length: length as u16,
            distance: distance as u16,
        });
    }

    fn write(&self, out: &mut Bits) {
        let codes = Codes::of(&self.codes, 15);
        let distances = Codes::of(&self.distances, 15);
        // One block, the last one, with codes of its own.
        out.put(0b101, 3);
        write_lengths(&codes, &distances, out);
        let plain: [_; 256] = std::array::from_fn(|byte| codes.bits(Followed::by_nothing(byte)));
        let lengths: [_; MAX_MATCH + 1] =
            std::array::from_fn(|length| codes.bits(length_code(length.max(3))));
        let write_plain = |bytes: &[u8], out: &mut Bits| {
            // Three codes are at most 45 bits.
            for some in bytes.chunks(3) {
                let codes = some.iter().map(|byte| plain[usize::from(*byte)]);
                let (bits, count) = codes.fold((0, 0), |(bits, count), (code, length)| {
                    (bits | code << count, count + length)
                });
                out.put(bits, count);
            }
        };
        let mut rest = self.bytes;
        for repeat in &self.repeats {
            let (told, after) = rest.split_at(repeat.plain as usize);
            write_plain(told, out);
            let length = usize::from(repeat.length);
            let (length_bits, first) = lengths[length];
            let (distance_bits, second) = distances.bits(distance_code(usize::from(repeat.distance)));
            out.put(length_bits | distance_bits << first, first + second);
            rest = &after[length..];
        }
        write_plain(rest, out);
        let (bits, count) = codes.bits(Followed::by_nothing(END));
        out.put(bits, count);
    }
}

/// Four bytes: a shorter repetition costs more than its bytes.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// How many bytes from two offsets on are the same, up to the longest repetition.
fn common(bytes: &[u8], from: usize, at: usize) -> usize {
    let (old, new) = (&bytes[from..], &bytes[at..]);
    let new = &new[..new.len().min(MAX_MATCH)];
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
    if length == MAX_MATCH {
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
