//! The files to be judged, in bounded memory.

use std::fs;
use std::io::Read;
use std::path::Path;

/// The largest file that is judged.
pub(super) const LARGEST: usize = 256 << 20;

/// The bytes of a file, or why there are none.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let broken = |error| format!("El archivo no se puede leer: {error}.");
    let file = fs::File::open(path).map_err(broken)?;
    let mut bytes = Vec::new();
    file.take(LARGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(broken)?;
    if bytes.len() > LARGEST {
        return Err(format!(
            "El archivo pesa más de {} MB, lo máximo que se verifica.",
            LARGEST >> 20
        ));
    }
    Ok(bytes)
}
