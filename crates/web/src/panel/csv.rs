//! Comma-separated values, as RFC 4180 writes them.

/// A table under way.
pub(super) struct CsvTable(String);

impl CsvTable {
    /// An empty one. Spreadsheets take it for UTF-8 by the mark at its beginning.
    pub(super) fn new() -> Self {
        Self("\u{feff}".to_owned())
    }

    pub(super) fn line(&mut self, cells: &[&str]) {
        for (column, cell) in cells.iter().enumerate() {
            self.0.push_str(if column == 0 { "\"" } else { ",\"" });
            if is_formula(cell) {
                self.0.push('\'');
            }
            self.0.push_str(&cell.replace('"', "\"\""));
            self.0.push('"');
        }
        self.0.push_str("\r\n");
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// Whether a spreadsheet would take the cell for a formula.
pub(super) fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}
