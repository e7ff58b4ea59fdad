//! Projects the change log: daily figures, search words, hour spans and webhook events. Requests only
//! append to the log.
//!
//! Any number of instances share the work. A change is removed from the log in the transaction that
//! projects it.

use crate::webhooks::told;
use crate::{App, Error, SystemRandom};
use domain::{CompanyId, Timestamp, search};
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;
use store::{ChangeKind, Changed, DayFigure, Face, Figure, HourSpan, Tx};

/// Changes of one transaction. It is small so that other writers do not wait long.
const BATCH: usize = 256;
/// How often the projector looks without a wakeup, for changes that other instances logged.
const PERIOD: Duration = Duration::from_secs(2);
/// The projector starts once no change was logged for this long, so that its transaction does not delay a
/// burst of requests.
const LULL: Duration = Duration::from_millis(400);
/// How often a quiet period is waited for before the projector starts anyway.
const PATIENCE: usize = 20;

impl App {
    /// Projects changes until the task is dropped.
    pub async fn clerk_for_ever(self) {
        loop {
            match self.settle_changes().await {
                Ok(BATCH) => tokio::task::yield_now().await,
                Ok(_) => self.wait_for_changes().await,
                Err(error) => {
                    tracing::warn!(%error, "changes could not be settled");
                    tokio::time::sleep(PERIOD).await;
                }
            }
        }
    }

    async fn wait_for_changes(&self) {
        if tokio::time::timeout(PERIOD, self.clerk.rung()).await.is_err() {
            return;
        }
        for _ in 0..PATIENCE {
            if tokio::time::timeout(LULL, self.clerk.rung()).await.is_err() {
                return;
            }
            tokio::time::sleep(LULL).await;
        }
    }

    /// Projects at most one batch of changes; returns how many.
    pub async fn settle_changes(&self) -> Result<usize, Error> {
        let waits = |tx: &mut Tx<'_>| tx.changes_wait();
        if !self.store.read(waits).await? {
            return Ok(0);
        }
        let (zone, now) = (self.notary.timezone().clone(), self.clock.now());
        let settled = self.store.write(move |tx| {
            let changed = tx.take_changes(BATCH)?;
            let planned = settle(tx, &changed, &zone, now)?;
            Ok::<_, Error>((changed.len(), planned))
        });
        let (settled, planned) = settled.await?;
        if planned > 0 {
            self.courier.ring();
        }
        Ok(settled)
    }
}

/// Writes the projections of these changes; returns how many webhook events were planned.
fn settle(
    tx: &mut Tx<'_>,
    changed: &[Changed],
    installation: &TimeZone,
    now: Timestamp,
) -> Result<usize, Error> {
    if changed.is_empty() {
        return Ok(0);
    }
    let zones = zones(tx, changed)?;
    let day = |company: CompanyId, at| day(at, zones.get(&company).unwrap_or(installation));
    let mut seqs: Vec<i64> = changed
        .iter()
        .filter(|one| is_looked_at(one))
        .map(|one| one.folio)
        .collect();
    seqs.sort_unstable();
    seqs.dedup();
    let faces = tx.faces(&seqs)?;

    let mut figures: BTreeMap<(CompanyId, Figure, i64), i64> = BTreeMap::new();
    let mut spans: BTreeMap<(CompanyId, i64), (i64, i64)> = BTreeMap::new();
    let mut words = Vec::new();
    for one in changed {
        let today = day(one.company, one.at);
        let face = faces.get(&one.folio);
        for figure in figures_of(one, face) {
            *figures.entry((one.company, figure, today)).or_default() += 1;
        }
        let Some(face) = face else { continue };
        if one.kind == ChangeKind::Created {
            let span = spans
                .entry((one.company, hour(face.created_at)))
                .or_insert((one.folio, one.folio));
            *span = (span.0.min(one.folio), span.1.max(one.folio));
        }
        if matches!(one.kind, ChangeKind::Created | ChangeKind::Resent) {
            words.extend(
                words_of(face)
                    .into_iter()
                    .map(|word| (one.company, word, one.folio)),
            );
        }
    }
    let figures: Vec<_> = figures
        .into_iter()
        .map(|((company, figure, day), value)| (company, DayFigure { figure, day, value }))
        .collect();
    tx.add_figures(&figures)?;
    let spans: Vec<_> = spans
        .into_iter()
        .map(|((company, hour), (oldest, newest))| HourSpan {
            company,
            hour,
            oldest,
            newest,
        })
        .collect();
    tx.note_hours(&spans)?;
    words.sort_unstable();
    words.dedup();
    tx.put_words(&words)?;
    Ok(tx.plan_webhooks(&told(changed), now, &mut SystemRandom)?)
}

/// The search words of a folio.
pub(crate) fn words_of(face: &Face) -> BTreeSet<String> {
    let signers = face.signers.iter();
    let signers = signers.map(|one| {
        (
            one.name.as_str(),
            one.email.as_str(),
            one.document_number.as_str(),
        )
    });
    search::words(&face.name, signers)
}

fn is_looked_at(one: &Changed) -> bool {
    matches!(
        one.kind,
        ChangeKind::Created | ChangeKind::Resent | ChangeKind::Completed
    )
}

fn figures_of(one: &Changed, face: Option<&Face>) -> Vec<Figure> {
    let mut figures = Vec::new();
    if let Some((was, became)) = one.moved() {
        figures.extend(was.map(Figure::Left));
        figures.push(Figure::Entered(became));
    }
    match (one.kind, face) {
        (ChangeKind::CodeRefused, _) => figures.push(Figure::CodeRefused),
        (ChangeKind::Undelivered, _) => figures.push(Figure::Undelivered),
        (ChangeKind::Completed, Some(face)) => {
            let hours = one.at.since(face.created_at).as_secs() / 3600;
            let within = Figure::HOURS.into_iter().find(|most| hours < u64::from(*most));
            figures.extend(within.map(Figure::SignedWithin));
        }
        _ => {}
    }
    figures
}

/// The companies' time zones. An unknown name falls back to the installation's zone.
fn zones(tx: &mut Tx<'_>, changed: &[Changed]) -> Result<HashMap<CompanyId, TimeZone>, Error> {
    let mut companies: Vec<i64> = changed.iter().map(|one| one.company.0).collect();
    companies.sort_unstable();
    companies.dedup();
    let named = tx.company_zones(&companies)?;
    let known = named
        .into_iter()
        .filter_map(|(company, name)| Some((CompanyId(company), zone_named(Some(&name))?)));
    Ok(known.collect())
}

/// The zone of a company: its own, or the installation's.
pub(crate) fn zone_of(
    tx: &mut Tx<'_>,
    company: CompanyId,
    installation: &TimeZone,
) -> Result<TimeZone, Error> {
    let named = tx.company_zones(&[company.0])?.remove(&company.0);
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
