//! The part of the company's form that says when signers are reminded.

use crate::page::{FormFields, PanelLang};
use domain::limits::{REMINDER_DAYS, REMINDERS};
use std::ops::RangeInclusive;
use store::ReminderDays;

/// The fields.
#[derive(Debug, Default, Clone)]
pub(crate) struct ReminderForm {
    pub(crate) first: String,
    pub(crate) every: String,
    pub(crate) max: String,
    pub(crate) before: String,
}

/// The errors of the fields.
#[derive(Debug, Default)]
pub(crate) struct ReminderErrors {
    pub(crate) first: Option<&'static str>,
    pub(crate) every: Option<&'static str>,
    pub(crate) max: Option<&'static str>,
    pub(crate) before: Option<&'static str>,
}

impl ReminderErrors {
    pub(crate) fn is_any(&self) -> bool {
        self.first.or(self.every).or(self.max).or(self.before).is_some()
    }
}

impl ReminderForm {
    pub(crate) fn of(days: ReminderDays) -> Self {
        let text = |days: Option<i64>| days.map_or_else(String::new, |days| days.to_string());
        Self {
            first: text(days.first),
            every: text(days.every),
            max: days.max.to_string(),
            before: text(days.before_expiry),
        }
    }

    pub(crate) fn read(form: &FormFields) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            first: text("reminder_first"),
            every: text("reminder_every"),
            max: text("reminder_max"),
            before: text("reminder_before"),
        }
    }

    /// The fields as a browser sends them.
    pub(crate) const fn fields(&self) -> [(&'static str, &String); 4] {
        let Self {
            first,
            every,
            max,
            before,
        } = self;
        [
            ("reminder_first", first),
            ("reminder_every", every),
            ("reminder_max", max),
            ("reminder_before", before),
        ]
    }

    /// The days of the form; the errors go to their places.
    pub(crate) fn days(&self, l: PanelLang, wrong: &mut ReminderErrors) -> ReminderDays {
        let first = number(&self.first, 1..=REMINDER_DAYS);
        let every = number(&self.every, 1..=REMINDER_DAYS);
        let before = number(&self.before, 1..=REMINDER_DAYS);
        let max = number(&self.max, 1..=REMINDERS);
        let malformed = |days: Result<Option<i64>, ()>| days.err().map(|()| l.reminder_days_malformed());
        wrong.first = malformed(first);
        wrong.every = malformed(every);
        wrong.before = malformed(before);
        wrong.max = max.err().map(|()| l.reminder_max_malformed());
        if self.first.is_empty() && !self.every.is_empty() {
            wrong.first = Some(l.reminder_first_missing());
        }
        let default = ReminderDays::default();
        ReminderDays {
            first: first.unwrap_or_default(),
            every: every.unwrap_or_default(),
            max: max.unwrap_or_default().unwrap_or(default.max),
            before_expiry: before.unwrap_or_default(),
        }
    }
}

fn number(text: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.map(Some).ok_or(())
}
