//! Emails that came back after they had left: in the folio's history once, on its page, and told to the company's system.

use app::messages::{MessageReport, ReportOutcome};
use axum::http::{Method, StatusCode, header};
use data_encoding::BASE64;
use domain::Role::Administrator;
use domain::{AccountEmailKind, Observation, ReturnKind, SignerIndex};
use serde_json::{Value, json};
use std::time::Duration;
use store::MessageRow;
use testkit::{
    Company, EMAIL_REPORTS_TOKEN, FolioAct, Form, PanelBrowser, Receiver, TestApp, TestResponse, correction,
    folio, pdf, signers, until,
};

/// A person who sends folios from the panel, and the signer of one.
const SENDER: &str = "luisa@example.com";
const SIGNER: &str = "andres@example.com";

/// The names of the messages that were sent about a folio, in their order.
async fn sent_about(company: &Company<'_>, id: &str, count: usize) -> Vec<String> {
    until("the messages are sent", async || {
        let events = company.events(id).await;
        let sent = events.iter().filter(|event| event["what"] == "delivered");
        let names: Vec<String> = sent
            .map(|event| event["message_id"].as_str().unwrap().to_owned())
            .collect();
        (names.len() == count).then_some(names)
    })
    .await
}

async fn report(company: &Company<'_>, token: &str, body: &Value) -> TestResponse {
    report_as(company, &format!("Bearer {token}"), body).await
}

/// The header that a provider makes of `https://reports:PASSWORD@…`.
fn basic(password: &str) -> String {
    format!(
        "Basic {}",
        BASE64.encode(format!("reports:{password}").as_bytes())
    )
}

async fn report_as(company: &Company<'_>, authorization: &str, body: &Value) -> TestResponse {
    let request = company
        .request(Method::POST, "/email/reports")
        .header(header::AUTHORIZATION, authorization)
        .header(header::CONTENT_TYPE, "application/json")
        .body(body.to_string());
    company.send(request).await
}

fn bounce(id: &str) -> Value {
    json!({"type": "bounce", "messageId": format!("<{id}>"), "reason": "550 5.1.1\r\nunknown user"})
}

/// The events of a folio of that kind.
async fn events(company: &Company<'_>, id: &str, what: &str) -> Vec<Value> {
    let all = company.history(id).await;
    let all = all.iter().map(domain::event::ChainedEvent::full_body);
    all.filter(|event| event["what"] == what).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_providers_reports_end_in_the_history_once_and_are_told_to_the_company() {
    let app = TestApp::builder()
        .delivering()
        .with_webhooks()
        .taking_email_reports()
        .start()
        .await;
    let receiver = Receiver::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let address = receiver.url();
    let wanted = [
        ("kind", "folio.email_bounced"),
        ("kind", "folio.email_complained"),
        ("address", address.as_str()),
        ("label", "ERP"),
    ];
    let added = admin.post("/panel/webhooks", &wanted).await;
    assert!(added.status < 400, "{}", added.text());
    let id = acme.created(folio().signers(&signers(2))).await;
    let sent = sent_about(&acme, &id, 2).await;

    let complaint = json!({"type": "complaint", "messageId": sent[1]});
    let unknown = bounce("999.0123456789abcdef@firmeza.example.com");
    let forged = bounce(&sent[0].replacen('.', ".0", 1));
    let body = json!({"reports": [bounce(&sent[0]), complaint, unknown, forged]});
    let told = report(&acme, EMAIL_REPORTS_TOKEN, &body).await;
    assert_eq!(told.status, 200, "{}", told.text());
    assert_eq!(told.json(), json!({"recorded": 2, "ignored": 0, "unknown": 2}));
    let again = report(&acme, EMAIL_REPORTS_TOKEN, &body).await;
    assert_eq!(again.json(), json!({"recorded": 0, "ignored": 2, "unknown": 2}));

    let bounced = events(&acme, &id, "bounced").await;
    assert_eq!(bounced.len(), 1, "{bounced:?}");
    assert_eq!(bounced[0]["message_id"], sent[0].as_str());
    assert_eq!(bounced[0]["reason"], "550 5.1.1 unknown user");
    assert_eq!(bounced[0]["template"], "invitation");
    assert_eq!(events(&acme, &id, "complained").await.len(), 1);
    let page = admin.get(&format!("/panel/folios/{id}")).await.text();
    for words in [
        "El servidor de correo informó que un mensaje para",
        "El servidor respondió: 550 5.1.1 unknown user",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // The complaint has no reason.
    assert!(!page.contains("message\"></p>"), "{page}");
    let steps = page.split("class=\"steps").skip(1);
    let steps: Vec<&str> = steps.filter_map(|steps| steps.split("</ol>").next()).collect();
    for words in ["Devuelto: no llegó", "Marcado como no deseado"] {
        let told = steps.iter().filter(|steps| steps.contains(words));
        assert_eq!(told.count(), 1, "{words}: {steps:?}");
        assert_eq!(
            page.matches(words).count(),
            2,
            "{words}, of the message too: {page}"
        );
    }
    let evidence = acme.evidence(&id).await.text();
    let checked = app::evidence::check(evidence.as_bytes(), None, &[], app.app().clock.now());
    assert_eq!(checked.faults, [], "{evidence}");

    while app.app().project_changes().await.unwrap() > 0 {}
    let mut kinds: Vec<String> = receiver
        .until(2)
        .await
        .iter()
        .map(|request| serde_json::from_slice::<Value>(&request.body).unwrap()["type"].to_string())
        .collect();
    kinds.sort();
    assert_eq!(kinds, [r#""folio.email_bounced""#, r#""folio.email_complained""#]);
}

/// What Amazon SNS makes of a notification of SES.
fn from_topic(message: &Value) -> Value {
    json!({
        "Type": "Notification", "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": "arn:aws:sns:us-east-1:123456789012:firmas", "Message": message.to_string(),
        "Timestamp": "2026-03-02T14:30:00.000Z", "SignatureVersion": "1", "Signature": "EXAMPLE",
        "SigningCertURL": "https://sns.us-east-1.amazonaws.com/x.pem",
        "UnsubscribeURL": "https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe"
    })
}

/// What SES says of an email: its own name, and ours among the headers.
fn mail_of_ses(id: &str) -> Value {
    json!({
        "timestamp": "2026-03-02T14:30:00.000Z", "source": "firmas@example.com",
        "messageId": "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
        "destination": ["maria@example.com"], "headersTruncated": false,
        "headers": [{"name": "Message-ID", "value": format!("<{id}>")}],
        "commonHeaders": {"messageId": format!("<{id}>"), "subject": "Contrato"}
    })
}

/// A bounce as SES notifies of it.
fn bounce_of_ses(kind: &str, mail: &Value) -> Value {
    json!({
        "notificationType": "Bounce", "mail": mail,
        "bounce": {
            "bounceType": kind, "bounceSubType": "General", "reportingMTA": "dns; email.example.com",
            "bouncedRecipients": [{
                "emailAddress": "maria@example.com", "status": "5.1.1", "action": "failed",
                "diagnosticCode": "smtp; 550 5.1.1 unknown user"
            }],
            "timestamp": "2026-03-02T14:30:00.000Z", "feedbackId": "00000138111222aa-000000"
        }
    })
}

/// A complaint as a configuration set of SES has it.
fn complaint_of_ses(sub: &Value, feedback: &Value, mail: &Value) -> Value {
    json!({
        "eventType": "Complaint", "mail": mail,
        "complaint": {
            "complaintSubType": sub, "complaintFeedbackType": feedback, "feedbackId": "000001378603177f-000000",
            "complainedRecipients": [{"emailAddress": "maria@example.com"}]
        }
    })
}

fn event_of_sendgrid(event: &str, more: &Value, id: &str) -> Value {
    let mut body = json!({
        "email": "maria@example.com", "timestamp": 1_772_461_800, "smtp-id": format!("<{id}>"), "event": event,
        "sg_event_id": "bounce-0-Yj1g", "sg_message_id": "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0"
    });
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
    body
}

fn event_of_mailgun(more: &Value, id: &str) -> Value {
    let mut event = json!({
        "id": "G9Bn5sl1TC6nu79C8C0bwg", "timestamp": 1_772_461_800.5, "recipient": "maria@example.com",
        "message": {"headers": {"message-id": id, "to": "maria@example.com"}}
    });
    let more = more.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(more);
    let signature = json!({"timestamp": "1772461800", "token": "a8ce", "signature": "d2271d12299f6592"});
    json!({ "signature": signature, "event-data": event })
}

/// A failure as Mailgun tells of it.
fn failure(severity: &str) -> Value {
    json!({
        "event": "failed", "severity": severity, "reason": "suppress-bounce",
        "delivery-status": {"code": 605, "message": "", "description": "Not delivering to a bounced address"}
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_are_understood_as_providers_send_them() {
    let app = TestApp::builder()
        .delivering()
        .taking_email_reports()
        .start()
        .await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().signers(&signers(9))).await;
    let sent = sent_about(&acme, &id, 9).await;
    let mail = |number: usize| mail_of_ses(&sent[number]);
    let nothing = Value::Null;
    let abuse = json!("abuse");
    let without_headers = json!({"messageId": "00000138111222aa-000000", "source": "firmas@example.com"});
    let confirmation = json!({
        "Type": "SubscriptionConfirmation", "TopicArn": "arn:aws:sns:us-east-1:123456789012:firmas", "Token": "2336412f37",
        "Message": "You have chosen to subscribe to the topic.", "SubscribeURL": "https://sns.us-east-1.amazonaws.com/?Token=2336412f37"
    });
    let sendgrid = json!([
        event_of_sendgrid("delivered", &json!({"response": "250 OK"}), &sent[4]),
        event_of_sendgrid(
            "bounce",
            &json!({"type": "blocked", "reason": "421 busy"}),
            &sent[4]
        ),
        event_of_sendgrid(
            "bounce",
            &json!({"type": "bounce", "reason": "500 unknown"}),
            &sent[4]
        ),
        event_of_sendgrid("dropped", &json!({"reason": "Bounced Address"}), &sent[5]),
        event_of_sendgrid("spamreport", &json!({}), &sent[6]),
        event_of_sendgrid(
            "bounce",
            &json!({"type": "bounce"}),
            "14c5d75ce93.dfd.64b469@ismtpd-555"
        ),
    ]);
    let suppressed = json!("OnAccountSuppressionList");
    let cases = [
        (from_topic(&bounce_of_ses("Transient", &mail(0))), 0, 0),
        (from_topic(&bounce_of_ses("Permanent", &mail(0))), 1, 0),
        (bounce_of_ses("Permanent", &mail(1)), 1, 0),
        (bounce_of_ses("Permanent", &without_headers), 0, 1),
        (
            from_topic(&complaint_of_ses(&nothing, &json!("not-spam"), &mail(2))),
            0,
            0,
        ),
        (from_topic(&complaint_of_ses(&nothing, &abuse, &mail(2))), 1, 0),
        (
            from_topic(&complaint_of_ses(&suppressed, &nothing, &mail(3))),
            1,
            0,
        ),
        (from_topic(&json!("Successfully validated SNS topic")), 0, 0),
        (confirmation, 0, 0),
        (sendgrid, 3, 1),
        (event_of_mailgun(&failure("temporary"), &sent[7]), 0, 0),
        (event_of_mailgun(&failure("permanent"), &sent[7]), 1, 0),
        (event_of_mailgun(&json!({"event": "complained"}), &sent[8]), 1, 0),
        (event_of_mailgun(&json!({"event": "opened"}), &sent[8]), 0, 0),
    ];
    for (body, recorded, unknown) in cases {
        let told = report_as(&acme, &basic(EMAIL_REPORTS_TOKEN), &body).await;
        let counted = json!({"recorded": recorded, "ignored": 0, "unknown": unknown});
        assert_eq!((told.status, told.json()), (200, counted), "{body}");
    }
    let noted = async |what: &str| {
        let mut noted: Vec<(String, String)> = Vec::new();
        for event in events(&acme, &id, what).await {
            let text = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
            noted.push((text("message_id"), text("reason")));
        }
        noted
    };
    let expected = |rows: &[(usize, &str)]| -> Vec<(String, String)> {
        let rows = rows.iter();
        rows.map(|(number, reason)| (sent[*number].clone(), (*reason).to_owned()))
            .collect()
    };
    let bounces = [
        (0, "550 5.1.1 unknown user"),
        (1, "550 5.1.1 unknown user"),
        (3, "OnAccountSuppressionList"),
        (4, "500 unknown"),
        (5, "Bounced Address"),
        (7, "Not delivering to a bounced address"),
    ];
    assert_eq!(noted("bounced").await, expected(&bounces));
    let complaints = [(2, "abuse"), (6, ""), (8, "")];
    assert_eq!(noted("complained").await, expected(&complaints));
}

/// A folio that a person makes in the panel for one signer.
async fn made_by(person: &PanelBrowser<'_>) -> String {
    let form = Form::new()
        .text("csrf", person.csrf().await)
        .text("name", "Contrato de arriendo")
        .text("message", "Por favor revise y firme.")
        .text("name0", "Andrés Peña")
        .text("kind0", "CC")
        .text("number0", "1020304050")
        .text("email0", SIGNER)
        .text("mobile0", "3001234567")
        .text("signatureType", "1")
        .text("sendEmail", "true")
        .file("documents", "contrato.pdf", pdf::contract());
    let made = person.post_form("/panel/folios/new", form).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let page = made.header("location").unwrap();
    page.split(['/', '?']).nth(3).unwrap().to_owned()
}

/// How many emails about returned messages were queued for people of the panel.
async fn notices(app: &TestApp) -> usize {
    let rows = app.rows_of("account_emails").await;
    rows.iter().filter(|row| row.contains("message_")).count()
}

#[tokio::test]
async fn the_person_who_sent_the_folio_is_told_once_a_day_and_a_system_is_not() {
    let app = TestApp::builder()
        .delivering()
        .taking_email_reports()
        .start()
        .await;
    let acme = app.company("Acme").await;
    let tell = async |body: Value| {
        let told = report(&acme, EMAIL_REPORTS_TOKEN, &json!({ "reports": [body] })).await;
        assert_eq!(told.status, 200, "{}", told.text());
    };
    let by_system = acme.created(folio().signers(&signers(1))).await;
    tell(bounce(&sent_about(&acme, &by_system, 1).await[0])).await;
    assert_eq!(notices(&app).await, 0);

    let person = acme.signed_in(SENDER, Administrator).await;
    let id = made_by(&person).await;
    let invitation = sent_about(&acme, &id, 1).await.remove(0);
    tell(bounce(&invitation)).await;
    tell(bounce(&invitation)).await;
    let mail = app.mail_to(SENDER, "no llegó").await;
    let page = format!("/panel/folios/{id}");
    for said in ["Andrés Peña", "a•••s@", "Contrato de arriendo", &page] {
        assert!(mail.text.contains(said), "{said}: {}", mail.text);
    }
    assert!(!mail.html.contains(SIGNER), "{}", mail.html);
    assert_eq!(notices(&app).await, 1);

    let again = [json!({ "documentNumber": "1020304050" })];
    acme.resend(&id, &again).await.ok();
    tell(bounce(&sent_about(&acme, &id, 2).await[1])).await;
    assert_eq!(notices(&app).await, 1, "the same contact on the same day");
    app.advance(Duration::from_hours(25));
    acme.resend(&id, &again).await.ok();
    let complaint = json!({"type": "complaint", "messageId": sent_about(&acme, &id, 3).await[2]});
    tell(complaint).await;
    app.mail_to(SENDER, "no deseado").await;
    assert_eq!(notices(&app).await, 2);

    app.advance(Duration::from_hours(25));
    person.sign_in().await;
    let other = made_by(&person).await;
    let sent = sent_about(&acme, &other, 1).await;
    app.tamper("UPDATE users SET disabled_at = 1").await;
    tell(bounce(&sent[0])).await;
    assert_eq!(notices(&app).await, 2, "the person may no longer see it");
}

#[tokio::test]
async fn a_contact_in_many_folios_is_one_notice_a_day() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in(SENDER, Administrator).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(made_by(&person).await);
    }
    app.give_up().await;
    let dead = app
        .app()
        .store
        .read(|tx| tx.undelivered(true, MessageRow::ZERO, 9));
    let dead: Vec<MessageRow> = dead.await.unwrap().iter().map(|message| message.seq).collect();
    assert_eq!(dead.len(), 3);
    let tell = async |messages: &[MessageRow]| {
        let (messages, now) = (messages.to_vec(), app.app().clock.now());
        let kind = AccountEmailKind::MessageUndelivered;
        let told = app
            .app()
            .store
            .write(move |tx| tx.queue_sender_notices(&messages, kind, now));
        told.await.unwrap();
        notices(&app).await
    };
    assert_eq!(tell(&dead[..]).await, 1, "of one transaction");
    assert_eq!(tell(&dead[1..]).await, 1, "of another, and other folios");
    app.advance(Duration::from_hours(25));
    assert_eq!(tell(&dead[1..]).await, 2);

    // The same of numbers, as long as they are the signers'.
    app.tamper("UPDATE outbox SET channel = 'sms', recipient = '+573001234567'")
        .await;
    app.advance(Duration::from_hours(25));
    assert_eq!(tell(&dead[..]).await, 3);
    for id in &ids {
        let new = correction("1020304050", SIGNER, "3109876543");
        acme.resend(id, &[new]).await.ok();
    }
    app.advance(Duration::from_hours(25));
    assert_eq!(tell(&dead[..]).await, 3, "the number was corrected");
}

#[tokio::test]
async fn a_message_that_was_given_up_is_told_to_its_sender_and_the_notice_is_erased_with_the_folio() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in(SENDER, Administrator).await;
    app.tamper(&format!(
        "INSERT INTO sandbox_bounces (recipient) VALUES ('{SIGNER}')"
    ))
    .await;
    let id = made_by(&person).await;
    app.mail_to(SENDER, "no llegó").await;
    assert_eq!(notices(&app).await, 1);
    acme.act(&id, FolioAct::Reject(SignerIndex(0))).await;
    let page = format!("/panel/folios/{id}/erase");
    let erased = person
        .post(&page, &[("reason", "La titular pidió la supresión.")])
        .await;
    assert_eq!(erased.status, 303, "{}", erased.text());
    let left = app.mailbox().await;
    assert!(left.iter().all(|mail| !mail.text.contains("Andrés")), "{left:?}");
}

#[tokio::test]
async fn only_the_token_opens_it_and_a_wrong_form_is_told() {
    let app = TestApp::builder().taking_email_reports().start().await;
    let acme = app.company("Acme").await;
    let none = json!({"reports": []});
    for token in ["", "fedcba9876543210fedcba987654321", "x"] {
        let refused = report(&acme, token, &none).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{token}");
        let refused = report_as(&acme, &basic(token), &none).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{token}");
        let asked = refused.header("www-authenticate");
        assert!(
            asked.is_some_and(|asked| asked.starts_with("Basic realm=")),
            "{token}"
        );
    }
    for wrong in ["Basic", "Basic ====", EMAIL_REPORTS_TOKEN] {
        let refused = report_as(&acme, wrong, &none).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{wrong}");
    }
    assert_eq!(report(&acme, EMAIL_REPORTS_TOKEN, &none).await.status, 200);
    let too_many: Vec<Value> = (0..101).map(|_| bounce("1.x@y")).collect();
    for wrong in [
        json!([]),
        json!({"event-data": {}}),
        json!({"reports": [{"type": "bounce"}]}),
        json!({"reports": [{"type": "delay", "messageId": "<1.x@y>"}]}),
        json!({"reports": too_many}),
    ] {
        let refused = report(&acme, EMAIL_REPORTS_TOKEN, &wrong).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let closed = TestApp::start().await;
    let acme = closed.company("Acme").await;
    assert_eq!(report(&acme, EMAIL_REPORTS_TOKEN, &none).await.status, 404);
}

#[tokio::test]
async fn an_erased_folio_learns_nothing_more() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().signers(&signers(1))).await;
    let sent = sent_about(&acme, &id, 1).await;
    acme.act(&id, FolioAct::Reject(SignerIndex(0))).await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let reason = Observation::new("La titular pidió la supresión.").unwrap();
    let erased = admin
        .post(
            &format!("/panel/folios/{id}/erase"),
            &[("reason", reason.as_str())],
        )
        .await;
    assert_eq!(erased.status, 303, "{}", erased.text());
    let before = acme.history(&id).await.len();
    let report = MessageReport {
        kind: ReturnKind::Bounced,
        message_id: sent[0].clone(),
        reason: "550 maria.1001@example.com".to_owned(),
    };
    let outcome = app.app().record_report(report).await.unwrap();
    assert_eq!(outcome, ReportOutcome::UnknownMessage);
    assert_eq!(acme.history(&id).await.len(), before);
}
