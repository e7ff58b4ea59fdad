//! The text of a statement on its way to an engine. `{lock}` in it stands for a lock on the rows of a select.

use crate::dialect::{ColumnType, Dialect, with_list};
use std::borrow::Cow;

/// The placeholders that a text leaves open until the values are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expansion<'k> {
    /// Nothing.
    None,
    /// `count` placeholders, in place of every `{list}`.
    List { first: usize, count: usize },
    /// `count` rows of placeholders for values of these types, in place of `{rows}`, or at the end if there is none.
    Rows {
        kinds: &'k [ColumnType],
        first: usize,
        count: usize,
    },
}

impl Expansion<'_> {
    /// The text with nothing left open.
    pub(crate) fn expand(self, dialect: Dialect, text: &str) -> Cow<'_, str> {
        let filled = match self {
            Self::None => Cow::Borrowed(text),
            Self::List { first, count } => with_list(text, first, count).into(),
            Self::Rows { kinds, first, count } => {
                let rows = dialect.rows(kinds, count, first);
                if text.contains("{rows}") {
                    text.replace("{rows}", &rows).into()
                } else {
                    format!("{text} {rows}").into()
                }
            }
        };
        if filled.contains("{lock}") {
            filled.replace("{lock}", dialect.for_update()).into()
        } else {
            filled
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_filled_where_it_is_open() {
        let kinds = &[ColumnType::Int, ColumnType::Text];
        let list = Expansion::List { first: 2, count: 2 };
        let rows = Expansion::Rows {
            kinds,
            first: 2,
            count: 1,
        };
        let filled = |expansion: Expansion<'_>, text| expansion.expand(Dialect::Sqlite, text).into_owned();
        assert_eq!(filled(Expansion::None, "a = $1"), "a = $1");
        assert_eq!(filled(list, "a IN ({list}){lock}"), "a IN ($2, $3)");
        assert_eq!(filled(rows, "(VALUES {rows}) AS c"), "(VALUES ($2, $3)) AS c");
        assert_eq!(filled(rows, "VALUES"), "VALUES ($2, $3)");
        assert_eq!(
            Expansion::None.expand(Dialect::Postgres, "SELECT a{lock}"),
            "SELECT a FOR NO KEY UPDATE"
        );
    }
}
