//! Takes an upload in: it is inspected and rehearsed, and where it is refused, a sound copy of it may be taken instead.

use pdf::Limits;
use pdf::inspect::{Refused, inspect_document, open};
use pdf::prepare::Prepared;
use pdf::repair;
use sha2::{Digest, Sha256};

use crate::rehearse::rehearse;

/// A document that can be signed.
#[derive(Debug)]
pub struct Accepted {
    /// How many pages it has.
    pub pages: u32,
    /// The state from which its first increment is made.
    pub prepared: Prepared,
    /// The copy that this is about, where the upload itself cannot be signed.
    pub repaired: Option<Repaired>,
}

/// A sound copy of an upload.
#[derive(Debug)]
pub struct Repaired {
    /// The copy.
    pub bytes: Vec<u8>,
    /// Why the upload itself is refused.
    pub fault: Refused,
}

/// Accepts or refuses an upload; `hasher` has been fed exactly these bytes. A copy is made only where the upload is
/// refused.
pub fn accept(bytes: &[u8], hasher: &Sha256, limits: &Limits) -> Result<Accepted, Refused> {
    let fault = match take(bytes, hasher.clone(), limits) {
        Err(fault) => fault,
        accepted => return accepted,
    };
    for copy in repair::copies(bytes, &fault, limits) {
        if let Ok(accepted) = take(&copy, Sha256::new_with_prefix(&copy), limits) {
            let repaired = Some(Repaired { bytes: copy, fault });
            return Ok(Accepted { repaired, ..accepted });
        }
    }
    Err(fault)
}

fn take(bytes: &[u8], hasher: Sha256, limits: &Limits) -> Result<Accepted, Refused> {
    let doc = open(bytes, limits)?;
    let inspected = inspect_document(&doc, limits)?;
    let pages = inspected.pages;
    let mut prepared = inspected.prepare(hasher);
    rehearse(&doc.with_fresh_budget(limits), &mut prepared, limits)?;
    Ok(Accepted {
        pages,
        prepared,
        repaired: None,
    })
}
