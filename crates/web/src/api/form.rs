//! Multipart forms, read as they arrive and bounded in everything.

use super::body::{Broken, Incoming};
use super::call::Call;
use super::errors::{Cause, Failure};
use super::fields::Fields;
use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream;
use multer::{Field, Multipart};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Parts of one form.
const PARTS: usize = 64;
/// Bytes of one text field.
pub(crate) const FIELD: usize = 64 * 1024;
/// Bytes of a form without documents.
const SHORT_FORM: u64 = 512 * 1024;
/// Bytes between the content of one part and that of the next: boundaries and part headers.
const BETWEEN: u64 = 64 * 1024;

/// A form under way.
pub(crate) struct Form<'b> {
    multipart: Multipart<'b>,
    between: Arc<AtomicU64>,
    parts: usize,
    most_parts: usize,
}

impl<'b> Form<'b> {
    /// Begins to read a form of at most that many bytes.
    pub(crate) fn open(content_type: &str, body: &'b mut Incoming, most: u64) -> Result<Self, Failure> {
        let boundary = multer::parse_boundary(content_type).map_err(|_| Cause::Malformed)?;
        let between = Arc::new(AtomicU64::new(0));
        let multipart = Multipart::new(chunks(body, most, between.clone()), boundary);
        Ok(Self {
            multipart,
            between,
            parts: 0,
            most_parts: PARTS,
        })
    }

    /// The same with so many parts at the most.
    pub(crate) fn of_parts(self, most_parts: usize) -> Self {
        Self { most_parts, ..self }
    }

    /// The next part; nothing at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Field<'b>>, Failure> {
        // A reader of part headers would hold as many bytes as it is sent; so many, and no more, may come.
        self.between.store(BETWEEN, Relaxed);
        let field = self
            .multipart
            .next_field()
            .await
            .map_err(|error| failure(&error))?;
        self.between.store(u64::MAX, Relaxed);
        self.parts += usize::from(field.is_some());
        if self.parts > self.most_parts {
            Err(Cause::Malformed.into())
        } else {
            Ok(field)
        }
    }
}

/// The body in chunks, cut off where more comes between two parts than boundaries and headers need.
fn chunks(
    body: &mut Incoming,
    most: u64,
    between: Arc<AtomicU64>,
) -> impl Stream<Item = Result<Bytes, Broken>> + Send {
    stream::try_unfold((body, between), move |(body, between)| async move {
        let Some(chunk) = body.next(most).await? else {
            return Ok(None);
        };
        let left = between.load(Relaxed);
        if left < u64::MAX {
            // The chunk that ends the headers may hold content as well, so the last one may be of any size.
            if left == 0 {
                return Err(Broken::Scattered);
            }
            between.store(left.saturating_sub(chunk.len() as u64), Relaxed);
        }
        Ok(Some((chunk, (body, between))))
    })
}

/// The next bytes of a part's content.
pub(crate) async fn chunk(field: &mut Field<'_>) -> Result<Option<Bytes>, Failure> {
    field.chunk().await.map_err(|error| failure(&error))
}

/// Takes a text field into the form's fields.
pub(crate) async fn text(fields: &mut Fields, name: &str, field: &mut Field<'_>) -> Result<(), Failure> {
    let mut value = Vec::new();
    let mut too_long = false;
    while let Some(bytes) = chunk(field).await? {
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

/// Reads a form that has text fields only.
pub(crate) async fn short(call: &mut Call) -> Result<Fields, Failure> {
    let content_type = call.content_type().to_owned();
    let mut form = Form::open(&content_type, &mut call.body, SHORT_FORM)?;
    let mut fields = Fields::default();
    while let Some(mut field) = form.next().await? {
        let name = field.name().unwrap_or_default().to_owned();
        text(&mut fields, &name, &mut field).await?;
    }
    drop(form);
    drain(call, SHORT_FORM).await?;
    Ok(fields)
}

/// Reads what follows the form's last boundary: nothing that matters, but the connection can then go on.
pub(crate) async fn drain(call: &mut Call, most: u64) -> Result<(), Failure> {
    while call.body.next(most).await?.is_some() {}
    Ok(())
}

fn failure(error: &multer::Error) -> Failure {
    if let multer::Error::StreamReadFailed(inner) = error
        && let Some(broken) = inner.downcast_ref::<Broken>()
    {
        return (*broken).into();
    }
    Cause::Malformed.into()
}
