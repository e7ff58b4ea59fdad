//! The limits of reading a file.

use std::time::Duration;

/// The limits within which a file is accepted. The defaults accept the files that offices produce.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Size of the file in bytes.
    pub bytes: usize,
    /// Pages.
    pub pages: usize,
    /// Objects in use.
    pub objects: usize,
    /// Cross-reference sections, that is, times the file was saved incrementally.
    pub sections: usize,
    /// Cross-reference entries in all sections together.
    pub entries: usize,
    /// The highest object number, plus one.
    pub size: u32,
    /// Nesting of arrays and dictionaries.
    pub depth: u16,
    /// Processor time for one file. The meter reads the clock every few thousand values and before each stream is
    /// inflated; the time counts from the first reading.
    pub time: Duration,
    /// Values read in one object.
    pub object_values: u64,
    /// Values read in all; 64 skipped bytes count as one.
    pub values: u64,
    /// Inflated bytes of one object stream.
    pub object_stream: usize,
    /// Inflated bytes of one cross-reference stream.
    pub xref_stream: usize,
    /// Inflated bytes in all.
    pub inflated: usize,
    /// Shortest side of a page, in points.
    pub page_side_min: f64,
    /// Longest side of a page, in points.
    pub page_side_max: f64,
    /// Pixels of one image.
    pub image_pixels: u64,
    /// Form fields.
    pub fields: usize,
    /// Signatures that are verified.
    pub signatures: usize,
    /// Values read in all while verifying, for which each signed revision is read again.
    pub verified_values: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 25 << 20,
            pages: 2_000,
            objects: 300_000,
            sections: 256,
            entries: 2_000_000,
            size: 8_388_608,
            depth: 100,
            time: Duration::from_secs(2),
            object_values: 500_000,
            values: 4_000_000,
            object_stream: 32 << 20,
            xref_stream: 32 << 20,
            inflated: 128 << 20,
            page_side_min: 1.0,
            page_side_max: 14_400.0,
            image_pixels: 100_000_000,
            fields: 5_000,
            signatures: 100,
            verified_values: 20_000_000,
        }
    }
}
