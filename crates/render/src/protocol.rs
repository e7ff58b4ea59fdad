//! The protocol between the service and its workers: frames of bounded length over a pair of pipes.

use std::io::{self, Read, Write};

use crate::image_format::{ImageFormat, Photographs};
use crate::outcome::{Failure, PageSize, PageText, Picture, RenderWarning, Rendered};
use crate::sandbox::Sandbox;

/// The largest image, hardly compressed.
pub(super) const MAX_RESPONSE_BYTES: usize = 160 << 20;

/// A request to a worker.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Take this document for the pages to come.
    Load(Vec<u8>),
    /// Draw a page at a width.
    Image {
        page: u32,
        width: u32,
        photographs: Photographs,
    },
    /// Read a page.
    Text { page: u32 },
    /// Tell the size of every page.
    Sizes,
}

/// The response of a worker. The one to [`Request::Load`] is `Loaded` or `Failed`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Response {
    Loaded,
    Image(Rendered),
    Text(PageText),
    Sizes(Vec<PageSize>),
    Failed(Failure),
}

const FAILURES: [Failure; 4] = [
    Failure::Unreadable,
    Failure::NoSuchPage,
    Failure::Blank,
    Failure::TooLarge,
];

/// Reads a frame; `None` if the stream ends before one.
pub(super) fn read_frame(from: &mut impl Read, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = usize::try_from(u32::from_le_bytes(length)).map_err(io::Error::other)?;
    if length > limit {
        return Err(io::Error::other("a frame is too long"));
    }
    // The announced bytes may never come: the capacity is that of a usual frame.
    let mut frame = Vec::with_capacity(length.min(4 << 20));
    from.take(length as u64).read_to_end(&mut frame)?;
    if frame.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(frame))
}

/// Writes parts as one frame.
pub(super) fn write_frame(to: &mut impl Write, parts: &[&[u8]]) -> io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    parts.iter().try_for_each(|part| to.write_all(part))?;
    to.flush()
}

/// The first frame of a worker, before it has seen a document: how far it is confined.
pub(super) fn write_greeting(to: &mut impl Write, sandbox: Sandbox) -> io::Result<()> {
    write_frame(
        to,
        &[b"G", &[u8::from(sandbox.landlock), u8::from(sandbox.seccomp)]],
    )
}

/// Parses a greeting.
pub(super) fn greeting(frame: &[u8]) -> Option<Sandbox> {
    match *frame {
        [b'G', landlock @ (0 | 1), seccomp @ (0 | 1)] => Some(Sandbox {
            landlock: landlock == 1,
            seccomp: seccomp == 1,
        }),
        _ => None,
    }
}

pub(super) fn write_load(to: &mut impl Write, document: &[u8]) -> io::Result<()> {
    write_frame(to, &[b"L", document])
}

pub(super) fn write_image(
    to: &mut impl Write,
    page: u32,
    width: u32,
    photographs: Photographs,
) -> io::Result<()> {
    // No JPEG has no bytes: 0 means PNG.
    let max_bytes = match photographs {
        Photographs::Png => 0,
        Photographs::Jpeg { max_bytes } => u32::try_from(max_bytes).unwrap_or(u32::MAX).max(1),
    };
    let numbers = [page, width, max_bytes].map(u32::to_le_bytes);
    write_frame(to, &[b"I", numbers.as_flattened()])
}

pub(super) fn write_text(to: &mut impl Write, page: u32) -> io::Result<()> {
    write_frame(to, &[b"T", &page.to_le_bytes()])
}

pub(super) fn write_sizes(to: &mut impl Write) -> io::Result<()> {
    write_frame(to, &[b"S"])
}

/// Parses a request.
pub(super) fn request(mut frame: Vec<u8>) -> Option<Request> {
    match *frame.first()? {
        b'L' => {
            frame.remove(0);
            Some(Request::Load(frame))
        }
        b'I' => {
            let (page, rest) = number(frame.get(1..)?)?;
            let (width, rest) = number(rest)?;
            let (max_bytes, rest) = number(rest)?;
            let photographs = match usize::try_from(max_bytes).ok()? {
                0 => Photographs::Png,
                max_bytes => Photographs::Jpeg { max_bytes },
            };
            rest.is_empty().then_some(Request::Image {
                page,
                width,
                photographs,
            })
        }
        b'T' => {
            let (page, rest) = number(frame.get(1..)?)?;
            rest.is_empty().then_some(Request::Text { page })
        }
        b'S' if frame.len() == 1 => Some(Request::Sizes),
        _ => None,
    }
}

pub(super) fn write_response(to: &mut impl Write, response: &Response) -> io::Result<()> {
    match response {
        Response::Loaded => write_frame(to, &[b"L"]),
        Response::Failed(failure) => {
            let code = FAILURES.iter().position(|known| known == failure).unwrap_or(0);
            write_frame(to, &[b"F", &[u8::try_from(code).unwrap_or(0)]])
        }
        Response::Text(PageText { text, complete }) => {
            write_frame(to, &[b"T", &[u8::from(*complete)], text.as_bytes()])
        }
        Response::Sizes(sizes) => {
            let numbers = sizes.iter().flat_map(|size| [size.width, size.height]);
            let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
            write_frame(to, &[b"S", &bytes])
        }
        Response::Image(rendered) => {
            let (picture, warnings): (_, &[RenderWarning]) = match rendered {
                Rendered::Faithful(picture) => (picture, &[]),
                Rendered::WithWarnings { picture, warnings } => (picture, warnings),
            };
            let flags = RenderWarning::ALL
                .iter()
                .enumerate()
                .filter(|(_, warning)| warnings.contains(warning))
                .fold(0, |flags, (place, _)| flags | 1 << place);
            let (width, height) = (picture.width.to_le_bytes(), picture.height.to_le_bytes());
            let format = match picture.format {
                ImageFormat::Png => b'P',
                ImageFormat::Jpeg => b'J',
            };
            write_frame(to, &[b"I", &[flags, format], &width, &height, &picture.file])
        }
    }
}

/// Parses a response.
pub(super) fn response(mut frame: Vec<u8>) -> Option<Response> {
    match frame.as_slice() {
        b"L" => Some(Response::Loaded),
        [b'F', code] => FAILURES.get(usize::from(*code)).copied().map(Response::Failed),
        [b'T', complete, text @ ..] => Some(Response::Text(PageText {
            text: String::from_utf8(text.to_vec()).ok()?,
            complete: *complete == 1,
        })),
        [b'S', sizes @ ..] => {
            let (pairs, []) = sizes.as_chunks::<8>() else {
                return None;
            };
            let size = |pair: &[u8; 8]| {
                let (width, rest) = number(pair)?;
                let (height, _) = number(rest)?;
                Some(PageSize { width, height })
            };
            pairs.iter().map(size).collect::<Option<_>>().map(Response::Sizes)
        }
        [b'I', flags, format @ (b'P' | b'J'), rest @ ..] => {
            let format = match *format {
                b'P' => ImageFormat::Png,
                _ => ImageFormat::Jpeg,
            };
            let (width, rest) = number(rest)?;
            let (height, _) = number(rest)?;
            let flags = *flags;
            frame.drain(..11);
            let picture = Picture {
                width,
                height,
                format,
                file: frame,
            };
            let warnings: Vec<_> = RenderWarning::ALL
                .into_iter()
                .enumerate()
                .filter(|(place, _)| flags & (1 << place) != 0)
                .map(|(_, warning)| warning)
                .collect();
            Some(Response::Image(if flags == 0 {
                Rendered::Faithful(picture)
            } else {
                Rendered::WithWarnings { picture, warnings }
            }))
        }
        _ => None,
    }
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (head, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*head), rest))
}
