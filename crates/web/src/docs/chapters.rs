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

/// `Part: "carpeta/" "fichero", "folder/" "file";` embeds two files of `docs`.
macro_rules! chapters {
    ($($part:ident: $es_folder:literal $es:literal, $en_folder:literal $en:literal;)*) => {
        &[$(Chapter {
            part: Part::$part,
            es: Source {
                file: concat!($es, ".md"),
                text: include_str!(concat!("../../../../docs/", $es_folder, $es, ".md")),
            },
            en: Source {
                file: concat!($en, ".md"),
                text: include_str!(concat!("../../../../docs/", $en_folder, $en, ".md")),
            },
        },)*]
    };
}

/// All of them.
pub(super) const ALL: &[Chapter] = chapters! {
    Start: "integradores/" "01-inicio-rapido", "integrators/" "01-quick-start";
    Start: "integradores/" "02-conceptos", "integrators/" "02-concepts";
    Start: "integradores/" "03-reglas-comunes", "integrators/" "03-common-rules";
    Operations: "integradores/" "04-crear-folio", "integrators/" "04-create-folio";
    Operations: "integradores/" "05-consultar-folio", "integrators/" "05-read-folio";
    Operations: "integradores/" "06-consultar-varios", "integrators/" "06-read-folios";
    Operations: "integradores/" "07-reenviar-correos", "integrators/" "07-resend-emails";
    Operations: "integradores/" "08-descargar-documento", "integrators/" "08-download-document";
    Operations: "integradores/" "09-anular-folios", "integrators/" "09-cancel-folios";
    Operations: "integradores/" "10-iniciar-firma-masiva", "integrators/" "10-start-bulk-signature";
    Operations: "integradores/" "11-consultar-firma-masiva", "integrators/" "11-read-bulk-signature";
    Operations: "integradores/" "12-evidencia", "integrators/" "12-evidence";
    Reference: "integradores/" "13-errores", "integrators/" "13-errors";
    Reference: "integradores/" "14-webhooks", "integrators/" "14-webhooks";
    Reference: "integradores/" "15-pruebas", "integrators/" "15-testing";
    Reference: "integradores/" "16-salir-a-produccion", "integrators/" "16-going-live";
    Reference: "integradores/" "17-firmar-en-su-sitio", "integrators/" "17-signing-on-your-site";
    // The report of a folio names the address of this one.
    Reference: "" "auditores", "" "auditors";
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

/// Where the chapter of a file is served, in that language or else in the other one, of which the file is.
pub(super) fn address_of_file(lang: PanelLang, file: &str) -> Option<String> {
    let of = |lang| {
        let index = ALL.iter().position(|chapter| chapter.source(lang).file == file)?;
        Some(address(lang, index))
    };
    of(lang).or_else(|| PanelLang::ALL.into_iter().find_map(of))
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
