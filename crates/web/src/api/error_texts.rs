//! Error messages of the API, in Spanish.

use super::invalid_field::InvalidField;
use app::shared::error::{Unfit, UnfitDocument};
use domain::FieldError;

/// The message for an invalid field, with its name.
pub(crate) fn invalid_field(invalid_field: &InvalidField) -> String {
    let field = &invalid_field.field;
    match &invalid_field.problem {
        FieldError::Missing => format!("El parámetro ({field}) es obligatorio."),
        FieldError::Repeated => format!("El parámetro ({field}) se envió más de una vez."),
        FieldError::RepeatedMember => {
            format!("El parámetro ({field}) contiene un objeto con un miembro repetido.")
        }
        FieldError::TooLong { max } => format!("El parámetro ({field}) no puede superar {max} caracteres."),
        FieldError::TooShort { min } => {
            format!("El parámetro ({field}) debe tener al menos {min} caracteres.")
        }
        FieldError::TooMany { max } => {
            format!("El parámetro ({field}) no puede tener más de {max} elementos.")
        }
        FieldError::Duplicate => format!("El parámetro ({field}) contiene elementos repetidos."),
        FieldError::Characters => format!("El parámetro ({field}) contiene caracteres no permitidos."),
        FieldError::ServiceName => format!("El parámetro ({field}) es un nombre reservado para el servicio."),
        FieldError::NotOneOf { allowed } => {
            format!(
                "El parámetro ({field}) debe ser uno de estos valores: {}.",
                allowed.join(", ")
            )
        }
        FieldError::NotEmail => format!("El parámetro ({field}) no es un correo electrónico válido."),
        FieldError::NotMobile => format!("El parámetro ({field}) no es un número de celular válido."),
        FieldError::NotUrl => format!("El parámetro ({field}) no es una URL válida."),
        FieldError::NotDocumentNumber => {
            format!("El parámetro ({field}) no es un número de documento válido.")
        }
        FieldError::NotJson => format!("El parámetro ({field}) no contiene un formato válido."),
        FieldError::NotBase64 => format!("El parámetro ({field}) no contiene base64 válido."),
        FieldError::Unexpected => {
            format!("El parámetro ({field}) no corresponde al tipo de archivo (fileType) indicado.")
        }
    }
}

/// The message for a document that is refused, with its name.
pub(crate) fn unfit(unfit: &UnfitDocument) -> String {
    let name = unfit.name.as_str();
    match &unfit.why {
        Unfit::TooLarge { max } => {
            format!(
                "El documento ({name}) supera el tamaño permitido de {} MB.",
                max >> 20
            )
        }
        Unfit::TooLargeTogether { max } => {
            format!(
                "El documento ({name}) sobra: los documentos juntos superan el tamaño permitido de {} MB.",
                max >> 20
            )
        }
        Unfit::TooMany { max } => {
            format!("El documento ({name}) sobra: un folio admite como máximo {max} documentos.")
        }
        Unfit::TooManyFolios { max } => format!(
            "El documento ({name}) es demasiado complejo para tantos folios a la vez: con él se crean como máximo {max}. \
             Divida el archivo."
        ),
        Unfit::Refused { refused, signed } => {
            let why = refused.message(*signed);
            format!("El documento ({name}) no puede firmarse. {why}")
        }
    }
}
