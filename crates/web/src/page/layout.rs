//! The layout of the signers' and verification pages: language, style, script.

use crate::assets::{READER_SCRIPT, SCRIPT, STYLE};
use crate::page::Lang;
use crate::page::branding::Branding;
use crate::page::language_switch::LanguageSwitch;
use store::CompanyContact;

/// The frame of a page.
#[derive(Debug, Clone)]
pub(crate) struct PageLayout {
    /// The language.
    pub(crate) l: Lang,
    /// The company, where the page may name it.
    pub(crate) company: Option<String>,
    /// The company's colours and logo.
    pub(crate) branding: Branding,
    /// Whom the company's signers may ask.
    pub(crate) contact: Option<CompanyContact>,
    /// Origins whose pages are told what happens on this one, separated by blanks.
    pub(crate) embedders: String,
    /// The switch of languages.
    pub(crate) switch: LanguageSwitch,
}

impl PageLayout {
    pub(crate) fn new(l: Lang, company: Option<String>, switch: LanguageSwitch) -> Self {
        Self {
            l,
            company,
            branding: Branding::default(),
            contact: None,
            embedders: String::new(),
            switch,
        }
    }

    /// The same with a switch of languages that returns there.
    #[must_use]
    pub(crate) fn returning_to(self, back: String) -> Self {
        let switch = LanguageSwitch { back };
        Self { switch, ..self }
    }

    /// The same with the contact, where there is something in it.
    #[must_use]
    pub(crate) fn with_contact(self, contact: Option<CompanyContact>) -> Self {
        Self {
            contact: contact.filter(|contact| !contact.is_empty()),
            ..self
        }
    }

    /// The same with a company's branding.
    #[must_use]
    pub(crate) fn branded(self, branding: Branding) -> Self {
        Self { branding, ..self }
    }

    /// The same with the origins that may embed the page.
    #[must_use]
    pub(crate) fn embeddable_by(self, origins: &[String]) -> Self {
        Self {
            embedders: origins.join(" "),
            ..self
        }
    }

    /// The style sheet, as part of the page itself: one request less on a slow network.
    #[allow(clippy::unused_self, reason = "templates ask the frame")]
    pub(crate) fn style(&self) -> &'static str {
        &STYLE.text
    }

    #[allow(clippy::unused_self, reason = "templates ask the frame")]
    pub(crate) fn script(&self) -> &'static str {
        &SCRIPT.address
    }

    #[allow(clippy::unused_self, reason = "templates ask the frame")]
    pub(crate) fn reader(&self) -> &'static str {
        &READER_SCRIPT.address
    }
}
