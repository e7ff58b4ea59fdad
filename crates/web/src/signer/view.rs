//! View models that several templates share.

use super::picture::PictureView;
use crate::page::Lang;
use app::signing::consent::Consent;
use domain::{Channel, NewSigner, mask};

/// The base address of the party's forms and files, and the CSRF token.
#[derive(Debug, Clone)]
pub(crate) struct FormTarget {
    /// `/sign/{party}`.
    pub(crate) path: String,
    pub(crate) csrf: String,
    /// How long the session lasts without use, in seconds.
    pub(crate) seconds_left: u64,
}

/// The steps of signing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Read,
    Accept,
    Code,
    Done,
}

impl Step {
    pub(crate) const ALL: [Self; 4] = [Self::Read, Self::Accept, Self::Code, Self::Done];

    pub(crate) const fn name(self, l: Lang) -> &'static str {
        match self {
            Self::Read => l.step_read(),
            Self::Accept => l.step_accept(),
            Self::Code => l.step_code(),
            Self::Done => l.step_done(),
        }
    }
}

/// A code that the form asks for.
#[derive(Debug, Clone)]
pub(crate) struct CodeView {
    pub(crate) channel: Channel,
    /// The name of its field.
    pub(crate) field: &'static str,
    /// Where it goes, masked.
    pub(crate) to: String,
    /// When it was sent, if it was and is still good.
    pub(crate) sent: Option<SentView>,
    /// Why the last code is no longer valid.
    pub(crate) gone: Option<&'static str>,
    /// Whether it could not be delivered.
    pub(crate) lost: bool,
    /// The error of the field.
    pub(crate) error: Option<String>,
}

/// A code that is on its way.
#[derive(Debug, Clone)]
pub(crate) struct SentView {
    /// When it expires, in words and in seconds from now.
    pub(crate) good_until: String,
    pub(crate) good_for: u64,
}

/// When the next code may be requested, in words and in seconds from now.
#[derive(Debug, Clone)]
pub(crate) struct Pause {
    pub(crate) until: String,
    pub(crate) seconds: u64,
}

impl CodeView {
    /// The label of its field; with two codes, each says how it was sent.
    pub(crate) const fn label(&self, l: Lang, several: bool) -> &'static str {
        match (several, self.channel) {
            (false, _) => l.code_label(),
            (true, Channel::Email) => l.email_code_label(),
            (true, Channel::Sms) => l.sms_code_label(),
        }
    }

    pub(crate) fn is_sms(&self) -> bool {
        self.channel == Channel::Sms
    }

    pub(crate) const fn hint(&self, l: Lang) -> &'static str {
        match self.channel {
            Channel::Email => l.resend_hint_email(),
            Channel::Sms => l.resend_hint_sms(),
        }
    }
}

/// What the signer is to do next.
#[derive(Debug, Clone)]
pub(crate) struct ActView {
    pub(crate) step: Step,
    pub(crate) consent: Consent,
    /// What is agreed to, with what was shown in its place.
    pub(crate) text: String,
    /// The folios of a bulk signature whose documents the text lists, each with how many these are.
    pub(crate) folios: Vec<(String, usize)>,
    /// Whether the company demands that each document is read to its end.
    pub(crate) read_to_end: bool,
    /// The picture of the signature, where the company has that.
    pub(crate) picture: Option<PictureView>,
    pub(crate) consent_error: Option<String>,
    pub(crate) codes: Vec<CodeView>,
    pub(crate) pause: Option<Pause>,
    /// Whether the codes that were sent are still good.
    pub(crate) has_code: bool,
}

impl ActView {
    pub(crate) fn several(&self) -> bool {
        self.codes.len() > 1
    }

    /// What the button says that asks for the code.
    pub(crate) fn send_label(&self, l: Lang) -> &'static str {
        match self.codes.as_slice() {
            [code] if code.channel == Channel::Sms => l.send_by_sms(),
            [_] => l.send_by_email(),
            _ => l.send_both(),
        }
    }

    pub(crate) fn code_title(&self, l: Lang) -> &'static str {
        if !self.has_code {
            l.code_needed()
        } else if self.several() {
            l.codes_title()
        } else {
            l.code_title()
        }
    }

    pub(crate) fn resend_label(&self, l: Lang) -> &'static str {
        if self.several() {
            l.resend_both()
        } else {
            l.resend()
        }
    }

    /// The sentences of the text, and the list that follows one of them.
    pub(crate) fn terms(&self) -> Vec<Term<'_>> {
        let mut terms: Vec<Term<'_>> = Vec::new();
        let mut listed = 0;
        for line in self.text.lines() {
            match (Consent::shown_in(line), terms.last_mut()) {
                (Some(shown), Some(term)) => {
                    term.list(self.folio_of(listed), shown);
                    listed += 1;
                }
                _ => terms.push(Term {
                    sentence: line,
                    shown: Vec::new(),
                    listed: 0,
                }),
            }
        }
        terms
    }

    /// The folio of a bulk signature to which the document at that place of the list belongs; otherwise nothing.
    fn folio_of(&self, mut place: usize) -> &str {
        for (name, documents) in &self.folios {
            if place < *documents {
                return name;
            }
            place -= documents;
        }
        ""
    }
}

/// Documents of a list that is shown whole; a longer one is scrolled.
const MAX_UNSCROLLED_DOCUMENTS: usize = 8;

/// A sentence of what is agreed to.
#[derive(Debug)]
pub(crate) struct Term<'t> {
    pub(crate) sentence: &'t str,
    /// What was shown of the documents, folio by folio.
    pub(crate) shown: Vec<(&'t str, Vec<&'t str>)>,
    listed: usize,
}

impl<'t> Term<'t> {
    fn list(&mut self, folio: &'t str, shown: &'t str) {
        self.listed += 1;
        match self.shown.last_mut() {
            Some((last, documents)) if *last == folio => documents.push(shown),
            _ => self.shown.push((folio, vec![shown])),
        }
    }

    pub(crate) const fn is_long(&self) -> bool {
        self.listed > MAX_UNSCROLLED_DOCUMENTS
    }
}

/// The form for rejecting, with a reason that was not accepted.
#[derive(Debug, Clone, Default)]
pub(crate) struct RejectView {
    /// Whether it is shown unfolded.
    pub(crate) open: bool,
    pub(crate) typed: String,
    pub(crate) error: Option<&'static str>,
}

/// Who signs.
#[derive(Debug, Clone)]
pub(crate) struct SignerView {
    pub(crate) name: String,
    /// Type and masked number.
    pub(crate) document: String,
}

impl SignerView {
    pub(crate) fn of(person: &NewSigner) -> Self {
        let number = mask::number(person.document_number.as_str());
        Self {
            name: person.name.to_string(),
            document: format!("{} {number}", person.document_type.code()),
        }
    }
}
