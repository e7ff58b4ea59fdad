//! Where the word `obj` stands in a document, found while it is still coming: whoever looks at a large document as a whole
//! need not go through all of it once more for them.

const WORD: &[u8] = b"obj";
/// Places that are noted. A document with more is gone through.
const MOST: usize = 16_384;

/// The places of the word `obj` in a document that comes piece by piece.
///
/// ```
/// use pades::inspect::{Limits, Marks, inspect, inspect_marked};
///
/// let (document, limits) = (b"%PDF-1.7 1 0 obj", Limits::default());
/// let mut marks = Marks::default();
/// for piece in document.chunks(5) {
///     marks.read(piece);
/// }
/// assert_eq!(inspect_marked(document, &marks, &limits), inspect(document, &limits));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Marks {
    places: Vec<usize>,
    too_many: bool,
    len: usize,
    /// The last bytes, as many as may belong to a word that goes on in the next piece.
    end: Vec<u8>,
}

impl Marks {
    /// Goes through the next piece.
    pub fn read(&mut self, piece: &[u8]) {
        let begun = self.len - self.end.len();
        let next = piece.len().min(WORD.len() - 1);
        let mut border = std::mem::take(&mut self.end);
        border.extend_from_slice(&piece[..next]);
        self.note(begun, &border);
        self.note(self.len, piece);
        self.len += piece.len();
        let last = if piece.len() < WORD.len() { &border } else { piece };
        self.end = last[last.len().saturating_sub(WORD.len() - 1)..].to_vec();
    }

    fn note(&mut self, from: usize, bytes: &[u8]) {
        for at in memchr::memmem::find_iter(bytes, WORD) {
            if self.places.len() == MOST {
                self.too_many = true;
                return;
            }
            self.places.push(from + at);
        }
    }

    /// The places, in order, in a document of that length; nothing when they are of another, or too many.
    pub(super) fn places(&self, len: usize) -> Option<&[usize]> {
        (self.len == len && !self.too_many).then_some(&self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(document: &[u8], size: usize) -> Vec<usize> {
        let mut marks = Marks::default();
        for piece in document.chunks(size) {
            marks.read(piece);
            marks.read(b"");
        }
        marks.places(document.len()).unwrap().to_vec()
    }

    #[test]
    fn the_same_is_found_however_it_comes() {
        let document = b"obj1 0 obj<</Oobj(objobj ob j)>>endobj o bjobj";
        let whole: Vec<usize> = memchr::memmem::find_iter(document, WORD).collect();
        assert_eq!(whole.len(), 7);
        for size in 1..=document.len() {
            assert_eq!(places(document, size), whole, "{size}");
        }
    }

    #[test]
    fn another_document_or_too_many_are_gone_through() {
        let mut marks = Marks::default();
        marks.read(b"1 0 obj");
        assert_eq!(marks.places(7), Some(&[4][..]));
        assert_eq!(marks.places(8), None);
        marks.read(&b"obj".repeat(MOST - 1));
        assert!(marks.places(7 + 3 * (MOST - 1)).is_some());
        marks.read(&b"obj".repeat(9));
        assert_eq!(marks.places(7 + 3 * (MOST + 8)), None);
        assert_eq!(marks.places.len(), MOST);
    }
}
