//! What the report says in English.

use super::Texts;
use domain::Language;

pub(super) const ENGLISH: Texts = Texts {
    language: Language::English,
    eyebrow: "Evidence",
    title: "Record of electronic signature",
    page: "Page {number} of {count}",
    reference: "Folio no. {id}",
    introduction: "This record brings together what the service noted about “{folio}”: the documents, who was asked to sign, \
                   what each person did, when and from where.",

    summary: "Summary by signer",
    signer: "Signer",
    invited: "Invitation",
    opened: "Opened",
    accepted: "Accepted",
    code: "Code",
    signed: "Signed",
    rejected_at: "Rejected: {time}",
    summary_part: "The summary covers only the events of this part.",

    process: "Signing process",
    subject: "Subject",
    folio: "Folio ID",
    sent_by: "Sent by",
    sender_person: "{company}: {name} (a person, in the panel)",
    sender_system: "{company}: {name} (a system, by its API key)",
    state: "State",
    signature_type: "Verified by",
    observation: "Remark",
    created: "Created",
    made: "Record made",
    service: "Service",
    verification: "Verification",

    what_is_proved: "What was checked",
    legal_level: "Legal level",
    legal_level_text: "Electronic signature: {basis}. Its means of identification is a one-time code. It is not a digital \
                       signature with a certificate of an accredited certification authority{article}.",
    legal_level_article: " (Ley 527 de 1999, article 28)",
    checked: "Checked",
    checked_email: "Each person who signed or rejected had first entered the one-time code that was sent to the email address \
                    named here.",
    checked_sms: "Each person who signed or rejected had first entered the one-time code that was sent to the phone number \
                  named here.",
    unchecked: "Not checked",
    unchecked_text: "The name and the identity document of each signer are those that the sender of the documents stated: the \
                     service compared them with no register. Device, browser and language are those that the browser reports.",
    time: "Time",
    time_text: "Time zone {zone}. {clock}",
    clock_system: "The time of each event is that of the server's clock.",
    clock_sandbox: "The clock of this test environment was moved forward: the times of the events are not the real ones.",
    timestamps: "Timestamps",
    timestamps_own: "Those of the signatures, the documents and this record were made by the authority of the same \
                     installation, not by a third party.",
    timestamps_others: "Those of the documents, which cover each signature, were made by {names}; that of this record, by the \
                        authority of the same installation.",

    documents: "Documents",
    identifier: "Identifier",
    as_sent: "As it was sent",
    as_now: "As it is now",
    bytes: "{count} bytes",
    sha256: "SHA-256",

    signers: "Signers",
    document: "Identity document",
    email: "Email",
    mobile: "Phone",
    acted_at: "Date and time",
    ip_address: "IP address",
    browser: "Browser",
    way: "Verified by",
    way_text: "Code by {channel} to {to}",
    accepted_text: "Accepted text",
    accepted_text_reference: "version {version}, hash {hash}",
    unknown: "unknown",

    story: "What happened",
    part_of_history: "The history has {length} events; {shown} of them are told here. This record is one part: the others are \
                      downloaded in the same place.",
    messages_without_event: "Other messages",
    consents: "Accepted texts",
    version: "Version {version}",
    no_signature: "Nobody has signed yet.",
    unknown_consent: "The accepted text is not one of those that this program knows; its hash is in the history.",
    consent_elsewhere: "The accepted text is not in this part of the history: it is in the one that has the signature.",
    annex: "Annex: hashes and certificates",
    annex_lead: "The hash of each event depends on that of the event before it: if one changed, so would the hashes of all that \
                 follow. All of them are SHA-256.",
    certificates_of_signers: "Certificate of each signature",
    events_hashes: "Events",
    code_hash: "Code {code}: hash {hash}",
    code_revealed: "Code {code}: {digits}, salt {salt}",
    service_certificates: "Certificates of the service",
    evidence_hash: "Evidence",
    verifying: "How to verify this record",
    verifying_steps: [
        "This document has the electronic signature of the service with a timestamp, and inside it the root of its certificates \
         and the lists of revoked ones: any PDF reader shows whether it changed. As an attached file it also has the same \
         information in JSON, with a seal of its own.",
        "The root of the certificates is downloaded from the installation: curl -O {service}/authority/root.crt. Compare its \
         fingerprint with the one in this record by another means.",
        "With the program firmeza, offline, in the folder with the files as they are downloaded:",
        "Without it, the guide for auditors explains each step with openssl, pyHanko, qpdf and jq: \
         {service}/docs/en/auditors.",
    ],

    states: [
        ("pending", "Waiting for signatures"),
        ("signed", "Signed by everybody"),
        ("rejected_by_signer", "Rejected by a signer"),
        ("approved", "Signed and approved"),
        ("disapproved", "Signed, and rejected by the company"),
        ("cancelled", "Cancelled"),
    ],
    signature_types: [
        ("email_code", "One-time code by email"),
        ("sms_code", "One-time code by text message"),
    ],
    signer_states: [
        ("pending", "Pending"),
        ("signed", "Signed"),
        ("rejected", "Rejected"),
    ],
    roles: [
        ("root", "Root"),
        ("issuer", "Issuer"),
        ("service", "Service"),
        ("time_stamping", "Time stamping"),
    ],
    channels: [("email", "email"), ("sms", "text message")],
    servers: [("email", "to the mail server"), ("sms", "to the SMS gateway")],
    templates: [
        ("invitation", "the invitation to sign"),
        ("reminder", "the reminder"),
        ("cancelled", "the notice of cancellation"),
        ("rejected", "the notice of rejection"),
        ("receipt", "the receipt of the signature"),
        ("completed", "the notice that everybody signed"),
        ("contact_changed", "the notice of a changed contact"),
        (
            "other_contact",
            "the notice of a bulk signature with another contact",
        ),
        ("code", "the one-time code"),
    ],
    repairs: [
        ("actions", "actions and programs were removed"),
        ("hidden", "content that its pages do not show was removed"),
        ("structure", "its structure was corrected"),
    ],
    message_states: [
        ("waiting", "waiting"),
        ("superseded", "not sent: no longer needed"),
        ("dead", "could not be delivered"),
    ],

    erased: "(erased)",
    withheld: "(withheld)",
    document_named: "“{name}”",
    a_document: "a document",
    by_system: ", by the system of {company}",
    by_person: ", by {who}",
    from_address: ", from the IP address {address}",
    reports_itself: "The browser reports: {device}",
    languages: "languages: {languages}",
    drew: "Drew a signature that stands on the sheet. It is an illustration and no part of the proof",
    typed_picture: "Typed the name as a signature on the sheet: “{text}”. It is an illustration and no part of the proof",
    shown: "Pages of {document} that were shown: {shown} of {pages}",
    downloaded_too: "; the file was downloaded, too",
    other_contact: "With another contact: {contact}",
    number_corrected: "Document number before: {before}; now: {now}",
    repaired: "A document was repaired when it was received: {repair}. Hash of the file sent: {hash}",
    code_name: "Code {code}",
    message: "{template} by {channel} to {to}, made on {created}: {state}",
    events: [
        ("created", "The signing process was created"),
        ("resent", "The invitation to {name} was sent again, to {to}"),
        (
            "resent_corrected",
            "The invitation to {name} was sent again, to {to}, with a corrected contact",
        ),
        ("downloaded", "{document} was downloaded"),
        ("evidence_downloaded", "The evidence was downloaded"),
        (
            "code_sent",
            "A one-time code was generated for {name}, by {channel}, to {to}",
        ),
        (
            "code_refused",
            "{name} entered a wrong code; tries that were left: {left}",
        ),
        (
            "identified",
            "{name} identified themselves with their document number",
        ),
        ("opened", "{name} opened {document}"),
        ("end_reached", "The last page of {document} was shown to {name}"),
        ("accepted", "{name} agreed to sign electronically"),
        ("freed", "{name} was allowed to ask for codes again"),
        (
            "signed",
            "{name} signed with the code received by {channel} at {to}",
        ),
        (
            "delivered",
            "Handed over {server}: {template} for {name}, by {channel}, to {to}",
        ),
        (
            "delivered_mailbox",
            "Put into the test mailbox: {template} for {name}, by {channel}, to {to}",
        ),
        (
            "undelivered",
            "Could not be delivered: {template} for {name}, to {to}",
        ),
        (
            "undelivered_given_up",
            "Could not be delivered: {template} for {name}, to {to}; it was not tried again",
        ),
        (
            "bounced",
            "A mail server reported that a message for {name} did not arrive: {to}",
        ),
        (
            "complained",
            "The email provider reported that {name} marked a message as unwanted: {to}",
        ),
        (
            "extended",
            "The documents received timestamps and revocation data",
        ),
        (
            "rejected",
            "{name} rejected the documents with the code received by {channel} at {to}",
        ),
        ("completed", "Everybody signed: the process is complete"),
        ("cancelled", "The signing process was cancelled"),
        ("approved", "The company approved the signed documents"),
        ("disapproved", "The company rejected the signed documents"),
        ("dropped", "The documents were dropped"),
        ("corrected", "The details of {name} were corrected"),
        ("erased", "The documents and the personal data were erased"),
        ("hold_placed", "The process was placed under legal hold"),
        ("hold_lifted", "The legal hold was lifted"),
        ("bulk_started", "A bulk signature was begun for {name}"),
    ],
};
