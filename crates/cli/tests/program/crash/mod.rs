//! Crashes under load: everything that was answered is there afterwards and whole; what was not is whole or
//! absent. `cargo xtask test --crash-rounds N` runs more of them.

mod check;
mod load;
mod power_cut;
mod takeover;

use crate::support::{
    COMPANY, Checked, Client, Installation, PostgresDatabase, TestRandom, check_integrity, texts, wait_for,
};
use load::{Journal, Loss, work};
use parts::Postgres;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const CLIENTS: usize = 8;

/// How often the program is to be killed, on either engine.
fn rounds() -> usize {
    std::env::var("FIRMEZA_TEST_CRASH_ROUNDS").map_or(20, |text| text.parse().unwrap())
}

/// An installation whose clients are not held back.
fn unhindered() -> Installation {
    Installation::new()
        .with("FIRMEZA_RESENDS_IN_TEN_MINUTES", "1000000")
        .with("FIRMEZA_RESENDS_IN_A_DAY", "1000000")
        .with("FIRMEZA_LOG", "warn")
}

/// Puts the service under load, and lets `crash` happen in the middle of it.
fn under_load(client: &Client, loss: Loss, crash: impl FnOnce()) -> Vec<Journal> {
    let answers = AtomicUsize::new(0);
    thread::scope(|scope| {
        let start = || {
            let (client, random, answers) = (client.another(), TestRandom::fresh(), &answers);
            scope.spawn(move || work(client, random, loss, answers))
        };
        let clients: Vec<_> = (0..CLIENTS).map(|_| start()).collect();
        wait_for("the work to begin", || answers.load(Ordering::Relaxed) >= CLIENTS);
        // Any moment will do, as long as it is another one each time.
        let moment = 200 + TestRandom::fresh().below(600) as u64;
        thread::sleep(Duration::from_millis(moment));
        crash();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    })
}

/// What all rounds have in common: journals of the past, and how far the database has been looked at.
struct Rounds {
    client: Client,
    database: store::Settings,
    documents: blobs::Location,
    past: Vec<Journal>,
    checked: Checked,
}

impl Rounds {
    fn new(installation: &Installation, database: store::Settings) -> Self {
        Self {
            client: installation.client(),
            database,
            documents: installation.documents(),
            past: Vec::new(),
            checked: Checked::default(),
        }
    }

    /// Checks what a round has left.
    fn check(&mut self, mut journals: Vec<Journal>) {
        // Whole before anything else is asked: what follows would mend a half-done create.
        let found = check_integrity(&self.database, COMPANY, &self.documents, self.checked.up_to);
        let answered: usize = journals.iter().map(|journal| journal.known.len()).sum();
        let unanswered = journals
            .iter()
            .filter(|journal| journal.unanswered.is_some())
            .count();
        assert!(
            (answered..=answered + unanswered).contains(&found.folios),
            "{answered} answered, {unanswered} not, {} there",
            found.folios
        );
        thread::scope(|scope| {
            for journal in &mut journals {
                let mut client = self.client.another();
                scope.spawn(move || {
                    journal.repeat(&mut client);
                    journal.check(&mut client);
                    journal.check_documents(&mut client);
                });
            }
        });
        self.checked = check_integrity(&self.database, COMPANY, &self.documents, found.up_to);
        self.past.append(&mut journals);
    }

    /// Everything that was ever answered is still there.
    fn check_all(mut self) {
        for journal in &mut self.past {
            journal.check(&mut self.client);
        }
        let found = check_integrity(&self.database, COMPANY, &self.documents, 0);
        let known: usize = self.past.iter().map(|journal| journal.known.len()).sum();
        assert!(found.folios >= known);
        println!("{known} folios outlived {} crashes", self.past.len() / CLIENTS);
    }
}

/// Kills the program in every round.
fn kill_the_program(installation: &Installation, database: store::Settings, settled: impl Fn() -> bool) {
    let mut server = installation.serve();
    let mut rounds = Rounds::new(installation, database);
    for round in 1..=self::rounds() {
        let begun = Instant::now();
        let journals = under_load(&rounds.client, Loss::Silence, || server.kill());
        wait_for("the database to settle", &settled);
        server = installation.serve();
        rounds.check(journals);
        println!("round {round}: {:?}", begun.elapsed());
    }
    rounds.check_all();
    drop(server);
}

#[test]
fn a_killed_program_loses_nothing_it_has_answered_on_sqlite() {
    let installation = unhindered();
    let database = installation.sqlite();
    kill_the_program(&installation, database.clone(), || true);
    assert_eq!(texts(&database, "PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn a_killed_program_loses_nothing_it_has_answered_on_postgres() {
    let database = PostgresDatabase::new();
    let installation = unhindered().with("FIRMEZA_DATABASE_URL", database.url());
    kill_the_program(&installation, database.settings(), || database.is_left_alone());
}

#[test]
fn a_killed_postgres_loses_nothing_and_needs_no_restart_of_the_program() {
    let mut postgres = Postgres::start_durable().unwrap();
    let url = postgres.create_database("folios").unwrap();
    let installation = unhindered().with("FIRMEZA_DATABASE_URL", &url);
    let server = installation.serve();
    let mut rounds = Rounds::new(&installation, store::Settings::Postgres(url));
    let port = installation.port;
    for _ in 0..self::rounds().div_ceil(3) {
        let journals = under_load(&rounds.client, Loss::Failure, || {
            postgres.stop_immediate().unwrap();
        });
        assert!(!parts::answers(port, "/ready"));
        assert!(parts::answers(port, "/health"));
        postgres.start_again().unwrap();
        wait_for("the service to find its database", || {
            parts::answers(port, "/ready")
        });
        rounds.check(journals);
    }
    rounds.check_all();
    drop(server);
}
