//! The rendered guide: a page for each chapter and language, and what the search box searches.

use super::chapters::{self, Part};
use super::markdown::{self, Rendered};
use super::{error_list, try_it};
use crate::assets::{DOCS_SCRIPT, DOCS_STYLE, STYLE};
use crate::page::PanelLang;
use askama::Template;
use axum::body::Bytes;
use serde::Serialize;
use serde_json::Value;

/// The address in the chapters' examples: that of a sandbox on the same machine.
const EXAMPLE_BASE_URL: &str = "http://127.0.0.1:8080";

#[derive(Debug)]
pub(super) struct Guide {
    es: Edition,
    en: Edition,
}

/// The guide in one language.
#[derive(Debug)]
struct Edition {
    pages: Vec<Bytes>,
    search_index: Bytes,
}

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    l: PanelLang,
    styles: [&'static str; 2],
    script: &'static str,
    search_address: &'static str,
    other_language: String,
    parts: Vec<PartView<'a>>,
    chapter: &'a Rendered,
    previous: Option<LinkView<'a>>,
    next: Option<LinkView<'a>>,
    version: &'static str,
}

struct PartView<'a> {
    title: &'static str,
    links: Vec<LinkView<'a>>,
}

struct LinkView<'a> {
    address: String,
    title: &'a str,
    is_current: bool,
}

/// What the search box finds: a section of a chapter.
#[derive(Serialize)]
struct SearchEntry<'a> {
    address: String,
    chapter: &'a str,
    section: &'a str,
    text: &'a str,
}

impl Guide {
    /// The guide of an installation at that address, whose API is described so.
    pub(super) fn render(base_url: &str, description: &Value) -> Self {
        let edition = |lang| Edition::render(lang, base_url, description);
        Self {
            es: edition(PanelLang::Es),
            en: edition(PanelLang::En),
        }
    }

    pub(super) fn page(&self, lang: PanelLang, index: usize) -> Bytes {
        self.edition(lang).pages.get(index).cloned().unwrap_or_default()
    }

    pub(super) fn search_index(&self, lang: PanelLang) -> Bytes {
        self.edition(lang).search_index.clone()
    }

    const fn edition(&self, lang: PanelLang) -> &Edition {
        match lang {
            PanelLang::Es => &self.es,
            PanelLang::En => &self.en,
        }
    }
}

impl Edition {
    fn render(lang: PanelLang, base_url: &str, description: &Value) -> Self {
        let rendered: Vec<Rendered> = chapters::ALL
            .iter()
            .map(|chapter| {
                let text = chapter
                    .source(lang)
                    .text
                    .replace(EXAMPLE_BASE_URL, base_url.trim_end_matches('/'));
                let text = error_list::fill_in(lang, &text);
                markdown::render(lang, &text, |operation| {
                    try_it::form(lang, description, operation)
                })
            })
            .collect();
        let pages = (0..rendered.len()).map(|index| page(lang, &rendered, index));
        Self {
            pages: pages.collect(),
            search_index: search_index(lang, &rendered),
        }
    }
}

fn page(lang: PanelLang, rendered: &[Rendered], current: usize) -> Bytes {
    let link = |index: usize| {
        Some(LinkView {
            address: chapters::address(lang, index),
            title: &rendered.get(index)?.title,
            is_current: index == current,
        })
    };
    let parts = Part::ALL.into_iter().map(|part| PartView {
        title: part.title(lang),
        links: (0..rendered.len())
            .filter(|index| chapters::ALL[*index].part == part)
            .filter_map(link)
            .collect(),
    });
    let other = match lang {
        PanelLang::Es => PanelLang::En,
        PanelLang::En => PanelLang::Es,
    };
    let page = DocsPage {
        l: lang,
        styles: [&STYLE.address, &DOCS_STYLE.address],
        script: &DOCS_SCRIPT.address,
        search_address: chapters::search_address(lang),
        other_language: chapters::address(other, current),
        parts: parts.collect(),
        chapter: &rendered[current],
        previous: current.checked_sub(1).and_then(link),
        next: link(current + 1),
        version: env!("CARGO_PKG_VERSION"),
    };
    // The template is checked when the program is built, and it writes to memory.
    Bytes::from(page.render().unwrap_or_default())
}

fn search_index(lang: PanelLang, rendered: &[Rendered]) -> Bytes {
    let mut entries = Vec::new();
    for (index, chapter) in rendered.iter().enumerate() {
        for section in &chapter.sections {
            let address = chapters::address(lang, index);
            entries.push(SearchEntry {
                address: format!("{address}#{}", section.id),
                chapter: &chapter.title,
                section: &section.title,
                text: section.text.trim(),
            });
        }
    }
    Bytes::from(serde_json::to_string(&entries).unwrap_or_default())
}
