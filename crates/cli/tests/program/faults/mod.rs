//! Parts that fail while the service runs: answers stay answers, and nothing needs a restart.

mod descriptors;
mod disk;
mod lost_database;
mod lost_storage;
mod stop;
mod sync;

use crate::support::{Client, HttpResponse, Order, Request, cancel, download, read, resend, wait_for};
use std::time::{Duration, Instant};

/// The shape of an error.
#[derive(Clone, Copy, Debug)]
enum Envelope {
    A,
    B,
}

/// A folio to try operations on.
struct Subject {
    order: Order,
    folio: String,
    document: String,
}

impl Subject {
    fn new(client: &Client) -> Self {
        let order = Order::small();
        let folio = client.created(&order);
        let document = client.documents(&folio).remove(0);
        Self {
            order,
            folio,
            document,
        }
    }

    fn read(&self) -> (Request, Envelope) {
        (read(&self.folio), Envelope::A)
    }

    fn download(&self) -> (Request, Envelope) {
        (download(&self.document), Envelope::B)
    }

    fn cancel(&self) -> (Request, Envelope) {
        (cancel(&self.folio, "Ya no hace falta."), Envelope::A)
    }

    fn resend(&self) -> (Request, Envelope) {
        let request = resend(&self.folio, &self.order.signers[0], "otra@example.com");
        (request, Envelope::B)
    }

    /// Every operation, with the shape of its errors.
    fn operations(&self) -> Vec<(Request, Envelope)> {
        let create = (Order::small().request(), Envelope::A);
        vec![create, self.read(), self.download(), self.resend(), self.cancel()]
    }

    /// What was stored is still read and downloaded.
    fn assert_readable(&self, client: &Client) {
        let detail = client.read(&self.folio);
        assert_eq!(detail.status, 200, "{}", detail.text());
        let download = client.send(download(&self.document));
        assert_eq!(download.status, 200, "{}", download.text());
        assert!(download.body == self.order.papers[0].bytes());
    }
}

/// An internal error, in the envelope of its operation.
fn assert_failure(answer: &HttpResponse, envelope: Envelope) {
    assert!(
        (500..600).contains(&answer.status),
        "{}: {}",
        answer.status,
        answer.text()
    );
    let body = answer.json();
    assert_eq!(body["success"], false, "{body}");
    assert_eq!(body["status"], answer.status, "{body}");
    let message = match envelope {
        Envelope::A => &body["message"],
        Envelope::B => &body["error"]["message"],
    };
    let message = message.as_str().unwrap_or_else(|| panic!("{envelope:?}: {body}"));
    assert!(
        !message.is_empty() && !message.contains("database") && !message.contains('/'),
        "{message}"
    );
    assert!(answer.header("x-request-id").is_some());
}

/// Sends all of them at once: each must fail in its own way, and within a time. One that took longer is sent again: a
/// busy machine is late now and then, and a program that waits for too long is late every time.
fn assert_all_fail(client: &Client, operations: Vec<(Request, Envelope)>, limit: Duration) {
    std::thread::scope(|scope| {
        for (request, envelope) in operations {
            scope.spawn(move || {
                wait_for("an answer in time", || {
                    let begun = Instant::now();
                    assert_failure(&client.send(request.clone()), envelope);
                    begun.elapsed() < limit
                });
            });
        }
    });
}
