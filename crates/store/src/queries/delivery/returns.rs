//! Messages that came back after they had left.

use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::{MessageRow, UserRow};
use crate::tx::Tx;
use domain::{
    AccountEmailKind, Channel, CompanyId, Contact, Email, FolioId, Mobile, ReturnKind, SignerIndex, Template,
    Timestamp,
};
use std::collections::HashSet;
use std::time::Duration;

/// The person who sent a folio is not told of the same contact again within this time.
const NOTICE_INTERVAL: Duration = Duration::from_hours(24);

/// A message that a report may be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedMessage {
    /// Whose it is.
    pub company: CompanyId,
    /// The folio it concerns.
    pub folio: FolioId,
    /// The signer it concerns.
    pub signer: SignerIndex,
    /// The other folios that it is about, with the signer's place in each.
    pub others: Vec<(FolioId, SignerIndex)>,
    /// What it was about.
    pub template: Template,
    /// How it travelled.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
}

impl Tx<'_> {
    /// The message with that number, of any company: the report tells whose it is.
    pub fn reported_message(&mut self, seq: MessageRow) -> Result<Option<ReportedMessage>, Error> {
        let sql = "SELECT o.company, f.id AS folio, o.signer, o.template, o.channel, o.recipient
                   FROM outbox o JOIN folios f ON f.seq = o.folio WHERE o.seq = $1";
        let found = self.query_one(sql, &[seq.into()], |row| {
            Ok(ReportedMessage {
                company: CompanyId(row.get("company")?),
                folio: row.get("folio")?,
                signer: row.get("signer")?,
                others: Vec::new(),
                template: row.get("template")?,
                channel: row.get("channel")?,
                recipient: row.get("recipient")?,
            })
        })?;
        let Some(mut found) = found else {
            return Ok(None);
        };
        let sql = "SELECT f.id, x.signer FROM outbox_folios x JOIN folios f ON f.seq = x.folio
                   WHERE x.message = $1 AND f.company = $2 ORDER BY x.position";
        found.others = self.query(sql, &[seq.into(), found.company.0.into()], |row| {
            Ok((row.get("id")?, row.get("signer")?))
        })?;
        Ok(Some(found))
    }

    /// Notes that a message of the company came back; false if that was noted before.
    pub fn mark_returned(
        &mut self,
        company: CompanyId,
        seq: MessageRow,
        kind: ReturnKind,
    ) -> Result<bool, Error> {
        let sql = "UPDATE outbox SET returned = $1 WHERE company = $2 AND seq = $3 AND returned IS NULL";
        let params = [
            enum_columns::return_kind(kind).into(),
            company.0.into(),
            seq.into(),
        ];
        Ok(self.execute(sql, &params)? > 0)
    }

    /// Queues an email to the panel user who sent the folio of each of these messages, which were given up or came back. None
    /// for a folio of a company's system, or about a contact that was corrected since; one about a contact, over all folios that
    /// the user sent.
    pub fn queue_sender_notices(
        &mut self,
        messages: &[MessageRow],
        kind: AccountEmailKind,
        at: Timestamp,
    ) -> Result<(), Error> {
        let told = self.worth_a_notice(messages)?;
        let sql = "INSERT INTO account_emails (company, template, recipient, name, language, message, created_at, due_at)
                   SELECT u.company, CAST($1 AS TEXT), u.email, u.name, u.language, o.seq, CAST($2 AS BIGINT), CAST($2 AS BIGINT)
                   FROM outbox o JOIN folios f ON f.seq = o.folio
                       JOIN users u ON u.company = f.company AND u.seq = f.creator
                   WHERE o.seq IN ({list})
                       AND NOT EXISTS (SELECT 1 FROM account_emails l JOIN outbox p ON p.seq = l.message
                           WHERE l.recipient = u.email AND l.message IS NOT NULL AND l.created_at BETWEEN $3 AND $2
                               AND p.company = o.company AND p.recipient = o.recipient)";
        let kind = enum_columns::account_email_kind(kind).into();
        let fixed = [kind, at.into(), at.before(NOTICE_INTERVAL).into()];
        self.each_in(sql, &fixed, told.iter().map(|seq| (*seq).into()), |_| Ok(()))
    }

    /// Of these messages, the first for each panel user and contact that the user may be told of.
    fn worth_a_notice(&mut self, messages: &[MessageRow]) -> Result<Vec<MessageRow>, Error> {
        // The code of a bulk signature goes to that one's contact.
        let sql = "SELECT o.seq, o.channel, o.recipient, u.seq AS sender,
                       COALESCE(CASE WHEN o.template = 'code' THEN b.email END, s.email) AS email,
                       COALESCE(CASE WHEN o.template = 'code' THEN b.mobile END, s.mobile) AS mobile
                   FROM outbox o JOIN folios f ON f.seq = o.folio
                       JOIN signers s ON s.folio = o.folio AND s.position = o.signer
                       LEFT JOIN bulks b ON b.seq = o.bulk
                       JOIN users u ON u.company = f.company AND u.seq = f.creator
                   WHERE o.seq IN ({list}) AND (o.state = 'dead' OR o.returned IS NOT NULL)
                       AND f.erased_at IS NULL AND u.disabled_at IS NULL
                       AND o.template NOT IN ('contact_changed', 'other_contact')
                   ORDER BY o.seq";
        let mut known: HashSet<(UserRow, String)> = HashSet::new();
        let mut worth = Vec::new();
        self.each_in(sql, &[], messages.iter().map(|seq| (*seq).into()), |row| {
            let (channel, recipient): (Channel, String) = (row.get("channel")?, row.get("recipient")?);
            let present = Contact {
                email: Email::stored(row.get("email")?),
                mobile: Mobile::stored(row.get("mobile")?),
            };
            // A number is the same with the country's code and without: the contact knows, the database does not.
            if present.recipient(channel) == recipient && known.insert((row.get("sender")?, recipient)) {
                worth.push(row.get("seq")?);
            }
            Ok(())
        })?;
        Ok(worth)
    }
}
