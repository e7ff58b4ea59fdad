//! Signatures whose dictionaries are written by hand: entries that our own signing never writes, with a key that counts.

use sha2::{Digest, Sha256};

use crate::attacks::SIZE;
use crate::build::{Xref, append};
use crate::people::Person;
use crate::signing::time;

/// The number of the signature's dictionary.
pub(crate) const SIGNATURE: u32 = 450;
/// Digits of a signature.
const DIGITS: usize = 16384;

/// Appends an update with a signature dictionary that has these entries, in an object that `holder` makes of it, and
/// fills it.
fn sealed(
    base: &[u8],
    objects: &[(u32, Vec<u8>)],
    entries: &str,
    holder: impl FnOnce(String) -> (u32, String),
    seal: impl FnOnce(&[u8; 32]) -> Vec<u8>,
) -> Vec<u8> {
    let zeros = "0".repeat(DIGITS);
    let range = "[0 0000000000 0000000000 0000000000]";
    let dict = format!("<</Filter/Adobe.PPKLite{entries}/ByteRange{range}/Contents<{zeros}>>>");
    let (number, body) = holder(dict);
    let objects = [objects, &[(number, body.into_bytes())]].concat();
    let mut bytes = append(base, &objects, SIZE, "/Root 1 0 R", Xref::Table);
    let find = |word: &[u8]| bytes.windows(word.len()).rposition(|w| w == word).unwrap();
    let (at, gap) = (find(range.as_bytes()), find(format!("<{zeros}>").as_bytes()));
    let resume = gap + DIGITS + 2;
    let exact = format!("[0 {gap:010} {resume:010} {:010}]", bytes.len() - resume);
    bytes[at..at + exact.len()].copy_from_slice(exact.as_bytes());
    let digest = Sha256::new()
        .chain_update(&bytes[..gap])
        .chain_update(&bytes[resume..])
        .finalize();
    let seal: String = seal(&digest.into())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    bytes[gap + 1..gap + 1 + seal.len()].copy_from_slice(seal.as_bytes());
    bytes
}

/// Signs as a person.
pub(crate) fn signed(base: &[u8], objects: &[(u32, Vec<u8>)], entries: &str, person: &Person) -> Vec<u8> {
    let entries = format!("/Type/Sig/SubFilter/ETSI.CAdES.detached{entries}");
    let own = |dict| (SIGNATURE, dict);
    sealed(base, objects, &entries, own, |digest| {
        person.key().sign(digest).unwrap().finish(None)
    })
}

/// Signs as a person, with the dictionary directly in the field, an object of this number with these entries.
pub(crate) fn signed_directly(
    base: &[u8],
    objects: &[(u32, Vec<u8>)],
    field: (u32, &str),
    person: &Person,
) -> Vec<u8> {
    let entries = "/Type/Sig/SubFilter/ETSI.CAdES.detached";
    let inside = |dict| (field.0, format!("<<{}/V{dict}>>", field.1));
    sealed(base, objects, entries, inside, |digest| {
        person.key().sign(digest).unwrap().finish(None)
    })
}

/// Puts a timestamp of the document there.
pub(crate) fn stamped(base: &[u8], objects: &[(u32, Vec<u8>)], person: &Person) -> Vec<u8> {
    let entries = "/Type/DocTimeStamp/SubFilter/ETSI.RFC3161";
    let own = |dict| (SIGNATURE, dict);
    sealed(base, objects, entries, own, |digest| {
        Person::stamp(&person.clock(), digest, time())
    })
}
