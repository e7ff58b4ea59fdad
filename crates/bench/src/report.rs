//! A line per figure.

use std::fmt;

/// What a figure should come to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Target {
    fn met(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

/// A figure, measured.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    /// The least and the most of the rounds that the value is made of.
    pub(crate) spread: Option<(f64, f64)>,
    pub(crate) unit: &'static str,
    pub(crate) target: Target,
    /// What the ratio is made of.
    pub(crate) detail: String,
}

impl Line {
    pub(crate) fn ok(&self) -> bool {
        self.target.met(self.value)
    }
}

/// The head of the table.
pub(crate) fn heading() -> String {
    format!(
        "{:<16} {:>10}  {:>10}  {:<6}  {:<13}  made of",
        "figure", "value", "target", "", "rounds"
    )
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.value < 0.1 { 4 } else { 2 };
        let value = format!("{:.digits$}{}", self.value, self.unit);
        let target = match self.target {
            Target::AtMost(most) => format!("≤ {most}{}", self.unit),
            Target::AtLeast(least) => format!("≥ {least}{}", self.unit),
        };
        let verdict = if self.ok() { "ok" } else { "MISSED" };
        let spread = self
            .spread
            .map(|(least, most)| format!("{least:.2} to {most:.2}"))
            .unwrap_or_default();
        write!(
            f,
            "{:<16} {value:>10}  {target:>10}  {verdict:<6}  {spread:<13}  {}",
            self.name, self.detail
        )
    }
}

/// The middle one of some numbers.
pub(crate) fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.get(middle) {
        None => f64::NAN,
        Some(upper) if numbers.len() % 2 == 1 => *upper,
        Some(upper) => f64::midpoint(numbers[middle - 1], *upper),
    }
}

/// The mean of some numbers.
#[expect(clippy::cast_precision_loss, reason = "there are few of them")]
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let middles = [median([3.0, 1.0, 2.0]), median([4.0, 1.0, 2.0, 3.0])];
        assert_eq!(format!("{middles:?}"), "[2.0, 2.5]");
    }

    #[test]
    fn a_line_says_whether_the_target_is_met() {
        let line = |value, target| {
            let (unit, detail) = ("x", String::new());
            Line {
                name: "a",
                value,
                spread: None,
                unit,
                target,
                detail,
            }
            .to_string()
        };
        assert!(line(2.0, Target::AtMost(2.0)).contains("ok"));
        assert!(line(2.1, Target::AtMost(2.0)).contains("MISSED"));
        assert!(line(0.3, Target::AtLeast(0.4)).contains("MISSED"));
    }
}
