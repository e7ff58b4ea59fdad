//! When the signers of a pending folio are reminded, by the days that their company chose: in the morning of its zone, and
//! after an outage still by day.

use domain::Timestamp;
use jiff::Zoned;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::ops::Range;
use store::{Reminded, ReminderDays};

/// The hour at which reminders are planned.
const MORNING: i8 = 9;
/// The hours in which reminders that are overdue are still queued.
const DAYTIME: Range<i8> = MORNING..19;

/// A folio that waits for its signers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingFolio {
    pub(crate) created_at: Timestamp,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) reminded: Reminded,
}

impl PendingFolio {
    /// The same, with the present for what was written before the clock went back: days are counted from it.
    pub(crate) fn counted_from(self, now: Timestamp) -> Self {
        let written = self.reminded.last.unwrap_or(self.created_at);
        if !written.is_ahead_of(now) {
            return self;
        }
        let reminded = Reminded {
            last: Some(now),
            ..self.reminded
        };
        Self { reminded, ..self }
    }
}

/// What is due for a folio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextReminder {
    /// A reminder, now; whether it is one of those that are counted.
    Now { counts: bool },
    /// Nothing before that time.
    At(Timestamp),
    /// Nothing any more.
    Never,
}

impl NextReminder {
    /// What is due for that folio.
    pub(crate) fn of(days: ReminderDays, folio: &PendingFolio, zone: &TimeZone, now: Timestamp) -> Self {
        let before_end = |at: &Timestamp| folio.expires_at.is_none_or(|end| *at < end);
        let regular = regular(days, folio, zone, now).filter(before_end);
        let last = last_one(days, folio, zone, now).filter(before_end);
        let Some(due) = regular.into_iter().chain(last).min() else {
            return Self::Never;
        };
        if due > now {
            return Self::At(due);
        }
        let local = local(now, zone);
        if DAYTIME.contains(&local.hour()) {
            let counts = regular.is_some_and(|at| at <= now);
            return Self::Now { counts };
        }
        let later = i64::from(local.hour() >= DAYTIME.end);
        let next = morning(local.date(), later, zone).filter(before_end);
        next.map_or(Self::Never, Self::At)
    }
}

/// The next of those that are counted.
fn regular(days: ReminderDays, folio: &PendingFolio, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
    let first = days.first?;
    let reminded = folio.reminded;
    if reminded.sent >= days.max {
        return None;
    }
    match reminded.last {
        Some(last) if reminded.sent > 0 => morning(local(last, zone).date(), days.every?, zone),
        // It was created before the clock went back.
        Some(last) if folio.created_at.is_ahead_of(now) => morning(local(last, zone).date(), first, zone),
        // The one before the end came first: not two on one day.
        Some(last) => {
            let soonest = morning(local(last, zone).date(), 1, zone);
            morning(local(folio.created_at, zone).date(), first, zone).max(soonest)
        }
        None => morning(local(folio.created_at, zone).date(), first, zone),
    }
}

/// The one before the folio expires, unless signers were invited or reminded since it was due.
fn last_one(days: ReminderDays, folio: &PendingFolio, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
    let end = local(folio.expires_at?, zone).date();
    let at = morning(end, days.before_expiry?.checked_neg()?, zone)?;
    let created = folio.created_at;
    let is_new = created.is_ahead_of(now) || local(created, zone).date() < local(at, zone).date();
    let is_wanted = folio.reminded.last.is_none_or(|last| last < at);
    (is_new && is_wanted).then_some(at)
}

/// The morning so many days after that one.
fn morning(date: Date, days: i64, zone: &TimeZone) -> Option<Timestamp> {
    let date = date.checked_add(jiff::Span::new().try_days(days).ok()?).ok()?;
    let at = date.at(MORNING, 0, 0, 0).to_zoned(zone.clone()).ok()?;
    Some(Timestamp::from_micros(at.timestamp().as_microsecond()))
}

fn local(at: Timestamp, zone: &TimeZone) -> Zoned {
    let at = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    at.to_zoned(zone.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone() -> TimeZone {
        TimeZone::get("America/Bogota").unwrap()
    }

    fn at(local: &str) -> Timestamp {
        let at: jiff::civil::DateTime = local.parse().unwrap();
        let at = at.to_zoned(zone()).unwrap().timestamp();
        Timestamp::from_micros(at.as_microsecond())
    }

    const DAYS: ReminderDays = ReminderDays {
        first: Some(3),
        every: Some(2),
        max: 2,
        before_expiry: Some(1),
    };

    fn folio(sent: i64, last: Option<&str>) -> PendingFolio {
        PendingFolio {
            created_at: at("2026-03-02 23:50"),
            expires_at: Some(at("2026-03-20 08:00")),
            reminded: Reminded {
                sent,
                last: last.map(at),
            },
        }
    }

    fn next(folio: &PendingFolio, now: &str) -> NextReminder {
        NextReminder::of(DAYS, folio, &zone(), at(now))
    }

    #[test]
    fn the_schedule_counts_days_of_the_zone_and_keeps_to_the_morning() {
        let new = folio(0, None);
        let first = NextReminder::At(at("2026-03-05 09:00"));
        assert_eq!(next(&new, "2026-03-02 23:51"), first);
        assert_eq!(next(&new, "2026-03-05 08:59"), first);
        assert_eq!(next(&new, "2026-03-05 09:00"), NextReminder::Now { counts: true });
        let once = folio(1, Some("2026-03-05 09:00"));
        assert_eq!(
            next(&once, "2026-03-05 09:00"),
            NextReminder::At(at("2026-03-07 09:00"))
        );
        let twice = folio(2, Some("2026-03-07 09:00"));
        let last = NextReminder::At(at("2026-03-19 09:00"));
        assert_eq!(
            next(&twice, "2026-03-07 09:00"),
            last,
            "the number of days is reached; one is left"
        );
        assert_eq!(
            next(&twice, "2026-03-19 09:01"),
            NextReminder::Now { counts: false }
        );
        let done = folio(2, Some("2026-03-19 09:01"));
        assert_eq!(next(&done, "2026-03-19 09:01"), NextReminder::Never);
    }

    #[test]
    fn after_an_outage_there_is_one_reminder_and_none_at_night() {
        let new = folio(0, None);
        let tomorrow = NextReminder::At(at("2026-03-12 09:00"));
        assert_eq!(next(&new, "2026-03-11 19:00"), tomorrow);
        assert_eq!(next(&new, "2026-03-12 03:00"), tomorrow);
        assert_eq!(next(&new, "2026-03-12 18:59"), NextReminder::Now { counts: true });
        let once = folio(1, Some("2026-03-12 18:59"));
        assert_eq!(
            next(&once, "2026-03-12 18:59"),
            NextReminder::At(at("2026-03-14 09:00"))
        );
        assert_eq!(
            next(&new, "2026-03-19 22:00"),
            NextReminder::Never,
            "it expires before the next morning's reminder"
        );
    }

    #[test]
    fn two_reminders_do_not_meet_on_one_day() {
        let days = ReminderDays {
            first: Some(17),
            ..DAYS
        };
        let both = NextReminder::of(days, &folio(0, None), &zone(), at("2026-03-19 09:00"));
        assert_eq!(both, NextReminder::Now { counts: true });
        let after = folio(1, Some("2026-03-19 09:00"));
        let after = NextReminder::of(days, &after, &zone(), at("2026-03-19 09:00"));
        assert_eq!(after, NextReminder::Never);

        let invited_late = PendingFolio {
            created_at: at("2026-03-19 07:00"),
            ..folio(0, None)
        };
        assert_eq!(next(&invited_late, "2026-03-19 09:00"), NextReminder::Never);
    }

    #[test]
    fn what_is_off_is_never_due() {
        let off = ReminderDays::default();
        let never = NextReminder::of(off, &folio(0, None), &zone(), at("2026-03-19 09:00"));
        assert_eq!(never, NextReminder::Never);
        let once = ReminderDays { every: None, ..DAYS };
        let last_alone = NextReminder::of(
            once,
            &folio(1, Some("2026-03-05 09:00")),
            &zone(),
            at("2026-03-06 09:00"),
        );
        assert_eq!(last_alone, NextReminder::At(at("2026-03-19 09:00")));
    }

    #[test]
    fn a_clock_that_went_back_neither_stops_reminders_nor_repeats_them() {
        let next = |folio: &PendingFolio, now: &str| next(&folio.counted_from(at(now)), now);
        let written_ahead = PendingFolio {
            created_at: at("2031-01-01 12:00"),
            expires_at: None,
            reminded: Reminded::default(),
        };
        assert_eq!(
            next(&written_ahead, "2026-03-05 12:00"),
            NextReminder::At(at("2026-03-08 09:00"))
        );
        let reminded_ahead = PendingFolio {
            expires_at: None,
            ..folio(1, Some("2031-01-01 12:00"))
        };
        assert_eq!(
            next(&reminded_ahead, "2026-03-05 12:00"),
            NextReminder::At(at("2026-03-07 09:00"))
        );
        let looked_at = written_ahead.counted_from(at("2026-03-05 12:00"));
        let due = NextReminder::Now { counts: true };
        assert_eq!(
            next(&looked_at, "2026-03-08 09:00"),
            due,
            "it is not put off again"
        );
    }

    #[test]
    fn an_hour_that_a_change_of_the_clocks_leaves_out_is_no_obstacle() {
        let zone = TimeZone::get("Pacific/Apia").unwrap();
        let skipped: Date = "2011-12-30".parse().unwrap();
        let next = morning(skipped, 0, &zone).unwrap();
        assert_eq!(local(next, &zone).date(), "2011-12-31".parse::<Date>().unwrap());
    }
}
