//! The result in words for people.

use pki::authority::PathError;
use pki::cms::CmsError;
use pki::escape::escape;

use super::faults::{cms_fault, refused_fault, timestamp_fault};
use super::reason::{Change, Reason, Verdict};
use super::report::{FileVerdict, Language, Report, SignatureKind, SignatureReport};

impl Language {
    fn pick<T>(self, spanish: T, english: T) -> T {
        match self {
            Self::Spanish => spanish,
            Self::English => english,
        }
    }
}

impl Report {
    /// The whole result, a line for the file and one for each signature and reason.
    pub fn text(&self, language: Language) -> String {
        let mut lines = vec![self.sentence(language)];
        for signature in &self.signatures {
            lines.push(signature.text(language));
            lines.extend(
                signature
                    .reasons
                    .iter()
                    .map(|reason| format!("  - {}", reason.text(language))),
            );
        }
        if !self.unread_evidence.is_empty() {
            let objects: Vec<_> = self.unread_evidence.iter().map(u32::to_string).collect();
            let objects = objects.join(", ");
            lines.push(language.pick(
                format!("Pruebas del almacén de seguridad que no se pudieron leer: objetos {objects}."),
                format!("Evidence of the security store that could not be read: objects {objects}."),
            ));
        }
        lines.join("\n")
    }

    /// The verdict on the file as a sentence.
    pub fn sentence(&self, language: Language) -> String {
        if self.lacks_only_issuer() {
            return language
                .pick(
                    "Las firmas están íntegras, pero su emisor no es conocido.",
                    "The signatures are intact, but their issuer is not known.",
                )
                .into();
        }
        self.verdict.text(language)
    }
}

impl FileVerdict {
    /// The verdict as a sentence.
    pub fn text(&self, language: Language) -> String {
        let sentence = match self {
            Self::Unreadable(refused) => {
                return language.pick(
                    refused_fault(refused).into(),
                    format!("The file cannot be verified: {refused}."),
                );
            }
            Self::Unsigned => ("El documento no está firmado.", "The document is not signed."),
            Self::OnlyTimestamps => (
                "El documento no tiene firmas de personas, solo estampas de tiempo.",
                "The document has no signature of a person, only timestamps.",
            ),
            Self::Valid => (
                "Todas las firmas del documento son válidas.",
                "Every signature of the document is valid.",
            ),
            Self::Indeterminate => (
                "Las firmas están íntegras, pero no todo se pudo comprobar.",
                "The signatures are intact, but not everything about them could be checked.",
            ),
            Self::Invalid => (
                "El documento tiene una firma que no es válida.",
                "A signature of the document is not valid.",
            ),
        };
        language.pick(sentence.0, sentence.1).into()
    }
}

impl SignatureReport {
    /// The signature in one line.
    pub fn text(&self, language: Language) -> String {
        let kind = match self.kind {
            SignatureKind::Approval => language.pick("Firma", "Signature"),
            SignatureKind::Certification(_) => language.pick("Certificación", "Certification"),
            SignatureKind::Timestamp => language.pick("Estampa de tiempo", "Timestamp"),
        };
        let verdict = match self.verdict {
            Verdict::Valid => language.pick("válida", "valid"),
            Verdict::Indeterminate => language.pick("sin comprobar del todo", "not fully checked"),
            Verdict::Invalid => language.pick("no válida", "not valid"),
        };
        let signer = self
            .signer
            .as_deref()
            .unwrap_or(language.pick("firmante desconocido", "unknown signer"));
        escape(&format!("{kind} «{}», {signer}: {verdict}", self.field)).into_owned()
    }
}

impl Reason {
    /// The reason as a sentence.
    pub fn text(&self, language: Language) -> String {
        let sentence = match self {
            Self::Malformed(_) => ("La firma está mal construida.", "The signature is malformed."),
            Self::UnsupportedFormat => (
                "El formato de la firma no se reconoce.",
                "The format of the signature is not supported.",
            ),
            Self::ByteRange => (
                "La firma no cubre exactamente el documento que la rodea.",
                "The signature does not cover exactly the document around it.",
            ),
            Self::SharedRange => (
                "Otra firma dice cubrir los mismos datos.",
                "Another signature claims to cover the same bytes.",
            ),
            Self::NotARevision => (
                "Lo que cubre la firma no es un documento completo que la contenga.",
                "What the signature covers is not a whole document that contains it.",
            ),
            Self::DamagedRevision(damage) => {
                return language.pick(
                    "La versión firmada está dañada.".into(),
                    format!("The signed revision is damaged ({damage})."),
                );
            }
            Self::UnknownReferences(damage) => {
                return language.pick(
                    "Al documento se le agregó algo y una parte de la versión firmada no se puede leer: no se sabe si lo \
                         agregado cambia lo que muestra."
                        .into(),
                    format!(
                        "Something was added to the document, and a part of the signed revision cannot be read \
                         ({damage}): it is not known whether what was added changes what it shows."
                    ),
                );
            }
            Self::Changed(change) => return change.text(language),
            Self::Cms(error) => return cms_text(error, language),
            Self::Timestamp(error) => {
                return language.pick(
                    format!("La estampa de tiempo no es válida: {}.", timestamp_fault(error)),
                    format!("The timestamp does not hold ({error})."),
                );
            }
            Self::SignatureTimestamp(error) => {
                return language.pick(
                    format!(
                        "La estampa de tiempo de la firma no es válida: {}.",
                        timestamp_fault(error)
                    ),
                    format!("The timestamp of the signature proves nothing ({error})."),
                );
            }
            Self::Untrusted(error) => return path_text(*error, language),
            Self::UntrustedTime(reason) => {
                let reason = reason.text(language);
                return language.pick(
                    format!(
                        "La hora de la firma no está certificada por una autoridad de confianza. {reason}"
                    ),
                    format!("The time of the signature is not proved by a trusted authority. {reason}"),
                );
            }
            Self::Expired => (
                "El certificado del firmante no estaba vigente, o no hay prueba de cuándo firmó.",
                "A certificate was not valid at the time, or the time of signing is not proved.",
            ),
            Self::Revoked(since) => {
                return language.pick(
                    format!("El certificado del firmante fue revocado ({since})."),
                    format!("The signer's certificate was revoked ({since})."),
                );
            }
            Self::RevocationUnknown => (
                "No hay información sobre si el certificado fue revocado.",
                "Nothing says whether the certificate was revoked.",
            ),
            Self::ForeignRevocationUnknown => (
                "El certificado es de otra autoridad, y el archivo no trae información sobre si fue revocado.",
                "The certificate is another authority's, and nothing in the file says whether it was revoked.",
            ),
        };
        language.pick(sentence.0, sentence.1).into()
    }
}

/// What is wrong with the signature itself.
fn cms_text(error: &CmsError, language: Language) -> String {
    let (spanish, english) = match error {
        CmsError::DigestMismatch => (
            "El documento no es el que se firmó: su contenido cambió.".into(),
            "The document is not the one that was signed: its content changed.".into(),
        ),
        CmsError::WeakKey(bits) => (
            format!("La firma usa una clave débil, de {bits} bits."),
            format!("The signature uses a weak key of {bits} bits."),
        ),
        CmsError::WeakAlgorithm(name) => (
            format!("La firma usa {name}, un algoritmo de huella que ya no es seguro."),
            format!("The signature uses {name}, a digest algorithm that is no longer safe."),
        ),
        CmsError::UnsupportedAlgorithm(name) => (
            format!("La firma no se puede comprobar: usa un algoritmo que no se reconoce ({name})."),
            format!("The signature cannot be checked: it uses an algorithm that is not known here ({name})."),
        ),
        error => (
            format!("La firma no es válida: {}.", cms_fault(error)),
            format!("The signature does not hold ({error})."),
        ),
    };
    language.pick(spanish, english)
}

/// Why the signer's certificate is not trusted.
fn path_text(error: PathError, language: Language) -> String {
    let (spanish, english) = match error {
        PathError::NotForDocuments => (
            "El certificado del firmante no es para firmar documentos.",
            "The signer's certificate is not for signing documents.".into(),
        ),
        PathError::WeakKey => (
            "Una autoridad del certificado del firmante tiene una clave débil.",
            "An authority of the signer's certificate has a weak key.".into(),
        ),
        PathError::WeakAlgorithm => (
            "Un certificado del camino se firmó con SHA-1 o MD5, que ya no son seguros.",
            "A certificate of the path was signed with SHA-1 or MD5, which are no longer safe.".into(),
        ),
        error => (
            "El certificado del firmante no lo respalda una autoridad de confianza.",
            format!("The signer's certificate is not trusted: {error}."),
        ),
    };
    language.pick(spanish.into(), english)
}

impl Change {
    /// The change as a sentence.
    pub fn text(&self, language: Language) -> String {
        let (spanish, english) = match self {
            Self::History => (
                "se reescribió su estructura".into(),
                "its structure was rewritten".into(),
            ),
            Self::Catalog => ("cambió su raíz".into(), "its root changed".into()),
            Self::Form => ("cambió su formulario".into(), "its form changed".into()),
            Self::Field(name) => (
                format!("cambió el campo «{name}»"),
                format!("the field “{name}” changed"),
            ),
            Self::LockedField(name) => (
                format!("se firmó el campo bloqueado «{name}»"),
                format!("the locked field “{name}” was signed"),
            ),
            Self::Certified => (
                "estaba certificado sin permitir cambios".into(),
                "it was certified with no changes allowed".into(),
            ),
            Self::Page(number) => (
                format!("cambió una página (objeto {number})"),
                format!("a page changed (object {number})"),
            ),
            Self::VisibleField(name) => (
                format!("se dibujó sobre la página en el campo nuevo «{name}»"),
                format!("something was drawn over the page in the new field “{name}”"),
            ),
            Self::Unbounded(name) => (
                format!("el campo «{name}» puede dibujar fuera de su recuadro"),
                format!("the field “{name}” can draw outside its rectangle"),
            ),
            Self::Evidence => (
                "se quitaron o cambiaron pruebas de su almacén de seguridad".into(),
                "evidence was removed from its security store, or exchanged".into(),
            ),
            Self::Object(number) => (
                format!("cambió el objeto {number}"),
                format!("object {number} changed"),
            ),
            Self::Removed(number) => (
                format!("se quitó el objeto {number}"),
                format!("object {number} was removed"),
            ),
            Self::CameToLife(number) => (
                format!("apareció el objeto {number}, que la versión firmada ya nombraba"),
                format!("object {number}, which the signed revision already named, came into being"),
            ),
            Self::Moved(number) => (
                format!("el objeto {number} se cambió por otro de la parte firmada"),
                format!("object {number} was exchanged for another of the signed part"),
            ),
            Self::Hidden(number) => (
                format!("esconde una segunda versión del objeto {number}"),
                format!("it hides a second version of object {number}"),
            ),
            Self::LooseBytes => (
                "se añadieron datos que no son parte de él".into(),
                "bytes were added that are no part of it".into(),
            ),
            Self::Unreadable(damage) => (
                "lo añadido está dañado".into(),
                format!("what was added is damaged ({damage})"),
            ),
        };
        let sentence = language.pick(
            format!("El documento cambió después de esta firma: {spanish}."),
            format!("The document changed after this signature: {english}."),
        );
        // The file chooses the names of its fields.
        escape(&sentence).into_owned()
    }
}
