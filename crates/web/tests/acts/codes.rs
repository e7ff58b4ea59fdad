//! One-time codes: how long they are good, how often they may be tried, what ends them.

use crate::desk::{ADDRESS, MOBILE, another, attempt, desk, email};
use app::sign_folio::Signed;
use app::{Error, Holder};
use domain::{Channel, DocumentType, FolioId, Refusal};
use std::time::Duration;
use testkit::{TestApp, correction, folio, signer, signers};

#[tokio::test]
async fn a_code_opens_the_act_once() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio()).await;
    let code = desk.code(0).await;
    let signed = desk.try_code(0, code.clone()).await.unwrap();
    assert_eq!(signed, Signed::Done(vec![(desk.folio, Ok(()))]));
    let again = desk.try_code(0, code).await;
    assert!(
        matches!(again, Err(Error::Refused(Refusal::AlreadyActed))),
        "{again:?}"
    );
    let read = company.read(&desk.folio.to_string()).await;
    assert_eq!(read.at("/data/signers/0/folioState"), "1");
    assert_eq!(read.at("/data/signers/0/ipSignatureAddress"), ADDRESS.to_string());
    assert_eq!(read.at("/data/folioData/stateName"), "PENDIENTE");
}

#[tokio::test]
async fn five_wrong_tries_end_a_code() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio()).await;
    let code = desk.code(0).await;
    for left in (0..5).rev() {
        let refused = desk.try_code(0, another(&code)).await.unwrap();
        assert_eq!(
            refused,
            Signed::WrongCode {
                channel: Channel::Email,
                tries_left: left
            }
        );
    }
    let channel = Channel::Email;
    assert_eq!(desk.try_code(0, code).await.unwrap(), Signed::NoCode { channel });
    app.advance(Duration::from_mins(1));
    desk.sign(0).await;
}

#[tokio::test]
async fn twenty_wrong_codes_lock_until_a_resend_or_a_day_has_passed() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio()).await;
    let lock = async || {
        for _ in 0..4 {
            app.advance(Duration::from_mins(1));
            let code = desk.code(0).await;
            for _ in 0..5 {
                desk.try_code(0, another(&code)).await.unwrap();
            }
        }
        app.advance(Duration::from_mins(1));
        assert!(matches!(desk.send(0).await, Err(Error::Locked { .. })));
    };
    lock().await;
    desk.sign(1).await;
    app.advance(Duration::from_hours(24));
    assert!(desk.send(0).await.is_ok(), "a day later");
    lock().await;
    let same = correction("1001", &email(0), MOBILE);
    assert_eq!(company.resend(&desk.folio.to_string(), &[same]).await.status, 200);
    desk.sign(0).await;
}

#[tokio::test]
async fn codes_expire_by_channel() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let by_email = desk(&company, &app, folio()).await;
    let code = by_email.code(0).await;
    app.advance(Duration::from_mins(10));
    let none = by_email.try_code(0, code).await.unwrap();
    assert_eq!(
        none,
        Signed::NoCode {
            channel: Channel::Email
        }
    );

    let by_sms = desk(&company, &app, folio().with("signatureType", "2")).await;
    by_sms.send(0).await.unwrap();
    let code = app.code_for(MOBILE).await;
    app.advance(Duration::from_mins(5));
    let late = app
        .app()
        .sign_folios(by_sms.holder(0), attempt(Channel::Sms, code))
        .await;
    assert_eq!(
        late.unwrap(),
        Signed::NoCode {
            channel: Channel::Sms
        }
    );
    by_sms.send(0).await.unwrap();
    let code = app.code_for(MOBILE).await;
    app.advance(Duration::from_secs(299));
    let signed = app
        .app()
        .sign_folios(by_sms.holder(0), attempt(Channel::Sms, code))
        .await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
}

#[tokio::test]
async fn a_new_code_waits_a_minute_and_ends_the_old_one() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio()).await;
    let first = desk.code(0).await;
    app.advance(Duration::from_secs(59));
    let soon = desk.send(0).await;
    assert!(matches!(soon, Err(Error::TooOften { retry_after }) if retry_after == Duration::from_secs(1)));
    app.advance(Duration::from_secs(1));
    let second = desk.code(0).await;
    if first != second {
        assert!(matches!(
            desk.try_code(0, first).await,
            Ok(Signed::WrongCode { .. })
        ));
    }
    assert!(matches!(desk.try_code(0, second).await, Ok(Signed::Done(_))));
}

#[tokio::test]
async fn a_corrected_contact_ends_codes_and_sessions() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio()).await;
    let generation = async |place| {
        app.app()
            .signing(desk.holder(place))
            .await
            .unwrap()
            .session_generation
    };
    let (before, code) = (generation(0).await, desk.code(0).await);
    let changed = correction("1001", "otra@example.com", MOBILE);
    assert_eq!(
        company.resend(&desk.folio.to_string(), &[changed]).await.status,
        200
    );
    assert_eq!(
        desk.try_code(0, code).await.unwrap(),
        Signed::NoCode {
            channel: Channel::Email
        }
    );
    assert_eq!(generation(0).await, before + 1);
    assert_eq!(generation(1).await, 0, "others go on");
    desk.send(0).await.unwrap();
    let code = app.code_for("otra@example.com").await;
    assert!(matches!(desk.try_code(0, code).await, Ok(Signed::Done(_))));
}

#[tokio::test]
async fn strangers_are_asked_twenty_times_at_the_most() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio()).await;
    let identify = async |number: &str| {
        let number = domain::DocumentNumber::new(number).unwrap();
        app.app()
            .identify(desk.folio, domain::DocumentType::CitizenCard, number)
            .await
    };
    assert_eq!(identify("1002").await.unwrap(), desk.holder(1));
    for guess in 0..20 {
        let refused = identify(&guess.to_string()).await;
        assert!(
            matches!(refused, Err(Error::Refused(Refusal::UnknownSigner))),
            "{refused:?}"
        );
    }
    assert!(matches!(identify("1001").await, Err(Error::TooOften { .. })));
    app.advance(Duration::from_mins(15));
    assert_eq!(identify("1001").await.unwrap(), desk.holder(0));
}

#[tokio::test]
async fn a_number_is_known_as_the_card_shows_it() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signers = serde_json::json!([
        signer("1020304050"),
        signer("80-12"),
        signer("8012"),
        signer("AB123c")
    ]);
    let desk = desk(&company, &app, folio().signers(&signers)).await;
    let identify = async |document_type: DocumentType, number: &str| {
        let number = domain::DocumentNumber::new(number).unwrap();
        app.app().identify(desk.folio, document_type, number).await
    };
    for (number, place) in [
        ("1.020.304.050", 0),
        ("1 020 304-050", 0),
        ("80-12", 1),
        ("8012", 2),
        ("ab-123-C", 3),
    ] {
        let known = identify(DocumentType::CitizenCard, number).await;
        assert_eq!(known.unwrap(), desk.holder(place), "{number}");
    }
    for (document_type, number) in [
        // It could be either.
        (DocumentType::CitizenCard, "80.12"),
        (DocumentType::CitizenCard, "1.020.304.05"),
        (DocumentType::CitizenCard, "."),
        (DocumentType::ForeignerCard, "1.020.304.050"),
    ] {
        let refused = identify(document_type, number).await;
        assert!(
            matches!(refused, Err(Error::Refused(Refusal::UnknownSigner))),
            "{number}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn a_burst_of_strangers_is_locked_out_all_the_same() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio()).await;
    let guesses = (0..40).map(|n| guess([&app, &other][n % 2], desk.folio, n));
    let outcomes = futures_util::future::join_all(guesses).await;
    let heard =
        |outcome: &&Result<Holder, Error>| matches!(outcome, Err(Error::Refused(Refusal::UnknownSigner)));
    assert_eq!(outcomes.iter().filter(heard).count(), 20, "{outcomes:?}");
    let right = guess(&app, desk.folio, 1001).await;
    assert!(matches!(right, Err(Error::TooOften { .. })), "{right:?}");
}

async fn guess(app: &TestApp, folio: FolioId, number: usize) -> Result<Holder, Error> {
    let number = domain::DocumentNumber::new(number.to_string()).unwrap();
    let asked = app
        .app()
        .identify(folio, domain::DocumentType::CitizenCard, number);
    asked.await
}

#[tokio::test]
async fn two_hundred_wrong_codes_at_three_instances_are_five_tries() {
    let app = TestApp::start().await;
    let (second, third) = (app.another_instance().await, app.another_instance().await);
    let company = app.company("Acme").await;
    let desk = desk(&company, &app, folio().signers(&signers(1))).await;
    let code = desk.code(0).await;
    let instances = [desk, desk.at(&second), desk.at(&third)];
    let tries = (0..200).map(|n| instances[n % 3].try_code(0, another(&code)));
    let outcomes = futures_util::future::join_all(tries).await;
    let evaluated = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Ok(Signed::WrongCode { .. })));
    assert_eq!(evaluated.count(), 5);
    let unheard = |outcome: &&Result<Signed, Error>| {
        matches!(outcome, Ok(Signed::NoCode { .. }) | Err(Error::Overloaded))
    };
    assert_eq!(outcomes.iter().filter(unheard).count(), 195);
    assert_eq!(
        desk.try_code(0, code).await.unwrap(),
        Signed::NoCode {
            channel: Channel::Email
        }
    );
}
