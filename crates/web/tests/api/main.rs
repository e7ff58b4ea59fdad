//! The integration API through HTTP: a module per operation, and what all of them share.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod cancel_folios;
mod create_folio;
mod create_folio_documents;
mod create_folio_faults;
mod docs;
mod download_document;
mod errors_table;
mod evidence;
mod history;
mod hostile_bodies;
mod hostile_connections;
mod hostile_values;
mod idempotency;
mod keys;
mod mailbox;
mod matrix;
mod metrics;
mod observability;
mod openapi;
mod outage;
mod permissions;
mod rate_limits;
mod read_bulk;
mod read_folio;
mod read_folios;
mod report;
mod resend_emails;
mod sandbox;
mod scrub;
mod start_bulk;
mod sweep;
mod verify;

/// An identifier of nothing.
const UNKNOWN: &str = "00000000000000000000000000000000";

/// Base64 text, for the other form of documents.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let three = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}
