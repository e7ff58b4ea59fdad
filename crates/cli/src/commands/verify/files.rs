//! The files to be judged, in bounded memory.

use std::fs;
use std::io::Read;
use std::path::Path;

/// The largest file that is judged.
pub(super) const MAX_FILE_BYTES: usize = 256 << 20;

/// The bytes of a file, or why there are none.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let broken = |error| format!("El archivo no se puede leer: {error}.");
    let file = fs::File::open(path).map_err(broken)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(broken)?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(format!(
            "El archivo pesa más de {} MB, lo máximo que se verifica.",
            MAX_FILE_BYTES >> 20
        ));
    }
    Ok(bytes)
}
