//! Certificates in files: one in DER, or any number in PEM.

use data_encoding::BASE64;
use pki::cms::Certificate;
use std::error::Error;
use std::path::Path;

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

/// The certificates of a file; at least one.
pub(crate) fn read(path: &Path) -> Result<Vec<Certificate>, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.contains(BEGIN) => pem(text),
        _ => Ok(vec![Certificate::from_der(&bytes)?]),
    }
}

fn pem(text: &str) -> Result<Vec<Certificate>, Box<dyn Error>> {
    let mut certificates = Vec::new();
    for part in text.split(BEGIN).skip(1) {
        let (body, _) = part.split_once(END).ok_or("the certificate does not end")?;
        let body: String = body.split_ascii_whitespace().collect();
        certificates.push(Certificate::from_der(&BASE64.decode(body.as_bytes())?)?);
    }
    Ok(certificates)
}
