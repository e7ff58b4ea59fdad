//! Leases on the outbox: a worker takes messages on a lease, sends and settles them.
//!
//! Several instances may take messages concurrently. A message waits behind an earlier one to the same
//! recipient. A one-time code, which expires soon, waits only behind an earlier code that no instance has taken.

use crate::dialect::ColumnType::{Int, Text};
use crate::error::Error;
use crate::queries::delivery::signed_folios::SignedFolio;
use crate::queries::due_times::DueTimes;
use crate::queries::leases::{Lease, held};
use crate::queries::panel::company_settings::CompanyContact;
use crate::rows::MessageRow;
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::{
    BulkId, Channel, CodeId, CompanyId, Event, FolioId, HistoryHead, Language, SignatureType, SignerIndex,
    Template, Timestamp,
};
use std::collections::HashSet;

/// A leased message, with everything that its text needs.
#[derive(Clone, PartialEq, Eq)]
pub struct LeasedMessage {
    /// Its number.
    pub seq: MessageRow,
    /// Which attempt this is, from 1. A failure is stored only if no later attempt has begun.
    pub attempt: i64,
    /// Which text it carries.
    pub template: Template,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When a user or the operator had it retried after it was given up.
    pub retried_at: Option<Timestamp>,
    /// The name of the code it carries.
    pub code: Option<CodeId>,
    /// The sealed code it carries.
    pub secret: Option<Vec<u8>>,
    /// Whether it is no longer wanted: a code that is no longer valid, because a newer one was requested or the contact was
    /// corrected; a receipt behind which the message waits that all have signed; or a reminder of what the signer has done, or can
    /// no longer do.
    pub superseded: bool,
    /// Whether the signer's email address has changed since.
    pub misdirected: bool,
    /// Whether a sandbox lets messages to this recipient bounce.
    pub bounces: bool,
    /// The folio it is about.
    pub folio: FolioId,
    /// The signer it concerns, by index in the folio.
    pub signer: SignerIndex,
    /// The signer's name.
    pub signer_name: String,
    /// The folio's name.
    pub folio_name: String,
    /// The folio's message to its signers.
    pub folio_message: String,
    /// Why the folio was cancelled or rejected.
    pub observation: Option<String>,
    /// How the folio is signed.
    pub signature_type: SignatureType,
    /// How many documents the folio has.
    pub documents: usize,
    /// The company.
    pub company_id: CompanyId,
    /// The company's name.
    pub company: String,
    /// The company's colour.
    pub colour: Option<String>,
    /// Whom the company's signers may ask.
    pub contact: CompanyContact,
    /// The name of the company's zone.
    pub timezone: Option<String>,
    /// The language that the signer chose last, or else the folio's.
    pub language: Language,
    /// When the folio can no longer be signed.
    pub expires_at: Option<Timestamp>,
    /// The end of the folio's history: how many events it has, and the hash of the last.
    pub history: HistoryHead,
    /// The bulk signature it is about, and how many documents of it.
    pub bulk: Option<(BulkId, usize)>,
    /// A receipt, or a message that all have signed: the folios that it is about, its own among them, in order.
    pub about: Vec<SignedFolio>,
    /// The other folios that it is about, with the signer's index in each: what becomes of it stands in their histories, too.
    pub others: Vec<(FolioId, SignerIndex)>,
}

impl std::fmt::Debug for LeasedMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("LeasedMessage")
            .field("seq", &self.seq.0)
            .field("attempt", &self.attempt)
            .field("template", &self.template)
            .finish_non_exhaustive()
    }
}

/// The outcome of a leased message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    /// It has left.
    Sent {
        /// When.
        at: Timestamp,
    },
    /// It is to be tried again.
    Postponed {
        /// When.
        at: Timestamp,
        /// Not before.
        until: Timestamp,
        /// The error of the receiving server.
        reason: String,
    },
    /// It was given up.
    Dead {
        /// The error of the receiving server.
        reason: String,
    },
    /// It was no longer wanted, and was not sent.
    Superseded,
    /// It was not tried.
    Returned,
}

/// A leased message and its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledMessage {
    /// Its number.
    pub seq: MessageRow,
    /// Which attempt it was.
    pub attempt: i64,
    /// Where it went.
    pub recipient: String,
    /// The outcome.
    pub outcome: SendOutcome,
    /// The events for the histories of its folios, if it was tried.
    pub events: Vec<(FolioId, Event)>,
}

/// The earlier messages to the same recipient.
const EARLIER_MESSAGE: &str = "SELECT 1 FROM outbox e
                       WHERE e.state = 'waiting' AND e.recipient = o.recipient AND e.seq < o.seq";

/// The values of the statements that take messages: the time, the end of the lease, a number, what leases are judged by, and
/// the time before which nothing became due.
fn taking(due: DueTimes, lease: &Lease, number: usize) -> Result<[Param<'_>; 7], Error> {
    let [clock, by, dead_before] = lease.clock_params();
    let (now, until, number) = (due.now.into(), lease.until.into(), sql_int(number)?.into());
    Ok([now, until, number, clock, by, dead_before, due.from.into()])
}

/// A message `o` that is due and not leased.
fn due_message() -> String {
    format!("o.state = 'waiting' AND o.due_at <= $1 AND NOT {}", held("o", 4))
}

/// An earlier code to the recipient of `o` that is due and not leased.
fn earlier_code() -> String {
    let held = held("e", 4);
    format!("{EARLIER_MESSAGE} AND e.template = 'code' AND e.due_at <= $1 AND NOT {held}")
}

const TAKE: &str = "UPDATE outbox SET leased_until = $2, leased_by = $5, attempts = attempts + 1
             WHERE seq IN (SELECT seq FROM due) RETURNING seq";

impl Tx<'_> {
    /// Takes due codes for up to `recipients` recipients, one each. The number of other due messages does
    /// not slow it.
    pub fn take_codes(
        &mut self,
        due: impl Into<DueTimes>,
        lease: &Lease,
        recipients: usize,
    ) -> Result<Vec<LeasedMessage>, Error> {
        let params = taking(due.into(), lease, recipients)?;
        let skip = self.dialect().for_update_skip_locked();
        let (due, earlier) = (due_message(), earlier_code());
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT o.seq FROM outbox o
                 WHERE o.template = 'code' AND {due} AND o.due_at >= $7 AND NOT EXISTS ({earlier})
                 ORDER BY o.due_at, o.seq LIMIT $3{skip})
             {TAKE}"
        );
        let seqs: Vec<MessageRow> = self.query(&sql, &params, only_column)?;
        self.leased_messages(&seqs)
    }

    /// Takes due messages on a lease: the first of up to `recipients` recipients, and up to `more` behind them. In
    /// the order of their row numbers. Only the first ones are looked for by time: whatever lies before and behind them counts.
    pub fn take_messages(
        &mut self,
        due: impl Into<DueTimes>,
        lease: &Lease,
        recipients: usize,
        more: usize,
    ) -> Result<Vec<LeasedMessage>, Error> {
        let times = due.into();
        let skip = self.dialect().for_update_skip_locked();
        let (due, earlier) = (due_message(), earlier_code());
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT o.seq FROM outbox o
                 WHERE {due} AND o.due_at >= $7 AND CASE WHEN o.template = 'code' THEN NOT EXISTS ({earlier})
                     ELSE NOT EXISTS ({EARLIER_MESSAGE}) END
                 ORDER BY o.due_at, o.seq LIMIT $3{skip})
             {TAKE}, recipient, template"
        );
        let first = self.query(&sql, &taking(times, lease, recipients)?, |row| {
            let is_code = row.get::<Template>("template")? == Template::Code;
            let recipient = row.get::<String>("recipient")?;
            Ok((row.get::<MessageRow>("seq")?, (!is_code).then_some(recipient)))
        })?;
        // No other worker can take a message behind a leased one: this does not race. Codes are in no queue: none stands
        // behind a message, and none has messages behind it.
        let held = held("e", 4);
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT o.seq FROM outbox o
                 WHERE {due} AND o.template <> 'code' AND o.recipient IN ({{list}}) AND NOT EXISTS (
                     {EARLIER_MESSAGE} AND (e.due_at > $1 OR {held} AND e.leased_until <> $2))
                 ORDER BY o.seq LIMIT $3{skip})
             {TAKE}"
        );
        let [params @ .., _from] = taking(times, lease, more)?;
        let recipients: Vec<&String> = first
            .iter()
            .filter_map(|(_, recipient)| recipient.as_ref())
            .collect();
        let followers: Vec<MessageRow> = if recipients.is_empty() {
            Vec::new()
        } else {
            self.query_in(
                &sql,
                &params,
                recipients.into_iter().map(Param::from),
                only_column,
            )?
        };
        let seqs: Vec<MessageRow> = first.iter().map(|(seq, _)| *seq).chain(followers).collect();
        self.leased_messages(&seqs)
    }

    fn leased_messages(&mut self, seqs: &[MessageRow]) -> Result<Vec<LeasedMessage>, Error> {
        let sql = "SELECT o.seq, o.attempts, o.template, o.channel, o.recipient, o.created_at, o.retried_at,
                       o.code_id, o.secret, o.signer, o.company AS company_id, f.id AS folio, s.name AS signer_name, f.name AS folio_name,
                       f.message AS folio_message, f.observation, f.signature_type,
                       (SELECT COUNT(*) FROM documents d WHERE d.folio = f.seq) AS documents, c.name AS company,
                       b.id AS bulk, (SELECT COUNT(*) FROM outbox_folios x JOIN documents d ON d.folio = x.folio
                           WHERE x.message = o.seq) AS other_documents,
                       (SELECT COUNT(*) FROM outbox_folios x WHERE x.message = o.seq) AS others,
                       CAST(CASE WHEN o.template = 'code' AND NOT EXISTS (
                           SELECT 1 FROM codes k WHERE k.session = o.session AND k.channel = o.channel
                               AND k.sent_at = o.created_at)
                           OR o.template = 'receipt' AND EXISTS (SELECT 1 FROM outbox e
                               WHERE e.state = 'waiting' AND e.recipient = o.recipient AND e.seq > o.seq
                                   AND e.template = 'completed' AND (e.folio = o.folio AND e.signer = o.signer
                                       OR EXISTS (SELECT 1 FROM outbox_folios y WHERE y.message = e.seq
                                           AND y.folio = o.folio AND y.signer = o.signer)))
                           AND NOT EXISTS (SELECT 1 FROM outbox_folios x WHERE x.message = o.seq)
                           OR o.template = 'reminder' AND (f.state <> 'pending' OR f.dropped = 1 OR s.state <> 'pending')
                           THEN 1 ELSE 0 END AS BIGINT) AS superseded,
                       c.colour, c.contact_name, c.contact_email, c.contact_phone, c.timezone, f.expires_at,
                       COALESCE(s.language, f.language) AS language,
                       CAST(CASE WHEN o.channel = 'email' AND o.template NOT IN ('contact_changed', 'other_contact')
                           AND o.recipient <> COALESCE(CASE WHEN o.template = 'code' THEN b.email END, s.email) THEN 1 ELSE 0 END AS BIGINT) AS misdirected,
                       f.history_length, f.history_hash,
                       CAST(CASE WHEN EXISTS (SELECT 1 FROM sandbox_bounces x WHERE x.recipient = o.recipient)
                           THEN 1 ELSE 0 END AS BIGINT) AS bounces
                   FROM outbox o JOIN folios f ON f.seq = o.folio JOIN companies c ON c.seq = o.company
                       JOIN signers s ON s.folio = o.folio AND s.position = o.signer
                       LEFT JOIN bulks b ON b.seq = o.bulk
                   WHERE o.seq IN ({list}) ORDER BY o.seq";
        let mut wide = HashSet::new();
        let mut leased = self.query_in(sql, &[], seqs.iter().map(|seq| (*seq).into()), |row| {
            let bulk: Option<BulkId> = row.get("bulk")?;
            let (seq, documents): (MessageRow, usize) = (row.get("seq")?, row.get("documents")?);
            let all_documents = documents + row.get::<usize>("other_documents")?;
            if row.get::<i64>("others")? > 0 {
                wide.insert(seq);
            }
            Ok(LeasedMessage {
                seq,
                attempt: row.get("attempts")?,
                template: row.get("template")?,
                channel: row.get("channel")?,
                recipient: row.get("recipient")?,
                created_at: row.get("created_at")?,
                retried_at: row.get("retried_at")?,
                code: row.get("code_id")?,
                secret: row.get("secret")?,
                signer: row.get("signer")?,
                folio: row.get("folio")?,
                signer_name: row.get("signer_name")?,
                folio_name: row.get("folio_name")?,
                folio_message: row.get("folio_message")?,
                observation: row.get("observation")?,
                signature_type: row.get("signature_type")?,
                documents,
                company_id: CompanyId(row.get("company_id")?),
                company: row.get("company")?,
                bulk: bulk.map(|bulk| (bulk, all_documents)),
                about: Vec::new(),
                others: Vec::new(),
                superseded: row.get("superseded")?,
                colour: row.get("colour")?,
                contact: CompanyContact::from_row(row)?,
                timezone: row.get("timezone")?,
                language: row.get("language")?,
                expires_at: row.get("expires_at")?,
                misdirected: row.get("misdirected")?,
                bounces: row.get("bounces")?,
                history: HistoryHead {
                    length: row.get("history_length")?,
                    hash: row.get("history_hash")?,
                },
            })
        })?;
        let is_receipt =
            |message: &LeasedMessage| matches!(message.template, Template::Receipt | Template::Completed);
        let wanted = leased
            .iter()
            .filter(|message| is_receipt(message) || wide.contains(&message.seq));
        let wanted: Vec<MessageRow> = wanted.map(|message| message.seq).collect();
        let mut about = self.folios_of_messages(&wanted)?;
        for message in &mut leased {
            let folios = about.remove(&message.seq).unwrap_or_default();
            let others = folios.iter().filter(|(own, _)| !own);
            message.others = others.map(|(_, folio)| (folio.folio, folio.signer)).collect();
            if is_receipt(message) {
                message.about = folios.into_iter().map(|(_, folio)| folio).collect();
            }
        }
        Ok(leased)
    }

    /// Settles messages, and appends the events to their folios' histories. A sent message is settled in
    /// any case, every other outcome only while the lease is the caller's. Settling an attempt twice counts once: a worker
    /// repeats the call when it lost the result of a commit. Returns the messages of folios that were erased meanwhile.
    pub fn settle_messages(&mut self, settled: &[SettledMessage]) -> Result<Vec<MessageRow>, Error> {
        let events = settled.iter().flat_map(|one| &one.events);
        let histories = self.lock_histories(events.map(|(folio, _)| *folio))?;
        let is_erased =
            |one: &&SettledMessage| one.events.iter().any(|(folio, _)| histories.is_erased(*folio));
        let erased = settled.iter().filter(is_erased).map(|one| one.seq).collect();
        let mut rows = Rows::new();
        let mut put_off = Rows::new();
        for one in settled {
            let (state, due, reason, sent, back) = match &one.outcome {
                SendOutcome::Sent { at } => ("sent", None, None, Some(*at), false),
                SendOutcome::Postponed { at, until, reason } => {
                    let recipient = (&one.recipient).into();
                    put_off.push([recipient, one.seq.into(), (*until).into(), (*at).into()]);
                    ("waiting", Some((*at, *until)), Some(reason), None, false)
                }
                SendOutcome::Dead { reason } => ("dead", None, Some(reason), None, false),
                SendOutcome::Superseded => ("superseded", None, None, None, false),
                SendOutcome::Returned => ("waiting", None, None, None, true),
            };
            rows.push([
                one.seq.into(),
                one.attempt.into(),
                state.into(),
                due.map(|(_, until)| until).into(),
                reason.into(),
                sent.into(),
                back.into(),
                due.map(|(at, _)| at).into(),
            ]);
        }
        let sql =
            "UPDATE outbox SET state = c.column3, due_at = COALESCE(c.column4, due_at), leased_until = NULL,
                       leased_by = NULL, due_set_at = COALESCE(c.column8, due_set_at),
                       last_error = COALESCE(c.column5, last_error), sent_at = c.column6,
                       attempts = attempts - c.column7,
                       secret = CASE WHEN c.column3 = 'waiting' THEN secret END
                   FROM (VALUES {rows}) AS c
                   WHERE outbox.seq = c.column1 AND outbox.state = 'waiting'
                       AND (c.column3 = 'sent' OR outbox.attempts = c.column2 AND outbox.leased_until IS NOT NULL)
                   RETURNING seq";
        let kinds = [Int, Int, Text, Int, Text, Int, Int, Int];
        let changed: Vec<MessageRow> = self.query_rows(sql, &kinds, &rows, only_column)?;
        let changed: HashSet<MessageRow> = changed.into_iter().collect();
        // The outcome of another attempt may have come first, or this one's was written before.
        let (new_events, maybe_stored): (Vec<_>, Vec<_>) = settled
            .iter()
            .flat_map(|one| one.events.iter().map(|event| (one.seq, event)))
            .partition(|(seq, _)| changed.contains(seq));
        let maybe_stored: Vec<_> = maybe_stored.into_iter().map(|(_, event)| event).collect();
        let missing = self.missing_from(&histories, &maybe_stored)?;
        self.append_to(
            histories,
            new_events.into_iter().map(|(_, event)| event).chain(missing),
        )?;
        // The messages behind a postponed one are postponed as well: otherwise every query for due messages
        // reads them.
        let sql = "UPDATE outbox SET due_at = c.column3, due_set_at = c.column4 FROM (VALUES {rows}) AS c
                   WHERE outbox.state = 'waiting' AND outbox.recipient = c.column1 AND outbox.seq > c.column2
                       AND outbox.due_at < c.column3 AND outbox.template <> 'code'";
        self.run_rows(sql, &[Text, Int, Int, Int], &put_off)?;
        Ok(erased)
    }
}
