//! Webhooks: each company's own, planned at a constant cost, taken by one.

use crate::db::{Db, company, run, write};
use crate::sample::{Distinct, at, folios};
use domain::{CompanyId, DeliveryId, WebhookId};
use store::{Error, Store, Told, Tx};

const WEBHOOK: WebhookId = WebhookId::from_bytes([1; 16]);
const DELIVERY: DeliveryId = DeliveryId::from_bytes([2; 16]);

fn add(tx: &mut Tx<'_>, company: CompanyId, id: WebhookId) -> Result<bool, Error> {
    tx.add_webhook(
        company,
        id,
        ("https://example.com/", "label"),
        b"sealed",
        2,
        at(0),
    )
}

async fn two(store: &Store) -> (CompanyId, CompanyId) {
    (company(store, "Ours").await, company(store, "Theirs").await)
}

pub(crate) fn nobody_reaches_anothers_webhooks(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = two(&store).await;
        write(&store, move |tx| {
            assert!(add(tx, theirs, WEBHOOK)?);
            assert!(tx.send_trial(theirs, WEBHOOK, DELIVERY, at(1))?);
            let seq = tx.deliveries_to(theirs, WEBHOOK, i64::MAX, 9)?[0].seq;
            let taken = tx.take_webhooks(at(1), at(9), 9, &[])?;
            assert_eq!(taken.len(), 1);

            assert!(tx.webhooks(ours)?.is_empty() && tx.webhook(ours, WEBHOOK)?.is_none());
            assert!(tx.deliveries_to(ours, WEBHOOK, i64::MAX, 9)?.is_empty());
            assert!(tx.attempts_at(ours, &[seq])?.is_empty());
            assert!(!tx.disable_webhook(ours, WEBHOOK, at(2))?);
            assert!(!tx.enable_webhook(ours, WEBHOOK)?);
            assert!(!tx.rotate_webhook(ours, WEBHOOK, b"other", at(2))?);
            assert_eq!(tx.resend_delivery(ours, DELIVERY, at(2))?, None);
            assert_eq!(tx.resend_delivery(theirs, DELIVERY, at(2))?, Some(WEBHOOK));
            assert!(!tx.send_trial(ours, WEBHOOK, DeliveryId::from_bytes([3; 16]), at(2))?);
            assert!(!tx.remove_webhook(ours, WEBHOOK, at(2))?);
            assert!(!tx.rename_company(CompanyId(0), "Nobody's")?);
            assert_eq!(tx.webhooks(theirs)?.len(), 1);
            assert_eq!(tx.webhook(theirs, WEBHOOK)?.unwrap().disabled_at, None);
            Ok(())
        })
        .await
        .unwrap();
    });
}

pub(crate) fn what_is_planned_goes_to_those_who_listen(db: &Db) {
    let store = db.open();
    run(async {
        let (ours, theirs) = two(&store).await;
        let ids = folios(&store, ours, 2).await;
        write(&store, move |tx| {
            let numbers: Vec<i64> = tx.folios(ours, &ids)?.iter().map(|stored| stored.seq).collect();
            let told = |folio: i64| Told {
                company: ours,
                folio,
                kind: "folio.created",
                event: 1,
                at: at(1),
            };
            let told: Vec<Told> = numbers.iter().map(|seq| told(*seq)).collect();
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 0);
            assert!(add(tx, theirs, WEBHOOK)?);
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 0);
            let (one, two) = (WebhookId::from_bytes([5; 16]), WebhookId::from_bytes([6; 16]));
            assert!(add(tx, ours, one)? && add(tx, ours, two)?);
            assert!(!add(tx, ours, WebhookId::from_bytes([7; 16]))?, "two are enough");
            assert!(tx.disable_webhook(ours, two, at(1))?);
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 2);
            assert!(tx.enable_webhook(ours, two)?);
            assert_eq!(tx.plan_webhooks(&told, at(2), &mut Distinct)?, 4);

            let taken = tx.take_webhooks(at(2), at(9), 9, &[])?;
            assert_eq!(taken.len(), 6);
            assert!(taken.iter().all(|one| one.folio.is_some() && one.attempt == 1));
            assert!(
                tx.take_webhooks(at(3), at(9), 9, &[])?.is_empty(),
                "they are taken"
            );
            assert_eq!(
                tx.take_webhooks(at(9), at(19), 9, &[])?.len(),
                6,
                "and free again"
            );
            let busy: Vec<i64> = taken.iter().map(|one| one.endpoint).collect();
            assert!(
                tx.take_webhooks(at(19), at(29), 9, &busy)?.is_empty(),
                "not to the busy"
            );
            assert!(tx.remove_webhook(ours, one, at(19))?);
            assert_eq!(tx.take_webhooks(at(19), at(29), 9, &[])?.len(), 2);
            assert!(tx.webhooks_wait(at(2))? && !tx.webhooks_wait(at(1))?);
            assert_eq!(tx.forget_webhooks(at(2), 9)?, 0);
            assert_eq!(tx.forget_webhooks(at(19), 9)?, 2, "what waits for nobody");
            assert_eq!(tx.forget_webhooks(at(20), 9)?, 4, "what ended");
            Ok(())
        })
        .await
        .unwrap();
    });
}
