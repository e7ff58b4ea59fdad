//! Huffman codes: frequent symbols get short ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A code, and the extra bits after it.
#[derive(Clone, Copy)]
pub(super) struct Followed {
    pub(super) code: usize,
    pub(super) bits: u64,
    pub(super) count: u32,
}

impl Followed {
    pub(super) fn by_nothing(code: usize) -> Self {
        Self {
            code,
            bits: 0,
            count: 0,
        }
    }
}

/// A set of codes: the bits and length of each, length zero for a symbol that does not occur.
pub(super) struct Codes(Vec<(u16, u8)>);

impl Codes {
    /// Codes for symbols of these frequencies, none longer than `longest`.
    pub(super) fn of(counts: &[u32], longest: u8) -> Self {
        let mut codes: Vec<(u16, u8)> = lengths(counts, longest)
            .into_iter()
            .map(|length| (0, length))
            .collect();
        let mut next = 0_u16;
        for length in 1..=longest {
            next <<= 1;
            for (code, _) in codes.iter_mut().filter(|(_, own)| *own == length) {
                *code = next.reverse_bits() >> (16 - length);
                next += 1;
            }
        }
        Self(codes)
    }

    /// A code with its extra bits, and how many bits that is.
    pub(super) fn bits(&self, what: Followed) -> (u64, u32) {
        let (code, length) = self.0[what.code];
        (
            u64::from(code) | what.bits << length,
            u32::from(length) + what.count,
        )
    }
}

/// The length of each code.
fn lengths(counts: &[u32], longest: u8) -> Vec<u8> {
    let mut rare = 1;
    loop {
        // If a code becomes too long, rare symbols are counted as more frequent.
        let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let mut trees: BinaryHeap<_> = used
            .map(|(place, count)| Reverse(((*count).max(rare), place)))
            .collect();
        let mut parents = vec![0; counts.len()];
        while let Some(Reverse((one, left))) = trees.pop()
            && let Some(Reverse((other, right))) = trees.pop()
        {
            parents[left] = parents.len();
            parents[right] = parents.len();
            trees.push(Reverse((one.saturating_add(other), parents.len())));
            parents.push(0);
        }
        // Parents come after their children, and the last parent is the root.
        let mut depths = vec![0_u8; parents.len()];
        for place in (0..parents.len()).rev().filter(|place| parents[*place] > 0) {
            depths[place] = depths[parents[place]].saturating_add(1);
        }
        depths.truncate(counts.len());
        if depths.iter().all(|depth| *depth <= longest) {
            return depths;
        }
        rare *= 2;
    }
}

/// Writes the lengths of all codes, from which a decoder derives the codes.
pub(super) fn write_lengths(codes: &Codes, distances: &Codes, out: &mut Bits) {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let all: Vec<u8> = codes.0.iter().chain(&distances.0).map(|code| code.1).collect();
    let mut runs = Vec::new();
    let mut rest = all.as_slice();
    while let Some(length) = rest.first() {
        let run = rest.iter().take_while(|other| *other == length).count();
        // Symbols that do not occur come in runs, which have codes of their own.
        let (taken, code, least, count) = match run {
            11.. if *length == 0 => (run.min(138), 18, 11, 7),
            3.. if *length == 0 => (run, 17, 3, 3),
            _ => (1, usize::from(*length), 1, 0),
        };
        let bits = (taken - least) as u64;
        runs.push(Followed { code, bits, count });
        rest = &rest[taken..];
    }
    let mut counts = [0; ORDER.len()];
    for run in &runs {
        counts[run.code] += 1;
    }
    let table = Codes::of(&counts, 7);
    out.put(codes.0.len() as u64 - 257, 5);
    out.put(distances.0.len() as u64 - 1, 5);
    out.put(ORDER.len() as u64 - 4, 4);
    for place in ORDER {
        out.put(u64::from(table.0[place].1), 3);
    }
    for run in runs {
        let (bits, count) = table.bits(run);
        out.put(bits, count);
    }
}

/// Writes bits into bytes, the lowest first.
pub(super) struct Bits {
    bytes: Vec<u8>,
    /// How many bytes are complete; spare ones follow.
    whole: usize,
    waiting: u64,
    count: u32,
}

impl Bits {
    const SPARE_BYTES: usize = size_of::<u64>();

    /// Starts after complete bytes, with capacity for this many more.
    pub(super) fn after(head: &[u8], room: usize) -> Self {
        let mut bytes = vec![0; head.len() + room + Self::SPARE_BYTES];
        bytes[..head.len()].copy_from_slice(head);
        Self {
            bytes,
            whole: head.len(),
            waiting: 0,
            count: 0,
        }
    }

    /// Adds some bits, at most 56.
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.waiting |= bits << self.count;
        self.count += count;
        // Writes all pending bits, the last incomplete byte too, which the next call overwrites: so there is no
        // branch.
        if let Some(room) = self.bytes[self.whole..].first_chunk_mut() {
            *room = self.waiting.to_le_bytes();
        }
        self.whole += (self.count / 8) as usize;
        self.waiting >>= self.count / 8 * 8;
        self.count %= 8;
        if self.whole + Self::SPARE_BYTES > self.bytes.len() {
            self.bytes.resize(self.bytes.len() * 2, 0);
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.truncate(self.whole + self.count.div_ceil(8) as usize);
        self.bytes
    }
}
