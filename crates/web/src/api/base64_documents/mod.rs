//! `documentsBase64`: a JSON list of `{name, content}`, decoded while it arrives, so that no document is
//! held in its base64 form. A JSON library would hold each string whole before handing it over.

mod base64;
mod escape;

use base64::Base64;
use domain::FieldError;
use escape::Escape;

/// Bytes of a member's name, or of a value that is not content.
const MAX_NAME_BYTES: usize = 4096;
/// Nesting depth of ignored values.
const MAX_DEPTH: usize = 64;

/// A result of the reader.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    /// Some bytes of the document under way.
    Content(Vec<u8>),
    /// The end of a document, and its name.
    Document(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    ItemOrEnd,
    Item,
    KeyOrEnd,
    Key,
    Colon,
    Value,
    AfterValue,
    AfterItem,
    End,
}

/// Where a string is collected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StringTarget {
    Key,
    Name,
    Content,
    Nothing,
}

/// An incremental reader: takes bytes, returns the results so far.
#[derive(Debug)]
pub(crate) struct Reader {
    state: State,
    string: Option<(StringTarget, Escape)>,
    buffer: Vec<u8>,
    key: Vec<u8>,
    name: Option<String>,
    has_content: bool,
    base64: Base64,
    /// Whether the reader is within an ignored number, `true`, `false` or `null`.
    in_bare_word: bool,
    /// The open brackets of an ignored value.
    depth: Vec<u8>,
    /// What may follow within those brackets.
    ignored_state: State,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Start,
            string: None,
            buffer: Vec::new(),
            key: Vec::new(),
            name: None,
            has_content: false,
            base64: Base64::default(),
            in_bare_word: false,
            depth: Vec::new(),
            ignored_state: State::AfterValue,
        }
    }

    /// Reads on.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], decoded: &mut Vec<Decoded>) -> Result<(), FieldError> {
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.string.is_some() {
                let used = self.in_string(bytes, decoded)?;
                bytes = &bytes[used..];
                continue;
            }
            bytes = rest;
            self.outside(byte, decoded)?;
        }
        Ok(())
    }

    /// Ends the text.
    pub(crate) fn finish(&self) -> Result<(), FieldError> {
        if self.state == State::End {
            Ok(())
        } else {
            Err(FieldError::NotJson)
        }
    }

    fn outside(&mut self, byte: u8, decoded: &mut Vec<Decoded>) -> Result<(), FieldError> {
        if !self.depth.is_empty() || self.in_bare_word {
            return self.skip(byte, decoded);
        }
        if is_blank(byte) {
            return Ok(());
        }
        self.state = match (self.state, byte) {
            (State::Start, b'[') => State::ItemOrEnd,
            (State::ItemOrEnd | State::AfterItem, b']') => State::End,
            (State::ItemOrEnd | State::Item, b'{') => State::KeyOrEnd,
            (State::AfterItem, b',') => State::Item,
            (State::KeyOrEnd | State::Key, b'"') => {
                self.begin(StringTarget::Key);
                State::Colon
            }
            (State::Colon, b':') => State::Value,
            (State::Value, b'"') => {
                self.begin_value()?;
                State::AfterValue
            }
            (State::Value, _) if self.key == b"name" || self.key == b"content" => {
                return Err(FieldError::NotJson);
            }
            (State::Value, _) => {
                self.begin_ignored(byte)?;
                State::AfterValue
            }
            (State::AfterValue, b',') => State::Key,
            (State::AfterValue | State::KeyOrEnd, b'}') => {
                self.end_item(decoded)?;
                State::AfterItem
            }
            _ => return Err(FieldError::NotJson),
        };
        Ok(())
    }

    /// Begins an ignored value.
    fn begin_ignored(&mut self, byte: u8) -> Result<(), FieldError> {
        self.ignored_state = State::AfterValue;
        match byte {
            b'"' => self.begin(StringTarget::Nothing),
            b'{' | b'[' if self.depth.len() < MAX_DEPTH => {
                self.depth.push(byte);
                self.ignored_state = if byte == b'{' {
                    State::KeyOrEnd
                } else {
                    State::ItemOrEnd
                };
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                self.in_bare_word = true;
                self.buffer.clear();
                self.buffer.push(byte);
            }
            _ => return Err(FieldError::NotJson),
        }
        Ok(())
    }

    /// Reads on in an ignored value, which must still be JSON.
    fn skip(&mut self, byte: u8, decoded: &mut Vec<Decoded>) -> Result<(), FieldError> {
        if self.in_bare_word {
            if matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E')
                && self.buffer.len() < MAX_NAME_BYTES
            {
                self.buffer.push(byte);
                return Ok(());
            }
            self.in_bare_word = false;
            let word = std::mem::take(&mut self.buffer);
            serde_json::from_slice::<serde::de::IgnoredAny>(&word).map_err(|_| FieldError::NotJson)?;
            return self.outside(byte, decoded);
        }
        if is_blank(byte) {
            return Ok(());
        }
        let in_object = self.depth.last() == Some(&b'{');
        self.ignored_state = match (self.ignored_state, byte) {
            (State::KeyOrEnd | State::AfterValue, b'}') if in_object => self.leave(),
            (State::ItemOrEnd | State::AfterValue, b']') if !in_object => self.leave(),
            (State::ItemOrEnd | State::Item | State::Value, _) => return self.begin_ignored(byte),
            (State::KeyOrEnd | State::Key, b'"') => {
                self.begin(StringTarget::Nothing);
                State::Colon
            }
            (State::Colon, b':') => State::Value,
            (State::AfterValue, b',') if in_object => State::Key,
            (State::AfterValue, b',') => State::Item,
            _ => return Err(FieldError::NotJson),
        };
        Ok(())
    }

    /// Closes a bracket of an ignored value.
    fn leave(&mut self) -> State {
        self.depth.pop();
        State::AfterValue
    }

    fn begin(&mut self, target: StringTarget) {
        self.buffer.clear();
        self.string = Some((target, Escape::None));
    }

    fn begin_value(&mut self) -> Result<(), FieldError> {
        let target = match self.key.as_slice() {
            b"name" if self.name.is_none() => StringTarget::Name,
            b"content" if !self.has_content => {
                self.has_content = true;
                StringTarget::Content
            }
            b"name" | b"content" => return Err(FieldError::RepeatedMember),
            _ => StringTarget::Nothing,
        };
        self.begin(target);
        Ok(())
    }

    fn end_item(&mut self, decoded: &mut Vec<Decoded>) -> Result<(), FieldError> {
        let name = self.name.take().ok_or(FieldError::Missing)?;
        if !std::mem::take(&mut self.has_content) {
            return Err(FieldError::Missing);
        }
        self.base64.finish(decoded)?;
        decoded.push(Decoded::Document(name));
        Ok(())
    }

    /// Reads within a string. Returns how many bytes it used.
    fn in_string(&mut self, bytes: &[u8], decoded: &mut Vec<Decoded>) -> Result<usize, FieldError> {
        let Some((target, escape)) = self.string else {
            return Ok(0);
        };
        if escape == Escape::None {
            let end = memchr::memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
            if target == StringTarget::Content {
                self.base64.feed(&bytes[..end], decoded)?;
            } else {
                // JSON has control characters as escapes only; what those spell is the name's own business.
                if bytes[..end].iter().any(|byte| *byte < 0x20) {
                    return Err(FieldError::NotJson);
                }
                self.collect(target, &bytes[..end])?;
            }
            return match bytes.get(end) {
                None => Ok(end),
                Some(b'"') => {
                    self.end_string(target)?;
                    Ok(end + 1)
                }
                Some(_) => {
                    self.string = Some((target, Escape::Backslash));
                    Ok(end + 1)
                }
            };
        }
        let (next, character) = escape.next(bytes[0])?;
        self.string = Some((target, next));
        if let Some(character) = character {
            let mut utf8 = [0; 4];
            let utf8 = character.encode_utf8(&mut utf8).as_bytes();
            if target == StringTarget::Content {
                self.base64.feed(utf8, decoded)?;
            } else {
                self.collect(target, utf8)?;
            }
        }
        Ok(1)
    }

    fn collect(&mut self, target: StringTarget, bytes: &[u8]) -> Result<(), FieldError> {
        if target != StringTarget::Nothing {
            self.buffer.extend_from_slice(bytes);
            if self.buffer.len() > MAX_NAME_BYTES {
                return Err(FieldError::TooLong { max: MAX_NAME_BYTES });
            }
        }
        Ok(())
    }

    fn end_string(&mut self, target: StringTarget) -> Result<(), FieldError> {
        self.string = None;
        match target {
            StringTarget::Key => std::mem::swap(&mut self.key, &mut self.buffer),
            StringTarget::Name => {
                let name = String::from_utf8(std::mem::take(&mut self.buffer));
                self.name = Some(name.map_err(|_| FieldError::Characters)?);
            }
            StringTarget::Content | StringTarget::Nothing => {}
        }
        Ok(())
    }
}

/// Whether JSON lets the byte stand anywhere between two others.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests;
