//! Bulk signatures.

use crate::dialect::ColumnType::Int;
use crate::error::Error;
use crate::rows::{BulkRow, FolioRow};
use crate::tx::Tx;
use crate::value::{Rows, only_column, sql_int};
use domain::{
    Bulk, BulkId, CompanyId, Contact, DocumentNumber, Email, FolioId, Message, Mobile, NewSigner, PersonName,
    ReturnUrl, SignerIndex, Timestamp,
};

/// A bulk signature as it is stored; its folios are read apart.
#[derive(Debug, Clone)]
pub struct StoredBulk {
    /// Its number in the database.
    pub seq: BulkRow,
    /// Who signs.
    pub signer: NewSigner,
    /// Where the signer returns to.
    pub return_url: ReturnUrl,
    /// When its address stops working.
    pub expires_at: Timestamp,
    /// The generation of its signer's sessions.
    pub session_generation: i64,
    /// Whether its contact was corrected after its address was given out.
    pub contact_changed: bool,
}

impl Tx<'_> {
    /// Stores a bulk signature over these folios, by their numbers, with its signer's index in each and what is to be sent
    /// about it.
    pub fn insert_bulk(
        &mut self,
        bulk: &Bulk,
        folios: &[(FolioRow, SignerIndex, Vec<Message>)],
    ) -> Result<(), Error> {
        let sql =
            "INSERT INTO bulks (id, company, signer_name, document_type, document_number, email, mobile,
                   return_url, created_at, expires_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let params = [
            (&bulk.id).into(),
            bulk.company.0.into(),
            bulk.signer.name.as_str().into(),
            bulk.signer.document_type.code().into(),
            bulk.signer.document_number.as_str().into(),
            bulk.signer.contact.email.as_str().into(),
            bulk.signer.contact.mobile.as_str().into(),
            bulk.return_url.as_str().into(),
            bulk.created_at.into(),
            bulk.expires_at.into(),
        ];
        let seq: BulkRow = self.insert(sql, &params)?;
        let mut params = Rows::new();
        for (place, (folio, signer, _)) in folios.iter().enumerate() {
            params.push([
                bulk.company.0.into(),
                seq.into(),
                sql_int(place)?.into(),
                (*folio).into(),
                sql_int(signer.0)?.into(),
            ]);
        }
        self.run_rows(
            "INSERT INTO bulk_folios (company, bulk, position, folio, signer) VALUES",
            &[Int, Int, Int, Int, Int],
            &params,
        )?;
        let messages: Vec<_> = folios
            .iter()
            .map(|(folio, _, messages)| (*folio, messages.as_slice()))
            .collect();
        self.insert_messages(bulk.company, bulk.created_at, &messages)
    }

    /// A bulk signature of the company.
    pub fn bulk(&mut self, company: CompanyId, id: BulkId) -> Result<Option<StoredBulk>, Error> {
        self.find_bulk(company, id, "")
    }

    /// The same, locked against other writers until the transaction ends.
    pub fn lock_bulk(&mut self, company: CompanyId, id: BulkId) -> Result<Option<StoredBulk>, Error> {
        let lock = self.dialect().for_update();
        self.find_bulk(company, id, lock)
    }

    fn find_bulk(&mut self, company: CompanyId, id: BulkId, lock: &str) -> Result<Option<StoredBulk>, Error> {
        let sql = format!(
            "SELECT seq, signer_name, document_type, document_number, email, mobile, return_url, expires_at,
                 session_generation, contact_changed FROM bulks WHERE company = $1 AND id = $2{lock}"
        );
        self.query_one(&sql, &[company.0.into(), (&id).into()], |row| {
            Ok(StoredBulk {
                seq: row.get("seq")?,
                signer: NewSigner {
                    name: PersonName::stored(row.get("signer_name")?),
                    document_type: row.get("document_type")?,
                    document_number: DocumentNumber::stored(row.get("document_number")?),
                    contact: Contact {
                        email: Email::stored(row.get("email")?),
                        mobile: Mobile::stored(row.get("mobile")?),
                    },
                },
                return_url: ReturnUrl::stored(row.get("return_url")?),
                expires_at: row.get("expires_at")?,
                session_generation: row.get("session_generation")?,
                contact_changed: row.get("contact_changed")?,
            })
        })
    }

    /// Ends the sessions of a bulk signature that have begun.
    pub fn end_bulk_sessions(&mut self, bulk: BulkRow) -> Result<(), Error> {
        let sql = "UPDATE bulks SET session_generation = session_generation + 1 WHERE seq = $1";
        self.execute(sql, &[bulk.into()]).map(drop)
    }

    /// Locks the bulk signatures of a folio, in one order, against other writers until the transaction ends.
    pub fn lock_bulks_of(&mut self, folio: FolioRow) -> Result<(), Error> {
        let lock = self.dialect().for_update();
        let sql = format!(
            "SELECT seq FROM bulks WHERE seq IN (SELECT bulk FROM bulk_folios WHERE folio = $1) ORDER BY seq{lock}"
        );
        self.query(&sql, &[folio.into()], |_| Ok(())).map(drop)
    }

    /// Gives the open bulk signatures of a folio's signer this document number, and this contact if there is one, where they
    /// name others: their sessions end. With another contact their address shows nothing until a code sent there was typed.
    /// Returns their identifiers.
    pub fn correct_bulks(
        &mut self,
        folio: FolioRow,
        signer: SignerIndex,
        document_number: &DocumentNumber,
        contact: Option<&Contact>,
        now: Timestamp,
    ) -> Result<Vec<BulkId>, Error> {
        let sql = "UPDATE bulks SET email = COALESCE($1, email), mobile = COALESCE($2, mobile), document_number = $3,
                       contact_changed = CASE WHEN email <> COALESCE($1, email) OR mobile <> COALESCE($2, mobile) THEN 1
                           ELSE contact_changed END,
                       session_generation = session_generation + 1
                   WHERE seq IN (SELECT bulk FROM bulk_folios WHERE folio = $4 AND signer = $5) AND expires_at > $6
                       AND (email <> COALESCE($1, email) OR mobile <> COALESCE($2, mobile) OR document_number <> $3)
                   RETURNING id";
        let params = [
            contact.map(|contact| contact.email.as_str()).into(),
            contact.map(|contact| contact.mobile.as_str()).into(),
            document_number.as_str().into(),
            folio.into(),
            sql_int(signer.0)?.into(),
            now.into(),
        ];
        self.query(sql, &params, only_column)
    }

    /// The open bulk signatures of a folio's signer.
    pub fn open_bulks(
        &mut self,
        folio: FolioRow,
        signer: SignerIndex,
        now: Timestamp,
    ) -> Result<Vec<BulkId>, Error> {
        let sql = "SELECT id FROM bulks
                   WHERE seq IN (SELECT bulk FROM bulk_folios WHERE folio = $1 AND signer = $2) AND expires_at > $3";
        let params = [folio.into(), sql_int(signer.0)?.into(), now.into()];
        self.query(sql, &params, only_column)
    }

    /// The folios of a bulk signature of the company, by identifier, in its order, and the index of its signer in each.
    pub fn folio_ids_of_bulk(
        &mut self,
        company: CompanyId,
        bulk: BulkRow,
    ) -> Result<Vec<(FolioId, SignerIndex)>, Error> {
        let sql = "SELECT f.id, b.signer FROM bulk_folios b JOIN folios f ON f.seq = b.folio
                   WHERE b.bulk = $1 AND f.company = $2 ORDER BY b.position";
        self.query(sql, &[bulk.into(), company.0.into()], |row| {
            Ok((row.get("id")?, row.get("signer")?))
        })
    }

    /// Whether the identifier names a bulk signature of another company.
    pub fn is_foreign_bulk(&mut self, company: CompanyId, id: BulkId) -> Result<bool, Error> {
        let sql = "SELECT seq FROM bulks WHERE company <> $1 AND id = $2";
        Ok(self
            .query_one(sql, &[company.0.into(), (&id).into()], |_| Ok(()))?
            .is_some())
    }
}
