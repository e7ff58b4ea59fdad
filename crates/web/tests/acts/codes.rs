//! One-time codes: how long they are good, how often they may be tried, what ends them.

use crate::test_folio::{ADDRESS, MOBILE, another, email, test_folio};
use app::signing::sign::Signed;
use app::{Error, SigningParty};
use domain::{Channel, DocumentType, FolioId, Refusal, SignerIndex};
use parts::Postgres;
use std::time::Duration;
use testkit::{TestApp, attempt, correction, folio, signer, signers, until};

#[tokio::test]
async fn a_code_opens_the_act_once() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let code = test_folio.code(0).await;
    let signed = test_folio.try_code(0, code.clone()).await.unwrap();
    assert_eq!(signed, Signed::Done(vec![(test_folio.folio, Ok(()))]));
    let again = test_folio.try_code(0, code).await;
    assert!(
        matches!(again, Err(Error::Refused(Refusal::AlreadyActed))),
        "{again:?}"
    );
    let read = company.read(&test_folio.folio.to_string()).await;
    assert_eq!(read.at("/data/signers/0/folioState"), "1");
    assert_eq!(read.at("/data/signers/0/ipSignatureAddress"), ADDRESS.to_string());
    assert_eq!(read.at("/data/folioData/stateName"), "PENDIENTE");
}

#[tokio::test]
async fn five_wrong_tries_end_a_code() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let code = test_folio.code(0).await;
    for left in (0..5).rev() {
        let refused = test_folio.try_code(0, another(&code)).await.unwrap();
        assert_eq!(
            refused,
            Signed::WrongCode {
                channel: Channel::Email,
                tries_left: left
            }
        );
    }
    let channel = Channel::Email;
    assert_eq!(
        test_folio.try_code(0, code).await.unwrap(),
        Signed::NoCode { channel }
    );
    app.advance(Duration::from_mins(1));
    test_folio.sign(0).await;
}

#[tokio::test]
async fn pauses_grow_and_ten_codes_are_all_of_a_day_until_somebody_frees_the_signer() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let use_up = async || {
        for minutes in [1, 1, 2, 5, 15, 60, 60, 60, 60] {
            test_folio.send(0).await.unwrap();
            let soon = test_folio.send(0).await;
            let wait = Duration::from_mins(minutes);
            assert!(
                matches!(soon, Err(Error::TooOften { retry_after }) if retry_after == wait),
                "{soon:?} and not {wait:?}"
            );
            app.advance(wait);
        }
        test_folio.send(0).await.unwrap();
        app.advance(Duration::from_hours(2));
        assert!(matches!(test_folio.send(0).await, Err(Error::Locked { .. })));
        let locked = app.app().signing(test_folio.party(0), None).await.unwrap();
        assert!(locked.locked_until.is_some());
    };
    use_up().await;
    test_folio.sign(1).await;
    // The company writes again.
    let same = correction("1001", &email(0), MOBILE);
    assert_eq!(
        company
            .resend(&test_folio.folio.to_string(), &[same])
            .await
            .status,
        200
    );
    use_up().await;
    // A user of the company unlocks the signer in the panel.
    let caller = app::Caller {
        company: company.id,
        who: app::Who::Key(domain::KeyId::from_bytes([1; 16])),
        name: "pedidos".into(),
        address: ADDRESS,
    };
    app.app()
        .unlock_signer(caller, test_folio.folio, SignerIndex(0))
        .await
        .unwrap();
    use_up().await;
    app.advance(Duration::from_hours(24));
    test_folio.sign(0).await;
    let events = company.events(&test_folio.folio.to_string()).await;
    assert!(events.iter().any(|event| event["what"] == "freed"), "{events:?}");
}

#[tokio::test]
async fn an_address_gets_twenty_codes_a_day_over_all_folios_and_instances() {
    let capped = |policy: &mut app::Policy| policy.codes_to_recipient_a_day = 20;
    let app = TestApp::builder().policy(capped).start().await;
    let (second, third) = (app.another_instance().await, app.another_instance().await);
    let company = app.company("Acme").await;
    let mut desks = Vec::new();
    for _ in 0..30 {
        desks.push(test_folio(&company, &app, folio()).await);
    }
    let instances = [&app, &second, &third];
    let asked = desks.iter().enumerate().map(|(n, test_folio)| {
        let there = test_folio.at(instances[n % 3]);
        async move { there.send(0).await }
    });
    let outcomes = futures_util::future::join_all(asked).await;
    let sent = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(sent, 20, "{outcomes:?}");
    let refused = |outcome: &&Result<(), Error>| matches!(outcome, Err(Error::Locked { .. }));
    assert_eq!(outcomes.iter().filter(refused).count(), 10, "{outcomes:?}");
    app.advance(Duration::from_hours(24));
    let late = outcomes.iter().position(Result::is_err).unwrap();
    desks[late].send(0).await.unwrap();
}

#[tokio::test]
async fn a_stranger_with_the_link_uses_up_their_own_tries_and_not_the_owners() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let code = test_folio.code(0).await;
    let stranger = app.new_session(test_folio.party(0)).await;
    for _ in 0..50 {
        let guess = attempt(Channel::Email, another(&code));
        let refused = app.app().sign_folios(&stranger, guess).await.unwrap();
        let channel = Channel::Email;
        assert_eq!(refused, Signed::NoCode { channel }, "the stranger asked for none");
    }
    // The right code, read over a shoulder, is worth nothing in another session.
    let stolen = attempt(Channel::Email, code.clone());
    let refused = app.app().sign_folios(&stranger, stolen).await.unwrap();
    assert!(matches!(refused, Signed::NoCode { .. }), "{refused:?}");
    // The stranger's own code goes to the owner of the address; five guesses end that one alone.
    app.advance(Duration::from_mins(1));
    let purpose = app::CodePurpose::Reject;
    app.app()
        .send_codes(&stranger, purpose, domain::Client::default())
        .await
        .unwrap();
    for left in (0..5).rev() {
        let guess = attempt(Channel::Email, another(&app.code_for(&email(0)).await));
        let refused = app.app().sign_folios(&stranger, guess).await.unwrap();
        assert!(
            matches!(refused, Signed::WrongCode { tries_left, .. } if tries_left == left),
            "{refused:?}"
        );
    }
    assert!(matches!(test_folio.try_code(0, code).await, Ok(Signed::Done(_))));
}

#[tokio::test]
async fn three_codes_of_a_signer_are_good_at_once_and_the_oldest_gives_way() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let mut asked = Vec::new();
    for minutes in [1, 1, 2, 5] {
        let session = app.new_session(test_folio.party(0)).await;
        let purpose = app::CodePurpose::Reject;
        app.app()
            .send_codes(&session, purpose, domain::Client::default())
            .await
            .unwrap();
        asked.push((session, app.code_for(&email(0)).await));
        app.advance(Duration::from_mins(minutes).min(Duration::from_secs(minutes * 60)));
    }
    let signing = asked.iter().map(|(session, code)| {
        let attempt = attempt(Channel::Email, another(code));
        app.app().sign_folios(session, attempt)
    });
    let outcomes = futures_util::future::join_all(signing).await;
    let heard: Vec<bool> = outcomes
        .iter()
        .map(|outcome| matches!(outcome, Ok(Signed::WrongCode { .. })))
        .collect();
    assert_eq!(heard, [false, true, true, true], "{outcomes:?}");
}

#[tokio::test]
async fn codes_expire_by_channel() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let by_email = test_folio(&company, &app, folio()).await;
    let code = by_email.code(0).await;
    app.advance(Duration::from_mins(10));
    let none = by_email.try_code(0, code).await.unwrap();
    assert_eq!(
        none,
        Signed::NoCode {
            channel: Channel::Email
        }
    );

    let by_sms = test_folio(&company, &app, folio().with("signatureType", "2")).await;
    by_sms.send(0).await.unwrap();
    let code = app.code_for(MOBILE).await;
    app.advance(Duration::from_mins(5));
    let late = app.sign_as(by_sms.party(0), attempt(Channel::Sms, code)).await;
    assert_eq!(
        late.unwrap(),
        Signed::NoCode {
            channel: Channel::Sms
        }
    );
    by_sms.send(0).await.unwrap();
    let code = app.code_for(MOBILE).await;
    app.advance(Duration::from_secs(299));
    let signed = app.sign_as(by_sms.party(0), attempt(Channel::Sms, code)).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
}

#[tokio::test]
async fn a_new_code_waits_a_minute_and_ends_the_old_one() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let first = test_folio.code(0).await;
    app.advance(Duration::from_secs(59));
    let soon = test_folio.send(0).await;
    assert!(matches!(soon, Err(Error::TooOften { retry_after }) if retry_after == Duration::from_secs(1)));
    app.advance(Duration::from_secs(1));
    let second = test_folio.code(0).await;
    if first != second {
        assert!(matches!(
            test_folio.try_code(0, first).await,
            Ok(Signed::WrongCode { .. })
        ));
    }
    assert!(matches!(
        test_folio.try_code(0, second).await,
        Ok(Signed::Done(_))
    ));
}

#[tokio::test]
async fn a_corrected_contact_ends_codes_and_sessions_and_closes_the_link() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let old = app.session(test_folio.party(0)).await;
    let code = test_folio.code(0).await;
    let changed = correction("1001", "otra@example.com", MOBILE);
    assert_eq!(
        company
            .resend(&test_folio.folio.to_string(), &[changed])
            .await
            .status,
        200
    );
    let stale = app
        .app()
        .sign_folios(&old, attempt(Channel::Email, code.clone()))
        .await;
    assert!(matches!(stale, Err(Error::SessionOver)), "{stale:?}");
    let session = app.new_session(test_folio.party(0)).await;
    let closed = app
        .app()
        .signing(test_folio.party(0), Some(&session))
        .await
        .unwrap();
    assert!(closed.is_closed());
    let unproven = app
        .app()
        .sign_folios(&session, attempt(Channel::Email, code))
        .await;
    assert!(matches!(unproven, Err(Error::Unproven)), "{unproven:?}");
    let others = app.app().signing(test_folio.party(1), None).await.unwrap();
    assert_eq!(others.session_generation, 0, "others go on");
    // A code sent to the new contact opens the session, and another signs.
    let prove = app::CodePurpose::Prove;
    app.app()
        .send_codes(&session, prove, domain::Client::default())
        .await
        .unwrap();
    let code = app.code_for("otra@example.com").await;
    let proved = app.app().prove_contact(
        &session,
        testkit::typed(Channel::Email, code),
        domain::Client::default(),
    );
    assert_eq!(proved.await.unwrap(), app::CodeOutcome::Done(()));
    let sign = app::CodePurpose::Sign {
        consent: app::signing::consent::Consent::SPANISH,
    };
    app.app()
        .send_codes(&session, sign, domain::Client::default())
        .await
        .unwrap();
    let code = app.code_for("otra@example.com").await;
    let signed = app
        .app()
        .sign_folios(&session, attempt(Channel::Email, code))
        .await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
}

#[tokio::test]
async fn a_correction_reaches_a_bulk_signature_that_is_open() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio().signers(&signers(1))).await;
    let id = test_folio.folio.to_string();
    let started = company.start_bulk([&id], &signer("1001")).await;
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    let old = app.session(bulk).await;
    app.ask_for_codes(bulk).await.unwrap();
    let code = app.code_for(&email(0)).await;
    let changed = correction("1001", "otra@example.com", MOBILE);
    assert_eq!(company.resend(&id, &[changed]).await.status, 200);
    let stale = app.app().sign_folios(&old, attempt(Channel::Email, code)).await;
    assert!(matches!(stale, Err(Error::SessionOver)), "{stale:?}");
    let session = app.new_session(bulk).await;
    let opened = app.app().signing(bulk, Some(&session)).await.unwrap();
    assert!(opened.is_closed());
    assert_eq!(
        opened.codes[0].recipient, "otra@example.com",
        "looked up, not remembered"
    );
}

#[tokio::test]
async fn a_resend_that_corrects_nothing_leaves_an_open_bulk_signature_as_it_is() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let id = company.created(folio().signers(&signers(1))).await;
    let mut person = signer("1001");
    person["email"] = "nueva@example.com".into();
    let started = company.start_bulk([&id], &person).await;
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    app.ask_for_codes(bulk).await.unwrap();
    let code = app.code_for("nueva@example.com").await;
    for same in [
        serde_json::json!({ "documentNumber": "1001" }),
        correction("1001", &email(0), MOBILE),
        correction("1001", &email(0), "300 123-4567"),
    ] {
        company.resend(&id, &[same]).await.ok();
    }
    let signed = app.sign_as(bulk, attempt(Channel::Email, code)).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
}

#[tokio::test]
async fn a_bulk_signature_with_another_contact_notifies_the_old_one_and_changes_it_when_it_signs() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio().signers(&signers(1))).await;
    let id = test_folio.folio.to_string();
    let mut person = signer("1001");
    person["email"] = "nueva@example.com".into();
    let second = company.created(folio().signers(&signers(1))).await;
    let started = company.start_bulk([&id, &second], &person).await;
    let told = company.messages(&id).await;
    let other = |template, recipient: &str| {
        told.iter()
            .any(|message| message.template == template && message.recipient == recipient)
    };
    assert!(other(domain::Template::OtherContact, &email(0)), "{told:?}");
    assert_eq!(
        company.read(&id).await.at("/data/signers/0/email"),
        email(0),
        "not yet"
    );
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    app.ask_for_codes(bulk).await.unwrap();
    let code = app.code_for("nueva@example.com").await;
    let signed = app.sign_as(bulk, attempt(Channel::Email, code)).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
    let told = [company.messages(&id).await, company.messages(&second).await].concat();
    let changed = |message: &&store::OutboxRow| message.template == domain::Template::ContactChanged;
    assert_eq!(
        told.iter().filter(changed).count(),
        1,
        "once, not once a folio: {told:?}"
    );
    let read = company.read(&id).await;
    assert_eq!(read.at("/data/signers/0/email"), "nueva@example.com");
    assert_eq!(read.at("/data/signers/0/folioState"), "1");
    let events = company.events(&id).await;
    let signed = events.iter().find(|event| event["what"] == "signed").unwrap();
    assert!(
        signed["contact"].is_object() && !signed["recipient"].is_null(),
        "{signed}"
    );
}

#[tokio::test]
async fn rejecting_takes_a_code() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let session = app.session(test_folio.party(0)).await;
    let why = domain::Observation::new("No es lo que acordamos.").unwrap();
    let reject = async |codes| {
        let app = app.app();
        app.reject_folio(
            &session,
            test_folio.folio,
            why.clone(),
            codes,
            domain::Client::at(ADDRESS),
        )
        .await
        .unwrap()
    };
    let none = reject(app::TypedCodes::default()).await;
    assert!(matches!(none, app::CodeOutcome::NoCode { .. }), "{none:?}");
    let code = test_folio.code(0).await;
    let wrong = reject(testkit::typed(Channel::Email, another(&code))).await;
    assert!(
        matches!(wrong, app::CodeOutcome::WrongCode { tries_left: 4, .. }),
        "{wrong:?}"
    );
    let state = async || {
        let read = company.read(&test_folio.folio.to_string()).await;
        read.at("/data/folioData/stateName")
    };
    assert_eq!(state().await, "PENDIENTE");
    let done = reject(testkit::typed(Channel::Email, code)).await;
    assert_eq!(done, app::CodeOutcome::Done(()));
    assert_eq!(state().await, "RECHAZADO FIRMANTE");
}

/// The name of a code stands in each event about it, and its hash can be recomputed once it was used, not before.
#[tokio::test]
async fn one_name_links_what_was_done_with_a_code_which_is_revealed_by_its_use() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let id = test_folio.folio.to_string();
    let code = test_folio.code(0).await;
    let wrong = attempt(Channel::Email, another(&code));
    let refused = app.sign_as(test_folio.party(0), wrong).await.unwrap();
    assert!(matches!(refused, Signed::WrongCode { .. }), "{refused:?}");
    let with_code = async || {
        let mut events = company.events(&id).await;
        events.retain(|event| event["code"].is_string());
        events
    };
    let before = with_code().await;
    assert_eq!(before.len(), 2, "{before:?}");
    for event in &before {
        assert!(
            !event.to_string().contains(&format!("\"{}\"", code.as_str())),
            "{event}"
        );
        assert!(event["code_salt"].is_null(), "{event}");
    }
    let signed = app.sign_as(test_folio.party(0), attempt(Channel::Email, code.clone()));
    assert!(matches!(signed.await.unwrap(), Signed::Done(_)));
    let events = with_code().await;
    let mut what: Vec<&str> = events.iter().filter_map(|event| event["what"].as_str()).collect();
    what.sort_unstable();
    assert_eq!(what, ["code_refused", "code_sent", "signed"]);
    assert!(
        events.iter().all(|event| event["code"] == events[0]["code"]),
        "{events:?}"
    );
    let of = |kind: &str| events.iter().find(|event| event["what"] == kind).unwrap();
    let used = of("signed");
    assert_eq!(used["code_digits"], code.as_str());
    let salt = data_encoding::HEXLOWER.decode(used["code_salt"].as_str().unwrap().as_bytes());
    let hash = domain::code::commitment(&salt.unwrap(), code.as_str());
    assert_eq!(of("code_sent")["code_hash"], hash);
    let checked = app::evidence::check(
        &company.evidence(&id).await.body,
        None,
        &[],
        app.app().clock.now(),
    );
    assert_eq!(checked.faults, []);
}

#[tokio::test]
async fn a_code_that_was_sent_for_something_else_signs_once_the_text_is_accepted() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    for purpose in [app::CodePurpose::Reject, app::CodePurpose::Prove] {
        let test_folio = test_folio(&company, &app, folio()).await;
        let session = app.new_session(test_folio.party(0)).await;
        app.app()
            .send_codes(&session, purpose.clone(), domain::Client::default())
            .await
            .unwrap();
        let typed = attempt(Channel::Email, app.code_for(&email(0)).await);
        let refused = app.app().sign_folios(&session, typed.clone()).await;
        assert!(
            matches!(refused, Err(Error::NotAccepted)),
            "a code for {purpose:?}: {refused:?}"
        );
        let consent = app::signing::consent::Consent::SPANISH;
        app.app()
            .accept(&session, consent, domain::Client::default())
            .await
            .unwrap();
        let signed = app.app().sign_folios(&session, typed).await.unwrap();
        let done = Signed::Done(vec![(test_folio.folio, Ok(()))]);
        assert_eq!(signed, done, "a code for {purpose:?}");
        // What was accepted is told of before the signature.
        let events = company.events(&test_folio.folio.to_string()).await;
        let place = |what: &str| events.iter().position(|event| event["what"] == what);
        assert!(
            place("accepted").is_some() && place("accepted") < place("signed"),
            "{events:?}"
        );
    }
}

#[tokio::test]
async fn a_key_that_corrects_a_contact_can_reject_and_leaves_a_trace() {
    let own = "sistema@example.com";
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let id = test_folio.folio.to_string();
    let changed = correction("1001", own, MOBILE);
    company.resend(&id, &[changed]).await.ok();
    let session = app.session_proved_by(test_folio.party(0), own).await;
    let purpose = app::CodePurpose::Reject;
    app.app()
        .send_codes(&session, purpose, domain::Client::default())
        .await
        .unwrap();
    let codes = testkit::typed(Channel::Email, app.code_for(own).await);
    let why = domain::Observation::new("No es lo que acordamos.").unwrap();
    let rejected = app.app().reject_folio(
        &session,
        test_folio.folio,
        why,
        codes,
        domain::Client::at(ADDRESS),
    );
    assert_eq!(rejected.await.unwrap(), app::CodeOutcome::Done(()));
    let read = company.read(&id).await;
    assert_eq!(read.at("/data/folioData/stateName"), "RECHAZADO FIRMANTE");
    let told = company.messages(&id).await;
    let notified = |message: &store::OutboxRow| {
        message.template == domain::Template::ContactChanged && message.recipient == email(0)
    };
    assert!(told.iter().any(notified), "{told:?}");
    let events = company.events(&id).await;
    let sent = |event: &serde_json::Value| event["what"] == "code_sent" && event["recipient"] == own;
    assert!(events.iter().any(sent), "{events:?}");
}

#[tokio::test]
async fn wrong_numbers_make_only_their_own_network_wait() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let elsewhere: std::net::IpAddr = [198, 51, 100, 9].into();
    let identify = async |number: &str, address| {
        let number = domain::DocumentNumber::new(number).unwrap();
        app.app()
            .identify(
                test_folio.folio,
                domain::DocumentType::CitizenCard,
                number,
                (address, None),
            )
            .await
    };
    assert_eq!(identify("1002", ADDRESS).await.unwrap(), test_folio.party(1));
    let mut waits = Vec::new();
    for guess in 0..9 {
        let refused = identify(&guess.to_string(), ADDRESS).await;
        assert!(
            matches!(refused, Err(Error::Refused(Refusal::UnknownSigner))),
            "{refused:?}"
        );
        if let Err(Error::TooOften { retry_after }) = identify("1001", ADDRESS).await {
            waits.push(retry_after.as_secs());
            app.advance(retry_after);
        }
        assert_eq!(identify("1001", elsewhere).await.unwrap(), test_folio.party(0));
    }
    assert_eq!(waits, [30, 60, 120, 240, 480]);
    assert_eq!(identify("1001", ADDRESS).await.unwrap(), test_folio.party(0));
}

#[tokio::test]
async fn wrong_numbers_of_a_browser_do_not_hold_back_another_of_its_network() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let identify = async |number: &str, browser: u8| {
        let number = domain::DocumentNumber::new(number).unwrap();
        let visitor = domain::VisitorId::from_bytes([browser; 16]);
        app.app()
            .identify(
                test_folio.folio,
                DocumentType::CitizenCard,
                number,
                (ADDRESS, Some(visitor)),
            )
            .await
    };
    for guess in 0..5 {
        let refused = identify(&guess.to_string(), 1).await;
        assert!(matches!(refused, Err(Error::Refused(Refusal::UnknownSigner))));
    }
    assert!(matches!(identify("1001", 1).await, Err(Error::TooOften { .. })));
    assert_eq!(identify("1001", 2).await.unwrap(), test_folio.party(0));
    // One that takes a new cookie for each guess makes its network wait.
    for guess in 5..20 {
        let refused = identify(&guess.to_string(), 10 + guess).await;
        assert!(matches!(refused, Err(Error::Refused(Refusal::UnknownSigner))));
    }
    assert!(matches!(identify("1001", 2).await, Err(Error::TooOften { .. })));
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
    let test_folio = test_folio(&company, &app, folio().signers(&signers)).await;
    let identify = async |document_type: DocumentType, number: &str| {
        let number = domain::DocumentNumber::new(number).unwrap();
        app.app()
            .identify(test_folio.folio, document_type, number, (ADDRESS, None))
            .await
    };
    for (number, place) in [
        ("1.020.304.050", 0),
        ("1 020 304-050", 0),
        ("80-12", 1),
        ("8012", 2),
        ("ab-123-C", 3),
    ] {
        let known = identify(DocumentType::CitizenCard, number).await;
        assert_eq!(known.unwrap(), test_folio.party(place), "{number}");
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
    let test_folio = test_folio(&company, &app, folio()).await;
    let guesses = (0..40).map(|n| guess([&app, &other][n % 2], test_folio.folio, n));
    let outcomes = futures_util::future::join_all(guesses).await;
    let heard = |outcome: &&Result<SigningParty, Error>| {
        matches!(outcome, Err(Error::Refused(Refusal::UnknownSigner)))
    };
    assert_eq!(outcomes.iter().filter(heard).count(), 5, "{outcomes:?}");
    let right = guess(&app, test_folio.folio, 1001).await;
    assert!(matches!(right, Err(Error::TooOften { .. })), "{right:?}");
}

async fn guess(app: &TestApp, folio: FolioId, number: usize) -> Result<SigningParty, Error> {
    let number = domain::DocumentNumber::new(number.to_string()).unwrap();
    let asked = app
        .app()
        .identify(folio, domain::DocumentType::CitizenCard, number, (ADDRESS, None));
    asked.await
}

#[tokio::test]
async fn two_hundred_wrong_codes_at_three_instances_are_five_tries() {
    let app = TestApp::start().await;
    let (second, third) = (app.another_instance().await, app.another_instance().await);
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio().signers(&signers(1))).await;
    let code = test_folio.code(0).await;
    let instances = [test_folio, test_folio.at(&second), test_folio.at(&third)];
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
        test_folio.try_code(0, code).await.unwrap(),
        Signed::NoCode {
            channel: Channel::Email
        }
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_that_a_deadlock_ended_is_made_again() {
    let server = tokio::task::spawn_blocking(|| Postgres::start().unwrap());
    let server = server.await.unwrap();
    let database = server.create_database("firmeza").unwrap();
    let app = TestApp::builder().database(database).start().await;
    let company = app.company("Acme").await;
    let here = test_folio(&company, &app, folio().signers(&signers(1))).await;
    let session = app.new_session(here.party(0)).await;
    app.app()
        .send_codes(&session, app::CodePurpose::Prove, domain::Client::default())
        .await
        .unwrap();
    let typed = testkit::typed(Channel::Email, app.code_for(&email(0)).await);

    // It has the code, and asks for the folio once the proof, which has the folio, asks for the code. The server looks for
    // deadlocks for the proof first.
    let rival = "SET deadlock_timeout = '1min'; BEGIN; SELECT 1 FROM codes FOR UPDATE;
        DO $$ BEGIN
            WHILE NOT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP;
        END $$;
        SELECT 1 FROM folios FOR UPDATE; COMMIT";
    let proof = async {
        let locked =
            "(SELECT pid FROM pg_locks WHERE relation = 'codes'::regclass AND mode = 'RowShareLock')";
        until("the code is locked", async || {
            (!app.rows_of(locked).await.is_empty()).then_some(())
        })
        .await;
        app.app()
            .prove_contact(&session, typed, domain::Client::default())
            .await
    };
    let ((), proved) = tokio::join!(app.tamper(rival), proof);
    assert_eq!(proved.unwrap(), app::CodeOutcome::Done(()));
    assert!(app.deadlocks().await > 0);
}
