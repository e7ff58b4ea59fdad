//! What a page of the panel's list and a search in it cost with a million folios, against ten thousand.

use super::ROUNDS;
use crate::comparison::{Costs, Side, alternating};
use crate::report::{Line, Target};
use app::folios::list::{Listing, list};
use domain::{CompanyId, FolioState, Timestamp};
use jiff::civil::{Date, date};
use jiff::{ToSpan, tz::TimeZone};
use parts::{Error, Postgres, Result, Scratch};
use std::process;
use store::{DailyStat, FolioRow, HourlyFolioRange, Settings, Stat, Store};
use tokio::runtime::Runtime;

pub(super) const SMALL_FOLIO_COUNT: i64 = 10_000;
const LARGE_FOLIO_COUNT: i64 = 1_000_000;
/// The folios were created on so many days, as many on each.
const DAYS: i64 = 400;
const DAY_MICROS: i64 = 86_400_000_000;
const HOUR_MICROS: i64 = DAY_MICROS / 24;
const FIRST: Date = date(2025, 1, 1);
pub(super) const PAGES: u32 = 400;
/// So few names that a search fills a page, in ten thousand folios as in a million.
const NAMES: i64 = 100;
const SURNAMES: i64 = 300;

/// How an engine writes what the seeds need.
struct SqlDialect {
    id: &'static str,
    hash: &'static str,
}

const SQLITE: SqlDialect = SqlDialect {
    id: "randomblob(16)",
    hash: "randomblob(32)",
};
const POSTGRES: SqlDialect = SqlDialect {
    id: "decode(md5('folio' || n), 'hex')",
    hash: "decode(md5('one' || n) || md5('two' || n), 'hex')",
};

pub(super) fn measure() -> Result<Vec<Line>> {
    let scratch = Scratch::new()?;
    let seeded = |name: &str, count| {
        let path = scratch.directory().join(name);
        Seeded::open(
            &Settings::Sqlite(path.clone()),
            count,
            |sql| {
                let connection = rusqlite::Connection::open(&path).map_err(Error::while_("seeding"))?;
                let quick =
                    "PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA foreign_keys = OFF;";
                // As the service does by itself when it is left alone: nothing is in the log any more.
                let rest = "PRAGMA wal_checkpoint(TRUNCATE);";
                let seeded = connection.execute_batch(&format!("{quick} BEGIN; {sql} COMMIT; {rest}"));
                seeded.map_err(Error::while_("seeding"))
            },
            &SQLITE,
        )
    };
    compare(
        ["list", "search"],
        &seeded("many", LARGE_FOLIO_COUNT)?,
        &seeded("few", SMALL_FOLIO_COUNT)?,
    )
}

pub(super) fn measure_postgres() -> Result<Vec<Line>> {
    let (many, few) = (Postgres::start()?, Postgres::start()?);
    compare(
        ["list-postgres", "search-postgres"],
        &Seeded::on_postgres(&many, LARGE_FOLIO_COUNT)?,
        &Seeded::on_postgres(&few, SMALL_FOLIO_COUNT)?,
    )
}

/// A database with so many folios.
pub(super) struct Seeded {
    store: Store,
    pub(super) runtime: Runtime,
    pub(super) company: CompanyId,
    count: i64,
}

impl Seeded {
    /// On a `PostgreSQL` without data.
    pub(super) fn on_postgres(server: &Postgres, count: i64) -> Result<Self> {
        let seed = |sql: &str| {
            // The index is built once all words are there. VACUUM stands for the server's autovacuum.
            let bare = "ALTER TABLE search_index DROP CONSTRAINT search_index_pkey;";
            let keyed = "ALTER TABLE search_index ADD PRIMARY KEY (company, word, folio);";
            server.query(&format!("{bare} {sql} {keyed}"))?;
            server.query("VACUUM ANALYZE").map(drop)
        };
        Self::open(&Settings::Postgres(server.url()), count, seed, &POSTGRES)
    }

    fn open(
        settings: &Settings,
        count: i64,
        seed: impl FnOnce(&str) -> Result<()>,
        words: &SqlDialect,
    ) -> Result<Self> {
        let failed = Error::while_::<store::Error>;
        let runtime = Runtime::new()?;
        let store = Store::open(settings, None).map_err(failed("opening"))?;
        let added = store.write(|tx| tx.add_company("Medida", Timestamp::from_micros(0)));
        let company = runtime.block_on(added).map_err(failed("a company"))?;
        seed(&seeds(company, count, words))?;
        let counted = store.write(move |tx| {
            let spans: Vec<HourlyFolioRange> = (0..DAYS * 24)
                .filter_map(|hour| span(company, hour, count))
                .collect();
            tx.record_hourly_ranges(&spans)?;
            let stat = Stat::Entered(FolioState::Approved);
            let one = DailyStat {
                stat,
                day: number(day_at(0)),
                value: count,
            };
            tx.add_daily_stats(&[(company, one)])
        });
        runtime.block_on(counted).map_err(failed("figures"))?;
        Ok(Self {
            store,
            runtime,
            company,
            count,
        })
    }

    /// Asks for pages. Returns how many.
    pub(super) fn ask(&self, listing: impl Fn(u32, i64) -> Listing) -> Result<f64> {
        let company = self.company;
        let now = Timestamp::from_micros(micros(day_at(DAYS)));
        for turn in 0..PAGES {
            // A walk over all folios, in no order.
            let folio = (i64::from(turn) * 7_919_777 + 13) % self.count + 1;
            let listing = listing(turn, folio);
            let page = self
                .store
                .read(move |tx| list(tx, company, &listing, &TimeZone::UTC, now));
            self.runtime.block_on(page).map_err(Error::while_("a page"))?;
        }
        Ok(f64::from(PAGES))
    }
}

fn compare(names: [&'static str; 2], many: &Seeded, few: &Seeded) -> Result<Vec<Line>> {
    let lists = |seeded: &Seeded| {
        seeded.ask(|turn, folio| {
            let day = day_at((folio - 1) * DAYS / seeded.count);
            let before = Some(FolioRow(folio));
            match turn % 4 {
                0 => Listing::default(),
                1 => Listing {
                    before,
                    ..Listing::default()
                },
                2 => Listing {
                    before,
                    state: Some(FolioState::Pending),
                    ..Listing::default()
                },
                _ => Listing {
                    from: Some(day),
                    to: Some(day),
                    state: Some(FolioState::Approved),
                    ..Listing::default()
                },
            }
        })
    };
    let searches = |seeded: &Seeded| {
        seeded.ask(|turn, folio| {
            let typed = match turn % 4 {
                0 => format!("{}", 1_000_000_000 + folio * 379),
                1 => format!("nombre{} apellido{}", folio % NAMES, folio * 7 % SURNAMES),
                2 => format!("apellido{}", folio * 7 % SURNAMES),
                _ => "contra nombre1".to_owned(),
            };
            Listing {
                typed,
                ..Listing::default()
            }
        })
    };
    let sides = |load: &dyn Fn(&Seeded) -> Result<f64>| {
        alternating(
            ROUNDS,
            Side::new(process::id(), || load(many)),
            Side::new(process::id(), || load(few)),
        )
    };
    Ok(vec![
        line(names[0], &sides(&lists)?),
        line(names[1], &sides(&searches)?),
    ])
}

fn line(name: &'static str, costs: &Costs) -> Line {
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Line {
        name,
        value,
        spread,
        unit: "x",
        target: Target::AtMost(1.5),
        detail: format!("{ours:.3} ms of CPU a page with 1,000,000 folios; with 10,000 {theirs:.3}"),
    }
}

/// Folios of one signer each, with the search words that the projector would have written.
fn seeds(company: CompanyId, count: i64, words: &SqlDialect) -> String {
    let (id, hash, company) = (words.id, words.hash, company.0);
    let (start, step) = (micros(FIRST), DAYS * DAY_MICROS / count);
    let all = format!(
        "WITH RECURSIVE all_of_them (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL
             SELECT n + 1 FROM all_of_them WHERE n < {count})"
    );
    let first = format!("'nombre' || (n % {NAMES})");
    let last = format!("'apellido' || (n * 7 % {SURNAMES})");
    let number = "CAST(1000000000 + n * 379 AS TEXT)";
    let word = |word: &str| format!("SELECT {company}, {word}, n FROM all_of_them");
    let kept: Vec<String> = [
        "'co'",
        "'contrato'",
        "'ejemplo'",
        "CAST(n AS TEXT)",
        &first,
        &last,
        number,
    ]
    .into_iter()
    .map(word)
    .collect();
    format!(
        "{all} INSERT INTO folios (seq, id, company, name, message, created_at, state, signature_type, return_url,
             history_length, history_hash)
         SELECT n, {id}, {company}, 'Contrato ' || n, 'Firme, por favor.', {start} + (n - 1) * {step},
             CASE n % 50 WHEN 0 THEN 'pending' WHEN 1 THEN 'signed' WHEN 2 THEN 'cancelled' ELSE 'approved' END,
             'email_code', 'https://example.com/', 1, {hash} FROM all_of_them;
         {all} INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state)
         SELECT n, 0, {first} || ' ' || {last}, 'CC', {number}, {first} || '.' || {last} || '@ejemplo.co',
             '3001234567', 'signed' FROM all_of_them;
         {all} INSERT INTO search_index (company, word, folio) {};",
        kept.join(" UNION ALL ") + " ORDER BY 2, 3"
    )
}

/// The row that the projector writes for an hour, counted from the first; `None` where no folio was created.
fn span(company: CompanyId, hour: i64, count: i64) -> Option<HourlyFolioRange> {
    let step = DAYS * DAY_MICROS / count;
    let first_since = |at: i64| (at + step - 1) / step + 1;
    let (oldest, next) = (
        first_since(hour * HOUR_MICROS),
        first_since((hour + 1) * HOUR_MICROS),
    );
    (oldest < next).then(|| HourlyFolioRange {
        company,
        hour: micros(FIRST) / HOUR_MICROS + hour,
        oldest: FolioRow(oldest),
        newest: FolioRow(next - 1),
    })
}

fn day_at(day: i64) -> Date {
    FIRST.saturating_add(day.days())
}

fn number(date: Date) -> i64 {
    i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
}

fn micros(date: Date) -> i64 {
    let at = date.to_zoned(TimeZone::UTC);
    at.map_or(0, |at| at.timestamp().as_microsecond())
}
