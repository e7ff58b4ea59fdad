//! A role for the service, and another for migrations.

use crate::support::{Installation, Order, cancel, done};
use parts::Postgres;
use postgres::{Client, NoTls};

#[test]
fn the_service_needs_no_right_to_change_the_schema() {
    let server = Postgres::start().unwrap();
    let owner = server.create_database("roles").unwrap();
    // As the document for operators says.
    Client::connect(&owner, NoTls)
        .unwrap()
        .batch_execute(
            "CREATE ROLE firmeza LOGIN;
             ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO firmeza",
        )
        .unwrap();
    let service = owner.replace("test@", "firmeza@");
    let installation = Installation::new().with("FIRMEZA_DATABASE_URL", service);

    let refused = installation.run(&["serve"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("`firmeza migrate`")
            && refused.stderr.contains("FIRMEZA_MIGRATE_DATABASE_URL"),
        "{refused:?}"
    );

    let installation = installation.with("FIRMEZA_MIGRATE_DATABASE_URL", owner);
    installation.ok(&["migrate"]);
    let installation = installation.with("FIRMEZA_MIGRATE_DATABASE_URL", "");
    let _server = installation.serve();
    let client = installation.client();
    let folio = client.created(&Order::small());
    done(&client.read(&folio));
    done(&client.send(cancel(&folio, "Ya no hace falta.")));
    assert!(parts::answers(installation.port, "/ready"));
    let backup = installation.directory().join("backup");
    installation.ok(&["backup", backup.to_str().unwrap()]);
}
