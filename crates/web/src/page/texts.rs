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
    ];
    for (name, [es, en, pt]) in texts {
        for text in [es, en, pt] {
            assert!(!text.trim().is_empty(), "{name}");
        }
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
