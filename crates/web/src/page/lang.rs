//! The language of a page: one of three for signers, one of two for companies and integrators.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use domain::Language;
use std::ops::Deref;

/// A language of the pages for signers, and for those who verify a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lang {
    Es,
    En,
    Pt,
}

impl Lang {
    /// Every language.
    pub(crate) const ALL: [Self; 3] = [Self::Es, Self::En, Self::Pt];

    /// The code of the language, as browsers and screen readers know it.
    pub(crate) const fn code(self) -> &'static str {
        self.language().code()
    }

    pub(crate) const fn language(self) -> Language {
        match self {
            Self::Es => Language::Spanish,
            Self::En => Language::English,
            Self::Pt => Language::Portuguese,
        }
    }

    /// What its speakers call it.
    pub(crate) const fn own_name(self) -> &'static str {
        self.language().own_name()
    }

    /// The one that the browser prefers, if it names any of them.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        preferred(headers, &Self::ALL, Self::code)
    }
}

impl From<Language> for Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::Spanish => Self::Es,
            Language::English => Self::En,
            Language::Portuguese => Self::Pt,
        }
    }
}

/// A language of the panel and of the guide for integrators. It has all that a [`Lang`] has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PanelLang {
    Es,
    En,
}

impl PanelLang {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Es, Self::En];

    /// The same language, as signers have it.
    pub(crate) const fn lang(self) -> Lang {
        match self {
            Self::Es => Lang::Es,
            Self::En => Lang::En,
        }
    }

    /// The one with that code.
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// The one that the browser prefers; Spanish if it names neither.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        preferred(headers, &Self::ALL, |lang| lang.code()).unwrap_or(Self::Es)
    }
}

impl Deref for PanelLang {
    type Target = Lang;

    fn deref(&self) -> &Lang {
        match self {
            Self::Es => &Lang::Es,
            Self::En => &Lang::En,
        }
    }
}

/// The one of these languages that the browser prefers.
fn preferred<L: Copy>(headers: &HeaderMap, known: &[L], code: fn(L) -> &'static str) -> Option<L> {
    let list = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
    let mut best = None;
    for item in list.split(',').take(32) {
        let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
        let weight: Option<f32> = weight
            .trim()
            .strip_prefix("q=")
            .and_then(|q| q.trim().parse().ok());
        let primary = tag.trim().split('-').next().unwrap_or_default();
        let named = known
            .iter()
            .find(|lang| code(**lang).eq_ignore_ascii_case(primary));
        if let (Some(lang), Some(weight)) = (named, weight)
            && weight > best.map_or(0.0, |(most, _)| most)
        {
            best = Some((weight, *lang));
        }
    }
    best.map(|(_, lang)| lang)
}

#[cfg(test)]
mod tests {
    use super::{ACCEPT_LANGUAGE, HeaderMap, Lang, PanelLang};

    #[test]
    fn the_language_that_the_browser_prefers() {
        for (list, lang, panel) in [
            ("", None, PanelLang::Es),
            ("es-CO,es;q=0.9,en;q=0.8", Some(Lang::Es), PanelLang::Es),
            ("en-US,en;q=0.9", Some(Lang::En), PanelLang::En),
            ("pt-BR,pt;q=0.9,en;q=0.8", Some(Lang::Pt), PanelLang::En),
            ("pt", Some(Lang::Pt), PanelLang::Es),
            ("fr, en;q=0.5, es;q=0.4", Some(Lang::En), PanelLang::En),
            ("fr", None, PanelLang::Es),
            ("en;q=0.1,es;q=0.2", Some(Lang::Es), PanelLang::Es),
            ("en;q=nonsense", None, PanelLang::Es),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, list.parse().unwrap());
            assert_eq!(Lang::of(&headers), lang, "{list}");
            assert_eq!(PanelLang::of(&headers), panel, "{list}");
        }
    }
}
