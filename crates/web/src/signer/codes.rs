//! The codes that a form carries, and what was wrong with them.

use super::form_state::field;
use super::session::SignerSession;
use crate::page::request::PageRequest;
use crate::page::{FormFields, Lang};
use app::{CodeOutcome, TypedCodes};
use domain::{Channel, Code};

/// The codes of the form, by channel. A malformed code does not count as an attempt.
pub(crate) fn typed_codes(
    request: &PageRequest,
    signer_session: &SignerSession,
    form: &FormFields,
) -> Result<TypedCodes, Vec<(Channel, String)>> {
    let wanted = &signer_session.signing.codes;
    let typed = |channel| {
        let asked = wanted.iter().any(|code| code.channel == channel);
        asked.then(|| Code::typed(form.get(field(channel, wanted.len() > 1))))
    };
    let (email, sms) = (typed(Channel::Email), typed(Channel::Sms));
    let malformed = [(Channel::Email, &email), (Channel::Sms, &sms)]
        .into_iter()
        .filter(|(_, typed)| matches!(typed, Some(None)))
        .map(|(channel, _)| (channel, request.l().code_malformed().to_owned()));
    let malformed: Vec<_> = malformed.collect();
    if !malformed.is_empty() {
        return Err(malformed);
    }
    Ok(TypedCodes {
        email: email.flatten(),
        sms: sms.flatten(),
    })
}

/// The error of a wrong or expired code.
pub(crate) fn code_error<T>(l: Lang, outcome: &CodeOutcome<T>) -> Vec<(Channel, String)> {
    match outcome {
        CodeOutcome::Done(_) => Vec::new(),
        CodeOutcome::WrongCode { channel, tries_left } => vec![(*channel, l.wrong_code(*tries_left))],
        CodeOutcome::NoCode { channel } => vec![(*channel, l.code_gone().to_owned())],
    }
}
