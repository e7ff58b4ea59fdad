//! Sums by company and day, and how many folios are in each state now.

use crate::dialect::ColumnType::{Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::Rows;
use domain::{CompanyId, FolioState};
use std::collections::HashMap;

/// The pseudo-day that holds the totals.
const ALL_TIME: i64 = 0;
/// The lowest and the highest number of the folios that were created on a day.
const OLDEST_FOLIO_FIGURE: &str = "oldest";
const NEWEST_FOLIO_FIGURE: &str = "newest";
/// Hours with folios that are searched for the range of row numbers.
const MAX_HOURS_SCANNED: usize = 48;

/// Something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stat {
    /// Folios that came into a state.
    Entered(FolioState),
    /// Folios that left it.
    Left(FolioState),
    /// Folios that were signed by all within that many hours of their creation; the last of
    /// [`Stat::HOURS`] means any longer time.
    SignedWithin(u32),
    /// Messages that were given up.
    Undelivered,
    /// Codes that were refused.
    CodeRefused,
}

/// The value of a statistic on a day, written YYYYMMDD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyStat {
    /// The statistic.
    pub stat: Stat,
    /// When.
    pub day: i64,
    /// How many.
    pub value: i64,
}

/// The numbers of folios that were created within an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HourlyFolioRange {
    /// The company they belong to.
    pub company: CompanyId,
    /// The hour, counted from 1970.
    pub hour: i64,
    /// The lowest.
    pub oldest: FolioRow,
    /// The highest.
    pub newest: FolioRow,
}

impl Stat {
    /// The upper bounds of the classes of times to sign, in hours; the last means any longer.
    pub const HOURS: [u32; 6] = [1, 4, 24, 72, 168, u32::MAX];

    /// Every statistic.
    pub fn all() -> impl Iterator<Item = Self> {
        let entered = FolioState::ALL.into_iter().map(Self::Entered);
        let left = FolioState::ALL.into_iter().map(Self::Left);
        let hours = Self::HOURS.into_iter().map(Self::SignedWithin);
        let rest = [Self::Undelivered, Self::CodeRefused];
        entered.chain(left).chain(hours).chain(rest)
    }

    fn word(self) -> String {
        match self {
            Self::Entered(state) => format!("entered:{}", enum_columns::folio_state(state)),
            Self::Left(state) => format!("left:{}", enum_columns::folio_state(state)),
            Self::SignedWithin(u32::MAX) => "signed_within:more".to_owned(),
            Self::SignedWithin(hours) => format!("signed_within:{hours}h"),
            Self::Undelivered => "undelivered".to_owned(),
            Self::CodeRefused => "code_refused".to_owned(),
        }
    }
}

impl Tx<'_> {
    /// Adds to the statistics of days, and to their sums. The list has each statistic of a day once.
    pub fn add_daily_stats(&mut self, stats: &[(CompanyId, DailyStat)]) -> Result<(), Error> {
        let mut sums: HashMap<(i64, String, i64), i64> = HashMap::new();
        for (company, one) in stats {
            *sums.entry((company.0, one.stat.word(), one.day)).or_default() += one.value;
            *sums.entry((company.0, one.stat.word(), ALL_TIME)).or_default() += one.value;
        }
        // In a fixed order: projectors of several instances may update the same rows, and would deadlock.
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_unstable();
        let mut rows = Rows::new();
        for ((company, stat, day), value) in &sums {
            rows.push([(*company).into(), stat.into(), (*day).into(), (*value).into()]);
        }
        let sql = "INSERT INTO daily_stats (company, figure, day, value) VALUES {rows}
                   ON CONFLICT (company, figure, day) DO UPDATE SET value = daily_stats.value + excluded.value";
        self.run_rows(sql, &[Int, Text, Int, Int], &rows)
    }

    /// Records the row numbers of the folios of an hour. The list has each hour of a company once, in order.
    pub fn record_hourly_ranges(&mut self, spans: &[HourlyFolioRange]) -> Result<(), Error> {
        let notes = [(NEWEST_FOLIO_FIGURE, ">"), (OLDEST_FOLIO_FIGURE, "<")];
        for (stat, beats) in notes {
            let mut rows = Rows::new();
            for span in spans {
                let value = if stat == NEWEST_FOLIO_FIGURE {
                    span.newest
                } else {
                    span.oldest
                };
                rows.push([span.company.0.into(), stat.into(), span.hour.into(), value.into()]);
            }
            let sql = format!(
                "INSERT INTO daily_stats (company, figure, day, value) VALUES {{rows}}
                 ON CONFLICT (company, figure, day) DO UPDATE SET value = excluded.value
                 WHERE excluded.value {beats} daily_stats.value"
            );
            self.run_rows(&sql, &[Int, Text, Int, Int], &rows)?;
        }
        Ok(())
    }

    /// The statistics of a company on the days from one to another.
    pub fn daily_stats(&mut self, company: CompanyId, from: i64, to: i64) -> Result<Vec<DailyStat>, Error> {
        let named: HashMap<String, Stat> = Stat::all().map(|stat| (stat.word(), stat)).collect();
        let sql = "SELECT figure, day, value FROM daily_stats
                   WHERE company = $1 AND day >= $2 AND day <= $3 AND figure IN ({list}) ORDER BY day";
        let fixed = [company.0.into(), from.max(ALL_TIME + 1).into(), to.into()];
        self.query_in(sql, &fixed, named.keys().map(Into::into), |row| {
            let stat = named.get(&row.get::<String>("figure")?);
            Ok(DailyStat {
                stat: *stat.ok_or(Error::Corrupt("figure"))?,
                day: row.get("day")?,
                value: row.get("value")?,
            })
        })
    }

    /// The number of the company's folios in each state: the projected sums, and the changes that are not
    /// projected yet.
    pub fn state_counts(&mut self, company: CompanyId) -> Result<HashMap<FolioState, i64>, Error> {
        let moved = "FROM folio_changes WHERE company = $1 AND became IS NOT NULL
                     AND (was IS NULL OR was <> became)";
        // One statement: the projector moves rows from one table to the other.
        let sql = format!(
            "SELECT figure, value FROM daily_stats WHERE company = $1 AND day = {ALL_TIME} AND figure IN ({{list}})
             UNION ALL SELECT 'entered:' || became, COUNT(*) {moved} GROUP BY became
             UNION ALL SELECT 'left:' || was, COUNT(*) {moved} AND was IS NOT NULL GROUP BY was"
        );
        let mut signs: HashMap<String, (FolioState, i64)> = HashMap::new();
        for state in FolioState::ALL {
            signs.insert(Stat::Entered(state).word(), (state, 1));
            signs.insert(Stat::Left(state).word(), (state, -1));
        }
        let mut names: Vec<&String> = signs.keys().collect();
        names.sort_unstable();
        let names = names.into_iter().map(Into::into);
        let found = self.query_in(&sql, &[company.0.into()], names, |row| {
            Ok((row.get::<String>("figure")?, row.get::<i64>("value")?))
        })?;
        let mut counts: HashMap<FolioState, i64> =
            FolioState::ALL.into_iter().map(|state| (state, 0)).collect();
        for (stat, value) in found {
            let (state, sign) = signs.get(&stat).ok_or(Error::Corrupt("figure"))?;
            *counts.entry(*state).or_default() += sign * value;
        }
        Ok(counts)
    }

    /// The lowest and highest row number of the folios of these days, as far as they are projected.
    pub fn folio_rows_between(
        &mut self,
        company: CompanyId,
        from: i64,
        to: i64,
    ) -> Result<(Option<FolioRow>, Option<FolioRow>), Error> {
        // Row numbers grow with time, except for clock skew: a few hours bound all others.
        let last = |hour: &str| {
            format!(
                "(SELECT MAX(value) FROM (SELECT value FROM daily_stats WHERE company = $1 AND figure = '{NEWEST_FOLIO_FIGURE}'
                  AND {hour} ORDER BY day DESC LIMIT {MAX_HOURS_SCANNED}) AS until)"
            )
        };
        let sql = format!(
            "SELECT COALESCE((SELECT MIN(value) FROM (SELECT value FROM daily_stats WHERE company = $1
                 AND figure = '{OLDEST_FOLIO_FIGURE}' AND day >= $2 ORDER BY day LIMIT {MAX_HOURS_SCANNED}) AS since), {}) AS oldest,
                 {} AS newest",
            last("day < $2"),
            last("day <= $3")
        );
        let params = [company.0.into(), from.into(), to.into()];
        let found = self.query_one(&sql, &params, |row| Ok((row.get("oldest")?, row.get("newest")?)))?;
        found.ok_or(Error::Corrupt("answer"))
    }
}
