use super::*;
use rusqlite::params_from_iter;

/// Three rows, numbered from one.
fn counted() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch("CREATE TABLE counted (number BIGINT); INSERT INTO counted VALUES (1), (2), (3)")
        .unwrap();
    connection
}

const NUMBERS: &str = "SELECT number FROM counted ORDER BY number";

fn numbers(statements: &mut Statements<'_>, sql: Sql<'_>, gap: Gap<'_>, values: &[i64]) -> Vec<i64> {
    let found = statements.with(sql, gap, |statement| {
        let read = statement.query_map(params_from_iter(values), |row| row.get(0))?;
        Ok(read.collect::<Result<Vec<i64>, _>>()?)
    });
    found.unwrap()
}

/// Gives up at the second row.
fn fail(statements: &mut Statements<'_>) {
    let failed = statements.with(NUMBERS.into(), Gap::None, |statement| {
        let mut rows = statement.query([])?;
        rows.next()?;
        rows.next()?;
        Err::<(), _>(Error::Stale)
    });
    assert!(matches!(failed, Err(Error::Stale)), "{failed:?}");
}

fn kept(statements: &Statements<'_>) -> usize {
    match &statements.kept {
        Kept::Prepared(kept) => kept.len(),
        Kept::Written(texts) => texts.0.len(),
    }
}

/// Tells of whoever stays with a connection and of whoever borrows it.
fn both(tell: impl Fn(&mut Statements<'_>)) {
    let connection = counted();
    tell(&mut Statements::new(&connection));
    tell(&mut Statements::lent(&connection, &mut Texts::default()));
}

#[test]
fn a_statement_is_right_after_many_others_and_few_are_kept() {
    let others: Vec<&'static str> = (0..3 * KEPT)
        .map(|other| -> &'static str { format!("SELECT {other} + $1").leak() })
        .collect();
    both(|statements| {
        for _ in 0..2 {
            assert_eq!(numbers(statements, NUMBERS.into(), Gap::None, &[]), [1, 2, 3]);
            for (other, sql) in (0..).zip(&others) {
                assert_eq!(
                    numbers(statements, Sql::from(*sql), Gap::None, &[1_000]),
                    [other + 1_000]
                );
                assert!(kept(statements) <= KEPT, "{}", kept(statements));
            }
        }
        assert_eq!(numbers(statements, NUMBERS.into(), Gap::None, &[]), [1, 2, 3]);
    });
}

#[test]
fn lists_of_other_lengths_are_other_statements() {
    let sql = "SELECT number FROM counted WHERE number <> $1 AND number IN ({list}) ORDER BY number";
    let list = |count| Gap::List { first: 2, count };
    both(|statements| {
        for _ in 0..2 {
            assert_eq!(numbers(statements, sql.into(), list(1), &[9, 3]), [3]);
            assert_eq!(numbers(statements, sql.into(), list(3), &[2, 1, 2, 3]), [1, 3]);
        }
        assert_eq!(kept(statements), 2);
        let mut long = vec![3; LONG + 2];
        long[0] = 9;
        assert_eq!(numbers(statements, sql.into(), list(LONG + 1), &long), [3]);
        assert_eq!(kept(statements), 2, "long ones are not");
    });
}

#[test]
fn texts_at_one_address_are_told_apart_by_their_lengths() {
    let long: &'static str = "SELECT 12";
    both(|statements| {
        assert_eq!(numbers(statements, long.into(), Gap::None, &[]), [12]);
        assert_eq!(numbers(statements, Sql::from(&long[..8]), Gap::None, &[]), [1]);
        let built = String::from("SELECT 7");
        assert_eq!(numbers(statements, Sql::from(&built), Gap::None, &[]), [7]);
        assert_eq!(kept(statements), 2, "what is built has no address to be known by");
    });
}

#[test]
fn a_statement_that_failed_half_way_is_as_good_as_before() {
    both(|statements| {
        for _ in 0..2 {
            fail(statements);
            assert!(!statements.connection().is_busy(), "every statement is at rest");
            assert_eq!(numbers(statements, NUMBERS.into(), Gap::None, &[]), [1, 2, 3]);
        }
    });
}

#[test]
fn no_value_of_one_use_is_left_for_the_next() {
    let sql = "SELECT number FROM counted WHERE number = $1";
    both(|statements| {
        assert_eq!(numbers(statements, sql.into(), Gap::None, &[2]), [2]);
        let unbound = statements.with(sql.into(), Gap::None, |statement| {
            Ok(statement.raw_query().next()?.is_some())
        });
        assert!(!unbound.unwrap());
    });
}

#[test]
fn what_is_kept_holds_no_snapshot() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("counted.db");
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch(
            "PRAGMA journal_mode = WAL; CREATE TABLE counted (number BIGINT); INSERT INTO counted VALUES (0)",
        )
        .unwrap();
    let reader = Connection::open(&path).unwrap();
    let mut statements = Statements::new(&reader);
    for number in 1..4 {
        for mark in ["BEGIN", "COMMIT"] {
            let marked = statements.with(mark.into(), Gap::None, |statement| Ok(statement.execute([])?));
            marked.unwrap();
            if mark == "BEGIN" {
                fail(&mut statements);
                let seen = numbers(&mut statements, NUMBERS.into(), Gap::None, &[]);
                assert_eq!(seen, (0..number).collect::<Vec<_>>());
            }
        }
        // Had the reader kept what it saw, the log could not be folded away.
        let waiting = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        assert_eq!(waiting.unwrap(), 0, "nobody is in the way");
        writer
            .execute("INSERT INTO counted VALUES (?1)", [number])
            .unwrap();
    }
}

#[test]
fn a_statement_outlives_a_change_of_the_tables() {
    both(|statements| {
        assert_eq!(numbers(statements, NUMBERS.into(), Gap::None, &[]), [1, 2, 3]);
        let connection = statements.connection();
        connection
            .execute_batch("CREATE INDEX ordered ON counted (number); DROP INDEX ordered")
            .unwrap();
        assert_eq!(numbers(statements, NUMBERS.into(), Gap::None, &[]), [1, 2, 3]);
    });
}
