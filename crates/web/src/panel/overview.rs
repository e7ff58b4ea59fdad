//! `GET /panel/overview`: the company's statistics over a week, a month, a quarter or a year: one series in each chart, with a
//! table for screen readers.

use super::auth::{PanelRequest, RequireReader};
use super::chart::{Chart, Series};
use super::csv::CsvTable;
use super::folios::{kind, states_in_use};
use super::layout::{PanelLayout, Section};
use crate::http::conditional::attachment;
use crate::page::{Embedding, PageResult, PanelLang, headers};
use app::panel::overview::Overview;
use askama::Template;
use axum::http::Method;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::response::IntoResponse;
use domain::FolioState;
use jiff::civil::Date;
use store::Stat;

/// The periods that are offered, in days.
const PERIODS: [i32; 4] = [7, 30, 90, 365];
/// The period that is shown first.
const USUAL_PERIOD: i32 = 30;
/// Beyond so many days a bar stands for a week, and beyond so many for a month.
const DAYS_BY_DAY: usize = 31;
const DAYS_BY_WEEK: usize = 120;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/overview.html")]
pub(crate) struct OverviewPage {
    pub(crate) f: PanelLayout,
    /// Word, shape and number of each state.
    pub(crate) states: Vec<(&'static str, &'static str, String)>,
    pub(crate) charts: Vec<Chart>,
    /// The days that are shown.
    pub(crate) period: i32,
    /// What the bars stand for.
    pub(crate) bars: Bars,
    pub(crate) bare: bool,
}

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bars {
    Days,
    Weeks,
    Months,
}

impl Bars {
    const fn of(days: usize) -> Self {
        if days <= DAYS_BY_DAY {
            Self::Days
        } else if days <= DAYS_BY_WEEK {
            Self::Weeks
        } else {
            Self::Months
        }
    }

    /// The first day of the bar to which a day belongs, where the last bar ends with the last day.
    fn first_day(self, days: &[Date], index: usize) -> Option<Date> {
        let day = days.get(index)?;
        match self {
            Self::Days => Some(*day),
            Self::Weeks => {
                let from_end = (days.len() - 1 - index) / 7;
                days.get((days.len() - 1).saturating_sub(from_end * 7 + 6))
                    .copied()
            }
            Self::Months => Some(day.first_of_month()),
        }
    }

    fn label(self, l: PanelLang, first: Date) -> String {
        match self {
            Self::Days | Self::Weeks => format!("{}/{}", first.day(), first.month()),
            Self::Months => l.short_month(first.month(), first.year()),
        }
    }
}

/// The labels of the bars, and for each day the bar to which it belongs.
fn bars_of(l: PanelLang, days: &[Date]) -> (Vec<String>, Vec<usize>) {
    let bars = Bars::of(days.len());
    let (mut labels, mut places, mut last) = (Vec::new(), Vec::new(), None);
    for index in 0..days.len() {
        let first = bars.first_day(days, index);
        if let Some(first) = first.filter(|_| first != last) {
            labels.push(bars.label(l, first));
            last = Some(first);
        }
        places.push(labels.len().saturating_sub(1));
    }
    (labels, places)
}

/// What is counted, under the name that it has on the page.
fn lines(f: &PanelLayout, overview: &Overview) -> Vec<(&'static str, &'static str, Vec<i64>)> {
    let l = f.l;
    let entered = |state| overview.daily(Stat::Entered(state));
    let rejected = entered(FolioState::RejectedBySigner)
        .into_iter()
        .zip(entered(FolioState::Disapproved))
        .map(|(one, other)| one + other)
        .collect();
    let mut lines = vec![
        ("created", l.overview_created(), entered(FolioState::Pending)),
        ("signed", l.overview_signed(), entered(FolioState::Signed)),
        ("rejected", l.overview_rejected(), rejected),
        (
            "cancelled",
            l.overview_cancelled(),
            entered(FolioState::Cancelled),
        ),
    ];
    // Companies that do not approve see nothing of it.
    if f.user.as_ref().is_some_and(|user| user.approval) {
        lines.push(("approved", l.overview_approved(), entered(FolioState::Approved)));
    }
    lines.push((
        "undelivered",
        l.overview_undelivered(),
        overview.daily(Stat::Undelivered),
    ));
    lines.push(("codes", l.overview_codes(), overview.daily(Stat::CodeRefused)));
    lines
}

impl OverviewPage {
    pub(crate) fn new(f: PanelLayout, overview: &Overview) -> Self {
        let l = f.l;
        let count = |state: FolioState| overview.counts.get(&state).copied().unwrap_or(0).max(0);
        let states = states_in_use(&f, count).into_iter();
        let (labels, places) = bars_of(l, &overview.days);
        let chart = |(id, name, daily): (&'static str, &'static str, Vec<i64>)| {
            let mut values = vec![0; labels.len()];
            for (place, value) in places.iter().zip(daily) {
                if let Some(sum) = values.get_mut(*place) {
                    *sum += value;
                }
            }
            let most = values.iter().copied().max().unwrap_or(0);
            Chart {
                l,
                id,
                title: name.to_owned(),
                summary: l.summed(values.iter().sum(), most),
                labels: labels.clone(),
                ticks: &[],
                series: vec![Series { name, values }],
            }
        };
        let mut charts: Vec<Chart> = lines(&f, overview).into_iter().map(chart).collect();
        charts.insert(2.min(charts.len()), times(l, overview));
        Self {
            states: states
                .map(|state| (l.folio_state_label(state), kind(state), l.number(count(state))))
                .collect(),
            charts,
            period: i32::try_from(overview.days.len()).unwrap_or(USUAL_PERIOD),
            bars: Bars::of(overview.days.len()),
            bare: FolioState::ALL.into_iter().map(count).sum::<i64>() == 0,
            f,
        }
    }

    /// The periods to choose from, and whether it is the chosen one.
    pub(crate) fn periods(&self) -> [(i32, String, bool); 4] {
        PERIODS.map(|days| (days, self.f.l.period(days), self.period == days))
    }

    /// What the bars stand for, in a word.
    pub(crate) const fn bars_word(&self) -> &'static str {
        match self.bars {
            Bars::Days => self.f.l.overview_day(),
            Bars::Weeks => self.f.l.overview_week(),
            Bars::Months => self.f.l.overview_month(),
        }
    }
}

fn times(l: PanelLang, overview: &Overview) -> Chart {
    let values: Vec<i64> = Stat::HOURS
        .into_iter()
        .map(|hours| overview.sum(Stat::SignedWithin(hours)))
        .collect();
    Chart {
        l,
        id: "times",
        title: l.overview_time().to_owned(),
        summary: summary(l, &values),
        labels: Stat::HOURS
            .into_iter()
            .map(|hours| l.within(hours).to_owned())
            .collect(),
        ticks: &["1 h", "4 h", "24 h", "3 d", "7 d", "+7 d"],
        series: vec![Series {
            name: l.overview_count(),
            values,
        }],
    }
}

/// Within what time half of the folios were signed: as far as the classes tell.
fn summary(l: PanelLang, values: &[i64]) -> String {
    let total: i64 = values.iter().sum();
    let mut so_far = 0;
    for (hours, value) in Stat::HOURS.into_iter().zip(values) {
        so_far += value;
        if total > 0 && so_far * 2 >= total {
            return format!("{} {}", l.overview_time_lead(), l.half_within(hours));
        }
    }
    l.overview_time_lead().to_owned()
}

async fn asked(request: &PanelRequest) -> Result<Overview, crate::page::PageError> {
    let days = request.query("days").and_then(|days| days.parse().ok());
    let days = days.filter(|days| PERIODS.contains(days)).unwrap_or(USUAL_PERIOD);
    let overview = request.web.app.overview(request.user().company, days).await;
    Ok(overview.map_err(|error| request.error_page(error))?)
}

pub(crate) async fn page(RequireReader(request): RequireReader) -> PageResult {
    let overview = asked(&request).await?;
    Ok(request.page(&OverviewPage::new(request.frame(Section::Overview), &overview)))
}

/// `GET /panel/overview.csv`: the same numbers, day by day.
pub(crate) async fn export(RequireReader(request): RequireReader, method: Method) -> PageResult {
    let overview = asked(&request).await?;
    let lines = lines(&request.frame(Section::Overview), &overview);
    let mut table = CsvTable::new();
    let mut names = vec![request.l.overview_day()];
    names.extend(lines.iter().map(|(_, name, _)| *name));
    table.line(&names);
    for (index, day) in overview.days.iter().enumerate() {
        let values = lines
            .iter()
            .map(|(.., values)| values.get(index).copied().unwrap_or(0).to_string());
        let cells: Vec<String> = std::iter::once(day.to_string()).chain(values).collect();
        table.line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let text = table.into_text();
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(CONTENT_DISPOSITION, attachment(request.l.overview_file()));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
    if method == Method::HEAD {
        return Ok(headers.into_response());
    }
    Ok((headers, text).into_response())
}

/// The page with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{frame, sample};
    use jiff::ToSpan;
    use store::DailyStat;
    let first = jiff::civil::date(2026, 2, 1);
    let days: Vec<_> = (0..365).map(|day| first.saturating_add(day.days())).collect();
    let mut stats = Vec::new();
    for (index, day) in (0_i64..).zip(&days) {
        let number = i64::from(day.year()) * 10_000 + i64::from(day.month()) * 100 + i64::from(day.day());
        let mut add = |stat, value| {
            stats.push(DailyStat {
                stat,
                day: number,
                value,
            });
        };
        add(Stat::Entered(FolioState::Pending), index * 7 % 19);
        add(Stat::Entered(FolioState::Signed), index * 5 % 13);
        add(Stat::Entered(FolioState::RejectedBySigner), index % 4);
        add(Stat::Entered(FolioState::Cancelled), index % 3);
        add(Stat::Entered(FolioState::Approved), index * 3 % 11);
        add(Stat::Undelivered, index % 6 / 4);
        add(
            Stat::SignedWithin(Stat::HOURS[usize::from(day.day().unsigned_abs()) % 6]),
            3,
        );
        add(Stat::CodeRefused, index % 5);
    }
    let counts = FolioState::ALL.into_iter().zip([12, 3, 1, 1204, 2, 31]);
    let counts: std::collections::HashMap<_, _> = counts.collect();
    let month = Overview::new(days[..30].to_vec(), counts.clone(), &stats);
    let quarter = Overview::new(days[..90].to_vec(), counts.clone(), &stats);
    let year = Overview::new(days, counts, &stats);
    let bare = Overview::new(Vec::new(), std::collections::HashMap::new(), &[]);
    let f = || frame(l, Section::Overview, app::panel::Role::Reader);
    vec![
        sample(l, "overview", &OverviewPage::new(f(), &month)),
        sample(l, "overview-quarter", &OverviewPage::new(f(), &quarter)),
        sample(l, "overview-year", &OverviewPage::new(f(), &year)),
        sample(l, "overview-none", &OverviewPage::new(f(), &bare)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::ToSpan;

    #[test]
    fn every_day_is_in_one_bar() {
        let first = jiff::civil::date(2026, 1, 15);
        for (count, bars) in [(7, 7), (30, 30), (90, 13), (365, 13)] {
            let days: Vec<Date> = (0..count).map(|day| first.saturating_add(day.days())).collect();
            let (labels, places) = bars_of(PanelLang::Es, &days);
            assert_eq!(labels.len(), bars, "{count}");
            assert_eq!(places.len(), days.len());
            assert!(places.is_sorted() && places.last() == Some(&(bars - 1)));
        }
        let days: Vec<Date> = (0..90_i32).map(|day| first.saturating_add(day.days())).collect();
        let (_, places) = bars_of(PanelLang::Es, &days);
        let last = places.iter().filter(|place| **place == 12).count();
        assert_eq!(last, 7, "the last week is whole");
    }

    #[test]
    fn half_of_the_folios_are_signed_within_the_class_that_holds_the_middle() {
        let within = |values: &[i64]| summary(PanelLang::En, values);
        assert!(within(&[1, 0, 3, 1, 0, 0]).contains("24 hours"));
        assert!(within(&[0, 0, 0, 0, 0, 2]).contains("more than 7 days"));
        assert!(!within(&[0; 6]).contains("Half"));
    }
}
