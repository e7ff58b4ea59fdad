//! Which of the two languages a page speaks: Spanish, unless the browser would rather have English.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lang {
    Es,
    En,
}

impl Lang {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Es, Self::En];

    /// The code of the language, as browsers and screen readers know it.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Es => "es",
            Self::En => "en",
        }
    }

    /// The one of the two that the browser prefers.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let preferred = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self::preferred(preferred.unwrap_or_default())
    }

    fn preferred(list: &str) -> Self {
        let mut best = (0.0, Self::Es);
        for item in list.split(',').take(32) {
            let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
            let weight = weight
                .trim()
                .strip_prefix("q=")
                .and_then(|q| q.trim().parse().ok());
            let primary = tag.trim().split('-').next().unwrap_or_default();
            let known = Self::ALL
                .into_iter()
                .find(|lang| lang.code().eq_ignore_ascii_case(primary));
            if let (Some(lang), Some(weight)) = (known, weight)
                && weight > best.0
            {
                best = (weight, lang);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::Lang;

    #[test]
    fn spanish_unless_english_is_preferred() {
        for (list, lang) in [
            ("", Lang::Es),
            ("es-CO,es;q=0.9,en;q=0.8", Lang::Es),
            ("en-US,en;q=0.9", Lang::En),
            ("fr, en;q=0.5, es;q=0.4", Lang::En),
            ("fr", Lang::Es),
            ("en;q=0.1,es;q=0.2", Lang::Es),
            ("en;q=nonsense", Lang::Es),
        ] {
            assert_eq!(Lang::preferred(list), lang, "{list}");
        }
    }
}
