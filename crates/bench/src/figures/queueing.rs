//! How long requests wait at ten times the load that the bench measured, on an installation that was made for it. The times
//! of the stages are those that `docs/scaling.md` gives.

use crate::queueing::Station::{
    CodeSenders, Database, Extenders, Instance, Readers, Senders, Storage, Writers,
};
use crate::queueing::{Class, Installation, Outcome, simulate};
use crate::report::{Line, Target};
use parts::Result;

/// Folios a second that came in while the bench measured.
const MEASURED_CREATES: f64 = 71.0;
/// How many times as many come in here.
const LOAD_FACTOR: f64 = 10.0;
const SECONDS: u32 = 60;
const SEED: u64 = 1;
/// The longest time that ninety-nine of a hundred creates may take, in milliseconds.
const MAX_P99_MILLIS: f64 = 500.0;

/// A folio is created, read four times, shown in a list once, downloaded twice and signed by two signers, each of whom gets
/// an invitation and a code.
const fn classes(folios_per_second: f64) -> [Class; 8] {
    const fn class(
        name: &'static str,
        per_second: f64,
        stages: &'static [(crate::queueing::Station, f64)],
        leads_to: &'static [(usize, usize)],
    ) -> Class {
        Class {
            name,
            per_second,
            stages,
            leads_to,
        }
    }
    [
        class(
            "create",
            folios_per_second,
            &[(Instance, 1.5), (Storage, 30.0), (Writers, 8.0), (Database, 2.7)],
            &[(5, 2)],
        ),
        class(
            "read",
            4.0 * folios_per_second,
            &[(Instance, 0.3), (Readers, 1.0), (Database, 0.3)],
            &[],
        ),
        class(
            "page of the list",
            folios_per_second,
            &[(Instance, 1.1), (Readers, 3.0), (Database, 1.0)],
            &[],
        ),
        class(
            "download",
            2.0 * folios_per_second,
            &[(Instance, 0.4), (Readers, 1.0), (Storage, 10.0), (Database, 0.3)],
            &[],
        ),
        class(
            "signature",
            2.0 * folios_per_second,
            &[(Instance, 2.0), (Writers, 12.0), (Database, 3.0)],
            &[(7, 1)],
        ),
        class("invitation", 0.0, &[(Senders, 100.0), (Writers, 4.0)], &[]),
        class(
            "code",
            2.0 * folios_per_second,
            &[
                (Instance, 1.0),
                (Writers, 8.0),
                (Database, 2.0),
                (CodeSenders, 100.0),
            ],
            &[],
        ),
        class("extension", 0.0, &[(Extenders, 10.0), (Database, 2.0)], &[]),
    ]
}

const fn installation(instances: usize, database_processors: usize) -> Installation {
    Installation {
        instances,
        processors: 2,
        writers: 8,
        readers: 4,
        database_processors,
        senders: 16,
        code_senders: 4,
    }
}

/// An installation and what comes in: how many times the measured load.
struct Case {
    installation: Installation,
    times: f64,
}

const CASES: [Case; 3] = [
    Case {
        installation: installation(3, 4),
        times: 1.0,
    },
    Case {
        installation: installation(24, 24),
        times: LOAD_FACTOR,
    },
    Case {
        installation: installation(30, 24),
        times: LOAD_FACTOR,
    },
];

impl Case {
    fn simulate(&self) -> Outcome {
        simulate(
            &self.installation,
            &classes(self.times * MEASURED_CREATES),
            SECONDS,
            SEED,
        )
    }
}

#[expect(clippy::unnecessary_wraps, reason = "figures can fail; this one cannot")]
pub(super) fn measure() -> Result<Vec<Line>> {
    let lines = CASES.iter().map(|case| {
        let outcome = case.simulate();
        Line {
            name: "queueing",
            value: outcome.waits[0].p99,
            spread: None,
            unit: " ms",
            target: Target::AtMost(MAX_P99_MILLIS),
            detail: format!("of a create, 99 of 100: {}", row(case, &outcome)),
        }
    });
    Ok(lines.collect())
}

/// A row of the table in `docs/scaling.md`.
fn row(case: &Case, outcome: &Outcome) -> String {
    let waits: Vec<String> = outcome
        .waits
        .iter()
        .map(|waits| format!("{:.0} / {:.0}", waits.median, waits.p99))
        .collect();
    let [instances, database, senders] = outcome.busy.map(|share| format!("{:.0} %", share * 100.0));
    format!(
        "| {:.0} | {} × {}, {} | {} | {instances} | {database} | {senders} |",
        case.times * MEASURED_CREATES,
        case.installation.instances,
        case.installation.processors,
        case.installation.database_processors,
        waits.join(" | ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("../../../../docs/scaling.md");

    #[test]
    fn at_ten_times_the_measured_load_nothing_waits_for_long() {
        for case in &CASES {
            let outcome = case.simulate();
            let row = row(case, &outcome);
            assert!(outcome.waits[0].p99 < MAX_P99_MILLIS, "{row}");
            // What is under way in the end came within the last moments.
            assert!(
                outcome.left * 20 < outcome.took_in,
                "{} left of {}",
                outcome.left,
                outcome.took_in
            );
            assert!(DOCUMENT.contains(&row), "docs/scaling.md lacks\n{row}");
        }
    }

    #[test]
    fn three_instances_do_not_carry_ten_times_the_load() {
        let case = Case {
            installation: installation(3, 4),
            times: LOAD_FACTOR,
        };
        assert!(case.simulate().waits[0].p99 > 10.0 * MAX_P99_MILLIS);
    }
}
