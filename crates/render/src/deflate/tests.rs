//! What was compressed comes back, whatever it was.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use proptest::collection::vec;
use proptest::prelude::*;

use super::zlib;

fn comes_back(bytes: &[u8], above: usize, beside: usize) -> usize {
    let small = zlib(bytes, above, beside);
    let mut back = Vec::new();
    ZlibDecoder::new(small.as_slice()).read_to_end(&mut back).unwrap();
    assert!(back == bytes, "{} bytes became others", bytes.len());
    small.len()
}

#[test]
fn pages_of_one_colour_nearly_vanish() {
    for length in [0, 1, 3, 4, 257, 258, 259, 70_000] {
        assert!(comes_back(&vec![0xff; length], 601, 1) < 200);
    }
}

#[test]
fn repeated_rows_are_encoded_once() {
    let row: Vec<u8> = (0..=255).collect();
    assert!(comes_back(&row.repeat(400), 256, 1) < 2_000);
    // Too far apart for a deflate distance.
    let long: Vec<u8> = (0..40_000_u32).map(|at| (at * at).to_le_bytes()[1]).collect();
    comes_back(&long.repeat(3), 40_000, 3);
}

#[test]
fn what_differs_wildly_in_frequency_still_has_codes_short_enough() {
    let (mut one, mut two) = (1, 1);
    let mut bytes = Vec::new();
    for byte in 0..24_u8 {
        bytes.extend(std::iter::repeat_n(byte, one));
        (one, two) = (two, one + two);
    }
    // In an order in which nothing repeats for long.
    let mut state = 1_u32;
    for at in (1..bytes.len()).rev() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.swap(at, state as usize % (at + 1));
    }
    comes_back(&bytes, 601, 1);
}

proptest! {
    #[test]
    fn any_bytes_come_back(bytes in vec(any::<u8>(), 0..4_000), above in 1..900_usize, beside in 1..5_usize) {
        comes_back(&bytes, above, beside);
    }

    #[test]
    fn any_drawing_comes_back(
        strokes in vec((0..40_000_usize, 0..300_usize, any::<u8>()), 0..60),
        above in 1..900_usize,
    ) {
        let mut bytes = vec![0xff; 40_000];
        for (start, length, shade) in strokes {
            bytes.iter_mut().skip(start).take(length).for_each(|byte| *byte = shade);
        }
        comes_back(&bytes, above, 3);
    }
}
