//! Two acts at the same time, at two instances: they get one order, nothing is lost or doubled, the later one is refused.

use crate::test_folio::{TestFolio, email, test_folio};
use app::signing::sign::Signed;
use app::{Error, SigningParty};
use domain::{Channel, Refusal};
use std::time::Duration;
use testkit::{Company, TestApp, attempt, correction, folio, signer, signers};

const ROUNDS: usize = 500;

/// Signatures that the stored document carries, beside the service's own.
async fn signatures(company: &Company<'_>, test_folio: &TestFolio<'_>) -> usize {
    let read = company.read(&test_folio.folio.to_string()).await;
    let file = company
        .download(&read.at("/data/documents/0/documentId"))
        .await
        .body;
    let found = file.windows(11).filter(|window| window == b"/ByteRange[").count();
    found.saturating_sub(1)
}

fn won(outcome: &Result<Signed, Error>) -> bool {
    matches!(outcome, Ok(Signed::Done(folios)) if folios.iter().all(|(_, outcome)| outcome.is_ok()))
}

/// Two acts of one round: mostly now the one, now the other starts a little later, so that they meet; at times one is
/// over before the other begins, so that each order is seen however busy the machine is.
fn meet<One, Other>(
    round: usize,
    one: impl Future<Output = One>,
    other: impl Future<Output = Other>,
) -> impl Future<Output = (One, Other)> {
    let (one, other) = (Box::pin(one), Box::pin(other));
    let later = Duration::from_micros(100) * u32::try_from(round % 100).unwrap();
    async move {
        match round % 100 {
            98 => {
                let one = one.await;
                (one, other.await)
            }
            99 => {
                let other = other.await;
                (one.await, other)
            }
            step if step.is_multiple_of(2) => tokio::join!(after(later, one), other),
            _ => tokio::join!(one, after(later, other)),
        }
    }
}

async fn after<Outcome>(wait: Duration, act: impl Future<Output = Outcome>) -> Outcome {
    tokio::time::sleep(wait).await;
    act.await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_signers_at_once_both_sign() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    for _ in 0..ROUNDS {
        let here = test_folio(&company, &app, folio()).await;
        let there = here.at(&other);
        let codes = (here.code(0).await, there.code(1).await);
        let (first, second) = tokio::join!(here.try_code(0, codes.0), there.try_code(1, codes.1));
        assert!(won(&first) && won(&second), "{first:?} {second:?}");
        assert_eq!(signatures(&company, &here).await, 2);
        let read = company.read(&here.folio.to_string()).await;
        assert_eq!(read.at("/data/folioData/stateName"), "FIRMADO");
    }
    assert_eq!(app.deadlocks().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_and_the_last_signature_have_one_winner() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    let (mut signed_first, mut cancelled_first) = (0, 0);
    for round in 0..ROUNDS {
        let here = test_folio(&company, &app, folio().signers(&signers(1))).await;
        let code = here.code(0).await;
        let id = here.folio.to_string();
        let elsewhere = company.at(&other);
        let cancelling = elsewhere.cancel([&id], "El cliente cambió de opinión");
        let (signed, cancelled) = meet(round, here.try_code(0, code), cancelling).await;
        let state = company.read(&id).await.at("/data/folioData/stateName");
        if won(&signed) {
            signed_first += 1;
            assert_eq!(
                (
                    state.as_str(),
                    cancelled.json().pointer("/data/failedFolios").cloned()
                ),
                ("FIRMADO", Some(1.into()))
            );
            assert_eq!(signatures(&company, &here).await, 1);
        } else {
            cancelled_first += 1;
            assert!(
                matches!(signed, Err(Error::Refused(Refusal::NotPending))),
                "{signed:?}"
            );
            assert_eq!(
                (
                    state.as_str(),
                    cancelled.json().pointer("/data/cancelledFolios").cloned()
                ),
                ("ANULADO", Some(1.into()))
            );
            assert_eq!(signatures(&company, &here).await, 0);
        }
    }
    assert!(
        signed_first > 0 && cancelled_first > 0,
        "{signed_first} and {cancelled_first}"
    );
    assert_eq!(app.deadlocks().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bulk_and_a_single_signature_sign_once() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    let (mut single_first, mut bulk_first) = (0, 0);
    for round in 0..ROUNDS {
        let here = test_folio(&company, &app, folio().signers(&signers(1))).await;
        let id = here.folio.to_string();
        let bulk = company.start_bulk([&id], &signer("1001")).await;
        let bulk = SigningParty::Bulk(bulk.at("/data/massiveId").parse().unwrap());
        let single = here.code(0).await;
        other.ask_for_codes(bulk).await.unwrap();
        let code = other.code_for(&email(0)).await;
        let signing_many = other.sign_as(bulk, attempt(Channel::Email, code));
        let (one, many) = meet(round, here.try_code(0, single), signing_many).await;
        assert!(won(&one) != won(&many), "{one:?} {many:?}");
        let loser = if won(&one) {
            single_first += 1;
            many
        } else {
            bulk_first += 1;
            one
        };
        assert!(
            matches!(
                loser,
                Err(Error::Refused(Refusal::AlreadyActed | Refusal::NotPending))
            ),
            "{loser:?}"
        );
        assert_eq!(signatures(&company, &here).await, 1);
    }
    assert!(
        single_first > 0 && bulk_first > 0,
        "{single_first} and {bulk_first}"
    );
    assert_eq!(app.deadlocks().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_code_twice_is_accepted_once() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    for _ in 0..ROUNDS {
        let here = test_folio(&company, &app, folio()).await;
        let code = here.code(0).await;
        let there = here.at(&other);
        let (one, two) = tokio::join!(here.try_code(0, code.clone()), there.try_code(0, code));
        assert!(won(&one) != won(&two), "{one:?} {two:?}");
        let loser = if won(&one) { two } else { one };
        assert!(
            matches!(loser, Err(Error::Refused(Refusal::AlreadyActed))),
            "{loser:?}"
        );
        assert_eq!(signatures(&company, &here).await, 1);
    }
    assert_eq!(app.deadlocks().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resend_and_a_signature_have_one_order() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    let (mut signed_first, mut resent_first) = (0, 0);
    for round in 0..ROUNDS {
        // The limit of resends is a folio's own, and every round has its own folio.
        let here = test_folio(&company, &app, folio()).await;
        let code = here.code(0).await;
        let session = app.session(here.party(0)).await;
        let changed = correction("1001", &format!("otra{round}@example.com"), "3009876543");
        let id = here.folio.to_string();
        let elsewhere = company.at(&other);
        let resending = elsewhere.resend(&id, std::slice::from_ref(&changed));
        let signing = app.app().sign_folios(&session, attempt(Channel::Email, code));
        let (signed, resent) = meet(round, signing, resending).await;
        if won(&signed) {
            signed_first += 1;
            assert_eq!(resent.status, 400, "{}", resent.text());
            assert_eq!(signatures(&company, &here).await, 1);
        } else {
            resent_first += 1;
            assert!(matches!(signed, Err(Error::SessionOver)), "{signed:?}");
            assert_eq!(resent.status, 200, "{}", resent.text());
            assert_eq!(signatures(&company, &here).await, 0);
        }
    }
    assert!(
        signed_first > 0 && resent_first > 0,
        "{signed_first} and {resent_first}"
    );
    assert_eq!(app.deadlocks().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_correction_and_a_code_never_send_to_the_old_contact_afterwards() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    let (mut asked_first, mut corrected_first) = (0, 0);
    for round in 0..ROUNDS {
        let here = test_folio(&company, &app, folio().signers(&signers(1))).await;
        let id = here.folio.to_string();
        let session = app.session(here.party(0)).await;
        let changed = correction("1001", &format!("otra{round}@example.com"), "3001234567");
        let elsewhere = company.at(&other);
        let correcting = elsewhere.resend(&id, std::slice::from_ref(&changed));
        let purpose = app::CodePurpose::Reject;
        let asking = app.app().send_codes(&session, purpose, domain::Client::default());
        let (asked, corrected) = meet(round, asking, correcting).await;
        assert_eq!(corrected.status, 200, "{}", corrected.text());
        if asked.is_ok() {
            asked_first += 1;
            let code = app.code_for(&email(0)).await;
            let late = app
                .app()
                .sign_folios(&session, attempt(Channel::Email, code))
                .await;
            assert!(matches!(late, Err(Error::SessionOver)), "{late:?}");
        } else {
            corrected_first += 1;
            assert!(matches!(asked, Err(Error::SessionOver)), "{asked:?}");
        }
        assert_eq!(signatures(&company, &here).await, 0);
    }
    assert!(
        asked_first > 0 && corrected_first > 0,
        "{asked_first} and {corrected_first}"
    );
    assert_eq!(app.deadlocks().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_correction_and_a_bulk_signature_have_one_order() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    let (mut signed_first, mut corrected_first) = (0, 0);
    for round in 0..ROUNDS {
        let here = test_folio(&company, &app, folio().signers(&signers(1))).await;
        let id = here.folio.to_string();
        let started = company.start_bulk([&id], &signer("1001")).await;
        let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
        let session = app.session(bulk).await;
        app.ask_for_codes(bulk).await.unwrap();
        let code = app.code_for(&email(0)).await;
        let changed = correction("1001", &format!("otra{round}@example.com"), "3001234567");
        let elsewhere = company.at(&other);
        let correcting = elsewhere.resend(&id, std::slice::from_ref(&changed));
        let signing = app.app().sign_folios(&session, attempt(Channel::Email, code));
        let (signed, corrected) = meet(round, signing, correcting).await;
        let read = company.read(&id).await;
        if won(&signed) {
            signed_first += 1;
            assert_eq!(corrected.status, 400, "{}", corrected.text());
            assert_eq!(read.at("/data/signers/0/email"), email(0));
        } else {
            corrected_first += 1;
            assert!(matches!(signed, Err(Error::SessionOver)), "{signed:?}");
            assert_eq!(corrected.status, 200, "{}", corrected.text());
            assert_eq!(
                read.at("/data/signers/0/email"),
                format!("otra{round}@example.com")
            );
            assert_eq!(signatures(&company, &here).await, 0);
        }
    }
    assert!(
        signed_first > 0 && corrected_first > 0,
        "{signed_first} and {corrected_first}"
    );
    assert_eq!(app.deadlocks().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejection_and_a_signature_have_one_winner() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    let why = domain::Observation::new("No es lo que acordamos.").unwrap();
    let (mut signed_first, mut rejected_first) = (0, 0);
    for round in 0..ROUNDS {
        let here = test_folio(&company, &app, folio()).await;
        let (sign_code, reject_code) = (here.code(0).await, here.code(1).await);
        let session = other.session(here.party(1)).await;
        let codes = testkit::typed(Channel::Email, reject_code);
        let rejecting = other.app().reject_folio(
            &session,
            here.folio,
            why.clone(),
            codes,
            domain::Client::default(),
        );
        let (signed, rejected) = meet(round, here.try_code(0, sign_code), rejecting).await;
        assert!(matches!(rejected, Ok(app::CodeOutcome::Done(()))), "{rejected:?}");
        let read = company.read(&here.folio.to_string()).await;
        assert_eq!(read.at("/data/folioData/stateName"), "RECHAZADO FIRMANTE");
        if won(&signed) {
            signed_first += 1;
            assert_eq!(signatures(&company, &here).await, 1);
        } else {
            rejected_first += 1;
            assert!(
                matches!(signed, Err(Error::Refused(Refusal::NotPending))),
                "{signed:?}"
            );
            assert_eq!(signatures(&company, &here).await, 0);
        }
    }
    assert!(
        signed_first > 0 && rejected_first > 0,
        "{signed_first} and {rejected_first}"
    );
    assert_eq!(app.deadlocks().await, 0);
}
