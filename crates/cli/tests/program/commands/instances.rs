//! Several instances on one database.

use crate::support::{
    Client, Installation, Order, PostgresDatabase, Server, cancel, done, download, wait_for,
};

#[test]
fn two_servers_on_one_database_are_one_service() {
    let database = PostgresDatabase::new();
    let [one, two] = [(), ()].map(|()| Installation::new().with("FIRMEZA_DATABASE_URL", database.url()));
    let documents = format!("file:{}", one.directory().join("documents").display());
    let master = "fedcba9876543210".repeat(4);
    let [one, two] = [one, two].map(|installation| {
        installation
            .with("FIRMEZA_BLOBS_URL", &documents)
            .with("FIRMEZA_MASTER_KEY", &master)
    });
    // Both find the database empty, and one of them at a time makes its tables.
    let mut servers = [&one, &two].map(|installation| Server::start(installation, installation.command()));
    for (installation, server) in [&one, &two].into_iter().zip(&mut servers) {
        wait_for("both to be ready", || {
            assert!(server.runs(), "{}", server.logged());
            parts::answers(installation.port, "/ready")
        });
    }

    let key = one.key();
    let [at_one, at_two] = [&one, &two].map(|installation| Client::new(installation.port, &key));
    let order = Order::small();
    let folio = at_one.created(&order);
    let document = at_two.documents(&folio).remove(0);
    assert_eq!(at_two.send(download(&document)).body, order.papers[0].bytes());
    let cancelled = done(&at_two.send(cancel(&folio, "Se firmó en papel.")));
    assert_eq!(cancelled["data"]["cancelledFolios"], 1);
    assert_eq!(done(&at_one.read(&folio))["data"]["folioData"]["state"], "6");

    two.ok(&["key", "revoke", &key]);
    assert_eq!(at_one.read(&folio).status, 403);
    assert_eq!(at_two.read(&folio).status, 403);
}
