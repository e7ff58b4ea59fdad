//! Messages waiting to be sent, written in the transaction of the act that calls for them.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::{FolioRow, MessageRow};
use crate::tx::Tx;
use crate::value::Rows;
use crate::value::sql_int;
use domain::{Channel, CompanyId, FolioId, Message, SignerIndex, Template, Timestamp};
use std::collections::HashMap;

/// A message that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxRow {
    /// Its number; messages to one recipient go in this order.
    pub seq: MessageRow,
    /// Which text it carries.
    pub template: Template,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// The signer it concerns, by index in the folio.
    pub signer: SignerIndex,
    /// When it was written.
    pub created_at: Timestamp,
}

/// How much waits to be sent, and since when.
#[derive(Debug, Clone, Copy)]
pub struct OutboxAge {
    /// Messages waiting.
    pub waiting: i64,
    /// When the oldest of them was written.
    pub oldest: Option<Timestamp>,
    /// Messages given up.
    pub given_up: i64,
}

impl Tx<'_> {
    pub(crate) fn insert_messages(
        &mut self,
        company: CompanyId,
        at: Timestamp,
        messages: &[(FolioRow, &[Message])],
    ) -> Result<(), Error> {
        let mut params = Rows::new();
        for (folio, messages) in messages {
            for message in *messages {
                params.push([
                    company.0.into(),
                    (*folio).into(),
                    sql_int(message.signer.0)?.into(),
                    enum_columns::channel(message.channel).into(),
                    enum_columns::template(message.template).into(),
                    (&message.recipient).into(),
                    at.into(),
                    at.into(),
                ]);
            }
        }
        let kinds = [Int, Int, Int, Text, Text, Text, Int, Int];
        let all = messages
            .iter()
            .flat_map(|(folio, messages)| messages.iter().map(|one| (*folio, one)));
        let wide: Vec<(FolioRow, &Message)> = all.filter(|(_, one)| !one.others.is_empty()).collect();
        let sql = "INSERT INTO outbox (company, folio, signer, channel, template, recipient, created_at, due_at) VALUES";
        if wide.is_empty() {
            return self.run_rows(sql, &kinds, &params);
        }
        let sql = format!("{sql} {{rows}} RETURNING seq, folio, signer, channel, template, recipient");
        let written = self.query_rows(&sql, &kinds, &params, |row| {
            let of: (FolioRow, SignerIndex) = (row.get("folio")?, row.get("signer")?);
            let what: (Channel, Template) = (row.get("channel")?, row.get("template")?);
            Ok(((of, what, row.get("recipient")?), row.get::<MessageRow>("seq")?))
        })?;
        let written: HashMap<(_, _, String), MessageRow> = written.into_iter().collect();
        let mut others = Vec::new();
        for (folio, one) in wide {
            let what = (one.channel, one.template);
            let key = ((folio, one.signer), what, one.recipient.clone());
            let seq = *written.get(&key).ok_or(Error::Corrupt("answer"))?;
            others.extend((0..).zip(&one.others).map(|(place, other)| (seq, place, *other)));
        }
        self.insert_other_folios(company, &others)
    }

    /// Writes which other folios messages are about: each with its place among them, and the signer's index in it.
    pub(crate) fn insert_other_folios(
        &mut self,
        company: CompanyId,
        others: &[(MessageRow, i64, (FolioId, SignerIndex))],
    ) -> Result<(), Error> {
        let mut params = Rows::new();
        for (message, place, (folio, signer)) in others {
            let (folio, signer) = (folio.into(), sql_int(signer.0)?.into());
            params.push([
                company.0.into(),
                (*message).into(),
                (*place).into(),
                folio,
                signer,
            ]);
        }
        self.run_rows(
            "INSERT INTO outbox_folios (company, message, position, folio, signer)
             SELECT f.company, c.column2, c.column3, f.seq, c.column5 FROM (VALUES {rows}) AS c
                 JOIN folios f ON f.id = c.column4 AND f.company = c.column1",
            &[Int, Int, Int, Bytes, Int],
            &params,
        )
    }

    /// The messages of a folio of the company, oldest first.
    pub fn messages_of(&mut self, company: CompanyId, folio: FolioId) -> Result<Vec<OutboxRow>, Error> {
        let sql = "SELECT o.seq, o.template, o.channel, o.recipient, m.signer, o.created_at
                   FROM (SELECT o.seq AS message, o.signer FROM outbox o JOIN folios f ON f.seq = o.folio
                           WHERE f.company = $1 AND f.id = $2
                       UNION ALL SELECT x.message, x.signer FROM outbox_folios x JOIN folios f ON f.seq = x.folio
                           WHERE f.company = $1 AND f.id = $2) AS m
                       JOIN outbox o ON o.seq = m.message ORDER BY o.seq";
        self.query(sql, &[company.0.into(), (&folio).into()], |row| {
            Ok(OutboxRow {
                seq: row.get("seq")?,
                template: row.get("template")?,
                channel: row.get("channel")?,
                recipient: row.get("recipient")?,
                signer: row.get("signer")?,
                created_at: row.get("created_at")?,
            })
        })
    }

    /// How much waits over all companies.
    pub fn outbox_age(&mut self) -> Result<OutboxAge, Error> {
        let sql = "SELECT COUNT(*) AS waiting, MIN(created_at) AS oldest,
                       (SELECT COUNT(*) FROM outbox WHERE state = 'dead') AS given_up
                   FROM outbox WHERE state = 'waiting'";
        let age = self.query_one(sql, &[], |row| {
            Ok(OutboxAge {
                waiting: row.get("waiting")?,
                oldest: row.get("oldest")?,
                given_up: row.get("given_up")?,
            })
        })?;
        age.ok_or(Error::Corrupt("answer"))
    }
}
