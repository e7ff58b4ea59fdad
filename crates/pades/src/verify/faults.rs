//! What is wrong with a file or a signature, and identity documents as people write them.

use crate::language::Language;
use pdf::inspect::Refused;
use pki::authority::PathError;
use pki::cms::CmsError;
use pki::time::TimeStampTokenError;

/// Why a file cannot be verified, as sentences. None advises to save or print it again: that would end its signatures.
pub(super) fn refused_fault(refused: &Refused, language: Language) -> String {
    let (spanish, portuguese) = match refused {
        Refused::NotPdf => (
            "El archivo no es un documento PDF.",
            "O arquivo não é um documento PDF.",
        ),
        Refused::Encrypted => (
            "El PDF está protegido con contraseña o cifrado, y no se puede verificar aquí. Pida una copia sin protección a \
             quien se lo entregó.",
            "O PDF está protegido com senha ou criptografado, e não pode ser verificado aqui. Peça uma cópia sem proteção a \
             quem o entregou.",
        ),
        Refused::Damaged(_) => (
            "El archivo está dañado o incompleto, y no se puede verificar. Pida otra copia a quien se lo entregó.",
            "O arquivo está danificado ou incompleto, e não pode ser verificado. Peça outra cópia a quem o entregou.",
        ),
        Refused::TooLarge { .. } | Refused::TooManyPages { .. } | Refused::TooComplex(_) => (
            "El PDF es demasiado grande o complejo para verificarlo aquí.",
            "O PDF é grande ou complexo demais para ser verificado aqui.",
        ),
        Refused::NoPages => ("El PDF no tiene páginas.", "O PDF não tem páginas."),
        _ => (
            "El PDF está hecho de una forma que no se puede verificar con seguridad.",
            "O PDF é feito de uma forma que não pode ser verificada com segurança.",
        ),
    };
    let english = format!("The file cannot be verified: {refused}.");
    language.pick(spanish.into(), english, portuguese.into())
}

/// The identity document of a certificate as people write it: `CC 1020304050` for `IDCCO-1020304050`. The schemes are those
/// of ETSI EN 319 412-1, section 5.1.3.
pub fn identity_document(serial_number: &str, language: Language) -> String {
    let shown = serial_number.split_once('-').and_then(|(scheme, number)| {
        let (kind, country) = scheme.split_at_checked(3)?;
        let kind = match (kind, country) {
            ("IDC", "CO") => "CC",
            ("TIN", "CO") => "NIT",
            ("CE:", "CO") => "CE",
            ("TI:", "CO") => "TI",
            ("PAS", _) => language.pick("Pasaporte", "Passport", "Passaporte"),
            ("IDC" | "PNO", _) => language.pick(
                "Documento de identidad",
                "Identity document",
                "Documento de identidade",
            ),
            ("TIN", _) => language.pick("Número tributario", "Tax number", "Número tributário"),
            _ => return None,
        };
        Some(if country == "CO" {
            format!("{kind} {number}")
        } else {
            format!("{kind} {number} ({country})")
        })
    });
    shown.unwrap_or_else(|| serial_number.to_owned())
}

/// What is wrong with a CMS, as the end of a sentence about a signature, a seal or a timestamp.
pub fn cms_fault(error: &CmsError, language: Language) -> String {
    let (spanish, portuguese) = match error {
        CmsError::TooLarge(_) => ("es demasiado grande", "é grande demais"),
        CmsError::Malformed(_) => ("está mal construida", "tem uma forma errada"),
        CmsError::TrailingBytes => (
            "la siguen datos que no son parte de ella",
            "tem a seguir dados que não lhe pertencem",
        ),
        CmsError::UnsupportedAlgorithm(oid) => {
            return language.pick(
                format!("usa un algoritmo que no se reconoce ({oid})"),
                error.to_string(),
                format!("usa um algoritmo que não é reconhecido ({oid})"),
            );
        }
        CmsError::WeakAlgorithm(name) => {
            return language.pick(
                format!("usa {name}, un algoritmo de huella que ya no es seguro"),
                error.to_string(),
                format!("usa {name}, um algoritmo de hash que já não é seguro"),
            );
        }
        CmsError::WeakKey(bits) => {
            return language.pick(
                format!("usa una clave débil, de {bits} bits"),
                error.to_string(),
                format!("usa uma chave fraca, de {bits} bits"),
            );
        }
        CmsError::SignerCount(count) => {
            return language.pick(
                format!("tiene {count} firmantes en lugar de uno"),
                error.to_string(),
                format!("tem {count} signatários em vez de um"),
            );
        }
        CmsError::MissingAttribute(name) => {
            return language.pick(
                format!("le falta el atributo {name}"),
                error.to_string(),
                format!("falta o atributo {name}"),
            );
        }
        CmsError::RepeatedAttribute(name) => {
            return language.pick(
                format!("repite el atributo {name}"),
                error.to_string(),
                format!("repete o atributo {name}"),
            );
        }
        CmsError::AlgorithmMismatch => (
            "sus algoritmos se contradicen",
            "os seus algoritmos se contradizem",
        ),
        CmsError::ContentPlacement => (
            "el contenido firmado no está donde debe",
            "o conteúdo assinado não está onde deve",
        ),
        CmsError::ContentType => (
            "el tipo del contenido no es el que debe ser",
            "o tipo do conteúdo não é o que deve ser",
        ),
        CmsError::DigestMismatch => (
            "el contenido no es el que se firmó",
            "o conteúdo não é o que foi assinado",
        ),
        CmsError::SignerCertificateMissing => (
            "no incluye el certificado del firmante",
            "não inclui o certificado do signatário",
        ),
        CmsError::SigningCertificateMismatch => (
            "nombra otro certificado del firmante",
            "nomeia outro certificado do signatário",
        ),
        CmsError::BadSignature => ("su valor es incorrecto", "o seu valor é incorreto"),
    };
    language.pick(spanish.into(), error.to_string(), portuguese.into())
}

/// What is wrong with a timestamp, as the end of a sentence.
pub fn timestamp_fault(error: &TimeStampTokenError, language: Language) -> String {
    let (spanish, portuguese) = match error {
        TimeStampTokenError::Cms(error) => return cms_fault(error, language),
        TimeStampTokenError::Malformed(_) => ("está mal construida", "está malformado"),
        TimeStampTokenError::TooLarge => ("es demasiado grande", "é grande demais"),
        TimeStampTokenError::Rejected(_) => ("la autoridad no la dio", "a autoridade não o deu"),
        TimeStampTokenError::Imprint => ("es de otros datos", "é de outros dados"),
        TimeStampTokenError::Nonce => ("responde a otra solicitud", "responde a outro pedido"),
        TimeStampTokenError::Policy => (
            "sigue una política distinta de la solicitada",
            "segue uma política diferente da pedida",
        ),
        TimeStampTokenError::Purpose => (
            "su certificado no es de una autoridad de estampado",
            "o seu certificado não é de uma autoridade de carimbo do tempo",
        ),
        TimeStampTokenError::Expired => (
            "su certificado no estaba vigente",
            "o seu certificado não estava vigente",
        ),
        TimeStampTokenError::Random => ("no hubo números aleatorios", "não houve números aleatórios"),
        TimeStampTokenError::Future => ("su fecha aún no llega", "a sua data ainda não chegou"),
        TimeStampTokenError::Order => (
            "una estampa que la cubre es anterior",
            "um carimbo que o cobre é anterior",
        ),
        TimeStampTokenError::Clock => (
            "el reloj de la autoridad está mal",
            "o relógio da autoridade está errado",
        ),
    };
    language.pick(spanish.into(), error.to_string(), portuguese.into())
}

/// What is wrong with the path of a certificate, in Spanish, as the end of a sentence.
pub const fn path_fault(error: PathError) -> &'static str {
    match error {
        PathError::NoIssuer => "ninguna cadena lleva a una raíz de confianza",
        PathError::NotAuthority => "uno de los certificados no es de una autoridad",
        PathError::NameConstraints => "una autoridad no podía dar ese nombre",
        PathError::CriticalExtension => "tiene una extensión crítica que no se reconoce",
        PathError::BadSignature => "una firma de la cadena es incorrecta",
        PathError::WeakKey => "una clave de la cadena es débil",
        PathError::WeakAlgorithm => "la cadena usa SHA-1 o MD5, que ya no son seguros",
        PathError::NotValidAt => "un certificado de la cadena no estaba vigente",
        PathError::NotForDocuments => "no es para firmar documentos",
        PathError::TooComplex => "la cadena es demasiado larga",
    }
}

#[cfg(test)]
mod tests {
    use super::{cms_fault, identity_document, refused_fault, timestamp_fault};
    use crate::language::Language;
    use pdf::Damage;
    use pdf::inspect::{Forbidden, Hidden, Lock, Refused};
    use pki::cms::CmsError;
    use pki::time::TimeStampTokenError;

    #[test]
    fn a_fault_is_said_in_each_language() {
        let wrong = TimeStampTokenError::Cms(CmsError::WeakKey(512));
        for (language, said) in [
            (Language::Spanish, "usa una clave débil, de 512 bits".to_owned()),
            (Language::English, CmsError::WeakKey(512).to_string()),
            (
                Language::Portuguese,
                "usa uma chave fraca, de 512 bits".to_owned(),
            ),
        ] {
            assert_eq!(timestamp_fault(&wrong, language), said);
        }
        let said = cms_fault(&CmsError::BadSignature, Language::Portuguese);
        assert_eq!(said, "o seu valor é incorreto");
    }

    #[test]
    fn nobody_is_told_to_print_or_save_a_signed_file_anew() {
        let refused = [
            Refused::NotPdf,
            Refused::Encrypted,
            Refused::Restricted,
            Refused::Damaged(Damage::NoEnd),
            Refused::Damaged(Damage::ReadersDisagree),
            Refused::TooLarge { limit: 1 },
            Refused::TooManyPages { limit: 1 },
            Refused::TooComplex(Damage::TooSlow),
            Refused::ImageTooLarge,
            Refused::NoPages,
            Refused::Forbidden(Forbidden::Xfa),
            Refused::LockedAgainstSigning(Lock::Certified),
            Refused::Unverifiable,
            Refused::HiddenContent(Hidden::Layers),
        ];
        for refused in refused {
            for language in [Language::Spanish, Language::English, Language::Portuguese] {
                let said = refused_fault(&refused, language);
                let words = said.to_lowercase();
                for advice in ["imprim", "guard", "salv", "print", "save"] {
                    assert!(!words.contains(advice), "{language:?}: {said}");
                }
            }
        }
    }

    #[test]
    fn an_identity_document_is_written_as_people_do() {
        for (certificate, people) in [
            ("IDCCO-1020304050", "CC 1020304050"),
            ("TINCO-900123456-7", "NIT 900123456-7"),
            ("CE:CO-52123456", "CE 52123456"),
            ("TI:CO-1", "TI 1"),
            ("PASES-AB12", "Pasaporte AB12 (ES)"),
            ("IDCBE-1", "Documento de identidad 1 (BE)"),
            ("12345", "12345"),
            ("ñandú-1", "ñandú-1"),
        ] {
            assert_eq!(identity_document(certificate, Language::Spanish), people);
        }
        let english = identity_document("PASES-AB12", Language::English);
        assert_eq!(english, "Passport AB12 (ES)");
    }
}
