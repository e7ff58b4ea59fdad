//! Texts in all their languages side by side, as methods of the language: one that is missing does not compile.

/// What signers read: `name: "español", "English", "português";` becomes `l.name()` of a [`super::Lang`].
macro_rules! texts {
    ($($name:ident: $es:literal, $en:literal, $pt:literal;)*) => {
        impl crate::page::Lang {
            $(pub(crate) const fn $name(self) -> &'static str {
                match self { Self::Es => $es, Self::En => $en, Self::Pt => $pt }
            })*
        }

        #[cfg(test)]
        #[test]
        fn every_text_is_translated() {
            crate::page::texts::must_be_translated(&[$((stringify!($name), [$es, $en, $pt]),)*]);
        }
    };
}

/// What companies and integrators read: `name: "español", "English";` becomes `l.name()` of a [`super::PanelLang`].
macro_rules! panel_texts {
    ($($name:ident: $es:literal, $en:literal;)*) => {
        impl crate::page::PanelLang {
            $(pub(crate) const fn $name(self) -> &'static str {
                match self { Self::Es => $es, Self::En => $en }
            })*
        }

        #[cfg(test)]
        #[test]
        fn every_text_is_in_both_languages() {
            crate::page::texts::must_be_in_both(&[$((stringify!($name), [$es, $en]),)*]);
        }
    };
}

pub(crate) use {panel_texts, texts};

/// Fails where a text is empty, the same in two languages that spell it differently, or has letters of another language.
#[cfg(test)]
pub(crate) fn must_be_translated(texts: &[(&str, [&str; 3])]) {
    // Words that the languages spell alike.
    let alike = [
        "language_",
        "step_code",
        "document_type",
        "continue_",
        "contents",
        "find",
        "page",
        "consent_next",
        "code_label",
        "prove",
        "verify_copy",
        "state_expired",
        "verify_go",
        "verify_busy",
        "signature_valid",
        "certificate_label",
        "issued_by",
        "optional",
        "copy",
        "copied",
        "preview_go",
        "preview_sent_by",
        "preview_legal_basis",
    ];
    for (name, all) in texts {
        must_say_the_same(name, all);
        let [es, en, pt] = all;
        assert_ne!(es, en, "{name} is not translated into English");
        assert_ne!(en, pt, "{name} is not translated into Portuguese");
        if !alike.contains(name) {
            assert_ne!(es, pt, "{name} is not translated into Portuguese");
        }
        assert!(
            !pt.contains(['ñ', '¿', '¡']),
            "{name} has Spanish in Portuguese: {pt}"
        );
        assert!(
            !es.contains(['ã', 'õ', 'ç', 'ê', 'ô']),
            "{name} has Portuguese in Spanish: {es}"
        );
        assert!(
            en.is_ascii() || !en.contains(['á', 'é', 'í', 'ó', 'ú', 'ñ', 'ã', 'ç']),
            "{name}: {en}"
        );
    }
}

/// The same for texts in two languages.
#[cfg(test)]
pub(crate) fn must_be_in_both(texts: &[(&str, [&str; 2])]) {
    // Words that both languages spell alike.
    let alike = [
        "company_folios",
        "docs_terminal",
        "folios_name",
        "folios_title",
        "logo",
        "nav_folios",
        "no",
        "told_folio",
        "webhooks_title",
    ];
    for (name, both) in texts {
        must_say_the_same(name, both);
        let [es, en] = both;
        assert_eq!(es == en, alike.contains(name), "{name}: {es}, {en}");
        // A language is called by its own name.
        if *name != "docs_other_language" {
            let spanish = en.contains(['á', 'é', 'í', 'ó', 'ú', 'ñ', '¿', '¡']);
            assert!(!spanish, "{name} has Spanish in English: {en}");
        }
    }
}

/// Fails where a text is empty in a language, or has other `{values}` in one than in another.
#[cfg(test)]
fn must_say_the_same(name: &str, languages: &[&str]) {
    let values = |text: &str| {
        let mut values: Vec<String> = text
            .split('{')
            .skip(1)
            .filter_map(|rest| Some(rest.split_once('}')?.0.to_owned()))
            .collect();
        values.sort_unstable();
        values
    };
    for text in languages {
        assert!(!text.trim().is_empty(), "{name}");
        assert_eq!(values(text), values(languages[0]), "{name}: {text}");
    }
}
