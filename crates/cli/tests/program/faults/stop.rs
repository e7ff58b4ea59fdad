//! An orderly stop: what is under way is finished, what was done is written down.

use crate::support::{
    COMPANY, Client, Connection, Form, HttpResponse, Installation, Order, Request, check_integrity, done,
    download, folio_id, read, texts, wait_for,
};
use std::thread;

const EACH: usize = 25;
/// More than the buffers between two ends of a connection hold.
const LARGE: usize = 12_000_000;

/// A download of which the head and the first bytes have come.
fn begin_download(client: &Client, document: &str) -> (Connection, usize, Vec<u8>) {
    let mut connection = Connection::open(client.port()).unwrap();
    connection.send_head(&client.signed(download(document))).unwrap();
    let head = connection.response_head().unwrap();
    assert_eq!(head.status, 200);
    let length: usize = head.header("content-length").unwrap().parse().unwrap();
    let first = connection.read(1000).unwrap();
    (connection, length, first)
}

/// A request whose body the service has asked for, and of which it has the first half.
fn begin(client: &Client, request: Request) -> (Connection, Vec<u8>) {
    let request = client.signed(request).with("expect", "100-continue");
    let mut connection = Connection::open(client.port()).unwrap();
    connection.send_head(&request).unwrap();
    assert_eq!(connection.response_head().unwrap().status, 100);
    let (half, rest) = request.body.split_at(request.body.len() / 2);
    connection.write(half).unwrap();
    (connection, rest.to_vec())
}

/// The answer to the whole of it.
fn finish((mut connection, rest): (Connection, Vec<u8>)) -> HttpResponse {
    connection.write(&rest).unwrap();
    connection.response().unwrap()
}

#[test]
fn a_stop_finishes_what_is_under_way_and_loses_no_record() {
    // The last of them wait for all the others.
    let installation = Installation::new().with("FIRMEZA_BODY_GRACE_SECONDS", "120");
    let server = installation.serve();
    let client = installation.client();
    let order = Order::sized(LARGE);
    let bytes = order.papers[0].bytes();
    let folio = client.created(&order);
    let document = client.documents(&folio).remove(0);
    let mut idle = Connection::open(client.port()).unwrap();
    assert_eq!(idle.send(&client.signed(read(&folio))).unwrap().status, 200);

    let downloads: Vec<_> = (0..EACH).map(|_| begin_download(&client, &document)).collect();
    let orders: Vec<_> = (0..EACH).map(|_| Order::sized(300_000)).collect();
    let uploads: Vec<_> = orders
        .iter()
        .map(|order| begin(&client, order.request()))
        .collect();
    let form = || {
        Form::new()
            .field("documentId", &document)
            .request("/api/integrations/download")
    };
    let late: Vec<_> = (0..EACH).map(|_| begin(&client, form())).collect();

    server.terminate();
    wait_for("new connections to be refused", || {
        Connection::open(client.port()).is_err()
    });
    assert!(idle.response_head().is_err(), "an idle connection is closed");

    let created: Vec<String> = thread::scope(|scope| {
        let reading = downloads.into_iter().map(|(mut connection, length, mut got)| {
            let bytes = &bytes;
            scope.spawn(move || {
                got.extend(connection.read(length - got.len()).unwrap());
                assert!(got == *bytes, "a download differs");
            })
        });
        let reading: Vec<_> = reading.collect();
        let sending = uploads
            .into_iter()
            .map(|upload| scope.spawn(move || folio_id(&done(&finish(upload)))));
        let sending: Vec<_> = sending.collect();
        for reading in reading {
            reading.join().unwrap();
        }
        sending
            .into_iter()
            .map(|sending| sending.join().unwrap())
            .collect()
    });
    // Downloads at the very end, whose records have not been written when the last byte is out.
    for download in late {
        assert!(finish(download).body == bytes, "a download differs");
    }
    let status = server.end();
    assert_eq!(status.code(), Some(0));

    let database = installation.sqlite();
    let downloaded = "SELECT COUNT(*) FROM events WHERE body LIKE '%\"what\":\"downloaded\"%'";
    assert_eq!(texts(&database, downloaded), [(2 * EACH).to_string()]);
    let whole = check_integrity(&database, COMPANY, &installation.documents(), 0);
    assert_eq!(whole.folios, 1 + EACH);
    let mut stored = texts(&database, "SELECT {hex}id{end} FROM folios WHERE seq > 1");
    let mut created = created;
    stored.sort();
    created.sort();
    assert_eq!(stored, created);
}
