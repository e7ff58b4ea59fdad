//! Erases the documents and the personal values of folios. The rows stay, empty, with the hashes of the history; the messages go.
//!
//! The caller has locked the folios with [`Tx::lock_folios_to_erase`]. Of the transactions that run beside it, those that
//! write rows of a folio wait for its lock, and then find it erased: they write nothing personal any more
//! (`Tx::append_to`, `Tx::settle_messages`, `Tx::settle_webhooks`, the projector).

use crate::dialect::ColumnType::{Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::queries::folios::evidence::chained;
use crate::queries::folios::folio::{StoredFolio, folios_where, own_company};
use crate::queries::panel::company_settings::{ErasureDays, ErasurePolicy};
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, Rows, only_column, sql_int};
use domain::personal::PersonalValue;
use domain::{
    BulkId, Change, CompanyId, FolioId, FolioState, SignaturePicture, Signer, SignerIndex, Timestamp, search,
};
use std::collections::{BTreeSet, HashMap};

/// Events that are read and written with one statement.
const EVENTS_PER_STATEMENT: i64 = 500;

/// What an erased folio knew of a signer, now and before.
#[derive(Clone, PartialEq, Eq)]
pub struct ErasedSigner {
    /// The number of the signer's document.
    pub document_number: String,
    /// Names.
    pub names: BTreeSet<String>,
    /// Document numbers, email addresses and mobile numbers.
    pub numbers_and_addresses: BTreeSet<String>,
}

impl std::fmt::Debug for ErasedSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("ErasedSigner").finish_non_exhaustive()
    }
}

/// The texts that were in a folio's history, and which of them were of its signers.
#[derive(Default)]
struct ErasedTexts {
    all: HashMap<FolioRow, BTreeSet<String>>,
    of_signers: HashMap<(FolioRow, SignerIndex), Vec<PersonalValue>>,
}

/// Deletes these messages. One about several folios goes with the last of them.
macro_rules! delete_messages {
    ($which:literal) => {
        concat!(
            "DELETE FROM outbox WHERE NOT EXISTS (SELECT 1 FROM folios f WHERE f.seq = outbox.folio AND f.erased_at IS NULL)
                 AND NOT EXISTS (SELECT 1 FROM outbox_folios x JOIN folios f ON f.seq = x.folio
                     WHERE x.message = outbox.seq AND f.erased_at IS NULL) AND ",
            $which
        )
    };
}

/// Statements that need only the folios' row numbers, filled in for `{list}`. A statement that finds its rows through a second
/// table stands before the one that empties that table.
const STATEMENTS: [&str; 16] = [
    // Those that were sent as well: SQLite may give the number of the newest message to the next one.
    "DELETE FROM account_emails WHERE message IN (SELECT seq FROM outbox WHERE folio IN ({list}))",
    "DELETE FROM mailbox WHERE EXISTS (SELECT 1 FROM outbox o
         WHERE mailbox.message_id LIKE CAST(o.seq AS TEXT) || '.%' AND o.folio IN ({list}))",
    "DELETE FROM mailbox WHERE EXISTS (SELECT 1 FROM outbox_folios x
         WHERE mailbox.message_id LIKE CAST(x.message AS TEXT) || '.%' AND x.folio IN ({list}))",
    "DELETE FROM outbox WHERE state = 'waiting' AND folio IN ({list})",
    delete_messages!("folio IN ({list})"),
    delete_messages!("seq IN (SELECT message FROM outbox_folios WHERE folio IN ({list}))"),
    "UPDATE signers SET name = '', document_number = '', email = '', mobile = '', signed_from = NULL,
         return_url = NULL, language = NULL, session_generation = session_generation + 1 WHERE folio IN ({list})",
    "UPDATE documents SET name = '', erased = 1 WHERE folio IN ({list})",
    "DELETE FROM reminders WHERE folio IN ({list})",
    "DELETE FROM increments WHERE folio IN ({list})",
    "DELETE FROM signing_states WHERE folio IN ({list})",
    "DELETE FROM extensions WHERE folio IN ({list})",
    "DELETE FROM increment_moves WHERE folio IN ({list})",
    "DELETE FROM damaged_documents WHERE folio IN ({list})",
    "DELETE FROM webhook_attempts WHERE delivery IN (SELECT seq FROM webhook_deliveries WHERE folio IN ({list}))",
    "UPDATE webhook_deliveries SET body = NULL, erased = 1 WHERE folio IN ({list})",
];

impl Tx<'_> {
    /// Companies that have old folios erased, by their row numbers.
    pub fn erasure_policies(&mut self) -> Result<Vec<ErasurePolicy>, Error> {
        let sql = "SELECT seq, approval, erase_signed_days, erase_rejected_days, erase_cancelled_days, erase_pending_days
                   FROM companies WHERE COALESCE(erase_signed_days, erase_rejected_days, erase_cancelled_days,
                       erase_pending_days) IS NOT NULL ORDER BY seq";
        self.query(sql, &[], |row| {
            Ok(ErasurePolicy {
                company: CompanyId(row.get("seq")?),
                days: ErasureDays::from_row(row)?,
                approval: row.get("approval")?,
            })
        })
    }

    /// Lets one instance erase a batch, and no other before `next`. Returns the company of the last batch; `None` if it is too
    /// early.
    pub fn claim_erasure(&mut self, now: Timestamp, next: Timestamp) -> Result<Option<CompanyId>, Error> {
        // A time after `$1` was written by a wrong clock.
        let sql =
            "UPDATE erasure_work SET next_at = $1 WHERE next_at <= $2 OR next_at > $1 RETURNING last_company";
        let last = self.query(sql, &[next.into(), now.into()], only_column::<i64>)?;
        Ok(last.first().copied().map(CompanyId))
    }

    /// Notes whose batch was erased: the next is another company's, if there is one.
    pub fn note_erasure_turn(&mut self, company: CompanyId) -> Result<(), Error> {
        let sql = "UPDATE erasure_work SET last_company = $1";
        self.execute(sql, &[company.0.into()]).map(drop)
    }

    /// The company's folios in that state that have not changed since that time and are not held, the oldest first. Pending
    /// ones are as old as their creation.
    pub fn erasable_folios(
        &mut self,
        company: CompanyId,
        state: FolioState,
        before: Timestamp,
        limit: usize,
    ) -> Result<Vec<FolioId>, Error> {
        let sql = match state {
            FolioState::Pending => {
                "SELECT id FROM folios WHERE company = $1 AND state = $2 AND created_at < $3 AND held = 0
                     AND state = 'pending' ORDER BY created_at LIMIT $4"
            }
            _ => {
                "SELECT id FROM folios WHERE company = $1 AND state = $2 AND updated_at < $3 AND erased_at IS NULL
                     AND held = 0 AND state <> 'pending' ORDER BY updated_at LIMIT $4"
            }
        };
        let params = [
            company.0.into(),
            enum_columns::folio_state(state).into(),
            before.into(),
            sql_int(limit)?.into(),
        ];
        self.query(sql, &params, only_column)
    }

    /// The company's folios among these identifiers, locked against every transaction that writes rows of theirs, in the
    /// order of their row numbers.
    pub fn lock_folios_to_erase(
        &mut self,
        company: CompanyId,
        ids: &[FolioId],
    ) -> Result<Vec<StoredFolio>, Error> {
        let lock = self.dialect().for_exclusive_update();
        let sql = folios_where!(own_company!(), " AND id IN ({list}) ORDER BY seq");
        self.load_folios(
            &format!("{sql}{lock}"),
            &[company.0.into()],
            ids.iter().map(Param::from),
        )
    }

    /// Applies the changes and erases their folios. The open bulk signatures of which no folio is left are erased as well.
    /// Returns which these are, and what the folios knew of their signers.
    pub fn erase_folios(
        &mut self,
        company: CompanyId,
        at: Timestamp,
        changes: &[(&StoredFolio, Change)],
    ) -> Result<(Vec<BulkId>, Vec<ErasedSigner>), Error> {
        if changes.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        self.apply(company, at, changes)?;
        let seqs: Vec<FolioRow> = changes.iter().map(|(stored, _)| stored.seq).collect();
        let ids: Vec<FolioId> = changes.iter().map(|(stored, _)| stored.folio.id).collect();
        let sql =
            "UPDATE folios SET erased_at = $1, name = '', name_key = '', message = '', observation = NULL, return_url = ''
                   WHERE seq IN ({list}) RETURNING seq";
        self.query_in(sql, &[at.into()], numbers(&seqs), |_| Ok(()))?;
        let mut texts = self.erase_values(&seqs)?;
        let mut signers = Vec::new();
        for (stored, _) in changes {
            let folio = &stored.folio;
            let of_folio = texts.all.entry(stored.seq).or_default();
            of_folio.insert(folio.name.as_str().to_owned());
            for (index, signer) in folio.indexed_signers() {
                let before = texts.of_signers.remove(&(stored.seq, index));
                let erased = erased_signer(signer, before.unwrap_or_default());
                of_folio.extend(erased.names.iter().cloned());
                of_folio.extend(erased.numbers_and_addresses.iter().cloned());
                signers.push(erased);
            }
        }
        self.delete_words(company, &texts.all)?;
        self.forget_responses(company, &seqs)?;
        self.lock_deliveries_of(&seqs)?;
        for sql in STATEMENTS {
            self.each_in(sql, &[], numbers(&seqs), |_| Ok(()))?;
        }
        self.forget_mailed_notices(&ids)?;
        let bulks = self.erase_bulks_of(&seqs)?;
        self.execute("UPDATE erasure_work SET erased_at = $1", &[at.into()])?;
        Ok((bulks, signers))
    }

    /// When a folio was erased that may still be in the free space of the database's files.
    pub fn uncompacted_erasure(&mut self) -> Result<Option<Timestamp>, Error> {
        let sql = "SELECT erased_at FROM erasure_work WHERE erased_at <> compacted_at";
        self.query_one(sql, &[], only_column)
    }

    /// Notes that what was erased until that time is gone from the files.
    pub fn note_compacted(&mut self, until: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE erasure_work SET compacted_at = $1";
        self.execute(sql, &[until.into()]).map(drop)
    }

    /// Erases the values beside all events of these folios but the last, which says who erased them; returns the values.
    fn erase_values(&mut self, seqs: &[FolioRow]) -> Result<ErasedTexts, Error> {
        let read = "SELECT e.folio, e.number, e.body, e.personal, e.hash FROM events e JOIN folios f ON f.seq = e.folio
                    WHERE e.number < f.history_length AND (e.folio, e.number) > ($1, $2) AND e.folio IN ({list})
                    ORDER BY e.folio, e.number LIMIT $3";
        let write = "UPDATE events SET personal = c.column3 FROM (VALUES {rows}) AS c
                     WHERE events.folio = c.column1 AND events.number = c.column2";
        let mut texts = ErasedTexts::default();
        let mut after = (FolioRow::ZERO, 0);
        loop {
            let fixed = [after.0.into(), after.1.into(), EVENTS_PER_STATEMENT.into()];
            let page = self.query_in(read, &fixed, numbers(seqs), |row| {
                Ok((row.get::<FolioRow>("folio")?, chained(row)?))
            })?;
            let Some((folio, last)) = page.last() else {
                return Ok(texts);
            };
            after = (*folio, last.number);
            let erased: Vec<(FolioRow, i64, String)> = page
                .iter()
                .map(|(folio, event)| (*folio, event.number, event.erased_values()))
                .collect();
            let mut rows = Rows::new();
            for (folio, number, personal) in &erased {
                rows.push([(*folio).into(), (*number).into(), personal.into()]);
            }
            self.run_rows(write, &[Int, Int, Text], &rows)?;
            for (folio, event) in page {
                let values = event.values().into_iter().filter_map(|value| value.value);
                texts.all.entry(folio).or_default().extend(values);
                for (signer, value) in event.values_of_signers() {
                    texts.of_signers.entry((folio, signer)).or_default().push(value);
                }
            }
        }
    }

    /// Takes the words of these texts out of the search index. The word of the folio's identifier stays.
    pub(crate) fn delete_words(
        &mut self,
        company: CompanyId,
        texts: &HashMap<FolioRow, BTreeSet<String>>,
    ) -> Result<(), Error> {
        let words: Vec<(FolioRow, String)> = texts
            .iter()
            .flat_map(|(folio, texts)| {
                let words = search::words_of_any(texts.iter().map(String::as_str));
                words.into_iter().map(|word| (*folio, word))
            })
            .collect();
        let mut rows = Rows::new();
        for (folio, word) in &words {
            rows.push([company.0.into(), word.into(), (*folio).into()]);
        }
        let sql = "DELETE FROM search_index WHERE (company, word, folio) IN (VALUES {rows})";
        self.run_rows(sql, &[Int, Text, Int], &rows)
    }

    /// Empties the stored responses that name one of these folios: repeated, the request gets an empty object.
    fn forget_responses(&mut self, company: CompanyId, seqs: &[FolioRow]) -> Result<(), Error> {
        // A key that a request has locked is about to be deleted; that request may wait for one of these folios.
        let skip = self.dialect().for_update_skip_locked();
        let sql = format!(
            "UPDATE idempotency_keys SET body = '{{}}' FROM (
                 SELECT k.company, k.idempotency_key FROM idempotency_folios f
                 JOIN idempotency_keys k ON k.company = f.company AND k.idempotency_key = f.idempotency_key
                 WHERE f.company = $1 AND f.folio IN ({{list}}){skip}) AS c
             WHERE idempotency_keys.company = c.company AND idempotency_keys.idempotency_key = c.idempotency_key"
        );
        self.each_in(&sql, &[company.0.into()], numbers(seqs), |_| Ok(()))
    }

    /// Takes the emails to panel users that link to these folios out of the built-in mailbox.
    fn forget_mailed_notices(&mut self, ids: &[FolioId]) -> Result<(), Error> {
        let patterns: Vec<String> = ids.iter().map(|id| format!("%/panel/folios/{id}%")).collect();
        let mut rows = Rows::new();
        for pattern in &patterns {
            rows.push([pattern.into()]);
        }
        let sql = "DELETE FROM mailbox WHERE EXISTS (
                       SELECT 1 FROM (VALUES {rows}) AS c WHERE mailbox.text LIKE c.column1)";
        self.run_rows(sql, &[Text], &rows)
    }

    /// Locks the webhook deliveries of these folios in the order in which they are settled.
    fn lock_deliveries_of(&mut self, seqs: &[FolioRow]) -> Result<(), Error> {
        let sql = "SELECT seq FROM webhook_deliveries WHERE folio IN ({list}) ORDER BY seq{lock}";
        self.query_in(sql, &[], numbers(seqs), |_| Ok(())).map(drop)
    }

    /// Erases the bulk signatures of which every folio is erased; which these are. Locked first: of two transactions that
    /// erase the last two folios of one, the second sees the first's.
    fn erase_bulks_of(&mut self, seqs: &[FolioRow]) -> Result<Vec<BulkId>, Error> {
        let sql = "SELECT seq FROM bulks WHERE seq IN (SELECT bulk FROM bulk_folios WHERE folio IN ({list}))
                   ORDER BY seq{lock}";
        self.query_in(sql, &[], numbers(seqs), |_| Ok(()))?;
        let sql = "UPDATE bulks SET signer_name = '', document_number = '', email = '', mobile = '', return_url = '',
                       session_generation = session_generation + 1
                   WHERE seq IN (SELECT bulk FROM bulk_folios WHERE folio IN ({list})) AND NOT EXISTS (
                       SELECT 1 FROM bulk_folios o JOIN folios f ON f.seq = o.folio
                       WHERE o.bulk = bulks.seq AND f.erased_at IS NULL)
                   RETURNING id";
        self.query_in(sql, &[], numbers(seqs), only_column)
    }

    /// Deletes the codes, sessions and visits of these signing parties: a day later they would be gone anyway.
    pub fn delete_traces_of(&mut self, holders: &[Vec<u8>]) -> Result<(), Error> {
        for sql in [
            "DELETE FROM recorded_visits WHERE session IN (SELECT id FROM signer_sessions WHERE holder IN ({list}))",
            "DELETE FROM shown_pages WHERE session IN (SELECT id FROM signer_sessions WHERE holder IN ({list}))",
            "DELETE FROM accepted_documents WHERE session IN (SELECT id FROM signer_sessions WHERE holder IN ({list}))",
            "DELETE FROM signer_sessions WHERE holder IN ({list})",
            "DELETE FROM codes WHERE holder IN ({list})",
            "DELETE FROM code_sends WHERE holder IN ({list})",
        ] {
            let holders = holders.iter().map(|holder| Param::from(holder.as_slice()));
            self.each_in(sql, &[], holders, |_| Ok(()))?;
        }
        Ok(())
    }

    /// Places folios under legal hold, or lifts it. The caller has locked them.
    pub fn set_held(&mut self, folio: FolioRow, held: bool) -> Result<(), Error> {
        let sql = "UPDATE folios SET held = $1 WHERE seq = $2";
        self.execute(sql, &[held.into(), folio.into()]).map(drop)
    }
}

/// Whether a value is a drawn signature: hundreds of coordinates, which are no words of a person and begin what others search
/// for.
fn is_drawing(value: &PersonalValue) -> bool {
    let text = value.value.as_deref().filter(|_| value.field() == "picture_text");
    text.is_some_and(|text| SignaturePicture::drawn(text).is_ok())
}

/// What is known of a signer: the values now, and those of the history.
fn erased_signer(signer: &Signer, before: Vec<PersonalValue>) -> ErasedSigner {
    let number = signer.document_number.as_str().to_owned();
    let mut erased = ErasedSigner {
        names: BTreeSet::from([signer.name.as_str().to_owned()]),
        numbers_and_addresses: BTreeSet::from([
            number.clone(),
            signer.contact.email.as_str().to_owned(),
            signer.contact.mobile.as_str().to_owned(),
        ]),
        document_number: number,
    };
    for value in before.into_iter().filter(|value| !is_drawing(value)) {
        // What a signer typed as a signature is a name like any other.
        let is_name = matches!(value.field(), "name" | "picture_text");
        match value.value {
            Some(name) if is_name => drop(erased.names.insert(name)),
            Some(other) => drop(erased.numbers_and_addresses.insert(other)),
            None => {}
        }
    }
    erased
}

fn numbers(seqs: &[FolioRow]) -> impl ExactSizeIterator<Item = Param<'static>> {
    seqs.iter().map(|seq| Param::from(*seq))
}
