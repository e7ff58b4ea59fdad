//! Everything goes out of a database and into another as it was.

use crate::db::{Db, company, names, run, write};
use crate::sample::{at, created, folios, stored};
use std::collections::BTreeSet;
use store::{BACKUP_TABLES, Column, ColumnInfo, Error, Store, Tx};

/// What belongs to one database alone.
const LEFT: [&str; 13] = [
    "used_sign_ins",
    "draft_documents",
    "folio_drafts",
    "erasure_work",
    "orphaned_blobs",
    "blob_holds",
    "installation",
    "last_backup",
    "instances",
    "migrations",
    "scrub",
    "sweep",
    "damaged_documents",
];

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    fn cell(&self) -> Column<'_> {
        match self {
            Self::Null => Column::Null,
            Self::Int(value) => Column::Int(*value),
            Self::Text(text) => Column::Text(text),
            Self::Bytes(bytes) => Column::Bytes(bytes),
        }
    }
}

type Table = (&'static str, Vec<ColumnInfo>, Vec<Vec<Value>>);

fn everything(tx: &mut Tx<'_>) -> Result<Vec<Table>, Error> {
    let mut tables = Vec::new();
    for table in BACKUP_TABLES {
        let columns = tx.columns(table)?;
        assert!(!columns.is_empty(), "there is no {table}");
        let mut rows = Vec::new();
        tx.each_row::<Error>(table, &columns, |cells| {
            let value = |cell: &Column<'_>| match *cell {
                Column::Null => Value::Null,
                Column::Int(value) => Value::Int(value),
                Column::Text(text) => Value::Text(text.to_owned()),
                Column::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
            };
            rows.push(cells.iter().map(value).collect());
            Ok(())
        })?;
        rows.sort();
        tables.push((table, columns, rows));
    }
    Ok(tables)
}

/// Copies into an empty database of the same engine or, for those of `PostgreSQL`, of the other.
pub(crate) fn a_restored_copy_is_the_same_and_goes_on(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Acme").await;
        folios(&store, company, 3).await;
    });
    let from = db.settings.read_dedicated(everything).unwrap();
    let folios_of = |tables: &[Table]| tables.iter().find(|table| table.0 == "folios").unwrap().2.len();
    assert_eq!(folios_of(&from), 3);

    let target = Db::sqlite();
    let back = Db::like(db);
    for (target, source) in [(&target, &from), (&back, &from)] {
        let opened = target.open();
        let copied = target.settings.write_dedicated(|tx| {
            assert!(tx.is_empty_database()?);
            for (table, columns, rows) in source {
                let cells: Vec<Column<'_>> = rows.iter().flatten().map(Value::cell).collect();
                tx.insert_rows(table, columns, &cells)?;
                tx.continue_row_numbers(table, columns)?;
            }
            assert!(!tx.is_empty_database()?);
            Ok::<_, Error>(())
        });
        copied.unwrap();
        assert_eq!(target.settings.read_dedicated(everything).unwrap(), from);
        run(go_on(&opened));
    }
}

/// What comes next finds a number of its own.
async fn go_on(store: &Store) {
    let other = company(store, "Otra").await;
    let folio = created(other, 1, &[[7; 32]]);
    let id = folio.folio.id;
    write(store, move |tx| tx.insert_folio(&folio, &[vec![1]]))
        .await
        .unwrap();
    assert_eq!(names(store).await, ["Acme", "Otra"]);
    assert_eq!(stored(store, other, id).await.folio.created_at, at(1));
}

pub(crate) fn a_failed_copy_leaves_nothing(db: &Db) {
    let store = db.open();
    let failed = db.settings.write_dedicated(|tx| {
        tx.add_company("Acme", at(0))?;
        Err::<(), _>(Error::Stale)
    });
    assert!(matches!(failed, Err(Error::Stale)));
    assert_eq!(run(names(&store)), [""; 0]);
}

pub(crate) fn every_table_is_copied_or_left_on_purpose(db: &Db) {
    drop(db.open());
    let tables: BTreeSet<String> = db.tables().into_iter().collect();
    let known = BACKUP_TABLES.iter().chain(&LEFT).map(|table| (*table).to_owned());
    assert_eq!(tables, known.collect());
}
