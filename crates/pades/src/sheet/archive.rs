//! What a document for archives (PDF/A) asks of everything that is added to it: colours that mean the same on every device,
//! lists of the codes of subset fonts, and an appearance for every field.

use pdf::increment::{Increment, Objects, entry};

/// sRGB, near enough for a few plain colours, in a form that every version of PDF/A allows.
const CALIBRATED: &[u8] = b"[/CalRGB<</WhitePoint[0.9505 1 1.089]/Gamma[2.2 2.2 2.2]\
    /Matrix[0.4124 0.2126 0.0193 0.3576 0.7152 0.1192 0.1805 0.0722 0.9505]>>]";

/// What has to be added to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Archive {
    /// Nothing: the document does not claim to be for archives.
    No,
    /// Calibrated colours and appearances.
    Plain,
    /// Also lists of codes, which PDF/A-1 demands of subset fonts. A document with cross-reference streams is none.
    WithCidSets,
}

impl Archive {
    /// What a document asks for. Every PDF/A document has metadata, and nothing is lost where others get the same.
    pub(crate) fn of(increment: &Increment) -> Self {
        let catalog = increment.object(increment.append_state.root).unwrap_or_default();
        match entry(catalog, "Metadata") {
            Ok(Some(_)) if increment.append_state.streams => Self::Plain,
            Ok(Some(_)) => Self::WithCidSets,
            _ => Self::No,
        }
    }

    /// Writes the list of a font's codes, and returns the entry of its descriptor.
    pub(super) fn cid_set(self, objects: &mut impl Objects, codes: &[u8]) -> String {
        if self != Self::WithCidSets {
            return String::new();
        }
        let id = objects.allocate();
        objects.write_stream(id, b"", codes);
        format!("/CIDSet {} 0 R", id.number)
    }

    /// Writes the colour space, and returns the entry of resources that puts it in the place of plain red, green and blue.
    pub(super) fn colours(self, objects: &mut impl Objects) -> String {
        if self == Self::No {
            return String::new();
        }
        let id = objects.allocate();
        objects.write(id, CALIBRATED);
        format!("/ColorSpace<</DefaultRGB {} 0 R>>", id.number)
    }
}

/// As many bits, the first one highest, with these set.
pub(super) fn bits(count: usize, set: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut bytes = vec![0_u8; count.div_ceil(8)];
    for at in set {
        if let Some(byte) = bytes.get_mut(at / 8) {
            *byte |= 0x80 >> (at % 8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bit_is_the_highest() {
        assert_eq!(bits(10, [0, 9, 3].into_iter()), [0b1001_0000, 0b0100_0000]);
    }
}
