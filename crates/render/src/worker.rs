//! The process that draws: one document at a time, until its input ends or a limit kills it.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use hayro::hayro_syntax::Pdf;

use crate::draw::{DrawBuffers, Drawing};
use crate::limits::{Limits, bind, grant_cpu};
use crate::normalize_xref::NormalizedPdf;
use crate::outcome::Failure;
use crate::protocol::{self, Request, Response, read_frame, write_frame, write_response};
use crate::sandbox::{Sandbox, run_confined};

/// Draws pages for a [`Pool`](crate::Pool) of another process, over the standard input and output of this one.
///
/// A program calls this in a hidden command of its own and does nothing else in that process: all of it is
/// confined and limited. It ends when its input ends.
pub fn run_worker() -> ExitCode {
    run_confined(|sandbox| {
        serve(
            &mut BufReader::new(io::stdin()),
            &mut BufWriter::new(io::stdout()),
            sandbox,
        )
    })
}

/// Sends a new worker its limits.
pub(super) fn write_limits(to: &mut impl Write, limits: &Limits) -> io::Result<()> {
    let numbers = [
        limits.memory,
        limits.cpu.as_secs().max(1),
        limits.document as u64,
        limits.width.into(),
        limits.height.into(),
    ];
    let bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
    write_frame(to, &[&bytes])
}

fn read_limits(frame: &[u8]) -> Option<Limits> {
    let (numbers, []) = frame.as_chunks::<8>() else {
        return None;
    };
    let &[memory, cpu, document, width, height] = numbers else {
        return None;
    };
    let [document, width, height] = [document, width, height].map(u64::from_le_bytes);
    Some(Limits {
        memory: u64::from_le_bytes(memory),
        cpu: Duration::from_secs(u64::from_le_bytes(cpu)),
        document: document.try_into().ok()?,
        width: width.try_into().ok()?,
        height: height.try_into().ok()?,
        ..Limits::default()
    })
}

fn serve(from: &mut impl Read, to: &mut impl Write, sandbox: Sandbox) -> io::Result<()> {
    let Some(limits) = read_frame(from, 64)?.and_then(|frame| read_limits(&frame)) else {
        return Ok(());
    };
    bind(limits.memory)?;
    protocol::write_greeting(to, sandbox)?;
    let mut buffers = DrawBuffers::new(limits.width, limits.height);
    let mut next = next_request(from, &limits)?;
    while let Some(request) = next {
        let Request::Load(bytes) = request else {
            return Err(io::Error::other("a page before its document"));
        };
        let opened =
            NormalizedPdf::new(bytes).and_then(|listed| Some((Pdf::new(listed.bytes).ok()?, listed.canary)));
        let Some((pdf, canary)) = opened else {
            write_response(to, &Response::Failed(Failure::Unreadable))?;
            next = next_request(from, &limits)?;
            continue;
        };
        let mut drawing = Drawing::new(&pdf, canary);
        let mut response = Response::Loaded;
        next = loop {
            write_response(to, &response)?;
            response = match next_request(from, &limits)? {
                Some(Request::Image {
                    page,
                    width,
                    photographs,
                }) => match drawing.image(page, width, photographs, &mut buffers) {
                    Ok(rendered) => Response::Image(rendered),
                    Err(failure) => Response::Failed(failure),
                },
                Some(Request::Text { page }) => match drawing.text(page) {
                    Ok(text) => Response::Text(text),
                    Err(failure) => Response::Failed(failure),
                },
                Some(Request::Sizes) => Response::Sizes(drawing.sizes()),
                other => break other,
            };
        };
    }
    Ok(())
}

/// Waits for a request, and grants it processor time.
fn next_request(from: &mut impl Read, limits: &Limits) -> io::Result<Option<Request>> {
    let Some(frame) = read_frame(from, limits.document + 1)? else {
        return Ok(None);
    };
    grant_cpu(limits.cpu.as_secs())?;
    let request = protocol::request(frame);
    request.map(Some).ok_or_else(|| io::Error::other("not a request"))
}
