//! A new document of text: headings, paragraphs and facts, on as many pages as they need, in the fonts of the sheet.
//! Texts
//! from outside are only drawn; the caller bounds their length.

mod file;

use super::canvas::{Canvas, INK, LABEL_COLOUR, LINE, Style, style};
use super::charset::{clean, clean_whole};
use super::data::{Colour, SheetError};
use super::font::Font;
use super::line_break::{fill, fit};
use super::qr::Code;
use super::scripts::starts_rtl;
use crate::language::Language;
use file::NewFile;

const WIDTH: f64 = 595.0;
const HEIGHT: f64 = 842.0;
const MARGIN: f64 = 62.0;
const COLUMN: f64 = WIDTH - 2.0 * MARGIN;
/// The lowest line of a page, above its foot.
const BOTTOM: f64 = 74.0;
/// The column of labels and times.
const LABEL_WIDTH: f64 = 112.0;
/// The code of an address, beside the title.
const CODE_SIDE: f64 = 74.0;
/// What a row leaves below it, at least, on its page.
const ROW_SLACK: f64 = 4.0;
/// Between the columns of a table.
const GUTTER: f64 = 8.0;

/// A document being written, on A4.
#[derive(Debug)]
pub struct TextDocument {
    title: String,
    reference: String,
    accent: Colour,
    language: Language,
    /// The pages before the one on the canvas.
    pages: Vec<String>,
    canvas: Canvas,
    /// Where the next line may start.
    y: f64,
    attachment: Option<Attachment>,
    /// Whether a block is only measured: nothing is drawn, and no page ends.
    measuring: bool,
}

/// A file embedded in the document.
#[derive(Debug)]
struct Attachment {
    name: String,
    kind: &'static str,
    bytes: Vec<u8>,
}

impl TextDocument {
    /// A document with a title and what stands above it. `reference` is at the foot of every page.
    pub fn new([eyebrow, title]: [&str; 2], reference: &str, accent: Colour, language: Language) -> Self {
        let mut this = Self {
            title: clean(title),
            reference: clean(reference),
            accent,
            language,
            pages: Vec::new(),
            canvas: Canvas::default(),
            y: 0.0,
            attachment: None,
            measuring: false,
        };
        this.begin_page();
        let mut small = style(Font::Bold, 7.5, accent);
        small.spread = 1.1;
        this.y -= 18.0;
        this.put(MARGIN, small, &clean(eyebrow).to_uppercase());
        this.y -= 10.0;
        this.lines(MARGIN, COLUMN, style(Font::Bold, 19.0, INK), 25.0, title);
        this.y -= 8.0;
        this
    }

    /// An address as a code, in the upper right corner of the first page. Only before the first page is full.
    pub fn code(&mut self, address: &str) -> Result<(), SheetError> {
        let corner = [WIDTH - MARGIN - CODE_SIDE, HEIGHT - MARGIN - CODE_SIDE];
        Code::of(address)?.draw(&mut self.canvas, corner, CODE_SIDE, INK);
        self.y = self.y.min(corner[1] - 10.0);
        Ok(())
    }

    /// What the block writes stays on one page, if it fits on one.
    pub fn keep(&mut self, block: impl Fn(&mut Self)) {
        let top = self.y;
        self.measuring = true;
        block(self);
        self.measuring = false;
        let height = top - self.y;
        self.y = top;
        if height < HEIGHT - MARGIN - 10.0 - BOTTOM {
            // A row asks for a little more than it takes.
            self.room(height + ROW_SLACK);
        }
        block(self);
    }

    /// A table under a heading, which stays with the first row. The first column takes what the others leave, which are all of the
    /// same width; a row stays on one page.
    pub fn table<const COLUMNS: usize>(
        &mut self,
        heading: &str,
        heads: [&str; COLUMNS],
        rows: &[[String; COLUMNS]],
    ) {
        let others = u32::try_from(COLUMNS.saturating_sub(1)).unwrap_or(u32::MAX);
        let narrow = 0.16 * COLUMN;
        let first = COLUMN - f64::from(others) * narrow;
        let mut columns = vec![(MARGIN, first - GUTTER)];
        columns.extend((0..others).map(|at| (MARGIN + first + f64::from(at) * narrow, narrow - GUTTER)));
        let heads = heads.map(str::to_owned);
        let head = style(Font::Bold, 7.4, LABEL_COLOUR);
        let (first, others) = rows.split_at(rows.len().min(1));
        let write = |this: &mut Self, row: &[String; COLUMNS]| {
            this.y -= 3.0;
            this.rule();
            this.cells(&columns, style(Font::Regular, 7.8, INK), row);
        };
        self.keep(|this| {
            this.heading(heading);
            this.cells(&columns, head, &heads);
            for row in first {
                write(this, row);
            }
        });
        for row in others {
            self.keep(|this| write(this, row));
        }
        self.y -= 6.0;
    }

    /// A row of a table.
    fn cells(&mut self, columns: &[(f64, f64)], set: Style, cells: &[String]) {
        let pitch = set.size + 3.4;
        let top = self.y;
        let mut bottom = top;
        for ((left, width), cell) in columns.iter().zip(cells) {
            self.y = top;
            self.lines(*left, *width, set, pitch, cell);
            bottom = bottom.min(self.y);
        }
        self.y = bottom - 3.0;
    }

    /// A heading, with at least a few lines below it on the same page.
    pub fn heading(&mut self, text: &str) {
        self.room(104.0);
        self.y -= 20.0;
        self.rule();
        self.y -= 10.0;
        self.lines(MARGIN, COLUMN, style(Font::Bold, 12.0, INK), 16.0, text);
        self.y -= 4.0;
    }

    /// A smaller heading.
    pub fn subheading(&mut self, text: &str) {
        self.room(44.0);
        self.y -= 6.0;
        self.lines(MARGIN, COLUMN, style(Font::Bold, 9.4, INK), 13.0, text);
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.lines(MARGIN, COLUMN, style(Font::Regular, 9.2, INK), 13.2, text);
        self.y -= 5.0;
    }

    /// A fact: its label, and its value.
    pub fn fact(&mut self, label: &str, value: &str) {
        self.row(label, style(Font::Regular, 8.6, INK), value);
    }

    /// A fact to be compared letter by letter, such as a hash.
    pub fn fine(&mut self, label: &str, value: &str) {
        self.row(label, style(Font::Regular, 7.4, LABEL_COLOUR), value);
    }

    /// A small space.
    pub fn space(&mut self) {
        self.y -= 6.0;
    }

    /// Embeds a file.
    pub fn attach(&mut self, name: &str, kind: &'static str, bytes: Vec<u8>) {
        self.attachment = Some(Attachment {
            name: name.to_owned(),
            kind,
            bytes,
        });
    }

    /// The finished document; `place` words the number of a page among all, counted from 1.
    pub fn finish(mut self, place: impl Fn(usize, usize) -> String) -> Vec<u8> {
        let mut canvas = self.canvas;
        self.pages.push(canvas.take());
        let count = self.pages.len();
        let set = style(Font::Regular, 6.8, LABEL_COLOUR);
        for (number, page) in self.pages.iter_mut().enumerate() {
            canvas.resume(std::mem::take(page));
            let y = MARGIN * 0.62;
            canvas.bar([MARGIN, y + 12.0, COLUMN, 0.5], LINE);
            let place = clean(&place(number + 1, count));
            canvas.text_to([WIDTH - MARGIN, y], set, &place);
            let room = COLUMN - set.width(&place) - 20.0;
            let (set, lines) = fit(set, 3.0, room, 1, &self.reference);
            for (line_number, line) in (0_u16..).zip(lines) {
                canvas.text([MARGIN, y - f64::from(line_number) * set.size * 1.2], set, &line);
            }
            *page = canvas.take();
        }
        let mut file = NewFile::new(&canvas.into_subsets());
        for page in self.pages {
            file.page([WIDTH, HEIGHT], page.as_bytes());
        }
        if let Some(Attachment { name, kind, bytes }) = &self.attachment {
            file.attach(name, kind, bytes);
        }
        file.finish(&self.title, self.language)
    }

    fn row(&mut self, label: &str, value_style: Style, value: &str) {
        let label_style = style(Font::Regular, value_style.size, LABEL_COLOUR);
        let pitch = value_style.size + 4.0;
        let (set, labels) = fit(label_style, 6.0, LABEL_WIDTH - 10.0, 1, &clean(label));
        let label_height = f64::from(u32::try_from(labels.len().max(1)).unwrap_or(u32::MAX)) * pitch;
        self.room(label_height + ROW_SLACK);
        let (page, top) = (self.pages.len(), self.y);
        for line in labels {
            self.y -= pitch;
            self.put(MARGIN, set, &line);
        }
        self.y = top;
        self.lines(
            MARGIN + LABEL_WIDTH,
            COLUMN - LABEL_WIDTH,
            value_style,
            pitch,
            value,
        );
        if self.pages.len() == page {
            self.y = self.y.min(top - label_height);
        }
    }

    /// Sets a text in lines of a width.
    fn lines(&mut self, left: f64, width: f64, set: Style, pitch: f64, text: &str) {
        let mut text = clean_whole(text);
        // A sentence of our languages runs from left to right, also if it begins with an Arabic name.
        if starts_rtl(&text) {
            text.insert(0, '\u{200e}');
        }
        for line in fill(set, width, &text) {
            self.room(pitch);
            self.y -= pitch;
            self.put(left, set, &line);
        }
    }

    fn put(&mut self, left: f64, set: Style, text: &str) {
        if !self.measuring {
            self.canvas.text([left, self.y], set, text);
        }
    }

    fn rule(&mut self) {
        if !self.measuring {
            self.canvas.bar([MARGIN, self.y, COLUMN, 0.5], LINE);
        }
    }

    /// Starts a new page if this height does not fit.
    fn room(&mut self, height: f64) {
        if !self.measuring && self.y - height < BOTTOM {
            self.pages.push(self.canvas.take());
            self.begin_page();
        }
    }

    fn begin_page(&mut self) {
        self.y = HEIGHT - MARGIN;
        self.canvas.bar([MARGIN, self.y - 2.5, 34.0, 2.5], self.accent);
        self.y -= 10.0;
    }
}

#[cfg(test)]
mod tests {
    use pdf::Limits;
    use pdf::inspect::inspect;

    use super::*;

    const ACCENT: Colour = Colour(0x1f, 0x4e, 0x5f);

    #[test]
    fn a_block_is_not_split_where_a_page_holds_it() {
        let mut document = TextDocument::new(["Constancia", "Título"], "ref", ACCENT, Language::Spanish);
        document.code("https://firmeza.example.com/verify").unwrap();
        while document.y > BOTTOM + 40.0 {
            document.fact("Etiqueta", "valor");
        }
        document.keep(|block| {
            for _ in 0..8 {
                block.fact("Etiqueta", "valor");
            }
        });
        assert_eq!(document.pages.len(), 1, "the block begins the second page");
        assert!(!document.pages.concat().is_empty());
        document.keep(|block| {
            for _ in 0..200 {
                block.fact("Etiqueta", "valor");
            }
        });
        assert!(document.pages.len() > 2, "a block that no page holds is split");
    }

    #[test]
    fn the_heading_of_a_table_stays_with_its_first_row() {
        let mut document = TextDocument::new(["Constancia", "Título"], "ref", ACCENT, Language::Spanish);
        let filler = |document: &mut TextDocument| {
            while document.y > BOTTOM + 120.0 {
                document.fact("Etiqueta", "valor");
            }
        };
        filler(&mut document);
        let tall = ["Señora de apellido largo ".repeat(12), "2026-03-04".to_owned()];
        document.table("Resumen", ["Quién", "Cuándo"], &[tall.clone(), tall]);
        assert_eq!(document.pages.len(), 1, "heading and row begin the second page");
    }

    #[test]
    fn words_make_a_document_that_can_be_signed() {
        let mut document = TextDocument::new(
            ["Constancia", "Señores \u{202e}(a) <b> 漢字"],
            "ref",
            ACCENT,
            Language::Spanish,
        );
        for number in 0..120 {
            document.heading("Un encabezado");
            document.paragraph(&"palabra ".repeat(number));
            document.fact("Etiqueta", &"x".repeat(300));
            document.table(
                "Una tabla",
                ["Quién", "Cuándo"],
                &[["Señora X".to_owned(), "2026-03-04".to_owned()]],
            );
        }
        document.attach("datos.json", "application/json", b"{}".to_vec());
        let pages = std::cell::Cell::new(0);
        let bytes = document.finish(|page, count| {
            pages.set(count);
            format!("Página {page} de {count}")
        });
        let seen = inspect(&bytes, &Limits::default()).map(|seen| seen.pages);
        assert_eq!(seen.map(usize::try_from), Ok(Ok(pages.get())));
        assert!(pages.get() > 10);
    }
}
