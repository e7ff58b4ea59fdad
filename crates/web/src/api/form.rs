//! Multipart forms, read as they arrive, with limits on bytes, parts and fields.

use super::body::Incoming;
use super::call::Call;
use super::errors::{Cause, Failure};
use super::fields::Fields;
use crate::multipart::{self, Malformed, Parser, PartHead, Piece};
use bytes::Bytes;

/// Parts of one form.
const PARTS: usize = 64;
/// Bytes of one text field.
pub(crate) const FIELD: usize = 64 * 1024;
/// Bytes of a form without documents.
const SHORT_FORM: u64 = 512 * 1024;

/// A form that is being read.
pub(crate) struct Form<'b> {
    body: &'b mut Incoming,
    most: u64,
    parser: Parser,
    /// Whether a part was begun and its end not reached.
    within: bool,
    parts: usize,
    most_parts: usize,
}

impl<'b> Form<'b> {
    /// Begins to read a form of up to that many bytes.
    pub(crate) fn open(content_type: &str, body: &'b mut Incoming, most: u64) -> Result<Self, Failure> {
        let boundary = multipart::boundary(content_type).ok_or(Cause::Malformed)?;
        Ok(Self {
            body,
            most,
            parser: Parser::new(&boundary),
            within: false,
            parts: 0,
            most_parts: PARTS,
        })
    }

    /// The same with another limit on its parts.
    pub(crate) fn of_parts(self, most_parts: usize) -> Self {
        Self { most_parts, ..self }
    }

    /// The next part; skips unread content of the previous one. `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<PartHead>, Failure> {
        let part = loop {
            match self.piece().await? {
                Piece::Part(part) => break part,
                Piece::Content(_) | Piece::EndOfPart => {}
                Piece::End => return Ok(None),
            }
        };
        self.parts += 1;
        if self.parts > self.most_parts {
            Err(Cause::Malformed.into())
        } else {
            Ok(Some(part))
        }
    }

    /// Upper bound of the bytes still to come, if the client has sent a length.
    pub(crate) fn left(&self) -> Option<u64> {
        let fed = self.parser.left() as u64;
        self.body.left().map(|left| left.saturating_add(fed))
    }

    /// The next bytes of the part's content; `None` at its end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Failure> {
        if self.within
            && let Piece::Content(bytes) = self.piece().await?
        {
            Ok(Some(bytes))
        } else {
            Ok(None)
        }
    }

    /// Adds the part's content to the fields, as text.
    pub(crate) async fn text(&mut self, fields: &mut Fields, name: &str) -> Result<(), Failure> {
        let mut value = Vec::new();
        let mut too_long = false;
        while let Some(bytes) = self.chunk().await? {
            too_long |= value.len() + bytes.len() > FIELD;
            if !too_long {
                value.extend_from_slice(&bytes);
            }
        }
        if too_long {
            fields.push_too_long(name, FIELD);
        } else {
            fields.push(name, value);
        }
        Ok(())
    }

    /// Reads the bytes after the last boundary, so that the connection can be reused.
    pub(crate) async fn drain(self) -> Result<(), Failure> {
        while self.body.next(self.most).await?.is_some() {}
        Ok(())
    }

    async fn piece(&mut self) -> Result<Piece, Failure> {
        loop {
            if let Some(piece) = self.parser.next().map_err(|Malformed| Cause::Malformed)? {
                self.within = matches!(piece, Piece::Part(_) | Piece::Content(_));
                return Ok(piece);
            }
            let more = self.body.next(self.most).await?;
            self.parser.feed(more.ok_or(Cause::Malformed)?);
        }
    }
}

/// Reads a form that has text fields only.
pub(crate) async fn short(call: &mut Call) -> Result<Fields, Failure> {
    let content_type = call.content_type().to_owned();
    let mut form = Form::open(&content_type, &mut call.body, SHORT_FORM)?;
    let mut fields = Fields::default();
    while let Some(part) = form.next().await? {
        form.text(&mut fields, &part.name.unwrap_or_default()).await?;
    }
    form.drain().await?;
    Ok(fields)
}
