//! One-time codes as their recipients would read them.

use crate::app::TestApp;
use crate::stack::open_sqlite;
use domain::Code;
use store::Settings;

const SQL: &str =
    "SELECT secret FROM outbox WHERE recipient = $1 AND secret IS NOT NULL ORDER BY seq DESC LIMIT 1";

impl TestApp {
    /// The last code that waits to be sent to that address or number.
    pub async fn code_for(&self, recipient: &str) -> Code {
        let recipient = recipient.to_owned();
        let secret = self
            .on_stack(move |stack| -> Vec<u8> {
                match &stack.database {
                    Settings::Sqlite(path) => {
                        let connection = open_sqlite(path);
                        let found = connection.query_row(SQL, [&recipient], |row| row.get(0));
                        found.expect("a code was sent there")
                    }
                    Settings::Postgres(url) => {
                        let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                        let found = client.query_opt(SQL, &[&recipient]).unwrap();
                        found.expect("a code was sent there").get(0)
                    }
                }
            })
            .await;
        let digits = self.app().outbox_secrets.open("code", &secret).unwrap();
        Code::typed(std::str::from_utf8(&digits).unwrap()).unwrap()
    }
}
