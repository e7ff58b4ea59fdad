//! The result in words for people.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use pki::authority::PathError;
use pki::cms::CmsError;
use pki::escape::escape;

use super::faults::{cms_fault, refused_fault, timestamp_fault};
use super::reason::{Change, Reason, Verdict};
use super::report::{FileVerdict, Report, SignatureKind, SignatureReport};
use crate::language::Language;

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
        if !self.unread_validation_data.is_empty() {
            let objects: Vec<_> = self.unread_validation_data.iter().map(u32::to_string).collect();
            let objects = objects.join(", ");
            lines.push(language.pick(
                format!("Pruebas del almacén de seguridad que no se pudieron leer: objetos {objects}."),
                format!("Evidence of the security store that could not be read: objects {objects}."),
                format!("Provas do repositório de segurança que não puderam ser lidas: objetos {objects}."),
            ));
        }
        lines.join("\n")
    }

    /// The verdict on the file as a sentence.
    pub fn sentence(&self, language: Language) -> String {
        if self.lacks_only_issuer() {
            return language
                .pick(
                    "Las firmas están íntegras, pero no se conoce su emisor.",
                    "The signatures are intact, but their issuer is not known.",
                    "As assinaturas estão íntegras, mas o seu emissor não é conhecido.",
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
            Self::Unreadable(refused) => return refused_fault(refused, language),
            Self::Unsigned => (
                "El documento no está firmado.",
                "The document is not signed.",
                "O documento não está assinado.",
            ),
            Self::OnlyTimestamps => (
                "El documento no tiene firmas de personas, solo estampas de tiempo.",
                "The document has no signature of a person, only timestamps.",
                "O documento não tem assinaturas de pessoas, somente carimbos do tempo.",
            ),
            Self::Valid => (
                "Todas las firmas del documento son válidas.",
                "Every signature of the document is valid.",
                "Todas as assinaturas do documento são válidas.",
            ),
            Self::Indeterminate => (
                "Las firmas están íntegras, pero no todo se pudo comprobar.",
                "The signatures are intact, but not everything about them could be checked.",
                "As assinaturas estão íntegras, mas nem tudo pôde ser verificado.",
            ),
            Self::Invalid => (
                "El documento tiene una firma que no es válida.",
                "A signature of the document is not valid.",
                "O documento tem uma assinatura que não é válida.",
            ),
        };
        language.pick(sentence.0, sentence.1, sentence.2).into()
    }
}

impl SignatureReport {
    /// The signature in one line.
    pub fn text(&self, language: Language) -> String {
        let kind = match self.kind {
            SignatureKind::Approval => language.pick("Firma", "Signature", "Assinatura"),
            SignatureKind::Certification(_) => {
                language.pick("Certificación", "Certification", "Certificação")
            }
            SignatureKind::Timestamp => language.pick("Estampa de tiempo", "Timestamp", "Carimbo do tempo"),
        };
        let verdict = match self.verdict {
            Verdict::Valid => language.pick("válida", "valid", "válida"),
            Verdict::Indeterminate => language.pick(
                "sin comprobar del todo",
                "not fully checked",
                "não verificada por completo",
            ),
            Verdict::Invalid => language.pick("no válida", "not valid", "não válida"),
        };
        let signer = self.signer.as_deref().unwrap_or(language.pick(
            "firmante desconocido",
            "unknown signer",
            "signatário desconhecido",
        ));
        let (open, close) = language.pick(("«", "»"), ("“", "”"), ("“", "”"));
        escape(&format!(
            "{kind} {open}{}{close}, {signer}: {verdict}",
            self.field
        ))
        .into_owned()
    }
}

impl Reason {
    /// The reason as a sentence.
    pub fn text(&self, language: Language) -> String {
        let sentence = match self {
            Self::Malformed(_) => (
                "La firma está mal construida.",
                "The signature is malformed.",
                "A assinatura está malformada.",
            ),
            Self::UnsupportedFormat => (
                "El formato de la firma no se reconoce.",
                "The format of the signature is not supported.",
                "O formato da assinatura não é reconhecido.",
            ),
            Self::ByteRange => (
                "La firma no cubre exactamente el documento que la rodea.",
                "The signature does not cover exactly the document around it.",
                "A assinatura não cobre exatamente o documento que a contém.",
            ),
            Self::SharedRange => (
                "Otra firma dice cubrir los mismos datos.",
                "Another signature claims to cover the same bytes.",
                "Outra assinatura diz cobrir os mesmos dados.",
            ),
            Self::NotARevision => (
                "Lo que cubre la firma no es un documento completo que la contenga.",
                "What the signature covers is not a whole document that contains it.",
                "O que a assinatura cobre não é um documento completo que a contenha.",
            ),
            Self::DamagedRevision(damage) => {
                return language.pick(
                    "La versión firmada está dañada.".into(),
                    format!("The signed revision is damaged ({damage})."),
                    "A versão assinada está danificada.".into(),
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
                    "Algo foi acrescentado ao documento e uma parte da versão assinada não pode ser lida: não se sabe se o \
                     acréscimo muda o que ele mostra."
                        .into(),
                );
            }
            Self::Changed(change) => return change.text(language),
            Self::Cms(error) => return cms_text(error, language),
            Self::Timestamp(error) => {
                let fault = timestamp_fault(error, language);
                return language.pick(
                    format!("La estampa de tiempo no es válida: {fault}."),
                    format!("The timestamp does not hold ({fault})."),
                    format!("O carimbo do tempo não é válido: {fault}."),
                );
            }
            Self::SignatureTimestamp(error) => {
                let fault = timestamp_fault(error, language);
                return language.pick(
                    format!("La estampa de tiempo de la firma no es válida: {fault}."),
                    format!("The timestamp of the signature proves nothing ({fault})."),
                    format!("O carimbo do tempo da assinatura não é válido: {fault}."),
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
                    format!("A hora da assinatura não é certificada por uma autoridade confiável. {reason}"),
                );
            }
            Self::Expired => (
                "El certificado del firmante no estaba vigente, o no hay prueba de cuándo firmó.",
                "A certificate was not valid at the time, or the time of signing is not proved.",
                "O certificado do signatário não estava vigente, ou não há prova de quando assinou.",
            ),
            Self::Revoked(since) => return revoked_text(*since, language),
            Self::RevocationUnknown => (
                "No hay información sobre si el certificado fue revocado.",
                "Nothing says whether the certificate was revoked.",
                "Não há informação sobre se o certificado foi revogado.",
            ),
            Self::ForeignRevocationUnknown => (
                "El certificado es de otra autoridad, y el archivo no trae información sobre si fue revocado.",
                "The certificate is another authority's, and nothing in the file says whether it was revoked.",
                "O certificado é de outra autoridade, e o arquivo não diz se foi revogado.",
            ),
        };
        language.pick(sentence.0, sentence.1, sentence.2).into()
    }
}

fn revoked_text(since: Timestamp, language: Language) -> String {
    let since = language.date_and_time(&since.to_zoned(TimeZone::UTC));
    language.pick(
        format!("El certificado del firmante fue revocado el {since}."),
        format!("The signer's certificate was revoked on {since}."),
        format!("O certificado do signatário foi revogado em {since}."),
    )
}

/// What is wrong with the signature itself.
fn cms_text(error: &CmsError, language: Language) -> String {
    let (spanish, english, portuguese) = match error {
        CmsError::DigestMismatch => (
            "El documento no es el que se firmó: su contenido cambió.".into(),
            "The document is not the one that was signed: its content changed.".into(),
            "O documento não é o que foi assinado: o seu conteúdo mudou.".into(),
        ),
        CmsError::WeakKey(bits) => (
            format!("La firma usa una clave débil, de {bits} bits."),
            format!("The signature uses a weak key of {bits} bits."),
            format!("A assinatura usa uma chave fraca, de {bits} bits."),
        ),
        CmsError::WeakAlgorithm(name) => (
            format!("La firma usa {name}, un algoritmo de huella que ya no es seguro."),
            format!("The signature uses {name}, a digest algorithm that is no longer safe."),
            format!("A assinatura usa {name}, um algoritmo de hash que já não é seguro."),
        ),
        CmsError::UnsupportedAlgorithm(name) => (
            format!("La firma no se puede comprobar: usa un algoritmo que no se reconoce ({name})."),
            format!("The signature cannot be checked: it uses an algorithm that is not known here ({name})."),
            format!("A assinatura não pode ser verificada: usa um algoritmo que não é reconhecido ({name})."),
        ),
        error => {
            let fault = cms_fault(error, language);
            return language.pick(
                format!("La firma no es válida: {fault}."),
                format!("The signature does not hold ({fault})."),
                format!("A assinatura não é válida: {fault}."),
            );
        }
    };
    language.pick(spanish, english, portuguese)
}

/// Why the signer's certificate is not trusted.
fn path_text(error: PathError, language: Language) -> String {
    let (spanish, english, portuguese) = match error {
        PathError::NotForDocuments => (
            "El certificado del firmante no es para firmar documentos.",
            "The signer's certificate is not for signing documents.".into(),
            "O certificado do signatário não é para assinar documentos.",
        ),
        PathError::WeakKey => (
            "Una autoridad del certificado del firmante tiene una clave débil.",
            "An authority of the signer's certificate has a weak key.".into(),
            "Uma autoridade do certificado do signatário tem uma chave fraca.",
        ),
        PathError::WeakAlgorithm => (
            "Un certificado de la cadena se firmó con SHA-1 o MD5, que ya no son seguros.",
            "A certificate of the path was signed with SHA-1 or MD5, which are no longer safe.".into(),
            "Um certificado da cadeia foi assinado com SHA-1 ou MD5, que já não são seguros.",
        ),
        error => (
            "Ninguna autoridad de confianza respalda el certificado del firmante.",
            format!("The signer's certificate is not trusted: {error}."),
            "O certificado do signatário não é reconhecido por uma autoridade confiável.",
        ),
    };
    language.pick(spanish.into(), english, portuguese.into())
}

impl Change {
    /// The change as a sentence.
    pub fn text(&self, language: Language) -> String {
        let (spanish, english, portuguese) = match self {
            Self::History => (
                "se reescribió su estructura".into(),
                "its structure was rewritten".into(),
                "a sua estrutura foi reescrita".into(),
            ),
            Self::Catalog => (
                "cambió su catálogo".into(),
                "its catalog changed".into(),
                "o seu catálogo mudou".into(),
            ),
            Self::Form => (
                "cambió su formulario".into(),
                "its form changed".into(),
                "o seu formulário mudou".into(),
            ),
            Self::Field(name) => (
                format!("cambió el campo «{name}»"),
                format!("the field “{name}” changed"),
                format!("o campo “{name}” mudou"),
            ),
            Self::LockedField(name) => (
                format!("se firmó el campo bloqueado «{name}»"),
                format!("the locked field “{name}” was signed"),
                format!("o campo bloqueado “{name}” foi assinado"),
            ),
            Self::Certified => (
                "estaba certificado sin permitir cambios".into(),
                "it was certified with no changes allowed".into(),
                "estava certificado sem permitir alterações".into(),
            ),
            Self::Page(number) => (
                format!("cambió una página (objeto {number})"),
                format!("a page changed (object {number})"),
                format!("uma página mudou (objeto {number})"),
            ),
            Self::VisibleField(name) => (
                format!("se dibujó sobre la página en el campo nuevo «{name}»"),
                format!("something was drawn over the page in the new field “{name}”"),
                format!("algo foi desenhado sobre a página no novo campo “{name}”"),
            ),
            Self::Unbounded(name) => (
                format!("el campo «{name}» puede dibujar fuera de su recuadro"),
                format!("the field “{name}” can draw outside its rectangle"),
                format!("o campo “{name}” pode desenhar fora do seu retângulo"),
            ),
            Self::ValidationData => (
                "se quitaron o cambiaron pruebas de su almacén de seguridad".into(),
                "evidence was removed from its security store, or exchanged".into(),
                "provas do seu repositório de segurança foram removidas ou trocadas".into(),
            ),
            Self::Object(number) => (
                format!("cambió el objeto {number}"),
                format!("object {number} changed"),
                format!("o objeto {number} mudou"),
            ),
            Self::Removed(number) => (
                format!("se quitó el objeto {number}"),
                format!("object {number} was removed"),
                format!("o objeto {number} foi removido"),
            ),
            Self::CameToLife(number) => (
                format!("apareció el objeto {number}, que la versión firmada ya nombraba"),
                format!("object {number}, which the signed revision already named, came into being"),
                format!("surgiu o objeto {number}, que a versão assinada já nomeava"),
            ),
            Self::Moved(number) => (
                format!("el objeto {number} se cambió por otro de la parte firmada"),
                format!("object {number} was exchanged for another of the signed part"),
                format!("o objeto {number} foi trocado por outro da parte assinada"),
            ),
            Self::Hidden(number) => (
                format!("esconde una segunda versión del objeto {number}"),
                format!("it hides a second version of object {number}"),
                format!("esconde uma segunda versão do objeto {number}"),
            ),
            Self::LooseBytes => (
                "se agregaron datos que no son parte de él".into(),
                "bytes were added that are no part of it".into(),
                "foram acrescentados dados que não fazem parte dele".into(),
            ),
            Self::Unreadable(damage) => (
                "lo agregado está dañado".into(),
                format!("what was added is damaged ({damage})"),
                "o que foi acrescentado está danificado".into(),
            ),
        };
        let sentence = language.pick(
            format!("El documento cambió después de esta firma: {spanish}."),
            format!("The document changed after this signature: {english}."),
            format!("O documento mudou depois desta assinatura: {portuguese}."),
        );
        // The file chooses the names of its fields.
        escape(&sentence).into_owned()
    }
}
