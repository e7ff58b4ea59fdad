//! What was found, in Spanish, for people.

use super::found::{File, Found, Pdf, RootFound, SignatureFound};
use std::fmt::Write;

/// The whole outcome, a paragraph a file.
pub(super) fn of(found: &Found) -> String {
    let mut out = String::new();
    for file in &found.files {
        if !out.is_empty() {
            out.push('\n');
        }
        match file {
            File::Unreadable { file, message, .. } => {
                let _ = writeln!(out, "{file}: {}\n  {message}", verdict("unreadable"));
            }
            File::Pdf(found) => pdf(&mut out, found),
        }
    }
    out
}

/// A verdict as one word, to be seen at once.
fn verdict(name: &str) -> &'static str {
    match name {
        "valid" => "VÁLIDO",
        "invalid" => "NO VÁLIDO",
        "indeterminate" => "SIN COMPROBAR DEL TODO",
        "unsigned" => "SIN FIRMAS",
        _ => "NO SE PUEDE VERIFICAR",
    }
}

fn pdf(out: &mut String, pdf: &Pdf) {
    let _ = writeln!(out, "{}: {}", pdf.file, verdict(pdf.verdict));
    let _ = writeln!(out, "  {}", pdf.message);
    let _ = writeln!(out, "  SHA-256: {}", pdf.sha256);
    if !pdf.signatures.is_empty() {
        roots(out, &pdf.roots);
    }
    for found in &pdf.signatures {
        signature(out, found);
    }
}

pub(super) fn roots(out: &mut String, roots: &[RootFound]) {
    if roots.is_empty() {
        let _ = writeln!(
            out,
            "  El archivo no trae su certificado raíz: indíquelo con --root (se descarga de /authority/root.crt de la \
             instalación)."
        );
    }
    for root in roots {
        let _ = writeln!(out, "  Raíz de confianza: {}", root.subject);
        let _ = writeln!(out, "    huella SHA-256: {}", root.sha256);
        if root.source == "embedded" {
            let _ = writeln!(
                out,
                "    La trae el propio archivo: compare su huella con la que publica la instalación, o indique la suya \
                 con --root."
            );
        }
    }
}

fn signature(out: &mut String, found: &SignatureFound) {
    let kind = match found.kind {
        "certification" => "Certificación",
        "timestamp" => "Estampa de tiempo",
        _ => "Firma",
    };
    let mood = match found.verdict {
        "valid" => "válida",
        "invalid" => "no válida",
        _ => "sin comprobar del todo",
    };
    let _ = write!(out, "  {kind} «{}»: {mood}", found.field);
    if let Some(level) = found.level {
        let _ = write!(out, ", nivel {level}");
    }
    out.push('\n');
    if let Some(signer) = &found.signer {
        let name = signer.name.as_deref().unwrap_or(&signer.subject);
        let document = signer.document.as_deref().map(|id| format!(" ({id})"));
        let _ = writeln!(out, "    {name}{}", document.unwrap_or_default());
        let _ = writeln!(out, "    certificado SHA-256: {}", signer.certificate_sha256);
    }
    if let Some(at) = &found.claimed_at {
        let _ = writeln!(out, "    fecha declarada: {at}");
    }
    if let Some(at) = &found.proved_at {
        let _ = writeln!(out, "    existía a más tardar: {at}");
    }
    for reason in &found.reasons {
        let _ = writeln!(out, "    - {}", reason.message);
    }
}
