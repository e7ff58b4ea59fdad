//! One-time codes: the last of each session, and when codes were sent. The caller has locked the folio or the bulk
//! signature that they are for, so that what is read here is still true when it is written.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::{BulkRow, FolioRow, MessageRow};
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::{
    Channel, CodeId, CompanyId, FolioId, SentCode, SignerIndex, SignerSessionId, Template, Timestamp,
};

/// A code that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRow {
    /// How it travelled.
    pub channel: Channel,
    /// Its name in the history.
    pub id: CodeId,
    /// Its keyed hash.
    pub digest: [u8; 32],
    /// When it was sent, until when it is good, how often it was tried.
    pub sent: SentCode,
}

/// A code on its way, written with it.
#[derive(Debug)]
pub struct CodeMessage<'m> {
    /// Whose folio it is for.
    pub company: CompanyId,
    /// The folio's number in the database.
    pub folio: FolioRow,
    /// The signer's index.
    pub signer: SignerIndex,
    /// The other folios that it is for, with the signer's index in each.
    pub others: &'m [(FolioId, SignerIndex)],
    /// The bulk signature's number in the database, where it is one.
    pub bulk: Option<BulkRow>,
    /// The session that asked for it.
    pub session: SignerSessionId,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: &'m str,
    /// The name of the code.
    pub code: CodeId,
    /// The code, sealed.
    pub secret: &'m [u8],
    /// When.
    pub at: Timestamp,
}

/// A code that was sent, for the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeSend {
    /// How it travelled.
    pub channel: Channel,
    /// Keyed hash of where it went.
    pub recipient: [u8; 32],
    /// When.
    pub at: Timestamp,
}

impl Tx<'_> {
    /// Has a code sent.
    pub fn queue_code(&mut self, message: &CodeMessage<'_>) -> Result<(), Error> {
        let sql =
            "INSERT INTO outbox (company, folio, signer, bulk, session, channel, template, recipient, code_id,
                   secret, created_at, due_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)";
        let params = [
            message.company.0.into(),
            message.folio.into(),
            sql_int(message.signer.0)?.into(),
            message.bulk.into(),
            (&message.session).into(),
            enum_columns::channel(message.channel).into(),
            enum_columns::template(Template::Code).into(),
            message.recipient.into(),
            (&message.code).into(),
            message.secret.into(),
            message.at.into(),
        ];
        let seq: MessageRow = self.insert(sql, &params)?;
        let others = (0..)
            .zip(message.others)
            .map(|(place, other)| (seq, place, *other));
        self.insert_other_folios(message.company, &others.collect::<Vec<_>>())
    }

    /// The session's codes whose messages were given up, with the time of their creation; they are about one of these
    /// folios of the company.
    pub fn undelivered_codes(
        &mut self,
        company: CompanyId,
        session: SignerSessionId,
        folios: &[FolioRow],
    ) -> Result<Vec<(Channel, Timestamp)>, Error> {
        let sql = "SELECT channel, created_at FROM outbox
                   WHERE company = $1 AND session = $2 AND folio IN ({list})
                       AND template = 'code' AND state = 'dead'";
        let fixed = [company.0.into(), (&session).into()];
        let folios = folios.iter().map(|folio| (*folio).into());
        self.query_in(sql, &fixed, folios, |row| {
            Ok((row.get("channel")?, row.get("created_at")?))
        })
    }

    /// The last code of each channel that the session asked for.
    pub fn codes(&mut self, session: SignerSessionId) -> Result<Vec<CodeRow>, Error> {
        let sql = "SELECT channel, code_id, digest, sent_at, expires_at, tries FROM codes WHERE session = $1";
        self.query(sql, &[(&session).into()], |row| {
            Ok(CodeRow {
                channel: row.get("channel")?,
                id: row.get("code_id")?,
                digest: row.get("digest")?,
                sent: SentCode {
                    sent_at: row.get("sent_at")?,
                    expires_at: row.get("expires_at")?,
                    tries: row.get("tries")?,
                },
            })
        })
    }

    /// Keeps a new code of a session, in the place of its last one. Of the holder's codes by the same channel the newest
    /// `live` stay, this one among them.
    pub fn put_code(
        &mut self,
        session: SignerSessionId,
        holder: &[u8],
        code: &CodeRow,
        live: usize,
    ) -> Result<(), Error> {
        let sql = "INSERT INTO codes (session, channel, holder, code_id, digest, sent_at, expires_at, tries)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
                   ON CONFLICT (session, channel) DO UPDATE SET code_id = excluded.code_id, digest = excluded.digest,
                       sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = 0";
        let channel = enum_columns::channel(code.channel);
        let params = [
            (&session).into(),
            channel.into(),
            holder.into(),
            (&code.id).into(),
            (&code.digest).into(),
            code.sent.sent_at.into(),
            code.sent.expires_at.into(),
        ];
        self.execute(sql, &params)?;
        let sql = "DELETE FROM codes WHERE holder = $1 AND channel = $2 AND session NOT IN (
                       SELECT session FROM codes WHERE holder = $1 AND channel = $2
                       ORDER BY CASE WHEN session = $4 THEN 0 ELSE 1 END, sent_at DESC, session LIMIT $3)";
        let params = [
            holder.into(),
            channel.into(),
            sql_int(live)?.into(),
            (&session).into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Counts a try at a code.
    pub fn count_try(&mut self, session: SignerSessionId, channel: Channel) -> Result<(), Error> {
        let sql = "UPDATE codes SET tries = tries + 1 WHERE session = $1 AND channel = $2";
        self.execute(sql, &[(&session).into(), enum_columns::channel(channel).into()])
            .map(drop)
    }

    /// Ends the codes of a session.
    pub fn end_codes(&mut self, session: SignerSessionId) -> Result<(), Error> {
        self.execute("DELETE FROM codes WHERE session = $1", &[(&session).into()])
            .map(drop)
    }

    /// Ends every code of these signing parties, in all sessions.
    pub fn end_codes_of(&mut self, holders: &[Vec<u8>]) -> Result<(), Error> {
        let sql = "DELETE FROM codes WHERE holder IN ({list}) RETURNING session";
        self.for_holders(sql, holders)
    }

    /// Writes down that codes were sent, one by each channel.
    pub fn count_sends(&mut self, holder: &[u8], sends: &[CodeSend]) -> Result<(), Error> {
        let mut params = Rows::new();
        for send in sends {
            params.push([
                holder.into(),
                enum_columns::channel(send.channel).into(),
                (&send.recipient).into(),
                send.at.into(),
            ]);
        }
        let sql = "INSERT INTO code_sends (holder, channel, recipient, at) VALUES";
        self.run_rows(sql, &[Bytes, Text, Bytes, Int], &params)
    }

    /// The codes sent to a holder after a time.
    pub fn sends_to_holder(&mut self, holder: &[u8], after: Timestamp) -> Result<Vec<CodeSend>, Error> {
        let sql = "SELECT channel, recipient, at FROM code_sends WHERE holder = $1 AND at > $2";
        self.query(sql, &[holder.into(), after.into()], |row| {
            Ok(CodeSend {
                channel: row.get("channel")?,
                recipient: row.get("recipient")?,
                at: row.get("at")?,
            })
        })
    }

    /// When codes were sent to a recipient after a time, under an advisory lock until the transaction ends:
    /// the limit holds over several instances.
    pub fn lock_sends_to_recipient(
        &mut self,
        recipient: &[u8; 32],
        after: Timestamp,
    ) -> Result<Vec<Timestamp>, Error> {
        if let Some(sql) = self.dialect().advisory_lock() {
            let first = recipient.first_chunk().copied().unwrap_or_default();
            self.query_one(sql, &[i64::from_be_bytes(first).into()], |_| Ok(()))?;
        }
        self.sends_to_recipient(recipient, after)
    }

    /// Like `lock_sends_to_recipient`, without the lock.
    pub fn sends_to_recipient(
        &mut self,
        recipient: &[u8; 32],
        after: Timestamp,
    ) -> Result<Vec<Timestamp>, Error> {
        let sql = "SELECT at FROM code_sends WHERE recipient = $1 AND at > $2 ORDER BY at";
        self.query(sql, &[recipient.into(), after.into()], only_column)
    }

    /// Resets the send limits of these holders.
    pub fn reset_send_limits(&mut self, holders: &[Vec<u8>]) -> Result<(), Error> {
        let sql = "UPDATE code_sends SET holder = $1 WHERE holder IN ({list}) RETURNING seq";
        // The rows stay: they still count for the limit of their recipient.
        let no_holder: &[u8] = b"";
        let holders = holders.iter().map(|holder| Param::from(holder.as_slice()));
        self.query_in(sql, &[no_holder.into()], holders, |_| Ok(()))?;
        Ok(())
    }

    /// Forgets codes and sends that no rule looks at any more, up to `max` of each. Returns how many of the more numerous
    /// kind.
    pub fn delete_old_codes(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let params = [before.into(), sql_int(max)?.into()];
        let sql = "DELETE FROM codes WHERE (session, channel) IN (
                       SELECT session, channel FROM codes WHERE expires_at < $1 LIMIT $2)";
        let codes = self.execute(sql, &params)?;
        let sql = "DELETE FROM code_sends WHERE seq IN (
                       SELECT seq FROM code_sends WHERE at < $1 ORDER BY at LIMIT $2)";
        Ok(codes.max(self.execute(sql, &params)?))
    }

    fn for_holders(&mut self, sql: &'static str, holders: &[Vec<u8>]) -> Result<(), Error> {
        let holders = holders.iter().map(|holder| Param::from(holder.as_slice()));
        self.query_in(sql, &[], holders, |_| Ok(()))?;
        Ok(())
    }
}
