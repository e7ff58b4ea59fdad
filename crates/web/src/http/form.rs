//! Multipart forms, read as they arrive, with limits on bytes, parts and fields.

use super::body::{BodyError, RequestBody};
use crate::http::multipart::{self, Malformed, MultipartEvent, Parser, PartHead};
use bytes::Bytes;

/// Parts of one form.
const DEFAULT_MAX_PARTS: usize = 64;

/// A form that is being read.
pub(crate) struct MultipartForm<'b> {
    body: &'b mut RequestBody,
    max_bytes: u64,
    parser: Parser,
    /// Whether a part was begun and its end not reached.
    in_part: bool,
    parts: usize,
    max_parts: usize,
}

impl<'b> MultipartForm<'b> {
    /// Begins to read a form of up to that many bytes.
    pub(crate) fn open(
        content_type: &str,
        body: &'b mut RequestBody,
        max_bytes: u64,
    ) -> Result<Self, BodyError> {
        let boundary = multipart::boundary(content_type).ok_or(BodyError::Malformed)?;
        Ok(Self {
            body,
            max_bytes,
            parser: Parser::new(&boundary),
            in_part: false,
            parts: 0,
            max_parts: DEFAULT_MAX_PARTS,
        })
    }

    /// The same with another limit on its parts.
    pub(crate) fn with_max_parts(self, max_parts: usize) -> Self {
        Self { max_parts, ..self }
    }

    /// The next part; skips unread content of the previous one. `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<PartHead>, BodyError> {
        let part = loop {
            match self.next_event().await? {
                MultipartEvent::Part(part) => break part,
                MultipartEvent::Content(_) | MultipartEvent::EndOfPart => {}
                MultipartEvent::End => return Ok(None),
            }
        };
        self.parts += 1;
        if self.parts > self.max_parts {
            Err(BodyError::Malformed)
        } else {
            Ok(Some(part))
        }
    }

    /// Upper bound of the bytes still to come, if the client has sent a length.
    pub(crate) fn remaining(&self) -> Option<u64> {
        let fed = self.parser.buffered() as u64;
        self.body
            .remaining()
            .map(|remaining| remaining.saturating_add(fed))
    }

    /// The next bytes of the part's content; `None` at its end.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, BodyError> {
        if self.in_part
            && let MultipartEvent::Content(bytes) = self.next_event().await?
        {
            Ok(Some(bytes))
        } else {
            Ok(None)
        }
    }

    /// Reads the bytes after the last boundary, so that the connection can be reused.
    pub(crate) async fn drain(self) -> Result<(), BodyError> {
        while self.body.next(self.max_bytes).await?.is_some() {}
        Ok(())
    }

    async fn next_event(&mut self) -> Result<MultipartEvent, BodyError> {
        loop {
            if let Some(event) = self.parser.next().map_err(|Malformed| BodyError::Malformed)? {
                self.in_part = matches!(event, MultipartEvent::Part(_) | MultipartEvent::Content(_));
                return Ok(event);
            }
            let more = self.body.next(self.max_bytes).await?;
            self.parser.feed(more.ok_or(BodyError::Malformed)?);
        }
    }
}
