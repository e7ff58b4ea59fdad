//! What signers get after they have signed: one message a person and act, with the documents where that is allowed.

use crate::{FIRST, by, single};
use app::SigningParty;
use app::messages::{MessageReport, ReportOutcome};
use data_encoding::BASE64;
use domain::{Channel, Code, ReturnKind, SignerIndex};
use mailparse::MailHeaderMap;
use serde_json::Value;
use store::{Mail, OutboxAge};
use testkit::smtp::{ReceivedEmail, SmtpFault, SmtpServer, SmtpStage};
use testkit::{Company, PanelBrowser, TestApp, attempt, folio, pdf, signer, until};

const SECOND: &str = "maria.1002@example.com";

/// A code in a message, on a line of its own.
fn code_in(text: &str) -> Option<Code> {
    let line = |line: &str| {
        Some(line.trim())
            .filter(|line| line.len() == 6)
            .and_then(Code::typed)
    };
    text.lines().find_map(line)
}

async fn waiting(app: &TestApp) -> OutboxAge {
    app.app().store.read(|tx| tx.outbox_age()).await.unwrap()
}

/// Waits until nothing waits to be sent.
async fn all_sent(app: &TestApp) {
    until("everything to be sent", async || {
        (waiting(app).await.waiting == 0).then_some(())
    })
    .await;
}

/// Has the party sign with the code that comes by email into the built-in mailbox.
async fn sign(app: &TestApp, party: SigningParty, email: &str) {
    let codes = async || -> Vec<Code> {
        let mails = app.mailbox().await.into_iter();
        let mails = mails.filter(|mail| mail.recipient == email && mail.subject.contains("código"));
        mails.filter_map(|mail| code_in(&mail.text)).collect()
    };
    let before = codes().await.len();
    app.ask_for_codes(party).await.unwrap();
    let code = until("the code", async || {
        let codes = codes().await;
        (codes.len() > before).then(|| codes[0].clone())
    });
    app.sign_as(party, attempt(Channel::Email, code.await))
        .await
        .unwrap();
}

fn party(folio: &str, number: usize) -> SigningParty {
    SigningParty::Signer {
        folio: folio.parse().unwrap(),
        signer_index: SignerIndex(number),
    }
}

/// What is in the mailbox for that address, besides codes and invitations, oldest first.
async fn told(app: &TestApp, email: &str) -> Vec<Mail> {
    let mut mails = app.mailbox().await;
    mails.reverse();
    mails.retain(|mail| {
        mail.recipient == email && !mail.subject.contains("código") && !mail.subject.contains("le pide")
    });
    mails
}

fn subjects(mails: &[Mail]) -> Vec<&str> {
    mails.iter().map(|mail| mail.subject.as_str()).collect()
}

#[tokio::test]
async fn every_signer_gets_a_receipt_and_the_last_one_no_second_message() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    sign(&app, party(&id, 0), FIRST).await;
    let receipt = app.mail_to(FIRST, "Usted firmó").await;
    assert_eq!(receipt.subject, "Usted firmó: Contrato de arriendo");
    for words in [
        "El 2 de marzo de 2026 a las 9:30 a. m., usted firmó «Contrato de arriendo», que le envió Acme.",
        "Faltan otras firmas",
        "- contrato.\u{2060}pdf",
        "/sign?s=",
    ] {
        assert!(receipt.text.contains(words), "{}", receipt.text);
    }
    sign(&app, party(&id, 1), SECOND).await;
    let last = app.mail_to(SECOND, "Usted firmó").await;
    assert!(last.text.contains("Ya firmaron todos."), "{}", last.text);
    all_sent(&app).await;
    assert_eq!(
        subjects(&told(&app, FIRST).await),
        [
            "Usted firmó: Contrato de arriendo",
            "Todos firmaron: Contrato de arriendo"
        ]
    );
    assert_eq!(
        subjects(&told(&app, SECOND).await),
        ["Usted firmó: Contrato de arriendo"]
    );
}

#[tokio::test]
async fn about_a_quiet_folio_no_receipt_is_written() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().with("sendEmail", "false")).await;
    sign(&app, party(&id, 0), FIRST).await;
    sign(&app, party(&id, 1), SECOND).await;
    all_sent(&app).await;
    let mails = app.mailbox().await;
    assert_eq!(mails.len(), 2, "the codes: {mails:?}");
    let started = acme
        .start_bulk(
            [acme.created(single().with("sendEmail", "false")).await],
            &signer("1001"),
        )
        .await;
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    sign(&app, bulk, FIRST).await;
    all_sent(&app).await;
    assert_eq!(app.mailbox().await.len(), 3, "and another code");
}

#[tokio::test]
async fn a_receipt_that_waited_until_all_had_signed_gives_way() {
    let mut server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let code = code_by(&server, &app, party(&id, 0), FIRST).await;
    let later = code_by(&server, &app, party(&id, 1), SECOND).await;
    server.stop().await;
    app.sign_as(party(&id, 0), attempt(Channel::Email, code))
        .await
        .unwrap();
    until("the receipt to be tried", async || {
        let first = app
            .app()
            .store
            .read(|tx| tx.undelivered(false, store::MessageRow::ZERO, 1));
        first.await.unwrap().first()?.last_error.as_ref().map(drop)
    })
    .await;
    app.sign_as(party(&id, 1), attempt(Channel::Email, later))
        .await
        .unwrap();
    server.start_again().await;
    until("everything to be sent", async || {
        if app.leases_held().await == 0 {
            app.advance(std::time::Duration::from_secs(2));
        }
        (waiting(&app).await.waiting == 0).then_some(())
    })
    .await;
    let about = |email: &str| -> Vec<String> {
        let received = server.received();
        let subjects = received.iter().filter(|one| one.to == email).map(subject);
        subjects
            .filter(|one| one.contains("firmó") || one.contains("firmaron"))
            .collect()
    };
    assert_eq!(about(FIRST), ["Todos firmaron: Contrato de arriendo"]);
    assert_eq!(about(SECOND), ["Usted firmó: Contrato de arriendo"]);
}

/// Has a code sent to that address by that server; the code.
async fn code_by(server: &SmtpServer, app: &TestApp, party: SigningParty, email: &str) -> Code {
    let codes = || -> Vec<Code> {
        let received = server.received().into_iter().filter(|one| one.to == email);
        received.filter_map(|one| code_in(&one.data)).collect()
    };
    let before = codes().len();
    app.ask_for_codes(party).await.unwrap();
    until("the code", async || {
        let codes = codes();
        (codes.len() > before).then(|| codes[before].clone())
    })
    .await
}

fn subject(email: &ReceivedEmail) -> String {
    let parsed = mailparse::parse_mail(email.data.as_bytes()).unwrap();
    parsed.headers.get_first_value("Subject").unwrap()
}

/// The receipt that a server took for that address.
async fn receipt(server: &SmtpServer, email: &str) -> ReceivedEmail {
    until("the receipt", async || {
        let received = server.received().into_iter();
        received
            .filter(|one| one.to == email)
            .find(|one| subject(one).starts_with("Usted firmó"))
    })
    .await
}

/// The file that is attached to an email.
fn attached(email: &ReceivedEmail) -> Option<Vec<u8>> {
    let (_, part) = email.data.split_once("Content-Type: application/pdf")?;
    let (_, body) = part.split_once("\r\n\r\n")?;
    let (body, _) = body.split_once("\r\n--")?;
    let plain: String = body.split_whitespace().collect();
    Some(BASE64.decode(plain.as_bytes()).unwrap())
}

/// A folio of one signer that signs it with a code by email; what becomes of the storage in between.
async fn signed_by(
    server: &SmtpServer,
    app: &TestApp,
    acme: &Company<'_>,
    document: &[u8],
    between: impl AsyncFnOnce(),
) -> (String, ReceivedEmail) {
    let id = acme
        .created(single().documents([("Contrato Ñandú.pdf", document.to_vec())]))
        .await;
    let code = code_by(server, app, party(&id, 0), FIRST).await;
    between().await;
    app.sign_as(party(&id, 0), attempt(Channel::Email, code))
        .await
        .unwrap();
    let receipt = receipt(server, FIRST).await;
    (id, receipt)
}

#[tokio::test]
async fn the_signed_document_is_attached_byte_by_byte() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let sent = pdf::contract();
    let (id, receipt) = signed_by(&server, &app, &acme, &sent, async || ()).await;
    let file = attached(&receipt).unwrap();
    let now = acme.download(&acme.document_of(&id).await).await.body;
    assert!(
        file.starts_with(&sent) && now.starts_with(&file),
        "with the signature, and no other byte"
    );
    assert!(file.len() > sent.len());
    assert!(receipt.data.contains("multipart/mixed"), "{}", receipt.data);
    assert!(receipt.data.contains("filename"), "{}", receipt.data);
}

#[tokio::test]
async fn what_is_damaged_or_too_large_goes_as_a_link() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let damaged = pdf::saying("Contrato que se daña");
    let damage = async || app.damage_document(&damaged).await;
    let (_, receipt) = signed_by(&server, &app, &acme, &damaged, damage).await;
    assert_eq!(attached(&receipt), None);
    app.mend_document(&damaged).await;

    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let (_, receipt) = signed_by(&server, &app, &acme, &pdf::of_bytes(5_000_000), async || ()).await;
    assert_eq!(attached(&receipt), None);
}

#[tokio::test]
async fn an_address_that_no_code_proved_gets_a_link() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single().with("signatureType", "2")).await;
    app.ask_for_codes(party(&id, 0)).await.unwrap();
    let mail = app.mail_to("+573001234567", "es su c").await;
    let code = mail.text.split(' ').next().and_then(Code::typed).unwrap();
    app.sign_as(party(&id, 0), attempt(Channel::Sms, code))
        .await
        .unwrap();
    let receipt = receipt(&server, FIRST).await;
    assert_eq!(attached(&receipt), None);
}

#[tokio::test]
async fn a_server_that_refuses_the_email_gets_it_without_the_document() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let too_large = async || server.once(SmtpStage::End, SmtpFault::Says("552 5.3.4 too large"));
    let (id, receipt) = signed_by(&server, &app, &acme, &pdf::contract(), too_large).await;
    assert_eq!(attached(&receipt), None);
    all_sent(&app).await;
    let events = acme.events(&id).await;
    let failed = |event: &&Value| event["what"] == "undelivered";
    assert_eq!(events.iter().filter(failed).count(), 0, "{events:?}");
}

/// How often such a message was delivered, by each folio's own history.
async fn delivered(acme: &Company<'_>, folios: &[String], template: &str) -> Vec<usize> {
    let mut counts = Vec::new();
    for id in folios {
        let events = acme.events(id).await;
        let found = |event: &&Value| event["what"] == "delivered" && event["template"] == template;
        counts.push(events.iter().filter(found).count());
    }
    counts
}

#[tokio::test]
async fn a_bulk_act_writes_one_message_a_person_and_each_history_has_it() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let mut folios = Vec::new();
    for number in 0..3 {
        folios.push(
            acme.created(folio().with("folioName", format!("Otrosí {number}")))
                .await,
        );
    }
    for (number, email) in [("1001", FIRST), ("1002", SECOND)] {
        let started = acme.start_bulk(&folios, &signer(number)).await;
        let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
        sign(&app, bulk, email).await;
        all_sent(&app).await;
    }
    let first = told(&app, FIRST).await;
    assert_eq!(
        subjects(&first),
        [
            "Usted firmó 3 documentos de Acme",
            "Todos firmaron 3 documentos de Acme"
        ]
    );
    for mail in &first {
        for id in &folios {
            let link = app.app().links.signer(id.parse().unwrap(), SignerIndex(0));
            assert!(mail.text.contains(link.as_str()), "{}", mail.text);
        }
        assert!(mail.text.contains("Otrosí 2\n1 documento · "), "{}", mail.text);
    }
    assert!(first[0].text.contains("Faltan otras firmas"), "{}", first[0].text);
    assert_eq!(
        subjects(&told(&app, SECOND).await),
        ["Usted firmó 3 documentos de Acme"]
    );
    assert_eq!(delivered(&acme, &folios, "code").await, [2, 2, 2]);
    assert_eq!(delivered(&acme, &folios, "receipt").await, [2, 2, 2]);
    assert_eq!(delivered(&acme, &folios, "completed").await, [1, 1, 1]);
    for id in &folios {
        let evidence = acme.evidence(id).await.body;
        let checked = app::evidence::check(&evidence, None, &[], app.app().clock.now());
        assert_eq!(checked.faults, [], "{id}");
    }
}

async fn erase(admin: &PanelBrowser<'_>, id: &str) {
    let page = format!("/panel/folios/{id}/erase");
    let reason = [("reason", "La titular pidió la supresión.")];
    let erased = admin.post(&page, &reason).await;
    assert_eq!(erased.status, 303, "{}", erased.text());
}

#[tokio::test]
async fn a_report_about_several_folios_stands_in_each_and_an_erasure_takes_only_its_own() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let folios = [acme.created(single()).await, acme.created(single()).await];
    let started = acme.start_bulk(&folios, &signer("1001")).await;
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    sign(&app, bulk, FIRST).await;
    let receipt = app.mail_to(FIRST, "Usted firmó 2 documentos").await;
    all_sent(&app).await;
    let report = || MessageReport {
        kind: ReturnKind::Bounced,
        message_id: receipt.message_id.clone(),
        reason: "550 gone".to_owned(),
    };
    assert_eq!(
        app.app().record_report(report()).await.unwrap(),
        ReportOutcome::Recorded
    );
    assert_eq!(
        app.app().record_report(report()).await.unwrap(),
        ReportOutcome::Ignored
    );
    for id in &folios {
        let events = acme.events(id).await;
        let bounced = events.iter().filter(|event| event["what"] == "bounced").count();
        assert_eq!(bounced, 1, "{events:?}");
    }
    let admin = acme
        .signed_in("luisa@example.com", domain::Role::Administrator)
        .await;
    let addressed = async || {
        let rows = app.rows_of("outbox").await;
        rows.iter().filter(|row| row.contains(FIRST)).count()
    };
    erase(&admin, &folios[0]).await;
    assert!(
        subjects(&told(&app, FIRST).await).is_empty(),
        "it named what was erased"
    );
    // The invitation to the other folio, and the code and the receipt, which are about it, too.
    assert_eq!(addressed().await, 3);
    for id in &folios {
        let evidence = acme.evidence(id).await.body;
        let checked = app::evidence::check(&evidence, None, &[], app.app().clock.now());
        assert_eq!(checked.faults, [], "{}", String::from_utf8_lossy(&evidence));
    }
    erase(&admin, &folios[1]).await;
    assert_eq!(addressed().await, 0);
}
