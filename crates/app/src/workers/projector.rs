//! Projects the change log: daily statistics, search words, hour spans, webhook events, and plans of reminders and their end. Requests only
//! append to the log.
//!
//! Any number of instances share the work. A change is removed from the log in the transaction that
//! projects it.

use crate::webhooks::webhook_events;
use crate::workers::log_position::LogPosition;
use crate::workers::run_span::run_span;
use crate::{App, Error, SystemRandom};
use domain::{Causes, ChangeKind, CompanyId, FolioState, Timestamp, search};
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;
use store::{DailyStat, FolioChange, FolioRow, HourlyFolioRange, ListedSigner, SearchableFolio, Stat, Tx};
use tracing::Instrument;

/// Changes of one transaction. It is small so that other writers do not wait long.
const MAX_BATCH_CHANGES: usize = 256;
/// How often the projector looks without a wakeup, for changes that other instances logged.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The projector starts once no change was logged for this long, so that its transaction does not delay a
/// burst of requests.
const QUIET_PERIOD: Duration = Duration::from_millis(400);
/// How often a quiet period is waited for before the projector starts anyway.
const MAX_QUIET_PERIODS: usize = 20;

impl App {
    /// Projects changes until the task is dropped.
    pub async fn run_projector(self) {
        let mut position = LogPosition::start();
        loop {
            match self.project_changes_from(&mut position).await {
                Ok(MAX_BATCH_CHANGES) => tokio::task::yield_now().await,
                Ok(_) => self.wait_for_changes().await,
                Err(error) => {
                    tracing::warn!(error = %Causes(&error), "changes could not be projected");
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            }
        }
    }

    async fn wait_for_changes(&self) {
        if tokio::time::timeout(POLL_INTERVAL, self.wakeups.projector.notified())
            .await
            .is_err()
        {
            return;
        }
        for _ in 0..MAX_QUIET_PERIODS {
            if tokio::time::timeout(QUIET_PERIOD, self.wakeups.projector.notified())
                .await
                .is_err()
            {
                return;
            }
            tokio::time::sleep(QUIET_PERIOD).await;
        }
    }

    /// Projects at most one batch of changes. Returns how many.
    pub async fn project_changes(&self) -> Result<usize, Error> {
        self.project_changes_from(&mut LogPosition::start()).await
    }

    async fn project_changes_from(&self, position: &mut LogPosition) -> Result<usize, Error> {
        let (zone, now) = (self.notary.timezone().clone(), self.clock.now());
        let waits = if position.is_outdated(now) {
            let oldest = self.store.read(|tx| tx.oldest_change()).await?;
            position.update(oldest, now);
            oldest.is_some()
        } else {
            let from = position.from();
            self.store.read(move |tx| tx.has_changes(from)).await?
        };
        if !waits {
            return Ok(0);
        }
        let from = position.from();
        let projected = self.store.write(move |tx| {
            let changed = tx.take_changes(from, MAX_BATCH_CHANGES)?;
            let planned = project(tx, &changed, &zone, now)?;
            let reminders = tx.plan_reminders(&new_folios(&changed), now)?;
            tx.end_reminders(&ended_folios(&changed))?;
            let newest = changed.last().map(|one| one.seq);
            Ok::<_, Error>((changed.len(), newest, planned, reminders))
        });
        let (projected, newest, planned, reminders) = projected.instrument(run_span("projector")).await?;
        position.took(newest);
        if planned > 0 {
            self.wakeups.webhooks.notify();
        }
        if reminders > 0 {
            self.wakeups.reminders.notify();
        }
        Ok(projected)
    }
}

/// Writes the projections of these changes. Returns how many webhook events were planned.
fn project(
    tx: &mut Tx<'_>,
    changed: &[FolioChange],
    installation: &TimeZone,
    now: Timestamp,
) -> Result<usize, Error> {
    if changed.is_empty() {
        return Ok(0);
    }
    let mut all: Vec<FolioRow> = changed.iter().map(|one| one.folio).collect();
    all.sort_unstable();
    all.dedup();
    tx.keep_from_erasure(&all)?;
    let zones = zones(tx, changed)?;
    let day = |company: CompanyId, at| day(at, zones.get(&company).unwrap_or(installation));
    let mut seqs: Vec<FolioRow> = changed
        .iter()
        .filter(|one| needs_folio(one))
        .map(|one| one.folio)
        .collect();
    seqs.sort_unstable();
    seqs.dedup();
    let searchable_folios = tx.searchable_folios(&seqs)?;

    let mut stats: BTreeMap<(CompanyId, Stat, i64), i64> = BTreeMap::new();
    let mut spans: BTreeMap<(CompanyId, i64), (FolioRow, FolioRow)> = BTreeMap::new();
    let mut words = Vec::new();
    for one in changed {
        let today = day(one.company, one.at);
        let folio_texts = searchable_folios.get(&one.folio);
        for stat in stats_of(one, folio_texts) {
            *stats.entry((one.company, stat, today)).or_default() += 1;
        }
        let Some(folio_texts) = folio_texts else { continue };
        if one.kind == ChangeKind::Created {
            let span = spans
                .entry((one.company, hour(folio_texts.created_at)))
                .or_insert((one.folio, one.folio));
            *span = (span.0.min(one.folio), span.1.max(one.folio));
        }
        if matches!(
            one.kind,
            ChangeKind::Created | ChangeKind::Resent | ChangeKind::Corrected
        ) {
            words.extend(
                search_words(folio_texts)
                    .into_iter()
                    .map(|word| (one.company, word, one.folio)),
            );
        }
    }
    let stats: Vec<_> = stats
        .into_iter()
        .map(|((company, stat, day), value)| (company, DailyStat { stat, day, value }))
        .collect();
    tx.add_daily_stats(&stats)?;
    let spans: Vec<_> = spans
        .into_iter()
        .map(|((company, hour), (oldest, newest))| HourlyFolioRange {
            company,
            hour,
            oldest,
            newest,
        })
        .collect();
    tx.record_hourly_ranges(&spans)?;
    words.sort_unstable();
    words.dedup();
    tx.index_words(&words)?;
    Ok(tx.plan_webhooks(&webhook_events(changed), now, &mut SystemRandom)?)
}

/// The folios that these changes created.
fn new_folios(changed: &[FolioChange]) -> Vec<FolioRow> {
    let created = changed.iter().filter(|one| one.kind == ChangeKind::Created);
    created.map(|one| one.folio).collect()
}

/// The folios that these changes ended: they can be signed no more.
fn ended_folios(changed: &[FolioChange]) -> Vec<FolioRow> {
    let pending = Some(FolioState::Pending);
    let ended = changed
        .iter()
        .filter(|one| one.moved().is_some_and(|(was, _)| was == pending));
    ended.map(|one| one.folio).collect()
}

/// The search words of a folio.
pub(crate) fn search_words(folio_texts: &SearchableFolio) -> BTreeSet<String> {
    let signers = folio_texts.signers.iter().map(ListedSigner::search_texts);
    search::words(&folio_texts.id.to_string(), &folio_texts.name, signers)
}

fn needs_folio(one: &FolioChange) -> bool {
    matches!(
        one.kind,
        ChangeKind::Created | ChangeKind::Resent | ChangeKind::Corrected | ChangeKind::Completed
    )
}

fn stats_of(one: &FolioChange, folio_texts: Option<&SearchableFolio>) -> Vec<Stat> {
    let mut stats = Vec::new();
    if let Some((was, became)) = one.moved() {
        stats.extend(was.map(Stat::Left));
        stats.push(Stat::Entered(became));
    }
    match (one.kind, folio_texts) {
        (ChangeKind::CodeRefused, _) => stats.push(Stat::CodeRefused),
        (ChangeKind::Undelivered | ChangeKind::EmailBounced, _) => stats.push(Stat::Undelivered),
        (ChangeKind::Completed, Some(folio_texts)) => {
            let hours = one.at.since(folio_texts.created_at).as_secs() / 3600;
            let within = Stat::HOURS.into_iter().find(|most| hours < u64::from(*most));
            stats.extend(within.map(Stat::SignedWithin));
        }
        _ => {}
    }
    stats
}

/// The companies' time zones. An unknown name falls back to the installation's zone.
fn zones(tx: &mut Tx<'_>, changed: &[FolioChange]) -> Result<HashMap<CompanyId, TimeZone>, Error> {
    let mut companies: Vec<CompanyId> = changed.iter().map(|one| one.company).collect();
    companies.sort_unstable();
    companies.dedup();
    let named = tx.company_zones(&companies)?;
    let known = named
        .into_iter()
        .filter_map(|(company, name)| Some((company, zone_named(Some(&name))?)));
    Ok(known.collect())
}

/// The zone of a company: its own, or the installation's.
pub(crate) fn zone_of(
    tx: &mut Tx<'_>,
    company: CompanyId,
    installation: &TimeZone,
) -> Result<TimeZone, Error> {
    let named = tx.company_zones(&[company])?.remove(&company);
    Ok(zone_named(named.as_deref()).unwrap_or_else(|| installation.clone()))
}

/// The zone of that name, if this program knows it.
pub(crate) fn zone_named(name: Option<&str>) -> Option<TimeZone> {
    TimeZone::get(name?).ok()
}

/// The hour, counted from 1970.
pub(crate) const fn hour(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(3_600_000_000)
}

/// The day in that zone, written YYYYMMDD.
pub(crate) fn day(at: Timestamp, zone: &TimeZone) -> i64 {
    let at = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    number(at.to_zoned(zone.clone()).date())
}

/// A date written YYYYMMDD.
pub(crate) fn number(date: jiff::civil::Date) -> i64 {
    i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_the_companys() {
        let bogota = TimeZone::get("America/Bogota").unwrap();
        let at: jiff::Timestamp = "2026-11-15T03:00:00Z".parse().unwrap();
        let at = Timestamp::from_micros(at.as_microsecond());
        assert_eq!(day(at, &bogota), 20_261_114);
        assert_eq!(day(at, &TimeZone::UTC), 20_261_115);
    }
}
