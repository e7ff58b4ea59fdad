//! Files of this machine that an assistant names. It may have been talked into naming the wrong one: only a PDF is sent,
//! and no file is replaced.

use super::error::ToolError;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

/// Bytes of a file that is sent; the installation has a limit of its own.
const MAX_FILE_BYTES: u64 = 100 << 20;
/// Where a PDF may begin: readers tolerate bytes before its header.
const MAX_HEADER_OFFSET: usize = 1024;
const PDF_HEADER: &[u8] = b"%PDF-";

/// The name and the bytes of a PDF.
pub(super) fn read_pdf(path: &str) -> Result<(String, Vec<u8>), ToolError> {
    let failed = |error: std::io::Error| ToolError(format!("No se puede leer {path}: {error}"));
    let name = Path::new(path).file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| ToolError(format!("{path} no es la ruta de un archivo.")))?;
    // A pipe or a device might never end.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(ToolError(format!("{path} no es un archivo.")));
    }
    let mut bytes = Vec::new();
    let mut file = File::open(path).map_err(failed)?.take(MAX_FILE_BYTES + 1);
    file.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ToolError(format!("{path} es demasiado grande.")));
    }
    let beginning = &bytes[..bytes.len().min(MAX_HEADER_OFFSET)];
    if !beginning
        .windows(PDF_HEADER.len())
        .any(|bytes| bytes == PDF_HEADER)
    {
        return Err(ToolError(format!("{path} no es un PDF: no se envió.")));
    }
    Ok((name.to_owned(), bytes))
}

/// Checks where a file is to be saved, before it is downloaded: each download is recorded in the folio's history.
pub(super) fn check_target(path: &str, extension: &str) -> Result<(), ToolError> {
    let target = Path::new(path);
    if target.extension().is_none_or(|found| found != extension) {
        return Err(ToolError(format!(
            "La ruta (path) debe terminar en .{extension}."
        )));
    }
    if target.symlink_metadata().is_ok() {
        return Err(ToolError(format!("{path} ya existe: indique otra ruta (path).")));
    }
    Ok(())
}

/// Saves bytes in a new file.
pub(super) fn save(path: &str, bytes: &[u8]) -> Result<(), ToolError> {
    let failed = |error: std::io::Error| ToolError(format!("No se puede guardar {path}: {error}"));
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(failed)?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pdf_is_sent() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &[u8]| {
            let path = directory.path().join(name);
            std::fs::write(&path, content).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let contract = file("contrato.pdf", b"\n%PDF-1.7\n");
        assert_eq!(
            read_pdf(&contract).unwrap(),
            ("contrato.pdf".to_owned(), b"\n%PDF-1.7\n".to_vec())
        );
        let secret = file("secreto.pdf", b"root:x:0:0");
        let late = file(
            "tarde.pdf",
            &[[b' '; MAX_HEADER_OFFSET].as_slice(), PDF_HEADER].concat(),
        );
        for path in [secret.as_str(), &late, "/dev/zero", "/", "/no/hay.pdf"] {
            assert!(read_pdf(path).is_err(), "{path}");
        }
    }

    #[test]
    fn no_file_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("firmado.pdf");
        let path = path.to_str().unwrap();
        assert!(check_target(path, "pdf").is_ok());
        assert!(check_target(path, "json").is_err());
        save(path, b"uno").unwrap();
        assert!(check_target(path, "pdf").is_err());
        assert!(save(path, b"dos").is_err());
        assert_eq!(std::fs::read(path).unwrap(), b"uno");
    }
}
