//! An incremental parser of multipart forms. Content is returned in slices of the input, without a copy. It
//! does no input or output: it says when it needs more bytes.

mod head;

pub(crate) use head::PartHead;

use bytes::{Buf, Bytes};
use memchr::memmem::Finder;
use mime::Mime;
use std::mem;

/// Bytes of a boundary. The standard has seventy.
const BOUNDARY: usize = 256;
/// Bytes between the content of one part and that of the next: boundaries and part headers.
const BETWEEN: usize = 64 * 1024;

/// The boundary that a form says it has; nothing when it is no form.
pub(crate) fn boundary(content_type: &str) -> Option<String> {
    let kind: Mime = content_type.parse().ok()?;
    let is_form = kind.type_() == mime::MULTIPART && kind.subtype() == mime::FORM_DATA;
    let boundary = kind.get_param(mime::BOUNDARY)?.as_str();
    (is_form && boundary.len() <= BOUNDARY).then(|| boundary.to_owned())
}

/// The bytes are no form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// A parser event.
#[derive(Debug)]
pub(crate) enum Piece {
    /// A part begins.
    Part(PartHead),
    /// Some of its content, never nothing.
    Content(Bytes),
    /// Its content is whole.
    EndOfPart,
    /// The form is whole. What follows is not of it.
    End,
}

#[derive(Debug, Clone, Copy)]
enum Stage {
    /// Before the first boundary.
    Preamble,
    /// On the line of a boundary, behind it.
    Line,
    Head,
    Content,
    End,
}

/// The parser.
#[derive(Debug)]
pub(crate) struct Parser {
    stage: Stage,
    /// Fed, and not yet read.
    fed: Bytes,
    /// What ends content: a line break, two dashes and the boundary. The boundary was in a header, so it has no line
    /// break: only the first byte is a carriage return.
    delimiter: Bytes,
    finder: Finder<'static>,
    /// Bytes of the delimiter matched at the end of the input.
    held: usize,
    /// Everything since the last content.
    between: Vec<u8>,
    /// Where in it the current parser state began.
    begun: usize,
}

impl Parser {
    /// Begins a form. The boundary is one that [`boundary`] gave.
    pub(crate) fn new(boundary: &str) -> Self {
        let delimiter = Bytes::from(format!("\r\n--{boundary}"));
        Self {
            stage: Stage::Preamble,
            fed: Bytes::new(),
            finder: Finder::new(&delimiter).into_owned(),
            delimiter,
            held: 0,
            between: Vec::new(),
            begun: 0,
        }
    }

    /// Takes the bytes that [`Self::next`] asked for.
    pub(crate) fn feed(&mut self, bytes: Bytes) {
        debug_assert!(self.fed.is_empty(), "fed before it was asked for");
        self.fed = bytes;
    }

    /// How many bytes were fed and are not yet read.
    pub(crate) const fn left(&self) -> usize {
        self.held + self.fed.len()
    }

    /// The next event; `None` when more bytes are needed.
    pub(crate) fn next(&mut self) -> Result<Option<Piece>, Malformed> {
        loop {
            match self.stage {
                Stage::Preamble => {
                    let first = self.delimiter.slice(2..);
                    let last = first.last().copied();
                    if self.gather(last, |bytes| bytes.ends_with(&first))?.is_none() {
                        return Ok(None);
                    }
                    self.stage = Stage::Line;
                }
                Stage::Line => {
                    // The two bytes after any blanks decide.
                    let told = |line: &[u8]| matches!(line, [.., byte, _] if !matches!(byte, b' ' | b'\t'));
                    let Some(line) = self.gather(None, told)? else {
                        return Ok(None);
                    };
                    self.stage = match line {
                        b"--" => Stage::End,
                        [.., b'\r', b'\n'] => Stage::Head,
                        _ => return Err(Malformed),
                    };
                }
                Stage::Head => {
                    let Some(head) = self.gather(Some(b'\n'), |head| head.ends_with(b"\r\n\r\n"))? else {
                        return Ok(None);
                    };
                    let head = PartHead::read(head)?;
                    self.stage = Stage::Content;
                    return Ok(Some(Piece::Part(head)));
                }
                Stage::Content => return Ok(self.content()),
                Stage::End => return Ok(Some(Piece::End)),
            }
        }
    }

    /// Reads until `ends` holds, with `last` as the final byte if it is known. Returns the bytes of the
    /// current parser state; `None` when more bytes are needed.
    fn gather(&mut self, last: Option<u8>, ends: impl Fn(&[u8]) -> bool) -> Result<Option<&[u8]>, Malformed> {
        loop {
            let room = BETWEEN - self.between.len();
            let fed = &self.fed[..self.fed.len().min(room)];
            let end = match last {
                Some(last) => memchr::memchr(last, fed),
                None => (!fed.is_empty()).then_some(0),
            };
            let taken = self.fed.split_to(end.map_or(fed.len(), |at| at + 1));
            self.between.extend_from_slice(&taken);
            if end.is_some() && ends(&self.between[self.begun..]) {
                let begun = mem::replace(&mut self.begun, self.between.len());
                return Ok(Some(&self.between[begun..]));
            }
            if self.between.len() == BETWEEN {
                return Err(Malformed);
            }
            if self.fed.is_empty() {
                return Ok(None);
            }
        }
    }

    fn content(&mut self) -> Option<Piece> {
        if self.held == 0 {
            let content = self.before_delimiter();
            if !content.is_empty() {
                return Some(Piece::Content(content));
            }
        }
        let wanted = &self.delimiter[self.held..];
        let came = wanted.len().min(self.fed.len());
        if self.fed[..came] != wanted[..came] {
            // The bytes were content, and no other delimiter can begin among them.
            let content = self.delimiter.slice(..mem::take(&mut self.held));
            return Some(Piece::Content(content));
        }
        self.fed.advance(came);
        self.held += came;
        if self.held < self.delimiter.len() {
            return None;
        }
        self.stage = Stage::Line;
        self.held = 0;
        self.between.clear();
        self.begun = 0;
        Some(Piece::EndOfPart)
    }

    /// Returns the content before the delimiter, or before bytes that may begin one.
    fn before_delimiter(&mut self) -> Bytes {
        let found = self.finder.find(&self.fed);
        self.held = if found.is_some() {
            self.delimiter.len()
        } else {
            self.delimiter_begun()
        };
        let content = self.fed.split_to(found.unwrap_or(self.fed.len() - self.held));
        self.fed.advance(self.held);
        content
    }

    /// How many bytes at the end of what was fed are the delimiter's first.
    fn delimiter_begun(&self) -> usize {
        let most = self.delimiter.len() - 1;
        let tail = &self.fed[self.fed.len().saturating_sub(most)..];
        memchr::memrchr(b'\r', tail)
            .map(|at| &tail[at..])
            .filter(|end| self.delimiter.starts_with(end))
            .map_or(0, |end| end.len())
    }
}

#[cfg(test)]
mod tests;
