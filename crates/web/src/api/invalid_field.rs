//! A field with an invalid value.

use domain::FieldError;
use std::borrow::Cow;

/// A field with an invalid value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InvalidField {
    pub(crate) field: Cow<'static, str>,
    pub(crate) problem: FieldError,
}

impl InvalidField {
    pub(crate) fn new(field: impl Into<Cow<'static, str>>, problem: FieldError) -> Self {
        Self {
            field: field.into(),
            problem,
        }
    }
}
