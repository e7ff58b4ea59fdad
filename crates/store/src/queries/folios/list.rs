//! Lists of folios: newest first, in pages by row number, so that new folios do not shift a page.

use crate::error::Error;
use crate::queries::enum_columns;
use crate::queries::folios::folio::own_company;
use crate::rows::{FolioRow, UserRow};
use crate::tx::Tx;
use crate::value::{Param, only_column, sql_int};
use domain::search::SignerTexts;
use domain::{CompanyId, FolioId, FolioState, SignerState, Timestamp};
use std::collections::HashMap;
use std::fmt::Write;

/// A filter of folios.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolioFilter {
    /// In this state only.
    pub state: Option<FolioState>,
    /// Not those that were dropped.
    pub kept: bool,
    /// Created not before.
    pub from: Option<Timestamp>,
    /// Created before.
    pub to: Option<Timestamp>,
    /// Older than the folio of this number.
    pub before: FolioRow,
    /// Not older than the folio of this number.
    pub not_below: FolioRow,
    /// Of this subset only.
    pub subset: Option<FolioSubset>,
    /// Whether the oldest come first.
    pub oldest_first: bool,
}

/// Some of a company's folios, by something other than their state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolioSubset {
    /// An administrator dropped it.
    Dropped,
    /// It is pending, and ends after the one time and up to the other.
    Expiring(Timestamp, Timestamp),
    /// A message about it was given up, or came back.
    Undelivered,
    /// This panel user made it.
    MadeBy(UserRow),
}

impl Default for FolioFilter {
    fn default() -> Self {
        Self {
            state: None,
            kept: false,
            from: None,
            to: None,
            before: FolioRow::MAX,
            not_below: FolioRow::ZERO,
            subset: None,
            oldest_first: false,
        }
    }
}

/// The first parameters of a list: the company, the folios before and not below which it is, and its length.
fn filter_params(company: CompanyId, wanted: &FolioFilter, max: usize) -> Result<Vec<Param<'static>>, Error> {
    Ok(vec![
        company.0.into(),
        wanted.before.into(),
        wanted.not_below.into(),
        sql_int(max)?.into(),
    ])
}

/// Adds the days on which the folios were created.
fn push_days(bounds: &mut String, params: &mut Vec<Param<'_>>, column: &str, wanted: &FolioFilter) {
    for (bound, sign) in [(wanted.from, ">="), (wanted.to, "<")] {
        if let Some(at) = bound {
            params.push(at.into());
            let _ = write!(bounds, " AND {column} {sign} ${}", params.len());
        }
    }
}

/// A folio as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFolio {
    /// Its number in the database.
    pub seq: FolioRow,
    /// Its identifier.
    pub id: FolioId,
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: FolioState,
    /// Whether an administrator dropped it.
    pub dropped: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// When it can no longer be signed.
    pub expires_at: Option<Timestamp>,
    /// Its signers, in order.
    pub signers: Vec<ListedSigner>,
}

/// A signer as a list shows one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSigner {
    /// Full name.
    pub name: String,
    /// Email address.
    pub email: String,
    /// Document number.
    pub document_number: String,
    /// Mobile number.
    pub mobile: String,
    /// What the signer has done.
    pub state: SignerState,
}

impl ListedSigner {
    /// What the signer is found by.
    pub fn search_texts(&self) -> SignerTexts<'_> {
        SignerTexts {
            name: &self.name,
            email: &self.email,
            document_number: &self.document_number,
            mobile: &self.mobile,
        }
    }
}

impl Tx<'_> {
    /// The numbers of the company's folios that are wanted, newest first unless the oldest are to be, at most so many. Of
    /// those that expire, see [`Tx::expiring_folios`].
    pub fn newest_folios(
        &mut self,
        company: CompanyId,
        wanted: &FolioFilter,
        max: usize,
    ) -> Result<Vec<FolioRow>, Error> {
        let mut params = filter_params(company, wanted, max)?;
        let mut bounds = String::new();
        if wanted.kept {
            bounds.push_str(" AND dropped = 0");
        }
        match wanted.subset {
            Some(FolioSubset::Dropped) => bounds.push_str(" AND dropped = 1"),
            Some(FolioSubset::MadeBy(user)) => {
                params.push(user.into());
                let _ = write!(bounds, " AND creator = ${}", params.len());
            }
            Some(FolioSubset::Undelivered) => return self.undelivered_folios(company, wanted, max),
            Some(FolioSubset::Expiring(..)) | None => {}
        }
        push_days(&mut bounds, &mut params, "created_at", wanted);
        let states = wanted
            .state
            .as_ref()
            .map_or(FolioState::ALL.as_slice(), std::slice::from_ref);
        // The index yields the folios of each state newest first, and these lists are merged up to the
        // limit: nothing is sorted.
        let dialect = self.dialect();
        let order = if wanted.oldest_first { "ASC" } else { "DESC" };
        let of_state = |state: &FolioState| {
            let list = format!(
                "SELECT seq FROM folios WHERE company = $1 AND state = '{}' AND seq < $2 AND seq >= $3{bounds}",
                enum_columns::folio_state(*state)
            );
            dialect.merged(&list, "seq", order, "$4")
        };
        let parts: Vec<String> = states.iter().map(of_state).collect();
        let sql = format!("{} ORDER BY seq {order} LIMIT $4", parts.join(" UNION ALL "));
        self.query(&sql, &params, only_column)
    }

    /// The company's folios, in one state or in any, by name, after the folio of that number.
    pub fn folios_by_name(
        &mut self,
        company: CompanyId,
        state: Option<FolioState>,
        after: Option<FolioRow>,
        max: usize,
    ) -> Result<Vec<FolioRow>, Error> {
        let key = match after {
            Some(after) => {
                let sql = "SELECT name_key FROM folios WHERE seq = $1 AND company = $2";
                self.query_one(sql, &[after.into(), company.0.into()], only_column::<String>)?
            }
            None => None,
        };
        let (key, after) = (key.unwrap_or_default(), after.unwrap_or(FolioRow::ZERO));
        let states = state
            .as_ref()
            .map_or(FolioState::ALL.as_slice(), std::slice::from_ref);
        let dialect = self.dialect();
        let of_state = |state: &FolioState| {
            let list = format!(
                "SELECT name_key, seq FROM folios WHERE company = $1 AND state = '{}' AND (name_key, seq) > ($2, $3)",
                enum_columns::folio_state(*state)
            );
            dialect.merged(&list, "name_key, seq", "ASC", "$4")
        };
        let parts: Vec<String> = states.iter().map(of_state).collect();
        let sql = format!("{} ORDER BY name_key, seq LIMIT $4", parts.join(" UNION ALL "));
        let params = [
            company.0.into(),
            (&key).into(),
            after.into(),
            sql_int(max)?.into(),
        ];
        self.query(&sql, &params, |row| row.get("seq"))
    }

    /// The company's folios, those of one state after those of another and the newest first in each, after the folio of that
    /// number as it stood in that state.
    pub fn folios_by_state(
        &mut self,
        company: CompanyId,
        after: Option<(FolioState, FolioRow)>,
        max: usize,
    ) -> Result<Vec<FolioRow>, Error> {
        let (first, before) = after.unwrap_or((FolioState::ALL[0], FolioRow::MAX));
        let states = FolioState::ALL.into_iter().enumerate();
        let part = |(place, state): (usize, FolioState)| {
            let bound = if state == first { " AND seq < $2" } else { "" };
            format!(
                "SELECT place, seq FROM (SELECT {place} AS place, seq FROM folios
                     WHERE company = $1 AND state = '{}'{bound} ORDER BY seq DESC LIMIT $3) AS part",
                enum_columns::folio_state(state)
            )
        };
        let parts: Vec<String> = states
            .skip_while(|(_, state)| *state != first)
            .map(part)
            .collect();
        let sql = format!("{} ORDER BY place, seq DESC LIMIT $3", parts.join(" UNION ALL "));
        let params = [company.0.into(), before.into(), sql_int(max)?.into()];
        self.query(&sql, &params, |row| row.get("seq"))
    }

    /// Those of the folios that are wanted with a message that was given up, or came back.
    fn undelivered_folios(
        &mut self,
        company: CompanyId,
        wanted: &FolioFilter,
        max: usize,
    ) -> Result<Vec<FolioRow>, Error> {
        let mut params = filter_params(company, wanted, max)?;
        let mut bounds = String::new();
        if let Some(state) = wanted.state {
            let _ = write!(bounds, " AND f.state = '{}'", enum_columns::folio_state(state));
        }
        push_days(&mut bounds, &mut params, "f.created_at", wanted);
        let order = if wanted.oldest_first { "ASC" } else { "DESC" };
        let sql = format!(
            "SELECT DISTINCT o.folio FROM outbox o JOIN folios f ON f.seq = o.folio
             WHERE o.company = $1 AND (o.state = 'dead' OR o.returned IS NOT NULL) AND o.folio < $2 AND o.folio >= $3{bounds}
             ORDER BY o.folio {order} LIMIT $4"
        );
        self.query(&sql, &params, only_column)
    }

    /// The company's pending folios that end after the one time and up to the other, those that end first before the others,
    /// after the folio of that number.
    pub fn expiring_folios(
        &mut self,
        company: CompanyId,
        (from, until): (Timestamp, Timestamp),
        after: Option<FolioRow>,
        max: usize,
    ) -> Result<Vec<FolioRow>, Error> {
        let sql = "SELECT seq FROM folios
                   WHERE company = $1 AND state = 'pending' AND expires_at > $2 AND expires_at <= $3
                   ORDER BY expires_at, seq LIMIT $4";
        let Some(after) = after else {
            let params = [company.0.into(), from.into(), until.into(), sql_int(max)?.into()];
            return self.query(sql, &params, only_column);
        };
        let end = "SELECT expires_at FROM folios WHERE seq = $1 AND company = $2";
        let end = self.query_one(
            end,
            &[after.into(), company.0.into()],
            only_column::<Option<Timestamp>>,
        )?;
        let Some(end) = end.flatten() else {
            return Ok(Vec::new());
        };
        let sql = "SELECT seq FROM folios
                   WHERE company = $1 AND state = 'pending' AND expires_at >= $2 AND expires_at <= $3
                       AND (expires_at > $2 OR seq > $4)
                   ORDER BY expires_at, seq LIMIT $5";
        let params = [
            company.0.into(),
            end.into(),
            until.into(),
            after.into(),
            sql_int(max)?.into(),
        ];
        self.query(sql, &params, only_column)
    }

    /// Those of these folios of the company that are in the subset.
    pub fn folios_in_subset(
        &mut self,
        company: CompanyId,
        subset: FolioSubset,
        folios: &[FolioRow],
    ) -> Result<Vec<FolioRow>, Error> {
        let mut fixed: Vec<Param<'_>> = vec![company.0.into()];
        let sql = match subset {
            FolioSubset::Undelivered => {
                "SELECT DISTINCT folio FROM outbox
                 WHERE company = $1 AND (state = 'dead' OR returned IS NOT NULL) AND folio IN ({list})"
            }
            FolioSubset::Dropped => concat!(
                "SELECT seq FROM folios WHERE ",
                own_company!(),
                " AND dropped = 1 AND seq IN ({list})"
            ),
            FolioSubset::MadeBy(user) => {
                fixed.push(user.into());
                concat!(
                    "SELECT seq FROM folios WHERE ",
                    own_company!(),
                    " AND creator = $2 AND seq IN ({list})"
                )
            }
            FolioSubset::Expiring(from, until) => {
                fixed.extend([Param::from(from), until.into()]);
                concat!(
                    "SELECT seq FROM folios WHERE ",
                    own_company!(),
                    " AND state = 'pending' AND expires_at > $2 AND expires_at <= $3 AND seq IN ({list})"
                )
            }
        };
        self.query_in(
            sql,
            &fixed,
            folios.iter().map(|folio| Param::from(*folio)),
            only_column,
        )
    }

    /// The company's folios of these numbers as a list shows them, newest first.
    pub fn listed_folios(
        &mut self,
        company: CompanyId,
        seqs: &[FolioRow],
    ) -> Result<Vec<ListedFolio>, Error> {
        let sql = concat!(
            "SELECT seq, id, name, state, dropped, created_at, updated_at, expires_at FROM folios
             WHERE ",
            own_company!(),
            " AND seq IN ({list}) ORDER BY seq DESC"
        );
        let numbers = seqs.iter().map(|seq| Param::from(*seq));
        let mut folios = self.query_in(sql, &[company.0.into()], numbers, |row| {
            Ok(ListedFolio {
                seq: row.get("seq")?,
                id: row.get("id")?,
                name: row.get("name")?,
                state: row.get("state")?,
                dropped: row.get("dropped")?,
                created_at: row.get("created_at")?,
                updated_at: row.get("updated_at")?,
                expires_at: row.get("expires_at")?,
                signers: Vec::new(),
            })
        })?;
        let indexes: HashMap<FolioRow, usize> =
            folios.iter().enumerate().map(|(at, f)| (f.seq, at)).collect();
        let own: Vec<Param<'_>> = folios.iter().map(|folio| folio.seq.into()).collect();
        for (seq, signer) in self.listed_signers(&own)? {
            if let Some(index) = indexes.get(&seq) {
                folios[*index].signers.push(signer);
            }
        }
        Ok(folios)
    }

    fn listed_signers(&mut self, folios: &[Param<'_>]) -> Result<Vec<(FolioRow, ListedSigner)>, Error> {
        let sql = "SELECT folio, name, email, document_number, mobile, state FROM signers
                   WHERE folio IN ({list}) ORDER BY folio, position";
        self.query_in(sql, &[], folios.iter().copied(), |row| {
            let signer = ListedSigner {
                name: row.get("name")?,
                email: row.get("email")?,
                document_number: row.get("document_number")?,
                mobile: row.get("mobile")?,
                state: row.get("state")?,
            };
            Ok((row.get("folio")?, signer))
        })
    }

    /// Keeps these folios from being erased until the transaction ends: what it derives from them is committed before, and
    /// erased with them.
    pub fn keep_from_erasure(&mut self, seqs: &[FolioRow]) -> Result<(), Error> {
        let Some(lock) = self.dialect().for_key_share() else {
            return Ok(());
        };
        let sql = format!("SELECT seq FROM folios WHERE seq IN ({{list}}) ORDER BY seq{lock}");
        self.query_in(&sql, &[], seqs.iter().map(|seq| Param::from(*seq)), |_| Ok(()))
            .map(drop)
    }

    /// The names and signers of these folios, of any company, for the projector.
    pub fn searchable_folios(
        &mut self,
        seqs: &[FolioRow],
    ) -> Result<HashMap<FolioRow, SearchableFolio>, Error> {
        let sql = "SELECT seq, id, name, created_at FROM folios WHERE seq IN ({list})";
        let numbers: Vec<Param<'_>> = seqs.iter().map(|seq| Param::from(*seq)).collect();
        let found = self.query_in(sql, &[], numbers.iter().copied(), |row| {
            let folio = SearchableFolio {
                id: row.get("id")?,
                name: row.get("name")?,
                created_at: row.get("created_at")?,
                signers: Vec::new(),
            };
            Ok((row.get("seq")?, folio))
        })?;
        let mut searchable_folios: HashMap<FolioRow, SearchableFolio> = found.into_iter().collect();
        for (seq, signer) in self.listed_signers(&numbers)? {
            if let Some(folio) = searchable_folios.get_mut(&seq) {
                folio.signers.push(signer);
            }
        }
        Ok(searchable_folios)
    }
}

/// The parts of a folio that the projector indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchableFolio {
    /// Its identifier.
    pub id: FolioId,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// Its signers, in order.
    pub signers: Vec<ListedSigner>,
}
