//! The text of a statement on its way to an engine.

use crate::dialect::{Dialect, Kind, with_list};
use std::borrow::Cow;

/// The text of a statement, as a query gives it. `{lock}` in it stands for a lock on the rows of a select.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sql<'s> {
    /// A part of the program. It stays where it is and never changes: its address stands for it.
    Lasting(&'static str),
    /// Put together for the occasion.
    Built(&'s str),
}

impl<'s> Sql<'s> {
    #[expect(clippy::match_same_arms, reason = "the texts live for different times")]
    pub(crate) const fn text(self) -> &'s str {
        match self {
            Self::Lasting(text) => text,
            Self::Built(text) => text,
        }
    }
}

impl From<&'static str> for Sql<'_> {
    fn from(text: &'static str) -> Self {
        Self::Lasting(text)
    }
}

impl<'s> From<&'s String> for Sql<'s> {
    fn from(text: &'s String) -> Self {
        Self::Built(text)
    }
}

/// What a text leaves open until the values are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Gap<'k> {
    /// Nothing.
    None,
    /// A list of so many placeholders, wherever `{list}` stands.
    List { first: usize, count: usize },
    /// So many rows of placeholders for values of these kinds, where `{rows}` stands, or else at the end.
    Rows {
        kinds: &'k [Kind],
        first: usize,
        count: usize,
    },
}

impl Gap<'_> {
    /// How many values or rows.
    pub(crate) const fn count(self) -> usize {
        match self {
            Self::None => 0,
            Self::List { count, .. } | Self::Rows { count, .. } => count,
        }
    }

    /// All that the finished text depends on besides the text itself, for one that has this kind of gap.
    pub(crate) const fn measure(self) -> [usize; 3] {
        match self {
            Self::None => [0, 0, 0],
            Self::List { first, count } => [first, 0, count],
            Self::Rows { kinds, first, count } => [first, kinds.len(), count],
        }
    }

    /// The text with nothing left open.
    pub(crate) fn filled(self, dialect: Dialect, text: &str) -> Cow<'_, str> {
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
        let kinds = &[Kind::Int, Kind::Text];
        let list = Gap::List { first: 2, count: 2 };
        let rows = Gap::Rows {
            kinds,
            first: 2,
            count: 1,
        };
        let filled = |gap: Gap<'_>, text| gap.filled(Dialect::Sqlite, text).into_owned();
        assert_eq!(filled(Gap::None, "a = $1"), "a = $1");
        assert_eq!(filled(list, "a IN ({list}){lock}"), "a IN ($2, $3)");
        assert_eq!(filled(rows, "(VALUES {rows}) AS c"), "(VALUES ($2, $3)) AS c");
        assert_eq!(filled(rows, "VALUES"), "VALUES ($2, $3)");
        assert_eq!(
            Gap::None.filled(Dialect::Postgres, "SELECT a{lock}"),
            "SELECT a FOR UPDATE"
        );
    }
}
