//! The entropy coding of JPEG, with the usual tables (ITU-T T.81, annex K.3).

#![allow(
    clippy::inline_always,
    reason = "so that it is compiled for the processor that was found"
)]

/// How many codes have each length from one bit, and their symbols in that order.
pub(super) type Spec = ([u8; 16], &'static [u8]);

pub(super) const LUMA_DC: Spec = (
    [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
);
pub(super) const CHROMA_DC: Spec = (
    [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
);
#[rustfmt::skip]
pub(super) const LUMA_AC: Spec = (
    [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d],
    &[
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
        0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
        0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37,
        0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
        0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
        0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3,
        0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
        0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
        0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
    ],
);
#[rustfmt::skip]
pub(super) const CHROMA_AC: Spec = (
    [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77],
    &[
        0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
        0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1,
        0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36,
        0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
        0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
        0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a,
        0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
        0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda,
        0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
    ],
);

/// Sixteen zeros.
const ZEROS: u8 = 0xf0;
/// Only zeros are left.
const END: u8 = 0;

/// The code of each symbol, and its length.
pub(super) struct JpegCodes([(u32, u32); 256]);

impl JpegCodes {
    pub(super) fn new((lengths, symbols): &Spec) -> Self {
        let mut codes = [(0, 0); 256];
        let mut symbols = symbols.iter();
        let mut code = 0;
        for (length, count) in (1..).zip(lengths) {
            for symbol in symbols.by_ref().take(usize::from(*count)) {
                codes[usize::from(*symbol)] = (code, length);
                code += 1;
            }
            code <<= 1;
        }
        Self(codes)
    }
}

/// Writes bits after what is there. A byte of ones is followed by a zero byte, so that it is no marker.
pub(super) struct JpegBits<'o> {
    out: &'o mut Vec<u8>,
    waiting: u64,
    count: u32,
}

impl<'o> JpegBits<'o> {
    pub(super) fn after(out: &'o mut Vec<u8>) -> Self {
        Self {
            out,
            waiting: 0,
            count: 0,
        }
    }

    /// Writes at most 32 bits.
    #[allow(clippy::cast_possible_truncation, reason = "the last 32 bits are meant")]
    #[inline(always)]
    fn write(&mut self, bits: u32, count: u32) {
        self.waiting = self.waiting << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            let word = (self.waiting >> self.count) as u32;
            if word & 0x8080_8080 & !word.wrapping_add(0x0101_0101) == 0 {
                self.out.extend_from_slice(&word.to_be_bytes());
            } else {
                word.to_be_bytes().into_iter().for_each(|byte| self.byte(byte));
            }
        }
    }

    fn byte(&mut self, byte: u8) {
        self.out.push(byte);
        if byte == 0xff {
            self.out.push(0);
        }
    }

    #[inline(always)]
    fn symbol(&mut self, symbol: u8, codes: &JpegCodes) {
        let (code, length) = codes.0[usize::from(symbol)];
        self.write(code, length);
    }

    /// Writes how many zeros come before a value, and the value.
    #[allow(clippy::cast_possible_truncation, reason = "a size is at most 16, a run 15")]
    #[inline(always)]
    fn value(&mut self, zeros: u32, value: i16, codes: &JpegCodes) {
        let size = 16 - value.unsigned_abs().leading_zeros();
        let bits = (i32::from(value) - i32::from(value < 0)).cast_unsigned() & ((1 << size) - 1);
        let (code, length) = codes.0[((zeros << 4 | size) & 0xff) as usize];
        self.write(code << size | bits, length + size);
    }

    /// Writes the values of a block, in zigzag order, and the difference of its first to that of the block before.
    #[inline(always)]
    pub(super) fn block(&mut self, values: &[i16; 64], difference: i16, dc: &JpegCodes, ac: &JpegCodes) {
        self.value(0, difference, dc);
        let mut left = 0_u64;
        for (place, value) in values.iter().enumerate().skip(1) {
            left |= u64::from(*value != 0) << (place - 1);
        }
        let mut at = 1;
        while left != 0 {
            let mut zeros = left.trailing_zeros();
            at += zeros as usize;
            left = left >> zeros >> 1;
            while zeros > 15 {
                self.symbol(ZEROS, ac);
                zeros -= 16;
            }
            self.value(zeros, values[at & 63], ac);
            at += 1;
        }
        if at < 64 {
            self.symbol(END, ac);
        }
    }

    /// Fills the last byte with ones.
    #[allow(clippy::cast_possible_truncation, reason = "one byte is meant")]
    pub(super) fn finish(mut self) {
        self.write(0x7f, 7);
        while self.count >= 8 {
            self.count -= 8;
            self.byte((self.waiting >> self.count) as u8);
        }
    }
}
