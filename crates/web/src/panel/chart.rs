//! Charts, drawn as SVG on the server. Series differ by fill pattern, not by colour alone. Every chart has a
//! text summary and a table with the numbers.

use crate::page::PanelLang;
use askama::Template;
use std::fmt::Write;

const WIDTH: i64 = 400;
const HEIGHT: i64 = 160;
/// Room for the numbers on the left, and for the days below.
const MARGIN_LEFT: i64 = 48;
const MARGIN_BOTTOM: i64 = 24;
const MARGIN_TOP: i64 = 12;

/// Some numbers under one name.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    pub(crate) name: &'static str,
    pub(crate) values: Vec<i64>,
}

/// Bars side by side for each label of the horizontal axis.
#[derive(Debug, Clone, Template)]
#[template(path = "panel/chart.html")]
pub(crate) struct Chart {
    pub(crate) l: PanelLang,
    /// The identifier of the chart on its page.
    pub(crate) id: &'static str,
    pub(crate) title: String,
    /// What it shows, in words.
    pub(crate) summary: String,
    /// The labels of the horizontal axis; about six are drawn.
    pub(crate) labels: Vec<String>,
    /// What is drawn in their place, where they are long; otherwise nothing.
    pub(crate) ticks: &'static [&'static str],
    pub(crate) series: Vec<Series>,
}

impl Chart {
    pub(crate) fn max_value(&self) -> i64 {
        let values = self
            .series
            .iter()
            .flat_map(|series| series.values.iter().copied());
        values.max().unwrap_or(0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.max_value() == 0
    }

    /// The same as a table.
    pub(crate) fn rows(&self) -> Vec<(&str, Vec<String>)> {
        let value = |index: usize| {
            let at = |series: &Series| self.l.number(series.values.get(index).copied().unwrap_or(0));
            self.series.iter().map(at).collect()
        };
        let labels = self.labels.iter().enumerate();
        labels
            .map(|(index, label)| (label.as_str(), value(index)))
            .collect()
    }

    /// A round number that nothing is above.
    fn top(&self) -> i64 {
        let max_value = self.max_value().max(1);
        let mut unit = 1_i64;
        while unit.saturating_mul(10) <= max_value {
            unit = unit.saturating_mul(10);
        }
        [1, 2, 4, 5, 10]
            .into_iter()
            .map(|times| unit.saturating_mul(times))
            .find(|top| *top >= max_value)
            .unwrap_or(max_value)
    }

    /// The drawing itself.
    pub(crate) fn drawing(&self) -> String {
        let top = self.top();
        let mut svg = String::new();
        let y = |value: i64| MARGIN_TOP + (HEIGHT - MARGIN_TOP) * (top - value) / top;
        for tick in [0, top / 2, top] {
            if tick > 0 && tick == top / 2 && top < 2 {
                continue;
            }
            let at = y(tick);
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{MARGIN_LEFT}\" x2=\"{WIDTH}\" y1=\"{at}\" y2=\"{at}\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                MARGIN_LEFT - 6,
                at + 4,
                self.l.number(tick)
            );
        }
        let count = i64::try_from(self.labels.len()).unwrap_or(1).max(1);
        let kinds = i64::try_from(self.series.len()).unwrap_or(1).max(1);
        // In tenths, so that many narrow bars stay apart evenly.
        let step = (WIDTH - MARGIN_LEFT) * 10 / count;
        let bar = (step * 4 / 5 / kinds).min(400);
        let written = count.div_euclid(6).max(1);
        for (index, label) in (0..).zip(&self.labels) {
            let left = MARGIN_LEFT * 10 + index * step + (step - bar * kinds) / 2;
            for (kind, series) in (0..).zip(&self.series) {
                let index = usize::try_from(index).unwrap_or(0);
                let value = series.values.get(index).copied().unwrap_or(0);
                if value > 0 {
                    let (x, at) = (left + kind * bar, y(value));
                    let _ = write!(
                        svg,
                        "<rect class=\"s{kind}\" x=\"{}\" y=\"{at}\" width=\"{}\" height=\"{}\"/>",
                        tenths(x),
                        tenths((bar - 5).max(10)),
                        (HEIGHT - at).max(1)
                    );
                }
            }
            if index % written == 0 {
                let tick = usize::try_from(index).ok().and_then(|at| self.ticks.get(at));
                let label = tick.copied().unwrap_or(label);
                let _ = write!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
                    tenths(MARGIN_LEFT * 10 + index * step + step / 2),
                    HEIGHT + MARGIN_BOTTOM - 6
                );
            }
        }
        svg
    }
}

fn tenths(value: i64) -> String {
    format!("{}.{}", value / 10, value % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: Vec<i64>) -> Chart {
        Chart {
            l: PanelLang::Es,
            id: "a",
            title: "A".to_owned(),
            summary: String::new(),
            labels: values.iter().map(ToString::to_string).collect(),
            ticks: &[],
            series: vec![Series { name: "a", values }],
        }
    }

    #[test]
    fn the_highest_bar_fits() {
        for (max_value, top) in [
            (1, 1),
            (3, 4),
            (4, 4),
            (7, 10),
            (11, 20),
            (399, 400),
            (100_001, 200_000),
        ] {
            assert_eq!(chart(vec![0, max_value]).top(), top, "{max_value}");
        }
    }

    #[test]
    fn only_what_there_was_is_drawn() {
        assert!(chart(vec![0, 0]).is_empty());
        assert_eq!(chart(vec![0, 0]).drawing().matches("<rect").count(), 0);
        assert_eq!(chart(vec![2, 0, 5]).drawing().matches("<rect").count(), 2);
    }
}
