//! `firmeza bounce`, in the pipe of a mail server.

use crate::support::{Installation, MailServer, Order, Recipients, texts, wait_for};

/// As Postfix reports that a message could not be delivered.
fn status_notification(mail: &str) -> String {
    let parts = format!(
        "--B/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--B/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4F1D41A0
Arrival-Date: Mon,  2 Mar 2026 09:30:00 -0500 (-05)

Final-Recipient: rfc822; maria@example.com
Original-Recipient: rfc822;maria@example.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; in.example.com
Diagnostic-Code: smtp; 550 5.1.1 <maria@example.com> User unknown in
    virtual mailbox table

--B/mx.example.com
Content-Description: Undelivered Message
Content-Type: message/rfc822

{mail}
--B/mx.example.com--
"
    );
    format!(
        "Return-Path: <>
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: firmeza@example.com
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
 boundary=\"B/mx.example.com\"

This is a MIME-encapsulated message.

{parts}"
    )
    .replace("\r\n", "\n")
}

#[test]
fn a_mail_that_comes_back_is_in_the_history_once() {
    let mail_server = MailServer::start(Recipients::Accepted);
    let installation = Installation::new().with("FIRMEZA_SMTP_URL", mail_server.url());
    let _server = installation.serve();
    installation.client().created(&Order::small());
    wait_for("an invitation to leave", || mail_server.taken() > 0);
    let mail = mail_server.mails().remove(0);
    assert!(mail.contains("Auto-Submitted: auto-generated"), "{mail}");
    let report = status_notification(&mail);

    let bounce = |input: &str| installation.run_with_input(&["bounce"], input.as_bytes());
    let first = bounce(&report);
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.stdout.contains("in the folio's history"), "{first:?}");
    let again = bounce(&report);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.stdout.contains("reported before"), "{again:?}");
    let strange = bounce(&report.replace("Message-ID: <", "Message-ID: <9"));
    assert_eq!(strange.code, Some(0), "{strange:?}");
    assert!(strange.stdout.contains("no such message"), "{strange:?}");
    let delayed = bounce(&report.replace("Action: failed", "Action: delayed"));
    assert!(delayed.stdout.contains("nothing that lasts"), "{delayed:?}");
    let person = bounce("From: maria@example.com\nSubject: Hola\n\nGracias.\n");
    assert_eq!(person.code, Some(65), "the server returns it: {person:?}");

    let written = "SELECT personal FROM events WHERE body LIKE '%\"what\":\"bounced\"%'";
    let written = texts(&installation.sqlite(), written);
    assert_eq!(written.len(), 1, "{written:?}");
    assert!(
        written[0].contains("550 5.1.1 <maria@example.com> User unknown in virtual mailbox table"),
        "{written:?}"
    );
}

#[test]
fn a_report_stays_with_the_mail_server_while_it_cannot_be_recorded() {
    let report = status_notification("Message-ID: <1.0123456789abcdef@firma.example.com>\n\nHola");
    for (name, value) in [
        ("FIRMEZA_DATABASE_URL", "postgres://nobody@127.0.0.1:1/firmeza"),
        ("FIRMEZA_LISTEN", "here"),
    ] {
        let installation = Installation::new().with(name, value);
        let ended = installation.run_with_input(&["bounce"], report.as_bytes());
        assert_eq!(ended.code, Some(75), "{name}: {ended:?}");
    }
}
