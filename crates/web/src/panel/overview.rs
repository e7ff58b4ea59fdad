//! `GET /panel/overview`: the company's statistics, as charts that need no colour, with a table for screen
//! readers.

use super::auth::RequireReader;
use super::chart::{Chart, Series};
use super::folios::{kind, states_in_use};
use super::layout::{PanelLayout, Section};
use crate::page::{PageResult, PanelLang};
use app::panel::overview::Overview;
use askama::Template;
use domain::FolioState;
use store::Stat;

/// Days that are shown.
const SHOWN_DAYS: i32 = 30;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/overview.html")]
pub(crate) struct OverviewPage {
    pub(crate) f: PanelLayout,
    /// Word, shape and number of each state.
    pub(crate) states: Vec<(&'static str, &'static str, i64)>,
    pub(crate) charts: Vec<Chart>,
    pub(crate) bare: bool,
}

impl OverviewPage {
    pub(crate) fn new(f: PanelLayout, overview: &Overview) -> Self {
        let l = f.l;
        let count = |state: FolioState| overview.counts.get(&state).copied().unwrap_or(0).max(0);
        let states = states_in_use(&f, count).into_iter();
        let days: Vec<String> = overview
            .days
            .iter()
            .map(|day| format!("{}/{}", day.day(), day.month()))
            .collect();
        let single =
            |id, title: &'static str, stat| daily(l, id, title, &days, vec![(title, overview.daily(stat))]);
        let entered = |state| overview.daily(Stat::Entered(state));
        let rejected = entered(FolioState::RejectedBySigner)
            .into_iter()
            .zip(entered(FolioState::Disapproved))
            .map(|(one, other)| one + other)
            .collect();
        let mut lines = vec![
            (l.overview_created(), entered(FolioState::Pending)),
            (l.overview_signed(), entered(FolioState::Signed)),
            (l.overview_rejected(), rejected),
            (l.overview_cancelled(), entered(FolioState::Cancelled)),
        ];
        // Companies that do not approve see nothing of it.
        if f.user.as_ref().is_some_and(|user| user.approval) {
            lines.push((l.overview_approved(), entered(FolioState::Approved)));
        }
        Self {
            states: states
                .map(|state| (l.folio_state_label(state), kind(state), count(state)))
                .collect(),
            charts: vec![
                daily(l, "daily", l.overview_daily(), &days, lines),
                times(l, overview),
                single("undelivered", l.overview_undelivered(), Stat::Undelivered),
                single("codes", l.overview_codes(), Stat::CodeRefused),
            ],
            bare: FolioState::ALL.into_iter().map(count).sum::<i64>() == 0,
            f,
        }
    }
}

fn daily(
    l: PanelLang,
    id: &'static str,
    title: &str,
    days: &[String],
    lines: Vec<(&'static str, Vec<i64>)>,
) -> Chart {
    let told = |(name, values): &(&'static str, Vec<i64>)| {
        let most = values.iter().copied().max().unwrap_or(0);
        let total: i64 = values.iter().sum();
        if lines.len() > 1 {
            format!("{name}: {}", l.summed(total, most))
        } else {
            l.summed(total, most)
        }
    };
    let summary = lines.iter().map(told).collect::<Vec<_>>().join(" · ");
    Chart {
        id,
        title: title.to_owned(),
        summary,
        labels: days.to_vec(),
        series: lines
            .into_iter()
            .map(|(name, values)| Series { name, values })
            .collect(),
    }
}

fn times(l: PanelLang, overview: &Overview) -> Chart {
    let values: Vec<i64> = Stat::HOURS
        .into_iter()
        .map(|hours| overview.sum(Stat::SignedWithin(hours)))
        .collect();
    Chart {
        id: "times",
        title: l.overview_time().to_owned(),
        summary: l.overview_time_lead().to_owned(),
        labels: Stat::HOURS
            .into_iter()
            .map(|hours| l.within(hours).to_owned())
            .collect(),
        series: vec![Series {
            name: l.overview_count(),
            values,
        }],
    }
}

pub(crate) async fn page(RequireReader(request): RequireReader) -> PageResult {
    let overview = request
        .web
        .app
        .overview(request.user().company, SHOWN_DAYS)
        .await
        .map_err(|error| request.error_page(error))?;
    Ok(request.page(&OverviewPage::new(request.frame(Section::Overview), &overview)))
}

/// The page with made-up data.
pub(super) fn samples(l: PanelLang) -> Vec<crate::signer::samples::Sample> {
    use super::sample_data::{frame, sample};
    use jiff::ToSpan;
    use store::DailyStat;
    let first = jiff::civil::date(2026, 2, 1);
    let days: Vec<_> = (0..SHOWN_DAYS)
        .map(|day| first.saturating_add(day.days()))
        .collect();
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
    let counts = FolioState::ALL.into_iter().zip([12, 3, 1, 1204, 2, 31]).collect();
    let full = Overview::new(days, counts, &stats);
    let bare = Overview::new(Vec::new(), std::collections::HashMap::new(), &[]);
    let f = || frame(l, Section::Overview, app::panel::Role::Reader);
    vec![
        sample(l, "overview", &OverviewPage::new(f(), &full)),
        sample(l, "overview-none", &OverviewPage::new(f(), &bare)),
    ]
}
