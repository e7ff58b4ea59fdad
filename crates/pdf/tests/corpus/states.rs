//! The prepared state: small, stable, and enough to go on hashing.

use pdf::Limits;
use pdf::inspect::inspect;
use pdf::prepare::{Prepared, Unreadable};
use sha2::{Digest, Sha256};

use crate::cases::{Expect, features};

fn prepared(bytes: &[u8]) -> Prepared {
    inspect(bytes, &Limits::default())
        .unwrap()
        .prepare(Sha256::new_with_prefix(bytes))
}

#[test]
fn a_state_survives_storage() {
    for case in features::all() {
        if matches!(case.expect, Expect::Refused(_)) {
            continue;
        }
        let state = prepared(&case.bytes);
        let stored = state.to_bytes();
        let back = Prepared::from_bytes(&stored).unwrap();
        assert_eq!(back.to_bytes(), stored, "{}", case.name);
        assert_eq!(back.length(), case.bytes.len() as u64);
        assert_eq!(
            back.sha256(),
            <[u8; 32]>::from(Sha256::digest(&case.bytes)),
            "{}",
            case.name
        );
        assert!(stored.len() < 2048 || case.name.contains("hundred") || case.name.contains("thousand"));
    }
}

#[test]
fn a_cut_or_foreign_state_is_refused() {
    let stored = prepared(&crate::cases::build::Doc::contract(1).table()).to_bytes();
    for end in 0..stored.len() {
        assert_eq!(Prepared::from_bytes(&stored[..end]).unwrap_err(), Unreadable);
    }
    let mut other = stored;
    other[0] = 200;
    assert_eq!(Prepared::from_bytes(&other).unwrap_err(), Unreadable);
}
