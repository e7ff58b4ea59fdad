//! Disk syncs that fail: an act is answered when it is durable, or not as done.

use super::{Envelope, Subject, assert_failure};
use crate::support::{COMPANY, Installation, Order, check_integrity, folio_id};

const SYNCS: [&str; 2] = ["posix/io/sync/fsync", "posix/io/sync/fdatasync"];

#[test]
fn a_create_whose_sync_fails_is_not_answered_as_done() {
    let installation = Installation::new();
    let fiu = parts::Fiu::new(installation.directory()).unwrap();
    let wrapper = fiu.wrapper();
    let wrapper: Vec<&str> = wrapper.iter().map(String::as_str).collect();
    let server = installation.serve_by(installation.wrapped(&wrapper));
    let client = installation.client();
    let subject = Subject::new(&client);

    fiu.fail(server.id(), &SYNCS, 1.0).unwrap();
    assert_failure(&client.create(&Order::small()), Envelope::A);
    assert_failure(&client.send(subject.cancel().0), Envelope::A);
    subject.assert_readable(&client);

    // Now and then only, so that any of the syncs of one create may be the one that fails.
    fiu.fail(server.id(), &SYNCS, 0.2).unwrap();
    let mut created = vec![subject.folio.clone()];
    let mut failed = 0;
    for _ in 0..60 {
        let answer = client.create(&Order::small());
        if answer.status == 200 {
            created.push(folio_id(&answer.json()));
        } else {
            assert_failure(&answer, Envelope::A);
            failed += 1;
        }
    }
    assert!(
        failed > 0 && created.len() > 1,
        "{failed} failed, {} did not",
        created.len()
    );
    fiu.mend(server.id(), &SYNCS).unwrap();
    created.push(client.created(&Order::small()));

    server.kill();
    let _server = installation.serve();
    for folio in &created {
        assert_eq!(client.read(folio).status, 200);
    }
    let whole = check_integrity(&installation.sqlite(), COMPANY, &installation.documents(), 0);
    assert!(
        (created.len()..=created.len() + failed + 1).contains(&whole.folios),
        "{whole:?}"
    );
}
