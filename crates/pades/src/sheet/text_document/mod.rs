//! A new document of text: headings, paragraphs and facts, on as many pages as they need, in the fonts of the sheet.
//! Texts
//! from outside are only drawn; the caller bounds their length.

mod file;

use super::canvas::{Canvas, INK, LINE, QUIET, Style, style};
use super::charset::clean;
use super::data::Colour;
use super::font::Font;
use super::line_break::fit;
use file::NewFile;

const WIDTH: f64 = 595.0;
const HEIGHT: f64 = 842.0;
const MARGIN: f64 = 62.0;
const COLUMN: f64 = WIDTH - 2.0 * MARGIN;
/// The lowest line of a page, above its foot.
const BOTTOM: f64 = 74.0;
/// The column of labels and times.
const LABEL_WIDTH: f64 = 112.0;

/// A document being written, on A4.
#[derive(Debug)]
pub struct TextDocument {
    title: String,
    reference: String,
    accent: Colour,
    pages: Vec<Canvas>,
    /// Where the next line may start.
    y: f64,
    attachment: Option<Attachment>,
}

/// A file embedded in the document.
#[derive(Debug)]
struct Attachment {
    name: String,
    kind: &'static str,
    bytes: Vec<u8>,
}

impl TextDocument {
    /// A document with a title. `reference` is at the foot of every page.
    pub fn new(eyebrow: &str, title: &str, reference: &str, accent: Colour) -> Self {
        let mut this = Self {
            title: clean(title),
            reference: clean(reference),
            accent,
            pages: Vec::new(),
            y: 0.0,
            attachment: None,
        };
        this.turn();
        let mut small = style(Font::Bold, 7.5, accent);
        small.spread = 1.1;
        this.y -= 18.0;
        this.put(MARGIN, small, &clean(eyebrow).to_uppercase());
        this.y -= 10.0;
        this.lines(MARGIN, COLUMN, style(Font::Bold, 19.0, INK), 25.0, title);
        this.y -= 8.0;
        this
    }

    /// A heading, with at least a few lines below it on the same page.
    pub fn heading(&mut self, text: &str) {
        self.room(74.0);
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
        self.row(label, style(Font::Regular, 7.4, QUIET), value);
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
        let count = self.pages.len();
        let set = style(Font::Regular, 6.8, QUIET);
        for (number, canvas) in self.pages.iter_mut().enumerate() {
            let y = MARGIN * 0.62;
            canvas.bar([MARGIN, y + 12.0, COLUMN, 0.5], LINE);
            let place = clean(&place(number + 1, count));
            canvas.text_to([WIDTH - MARGIN, y], set, &place);
            let room = COLUMN - set.width(&place) - 20.0;
            let (set, reference) = fit(set, 5.5, room, &self.reference);
            canvas.text([MARGIN, y], set, &reference);
        }
        let mut file = NewFile::new();
        for canvas in self.pages {
            file.page([WIDTH, HEIGHT], &canvas.into_bytes());
        }
        if let Some(Attachment { name, kind, bytes }) = &self.attachment {
            file.attach(name, kind, bytes);
        }
        file.finish(&self.title)
    }

    fn row(&mut self, label: &str, value_style: Style, value: &str) {
        let label_style = style(Font::Regular, value_style.size, QUIET);
        self.room(16.0);
        self.y -= value_style.size + 4.0;
        let (set, label) = fit(label_style, 6.0, LABEL_WIDTH - 10.0, &clean(label));
        self.put(MARGIN, set, &label);
        self.y += value_style.size + 4.0;
        self.lines(
            MARGIN + LABEL_WIDTH,
            COLUMN - LABEL_WIDTH,
            value_style,
            value_style.size + 4.0,
            value,
        );
    }

    /// Sets a text in lines of a width.
    fn lines(&mut self, left: f64, width: f64, set: Style, pitch: f64, text: &str) {
        for line in broken(set, width, text) {
            self.room(pitch);
            self.y -= pitch;
            self.put(left, set, &line);
        }
    }

    fn put(&mut self, left: f64, set: Style, text: &str) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.text([left, y], set, text);
        }
    }

    fn rule(&mut self) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.bar([MARGIN, y, COLUMN, 0.5], LINE);
        }
    }

    /// Starts a new page if this height does not fit.
    fn room(&mut self, height: f64) {
        if self.y - height < BOTTOM {
            self.turn();
        }
    }

    fn turn(&mut self) {
        self.y = HEIGHT - MARGIN;
        let mut canvas = Canvas::default();
        canvas.bar([MARGIN, self.y - 2.5, 34.0, 2.5], self.accent);
        self.y -= 10.0;
        self.pages.push(canvas);
    }
}

/// A text in lines of a width; a wider word is broken where the line is full.
fn broken(set: Style, width: f64, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace().map(clean).filter(|word| !word.is_empty()) {
        let gap = if line.is_empty() { 0.0 } else { set.advance(' ') };
        if set.width(&line) + gap + set.width(&word) <= width {
            if gap > 0.0 {
                line.push(' ');
            }
            line.push_str(&word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for letter in word.chars() {
            if !line.is_empty() && set.width(&line) + set.advance(letter) > width {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.extend((!line.is_empty()).then_some(line));
    lines
}

#[cfg(test)]
mod tests {
    use pdf::Limits;
    use pdf::inspect::inspect;

    use super::*;

    const ACCENT: Colour = Colour(0x1f, 0x4e, 0x5f);

    #[test]
    fn words_make_a_document_that_can_be_signed() {
        let mut document = TextDocument::new("Constancia", "Señores \u{202e}(a) <b> 漢字", "ref", ACCENT);
        for number in 0..120 {
            document.heading("Un encabezado");
            document.paragraph(&"palabra ".repeat(number));
            document.fact("Etiqueta", &"x".repeat(300));
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

    #[test]
    fn lines_hold_every_letter() {
        let set = style(Font::Regular, 9.0, INK);
        let text = format!("uno dos {} tres", "f".repeat(200));
        let lines = broken(set, 100.0, &text);
        assert!(lines.iter().all(|line| set.width(line) <= 100.0));
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        assert_eq!(broken(set, 100.0, " \n "), Vec::<String>::new());
    }
}
