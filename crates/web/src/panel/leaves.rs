//! Pagination of lists that are read whole.

/// Rows of a page.
const LINES: usize = 50;

/// The current page and the last one, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaves {
    pub(crate) here: usize,
    pub(crate) last: usize,
}

impl Leaves {
    /// Keeps the rows of the requested page, or of the nearest one.
    pub(crate) fn take<T>(lines: &mut Vec<T>, asked: Option<&str>) -> Self {
        let last = lines.len().div_ceil(LINES).max(1);
        let here = asked
            .and_then(|asked| asked.parse().ok())
            .unwrap_or(1)
            .clamp(1, last);
        lines.truncate(here * LINES);
        lines.drain(..(here - 1) * LINES);
        Self { here, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_on_one_leaf() {
        let all: Vec<usize> = (0..120).collect();
        let leaf = |asked: &str| {
            let mut lines = all.clone();
            let leaves = Leaves::take(&mut lines, Some(asked));
            (leaves.here, leaves.last, lines)
        };
        assert_eq!(leaf("1"), (1, 3, all[..50].to_vec()));
        assert_eq!(leaf("3"), (3, 3, all[100..].to_vec()));
        for odd in ["0", "-1", "x", ""] {
            assert_eq!(leaf(odd), leaf("1"), "{odd}");
        }
        assert_eq!(leaf("99"), leaf("3"));
        let none = Leaves::take::<u8>(&mut Vec::new(), None);
        assert_eq!(none, Leaves { here: 1, last: 1 });
    }
}
