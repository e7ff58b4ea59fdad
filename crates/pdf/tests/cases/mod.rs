//! PDFs written by our own generators, one per feature and per damage, each with its expected verdict.

mod active;
pub(crate) mod build;
mod damage;
pub(crate) mod features;
pub(crate) mod mutate;

use pdf::Limits;
use pdf::inspect::{Inspected, Refused, inspect};

/// Whether a file was refused for the right reason.
pub(crate) type RefusalCheck = fn(&Refused) -> bool;

/// What is expected of a file.
pub(crate) enum Expect {
    Pages(u32),
    Signed { pages: u32, signatures: u32 },
    Refused(RefusalCheck),
}

/// A file of the corpus.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) expect: Expect,
}

impl Case {
    pub(crate) fn new(name: impl Into<String>, bytes: Vec<u8>, expect: Expect) -> Self {
        Self {
            name: name.into(),
            bytes,
            expect,
        }
    }

    pub(crate) fn complaint(&self) -> Option<String> {
        let found = inspect(&self.bytes, &Limits::default());
        let right = match (&self.expect, &found) {
            (Expect::Pages(pages), Ok(inspected)) => is(inspected, *pages, 0),
            (Expect::Signed { pages, signatures }, Ok(inspected)) => is(inspected, *pages, *signatures),
            (Expect::Refused(reason), Err(refused)) => reason(refused),
            _ => false,
        };
        (!right).then(|| format!("{}: {found:?}", self.name))
    }
}

fn is(inspected: &Inspected, pages: u32, signatures: u32) -> bool {
    inspected.pages == pages && inspected.signatures == signatures
}
