//! Why an upload is refused, in a sentence for its sender.

use std::borrow::Cow;

use thiserror::Error;

use crate::damage::Damage;

/// The reason a file is refused. `Display` is English, for logs; [`Refused::message`] is for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The bytes are not a PDF.
    #[error("not a PDF")]
    NotPdf,
    /// A password or certificate is needed to read it.
    #[error("the file is encrypted")]
    Encrypted,
    /// Its author does not allow pages and signatures to be added.
    #[error("the permissions of the file forbid new pages and signatures")]
    Restricted,
    /// The file is broken, so that readers may disagree about what it says.
    #[error("the file is damaged: {0}")]
    Damaged(Damage),
    /// Larger than the limit, in bytes.
    #[error("the file is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// More pages than the limit.
    #[error("the file has more than {limit} pages")]
    TooManyPages {
        /// The limit.
        limit: usize,
    },
    /// Reading it would cost more than the limits allow.
    #[error("the file is too complex: {0}")]
    TooComplex(Damage),
    /// An image has more pixels than the limit.
    #[error("an image of the file is too large")]
    ImageTooLarge,
    /// There is no page to sign.
    #[error("the file has no pages")]
    NoPages,
    /// It holds active content, or content that cannot be shown on paper.
    #[error("the file contains {0}")]
    Forbidden(Forbidden),
    /// Its own signatures forbid any other.
    #[error("the file is locked against signing: {0}")]
    LockedAgainstSigning(Lock),
    /// It is built so that a signature could not be made, or not be verified afterwards.
    #[error("a signature of the file could not be verified")]
    Unverifiable,
    /// It shows less than it holds, or the shown part can change.
    #[error("the file hides content: {0}")]
    HiddenContent(Hidden),
}

/// Active content that is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Forbidden {
    /// JavaScript that runs without a click or a key press.
    #[error("JavaScript that runs by itself")]
    JavaScript,
    /// An action that opens a program or another file.
    #[error("a launch action")]
    Launch,
    /// An action that sends or loads form data.
    #[error("a submit or import action")]
    Submit,
    /// A dynamic XFA form.
    #[error("an XFA form")]
    Xfa,
    /// Sound, video or three-dimensional content.
    #[error("multimedia")]
    Multimedia,
    /// A collection of files presented as one.
    #[error("a portfolio")]
    Portfolio,
}

/// What locks a document against further signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Lock {
    /// Certified so that nothing may change.
    #[error("certified with no changes allowed")]
    Certified,
    /// A signature locks every field, or all but a few.
    #[error("a signature locks its fields")]
    Fields,
}

/// How content is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Hidden {
    /// Layers that are off, and layers or annotations that differ between screen and paper.
    #[error("layers or annotations that are not shown")]
    Layers,
    /// A second version of an object that no cross-reference lists, or a page that is no page of the document.
    #[error("object {0} is a second version or a spare page")]
    Shadow(u32),
    /// A form field that shows another text than its value.
    #[error("a form field shows another text than its value")]
    Field,
    /// A page draws a blank rectangle over its text.
    #[error("a blank rectangle over text")]
    Cover,
    /// An action changes what is shown when the document opens.
    #[error("an automatic action changes what is shown")]
    Action,
}

impl From<Damage> for Refused {
    fn from(damage: Damage) -> Self {
        match damage {
            Damage::Password | Damage::Encryption => Self::Encrypted,
            _ if damage.is_excess() => Self::TooComplex(damage),
            _ => Self::Damaged(damage),
        }
    }
}

/// A copy that has the pages alone.
const PRINT: &str = "Imprímalo como PDF y envíe el resultado.";
/// Any change of a file takes its signatures away.
const ASK_FOR_UNSIGNED: &str = "El PDF ya trae firmas, y al cambiarlo se perderían: pida a quien se lo entregó el original sin firmas y envíelo.";

impl Refused {
    /// The reason in Spanish, as a sentence for the person who sent the file, and what that person can do. Nobody is told to change a
    /// file that came signed.
    pub fn message(&self, signed: bool) -> Cow<'static, str> {
        let reason = self.reason();
        match self.remedy() {
            Some(_) if signed => format!("{reason} {ASK_FOR_UNSIGNED}").into(),
            Some(remedy) => format!("{reason} {remedy}").into(),
            None => reason,
        }
    }

    fn reason(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::NotPdf => "El archivo no es un documento PDF.",
            Self::Encrypted => {
                "El PDF está protegido: para abrirlo se necesita una contraseña o un certificado."
            }
            Self::Restricted => {
                "El autor del PDF no permite agregarle páginas ni firmas. Pídale una copia sin esa restricción y envíela."
            }
            Self::Damaged(_) => "El PDF está dañado o incompleto. Consiga otra copia del original y envíela.",
            Self::TooLarge { limit } => {
                return format!("El PDF pesa más de lo permitido ({} MB).", limit >> 20).into();
            }
            Self::TooManyPages { limit } => {
                return format!("El PDF tiene más de {limit} páginas, el máximo permitido.").into();
            }
            Self::TooComplex(_) => "El PDF es demasiado complejo para procesarlo.",
            Self::ImageTooLarge => "El PDF contiene una imagen demasiado grande.",
            Self::NoPages => "El PDF no tiene páginas.",
            Self::Forbidden(Forbidden::JavaScript) => {
                "El PDF contiene código JavaScript que se ejecuta por sí solo."
            }
            Self::Forbidden(Forbidden::Launch) => {
                "El PDF contiene una acción que abre programas u otros archivos."
            }
            Self::Forbidden(Forbidden::Submit) => "El PDF contiene una acción que envía o importa datos.",
            Self::Forbidden(Forbidden::Xfa) => "El PDF es un formulario dinámico (XFA).",
            Self::Forbidden(Forbidden::Multimedia) => "El PDF contiene sonido, video o contenido 3D.",
            Self::Forbidden(Forbidden::Portfolio) => {
                "El archivo es una cartera de documentos. Envíe cada documento por separado."
            }
            Self::LockedAgainstSigning(Lock::Certified) => {
                "El PDF fue certificado por su autor sin permitir cambios: no admite más firmas."
            }
            Self::LockedAgainstSigning(Lock::Fields) => {
                "Una firma del PDF bloquea sus campos: no admite más firmas."
            }
            Self::Unverifiable => {
                "El PDF está hecho de una forma que no permite verificar después una firma."
            }
            Self::HiddenContent(Hidden::Layers) => {
                "El PDF tiene capas o anotaciones ocultas o que cambian al imprimir."
            }
            Self::HiddenContent(Hidden::Shadow(_)) => "El PDF esconde una segunda versión de su contenido.",
            Self::HiddenContent(Hidden::Field) => {
                "Un campo del formulario muestra un texto distinto del que guarda."
            }
            Self::HiddenContent(Hidden::Cover) => "Una página del PDF tapa su texto con un rectángulo vacío.",
            Self::HiddenContent(Hidden::Action) => "El PDF cambia lo que muestra al abrirse.",
        })
    }

    /// How the file can be changed so that it is accepted, where it can.
    const fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Self::Encrypted => "Quítele la protección y envíelo de nuevo.",
            Self::ImageTooLarge => "Reduzca su resolución.",
            Self::Forbidden(Forbidden::Multimedia) => "Quítelos y envíelo de nuevo.",
            Self::HiddenContent(Hidden::Layers) => "Combínelas en una sola («aplanar») y envíelo de nuevo.",
            Self::HiddenContent(Hidden::Field) => "Imprima el PDF como PDF y envíe el resultado.",
            Self::TooComplex(_)
            | Self::Forbidden(
                Forbidden::JavaScript | Forbidden::Launch | Forbidden::Submit | Forbidden::Xfa,
            )
            | Self::Unverifiable
            | Self::HiddenContent(Hidden::Shadow(_) | Hidden::Cover | Hidden::Action) => PRINT,
            Self::NotPdf
            | Self::Restricted
            | Self::Damaged(_)
            | Self::TooLarge { .. }
            | Self::TooManyPages { .. }
            | Self::NoPages
            | Self::Forbidden(Forbidden::Portfolio)
            | Self::LockedAgainstSigning(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Forbidden, Hidden, Refused};
    use crate::damage::Damage;

    #[test]
    fn nobody_is_told_to_change_a_file_that_came_signed() {
        for refused in [
            Refused::Encrypted,
            Refused::TooComplex(Damage::TooSlow),
            Refused::ImageTooLarge,
            Refused::Forbidden(Forbidden::JavaScript),
            Refused::Forbidden(Forbidden::Xfa),
            Refused::Forbidden(Forbidden::Multimedia),
            Refused::Unverifiable,
            Refused::HiddenContent(Hidden::Layers),
            Refused::HiddenContent(Hidden::Shadow(7)),
            Refused::HiddenContent(Hidden::Field),
        ] {
            let advice = ["Imprima", "Imprímalo", "Quíte", "Reduzca", "Combín"];
            let advises = |said: &str| advice.iter().any(|word| said.contains(word));
            assert!(advises(&refused.message(false)), "{refused:?}");
            let said = refused.message(true);
            assert!(!advises(&said), "{said}");
            assert!(
                said.contains("pida a quien se lo entregó el original sin firmas"),
                "{said}"
            );
        }
        let damaged = Refused::Damaged(Damage::NoEnd);
        assert_eq!(damaged.message(true), damaged.message(false));
    }
}
