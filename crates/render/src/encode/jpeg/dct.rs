//! The cosine transform of JPEG and its rounding, after Arai, Agui and Nakajima: eight columns together.

#![allow(
    clippy::inline_always,
    reason = "so that it is compiled for the processor that was found"
)]

use fearless_simd::{Simd, SimdBase, f32x8};

/// Rows of eight samples.
pub(super) type Block<S> = [f32x8<S>; 8];

/// Factors that the transform leaves to the division.
const SCALES: [f32; 8] = [
    1.0,
    1.387_039_8,
    1.306_563,
    1.175_875_6,
    1.0,
    0.785_694_96,
    0.541_196_1,
    0.275_899_38,
];
/// Added to a number, it leaves the nearest whole one in the last bits.
const ROUND: f32 = 12_582_912.0;

/// The places of a block in zigzag order, row by row.
pub(super) const ZIGZAG: [usize; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
    14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39,
    46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// The same, column by column.
const ZIGZAG_COLUMNS: [usize; 64] = {
    let mut places = ZIGZAG;
    let mut at = 0;
    while at < 64 {
        places[at] = ZIGZAG[at] % 8 * 8 + ZIGZAG[at] / 8;
        at += 1;
    }
    places
};

/// What values are multiplied by, column by column: their divisors and the factors of the transform.
pub(super) struct Factors([[f32; 8]; 8]);

impl Factors {
    /// Of divisors, row by row.
    pub(super) fn new(divisors: &[u8; 64]) -> Self {
        Self(std::array::from_fn(|column| {
            std::array::from_fn(|row| {
                let divisor = f32::from(divisors[row * 8 + column]);
                1.0 / (divisor * SCALES[row] * SCALES[column] * 8.0)
            })
        }))
    }
}

/// Transforms every column.
#[inline(always)]
fn columns<S: Simd>(rows: Block<S>) -> Block<S> {
    let sums = [
        rows[0] + rows[7],
        rows[1] + rows[6],
        rows[2] + rows[5],
        rows[3] + rows[4],
    ];
    let differences = [
        rows[3] - rows[4],
        rows[2] - rows[5],
        rows[1] - rows[6],
        rows[0] - rows[7],
    ];
    let even = [
        sums[0] + sums[3],
        sums[1] + sums[2],
        sums[1] - sums[2],
        sums[0] - sums[3],
    ];
    let middle = (even[2] + even[3]) * 0.707_106_77;
    let odd = [
        differences[0] + differences[1],
        differences[1] + differences[2],
        differences[2] + differences[3],
    ];
    let shared = (odd[0] - odd[2]) * 0.382_683_43;
    let low = odd[0] * 0.541_196_1 + shared;
    let high = odd[2] * 1.306_563 + shared;
    let half = odd[1] * 0.707_106_77;
    let (above, below) = (differences[3] + half, differences[3] - half);
    [
        even[0] + even[1],
        above + high,
        even[3] + middle,
        below - low,
        even[0] - even[1],
        below + low,
        even[3] - middle,
        above - high,
    ]
}

#[inline(always)]
fn transposed<S: Simd>(simd: S, mut rows: Block<S>) -> Block<S> {
    for _ in 0..3 {
        let pairs: [_; 4] = std::array::from_fn(|at| simd.interleave_f32x8(rows[at], rows[at + 4]));
        rows = std::array::from_fn(|at| {
            if at % 2 == 0 {
                pairs[at / 2].0
            } else {
                pairs[at / 2].1
            }
        });
    }
    rows
}

/// The rounded values of a block, in zigzag order.
#[allow(clippy::cast_possible_truncation, reason = "the last bits are meant")]
#[inline(always)]
pub(super) fn quantized<S: Simd>(simd: S, block: Block<S>, factors: &Factors) -> [i16; 64] {
    let values = columns(transposed(simd, columns(block)));
    let mut rounded = [[0.0_f32; 8]; 8];
    for ((values, factors), rounded) in values.iter().zip(&factors.0).zip(&mut rounded) {
        let near = *values * f32x8::from_slice(simd, factors) + ROUND;
        near.store_slice(rounded);
    }
    let rounded = rounded.as_flattened();
    let mut ordered = [0; 64];
    for at in 0..64 {
        ordered[at] = rounded[ZIGZAG_COLUMNS[at]].to_bits() as i16;
    }
    ordered
}
