//! A simulation of an installation as queues: what waits where when so much comes in. The same seed gives the same waits on
//! every machine; nothing real is started.
//!
//! Requests arrive independently of each other, and each passes its stages one after the other. A stage is served by one of
//! the servers of its station, first come, first served; how long that takes varies as much as it is on average (an
//! exponential distribution), which is more than measured work varies. A request that holds a session while the database
//! works counts at both, one after the other: waits come out longer than they are, not shorter.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Where requests wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Station {
    /// The processors of the instance that has the request.
    Instance,
    /// That instance's sessions with the database for writes.
    Writers,
    /// The same for reads.
    Readers,
    /// The database's processors.
    Database,
    /// The document storage, which takes as many requests as come.
    Storage,
    /// The places in which messages of all instances are sent. Some are kept for codes.
    Senders,
    /// The same for codes, which may take all of them.
    CodeSenders,
    /// The extenders of all instances, each of which does one folio after the other.
    Extenders,
}

const STATIONS: usize = 8;

/// What an installation consists of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Installation {
    pub(crate) instances: usize,
    /// Processors of an instance.
    pub(crate) processors: usize,
    pub(crate) writers: usize,
    pub(crate) readers: usize,
    /// Processors of the database.
    pub(crate) database_processors: usize,
    /// Messages that an instance sends at the same time, and how many of these places are kept for codes.
    pub(crate) senders: usize,
    pub(crate) code_senders: usize,
}

impl Installation {
    fn servers(&self, station: Station) -> usize {
        match station {
            Station::Instance => self.processors,
            Station::Writers => self.writers,
            Station::Readers => self.readers,
            Station::Database => self.database_processors,
            Station::Storage => usize::MAX,
            Station::Senders => self.instances * (self.senders - self.code_senders),
            Station::CodeSenders => self.instances * self.senders,
            Station::Extenders => self.instances,
        }
    }
}

/// The place of a station of that instance among all of them.
fn place(station: Station, instance: usize) -> usize {
    let own = matches!(station, Station::Instance | Station::Writers | Station::Readers);
    let instance = if own { instance } else { 0 };
    instance * STATIONS + station as usize
}

/// Something that is asked for again and again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class {
    pub(crate) name: &'static str,
    /// How often a second by itself.
    pub(crate) per_second: f64,
    /// Where it is served, and how many milliseconds that takes on average.
    pub(crate) stages: &'static [(Station, f64)],
    /// What it leads to when it is done: the class of that number, so many times.
    pub(crate) leads_to: &'static [(usize, usize)],
}

/// How long the requests of a class took from their arrival to their end, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Waits {
    pub(crate) name: &'static str,
    pub(crate) median: f64,
    /// Of a hundred, ninety-nine took no longer.
    pub(crate) p99: f64,
}

/// What came of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) waits: Vec<Waits>,
    /// Requests that arrived, and those of them that were not done in the end.
    pub(crate) took_in: usize,
    pub(crate) left: usize,
    /// The most that were under way at any time.
    pub(crate) most: usize,
    /// The share of its time that the busiest server of these stations worked: instances, database, senders.
    pub(crate) busy: [f64; 3],
}

/// A request under way.
#[derive(Debug, Clone, Copy)]
struct Request {
    class: usize,
    stage: usize,
    instance: usize,
    arrived: u64,
}

#[derive(Debug, Default, Clone)]
struct Queue {
    busy: usize,
    waiting: VecDeque<Request>,
    worked: u64,
}

#[derive(Debug, Clone, Copy)]
enum Event {
    Arrival(usize),
    Served(Request),
}

struct Simulation<'a> {
    installation: &'a Installation,
    classes: &'a [Class],
    random: u64,
    now: u64,
    events: BinaryHeap<Reverse<(u64, u64, usize)>>,
    /// What the events are, by their numbers; places are used again.
    of_events: Vec<Event>,
    free: Vec<usize>,
    planned: u64,
    queues: Vec<Queue>,
    next_instance: usize,
    took_in: usize,
    under_way: usize,
    most: usize,
    took: Vec<Vec<u64>>,
}

const NANOS_PER_SECOND: f64 = 1e9;
const NANOS_PER_MILLI: f64 = 1e6;

/// Simulates so many seconds of it. What arrived in the first tenth is served, but not counted.
pub(crate) fn simulate(installation: &Installation, classes: &[Class], seconds: u32, seed: u64) -> Outcome {
    let mut simulation = Simulation {
        installation,
        classes,
        random: seed,
        now: 0,
        events: BinaryHeap::new(),
        of_events: Vec::new(),
        free: Vec::new(),
        planned: 0,
        queues: vec![Queue::default(); installation.instances * STATIONS],
        next_instance: 0,
        took_in: 0,
        under_way: 0,
        most: 0,
        took: vec![Vec::new(); classes.len()],
    };
    let end = u64::from(seconds) * 1_000_000_000;
    for class in 0..classes.len() {
        simulation.plan_arrival(class);
    }
    while let Some(Reverse((at, _, event))) = simulation.events.pop() {
        if at > end {
            break;
        }
        simulation.now = at;
        simulation.free.push(event);
        match simulation.of_events[event] {
            Event::Arrival(class) => {
                simulation.plan_arrival(class);
                simulation.arrive(class);
            }
            Event::Served(request) => simulation.end_stage(request, end / 10),
        }
    }
    simulation.outcome(end)
}

impl Simulation<'_> {
    /// A number from 0 to 1, without 0 (`SplitMix64`).
    fn chance(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ self.random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = (mixed ^ mixed >> 31) >> 11;
        #[expect(clippy::cast_precision_loss, reason = "53 bits")]
        let share = (mixed + 1) as f64 / (1_u64 << 53) as f64;
        share
    }

    /// A time that varies as much as it is on average.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most minutes"
    )]
    fn varied(&mut self, nanos: f64) -> u64 {
        (-self.chance().ln() * nanos) as u64
    }

    fn plan(&mut self, after: u64, event: Event) {
        let number = if let Some(number) = self.free.pop() {
            self.of_events[number] = event;
            number
        } else {
            self.of_events.push(event);
            self.of_events.len() - 1
        };
        self.planned += 1;
        self.events
            .push(Reverse((self.now + after, self.planned, number)));
    }

    fn plan_arrival(&mut self, class: usize) {
        let per_second = self.classes[class].per_second;
        if per_second > 0.0 {
            let after = self.varied(NANOS_PER_SECOND / per_second);
            self.plan(after, Event::Arrival(class));
        }
    }

    /// The balancer gives it to the instances by turns.
    fn arrive(&mut self, class: usize) {
        self.next_instance = (self.next_instance + 1) % self.installation.instances;
        self.took_in += 1;
        self.under_way += 1;
        self.most = self.most.max(self.under_way);
        self.begin_stage(Request {
            class,
            stage: 0,
            instance: self.next_instance,
            arrived: self.now,
        });
    }

    fn begin_stage(&mut self, request: Request) {
        let (station, _) = self.classes[request.class].stages[request.stage];
        if self.has_room(station, request.instance) {
            self.serve(request);
        } else {
            let place = place(station, request.instance);
            self.queues[place].waiting.push_back(request);
        }
    }

    fn busy(&self, station: Station, instance: usize) -> usize {
        self.queues[place(station, instance)].busy
    }

    /// Messages and codes share their places.
    fn has_room(&self, station: Station, instance: usize) -> bool {
        let own = self.busy(station, instance) < self.installation.servers(station);
        if matches!(station, Station::Senders | Station::CodeSenders) {
            let all = self.busy(Station::Senders, 0) + self.busy(Station::CodeSenders, 0);
            return own && all < self.installation.servers(Station::CodeSenders);
        }
        own
    }

    /// Serves those who wait, as far as there is room.
    fn serve_next(&mut self, station: Station, instance: usize) {
        let place = place(station, instance);
        while self.has_room(station, instance) {
            let Some(next) = self.queues[place].waiting.pop_front() else {
                return;
            };
            self.serve(next);
        }
    }

    fn serve(&mut self, request: Request) {
        let (station, millis) = self.classes[request.class].stages[request.stage];
        let takes = self.varied(millis * NANOS_PER_MILLI);
        let queue = &mut self.queues[place(station, request.instance)];
        queue.busy += 1;
        queue.worked += takes;
        self.plan(takes, Event::Served(request));
    }

    fn end_stage(&mut self, request: Request, counted_from: u64) {
        let stages = self.classes[request.class].stages;
        let (station, _) = stages[request.stage];
        let queue = &mut self.queues[place(station, request.instance)];
        queue.busy -= 1;
        if matches!(station, Station::Senders | Station::CodeSenders) {
            self.serve_next(Station::CodeSenders, 0);
            self.serve_next(Station::Senders, 0);
        } else {
            self.serve_next(station, request.instance);
        }
        if request.stage + 1 < stages.len() {
            self.begin_stage(Request {
                stage: request.stage + 1,
                ..request
            });
            return;
        }
        self.under_way -= 1;
        if request.arrived >= counted_from {
            self.took[request.class].push(self.now - request.arrived);
        }
        for (class, times) in self.classes[request.class].leads_to {
            for _ in 0..*times {
                self.arrive(*class);
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "times far below 2^52 nanoseconds")]
    fn outcome(mut self, end: u64) -> Outcome {
        let waits = self.took.iter_mut().zip(self.classes).map(|(took, class)| {
            took.sort_unstable();
            let millis = |share: usize| {
                let at = took.len().saturating_sub(1) * share / 100;
                took.get(at).map_or(0.0, |nanos| *nanos as f64 / NANOS_PER_MILLI)
            };
            Waits {
                name: class.name,
                median: millis(50),
                p99: millis(99),
            }
        });
        let waits = waits.collect();
        let worked = |station: Station| {
            let of = |instance| self.queues[place(station, instance)].worked;
            (0..self.installation.instances).map(of).max().unwrap_or(0)
        };
        let share = |worked: u64, station: Station| {
            worked as f64 / self.installation.servers(station) as f64 / end as f64
        };
        let busy = [
            share(worked(Station::Instance), Station::Instance),
            share(worked(Station::Database), Station::Database),
            share(
                worked(Station::Senders) + worked(Station::CodeSenders),
                Station::CodeSenders,
            ),
        ];
        Outcome {
            waits,
            took_in: self.took_in,
            left: self.under_way,
            most: self.most,
            busy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Installation = Installation {
        instances: 1,
        processors: 1,
        writers: 1,
        readers: 1,
        database_processors: 1,
        senders: 2,
        code_senders: 1,
    };

    fn requests(per_second: f64) -> Class {
        Class {
            name: "request",
            per_second,
            stages: &[(Station::Instance, 10.0)],
            leads_to: &[],
        }
    }

    #[test]
    fn one_queue_waits_as_long_as_the_formula_says() {
        // With one server, exponential times and a load of 0.8, a hundredth takes longer than ln(100) · 10 ms / (1 − 0.8).
        let outcome = simulate(&ONE, &[requests(80.0)], 4_000, 1);
        let Waits { median, p99, .. } = outcome.waits[0];
        let (formula_median, formula_p99) = (2_f64.ln() * 50.0, 100_f64.ln() * 50.0);
        assert!(
            (median / formula_median - 1.0).abs() < 0.05,
            "{median} {formula_median}"
        );
        assert!((p99 / formula_p99 - 1.0).abs() < 0.1, "{p99} {formula_p99}");
        assert!((outcome.busy[0] - 0.8).abs() < 0.02, "{:?}", outcome.busy);
    }

    #[test]
    fn what_is_more_than_can_be_served_is_left() {
        let outcome = simulate(&ONE, &[requests(150.0)], 60, 1);
        // A third of nine thousand.
        assert!(outcome.left > 2_500, "{outcome:?}");
    }

    #[test]
    fn a_seed_gives_the_same_waits_every_time() {
        let classes = [requests(80.0)];
        assert_eq!(simulate(&ONE, &classes, 60, 7), simulate(&ONE, &classes, 60, 7));
        assert_ne!(simulate(&ONE, &classes, 60, 7), simulate(&ONE, &classes, 60, 8));
    }

    #[test]
    fn what_a_request_leads_to_is_done_after_it() {
        let message = Class {
            name: "message",
            per_second: 0.0,
            stages: &[(Station::Senders, 5.0)],
            leads_to: &[],
        };
        let create = Class {
            leads_to: &[(1, 2)],
            ..requests(10.0)
        };
        let outcome = simulate(&ONE, &[create, message], 600, 1);
        assert!(outcome.waits[1].median > 0.0);
        // Twenty a second of 5 ms each, in two places.
        assert!((outcome.busy[2] - 0.05).abs() < 0.005, "{:?}", outcome.busy);
    }
}
