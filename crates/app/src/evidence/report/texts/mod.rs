//! The texts of the report: a file for each language, with the same texts in each. A text that is missing in one does not
//! compile. A value stands in a text as `{name}`.

mod english;
mod portuguese;
mod spanish;

use domain::Language;

/// Defines [`Texts`]: single texts, and lists of texts by the word that is stored.
macro_rules! texts {
    ($($name:ident)* ; $($list:ident $count:literal)*) => {
        /// The texts of one language.
        #[derive(Debug)]
        pub(super) struct Texts {
            pub(super) language: Language,
            $(pub(super) $name: &'static str,)*
            pub(super) verifying_steps: [&'static str; 4],
            $(pub(super) $list: [(&'static str, &'static str); $count],)*
        }

        #[cfg(test)]
        impl Texts {
            /// Every text with its name; one of a list is named by its list and its word.
            fn all(&self) -> Vec<(String, &'static str)> {
                let mut all = vec![$((stringify!($name).to_owned(), self.$name),)*];
                all.extend(self.verifying_steps.iter().zip(0..).map(|(text, at)| (format!("verifying_steps/{at}"), *text)));
                $(all.extend(self.$list.iter().map(|(word, text)| (format!("{}/{word}", stringify!($list)), *text)));)*
                all
            }
        }
    };
}

texts! {
    eyebrow
    title
    page
    reference
    introduction
    summary
    signer
    invited
    opened
    accepted
    code
    signed
    rejected_at
    summary_part
    process
    subject
    folio
    sent_by
    sender_person
    sender_system
    state
    signature_type
    observation
    created
    made
    service
    verification
    what_is_proved
    legal_level
    legal_level_text
    legal_level_article
    checked
    checked_email
    checked_sms
    unchecked
    unchecked_text
    time
    time_text
    clock_system
    clock_sandbox
    timestamps
    timestamps_own
    timestamps_others
    documents
    identifier
    as_sent
    as_now
    bytes
    sha256
    signers
    document
    email
    mobile
    acted_at
    ip_address
    browser
    way
    way_text
    accepted_text
    accepted_text_reference
    unknown
    story
    part_of_history
    messages_without_event
    consents
    version
    no_signature
    unknown_consent
    consent_elsewhere
    annex
    annex_lead
    certificates_of_signers
    events_hashes
    code_hash
    code_revealed
    service_certificates
    evidence_hash
    verifying
    erased
    withheld
    document_named
    a_document
    by_system
    by_person
    from_address
    reports_itself
    languages
    drew
    typed_picture
    shown
    downloaded_too
    other_contact
    number_corrected
    repaired
    code_name
    message
    ;
    states 6
    signature_types 2
    signer_states 3
    roles 4
    channels 2
    servers 2
    templates 9
    repairs 3
    message_states 3
    events 31
}

impl Texts {
    /// The texts in that language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::Spanish => &spanish::SPANISH,
            Language::English => &english::ENGLISH,
            Language::Portuguese => &portuguese::PORTUGUESE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use domain::Language;

    /// The names of values in a text, in alphabetical order.
    fn values(text: &str) -> Vec<&str> {
        let rest = text.split('{').skip(1);
        let mut names: Vec<&str> = rest.filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_text_says_the_same_in_every_language() {
        // Words that Portuguese spells like Spanish, and names that are no words.
        let alike_in_portuguese = [
            "page",
            "sent_by",
            "time",
            "code",
            "documents",
            "document",
            "identifier",
            "bytes",
            "sha256",
            "mobile",
            "browser",
            "consents",
            "events_hashes",
            "code_revealed",
            "channels/sms",
            "withheld",
            "a_document",
            "by_person",
            "languages",
            "code_name",
            "observation",
            "roles/issuer",
        ];
        let alike_in_english = ["bytes", "sha256"];
        let spanish = Texts::of(Language::Spanish).all();
        for language in Language::ALL {
            let texts = Texts::of(language);
            assert_eq!(texts.language, language);
            for ((name, text), (same, original)) in texts.all().into_iter().zip(&spanish) {
                assert_eq!(name, *same, "the lists have their words in one order");
                assert!(!text.trim().is_empty(), "{name} in {language:?}");
                assert_eq!(values(text), values(original), "{name} in {language:?}");
                let alike: &[&str] = match language {
                    Language::Spanish => continue,
                    Language::English => &alike_in_english,
                    Language::Portuguese => &alike_in_portuguese,
                };
                let translated = text != *original || alike.contains(&name.as_str());
                assert!(translated, "{name} is not translated into {language:?}");
                let spanish_letters = text.contains(['ñ', '¿', '¡']);
                assert!(!spanish_letters, "{name} in {language:?} has Spanish: {text}");
            }
        }
    }
}
