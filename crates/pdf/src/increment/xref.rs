//! The cross-references of an increment, as a table or as a stream, like those of the document.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;

use crate::meter::Meter;
use crate::prepare::AppendState;
use crate::syntax::{Kind, Parser};

/// Appends the section that starts at `at`, and the end of the file.
pub(super) fn write(
    out: &mut Vec<u8>,
    at: u64,
    written: &BTreeMap<u32, (u64, u16)>,
    append_state: &mut AppendState,
    fingerprint: [u8; 16],
) {
    append_state.id = identifier(&append_state.id, fingerprint);
    let mut written = written.clone();
    let own = append_state.size;
    if append_state.streams {
        written.insert(own, (at, 0));
        append_state.size += 1;
    }
    let mut trailer = format!(
        "/Size {}/Root {} {} R",
        append_state.size, append_state.root.number, append_state.root.generation
    )
    .into_bytes();
    let nothing = Vec::new();
    let encryption = append_state.encryption.as_ref();
    let encrypt = encryption.map_or(&nothing, |encryption| &encryption.stated);
    for (key, value) in [
        ("/Info ", &append_state.info),
        ("/ID", &append_state.id),
        ("/Encrypt ", encrypt),
    ] {
        if !value.is_empty() {
            trailer.extend_from_slice(key.as_bytes());
            trailer.extend_from_slice(value);
        }
    }
    trailer.extend_from_slice(format!("/Prev {}", append_state.startxref).as_bytes());
    if append_state.streams {
        stream(out, own, &written, &trailer);
    } else {
        table(out, &written, &trailer);
    }
    out.extend_from_slice(format!("startxref\n{at}\n%%EOF\n").as_bytes());
}

fn runs(written: &BTreeMap<u32, (u64, u16)>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in written.keys() {
        match runs.last_mut() {
            Some((start, count)) if *start + *count == *number => *count += 1,
            _ => runs.push((*number, 1)),
        }
    }
    runs
}

fn table(out: &mut Vec<u8>, written: &BTreeMap<u32, (u64, u16)>, trailer: &[u8]) {
    out.extend_from_slice(b"xref\n");
    for (start, count) in runs(written) {
        out.extend_from_slice(format!("{start} {count}\n").as_bytes());
        for (offset, generation) in written.range(start..start + count).map(|(_, place)| place) {
            out.extend_from_slice(format!("{offset:010} {generation:05} n\r\n").as_bytes());
        }
    }
    out.extend_from_slice(b"trailer\n<<");
    out.extend_from_slice(trailer);
    out.extend_from_slice(b">>\n");
}

fn stream(out: &mut Vec<u8>, own: u32, written: &BTreeMap<u32, (u64, u16)>, trailer: &[u8]) {
    let mut data = Vec::with_capacity(written.len() * 8);
    for (offset, generation) in written.values() {
        data.push(1);
        data.extend_from_slice(offset.to_be_bytes().get(3..).unwrap_or_default());
        data.extend_from_slice(&generation.to_be_bytes());
    }
    out.extend_from_slice(format!("{own} 0 obj\n<</Type/XRef/W[1 5 2]/Index[").as_bytes());
    for (start, count) in runs(written) {
        out.extend_from_slice(format!("{start} {count} ").as_bytes());
    }
    out.extend_from_slice(format!("]/Length {}", data.len()).as_bytes());
    out.extend_from_slice(trailer);
    out.extend_from_slice(b">>\nstream\n");
    out.extend_from_slice(&data);
    out.extend_from_slice(b"\nendstream\nendobj\n");
}

/// The file identifier: its first half stays, the second changes with every revision.
fn identifier(old: &[u8], fingerprint: [u8; 16]) -> Vec<u8> {
    let fresh = format!("<{}>", HEXLOWER.encode(&fingerprint));
    let meter = Meter::new(64, 64, 8);
    let first = match Parser::new(old, 0, &meter).value().map(|value| value.kind) {
        Ok(Kind::Array(items)) => items
            .first()
            .filter(|item| item.as_string().is_some())
            .map(|item| item.raw.to_vec()),
        _ => None,
    };
    let first = first.unwrap_or_else(|| fresh.clone().into_bytes());
    [b"[", first.as_slice(), fresh.as_bytes(), b"]"].concat()
}
