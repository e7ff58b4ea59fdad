//! What messages to signers say: a file for each language, with the same texts in each. A text that is missing in one does not
//! compile.
//!
//! A value stands in a text as `{name}`, and what an email stresses between two asterisks.

mod english;
mod portuguese;
mod spanish;

use domain::Language;

macro_rules! texts {
    ($($name:ident)*) => {
        /// The texts in one language.
        #[derive(Debug)]
        pub(crate) struct Texts {
            pub(crate) language: Language,
            $(pub(crate) $name: &'static str,)*
        }

        #[cfg(test)]
        impl Texts {
            /// Every text with its name.
            fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }
    };
}

texts! {
    greeting
    why
    unexpected
    not_signed
    no_more
    button_fails
    questions
    message_label
    reason_label
    personal_link
    personal_links
    until
    read_calmly_email
    read_calmly_sms
    read_and_sign
    invitation_subject
    invitation_title_one
    invitation_title_many
    invitation_lead
    invitation_lead_many
    reminder_subject
    reminder_title
    reminder_preview
    reminder_lead
    code_subject
    code_title
    code_preview
    code_lead
    code_lead_bulk_one
    code_lead_bulk_many
    code_validity
    code_secret
    code_unasked
    cancelled_subject
    cancelled_title
    cancelled_preview
    cancelled_lead
    rejected_subject
    rejected_title_one
    rejected_title_many
    rejected_preview
    rejected_lead
    receipt_subject
    receipt_subject_many
    receipt_title
    receipt_preview
    receipt_lead
    receipt_lead_many
    receipt_documents
    receipt_all
    receipt_missing
    receipt_missing_many
    receipt_button
    completed_subject_many
    completed_preview_many
    completed_lead_folios
    attached_one
    attached_many
    attached_some
    folio_signed
    folio_missing
    folio_documents_one
    folio_documents_many
    completed_subject
    completed_title
    completed_preview
    completed_lead_one
    completed_lead_many
    completed_button_one
    completed_button_many
    history
    history_keep
    contact_changed_title
    contact_changed_preview
    contact_changed_lead
    contact_changed_strange
    other_contact_subject
    other_contact_title
    other_contact_preview
    other_contact_lead
    other_contact_unexpected
    sms_code
    sms_code_of_company
    sms_contact_changed
    sms_other_contact
    sms_a_company
}

impl Texts {
    /// The texts in that language.
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Spanish => &spanish::SPANISH,
            Language::English => &english::ENGLISH,
            Language::Portuguese => &portuguese::PORTUGUESE,
        }
    }
}

/// The text with its values, in parts: whether each is stressed. A value is never looked at for names or asterisks.
pub(crate) fn parts(text: &str, values: &[(&str, &str)]) -> Vec<(bool, String)> {
    let pieces = text.split('*').zip([false, true].into_iter().cycle());
    pieces
        .filter(|(piece, _)| !piece.is_empty())
        .map(|(piece, stressed)| (stressed, filled(piece, values)))
        .collect()
}

/// The text with its values, with nothing stressed.
pub(crate) fn plain(text: &str, values: &[(&str, &str)]) -> String {
    parts(text, values).into_iter().map(|(_, piece)| piece).collect()
}

fn filled(piece: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(piece.len() + 64);
    let mut rest = piece;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').unwrap_or((after, ""));
        let value = values.iter().find(|(known, _)| *known == name);
        filled.push_str(before);
        filled.push_str(value.map_or("", |(_, value)| value));
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::{Texts, parts, plain};
    use domain::Language;

    /// The names of values in a text, in alphabetical order.
    fn values(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> = text
            .split('{')
            .skip(1)
            .filter_map(|rest| Some(rest.split_once('}')?.0))
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_text_says_the_same_in_every_language() {
        let spanish = Texts::of(Language::Spanish).all();
        for language in Language::ALL {
            let texts = Texts::of(language);
            assert_eq!(texts.language, language);
            for ((name, text), (_, original)) in texts.all().into_iter().zip(&spanish) {
                assert!(!text.trim().is_empty(), "{name} in {language:?}");
                assert_eq!(values(text), values(original), "{name} in {language:?}");
                assert_eq!(
                    text.matches('*').count(),
                    original.matches('*').count(),
                    "{name} in {language:?}"
                );
                if language != Language::Spanish {
                    let same =
                        ["reason_label", "folio_documents_one", "folio_documents_many"].contains(&name);
                    assert!(
                        same || text != *original,
                        "{name} is not translated into {language:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_value_is_text_and_nothing_else() {
        let values = [("company", "A*B {folio}"), ("folio", "Contrato")];
        let text = "*{company}* le pide su firma en *«{folio}»*.";
        assert_eq!(
            parts(text, &values),
            [
                (true, "A*B {folio}".to_owned()),
                (false, " le pide su firma en ".to_owned()),
                (true, "«Contrato»".to_owned()),
                (false, ".".to_owned()),
            ]
        );
        assert_eq!(
            plain(text, &values),
            "A*B {folio} le pide su firma en «Contrato»."
        );
        assert_eq!(plain("{unknown}.", &values), ".");
    }
}
