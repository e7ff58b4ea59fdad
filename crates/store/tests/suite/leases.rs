//! Leases end with their time, or with the heartbeat of their instance.

use crate::db::{Db, company, read, run, write};
use crate::sample::{act, at, cancel, folios, lease_of, resend, signer, stored};
use domain::{
    AccountEmailKind, Channel, CompanyId, DeliveryId, FolioId, InstanceId, SignerIndex, Template, WebhookId,
};
use std::time::Duration;
use store::{
    CodeMessage, DueReminders, FolioQueue, HEARTBEAT_LIFETIME, Lease, MAX_LEASE, NewAccountEmail, NewWebhook,
    Reminded, ReminderPlan, SendOutcome, SettledAccountEmail, SettledMessage, SettledWebhook, Store, Tx,
    WebhookOutcome,
};

const WEBHOOK: WebhookId = WebhookId::from_bytes([4; 16]);

/// A company with one row of each kind that is leased; the folio of two messages.
async fn work(store: &Store) -> (CompanyId, FolioId) {
    let company = company(store, "Work").await;
    let id = folios(store, company, 1).await[0];
    let folio = stored(store, company, id).await.seq;
    let planned = write(store, move |tx| {
        tx.plan_extensions(&[folio], at(0))?;
        tx.queue_account_email(&NewAccountEmail {
            company,
            kind: AccountEmailKind::PasswordChanged,
            recipient: "ana@example.com",
            name: "Ana",
            language: None,
            secret: None,
            at: at(0),
        })?;
        let webhook = NewWebhook {
            id: WEBHOOK,
            address: "https://example.com/",
            label: "",
            kinds: &domain::WantedKinds::All,
            secret: b"sealed",
            at: at(0),
        };
        tx.add_webhook(company, &webhook, 1)?;
        tx.queue_test_delivery(company, WEBHOOK, DeliveryId::from_bytes([1; 16]), at(0))
    });
    assert!(planned.await.unwrap());
    (company, id)
}

/// How many messages, account emails, webhook events and extensions are taken.
async fn taken(store: &Store, lease: Lease) -> [usize; 4] {
    let now = at(15);
    let taken = write(store, move |tx| {
        Ok([
            tx.take_messages(now, &lease, 9, 9)?.len(),
            tx.take_account_emails(now, &lease, 9)?.len(),
            tx.take_webhooks(now, &lease, 9, 9, &[])?.len(),
            usize::from(tx.lease_extension(now, &lease)?.is_some()),
        ])
    });
    taken.await.unwrap()
}

async fn beat(store: &Store, instance: u8, until: i64) {
    let instance = InstanceId::from_bytes([instance; 16]);
    let written = write(store, move |tx| tx.beat(instance, at(until)));
    written.await.unwrap();
}

const ALL: [usize; 4] = [2, 1, 1, 1];
const NONE: [usize; 4] = [0; 4];

pub(crate) fn a_dead_instances_work_is_taken_over_when_its_heartbeat_ends(db: &Db) {
    let store = db.open();
    run(async {
        work(&store).await;
        beat(&store, 1, 15).await;
        beat(&store, 2, 60).await;
        assert_eq!(taken(&store, lease_of(1, 10, 190)).await, ALL);
        assert_eq!(taken(&store, lease_of(2, 14, 190)).await, NONE, "it runs");
        beat(&store, 1, 20).await;
        assert_eq!(taken(&store, lease_of(2, 19, 190)).await, NONE, "and goes on");
        assert_eq!(
            taken(&store, lease_of(1, 30, 190)).await,
            NONE,
            "its own are its own"
        );
        assert_eq!(taken(&store, lease_of(2, 20, 190)).await, ALL, "it died");
        assert_eq!(taken(&store, lease_of(3, 30, 190)).await, NONE, "one took over");

        let ended = write(&store, |tx| tx.end_instance(InstanceId::from_bytes([2; 16])));
        ended.await.unwrap();
        assert_eq!(
            taken(&store, lease_of(3, 30, 60)).await,
            ALL,
            "it said that it ended"
        );
        beat(&store, 3, 70).await;
        assert_eq!(taken(&store, lease_of(4, 59, 190)).await, NONE);
        assert_eq!(
            taken(&store, lease_of(4, 60, 190)).await,
            ALL,
            "no lease lasts for ever"
        );
    });
}

pub(crate) fn after_an_outage_nobody_is_taken_for_dead(db: &Db) {
    let store = db.open();
    run(async {
        work(&store).await;
        beat(&store, 1, 15).await;
        assert_eq!(taken(&store, lease_of(1, 10, 190)).await, ALL);
        let unsure = lease_of(2, 30, 190).without_takeover();
        assert_eq!(taken(&store, unsure).await, NONE);
        assert_eq!(taken(&store, lease_of(2, 30, 190)).await, ALL);
    });
}

pub(crate) fn a_lease_or_heartbeat_from_the_future_has_ended(db: &Db) {
    const HOUR: i64 = 3600;
    let store = db.open();
    run(async {
        work(&store).await;
        // Taken an hour ahead, by an instance that goes on, and then the database's clock went back.
        let ahead = i64::try_from(MAX_LEASE.as_secs()).unwrap() + HOUR;
        beat(&store, 1, 20).await;
        assert_eq!(taken(&store, lease_of(1, HOUR, ahead)).await, ALL);
        assert_eq!(taken(&store, lease_of(2, 11, 190)).await, ALL);
        // And one that died before.
        beat(&store, 2, HOUR).await;
        assert_eq!(taken(&store, lease_of(1, 12, 190)).await, ALL);
    });
}

async fn queue_code(store: &Store, company: CompanyId, id: FolioId, second: i64) {
    let queued = write(store, move |tx| {
        let folio = tx.lock_folios(company, &[id])?.pop().unwrap();
        tx.queue_code(&CodeMessage {
            session: domain::SignerSessionId::from_bytes([5; 16]),
            company,
            folio: folio.seq,
            signer: SignerIndex(0),
            others: &[],
            bulk: None,
            channel: Channel::Email,
            recipient: signer(0).contact.email.as_str(),
            code: domain::CodeId::from_bytes([6; 16]),
            secret: b"sealed",
            at: at(second),
        })
    });
    queued.await.unwrap();
}

async fn codes(store: &Store, lease: Lease) -> usize {
    let taken = write(store, move |tx| tx.take_codes(at(15), &lease, 9));
    taken.await.unwrap().len()
}

pub(crate) fn a_code_does_not_wait_behind_what_is_leased(db: &Db) {
    let store = db.open();
    run(async {
        let (company, id) = work(&store).await;
        beat(&store, 1, 18).await;
        assert_eq!(taken(&store, lease_of(1, 10, 190)).await, ALL);
        queue_code(&store, company, id, 11).await;
        queue_code(&store, company, id, 12).await;
        // The first instance has died, and its heartbeat has not ended yet.
        assert_eq!(codes(&store, lease_of(2, 12, 190)).await, 1, "the earlier one");
        assert_eq!(codes(&store, lease_of(2, 12, 190)).await, 1, "then the later one");
        assert_eq!(codes(&store, lease_of(2, 12, 190)).await, 0);
    });
}

pub(crate) fn one_instance_sweeps_and_the_next_sweep_waits_for_its_interval(db: &Db) {
    const HOUR: i64 = 3600;
    let store = db.open();
    let claim = async |lease: Lease| {
        let interval = Duration::from_hours(1);
        let claimed = write(&store, move |tx| tx.claim_sweep(&lease, interval));
        claimed.await.unwrap()
    };
    let renew = async |lease: Lease| write(&store, move |tx| tx.renew_sweep(&lease)).await.unwrap();
    let end = async |instance: u8, second: i64| {
        let by = InstanceId::from_bytes([instance; 16]);
        let noted = write(&store, move |tx| tx.note_sweep(by, at(second), false));
        noted.await.unwrap();
    };
    run(async {
        beat(&store, 1, 15).await;
        beat(&store, 2, 60).await;
        assert!(claim(lease_of(1, 10, 190)).await, "none has ended yet");
        assert!(!claim(lease_of(2, 14, 190)).await, "another is at it");
        assert!(!claim(lease_of(1, 14, 190)).await, "the same instance is at it");
        assert!(renew(lease_of(1, 14, 200)).await);
        assert!(claim(lease_of(2, 20, 190)).await, "the other died");
        assert!(!renew(lease_of(1, 21, 200)).await, "another took over");
        end(1, 21).await;
        assert!(renew(lease_of(2, 21, 200)).await, "its lease is its own");
        end(2, 30).await;
        for instance in [1, 2, 3] {
            let early = lease_of(instance, 29 + HOUR, 190 + HOUR);
            assert!(!claim(early).await, "within the hour");
        }
        assert!(claim(lease_of(3, 30 + HOUR, 190 + HOUR)).await);
        end(3, 40 + HOUR).await;
        assert!(claim(lease_of(3, 50, 190)).await, "the clock went back");
    });
}

pub(crate) fn instances_that_run_are_counted_and_those_that_died_are_forgotten(db: &Db) {
    let store = db.open();
    run(async {
        let now = write(&store, |tx| tx.database_clock()).await.unwrap();
        let beat = |instance: u8, until| {
            write(&store, move |tx| {
                tx.beat(InstanceId::from_bytes([instance; 16]), until)
            })
        };
        beat(1, now.after(Duration::from_secs(50))).await.unwrap();
        beat(2, now.before(HEARTBEAT_LIFETIME)).await.unwrap();
        beat(3, now.after(MAX_LEASE * 2)).await.unwrap();
        let running = |tx: &mut Tx<'_>| tx.lock_running_instances();
        assert_eq!(write(&store, running).await.unwrap(), 1);
        let forget = |by| write(&store, move |tx| tx.forget_dead_instances(by));
        assert_eq!(forget(now).await.unwrap(), 1, "the one from the future");
        assert_eq!(forget(now.after(MAX_LEASE)).await.unwrap(), 1);
        assert_eq!(write(&store, running).await.unwrap(), 1);
        let later = write(&store, |tx| tx.database_clock()).await.unwrap();
        assert!(later >= now, "it goes on");
    });
}

/// How many rows are made due by a look at that second.
async fn due_after_look(store: &Store, second: i64) -> u64 {
    let hastened = write(store, move |tx| tx.hasten_after_clock_step(at(second)));
    hastened.await.unwrap()
}

pub(crate) fn work_does_not_wait_for_a_clock_that_went_back(db: &Db) {
    const HOUR: i64 = 3600;
    let store = db.open();
    run(async {
        work(&store).await;
        assert_eq!(due_after_look(&store, 0).await, 0, "all is due as it is");
        assert_eq!(due_after_look(&store, -HOUR).await, 5, "written in the future");
        assert_eq!(due_after_look(&store, -HOUR).await, 0);

        // Everything fails at second 15, and is put off.
        let leased = lease_of(1, 10, 190);
        let put_off = write(&store, move |tx| {
            let (now, until) = (at(15), at(15 + 2 * HOUR));
            let messages = tx.take_messages(now, &leased, 9, 9)?;
            let outcome = || SendOutcome::Postponed {
                at: now,
                until,
                reason: "later".to_owned(),
            };
            let settled: Vec<SettledMessage> = messages
                .iter()
                .map(|message| SettledMessage {
                    seq: message.seq,
                    attempt: message.attempt,
                    recipient: message.recipient.clone(),
                    outcome: outcome(),
                    events: Vec::new(),
                })
                .collect();
            tx.settle_messages(&settled)?;
            let emails = tx.take_account_emails(now, &leased, 9)?;
            tx.settle_account_emails(&[SettledAccountEmail {
                seq: emails[0].seq,
                attempt: emails[0].attempt,
                outcome: outcome(),
            }])?;
            let webhooks = tx.take_webhooks(now, &leased, 9, 9, &[])?;
            tx.settle_webhooks(&[SettledWebhook {
                seq: webhooks[0].seq,
                attempt: webhooks[0].attempt,
                endpoint: webhooks[0].endpoint,
                at: now,
                millis: 1,
                status: None,
                error: None,
                response: None,
                body: None,
                webhook_outcome: WebhookOutcome::Postponed(until),
                disable: None,
            }])?;
            let extension = tx.lease_extension(now, &leased)?.unwrap();
            assert!(tx.postpone_folio(FolioQueue::Extensions, &extension, now, until, "later")?);
            Ok(())
        });
        put_off.await.unwrap();
        assert_eq!(due_after_look(&store, 16).await, 0, "they wait for good reason");
        assert_eq!(due_after_look(&store, 15 + HOUR).await, 0);
        assert_eq!(taken(&store, lease_of(1, 20, 190)).await, NONE);
        assert_eq!(due_after_look(&store, 15 - HOUR).await, 5);
        assert_eq!(taken(&store, lease_of(1, 20, 190)).await, ALL);

        // A folio that was extended waits for years, whatever the clock does.
        let extended = write(&store, |tx| {
            let extension = tx.lease_extension(at(15), &lease_of(2, 1000, 1100))?.unwrap();
            tx.settle_extension(extension.folio, at(9000 * HOUR))
        });
        extended.await.unwrap();
        assert_eq!(due_after_look(&store, -HOUR * 48).await, 4);
    });
}

pub(crate) fn reminders_do_not_wait_for_a_clock_that_went_back(db: &Db) {
    const HOUR: i64 = 3600;
    let store = db.open();
    run(async {
        let company = company(&store, "Reminds").await;
        let planned = write(&store, move |tx| {
            let mut settings = tx.company_settings(company)?.unwrap();
            settings.reminders.first = Some(3);
            tx.set_company_settings(company, &settings)
        });
        planned.await.unwrap();
        let id = folios(&store, company, 1).await[0];
        let folio = stored(&store, company, id).await.seq;
        let planned = write(&store, move |tx| tx.plan_reminders(&[folio], at(5)));
        assert_eq!(planned.await.unwrap(), 1);
        let later = at(72 * HOUR);
        let settled = write(&store, move |tx| {
            let plan = ReminderPlan {
                folio,
                messages: Vec::new(),
                reminded: Reminded::default(),
                next: Some(later),
            };
            tx.settle_reminders(company, &[plan], at(5))
        });
        settled.await.unwrap();
        let due = async |now: i64| read(&store, move |tx| tx.due_reminders(at(now), 9)).await;
        assert_eq!(due(6).await, None);
        due_after_look(&store, 6).await;
        assert_eq!(due(6).await, None, "it waits for good reason");
        due_after_look(&store, -HOUR).await;
        let folios = vec![id];
        assert_eq!(due(-HOUR).await, Some(DueReminders { company, folios }));
    });
}

pub(crate) fn a_reminder_is_not_wanted_after_the_signers_act_or_the_end(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Wanted").await;
        let ids = folios(&store, company, 2).await;
        let resent = act(&store, company, ids.clone(), resend).await;
        assert_eq!(resent.unwrap().len(), 2);
        let over = ids[1];
        let cancelled = act(&store, company, vec![over], cancel).await;
        assert_eq!(cancelled.unwrap(), [over]);
        let taken = write(&store, |tx| {
            tx.take_messages(at(100), &lease_of(1, 100, 190), 20, 20)
        });
        let taken = taken.await.unwrap();
        let mut wanted: Vec<(FolioId, bool)> = taken
            .iter()
            .filter(|message| message.template == Template::Reminder)
            .map(|message| (message.folio, !message.superseded))
            .collect();
        wanted.sort_by_key(|(_, wanted)| !wanted);
        assert_eq!(wanted, [(ids[0], true), (over, false)]);
        let others = taken
            .iter()
            .filter(|message| message.template != Template::Reminder);
        assert!(others.into_iter().all(|message| !message.superseded));
    });
}
