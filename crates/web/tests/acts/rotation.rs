//! Documents signed across a rotation of the authority stand for as long as any.

use crate::desk::desk;
use app::Notary;
use testkit::{TestApp, folio, judge, master_key, signers};

#[tokio::test]
async fn a_document_signed_before_and_after_a_rotation_is_valid() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio().signers(&signers(2))).await;
    desk.sign(0).await;
    let inner = app.app();
    let before = inner.notary.certificates();
    Notary::rotate(&inner.store, &master_key(), &inner.clock)
        .await
        .unwrap();
    inner.notary.refresh(&inner.store).await.unwrap();
    let after = inner.notary.certificates();
    assert_eq!(before[0].1, after[0].1, "the root stays");
    assert!((1..4).all(|place| before[place].1 != after[place].1));
    desk.sign(1).await;
    assert_eq!(inner.extend_due().await.unwrap(), 1);
    let document = company.document_of(&desk.folio.to_string()).await;
    let file = company.download(&document).await.body;
    let judged = judge(&file, inner.notary.root().as_der());
    assert_eq!(
        judged.pyhanko, ["valid"; 5],
        "the service, two signers, two timestamps"
    );
    // Somebody has it sealed again, years before it is due.
    let (folio, now) = (desk.folio, inner.clock.now());
    assert_eq!(inner.extend_due().await.unwrap(), 0);
    let hastened = inner.store.write(move |tx| tx.hasten_extensions(&[folio], now));
    assert_eq!(hastened.await.unwrap(), [folio]);
    assert_eq!(inner.extend_due().await.unwrap(), 1);
    let left = inner.store.read(move |tx| tx.unextended(&[folio], now)).await;
    assert_eq!(left.unwrap(), []);
    let file = company.download(&document).await.body;
    let judged = judge(&file, inner.notary.root().as_der());
    assert_eq!(judged.pyhanko, ["valid"; 7], "and two timestamps more");
    assert_eq!(inner.notary.revocation_lists(inner.clock.now()).unwrap().len(), 3);
}
