//! Parts that are taken away from a running server, and brought back; and a signing state that is damaged behind its
//! back.

use crate::app::TestApp;
use crate::stack::{Stack, open_sqlite};
use domain::FolioId;
use std::path::PathBuf;
use store::Settings;

/// A part of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Where rows are.
    Database,
    /// Where documents are.
    Documents,
}

const DAMAGE: &str =
    "UPDATE signing_states SET prepared = $1 WHERE folio = (SELECT seq FROM folios WHERE id = $2)";

impl TestApp {
    /// Damages the stored signing state of a folio's documents.
    pub async fn damage(&self, folio: &str) {
        let folio: FolioId = folio.parse().unwrap();
        let changed = self.on_stack(move |stack| {
            let (broken, id): (&[u8], &[u8]) = (b"broken".as_slice(), folio.as_bytes().as_slice());
            match &stack.database {
                Settings::Sqlite(path) => {
                    let connection = open_sqlite(path);
                    connection.execute(DAMAGE, rusqlite::params![broken, id]).unwrap() as u64
                }
                Settings::Postgres(url) => {
                    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                    client.execute(DAMAGE, &[&broken, &id]).unwrap()
                }
            }
        });
        assert!(changed.await > 0, "the folio has documents");
    }

    /// Loses a part: the directory of documents where there is one, else the database.
    pub async fn lose_a_part(&self) -> Part {
        self.on_stack(|stack| match &stack.database {
            Settings::Sqlite(_) => {
                let (here, away) = storage_paths(stack);
                std::fs::rename(here, away).unwrap();
                Part::Documents
            }
            Settings::Postgres(url) => {
                let name = url.rsplit('/').next().unwrap();
                // One after the other: two statements of one text are one transaction, and until it ends those who
                // were cut off connect again.
                stack.administrate(&format!("ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS false"));
                stack.administrate(&format!(
                    "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'"
                ));
                Part::Database
            }
        })
        .await
    }

    /// Brings the part back.
    pub async fn bring_it_back(&self, part: Part) {
        self.on_stack(move |stack| {
            if let (Part::Database, Settings::Postgres(url)) = (part, &stack.database) {
                let name = url.rsplit('/').next().unwrap();
                stack.administrate(&format!("ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS true"));
            } else {
                let (here, away) = storage_paths(stack);
                std::fs::rename(away, here).unwrap();
            }
        })
        .await;
    }
}

fn storage_paths(stack: &Stack) -> (PathBuf, PathBuf) {
    let place = |name| stack.directory().join(name);
    (place("documents"), place("documents-away"))
}
