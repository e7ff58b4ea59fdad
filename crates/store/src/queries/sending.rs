//! The outbox at work: messages are taken on a lease, sent by whoever took them, and settled.
//!
//! Any number of instances take at once. A message waits while an earlier one to the same recipient does; only a
//! one-time code, which is soon worth nothing, passes what was put off until later.

use super::folios::number;
use crate::dialect::Kind::{Int, Text};
use crate::error::Error;
use crate::tx::Tx;
use crate::value::Rows;
use domain::{BulkId, Channel, Event, FolioId, Link, SignatureType, Template, Timestamp};

/// A message taken to be sent, with everything that it may say.
#[derive(Clone, PartialEq, Eq)]
pub struct Parcel {
    /// Its number.
    pub seq: i64,
    /// Which attempt this is, from 1; tells it from those of others.
    pub attempt: i64,
    /// What it is about.
    pub template: Template,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When somebody had it tried again after it had been given up.
    pub retried_at: Option<Timestamp>,
    /// The sealed code it carries.
    pub secret: Option<Vec<u8>>,
    /// Whether the code that it carries is over: a newer one was asked for, or the contact was corrected.
    pub superseded: bool,
    /// Whether whoever signs has another address by now.
    pub misdirected: bool,
    /// The folio it is about.
    pub folio: FolioId,
    /// The signer it concerns, by place in the folio.
    pub signer: usize,
    /// The signer's name.
    pub signer_name: String,
    /// What the folio is called.
    pub folio_name: String,
    /// What the signers are told.
    pub folio_message: String,
    /// Why the folio was cancelled or rejected.
    pub observation: Option<String>,
    /// How the folio is signed.
    pub signature_type: SignatureType,
    /// How many documents the folio has.
    pub documents: usize,
    /// The company's name.
    pub company: String,
    /// The company's colour.
    pub colour: Option<String>,
    /// The end of the folio's history: how many events it has, and the hash of the last.
    pub history: Link,
    /// The bulk signature it is about, and how many folios that has.
    pub bulk: Option<(BulkId, usize)>,
}

impl std::fmt::Debug for Parcel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may stand in a log.
        f.debug_struct("Parcel")
            .field("seq", &self.seq)
            .field("attempt", &self.attempt)
            .field("template", &self.template)
            .finish_non_exhaustive()
    }
}

/// What came of a message that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It has left.
    Sent {
        /// When.
        at: Timestamp,
    },
    /// It is to be tried again.
    PutOff {
        /// Not before.
        until: Timestamp,
        /// What the other side said.
        reason: String,
    },
    /// It is given up.
    Dead {
        /// What the other side said.
        reason: String,
    },
    /// It was not tried.
    GivenBack,
}

/// A message that was taken, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Its number.
    pub seq: i64,
    /// Which attempt it was.
    pub attempt: i64,
    /// Where it went.
    pub recipient: String,
    /// What came of it.
    pub ending: Ending,
    /// What goes into the folio's history, where it was tried.
    pub event: Option<(FolioId, Event)>,
}

/// A message `o` that nobody has taken and whose time has come.
const DUE: &str =
    "o.state = 'waiting' AND o.due_at <= $1 AND (o.leased_until IS NULL OR o.leased_until <= $1)";
/// The messages that stand before it.
const EARLIER: &str = "SELECT 1 FROM outbox e
                       WHERE e.state = 'waiting' AND e.recipient = o.recipient AND e.seq < o.seq";

impl Tx<'_> {
    /// Takes codes that are due, for up to `recipients` recipients: one each, and nothing behind them. However many
    /// letters are due, these are found at once.
    pub fn take_codes(
        &mut self,
        now: Timestamp,
        until: Timestamp,
        recipients: usize,
    ) -> Result<Vec<Parcel>, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT o.seq FROM outbox o
                 WHERE o.template = 'code' AND {DUE} AND NOT EXISTS ({EARLIER} AND e.due_at <= $1)
                 ORDER BY o.due_at, o.seq LIMIT $3{skip})
             UPDATE outbox SET leased_until = $2, attempts = attempts + 1
             WHERE seq IN (SELECT seq FROM due) RETURNING seq"
        );
        let params = [now.into(), until.into(), number(recipients)?.into()];
        let seqs: Vec<i64> = self.query(&sql, &params, |row| row.get(0))?;
        self.parcels(&seqs)
    }

    /// Takes what is due, for up to `recipients` recipients and with up to `more` messages behind their first ones.
    /// Nobody else gets these before `until`. In the order of their numbers.
    pub fn take_messages(
        &mut self,
        now: Timestamp,
        until: Timestamp,
        recipients: usize,
        more: usize,
    ) -> Result<Vec<Parcel>, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT o.seq FROM outbox o
                 WHERE {DUE} AND NOT EXISTS (
                     {EARLIER} AND (o.template <> 'code' OR e.due_at <= $1))
                 ORDER BY o.due_at, o.seq LIMIT $3{skip})
             UPDATE outbox SET leased_until = $2, attempts = attempts + 1
             WHERE seq IN (SELECT seq FROM due) RETURNING seq, recipient"
        );
        let fixed = [now.into(), until.into()];
        let params = [fixed[0], fixed[1], number(recipients)?.into()];
        let first = self.query(&sql, &params, |row| {
            Ok((row.get::<i64>(0)?, row.get::<String>(1)?))
        })?;
        if first.is_empty() {
            return Ok(Vec::new());
        }
        // Nobody else can take what stands behind a message that waits: these follow without a race.
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT o.seq FROM outbox o
                 WHERE {DUE} AND o.recipient IN ({{list}}) AND NOT EXISTS (
                     {EARLIER} AND (e.due_at > $1 AND o.template <> 'code'
                         OR e.leased_until > $1 AND e.leased_until <> $2))
                 ORDER BY o.seq LIMIT $3{skip})
             UPDATE outbox SET leased_until = $2, attempts = attempts + 1
             WHERE seq IN (SELECT seq FROM due) RETURNING seq"
        );
        let params = [fixed[0], fixed[1], number(more)?.into()];
        let names = first.iter().map(|(_, recipient)| recipient.into());
        let followers: Vec<i64> = self.query_in(&sql, &params, names, |row| row.get(0))?;
        let seqs: Vec<i64> = first.iter().map(|(seq, _)| *seq).chain(followers).collect();
        self.parcels(&seqs)
    }

    fn parcels(&mut self, seqs: &[i64]) -> Result<Vec<Parcel>, Error> {
        let sql = "SELECT o.seq, o.attempts, o.template, o.channel, o.recipient, o.created_at, o.retried_at,
                       o.secret, o.signer, f.id, s.name, f.name, f.message, f.observation, f.signature_type,
                       (SELECT COUNT(*) FROM documents d WHERE d.folio = f.seq), c.name, b.id,
                       (SELECT COUNT(*) FROM bulk_folios bf WHERE bf.bulk = b.seq),
                       CAST(CASE WHEN o.template = 'code' AND NOT EXISTS (
                           SELECT 1 FROM codes k WHERE k.session = o.session AND k.channel = o.channel
                               AND k.sent_at = o.created_at) THEN 1 ELSE 0 END AS BIGINT), c.colour,
                       CAST(CASE WHEN o.channel = 'email' AND o.template NOT IN ('contact_changed', 'other_contact')
                           AND o.recipient <> COALESCE(b.email, s.email) THEN 1 ELSE 0 END AS BIGINT),
                       f.history_length, f.history_hash
                   FROM outbox o JOIN folios f ON f.seq = o.folio JOIN companies c ON c.seq = o.company
                       JOIN signers s ON s.folio = o.folio AND s.position = o.signer
                       LEFT JOIN bulks b ON b.seq = o.bulk
                   WHERE o.seq IN ({list}) ORDER BY o.seq";
        self.query_in(sql, &[], seqs.iter().map(|seq| (*seq).into()), |row| {
            let bulk: Option<BulkId> = row.get(17)?;
            let bulk_folios: usize = row.get(18)?;
            Ok(Parcel {
                seq: row.get(0)?,
                attempt: row.get(1)?,
                template: row.get(2)?,
                channel: row.get(3)?,
                recipient: row.get(4)?,
                created_at: row.get(5)?,
                retried_at: row.get(6)?,
                secret: row.get(7)?,
                signer: row.get(8)?,
                folio: row.get(9)?,
                signer_name: row.get(10)?,
                folio_name: row.get(11)?,
                folio_message: row.get(12)?,
                observation: row.get(13)?,
                signature_type: row.get(14)?,
                documents: row.get(15)?,
                company: row.get(16)?,
                bulk: bulk.map(|bulk| (bulk, bulk_folios)),
                superseded: row.get(19)?,
                colour: row.get(20)?,
                misdirected: row.get(21)?,
                history: Link {
                    length: row.get(22)?,
                    hash: row.get(23)?,
                },
            })
        })
    }

    /// Settles messages, with what goes into their folios' histories. What has left has left, whoever holds the
    /// message by now; anything else counts only while nobody else has taken it.
    pub fn settle_messages(&mut self, settled: &[Settled]) -> Result<(), Error> {
        let events: Vec<(FolioId, Event)> = settled.iter().filter_map(|one| one.event.clone()).collect();
        if !events.is_empty() {
            self.append_events(&events)?;
        }
        let mut rows = Rows::new();
        let mut put_off = Rows::new();
        for one in settled {
            let (state, due, reason, sent, back) = match &one.ending {
                Ending::Sent { at } => ("sent", None, None, Some(*at), false),
                Ending::PutOff { until, reason } => {
                    put_off.push([(&one.recipient).into(), one.seq.into(), (*until).into()]);
                    ("waiting", Some(*until), Some(reason), None, false)
                }
                Ending::Dead { reason } => ("dead", None, Some(reason), None, false),
                Ending::GivenBack => ("waiting", None, None, None, true),
            };
            rows.push([
                one.seq.into(),
                one.attempt.into(),
                state.into(),
                due.into(),
                reason.into(),
                sent.into(),
                back.into(),
            ]);
        }
        let sql =
            "UPDATE outbox SET state = c.column3, due_at = COALESCE(c.column4, due_at), leased_until = NULL,
                       last_error = COALESCE(c.column5, last_error), sent_at = c.column6,
                       attempts = attempts - c.column7,
                       secret = CASE WHEN c.column3 = 'waiting' THEN secret END
                   FROM (VALUES {rows}) AS c
                   WHERE outbox.seq = c.column1 AND outbox.state = 'waiting'
                       AND (c.column3 = 'sent' OR outbox.attempts = c.column2)";
        self.run_rows(sql, &[Int, Int, Text, Int, Text, Int, Int], &rows)?;
        // What stands behind is not due any earlier, and must not be looked at again and again until then.
        let sql = "UPDATE outbox SET due_at = c.column3 FROM (VALUES {rows}) AS c
                   WHERE outbox.state = 'waiting' AND outbox.recipient = c.column1 AND outbox.seq > c.column2
                       AND outbox.due_at < c.column3 AND outbox.template <> 'code'";
        self.run_rows(sql, &[Text, Int, Int], &put_off)
    }
}
