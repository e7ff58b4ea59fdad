//! Many seeds, and that each can be replayed. `FIRMEZA_TEST_SEED=17` runs and shows that one alone.

use simulation::{Run, run};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Seeds of a test run.
const SEEDS: u64 = 1000;

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

/// What went wrong with a seed, and how it is seen again.
fn complaint(seed: u64, run: &Run) -> Option<String> {
    if run.violations.is_empty() {
        return None;
    }
    let why = run.violations.join("; ");
    Some(format!(
        "seed {seed}: {why}\n    FIRMEZA_TEST_SEED={seed} cargo test --workspace --test seeds -- --nocapture"
    ))
}

/// Whether a sweeper has removed something.
fn removes(run: &Run) -> bool {
    let mut sweeps = run.trace.iter().filter(|line| line.contains("Swept {"));
    sweeps.any(|line| !line.contains("removed: 0"))
}

#[test]
fn nothing_is_lost_or_done_twice_or_stuck_whatever_the_seed() {
    if let Some(seed) = variable("FIRMEZA_TEST_SEED") {
        let run = run(seed);
        println!("{}", run.trace.join("\n"));
        assert_eq!(complaint(seed, &run), None);
        return;
    }
    let (seeds, next) = (variable("FIRMEZA_TEST_SEEDS").unwrap_or(SEEDS), AtomicU64::new(0));
    let sweeps = AtomicU64::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let complaints: Vec<String> = thread::scope(|scope| {
        let work = || {
            let seeds = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed))
                .take_while(|seed| *seed < seeds);
            let simulated = seeds.map(|seed| (seed, run(seed)));
            let simulated = simulated.inspect(|(_, run)| {
                sweeps.fetch_add(u64::from(removes(run)), Ordering::Relaxed);
            });
            simulated
                .filter_map(|(seed, run)| complaint(seed, &run))
                .collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    let sweeps = sweeps.into_inner();
    println!("orphans were removed with {sweeps} of {seeds} seeds");
    assert!(sweeps > seeds / 50, "{sweeps} of {seeds} seeds removed orphans");
    assert!(
        complaints.is_empty(),
        "{} of {seeds} seeds failed\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

#[test]
fn a_seed_gives_the_same_run_every_time() {
    for seed in 0..10 {
        let (first, again) = (run(seed), run(seed));
        let differs = first
            .trace
            .iter()
            .zip(&again.trace)
            .find(|(one, other)| one != other);
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(first, again, "seed {seed}");
    }
}
