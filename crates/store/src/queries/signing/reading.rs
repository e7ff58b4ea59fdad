//! What a signer's session was shown of documents, and what of it stood in the text that its signer accepted.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Param, only_column};
use domain::{DocumentId, SignerSessionId};
use std::collections::HashMap;

/// What a session was shown of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// How many of its pages.
    pub shown: i64,
    /// The last of them, by number.
    pub last: i64,
    /// Whether the file was downloaded.
    pub downloaded: bool,
}

/// What stood in an accepted text about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedDocument {
    /// Which.
    pub document: DocumentId,
    /// The name of the text.
    pub template: String,
    /// How many of its pages had been shown.
    pub shown: i64,
    /// Whether the file had been downloaded.
    pub downloaded: bool,
}

impl Tx<'_> {
    /// Notes pages that a session was shown; page 0 stands for the file, downloaded.
    pub fn put_shown_pages(
        &mut self,
        session: SignerSessionId,
        document: DocumentId,
        pages: impl IntoIterator<Item = i64>,
    ) -> Result<(), Error> {
        let sql = "INSERT INTO shown_pages (session, document, page) VALUES {rows}
                   ON CONFLICT (session, document, page) DO NOTHING";
        let row = |page: i64| [Param::from(&session), (&document).into(), page.into()];
        let params: Vec<_> = pages.into_iter().flat_map(row).collect();
        self.run_rows(sql, &[Bytes, Bytes, Int], &params)
    }

    /// What the session was shown, by document.
    pub fn readings(&mut self, session: SignerSessionId) -> Result<HashMap<DocumentId, Reading>, Error> {
        let sql = "SELECT document, COUNT(CASE WHEN page > 0 THEN 1 END) AS shown, MIN(page) AS first,
                       MAX(page) AS last
                   FROM shown_pages WHERE session = $1 GROUP BY document";
        let read = self.query(sql, &[(&session).into()], |row| {
            let reading = Reading {
                shown: row.get("shown")?,
                last: row.get("last")?,
                downloaded: row.get::<i64>("first")? == 0,
            };
            Ok((row.get("document")?, reading))
        })?;
        Ok(read.into_iter().collect())
    }

    /// Notes what stands in the text that the signer accepts; it replaces what was noted before.
    pub fn put_accepted_documents(
        &mut self,
        session: SignerSessionId,
        documents: &[AcceptedDocument],
    ) -> Result<(), Error> {
        let sql = "INSERT INTO accepted_documents (session, document, template, shown, downloaded) VALUES {rows}
                   ON CONFLICT (session, document) DO UPDATE SET template = excluded.template, shown = excluded.shown,
                       downloaded = excluded.downloaded";
        let mut params = Vec::with_capacity(documents.len() * 5);
        for one in documents {
            params.extend([
                Param::from(&session),
                (&one.document).into(),
                one.template.as_str().into(),
                one.shown.into(),
                one.downloaded.into(),
            ]);
        }
        self.run_rows(sql, &[Bytes, Bytes, Text, Int, Int], &params)
    }

    /// What stood in the text that the session's signer accepted, by document.
    pub fn accepted_documents(
        &mut self,
        session: SignerSessionId,
    ) -> Result<HashMap<DocumentId, AcceptedDocument>, Error> {
        let sql = "SELECT document, template, shown, downloaded FROM accepted_documents WHERE session = $1";
        let read = self.query(sql, &[(&session).into()], |row| {
            let document = row.get("document")?;
            let accepted = AcceptedDocument {
                document,
                template: row.get("template")?,
                shown: row.get("shown")?,
                downloaded: row.get("downloaded")?,
            };
            Ok((document, accepted))
        })?;
        Ok(read.into_iter().collect())
    }

    /// How often the session's signer has accepted a text.
    pub fn count_acceptances(&mut self, session: SignerSessionId) -> Result<i64, Error> {
        let sql = "SELECT COUNT(*) FROM recorded_visits WHERE session = $1 AND what LIKE 'accepted %'";
        Ok(self
            .query_one(sql, &[(&session).into()], only_column)?
            .unwrap_or_default())
    }
}
