//! A CSV file of people for a template: a row for each folio. Everything that is wrong is told with its row and column.
//!
//! Excel writes what its system is set to: commas or semicolons, UTF-8 or Windows-1252.

use crate::page::PanelLang;
use crate::panel::folios::draft_form::{DraftForm, SignerForm};
use crate::panel::folios::folio_request::{FieldFaults, folio_request};
use app::Notary;
use app::folios::create::FolioRequest;
use app::folios::import::ImportedFolio;
use domain::search::sort_key;
use domain::{DocumentType, FieldError, limits};
use encoding_rs::WINDOWS_1252;
use serde::{Deserialize, Serialize};

/// Characters of a cell that are kept; more is too long for any field.
const MAX_CELL_CHARS: usize = 300;

/// What is wrong with a cell, or with a whole column or row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellError {
    /// As Excel counts them, with the headings as the first; none where it is the whole column.
    pub(crate) row: Option<usize>,
    pub(crate) column: String,
    pub(crate) text: String,
}

/// A row of a file: what a folio has of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ImportRow {
    name: String,
    signers: Vec<SignerForm>,
}

/// The folios of rows, and what all of them have in common, by the rules of a single one.
pub(super) fn folios(
    rows: &[ImportRow],
    form: &DraftForm,
    (home, notary): (&str, &Notary),
) -> Result<(FolioRequest, Vec<ImportedFolio>), FieldFaults> {
    let (mut common, mut folios) = (None, Vec::with_capacity(rows.len()));
    for row in rows {
        let filled = DraftForm {
            name: row.name.clone(),
            signers: row.signers.clone(),
            ..form.clone()
        };
        let request = folio_request(&filled, home, notary)?;
        folios.push(ImportedFolio {
            name: request.name.clone(),
            signers: request.signers.clone(),
        });
        common = Some(request);
    }
    let nothing = || vec![("name".to_owned(), FieldError::Missing)];
    Ok((common.ok_or_else(nothing)?, folios))
}

/// Why a file is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileFault {
    Workbook,
    NoText,
}

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    FolioName,
    Signer(usize, PersonField),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PersonField {
    Name,
    Kind,
    Number,
    Email,
    Mobile,
}

impl PersonField {
    const ALL: [Self; 5] = [Self::Name, Self::Kind, Self::Number, Self::Email, Self::Mobile];

    const fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Kind => "kind",
            Self::Number => "number",
            Self::Email => "email",
            Self::Mobile => "mobile",
        }
    }
}

/// The text of a file.
pub(super) fn decode(bytes: &[u8]) -> Result<String, FileFault> {
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        return Err(FileFault::Workbook);
    }
    // A mark at the beginning says that it is UTF-8 or UTF-16.
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => WINDOWS_1252.decode(bytes).0.into_owned(),
    };
    if text.contains('\0') {
        return Err(FileFault::NoText);
    }
    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// The headings of a template's file, each with what goes into the column.
pub(super) fn headings(form: &DraftForm, l: PanelLang) -> Vec<(String, &'static str)> {
    let heading = |column: Column| {
        let hint = match column {
            Column::FolioName => l.import_folio_hint(),
            Column::Signer(_, PersonField::Name) => l.import_name_hint(),
            Column::Signer(_, PersonField::Kind) => l.import_kind_hint(),
            Column::Signer(_, PersonField::Number) => l.import_number_hint(),
            Column::Signer(_, PersonField::Email) => l.import_email_hint(),
            Column::Signer(_, PersonField::Mobile) => l.import_mobile_hint(),
        };
        (heading(form, column, l), hint)
    };
    columns(form).into_iter().map(heading).collect()
}

fn columns(form: &DraftForm) -> Vec<Column> {
    let of_signers =
        (0..form.signers.len()).flat_map(|index| PersonField::ALL.map(|field| Column::Signer(index, field)));
    std::iter::once(Column::FolioName).chain(of_signers).collect()
}

fn heading(form: &DraftForm, column: Column, l: PanelLang) -> String {
    let Column::Signer(index, field) = column else {
        return l.import_folio().to_owned();
    };
    let role = form.signers.get(index).map_or("", |signer| signer.role.as_str());
    let field = match field {
        PersonField::Name => l.import_name(),
        PersonField::Kind => l.import_kind(),
        PersonField::Number => l.import_number(),
        PersonField::Email => l.import_email(),
        PersonField::Mobile => l.import_mobile(),
    };
    format!("{role}: {field}")
}

/// The separator of the headings: the one of which there are more outside of quotes.
fn separator(text: &str) -> u8 {
    let (mut quoted, mut commas, mut semicolons) = (false, 0_usize, 0_usize);
    for letter in text.lines().next().unwrap_or_default().chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => commas += 1,
            ';' if !quoted => semicolons += 1,
            _ => {}
        }
    }
    if semicolons > commas { b';' } else { b',' }
}

/// The rows of a file, or everything that is wrong.
pub(super) fn read(
    text: &str,
    form: &DraftForm,
    (home, notary): (&str, &Notary),
    l: PanelLang,
) -> Result<Vec<ImportRow>, Vec<CellError>> {
    // Excel reads its own first line, and does not take it out again.
    let (text, skipped) = match text.split_once('\n') {
        Some((first, rest)) if first.to_lowercase().starts_with("sep=") => (rest, 1),
        _ => (text, 0),
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator(text))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut table = PeopleTable {
        form,
        l,
        errors: Vec::new(),
        places: Vec::new(),
        titles: Vec::new(),
    };
    let mut rows = Vec::new();
    let (mut inner_lines, mut begun) = (0, false);
    let mut record = csv::StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => return Err(vec![PeopleTable::whole(None, l.import_no_text())]),
        }
        // A cell may have several lines, which Excel shows in one row.
        inner_lines += record
            .iter()
            .map(|cell| cell.matches('\n').count())
            .sum::<usize>();
        let next_line = usize::try_from(reader.position().line()).unwrap_or(usize::MAX);
        let row = next_line.saturating_add(skipped).saturating_sub(1 + inner_lines);
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if !begun {
            begun = true;
            if !table.begin(&record) {
                return Err(table.errors);
            }
            continue;
        }
        if rows.len() >= limits::IMPORTED_FOLIOS {
            let error = PeopleTable::whole(Some(row), l.import_too_many());
            table.errors.push(error);
            return Err(table.errors);
        }
        let filled = table.fill(&record, row);
        if let Err(faults) = folio_request(&filled, home, notary) {
            for (field, problem) in &faults {
                table.note(row, field, problem);
            }
        }
        rows.push(ImportRow {
            name: filled.name,
            signers: filled.signers,
        });
    }
    if rows.is_empty() && table.errors.is_empty() {
        let error = PeopleTable::whole(None, l.import_no_rows());
        table.errors.push(error);
    }
    if table.errors.is_empty() {
        Ok(rows)
    } else {
        Err(table.errors)
    }
}

/// A file under way.
struct PeopleTable<'f> {
    form: &'f DraftForm,
    l: PanelLang,
    errors: Vec<CellError>,
    /// What each column of the file is for.
    places: Vec<Column>,
    /// The headings as the file has them.
    titles: Vec<String>,
}

impl PeopleTable<'_> {
    fn whole(row: Option<usize>, text: &str) -> CellError {
        CellError {
            row,
            column: String::new(),
            text: text.to_owned(),
        }
    }

    /// Reads the headings, in any order, in either language. False where some are wrong.
    fn begin(&mut self, record: &csv::StringRecord) -> bool {
        let expected = columns(self.form);
        let known: Vec<(Column, [String; 2])> = expected
            .iter()
            .map(|column| {
                let names = PanelLang::ALL.map(|l| folded(&heading(self.form, *column, l)));
                (*column, names)
            })
            .collect();
        let mut errors = Vec::new();
        let mut titles: Vec<&str> = record.iter().map(str::trim).collect();
        while titles.last().is_some_and(|title| title.is_empty()) {
            titles.pop();
        }
        // Among more titles than columns one is wrong: the rest need no look.
        for title in titles.iter().take(2 * expected.len()) {
            let plain = folded(title);
            let meant = known.iter().find(|(_, names)| names.contains(&plain));
            let text = match meant.map(|(column, _)| column) {
                None => self.l.import_column_unknown(),
                Some(column) if self.places.contains(column) => self.l.import_column_twice(),
                Some(column) => {
                    self.places.push(*column);
                    self.titles.push((*title).to_owned());
                    continue;
                }
            };
            let column = title.chars().take(MAX_CELL_CHARS).collect();
            let text = text.to_owned();
            errors.push(CellError {
                row: None,
                column,
                text,
            });
        }
        // The names of folios, and what kind of document each signer has, need no column.
        let needed = |column: &&Column| {
            !matches!(column, Column::FolioName | Column::Signer(_, PersonField::Kind))
                && !self.places.contains(column)
        };
        errors.extend(expected.iter().filter(needed).map(|column| CellError {
            row: None,
            column: heading(self.form, *column, self.l),
            text: self.l.import_column_missing().to_owned(),
        }));
        self.errors = errors;
        self.errors.is_empty()
    }

    /// The template's form with the people of a row.
    fn fill(&mut self, record: &csv::StringRecord, row: usize) -> DraftForm {
        let mut filled = self.form.clone();
        for signer in &mut filled.signers {
            DocumentType::CitizenCard.code().clone_into(&mut signer.kind);
        }
        let mut errors = Vec::new();
        for (place, cell) in record.iter().enumerate() {
            let cell: String = cell.trim().chars().take(MAX_CELL_CHARS).collect();
            let Some(column) = self.places.get(place) else {
                if !cell.is_empty() {
                    errors.push(Self::whole(Some(row), self.l.import_cells()));
                    break;
                }
                continue;
            };
            match *column {
                Column::FolioName if cell.is_empty() => {}
                Column::FolioName => filled.name = cell,
                Column::Signer(index, field) => {
                    if matches!(field, PersonField::Number | PersonField::Mobile) && is_abbreviated(&cell) {
                        errors.push(CellError {
                            row: Some(row),
                            column: self.titles[place].clone(),
                            text: self.l.import_abbreviated().to_owned(),
                        });
                    }
                    let Some(signer) = filled.signers.get_mut(index) else {
                        continue;
                    };
                    match field {
                        PersonField::Name => signer.name = cell,
                        PersonField::Kind if cell.is_empty() => {}
                        PersonField::Kind => signer.kind = kind_code(&cell),
                        PersonField::Number => signer.number = cell,
                        PersonField::Email => signer.email = cell,
                        PersonField::Mobile => signer.mobile = cell,
                    }
                }
            }
        }
        self.errors.extend(errors);
        filled
    }

    /// Notes what is wrong with a field of a row. What no column has is wrong in the template, and told once.
    fn note(&mut self, row: usize, field: &str, problem: &FieldError) {
        let index: usize = field.trim_start_matches(char::is_alphabetic).parse().unwrap_or(0);
        let word = field.trim_end_matches(|c: char| c.is_ascii_digit());
        let of_signer = PersonField::ALL
            .into_iter()
            .find(|known| known.word() == word && field != word);
        let column = match (of_signer, word) {
            (Some(field), _) => Some(Column::Signer(index, field)),
            (None, "name") => Some(Column::FolioName),
            _ => None,
        };
        let text = match of_signer {
            Some(PersonField::Kind) => self.l.import_kind_wrong().to_owned(),
            _ => self.l.problem(problem),
        };
        let title = |column: Column| {
            let place = self.places.iter().position(|known| *known == column);
            place.map_or_else(
                || heading(self.form, column, self.l),
                |place| self.titles[place].clone(),
            )
        };
        let error = match (column, word) {
            (Some(column), _) => CellError {
                row: Some(row),
                column: title(column),
                text,
            },
            (None, "signers") => CellError {
                row: Some(row),
                column: String::new(),
                text,
            },
            (None, _) => CellError {
                row: None,
                column: match word {
                    "message" => self.l.new_message(),
                    "language" => self.l.new_language(),
                    _ => self.l.new_return(),
                }
                .to_owned(),
                text: format!(
                    "{} {}",
                    self.l.import_template_wrong(),
                    self.l.import_template_fix()
                ),
            },
        };
        let is_told = |known: &CellError| known.row == error.row && known.column == error.column;
        if !self.errors.iter().any(is_told) {
            self.errors.push(error);
        }
    }
}

/// A heading for comparison: case, accents and blanks do not count, nor does the leading apostrophe that keeps spreadsheets from
/// calculating it.
fn folded(text: &str) -> String {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    sort_key(plain.trim_start_matches('\''))
}

/// "C.C." and "cédula de ciudadanía" are CC.
fn kind_code(cell: &str) -> String {
    let letters: String = cell.chars().filter(|c| c.is_alphanumeric()).collect();
    let letters = letters.to_uppercase();
    if DocumentType::from_code(&letters).is_ok() {
        return letters;
    }
    let mut kinds = DocumentType::CODES
        .iter()
        .filter_map(|code| DocumentType::from_code(code).ok());
    let named = kinds.find(|kind| {
        PanelLang::ALL
            .into_iter()
            .any(|l| folded(l.document_type_name(*kind)) == folded(cell))
    });
    named.map_or_else(|| cell.to_owned(), |kind| kind.code().to_owned())
}

/// "1,02E+09": what Excel writes for a long number that it shows in a narrow column.
fn is_abbreviated(cell: &str) -> bool {
    let are_digits =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || ".,".contains(c));
    let parts = cell.split_once("E+").or_else(|| cell.split_once("e+"));
    parts.is_some_and(|(digits, power)| are_digits(digits) && are_digits(power))
}
