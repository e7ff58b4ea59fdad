//! The report in Spanish, for people.

use super::report::{Bundle, File, Pdf, RootFound, VerifyReport};
use super::texts;
use crate::terminal::line;
use pades::verify::{Language, SignatureJson, identity_document};

/// The whole outcome, a paragraph a file.
pub(super) fn of(found: &VerifyReport) -> String {
    let mut text = String::new();
    let out = &mut text;
    for file in &found.files {
        if !out.is_empty() {
            out.push('\n');
        }
        match file {
            File::Unreadable { file, message, .. } => {
                line!(out, "{file}: {}", verdict("unreadable"));
                line!(out, "  {message}");
            }
            File::Pdf(found) => pdf(out, found),
            File::Evidence(found) => bundle(out, found),
        }
    }
    text
}

/// A verdict as one word.
fn verdict(name: &str) -> &'static str {
    match name {
        "valid" => "VÁLIDO",
        "unknown_issuer" => "ÍNTEGRO, EMISOR DESCONOCIDO",
        "invalid" => "NO VÁLIDO",
        "indeterminate" => "SIN COMPROBAR DEL TODO",
        "unsigned" | "only_timestamps" => "SIN FIRMAS",
        _ => "NO SE PUEDE VERIFICAR",
    }
}

fn pdf(out: &mut String, pdf: &Pdf) {
    line!(out, "{}: {}", pdf.file, verdict(pdf.verdict));
    line!(out, "  {}", pdf.message);
    for fault in &pdf.faults {
        line!(out, "  - {}", fault.message);
    }
    line!(out, "  SHA-256: {}", pdf.sha256);
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
        line!(out, "  Según {}: es {version} ({})", named.file, named.name);
    }
}

fn bundle(out: &mut String, bundle: &Bundle) {
    line!(out, "{}: {}", bundle.file, verdict(bundle.verdict));
    line!(out, "  {}", bundle.message);
    for fault in &bundle.faults {
        line!(out, "  - {}", fault.message);
    }
    let Some(folio) = &bundle.folio else {
        return;
    };
    line!(out, "  Folio {} «{}», de {}", folio.id, folio.name, folio.company);
    line!(out, "  Hecha por {} el {}", folio.made_by, folio.made_at);
    if let (Some(at), Some(by)) = (&bundle.sealed_at, &bundle.sealed_by) {
        line!(out, "  Sellada el {at} por {by}");
    }
    roots(out, &bundle.roots);
    line!(
        out,
        "  Historial: {} de {} eventos",
        bundle.events,
        bundle.history_length
    );
    for withheld in texts::withheld(&bundle.withheld) {
        line!(out, "  {withheld}");
    }
    for signer in &bundle.signers {
        let at = signer.acted_at.as_ref().map(|at| format!(" el {at}"));
        let address = signer.address.as_ref().map(|address| format!(" desde {address}"));
        line!(
            out,
            "  Firmante {} ({}): {}{}{}",
            signer.name,
            signer.document,
            state(&signer.state),
            at.unwrap_or_default(),
            address.unwrap_or_default()
        );
    }
    for document in &bundle.documents {
        line!(out, "  Documento «{}» ({})", document.name, document.id);
        line!(out, "    enviado: {}", document.original_sha256);
        line!(out, "    ahora:   {}", document.current_sha256);
        for file in &document.files {
            line!(out, "    es el archivo {file}");
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
        line!(
            out,
            "  El archivo no trae su certificado raíz: indíquelo con --root (se descarga de /authority/root.crt de la \
             instalación)."
        );
    }
    let listed = |root: &&RootFound| root.source == "trusted_list";
    let from_lists = roots.iter().filter(listed).count();
    if from_lists > 0 {
        line!(out, "  Raíces de listas de confianza: {from_lists}");
    }
    for root in roots.iter().filter(|root| !listed(root)) {
        let known = if root.source == "embedded" {
            "desconocida"
        } else {
            "de confianza"
        };
        line!(out, "  Raíz {known}: {}", root.subject);
        line!(out, "    huella SHA-256: {}", root.sha256);
        if root.source == "embedded" {
            line!(
                out,
                "    La trae el propio archivo: compare su huella con la que publica la instalación, o indique la suya \
                 con --root."
            );
        }
    }
}

fn signature(out: &mut String, found: &SignatureJson) {
    let kind = match found.kind {
        "certification" => "Certificación",
        "timestamp" => "Estampa de tiempo",
        _ => "Firma",
    };
    let mood = match found.verdict {
        "valid" => "válida",
        "unknown_issuer" => "íntegra, emisor desconocido",
        "invalid" => "no válida",
        _ => "sin comprobar del todo",
    };
    let level = found.level.map(|level| format!(", nivel {level}"));
    line!(
        out,
        "  {kind} «{}»: {mood}{}",
        found.field,
        level.unwrap_or_default()
    );
    if let Some(signer) = &found.signer {
        let name = signer.name.as_deref().unwrap_or(&signer.subject);
        let document = signer
            .document
            .as_deref()
            .map(|id| format!(" ({})", identity_document(id, Language::Spanish)));
        line!(out, "    {name}{}", document.unwrap_or_default());
        line!(out, "    certificado SHA-256: {}", signer.certificate_sha256);
    }
    if let Some(at) = &found.claimed_at {
        line!(out, "    fecha declarada: {at}");
    }
    if let Some(at) = &found.proved_at {
        line!(out, "    fecha certificada: {at}");
    }
    if let Some(anchor) = &found.anchor {
        line!(
            out,
            "    historial del folio al firmar: {} eventos, huella {}",
            anchor.event,
            anchor.hash
        );
    }
    for reason in &found.reasons {
        line!(out, "    - {}", reason.message);
    }
}
