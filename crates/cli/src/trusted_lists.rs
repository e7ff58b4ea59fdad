//! Trusted lists in files.

use pki::trusted_list::{MAX_TRUSTED_LIST_BYTES, TrustedList};
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The services of the list in a file.
pub(crate) fn read(path: &Path) -> Result<TrustedList, Box<dyn Error>> {
    let mut xml = Vec::new();
    let file = File::open(path)?;
    file.take(MAX_TRUSTED_LIST_BYTES as u64 + 1)
        .read_to_end(&mut xml)?;
    Ok(TrustedList::from_xml(&xml)?)
}
