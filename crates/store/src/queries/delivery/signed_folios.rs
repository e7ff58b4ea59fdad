//! What a message needs to know of the folios that it is about, beside its own.

use crate::error::Error;
use crate::rows::{FolioRow, MessageRow};
use crate::tx::Tx;
use domain::{DocumentId, FileName, FolioId, FolioState, HistoryHead, SignerIndex, Timestamp};
use std::collections::HashMap;

/// A folio that a signer signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedFolio {
    /// The folio.
    pub folio: FolioId,
    /// The signer's index in it.
    pub signer: SignerIndex,
    /// What it is called.
    pub name: String,
    /// Its documents, in order.
    pub documents: Vec<SignedDocument>,
    /// When the signer signed.
    pub signed_at: Option<Timestamp>,
    /// Whether all have signed.
    pub complete: bool,
    /// Whether signatures are still to come.
    pub pending: bool,
    /// Whether a code was typed that came to the signer's email address.
    pub email_proven: bool,
    /// The end of its history.
    pub history: HistoryHead,
}

/// A document of such a folio, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedDocument {
    /// Which.
    pub id: DocumentId,
    /// What it is called.
    pub name: FileName,
    /// How many bytes it has.
    pub size: u64,
}

/// The folios of messages, in order; the message's own is marked.
pub(crate) type FoliosOfMessages = HashMap<MessageRow, Vec<(bool, SignedFolio)>>;

impl Tx<'_> {
    /// What these messages are about: their own folio and the others. Folios that were erased are left out.
    pub(crate) fn folios_of_messages(&mut self, messages: &[MessageRow]) -> Result<FoliosOfMessages, Error> {
        if messages.is_empty() {
            return Ok(HashMap::new());
        }
        let sql = "SELECT m.message, m.position, f.seq, f.id, f.name, f.state, f.history_length, f.history_hash, m.signer,
                       s.updated_at, s.state AS signer_state, s.email_proven
                   FROM (SELECT seq AS message, -1 AS position, folio, signer FROM outbox WHERE seq IN ({list})
                       UNION ALL SELECT message, position, folio, signer FROM outbox_folios WHERE message IN ({list})) AS m
                       JOIN folios f ON f.seq = m.folio JOIN signers s ON s.folio = m.folio AND s.position = m.signer
                   WHERE f.erased_at IS NULL ORDER BY m.message, m.position";
        let found = self.query_in(sql, &[], messages.iter().map(|seq| (*seq).into()), |row| {
            let signed = row.get::<String>("signer_state")? == "signed";
            let place: (MessageRow, i64) = (row.get("message")?, row.get("position")?);
            let state: FolioState = row.get("state")?;
            let folio = SignedFolio {
                folio: row.get("id")?,
                signer: row.get("signer")?,
                name: row.get("name")?,
                documents: Vec::new(),
                signed_at: row.get::<Option<Timestamp>>("updated_at")?.filter(|_| signed),
                complete: matches!(
                    state,
                    FolioState::Signed | FolioState::Approved | FolioState::Disapproved
                ),
                pending: state == FolioState::Pending,
                email_proven: row.get("email_proven")?,
                history: HistoryHead {
                    length: row.get("history_length")?,
                    hash: row.get("history_hash")?,
                },
            };
            Ok((place, row.get::<FolioRow>("seq")?, folio))
        })?;
        let rows: Vec<FolioRow> = found.iter().map(|(_, row, _)| *row).collect();
        let documents = self.signed_documents(&rows)?;
        let mut about = FoliosOfMessages::new();
        for ((message, position), row, mut folio) in found {
            folio.documents = documents.get(&row).cloned().unwrap_or_default();
            about.entry(message).or_default().push((position < 0, folio));
        }
        Ok(about)
    }

    fn signed_documents(
        &mut self,
        folios: &[FolioRow],
    ) -> Result<HashMap<FolioRow, Vec<SignedDocument>>, Error> {
        let sql = "SELECT folio, id, name, COALESCE(current_size, size) AS size FROM documents
                   WHERE folio IN ({list}) ORDER BY folio, position";
        let mut documents: HashMap<FolioRow, Vec<SignedDocument>> = HashMap::new();
        self.each_in(sql, &[], folios.iter().map(|row| (*row).into()), |row| {
            let document = SignedDocument {
                id: row.get("id")?,
                name: FileName::stored(row.get("name")?),
                size: row.get("size")?,
            };
            documents.entry(row.get("folio")?).or_default().push(document);
            Ok(())
        })?;
        Ok(documents)
    }
}
