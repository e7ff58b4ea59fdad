//! Writes a new PDF.

use std::fmt::Write;

use data_encoding::HEXLOWER;
use pdf::increment::{Objects, text};
use pdf::syntax::Ref;
use sha2::{Digest, Sha256};

use super::super::archive::Archive;
use super::super::embedded_fonts::Packer;
use super::super::font::Font;
use super::super::scripts::Subsets;
use crate::language::Language;

const CATALOG: Ref = Ref {
    number: 1,
    generation: 0,
};
const PAGES: Ref = Ref {
    number: 2,
    generation: 0,
};

/// A file being written.
pub(super) struct NewFile {
    out: Vec<u8>,
    /// The offset of each object, by number from 1; zero until it is written.
    places: Vec<usize>,
    pages: Vec<Ref>,
    fonts: String,
    attached: String,
    packer: Packer,
}

impl Objects for NewFile {
    fn allocate(&mut self) -> Ref {
        self.places.push(0);
        Ref {
            number: u32::try_from(self.places.len()).unwrap_or(u32::MAX),
            generation: 0,
        }
    }

    fn write(&mut self, id: Ref, body: &[u8]) {
        let at = self.out.len();
        if let Some(place) = self.places.get_mut(id.number as usize - 1) {
            *place = at;
        }
        self.out
            .extend_from_slice(format!("{} 0 obj\n", id.number).as_bytes());
        self.out.extend_from_slice(body);
        self.out.extend_from_slice(b"\nendobj\n");
    }
}

impl NewFile {
    /// A file with the fonts of every sheet, and these.
    pub(super) fn new(subsets: &Subsets) -> Self {
        let mut this = Self {
            out: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(),
            places: vec![0; 2],
            pages: Vec::new(),
            fonts: String::new(),
            attached: String::new(),
            packer: Packer::fast(),
        };
        for font in Font::ALL {
            // Our own fonts can always be embedded.
            if let Some(id) = font.embed(&mut this, Archive::No) {
                let _ = write!(this.fonts, "/{} {} 0 R", font.key(), id.number);
            }
        }
        let others = subsets.embed(&mut this, Archive::No).unwrap_or_default();
        this.fonts += &others;
        this
    }

    pub(super) fn page(&mut self, [width, height]: [f64; 2], content: &[u8]) {
        let drawing = self.allocate();
        let packed = self.packer.pack(content);
        self.write_stream(drawing, b"/Filter/FlateDecode", &packed);
        let page = self.allocate();
        let body = format!(
            "<</Type/Page/Parent {} 0 R/MediaBox[0 0 {width} {height}]/Contents {} 0 R/Resources<</Font<<{}>>>>>>",
            PAGES.number, drawing.number, self.fonts,
        );
        self.write(page, body.as_bytes());
        self.pages.push(page);
    }

    /// Adds a file to the document. `kind` is plain, such as `application/json`.
    pub(super) fn attach(&mut self, name: &str, kind: &str, bytes: &[u8]) {
        let stream = self.allocate();
        let kind = kind.replace('/', "#2F");
        let entries = format!(
            "/Type/EmbeddedFile/Subtype/{kind}/Params<</Size {}>>/Filter/FlateDecode",
            bytes.len()
        );
        let packed = self.packer.pack(bytes);
        self.write_stream(stream, entries.as_bytes(), &packed);
        let file = self.allocate();
        let (name, stream) = (text(name), stream.number);
        let body = format!(
            "<</Type/Filespec/F{name}/UF{name}/AFRelationship/Data/EF<</F {stream} 0 R/UF {stream} 0 R>>>>"
        );
        self.write(file, body.as_bytes());
        self.attached = format!(
            "/Names<</EmbeddedFiles<</Names[{name} {0} 0 R]>>>>/AF[{0} 0 R]",
            file.number
        );
    }

    pub(super) fn finish(mut self, title: &str, language: Language) -> Vec<u8> {
        let info = self.allocate();
        self.write(info, format!("<</Title{}>>", text(title)).as_bytes());
        let kids: Vec<String> = self
            .pages
            .iter()
            .map(|page| format!("{} 0 R", page.number))
            .collect();
        let tree = format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), kids.len());
        self.write(PAGES, tree.as_bytes());
        let catalog = format!(
            "<</Type/Catalog/Pages {} 0 R/Lang({})/ViewerPreferences<</DisplayDocTitle true>>{}>>",
            PAGES.number,
            language.code(),
            self.attached
        );
        self.write(CATALOG, catalog.as_bytes());
        let start = self.out.len();
        let mut table = format!("xref\n0 {}\n0000000000 65535 f\r\n", self.places.len() + 1);
        for place in &self.places {
            let _ = write!(table, "{place:010} 00000 n\r\n");
        }
        let hash = Sha256::digest(&self.out);
        let id = HEXLOWER.encode(&hash[..16]);
        let _ = write!(
            table,
            "trailer\n<</Size {}/Root {} 0 R/Info {} 0 R/ID[<{id}><{id}>]>>\nstartxref\n{start}\n%%EOF\n",
            self.places.len() + 1,
            CATALOG.number,
            info.number,
        );
        self.out.extend_from_slice(table.as_bytes());
        self.out
    }
}
