//! Pagination of lists that are read whole.

/// Rows of a page.
const ROWS_PER_PAGE: usize = 50;

/// The current page and the last one, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pagination {
    pub(crate) here: usize,
    pub(crate) last: usize,
}

impl Pagination {
    /// Keeps the rows of the requested page, or of the nearest one.
    pub(crate) fn take<T>(rows: &mut Vec<T>, requested: Option<&str>) -> Self {
        let last = rows.len().div_ceil(ROWS_PER_PAGE).max(1);
        let here = requested
            .and_then(|requested| requested.parse().ok())
            .unwrap_or(1)
            .clamp(1, last);
        rows.truncate(here * ROWS_PER_PAGE);
        rows.drain(..(here - 1) * ROWS_PER_PAGE);
        Self { here, last }
    }

    /// The address of the page before this one; the list's own may have a query.
    pub(crate) fn previous(&self, list: &str) -> String {
        address(list, self.here - 1)
    }

    /// The address of the page after this one.
    pub(crate) fn next(&self, list: &str) -> String {
        address(list, self.here + 1)
    }
}

fn address(list: &str, page: usize) -> String {
    let mark = if list.contains('?') { '&' } else { '?' };
    format!("{list}{mark}page={page}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_on_one_page() {
        let all: Vec<usize> = (0..120).collect();
        let page = |requested: &str| {
            let mut rows = all.clone();
            let pagination = Pagination::take(&mut rows, Some(requested));
            (pagination.here, pagination.last, rows)
        };
        assert_eq!(page("1"), (1, 3, all[..50].to_vec()));
        assert_eq!(page("3"), (3, 3, all[100..].to_vec()));
        for odd in ["0", "-1", "x", ""] {
            assert_eq!(page(odd), page("1"), "{odd}");
        }
        assert_eq!(page("99"), page("3"));
        let middle = Pagination { here: 2, last: 3 };
        assert_eq!(middle.previous("/panel/keys"), "/panel/keys?page=1");
        assert_eq!(middle.next("/list?errors=yes"), "/list?errors=yes&page=3");
        let none = Pagination::take::<u8>(&mut Vec::new(), None);
        assert_eq!(none, Pagination { here: 1, last: 1 });
    }
}
