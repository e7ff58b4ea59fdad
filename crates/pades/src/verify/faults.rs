//! What is wrong with a file, in Spanish, and identity documents as people write them.

use crate::language::Language;
use pdf::inspect::Refused;
use pki::authority::PathError;
use pki::cms::CmsError;
use pki::time::TimeStampTokenError;

/// Why a file cannot be verified, as sentences. None advises to save or print it again: that would end its signatures.
pub(super) const fn refused_fault(refused: &Refused) -> &'static str {
    match refused {
        Refused::NotPdf => "El archivo no es un documento PDF.",
        Refused::Encrypted => {
            "El PDF está protegido con contraseña o cifrado, y no se puede verificar aquí. Pida una copia sin protección a \
             quien se lo entregó."
        }
        Refused::Damaged(_) => {
            "El archivo está dañado o incompleto, y no se puede verificar. Pida otra copia a quien se lo entregó."
        }
        Refused::TooLarge { .. } | Refused::TooManyPages { .. } | Refused::TooComplex(_) => {
            "El PDF es demasiado grande o complejo para verificarlo aquí."
        }
        Refused::NoPages => "El PDF no tiene páginas.",
        _ => "El PDF está hecho de una forma que no se puede verificar con seguridad.",
    }
}

/// The same in Portuguese.
pub(super) const fn refused_fault_in_portuguese(refused: &Refused) -> &'static str {
    match refused {
        Refused::NotPdf => "O arquivo não é um documento PDF.",
        Refused::Encrypted => {
            "O PDF está protegido com senha ou criptografado, e não pode ser verificado aqui. Peça uma cópia sem proteção a \
             quem o entregou."
        }
        Refused::Damaged(_) => {
            "O arquivo está danificado ou incompleto, e não pode ser verificado. Peça outra cópia a quem o entregou."
        }
        Refused::TooLarge { .. } | Refused::TooManyPages { .. } | Refused::TooComplex(_) => {
            "O PDF é grande ou complexo demais para ser verificado aqui."
        }
        Refused::NoPages => "O PDF não tem páginas.",
        _ => "O PDF é feito de uma forma que não pode ser verificada com segurança.",
    }
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

/// What is wrong with a CMS, in Spanish, as the end of a sentence.
pub fn cms_fault(error: &CmsError) -> String {
    match error {
        CmsError::TooLarge(_) => "es demasiado grande".into(),
        CmsError::Malformed(_) => "está mal construida".into(),
        CmsError::TrailingBytes => "la siguen datos que no son parte de ella".into(),
        CmsError::UnsupportedAlgorithm(oid) => format!("usa un algoritmo que no se reconoce ({oid})"),
        CmsError::WeakAlgorithm(name) => format!("usa {name}, un algoritmo de huella que ya no es seguro"),
        CmsError::WeakKey(bits) => format!("usa una clave débil, de {bits} bits"),
        CmsError::AlgorithmMismatch => "sus algoritmos se contradicen".into(),
        CmsError::SignerCount(count) => format!("tiene {count} firmantes en lugar de uno"),
        CmsError::ContentPlacement => "el contenido firmado no está donde debe".into(),
        CmsError::ContentType => "el tipo del contenido no es el que debe ser".into(),
        CmsError::MissingAttribute(name) => format!("le falta el atributo {name}"),
        CmsError::RepeatedAttribute(name) => format!("repite el atributo {name}"),
        CmsError::DigestMismatch => "el contenido no es el que se firmó".into(),
        CmsError::SignerCertificateMissing => "no incluye el certificado del firmante".into(),
        CmsError::SigningCertificateMismatch => "nombra otro certificado del firmante".into(),
        CmsError::BadSignature => "su valor es incorrecto".into(),
    }
}

/// What is wrong with a timestamp, in Spanish, as the end of a sentence.
pub fn timestamp_fault(error: &TimeStampTokenError) -> String {
    match error {
        TimeStampTokenError::Cms(error) => return cms_fault(error),
        TimeStampTokenError::Malformed(_) => "está mal construida",
        TimeStampTokenError::TooLarge => "es demasiado grande",
        TimeStampTokenError::Rejected(_) => "la autoridad no la dio",
        TimeStampTokenError::Imprint => "es de otros datos",
        TimeStampTokenError::Nonce => "responde a otra solicitud",
        TimeStampTokenError::Policy => "sigue una política distinta de la solicitada",
        TimeStampTokenError::Purpose => "su certificado no es de una autoridad de estampado",
        TimeStampTokenError::Expired => "su certificado no estaba vigente",
        TimeStampTokenError::Random => "no hubo números aleatorios",
        TimeStampTokenError::Future => "su fecha aún no llega",
        TimeStampTokenError::Order => "una estampa que la cubre es anterior",
        TimeStampTokenError::Clock => "el reloj de la autoridad está mal",
    }
    .into()
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
    use super::identity_document;
    use crate::language::Language;

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
