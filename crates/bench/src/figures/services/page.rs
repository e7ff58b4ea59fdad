//! What a page of the panel's list costs on `PostgreSQL`, against the same statements alone. Both run in this process.

use super::MAX_RATIO;
use crate::comparison::{Side, alternating};
use crate::figures::ROUNDS;
use crate::figures::list::{PAGES, SMALL_FOLIO_COUNT, Seeded};
use crate::report::{Line, Target};
use app::folios::PAGE_SIZE;
use app::folios::list::Listing;
use domain::FolioState;
use parts::{Error, Postgres, Result};
use std::process;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Statement};

/// The page's statements, prepared.
struct BarePage {
    client: Client,
    zone: Statement,
    newest: Statement,
    folios: Statement,
    signers: Statement,
    counts: Statement,
}

/// Places of a list of values in a statement's text: a power of two, so that few texts are prepared.
const FOLIO_PLACES: usize = PAGE_SIZE.next_power_of_two();
const FIGURE_PLACES: usize = (2 * FolioState::ALL.len()).next_power_of_two();

impl BarePage {
    async fn open(address: &str) -> std::result::Result<Self, tokio_postgres::Error> {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
        // It ends with its client.
        tokio::spawn(connection);
        client
            .batch_execute("SET plan_cache_mode = force_generic_plan")
            .await?;
        let of_state = |state: &str| {
            format!(
                "SELECT seq FROM (SELECT seq FROM folios WHERE company = $1 AND state = '{state}' AND seq < $2 AND seq >= $3
                 ORDER BY seq DESC LIMIT $4) AS part"
            )
        };
        let states = [
            "pending",
            "signed",
            "rejected_by_signer",
            "approved",
            "disapproved",
            "cancelled",
        ];
        let newest: Vec<String> = states.into_iter().map(of_state).collect();
        let list = |first: usize, count: usize| {
            let numbers: Vec<String> = (first..first + count)
                .map(|number| format!("${number}"))
                .collect();
            numbers.join(", ")
        };
        let moved =
            "FROM folio_changes WHERE company = $1 AND became IS NOT NULL AND (was IS NULL OR was <> became)";
        Ok(Self {
            zone: client
                .prepare("SELECT seq, timezone FROM companies WHERE seq IN ($1)")
                .await?,
            newest: client
                .prepare(&format!(
                    "{} ORDER BY seq DESC LIMIT $4",
                    newest.join(" UNION ALL ")
                ))
                .await?,
            folios: client
                .prepare(&format!(
                    "SELECT seq, id, name, state, dropped, created_at, updated_at, expires_at FROM folios
                     WHERE company = $1 AND seq IN ({}) ORDER BY seq DESC",
                    list(2, FOLIO_PLACES)
                ))
                .await?,
            signers: client
                .prepare(&format!(
                    "SELECT folio, name, email, document_number, mobile, state FROM signers
                     WHERE folio IN ({}) ORDER BY folio, position",
                    list(1, FOLIO_PLACES)
                ))
                .await?,
            counts: client
                .prepare(&format!(
                    "SELECT figure, value FROM daily_stats WHERE company = $1 AND day = 0 AND figure IN ({})
                     UNION ALL SELECT 'entered:' || became, COUNT(*) {moved} GROUP BY became
                     UNION ALL SELECT 'left:' || was, COUNT(*) {moved} AND was IS NOT NULL GROUP BY was",
                    list(2, FIGURE_PLACES)
                ))
                .await?,
            client,
        })
    }

    async fn page(&self, company: i64, figures: &[String]) -> std::result::Result<(), tokio_postgres::Error> {
        let client = &self.client;
        client
            .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .await?;
        client.query(&self.zone, &[&company]).await?;
        let most = i64::try_from(PAGE_SIZE + 1).unwrap_or(i64::MAX);
        let found = client
            .query(&self.newest, &[&company, &i64::MAX, &0_i64, &most])
            .await?;
        let mut seqs: Vec<i64> = found.iter().take(PAGE_SIZE).map(|row| row.get(0)).collect();
        seqs.resize(FOLIO_PLACES, 0);
        let mut params: Vec<&(dyn ToSql + Sync)> = vec![&company];
        params.extend(seqs.iter().map(|seq| seq as &(dyn ToSql + Sync)));
        client.query(&self.folios, &params).await?;
        client.query(&self.signers, &params[1..]).await?;
        let mut params: Vec<&(dyn ToSql + Sync)> = vec![&company];
        params.extend(figures.iter().map(|figure| figure as &(dyn ToSql + Sync)));
        client.query(&self.counts, &params).await?;
        client.batch_execute("SELECT 1; COMMIT").await
    }
}

pub(in crate::figures) fn measure() -> Result<Vec<Line>> {
    let server = Postgres::start()?;
    let seeded = Seeded::on_postgres(&server, SMALL_FOLIO_COUNT)?;
    let bare = seeded.runtime.block_on(BarePage::open(&server.url()));
    let bare = bare.map_err(Error::while_("the floor"))?;
    let figures: Vec<String> = (0..FIGURE_PLACES)
        .map(|number| format!("entered:{number}"))
        .collect();
    let floor = || {
        for _ in 0..PAGES {
            let page = seeded.runtime.block_on(bare.page(seeded.company.0, &figures));
            page.map_err(Error::while_("a page of the floor"))?;
        }
        Ok(f64::from(PAGES))
    };
    let costs = alternating(
        ROUNDS,
        Side::new(process::id(), || seeded.ask(|_, _| Listing::default())),
        Side::new(process::id(), floor),
    )?;
    let (value, spread) = costs.ratio();
    let (ours, theirs) = costs.milliseconds();
    Ok(vec![Line {
        name: "page-services",
        value,
        spread,
        unit: "x",
        target: Target::AtMost(MAX_RATIO),
        detail: format!("{ours:.3} ms of CPU; the floor {theirs:.3}"),
    }])
}
