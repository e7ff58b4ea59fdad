//! Every bound of the interface, in one place. Lengths count characters, not bytes.

use std::time::Duration;

/// Signers of one folio.
pub const SIGNERS: usize = 10;
/// Length of a folio's name.
pub const FOLIO_NAME: usize = 100;
/// Length of the message to the signers.
pub const FOLIO_MESSAGE: usize = 500;
/// Length of a return address given on creation.
pub const RETURN_URL: usize = 2048;
/// Length of a return address given on resending and on bulk signatures.
pub const RETURN_URL_SHORT: usize = 500;
/// Length of a person's name.
pub const PERSON_NAME: usize = 200;
/// Length of an identification number.
pub const DOCUMENT_NUMBER: usize = 32;
/// Length of an email address.
pub const EMAIL: usize = 254;
/// Fewest digits of a phone number, without the country's code.
pub const MOBILE_MIN: usize = 7;
/// Most digits of a phone number.
pub const MOBILE_MAX: usize = 15;
/// Length of a document's file name.
pub const FILE_NAME: usize = 200;
/// Shortest reason for cancelling or rejecting.
pub const OBSERVATION_MIN: usize = 10;
/// Longest reason for cancelling or rejecting.
pub const OBSERVATION_MAX: usize = 500;
/// Longest legal basis that sheets name.
pub const LEGAL_BASIS: usize = 200;
/// Folios of one cancel request.
pub const CANCEL_FOLIOS: usize = 50;
/// Folios of one bulk signature.
pub const BULK_FOLIOS: usize = 50;
/// Folios of one read.
pub const READ_FOLIOS: usize = 1000;
/// Folios of one approval, rejection or drop.
pub const BATCH_FOLIOS: usize = 50;
/// Words by which one folio is found.
pub const SEARCH_WORDS: usize = 128;
/// Length of a word by which a folio is found.
pub const SEARCH_WORD: usize = 32;
/// Words that are looked for at once.
pub const SEARCH_TERMS: usize = 6;
/// How long the address of a bulk signature works.
pub const BULK_LIFETIME: Duration = Duration::from_hours(24);
/// How long the answer to an idempotency key is kept.
pub const IDEMPOTENCY_LIFETIME: Duration = Duration::from_hours(24);
/// Length of an idempotency key.
pub const IDEMPOTENCY_KEY: usize = 255;
/// Tries at one code.
pub const CODE_TRIES: usize = 5;
/// How long a signer waits for another code, after the first of a day, the second, and so on; the last one repeats.
pub const CODE_PAUSES: [Duration; 6] = [
    Duration::from_mins(1),
    Duration::from_mins(1),
    Duration::from_mins(2),
    Duration::from_mins(5),
    Duration::from_mins(15),
    Duration::from_hours(1),
];
/// Codes sent to one signer of a folio, or of a bulk signature, in a day.
pub const CODES_A_DAY: usize = 10;
/// Codes sent to one address or number in a day, over all folios.
pub const CODES_TO_RECIPIENT_A_DAY: usize = 20;
/// How far apart two clocks may be. A time that lies farther ahead was written before the clock went back.
pub const MAX_CLOCK_SKEW: Duration = Duration::from_secs(30);
/// The day over which sent codes are counted.
pub const CODES_DAY: Duration = Duration::from_hours(24);
/// Codes of one signer and channel that are good at the same time, each in the session that asked for it.
pub const LIVE_CODES: usize = 3;
/// How long a code sent by email is good.
pub const EMAIL_CODE_LIFETIME: Duration = Duration::from_mins(10);
/// How long a code sent by text message is good.
pub const SMS_CODE_LIFETIME: Duration = Duration::from_mins(5);
/// How long a signer's session lasts without use.
pub const SESSION_IDLE: Duration = Duration::from_mins(15);
/// How long a signer's session lasts at the most.
pub const SESSION_LIFETIME: Duration = Duration::from_hours(4);
/// Visits of one signer in a day that are recorded; later ones of the day are not.
pub const VISITS_A_DAY: usize = 1000;
/// The same from one network: others with the link leave room for the signer's own visits.
pub const VISITS_FROM_NETWORK_A_DAY: usize = 50;
/// Fewest characters of a password.
pub const PASSWORD_MIN: usize = 10;
/// Most characters of a password.
pub const PASSWORD_MAX: usize = 128;
/// How long a session of the panel lasts without use.
pub const PANEL_IDLE: Duration = Duration::from_mins(30);
/// How long a session of the panel lasts at the most.
pub const PANEL_LIFETIME: Duration = Duration::from_hours(12);
/// Sessions of one person at a time; the oldest gives way.
pub const PANEL_SESSIONS: usize = 20;
/// People of one company.
pub const USERS: usize = 500;
/// Forms of new folios that one person may leave unsent; the oldest gives way.
pub const DRAFTS: usize = 5;
/// How long such a form is kept after it was last saved.
pub const DRAFT_LIFETIME: Duration = Duration::from_hours(24 * 14);
/// Templates of folios that a company keeps.
pub const FOLIO_TEMPLATES: usize = 100;
/// Length of the name of a template, and of a signer's role in one.
pub const FOLIO_TEMPLATE_NAME: usize = 60;
/// Folios that are made at once of the rows of a file.
pub const IMPORTED_FOLIOS: usize = 200;
/// Bytes of such a file.
pub const IMPORT_BYTES: usize = 200_000;
/// Searches that one person keeps.
pub const SAVED_SEARCHES: usize = 20;
/// Length of the name of a search.
pub const SAVED_SEARCH_NAME: usize = 60;
/// Signers of earlier folios that a form offers.
pub const CONTACTS: usize = 60;
/// How long a link for choosing a password works.
pub const PASSWORD_LINK_LIFETIME: Duration = Duration::from_hours(1);
/// Bytes of a company's logo.
pub const LOGO_BYTES: usize = 256 << 10;
/// Pixels on a side of a company's logo.
pub const LOGO_SIDE: u32 = 2000;
/// Sites that may show a company's pages.
pub const ORIGINS: usize = 20;
/// Days that a company may let pass, to sign or until folios are dropped.
pub const DAYS: i64 = 36_500;
/// Days of a company's schedule of reminders.
pub const REMINDER_DAYS: i64 = 365;
/// Reminders of one folio, but for the one before it expires.
pub const REMINDERS: i64 = 20;
/// API keys of one company that are not revoked.
pub const KEYS: usize = 100;
/// Length of an API key's label.
pub const KEY_LABEL: usize = 100;
