//! `firmeza mcp`: offers the API of an installation to assistants, by the Model Context Protocol on standard input and
//! output. It acts over HTTP with an API key, and can do what the key may do.

mod api;
mod error;
mod files;
mod form;
mod protocol;
mod tools;

use api::Api;
use std::error::Error;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

const DEFAULT_URL: &str = "http://127.0.0.1:8080";
/// Bytes of one message: the documents of the largest create, in base64.
const MAX_MESSAGE_BYTES: u64 = 192 << 20;

pub(crate) fn run() -> Result<ExitCode, Box<dyn Error>> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let key = variable("FIRMEZA_API_KEY").ok_or("FIRMEZA_API_KEY must be set to an API key")?;
    let url = variable("FIRMEZA_URL").unwrap_or_else(|| DEFAULT_URL.to_owned());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let api = Api::new(&url, &key)?;
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    // One message after the other: an assistant's acts happen in the order in which it asked for them.
    while let Some(message) = next_message(&mut input)? {
        if let Some(response) = runtime.block_on(protocol::respond(&api, &message)) {
            serde_json::to_writer(&mut output, &response)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
    }
    runtime.shutdown_background();
    Ok(ExitCode::SUCCESS)
}

/// The next line that is not empty, unless the input has ended.
fn next_message(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Box<dyn Error>> {
    loop {
        let mut line = Vec::new();
        let read = input.take(MAX_MESSAGE_BYTES).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') && read as u64 == MAX_MESSAGE_BYTES {
            return Err("a message is too long".into());
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(line));
        }
    }
}
