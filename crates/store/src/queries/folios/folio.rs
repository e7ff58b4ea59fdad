//! Folios, with their documents and signers.

use crate::dialect::ColumnType::{Bytes, Int, Text};
use crate::error::Error;
use crate::queries::enum_columns;
use crate::rows::{BulkRow, FolioRow};
use crate::tx::Tx;
use crate::value::{Param, Row, Rows, only_column, sql_int};
use domain::{
    CompanyId, Contact, Created, Document, DocumentNumber, Email, FileName, Folio, FolioId, FolioMessage,
    FolioName, HistoryHead, Language, LegalBasis, Mobile, Observation, PersonName, ReturnUrl, Signer,
    Timestamp, search,
};
use std::collections::HashMap;
use std::net::IpAddr;

/// A folio with its place in the database and the end of its history.
#[derive(Debug, Clone)]
pub struct StoredFolio {
    /// Its number in the database.
    pub seq: FolioRow,
    /// The folio.
    pub folio: Folio,
    /// The end of its history.
    pub history: HistoryHead,
}

/// Of the company $1. The sign keeps `SQLite` from walking through all the folios of the company in search of the few
/// that are named beside it: it cannot know how many a company has.
macro_rules! own_company {
    () => {
        "+company = $1"
    };
}
pub(crate) use own_company;

/// Selects folios with this condition.
macro_rules! folios_where {
    ($($which:tt)+) => {
        concat!(
            "SELECT seq, id, company, name, message, observation, created_at, updated_at, state, dropped,
                 erased_at, held, signature_type, return_url, send_email, expires_at, language, legal_basis, history_length, history_hash
             FROM folios WHERE ",
            $($which)+
        )
    };
}
pub(crate) use folios_where;

impl Tx<'_> {
    /// Stores a new folio with all that belongs to it.
    ///
    /// `prepared` is the PDF engine's state after the last byte of each document. The folio ends when its company says
    /// that new ones do, if it says so, speaks its company's language where its creator
    /// chose none, and names its company's legal basis.
    pub fn insert_folio(&mut self, created: &Created, prepared: &[Vec<u8>]) -> Result<(), Error> {
        self.insert_folios(&[(created, prepared)])
    }

    /// Stores new folios of one company, made at one time: as many statements as for one.
    pub fn insert_folios(&mut self, new: &[(&Created, &[Vec<u8>])]) -> Result<(), Error> {
        let Some((first, _)) = new.first() else {
            return Ok(());
        };
        let (company, at) = (first.folio.company, first.folio.created_at);
        let mut events = Vec::with_capacity(new.len());
        let mut rows = Vec::with_capacity(new.len());
        for (created, _) in new {
            let (event, end) = self.chain(HistoryHead::START, created.folio.id, &created.event)?;
            events.push(event);
            rows.push((
                &created.folio,
                created.language,
                end,
                search::sort_key(created.folio.name.as_str()),
            ));
        }
        let seqs = self.insert_folio_rows(&rows)?;
        let folio_rows: Vec<FolioRow> = new
            .iter()
            .map(|(created, _)| {
                seqs.get(&created.folio.id)
                    .copied()
                    .ok_or(Error::Corrupt("folio"))
            })
            .collect::<Result<_, _>>()?;
        let rows_of = || folio_rows.iter().copied().zip(new);
        self.insert_documents(
            rows_of().map(|(seq, (created, _))| (seq, created.folio.documents.as_slice())),
        )?;
        self.insert_signing_states(rows_of().map(|(seq, (_, prepared))| (seq, *prepared)))?;
        self.insert_signers(rows_of().map(|(seq, (created, _))| (seq, created.folio.signers.as_slice())))?;
        let events: Vec<_> = folio_rows.iter().copied().zip(events).collect();
        self.insert_events(&events)?;
        let messages: Vec<_> = rows_of()
            .map(|(seq, (created, _))| (seq, created.messages.as_slice()))
            .collect();
        self.insert_messages(company, at, &messages)?;
        let states: Vec<_> = rows_of()
            .map(|(seq, (created, _))| (seq, created.folio.state))
            .collect();
        self.log_created(company, &states, at)
    }

    fn insert_folio_rows(
        &mut self,
        new: &[(&Folio, Option<Language>, HistoryHead, String)],
    ) -> Result<HashMap<FolioId, FolioRow>, Error> {
        let kinds = [
            Bytes, Int, Text, Text, Int, Text, Text, Text, Int, Int, Int, Bytes, Text, Text,
        ];
        let sql = "INSERT INTO folios (id, company, name, message, created_at, state, signature_type, return_url,
                       send_email, expires_at, history_length, history_hash, language, name_key, legal_basis)
                   SELECT c.column1, c.column2, c.column3, c.column4, c.column5, c.column6, c.column7, c.column8, c.column9,
                       COALESCE((SELECT c.column5 + folio_days * 86400000000 FROM companies WHERE seq = c.column2), c.column10),
                       c.column11, c.column12,
                       COALESCE(c.column13, (SELECT language FROM companies WHERE seq = c.column2), 'es'), c.column14,
                       (SELECT legal_basis FROM companies WHERE seq = c.column2)
                   FROM (VALUES {rows}) AS c WHERE TRUE RETURNING id, seq";
        let mut params = Rows::new();
        for (folio, language, end, name_key) in new {
            params.push([
                (&folio.id).into(),
                folio.company.0.into(),
                folio.name.as_str().into(),
                folio.message.as_str().into(),
                folio.created_at.into(),
                enum_columns::folio_state(folio.state).into(),
                enum_columns::signature_type(folio.signature_type).into(),
                folio.return_url.as_str().into(),
                folio.send_email.into(),
                folio.expires_at.into(),
                end.length.into(),
                (&end.hash).into(),
                language.map(enum_columns::language).into(),
                name_key.into(),
            ]);
        }
        let seqs = self.query_rows(sql, &kinds, &params, |row| Ok((row.get("id")?, row.get("seq")?)))?;
        Ok(seqs.into_iter().collect())
    }

    /// Notes which user of the company made these folios.
    pub fn set_folio_creator(
        &mut self,
        company: CompanyId,
        folios: &[FolioId],
        email: &str,
    ) -> Result<(), Error> {
        let sql = "UPDATE folios SET creator = (SELECT seq FROM users WHERE email = $1 AND company = $2)
                   WHERE company = $2 AND id IN ({list}) RETURNING seq";
        let fixed = [email.into(), company.0.into()];
        self.query_in(sql, &fixed, folios.iter().map(Param::from), |_| Ok(()))
            .map(drop)
    }

    fn insert_documents<'f>(
        &mut self,
        folios: impl Iterator<Item = (FolioRow, &'f [Document])>,
    ) -> Result<(), Error> {
        let mut params = Rows::new();
        for (folio, documents) in folios {
            for (place, document) in documents.iter().enumerate() {
                params.push([
                    folio.into(),
                    sql_int(place)?.into(),
                    (&document.id).into(),
                    document.name.as_str().into(),
                    (&document.sha256).into(),
                    sql_int(document.size)?.into(),
                    document.created_at.into(),
                    i64::from(document.pages).into(),
                ]);
            }
        }
        self.run_rows(
            "INSERT INTO documents (folio, position, id, name, sha256, size, created_at, pages) VALUES",
            &[Int, Int, Bytes, Text, Bytes, Int, Int, Int],
            &params,
        )
    }

    fn insert_signers<'f>(
        &mut self,
        folios: impl Iterator<Item = (FolioRow, &'f [Signer])>,
    ) -> Result<(), Error> {
        let mut params = Rows::new();
        for (folio, signers) in folios {
            for (place, signer) in signers.iter().enumerate() {
                params.push([
                    folio.into(),
                    sql_int(place)?.into(),
                    signer.name.as_str().into(),
                    signer.document_type.code().into(),
                    signer.document_number.as_str().into(),
                    signer.contact.email.as_str().into(),
                    signer.contact.mobile.as_str().into(),
                    enum_columns::signer_state(signer.state).into(),
                ]);
            }
        }
        self.run_rows(
            "INSERT INTO signers (folio, position, name, document_type, document_number, email, mobile, state)
             VALUES",
            &[Int, Int, Text, Text, Text, Text, Text, Text],
            &params,
        )
    }

    /// The company's folios among these identifiers, in no particular order.
    pub fn folios(&mut self, company: CompanyId, ids: &[FolioId]) -> Result<Vec<StoredFolio>, Error> {
        let sql = folios_where!(own_company!(), " AND id IN ({list})");
        self.load_folios(sql, &[company.0.into()], ids.iter().map(Param::from))
    }

    /// The same, locked against other writers until the transaction ends, always in the same order.
    pub fn lock_folios(&mut self, company: CompanyId, ids: &[FolioId]) -> Result<Vec<StoredFolio>, Error> {
        let sql = folios_where!(own_company!(), " AND id IN ({list}) ORDER BY seq{lock}");
        self.load_folios(sql, &[company.0.into()], ids.iter().map(Param::from))
    }

    /// Which of these identifiers name folios of other companies: their existence, nothing else.
    pub fn foreign_folios(&mut self, company: CompanyId, ids: &[FolioId]) -> Result<Vec<FolioId>, Error> {
        let sql = "SELECT id FROM folios WHERE company <> $1 AND id IN ({list})";
        self.query_in(sql, &[company.0.into()], ids.iter().map(Param::from), only_column)
    }

    /// The folios of a bulk signature of the company, in its order.
    pub fn folios_of_bulk(&mut self, company: CompanyId, bulk: BulkRow) -> Result<Vec<StoredFolio>, Error> {
        let sql =
            "SELECT f.seq, f.id, f.company, f.name, f.message, f.observation, f.created_at, f.updated_at,
                   f.state, f.dropped, f.erased_at, f.held, f.signature_type, f.return_url, f.send_email, f.expires_at, f.language, f.legal_basis, f.history_length,
                   f.history_hash
                   FROM bulk_folios b JOIN folios f ON f.seq = b.folio
                   WHERE b.bulk = $1 AND f.company = $2 ORDER BY b.position";
        let found = self.query(sql, &[bulk.into(), company.0.into()], folio)?;
        self.load_documents_and_signers(found)
    }

    /// The folios with these numbers, for work that is no company's own request.
    pub(crate) fn folios_by_row(&mut self, seqs: &[FolioRow]) -> Result<Vec<StoredFolio>, Error> {
        let sql = folios_where!("seq IN ({list})");
        self.load_folios(sql, &[], seqs.iter().map(|seq| Param::from(*seq)))
    }

    /// Loads folios, at most one for each value.
    pub(crate) fn load_folios<'a>(
        &mut self,
        sql: &str,
        fixed: &[Param<'a>],
        values: impl ExactSizeIterator<Item = Param<'a>>,
    ) -> Result<Vec<StoredFolio>, Error> {
        let mut found = Vec::with_capacity(values.len());
        self.each_in(sql, fixed, values, |row| {
            found.push(folio(row)?);
            Ok(())
        })?;
        self.load_documents_and_signers(found)
    }

    fn load_documents_and_signers(
        &mut self,
        mut folios: Vec<StoredFolio>,
    ) -> Result<Vec<StoredFolio>, Error> {
        let indexes: FolioIndexes = folios.iter().map(|stored| stored.seq).zip(0..).collect();
        self.documents_of(&indexes, |of, row| {
            folios[of].folio.documents.push(document(row)?);
            Ok(())
        })?;
        self.signers_of(&indexes, |of, row| {
            folios[of].folio.signers.push(signer(row)?);
            Ok(())
        })?;
        Ok(folios)
    }

    /// The documents of these folios, each with the index of its folio; those of one folio together, in its order.
    pub(crate) fn documents_of(
        &mut self,
        folios: &FolioIndexes,
        mut take: impl FnMut(usize, &Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let sql = "SELECT folio, id, name, sha256, size, created_at, pages FROM documents
                   WHERE folio IN ({list}) ORDER BY folio, position";
        self.each_in(sql, &[], folios.numbers(), |row| {
            take(folios.at(row.get("folio")?)?, row)
        })
    }

    /// The same of their signers.
    pub(crate) fn signers_of(
        &mut self,
        folios: &FolioIndexes,
        mut take: impl FnMut(usize, &Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let sql = "SELECT folio, name, document_type, document_number, email, mobile, state, signed_from,
                   updated_at, return_url FROM signers WHERE folio IN ({list}) ORDER BY folio, position";
        self.each_in(sql, &[], folios.numbers(), |row| {
            take(folios.at(row.get("folio")?)?, row)
        })
    }
}

/// The index of each folio in a list, found by the folio's row number.
pub(crate) struct FolioIndexes(Vec<(FolioRow, usize)>);

impl FromIterator<(FolioRow, usize)> for FolioIndexes {
    fn from_iter<I: IntoIterator<Item = (FolioRow, usize)>>(folios: I) -> Self {
        let mut folios: Vec<_> = folios.into_iter().collect();
        folios.sort_unstable();
        Self(folios)
    }
}

impl FolioIndexes {
    fn numbers(&self) -> impl ExactSizeIterator<Item = Param<'static>> {
        self.0.iter().map(|(seq, _)| Param::from(*seq))
    }

    fn at(&self, seq: FolioRow) -> Result<usize, Error> {
        let found = self.0.binary_search_by_key(&seq, |(seq, _)| *seq);
        found.map(|at| self.0[at].1).map_err(|_| Error::Corrupt("folio"))
    }
}

fn folio(row: &Row<'_>) -> Result<StoredFolio, Error> {
    Ok(StoredFolio {
        seq: row.get("seq")?,
        folio: Folio {
            id: row.get("id")?,
            company: CompanyId(row.get("company")?),
            name: FolioName::stored(row.get("name")?),
            message: FolioMessage::stored(row.get("message")?),
            observation: row.get::<Option<String>>("observation")?.map(Observation::stored),
            created_at: row.get("created_at")?,
            updated_at: row.get("updated_at")?,
            state: row.get("state")?,
            dropped: row.get("dropped")?,
            erased: row.get::<Option<Timestamp>>("erased_at")?.is_some(),
            held: row.get("held")?,
            signature_type: row.get("signature_type")?,
            return_url: ReturnUrl::stored(row.get("return_url")?),
            send_email: row.get("send_email")?,
            expires_at: row.get("expires_at")?,
            language: row.get("language")?,
            legal_basis: row.get::<Option<String>>("legal_basis")?.map(LegalBasis::stored),
            documents: Vec::new(),
            signers: Vec::new(),
        },
        history: HistoryHead {
            length: row.get("history_length")?,
            hash: row.get("history_hash")?,
        },
    })
}

fn document(row: &Row<'_>) -> Result<Document, Error> {
    Ok(Document {
        id: row.get("id")?,
        name: FileName::stored(row.get("name")?),
        sha256: row.get("sha256")?,
        size: row.get("size")?,
        created_at: row.get("created_at")?,
        pages: row.get("pages")?,
    })
}

fn signer(row: &Row<'_>) -> Result<Signer, Error> {
    Ok(Signer {
        name: PersonName::stored(row.get("name")?),
        document_type: row.get("document_type")?,
        document_number: DocumentNumber::stored(row.get("document_number")?),
        contact: Contact {
            email: Email::stored(row.get("email")?),
            mobile: Mobile::stored(row.get("mobile")?),
        },
        state: row.get("state")?,
        signed_from: signed_from(row)?,
        updated_at: row.get("updated_at")?,
        return_url: row.get::<Option<String>>("return_url")?.map(ReturnUrl::stored),
    })
}

/// The address from which a signer acted.
pub(crate) fn signed_from(row: &Row<'_>) -> Result<Option<IpAddr>, Error> {
    let address = row.maybe_text("signed_from")?.map(str::parse);
    address.transpose().map_err(|_| Error::Corrupt("address"))
}
