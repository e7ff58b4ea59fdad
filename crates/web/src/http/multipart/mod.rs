//! An incremental parser of multipart forms. Content is returned in slices of the input, without a copy. It
//! does no input or output: it says when it needs more bytes.

mod file_name;
mod head;
mod parameters;

pub(crate) use head::PartHead;

use bytes::{Buf, Bytes};
use memchr::memmem::Finder;
use mime::Mime;
use std::mem;

/// Bytes of a boundary. The standard has seventy.
const MAX_BOUNDARY_BYTES: usize = 256;
/// Bytes between the content of one part and that of the next: boundaries and part headers.
const MAX_BETWEEN_PARTS_BYTES: usize = 64 * 1024;

/// The boundary that a form says it has; nothing when it is no form.
pub(crate) fn boundary(content_type: &str) -> Option<String> {
    let kind: Mime = content_type.parse().ok()?;
    let is_form = kind.type_() == mime::MULTIPART && kind.subtype() == mime::FORM_DATA;
    let boundary = kind.get_param(mime::BOUNDARY)?.as_str();
    (is_form && boundary.len() <= MAX_BOUNDARY_BYTES).then(|| boundary.to_owned())
}

/// The bytes are no form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// A parser event.
#[derive(Debug)]
pub(crate) enum MultipartEvent {
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
enum ParserState {
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
    state: ParserState,
    /// Fed, and not yet read.
    fed: Bytes,
    /// What ends content: a line break, two dashes and the boundary. The boundary was in a header, so it has no line
    /// break: only the first byte is a carriage return.
    delimiter: Bytes,
    finder: Finder<'static>,
    /// Bytes of the delimiter matched at the end of the input.
    delimiter_matched: usize,
    /// Everything since the last content.
    between: Vec<u8>,
    /// Where in it the current parser state began.
    state_start: usize,
}

impl Parser {
    /// Begins a form. The boundary is one that [`boundary`] gave.
    pub(crate) fn new(boundary: &str) -> Self {
        let delimiter = Bytes::from(format!("\r\n--{boundary}"));
        Self {
            state: ParserState::Preamble,
            fed: Bytes::new(),
            finder: Finder::new(&delimiter).into_owned(),
            delimiter,
            delimiter_matched: 0,
            between: Vec::new(),
            state_start: 0,
        }
    }

    /// Takes the bytes that [`Self::next`] asked for.
    pub(crate) fn feed(&mut self, bytes: Bytes) {
        debug_assert!(self.fed.is_empty(), "fed before it was asked for");
        self.fed = bytes;
    }

    /// How many bytes were fed and are not yet read.
    pub(crate) const fn buffered(&self) -> usize {
        self.delimiter_matched + self.fed.len()
    }

    /// The next event; `None` when more bytes are needed.
    pub(crate) fn next(&mut self) -> Result<Option<MultipartEvent>, Malformed> {
        loop {
            match self.state {
                ParserState::Preamble => {
                    let first = self.delimiter.slice(2..);
                    let last = first.last().copied();
                    if self.read_until(last, |bytes| bytes.ends_with(&first))?.is_none() {
                        return Ok(None);
                    }
                    self.state = ParserState::Line;
                }
                ParserState::Line => {
                    // The two bytes after any blanks decide.
                    let told = |line: &[u8]| matches!(line, [.., byte, _] if !matches!(byte, b' ' | b'\t'));
                    let Some(line) = self.read_until(None, told)? else {
                        return Ok(None);
                    };
                    self.state = match line {
                        b"--" => ParserState::End,
                        [.., b'\r', b'\n'] => ParserState::Head,
                        _ => return Err(Malformed),
                    };
                }
                ParserState::Head => {
                    let Some(head) = self.read_until(Some(b'\n'), |head| head.ends_with(b"\r\n\r\n"))? else {
                        return Ok(None);
                    };
                    let head = PartHead::read(head)?;
                    self.state = ParserState::Content;
                    return Ok(Some(MultipartEvent::Part(head)));
                }
                ParserState::Content => return Ok(self.content()),
                ParserState::End => return Ok(Some(MultipartEvent::End)),
            }
        }
    }

    /// Reads until `ends` holds, with `last` as the final byte if it is known. Returns the bytes of the
    /// current parser state; `None` when more bytes are needed.
    fn read_until(
        &mut self,
        last: Option<u8>,
        ends: impl Fn(&[u8]) -> bool,
    ) -> Result<Option<&[u8]>, Malformed> {
        loop {
            let room = MAX_BETWEEN_PARTS_BYTES - self.between.len();
            let fed = &self.fed[..self.fed.len().min(room)];
            let end = match last {
                Some(last) => memchr::memchr(last, fed),
                None => (!fed.is_empty()).then_some(0),
            };
            let taken = self.fed.split_to(end.map_or(fed.len(), |at| at + 1));
            self.between.extend_from_slice(&taken);
            if end.is_some() && ends(&self.between[self.state_start..]) {
                let state_start = mem::replace(&mut self.state_start, self.between.len());
                return Ok(Some(&self.between[state_start..]));
            }
            if self.between.len() == MAX_BETWEEN_PARTS_BYTES {
                return Err(Malformed);
            }
            if self.fed.is_empty() {
                return Ok(None);
            }
        }
    }

    fn content(&mut self) -> Option<MultipartEvent> {
        if self.delimiter_matched == 0 {
            let content = self.before_delimiter();
            if !content.is_empty() {
                return Some(MultipartEvent::Content(content));
            }
        }
        let wanted = &self.delimiter[self.delimiter_matched..];
        let came = wanted.len().min(self.fed.len());
        if self.fed[..came] != wanted[..came] {
            // The bytes were content, and no other delimiter can begin among them.
            let content = self.delimiter.slice(..mem::take(&mut self.delimiter_matched));
            return Some(MultipartEvent::Content(content));
        }
        self.fed.advance(came);
        self.delimiter_matched += came;
        if self.delimiter_matched < self.delimiter.len() {
            return None;
        }
        self.state = ParserState::Line;
        self.delimiter_matched = 0;
        self.between.clear();
        self.state_start = 0;
        Some(MultipartEvent::EndOfPart)
    }

    /// Returns the content before the delimiter, or before bytes that may begin one.
    fn before_delimiter(&mut self) -> Bytes {
        let found = self.finder.find(&self.fed);
        self.delimiter_matched = if found.is_some() {
            self.delimiter.len()
        } else {
            self.delimiter_begun()
        };
        let content = self
            .fed
            .split_to(found.unwrap_or(self.fed.len() - self.delimiter_matched));
        self.fed.advance(self.delimiter_matched);
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
