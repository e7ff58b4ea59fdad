//! A company's overview: the daily statistics of the projector, and how many folios are in each state.

use crate::workers::projector::{number, zone_of};
use crate::{App, Error};
use domain::{CompanyId, FolioState};
use jiff::ToSpan;
use jiff::civil::Date;
use std::collections::HashMap;
use store::{DailyStat, Stat};

/// What was counted.
#[derive(Debug, Clone)]
pub struct Overview {
    /// The days, oldest first.
    pub days: Vec<Date>,
    /// How many folios are in each state now.
    pub counts: HashMap<FolioState, i64>,
    stats: HashMap<(Stat, i64), i64>,
}

impl Overview {
    /// What these statistics say of these days.
    pub fn new(days: Vec<Date>, counts: HashMap<FolioState, i64>, stats: &[DailyStat]) -> Self {
        let stats = stats.iter().map(|one| ((one.stat, one.day), one.value));
        Self {
            days,
            counts,
            stats: stats.collect(),
        }
    }

    /// A statistic, day by day.
    pub fn daily(&self, stat: Stat) -> Vec<i64> {
        let value = |day: &Date| self.stats.get(&(stat, number(*day))).copied().unwrap_or(0);
        self.days.iter().map(value).collect()
    }

    /// A statistic, over all these days.
    pub fn sum(&self, stat: Stat) -> i64 {
        self.daily(stat).iter().sum()
    }
}

impl App {
    /// The last so many days of a company, today included.
    pub async fn overview(&self, company: CompanyId, days: i32) -> Result<Overview, Error> {
        let (now, zone) = (self.clock.now(), self.notary.timezone().clone());
        self.store
            .read(move |tx| {
                let zone = zone_of(tx, company, &zone)?;
                let now = jiff::Timestamp::from_microsecond(now.as_micros());
                let today = now.unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_zoned(zone).date();
                let day = |ago: i32| today.saturating_sub(ago.days());
                let days: Vec<Date> = (0..days.max(1)).rev().map(day).collect();
                let first = days.first().map_or(0, |day| number(*day));
                let stats = tx.daily_stats(company, first, number(today))?;
                Ok(Overview::new(days, tx.state_counts(company)?, &stats))
            })
            .await
    }
}
