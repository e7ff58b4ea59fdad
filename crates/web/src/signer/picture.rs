//! The picture of a signature on the form: drawn in a pad, or typed where nothing was drawn.

use crate::page::{FormFields, Lang};
use domain::picture::{MAX_TYPED_CHARS, PICTURE_AREA};
use domain::{PicturePolicy, SignaturePicture};

/// What was drawn and typed, with its error.
#[derive(Debug, Clone, Default)]
pub(crate) struct PictureForm {
    pub(crate) strokes: String,
    pub(crate) name: String,
    pub(crate) error: Option<&'static str>,
}

/// The part of the form.
#[derive(Debug, Clone)]
pub(crate) struct PictureView {
    pub(crate) required: bool,
    pub(crate) form: PictureForm,
}

impl PictureView {
    /// The width and height of the pad.
    #[allow(clippy::unused_self, reason = "templates ask the view")]
    pub(crate) const fn area(&self) -> [u16; 2] {
        PICTURE_AREA
    }

    #[allow(clippy::unused_self, reason = "templates ask the view")]
    pub(crate) const fn max_letters(&self) -> usize {
        MAX_TYPED_CHARS
    }

    /// The part of the form for a company of that policy, if it has one.
    pub(crate) fn of(policy: PicturePolicy, form: &PictureForm) -> Option<Self> {
        (policy != PicturePolicy::Off).then(|| Self {
            required: policy == PicturePolicy::Required,
            form: form.clone(),
        })
    }
}

/// The picture of the form; or the form with its error.
pub(crate) fn picture_of(
    l: Lang,
    policy: PicturePolicy,
    fields: &FormFields,
) -> Result<(Option<SignaturePicture>, PictureForm), PictureForm> {
    let form = PictureForm {
        strokes: fields.get("picture_strokes").to_owned(),
        name: fields.get("picture_name").trim().to_owned(),
        error: None,
    };
    if policy == PicturePolicy::Off {
        return Ok((None, PictureForm::default()));
    }
    let wrong = |error| PictureForm {
        error: Some(error),
        ..form.clone()
    };
    let picture = if !form.strokes.is_empty() {
        let drawn = SignaturePicture::drawn(&form.strokes);
        let without = || PictureForm {
            strokes: String::new(),
            ..wrong(l.picture_malformed())
        };
        Some(drawn.map_err(|_| without())?)
    } else if !form.name.is_empty() {
        let typed = SignaturePicture::typed(&form.name);
        Some(typed.map_err(|_| wrong(l.picture_name_malformed()))?)
    } else if policy == PicturePolicy::Required {
        return Err(wrong(l.picture_missing()));
    } else {
        None
    };
    Ok((picture, form))
}
