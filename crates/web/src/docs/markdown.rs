//! Chapters from Markdown to HTML: headings with anchors, examples in groups, links between chapters.

use super::chapters;
use crate::page::PanelLang;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// The languages of examples, as a fenced block names them, in the order of their tabs.
const EXAMPLE_LANGUAGES: [(&str, &str); 7] = [
    ("bash", "curl"),
    ("sh", "Shell"),
    ("python", "Python"),
    ("javascript", "JavaScript"),
    ("java", "Java"),
    ("php", "PHP"),
    ("csharp", "C#"),
];

/// A chapter, ready to be shown.
#[derive(Debug, Default)]
pub(super) struct Rendered {
    pub(super) title: String,
    pub(super) html: String,
    /// The first has the text below the title.
    pub(super) sections: Vec<ChapterSection>,
}

/// A heading and the text below it, without examples.
#[derive(Debug)]
pub(super) struct ChapterSection {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
    /// Whether it is in the list of the page's sections.
    pub(super) is_main: bool,
}

/// Renders a chapter. `form` makes the form that `<!-- probar: operation -->` stands for. Other HTML is shown as text.
pub(super) fn render(lang: PanelLang, text: &str, form: impl Fn(&str) -> String) -> Rendered {
    let mut chapter = Renderer {
        lang,
        form,
        events: Vec::new(),
        is_in_group: false,
        table: MarkdownTable::default(),
        rendered: Rendered::default(),
    };
    let mut parser = Parser::new_ext(text, Options::ENABLE_TABLES).peekable();
    while let Some(event) = parser.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let until = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Heading(_)));
                chapter.heading(level, take_until(&mut parser, until));
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let until = |event: &Event<'_>| matches!(event, Event::End(TagEnd::CodeBlock));
                let code = plain_text(&take_until(&mut parser, until));
                let next = match parser.peek() {
                    Some(Event::Start(Tag::CodeBlock(kind))) => Some(language(kind)),
                    _ => None,
                };
                chapter.code(&language(&kind), code, next.is_some_and(|next| is_example(&next)));
            }
            other => chapter.push(other),
        }
    }
    html::push_html(&mut chapter.rendered.html, chapter.events.into_iter());
    chapter.rendered
}

struct Renderer<'a, F> {
    lang: PanelLang,
    form: F,
    events: Vec<Event<'a>>,
    /// Whether the last example is in a group that more examples follow in.
    is_in_group: bool,
    table: MarkdownTable,
    rendered: Rendered,
}

/// The table that is being rendered.
#[derive(Default)]
struct MarkdownTable {
    is_head: bool,
    columns: Vec<String>,
    /// The column of the next cell.
    column: usize,
}

impl<'a, F: Fn(&str) -> String> Renderer<'a, F> {
    fn heading(&mut self, level: HeadingLevel, inner: Vec<Event<'a>>) {
        let title = plain_text(&inner);
        if level == HeadingLevel::H1 {
            self.rendered.title.clone_from(&title);
        }
        let id = self.unused_id(&anchor(&title));
        self.events.push(Event::Start(Tag::Heading {
            level,
            id: Some(id.clone().into()),
            classes: Vec::new(),
            attrs: Vec::new(),
        }));
        self.events.extend(inner);
        self.events.push(Event::End(TagEnd::Heading(level)));
        self.rendered.sections.push(ChapterSection {
            id,
            title,
            text: String::new(),
            is_main: level == HeadingLevel::H2,
        });
    }

    /// The anchor with a number, where the page has one like it, as code hosts number them.
    fn unused_id(&self, anchor: &str) -> String {
        let is_used = |id: &str| self.rendered.sections.iter().any(|section| section.id == id);
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        std::iter::once(anchor.to_owned())
            .chain(numbered)
            .find(|id| !is_used(id))
            .unwrap_or_default()
    }

    fn code(&mut self, language: &str, code: String, example_follows: bool) {
        let is_example = is_example(language);
        if is_example && !self.is_in_group {
            self.html("<div class=\"examples\">\n".into());
        }
        let label = label(self.lang, language);
        // Both are names from a list.
        self.html(format!(
            "<figure class=\"code\" data-language=\"{label}\"><figcaption>{label}</figcaption>"
        ));
        self.events
            .push(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
        self.events.push(Event::Text(code.into()));
        self.events.push(Event::End(TagEnd::CodeBlock));
        self.html("</figure>\n".into());
        self.is_in_group = is_example && example_follows;
        if is_example && !self.is_in_group {
            self.html("</div>\n".into());
        }
    }

    fn push(&mut self, event: Event<'a>) {
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => self.events.push(Event::Start(Tag::Link {
                link_type,
                dest_url: destination(self.lang, dest_url),
                title,
                id,
            })),
            Event::Start(Tag::Table(_)) => {
                self.html("<div class=\"wide-table\" tabindex=\"0\">\n".into());
                self.events.push(event);
            }
            Event::End(TagEnd::Table) => {
                self.events.push(event);
                self.html("</div>\n".into());
            }
            Event::Html(text) | Event::InlineHtml(text) => match operation_to_try(&text) {
                Some(operation) => {
                    let form = (self.form)(operation);
                    self.html(form);
                }
                None => self.events.push(Event::Text(text)),
            },
            event => {
                self.index(&event);
                let event = self.labelled(event);
                self.events.push(event);
            }
        }
    }

    /// Gives each cell the name of its column: narrow screens show a row as a list.
    fn labelled(&mut self, event: Event<'a>) -> Event<'a> {
        let table = &mut self.table;
        match &event {
            Event::Start(Tag::TableHead) => {
                *table = MarkdownTable {
                    is_head: true,
                    ..MarkdownTable::default()
                };
            }
            Event::End(TagEnd::TableHead) => table.is_head = false,
            Event::Start(Tag::TableRow) => table.column = 0,
            Event::Start(Tag::TableCell) if table.is_head => table.columns.push(String::new()),
            Event::Text(text) | Event::Code(text) if table.is_head => {
                if let Some(column) = table.columns.last_mut() {
                    column.push_str(text);
                }
            }
            Event::Start(Tag::TableCell) => {
                let label = table.columns.get(table.column).map_or("", String::as_str);
                let label = label.replace('&', "&amp;").replace('"', "&quot;");
                table.column += 1;
                return Event::InlineHtml(format!("<td data-label=\"{label}\">").into());
            }
            Event::End(TagEnd::TableCell) if !table.is_head => return Event::InlineHtml("</td>".into()),
            _ => {}
        }
        event
    }

    /// Adds a text to what the search finds.
    fn index(&mut self, event: &Event<'_>) {
        let Some(section) = self.rendered.sections.last_mut() else {
            return;
        };
        match event {
            Event::Text(text) | Event::Code(text) => section.text.push_str(text),
            Event::SoftBreak | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                section.text.push(' ');
            }
            _ => {}
        }
    }

    fn html(&mut self, text: String) {
        self.events.push(Event::Html(text.into()));
    }
}

fn take_until<'a>(
    events: &mut impl Iterator<Item = Event<'a>>,
    is_end: impl Fn(&Event<'a>) -> bool,
) -> Vec<Event<'a>> {
    events.take_while(|event| !is_end(event)).collect()
}

fn plain_text(events: &[Event<'_>]) -> String {
    let texts = events.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        _ => None,
    });
    texts.collect()
}

/// The first word of a fenced block's info string. Commands that are no example in one of several languages (`prueba=` names
/// those) are typed in a terminal.
fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Fenced(info) => {
            let mut words = info.split_whitespace();
            match words.next().unwrap_or_default() {
                "bash" if !words.any(|word| word.starts_with("prueba=")) => "console".to_owned(),
                first => first.to_owned(),
            }
        }
        CodeBlockKind::Indented => String::new(),
    }
}

fn is_example(language: &str) -> bool {
    EXAMPLE_LANGUAGES.iter().any(|(name, _)| *name == language)
}

fn label(lang: PanelLang, language: &str) -> &'static str {
    match language {
        "console" => lang.docs_terminal(),
        "json" => "JSON",
        "http" => "HTTP",
        _ => EXAMPLE_LANGUAGES
            .iter()
            .find(|(name, _)| *name == language)
            .map_or("", |(_, label)| *label),
    }
}

/// The anchor of a heading, as code hosts make it: the same link works there and here.
fn anchor(title: &str) -> String {
    title
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

/// Links to files of the guide, in whatever folder of the repository, lead to their chapters.
fn destination(lang: PanelLang, link: CowStr<'_>) -> CowStr<'_> {
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (&*link, String::new()),
    };
    let name = match file.rsplit_once('/') {
        Some((folder, name)) if !folder.contains(':') => name,
        _ => file,
    };
    match chapters::address_of_file(lang, name) {
        Some(address) => format!("{address}{anchor}").into(),
        None => link,
    }
}

fn operation_to_try(text: &str) -> Option<&str> {
    text.trim().strip_prefix("<!-- probar: ")?.strip_suffix(" -->")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> Rendered {
        render(PanelLang::Es, text, |operation| {
            format!("<form id={operation}></form>")
        })
    }

    #[test]
    fn headings_have_anchors_and_sections_have_their_text() {
        let chapter = rendered("# Qué es\n\nUn `folio`.\n\n## Más: sí\n\nTexto\nseguido.\n\n## Más: sí\n");
        assert_eq!(chapter.title, "Qué es");
        assert!(chapter.html.contains("<h2 id=\"más-sí\">"), "{}", chapter.html);
        assert!(chapter.html.contains("<h2 id=\"más-sí-1\">"), "{}", chapter.html);
        let texts: Vec<&str> = chapter
            .sections
            .iter()
            .map(|section| section.text.trim())
            .collect();
        assert_eq!(texts, ["Un folio.", "Texto seguido.", ""]);
    }

    #[test]
    fn examples_that_follow_each_other_are_one_group() {
        let text = "```bash prueba=a\ncurl <x>\n```\n\n```python prueba=a\nprint()\n```\n\n```json\n{}\n```\n\n```php prueba=b\n1\n```\n";
        let html = rendered(text).html;
        assert_eq!(html.matches("class=\"examples\"").count(), 2, "{html}");
        assert_eq!(html.matches("<figure").count(), 4, "{html}");
        assert!(html.contains("curl &lt;x&gt;"), "{html}");
        let first = html.split("</div>").next().unwrap();
        assert!(first.contains("curl") && first.contains("Python") && !first.contains("JSON"));
    }

    #[test]
    fn cells_have_the_names_of_their_columns() {
        let html = rendered("| `a` | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n").html;
        assert!(html.contains("<th>B</th>"), "{html}");
        let rows = "<tr><td data-label=\"a\">3</td><td data-label=\"B\">4</td></tr>";
        assert!(html.contains(rows), "{html}");
    }

    #[test]
    fn links_lead_to_chapters_and_html_is_text() {
        let html = rendered("[x](02-conceptos.md#estados) <b>y</b>\n\n<!-- probar: readFolio -->\n").html;
        assert!(html.contains("href=\"/docs/conceptos#estados\""), "{html}");
        assert!(html.contains("&lt;b&gt;"), "{html}");
        assert!(html.contains("<form id=readFolio>"), "{html}");
        let folders =
            rendered("[x](../auditores.md) [y](auditors.md) [z](https://example.com/auditors.md)\n").html;
        for address in [
            "/docs/auditores",
            "/docs/en/auditors",
            "https://example.com/auditors.md",
        ] {
            assert!(folders.contains(&format!("href=\"{address}\"")), "{folders}");
        }
    }

    #[test]
    fn commands_without_a_name_are_no_example() {
        let html = rendered("```bash\nsha256sum x\n```\n").html;
        assert!(
            !html.contains("class=\"examples\"") && html.contains(">Terminal<"),
            "{html}"
        );
    }
}
