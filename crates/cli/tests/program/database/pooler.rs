//! pgbouncer in transaction mode, with fewer connections than the service asks for.

use crate::support::{COMPANY, Installation, Order, cancel, check_integrity, done, download};
use parts::{PgBouncer, Postgres};

#[test]
fn the_service_works_behind_a_pooler_in_transaction_mode() {
    let server = Postgres::start().unwrap();
    let direct = server.create_database("pooled").unwrap();
    let pooler = PgBouncer::start(&server, 3).unwrap();
    let installation = Installation::new()
        .with("FIRMEZA_DATABASE_URL", pooler.url_of("pooled"))
        .with("FIRMEZA_DATABASE_READERS", "3")
        .with("FIRMEZA_DATABASE_WRITERS", "6");
    let server = installation.serve();
    let client = installation.client();
    let folios: Vec<String> = std::thread::scope(|scope| {
        let create = || {
            (0..8)
                .map(|_| client.created(&Order::small()))
                .collect::<Vec<_>>()
        };
        let clients: Vec<_> = (0..5).map(|_| scope.spawn(create)).collect();
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    for folio in &folios[..10] {
        let document = client.documents(folio).remove(0);
        assert_eq!(client.send(download(&document)).status, 200);
        done(&client.send(cancel(folio, "Ya no hace falta.")));
    }
    assert!(parts::answers(installation.port, "/ready"));
    let backup = installation.directory().join("backup");
    installation.ok(&["backup", backup.to_str().unwrap()]);
    assert!(!server.logged().contains("ERROR"), "{}", server.logged());
    server.terminate();
    assert!(server.end().success());
    let database = store::Settings::Postgres(direct);
    check_integrity(&database, COMPANY, &installation.documents(), 0);
}
