//! The built-in mailbox of a sandbox: the newest messages, up to a limit.

use crate::dialect::ColumnType::{Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::MailRow;
use crate::tx::Tx;
use crate::value::Rows;
use crate::value::sql_int;
use domain::{Channel, Timestamp};

/// The size of the mailbox.
const MAX_MAILBOX_MESSAGES: i64 = 500;

/// A message as a person would have received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Its number in the mailbox; newer ones have higher numbers.
    pub seq: MailRow,
    /// Its lasting name.
    pub message_id: String,
    /// How it would have travelled.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// An email's subject.
    pub subject: String,
    /// Its plain text.
    pub text: String,
    /// An email's page.
    pub html: String,
    /// When.
    pub at: Timestamp,
}

const COLUMNS: &str = "seq, message_id, channel, recipient, subject, text, html, at";

impl Tx<'_> {
    /// Puts messages into the mailbox, which numbers them; the oldest beyond its size are deleted.
    pub fn put_into_mailbox(&mut self, mails: &[Mail]) -> Result<(), Error> {
        let mut rows = Rows::new();
        for mail in mails {
            rows.push([
                (&mail.message_id).into(),
                enum_columns::channel(mail.channel).into(),
                (&mail.recipient).into(),
                (&mail.subject).into(),
                (&mail.text).into(),
                (&mail.html).into(),
                mail.at.into(),
            ]);
        }
        self.run_rows(
            "INSERT INTO mailbox (message_id, channel, recipient, subject, text, html, at) VALUES",
            &[Text, Text, Text, Text, Text, Text, Int],
            &rows,
        )?;
        let sql = "DELETE FROM mailbox WHERE seq <= (SELECT MAX(seq) FROM mailbox) - $1";
        self.execute(sql, &[MAX_MAILBOX_MESSAGES.into()]).map(drop)
    }

    /// The messages after that number, newest first.
    pub fn mailbox(&mut self, after: MailRow, limit: usize) -> Result<Vec<Mail>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM mailbox WHERE seq > $1 ORDER BY seq DESC LIMIT $2");
        self.query(&sql, &[after.into(), sql_int(limit)?.into()], read)
    }

    /// The message with that number.
    pub fn mail(&mut self, seq: MailRow) -> Result<Option<Mail>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM mailbox WHERE seq = $1");
        self.query_one(&sql, &[seq.into()], read)
    }
}

fn read(row: &crate::value::Row<'_>) -> Result<Mail, Error> {
    Ok(Mail {
        seq: row.get("seq")?,
        message_id: row.get("message_id")?,
        channel: row.get("channel")?,
        recipient: row.get("recipient")?,
        subject: row.get("subject")?,
        text: row.get("text")?,
        html: row.get("html")?,
        at: row.get("at")?,
    })
}
