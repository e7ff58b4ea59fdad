//! Applies changes to folios: the number of statements does not depend on the number of folios.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::queries::folios::folio::StoredFolio;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Rows, sql_int};
use domain::{Change, CompanyId, FolioState, HistoryHead, SignerState, Timestamp};

/// The update of folios, with an additional assignment.
macro_rules! update_folios {
    ($set:literal) => {
        concat!(
            "UPDATE folios SET ",
            $set,
            "updated_at = c.column4,
                 observation = COALESCE(c.column5, observation), dropped = c.column6,
                 history_length = c.column7, history_hash = c.column8
             FROM (VALUES {rows}) AS c
             WHERE folios.seq = c.column1 AND folios.company = $1 AND folios.state = c.column2
                 AND folios.history_length = c.column9"
        )
    };
}

impl Tx<'_> {
    /// Applies each change to its folio. A folio whose state is no longer the one its change was made from
    /// fails the whole with [`Error::Stale`].
    pub fn apply(
        &mut self,
        company: CompanyId,
        at: Timestamp,
        changes: &[(&StoredFolio, Change)],
    ) -> Result<(), Error> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut chained = Vec::new();
        let mut ends = Vec::with_capacity(changes.len());
        for (stored, change) in changes {
            let mut end = stored.history;
            for event in &change.events {
                let (event, next) = self.chain(end, stored.folio.id, event)?;
                chained.push((stored.seq, event));
                end = next;
            }
            ends.push(end);
        }
        self.update_folios(company, changes, &ends)?;
        self.update_signers(changes)?;
        self.insert_events(&chained)?;
        let messages: Vec<_> = changes
            .iter()
            .map(|(s, change)| (s.seq, change.messages.as_slice()))
            .collect();
        self.insert_messages(company, at, &messages)?;
        let ended = ended(changes);
        self.plan_increment_moves(&half_signed(&ended), at)?;
        let seqs: Vec<FolioRow> = ended.iter().map(|stored| stored.seq).collect();
        self.delete_waiting_sheets(&seqs)?;
        self.log_changes(company, changes, &ends)
    }

    fn update_folios(
        &mut self,
        company: CompanyId,
        changes: &[(&StoredFolio, Change)],
        ends: &[HistoryHead],
    ) -> Result<(), Error> {
        let kinds = [Int, Text, Text, Int, Text, Int, Int, Bytes, Int];
        // Setting the state rewrites the index entry, even if the value is the same.
        let same = changes.iter().all(|(_, change)| change.from == change.to);
        let sql = if same {
            update_folios!("")
        } else {
            update_folios!("state = c.column3, ")
        };
        let mut params = Rows::new();
        params.push([company.0.into()]);
        for ((stored, change), end) in changes.iter().zip(ends) {
            params.push([
                stored.seq.into(),
                enum_columns::folio_state(change.from).into(),
                enum_columns::folio_state(change.to).into(),
                change.at.into(),
                change
                    .observation
                    .as_ref()
                    .map(domain::Observation::as_str)
                    .into(),
                (stored.folio.dropped || change.drop).into(),
                end.length.into(),
                (&end.hash).into(),
                stored.history.length.into(),
            ]);
        }
        let updated = self.execute_rows(sql, &kinds, 1, &params)?;
        if updated == changes.len() as u64 {
            Ok(())
        } else {
            Err(Error::Stale)
        }
    }

    fn update_signers(&mut self, changes: &[(&StoredFolio, Change)]) -> Result<(), Error> {
        let signers: Vec<_> = changes
            .iter()
            .flat_map(|(stored, change)| change.signers.iter().map(|s| (stored.seq, s)))
            .collect();
        if signers.is_empty() {
            return Ok(());
        }
        let addresses: Vec<_> = signers
            .iter()
            .map(|(_, s)| s.signed_from.map(|ip| ip.to_string()))
            .collect();
        let kinds = [
            Int, Int, Text, Text, Text, Text, Int, Int, Int, Text, Text, Text, Int,
        ];
        let sql =
            "UPDATE signers SET state = c.column3, email = c.column4, mobile = c.column5, signed_from = c.column6,
                 updated_at = c.column7, session_generation = session_generation + c.column8,
                 contact_changed = CASE WHEN c.column9 = 1 THEN 1 ELSE contact_changed END,
                 return_url = COALESCE(c.column10, return_url), name = COALESCE(c.column11, name),
                 document_number = COALESCE(c.column12, document_number),
                 email_proven = CASE WHEN c.column13 = 1 THEN 1 WHEN email <> c.column4 THEN 0 ELSE email_proven END
             FROM (VALUES {rows}) AS c WHERE signers.folio = c.column1 AND signers.position = c.column2";
        let mut params = Rows::new();
        for ((seq, signer), address) in signers.iter().zip(&addresses) {
            params.push([
                (*seq).into(),
                sql_int(signer.signer.0)?.into(),
                enum_columns::signer_state(signer.state).into(),
                signer.contact.email.as_str().into(),
                signer.contact.mobile.as_str().into(),
                address.as_ref().into(),
                signer.updated_at.into(),
                signer.ends_sessions.into(),
                signer.contact_corrected.into(),
                signer.return_url.as_ref().map(domain::ReturnUrl::as_str).into(),
                signer.name.as_ref().map(domain::PersonName::as_str).into(),
                signer
                    .document_number
                    .as_ref()
                    .map(domain::DocumentNumber::as_str)
                    .into(),
                signer.proves_email.into(),
            ]);
        }
        self.execute_rows(sql, &kinds, 0, &params).map(drop)
    }
}

/// The folios that ended before all had signed.
fn ended<'s>(changes: &[(&'s StoredFolio, Change)]) -> Vec<&'s StoredFolio> {
    let ended = changes.iter().filter(|(_, change)| {
        change.from == FolioState::Pending
            && matches!(change.to, FolioState::RejectedBySigner | FolioState::Cancelled)
    });
    ended.map(|(stored, _)| *stored).collect()
}

/// Those that some of their signers had signed. Of folios that all have signed, increments are moved once they are extended.
fn half_signed(ended: &[&StoredFolio]) -> Vec<FolioRow> {
    let signed = |stored: &&&StoredFolio| {
        let mut signers = stored.folio.signers.iter();
        signers.any(|signer| signer.state == SignerState::Signed)
    };
    ended.iter().filter(signed).map(|stored| stored.seq).collect()
}
