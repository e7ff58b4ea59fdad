//! What was found, in Spanish, for people.

use super::found::{Bundle, File, Found, Pdf, RootFound, SignatureFound};
use super::words;
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
            File::Evidence(found) => bundle(&mut out, found),
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
        "unsigned" | "only_timestamps" => "SIN FIRMAS",
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
    for named in &pdf.evidence {
        let version = match named.version {
            "original" => "el documento como fue enviado",
            "current" => "el documento como está ahora",
            _ => "una versión anterior del documento",
        };
        let _ = writeln!(out, "  Según {}: es {version} ({})", named.file, named.name);
    }
}

fn bundle(out: &mut String, bundle: &Bundle) {
    let _ = writeln!(out, "{}: {}", bundle.file, verdict(bundle.verdict));
    let _ = writeln!(out, "  {}", bundle.message);
    for fault in &bundle.faults {
        let _ = writeln!(out, "  - {}", fault.message);
    }
    let Some(folio) = &bundle.folio else {
        return;
    };
    let _ = writeln!(out, "  Folio {} «{}», de {}", folio.id, folio.name, folio.company);
    let _ = writeln!(out, "  Hecha por {} el {}", folio.made_by, folio.made_at);
    if let (Some(at), Some(by)) = (&bundle.sealed_at, &bundle.sealed_by) {
        let _ = writeln!(out, "  Sellada el {at} por {by}");
    }
    roots(out, &bundle.roots);
    let _ = writeln!(
        out,
        "  Historia: {} de {} eventos",
        bundle.events, bundle.history_length
    );
    for line in words::withheld(&bundle.withheld) {
        let _ = writeln!(out, "  {line}");
    }
    for signer in &bundle.signers {
        let _ = write!(
            out,
            "  Firmante {} ({}): {}",
            signer.name,
            signer.document,
            state(&signer.state)
        );
        if let Some(at) = &signer.acted_at {
            let _ = write!(out, " el {at}");
        }
        if let Some(address) = &signer.address {
            let _ = write!(out, " desde {address}");
        }
        out.push('\n');
    }
    for document in &bundle.documents {
        let _ = writeln!(out, "  Documento «{}» ({})", document.name, document.id);
        let _ = writeln!(out, "    enviado: {}", document.original_sha256);
        let _ = writeln!(out, "    ahora:   {}", document.current_sha256);
        for file in &document.files {
            let _ = writeln!(out, "    es el archivo {file}");
        }
    }
}

fn state(name: &str) -> &str {
    match name {
        "signed" => "firmó",
        "rejected" => "rechazó",
        _ => "pendiente",
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
