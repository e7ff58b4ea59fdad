//! The chapters in their order, both languages side by side.

use crate::page::PanelLang;

/// A part of the table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Start,
    Operations,
    Reference,
}

impl Part {
    pub(super) const ALL: [Self; 3] = [Self::Start, Self::Operations, Self::Reference];

    pub(super) const fn title(self, lang: PanelLang) -> &'static str {
        match self {
            Self::Start => lang.docs_part_start(),
            Self::Operations => lang.docs_part_operations(),
            Self::Reference => lang.docs_part_reference(),
        }
    }
}

/// A file of the repository.
#[derive(Debug)]
pub(super) struct Source {
    /// Its name.
    pub(super) file: &'static str,
    pub(super) text: &'static str,
}

/// A chapter in both languages.
#[derive(Debug)]
pub(super) struct Chapter {
    pub(super) part: Part,
    es: Source,
    en: Source,
}

impl Chapter {
    pub(super) const fn source(&self, lang: PanelLang) -> &Source {
        match lang {
            PanelLang::Es => &self.es,
            PanelLang::En => &self.en,
        }
    }
}

/// `Part: "fichero", "file";` embeds the two files.
macro_rules! chapters {
    ($($part:ident: $es:literal, $en:literal;)*) => {
        &[$(Chapter {
            part: Part::$part,
            es: Source {
                file: concat!($es, ".md"),
                text: include_str!(concat!("../../../../docs/integradores/", $es, ".md")),
            },
            en: Source {
                file: concat!($en, ".md"),
                text: include_str!(concat!("../../../../docs/integrators/", $en, ".md")),
            },
        },)*]
    };
}

/// All of them.
pub(super) const ALL: &[Chapter] = chapters! {
    Start: "01-inicio-rapido", "01-quick-start";
    Start: "02-conceptos", "02-concepts";
    Start: "03-reglas-comunes", "03-common-rules";
    Operations: "04-crear-folio", "04-create-folio";
    Operations: "05-consultar-folio", "05-read-folio";
    Operations: "06-consultar-varios", "06-read-folios";
    Operations: "07-reenviar-correos", "07-resend-emails";
    Operations: "08-descargar-documento", "08-download-document";
    Operations: "09-anular-folios", "09-cancel-folios";
    Operations: "10-iniciar-firma-masiva", "10-start-bulk-signature";
    Operations: "11-consultar-firma-masiva", "11-read-bulk-signature";
    Operations: "12-evidencia", "12-evidence";
    Reference: "13-errores", "13-errors";
    Reference: "14-webhooks", "14-webhooks";
    Reference: "15-pruebas", "15-testing";
    Reference: "16-salir-a-produccion", "16-going-live";
    Reference: "17-firmar-en-su-sitio", "17-signing-on-your-site";
};

/// Where a chapter is served. The first one is the address of the guide itself.
pub(super) fn address(lang: PanelLang, index: usize) -> String {
    let home = match lang {
        PanelLang::Es => "/docs",
        PanelLang::En => "/docs/en",
    };
    match ALL.get(index) {
        Some(chapter) if index > 0 => format!("{home}/{}", slug(chapter.source(lang).file)),
        _ => home.to_owned(),
    }
}

/// Where the chapter of a file is served.
pub(super) fn address_of_file(lang: PanelLang, file: &str) -> Option<String> {
    let index = ALL.iter().position(|chapter| chapter.source(lang).file == file)?;
    Some(address(lang, index))
}

pub(super) const fn search_address(lang: PanelLang) -> &'static str {
    match lang {
        PanelLang::Es => "/docs/search.json",
        PanelLang::En => "/docs/en/search.json",
    }
}

/// The file's name without its number.
fn slug(file: &'static str) -> &'static str {
    let stem = file.trim_end_matches(".md");
    stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
}
