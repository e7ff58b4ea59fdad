//! What all instances share: time, the mail servers, gateways and receivers of webhooks outside, and the trace of what
//! happened.

use crate::chance::Chance;
use app::messages::SendFailure;
use delivery::simulated::Answer;
use delivery::{Failure, MessageId, Reason};
use domain::Timestamp;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Longer than any attempt.
const FOR_EVER: Duration = Duration::from_mins(10);

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) chance: Chance,
    begun: Instant,
    is_faulty: AtomicBool,
    /// How far the database's clock was moved, in microseconds.
    database_clock_steps: AtomicI64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    trace: Vec<String>,
    /// The messages and their recipients, each time that one is tried.
    tried: Vec<(i64, String)>,
    messages: Vec<TakenMessage>,
    webhooks: Vec<String>,
    database_away_until: Option<Instant>,
}

/// A message that a mail server or a gateway has taken.
#[derive(Debug, Clone)]
pub(crate) struct TakenMessage {
    /// The number of its row.
    pub(crate) seq: i64,
    pub(crate) to: String,
    pub(crate) text: String,
}

/// How something outside goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Taken,
    Refused,
    AnswerLost,
    Hangs,
    RefusedForGood,
}

impl World {
    pub(crate) fn new(chance: Chance) -> Self {
        Self {
            chance,
            begun: Instant::now(),
            is_faulty: AtomicBool::new(false),
            database_clock_steps: AtomicI64::new(0),
            state: Mutex::default(),
        }
    }

    /// What a right clock shows.
    pub(crate) fn now(&self) -> Timestamp {
        testkit::START.after(self.begun.elapsed())
    }

    /// What the database's clock shows: the time since its machine was started.
    pub(crate) fn database_clock(&self) -> Timestamp {
        let since_start = Duration::from_hours(1000) + self.begun.elapsed();
        let micros = i64::try_from(since_start.as_micros()).unwrap();
        Timestamp::from_micros(micros + self.database_clock_steps.load(Ordering::SeqCst))
    }

    pub(crate) fn step_database_clock(&self, seconds: i64) {
        self.database_clock_steps
            .fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }

    pub(crate) fn set_faulty(&self, is_faulty: bool) {
        self.is_faulty.store(is_faulty, Ordering::SeqCst);
        self.lock().database_away_until = None;
    }

    pub(crate) fn is_faulty(&self) -> bool {
        self.is_faulty.load(Ordering::SeqCst)
    }

    /// Whether something fails now that fails once in that many times.
    pub(crate) fn fails(&self, once_in: u64) -> bool {
        self.is_faulty() && self.chance.one_in(once_in)
    }

    pub(crate) fn take_database_away(&self, span: Duration) {
        self.lock().database_away_until = Some(Instant::now() + span);
    }

    pub(crate) fn is_database_away(&self) -> bool {
        let until = self.lock().database_away_until;
        until.is_some_and(|until| Instant::now() < until)
    }

    /// Adds a line to the trace.
    pub(crate) fn note(&self, what: impl Display) {
        let millis = self.begun.elapsed().as_millis();
        self.lock().trace.push(format!("{millis:>8} {what}"));
    }

    pub(crate) fn take_trace(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().trace)
    }

    pub(crate) fn tried(&self) -> Vec<(i64, String)> {
        self.lock().tried.clone()
    }

    pub(crate) fn messages(&self) -> Vec<TakenMessage> {
        self.lock().messages.clone()
    }

    pub(crate) fn webhooks(&self) -> Vec<String> {
        self.lock().webhooks.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn fate(&self) -> Fate {
        sleep(self.chance.millis(5..400)).await;
        if !self.is_faulty() {
            return Fate::Taken;
        }
        match self.chance.below(40) {
            0..8 => Fate::Refused,
            8..12 => Fate::AnswerLost,
            12..14 => Fate::Hangs,
            14 => Fate::RefusedForGood,
            _ => Fate::Taken,
        }
    }
}

impl delivery::simulated::World for World {
    fn take_message<'w>(
        &'w self,
        id: &'w MessageId,
        to: &'w str,
        text: &'w str,
    ) -> Answer<'w, Result<(), Failure>> {
        Box::pin(async move {
            let id = id.to_string();
            let (seq, _) = id.split_once('.').expect("a row number");
            let seq = seq.parse().expect("a row number");
            self.lock().tried.push((seq, to.to_owned()));
            let fate = self.fate().await;
            self.note(format_args!("message {id}: {fate:?}"));
            if fate == Fate::Taken || fate == Fate::AnswerLost {
                let (to, text) = (to.to_owned(), text.to_owned());
                self.lock().messages.push(TakenMessage { seq, to, text });
            }
            match fate {
                Fate::Taken => Ok(()),
                Fate::Refused => Err(Failure::transient(Reason::reply("421 refused"))),
                Fate::AnswerLost => Err(Failure::transient(SendFailure::NoServer)),
                Fate::RefusedForGood => Err(Failure::permanent(Reason::reply("550 no such mailbox"))),
                Fate::Hangs => {
                    sleep(FOR_EVER).await;
                    Err(Failure::transient(SendFailure::NoAnswer))
                }
            }
        })
    }

    fn take_webhook<'w>(&'w self, id: &'w str, _: &'w str) -> Answer<'w, Result<u16, String>> {
        Box::pin(async move {
            let fate = self.fate().await;
            self.note(format_args!("webhook {id}: {fate:?}"));
            if fate == Fate::Taken || fate == Fate::AnswerLost {
                self.lock().webhooks.push(id.to_owned());
            }
            match fate {
                Fate::Taken => Ok(200),
                Fate::Refused => Err("connection refused".to_owned()),
                Fate::AnswerLost => Err("connection lost".to_owned()),
                Fate::RefusedForGood => Ok(500),
                Fate::Hangs => {
                    sleep(FOR_EVER).await;
                    Ok(200)
                }
            }
        })
    }
}
