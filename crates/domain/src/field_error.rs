//! Errors of one input value.

/// Why a value is refused. The caller knows the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// Absent, empty, or blanks only.
    #[error("is required")]
    Missing,
    /// Given more than once.
    #[error("was given more than once")]
    Repeated,
    /// An object with two members of one name.
    #[error("has an object with a member twice")]
    RepeatedMember,
    /// More characters than allowed.
    #[error("is longer than {max} characters")]
    TooLong {
        /// The most characters allowed.
        max: usize,
    },
    /// Fewer characters than needed.
    #[error("is shorter than {min} characters")]
    TooShort {
        /// The fewest characters needed.
        min: usize,
    },
    /// More elements than allowed.
    #[error("has more than {max} elements")]
    TooMany {
        /// The most elements allowed.
        max: usize,
    },
    /// An element that is in the list twice.
    #[error("has an element twice")]
    Duplicate,
    /// Control characters, or bytes that are not text.
    #[error("has characters that are not allowed")]
    Characters,
    /// A name that only the service itself bears.
    #[error("is a name of the service's own")]
    ServiceName,
    /// Not one of the words allowed.
    #[error("is none of {allowed:?}")]
    NotOneOf {
        /// The words allowed.
        allowed: &'static [&'static str],
    },
    /// Not an email address.
    #[error("is not an email address")]
    NotEmail,
    /// Not a phone number.
    #[error("is not a phone number")]
    NotMobile,
    /// Not an absolute http or https address.
    #[error("is not an absolute http or https address")]
    NotUrl,
    /// Not an identification number.
    #[error("is not an identification number")]
    NotDocumentNumber,
    /// Not JSON of the shape expected.
    #[error("is not JSON of the expected shape")]
    NotJson,
    /// Not base64.
    #[error("is not base64")]
    NotBase64,
    /// Belongs to a form that was not chosen.
    #[error("does not belong to this form")]
    Unexpected,
}
