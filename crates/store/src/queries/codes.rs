//! One-time codes and wrong guesses. A holder is a signer of a folio or a bulk signature, as bytes; the caller
//! has locked its row, so that what is read here is still true when it is written.

use super::folios::number;
use super::words;
use crate::error::Error;
use crate::tx::Tx;
use crate::value::Param;
use domain::{Channel, CompanyId, Guesses, SentCode, Template, Timestamp};

/// A code that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRow {
    /// How it travelled.
    pub channel: Channel,
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
    pub folio: i64,
    /// The signer's place.
    pub signer: usize,
    /// The bulk signature's number in the database, where it is one.
    pub bulk: Option<i64>,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: &'m str,
    /// The code, sealed.
    pub secret: &'m [u8],
    /// When.
    pub at: Timestamp,
}

/// A code that never left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostCode {
    /// The folio's number in the database.
    pub folio: i64,
    /// The signer's place.
    pub signer: usize,
    /// How it was to travel.
    pub channel: Channel,
    /// When it was made.
    pub at: Timestamp,
}

impl Tx<'_> {
    /// Has a code sent.
    pub fn queue_code(&mut self, message: &CodeMessage<'_>) -> Result<(), Error> {
        let sql = "INSERT INTO outbox (company, folio, signer, bulk, channel, template, recipient, secret,
                   created_at, due_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
        let params = [
            message.company.0.into(),
            message.folio.into(),
            number(message.signer)?.into(),
            message.bulk.into(),
            words::channel(message.channel).into(),
            words::template(Template::Code).into(),
            message.recipient.into(),
            message.secret.into(),
            message.at.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// The codes for these folios of the company that were given up; those that were asked for by that bulk signature,
    /// or by none.
    pub fn lost_codes(
        &mut self,
        company: CompanyId,
        bulk: Option<i64>,
        folios: &[i64],
    ) -> Result<Vec<LostCode>, Error> {
        let sql = "SELECT folio, signer, channel, created_at FROM outbox
                   WHERE company = $1 AND COALESCE(bulk, 0) = $2 AND folio IN ({list})
                       AND template = 'code' AND state = 'dead'";
        let fixed = [company.0.into(), bulk.unwrap_or(0).into()];
        let folios = folios.iter().map(|folio| (*folio).into());
        self.query_in(sql, &fixed, folios, |row| {
            Ok(LostCode {
                folio: row.get(0)?,
                signer: row.get(1)?,
                channel: row.get(2)?,
                at: row.get(3)?,
            })
        })
    }

    /// The last code of each channel.
    pub fn codes(&mut self, holder: &[u8]) -> Result<Vec<CodeRow>, Error> {
        let sql = "SELECT channel, digest, sent_at, expires_at, tries FROM codes WHERE holder = $1";
        self.query(sql, &[holder.into()], |row| {
            Ok(CodeRow {
                channel: row.get(0)?,
                digest: row.get(1)?,
                sent: SentCode {
                    sent_at: row.get(2)?,
                    expires_at: row.get(3)?,
                    tries: row.get(4)?,
                },
            })
        })
    }

    /// Keeps a new code, in the place of the one before.
    pub fn put_code(&mut self, holder: &[u8], code: &CodeRow) -> Result<(), Error> {
        let sql = "INSERT INTO codes (holder, channel, digest, sent_at, expires_at, tries)
                   VALUES ($1, $2, $3, $4, $5, 0)
                   ON CONFLICT (holder, channel) DO UPDATE SET digest = excluded.digest,
                       sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = 0";
        let params = [
            holder.into(),
            words::channel(code.channel).into(),
            (&code.digest).into(),
            code.sent.sent_at.into(),
            code.sent.expires_at.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Counts a try at a code.
    pub fn count_try(&mut self, holder: &[u8], channel: Channel) -> Result<(), Error> {
        let sql = "UPDATE codes SET tries = tries + 1 WHERE holder = $1 AND channel = $2";
        self.execute(sql, &[holder.into(), words::channel(channel).into()])
            .map(drop)
    }

    /// Ends the codes of a holder.
    pub fn end_codes(&mut self, holder: &[u8]) -> Result<(), Error> {
        self.execute("DELETE FROM codes WHERE holder = $1", &[holder.into()])
            .map(drop)
    }

    /// How often the holder guessed wrong.
    pub fn guesses(&mut self, holder: &[u8]) -> Result<Guesses, Error> {
        let sql = "SELECT failures, locked_until FROM guesses WHERE holder = $1";
        let found = self.query_one(sql, &[holder.into()], |row| {
            Ok(Guesses {
                failures: row.get(0)?,
                locked_until: row.get(1)?,
            })
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Keeps how often the holder guessed wrong.
    pub fn put_guesses(&mut self, holder: &[u8], guesses: Guesses, at: Timestamp) -> Result<(), Error> {
        let sql = "INSERT INTO guesses (holder, failures, last_at, locked_until) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (holder) DO UPDATE SET failures = excluded.failures,
                       last_at = excluded.last_at, locked_until = excluded.locked_until";
        let params = [
            holder.into(),
            number(guesses.failures)?.into(),
            at.into(),
            guesses.locked_until.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Forgets the wrong guesses of these holders, and ends their codes where asked.
    pub fn forgive(&mut self, holders: &[Vec<u8>], and_end_codes: bool) -> Result<(), Error> {
        let tables: &[&str] = if and_end_codes {
            &["guesses", "codes"]
        } else {
            &["guesses"]
        };
        for table in tables {
            let sql = format!("DELETE FROM {table} WHERE holder IN ({{list}}) RETURNING holder");
            let holders = holders.iter().map(|holder| Param::from(holder.as_slice()));
            self.query_in(&sql, &[], holders, |_| Ok(()))?;
        }
        Ok(())
    }

    /// Forgets codes and guesses that no rule looks at any more.
    pub fn forget_codes(&mut self, before: Timestamp) -> Result<u64, Error> {
        let codes = self.execute("DELETE FROM codes WHERE expires_at < $1", &[before.into()])?;
        let sql = "DELETE FROM guesses WHERE last_at < $1 AND (locked_until IS NULL OR locked_until < $1)";
        Ok(codes + self.execute(sql, &[before.into()])?)
    }
}
