//! Access of signers. A link or a session names the folio or the bulk signature; its company is found here,
//! and scopes every query that follows.

use crate::error::Error;
use crate::queries::enum_columns;
use crate::queries::panel::company_settings::CompanyContact;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, only_column, sql_int};
use domain::{BulkId, CompanyId, FolioId, Language, PicturePolicy, SignerIndex};
use std::collections::HashMap;

/// A company as its signers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyRow {
    /// Its number.
    pub id: CompanyId,
    /// Its name.
    pub name: String,
    /// Origins that may show its pages inside their own.
    pub embedding_origins: Vec<String>,
    /// Its colour, as `#rrggbb`.
    pub colour: Option<String>,
    /// SHA-256 of its logo.
    pub logo: Option<[u8; 32]>,
    /// The name of its zone.
    pub timezone: Option<String>,
    /// Whom its signers may ask.
    pub contact: CompanyContact,
    /// Whether signers return to the return address by themselves.
    pub auto_return: bool,
    /// Whether signers must have each document shown to its end before they get a code.
    pub read_to_end: bool,
    /// Whether signers add a picture of their signature.
    pub picture: PicturePolicy,
}

/// Which sessions of a signer are good, and whether the contact was corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignerAccess {
    /// Sessions of an earlier generation are over.
    pub generation: i64,
    /// Whether the contact was corrected after the link was sent.
    pub contact_changed: bool,
}

/// The columns of a company, and then the rest of the statement.
macro_rules! company_with {
    ($named:literal) => {
        concat!(
            "SELECT c.seq, c.name, c.embedding_origins, c.colour, c.logo_digest, c.timezone, c.contact_name,
                c.contact_email, c.contact_phone, c.auto_return, c.read_to_end,
                c.signature_picture",
            $named
        )
    };
}

impl Tx<'_> {
    /// The company whose folio this is.
    pub fn company_of_folio(&mut self, folio: FolioId) -> Result<Option<CompanyRow>, Error> {
        let sql = company_with!(" FROM companies c JOIN folios f ON f.company = c.seq WHERE f.id = $1");
        self.query_one(sql, &[(&folio).into()], company)
    }

    /// The company whose bulk signature this is.
    pub fn company_of_bulk(&mut self, bulk: BulkId) -> Result<Option<CompanyRow>, Error> {
        let sql = company_with!(" FROM companies c JOIN bulks b ON b.company = c.seq WHERE b.id = $1");
        self.query_one(sql, &[(&bulk).into()], company)
    }

    /// The company whose folio this is, and the session generation of the signer at that index.
    pub fn company_of_signer(
        &mut self,
        folio: FolioId,
        signer: SignerIndex,
    ) -> Result<Option<(CompanyRow, SignerAccess)>, Error> {
        let sql = company_with!(
            ", s.session_generation, s.contact_changed
             FROM companies c JOIN folios f ON f.company = c.seq JOIN signers s ON s.folio = f.seq
             WHERE f.id = $1 AND s.position = $2"
        );
        let signer = Param::from(sql_int(signer.0)?);
        self.query_one(sql, &[(&folio).into(), signer], |row| {
            let access = SignerAccess {
                generation: row.get("session_generation")?,
                contact_changed: row.get("contact_changed")?,
            };
            Ok((company(row)?, access))
        })
    }

    /// The language that this signer of the folio chose last, if any.
    pub fn signer_language(
        &mut self,
        folio: FolioRow,
        signer: SignerIndex,
    ) -> Result<Option<Language>, Error> {
        let sql = "SELECT language FROM signers WHERE folio = $1 AND position = $2";
        let chosen = self.query_one(sql, &[folio.into(), sql_int(signer.0)?.into()], only_column)?;
        Ok(chosen.flatten())
    }

    /// The languages that signers of these folios chose last, of those who did.
    pub fn signer_languages(
        &mut self,
        folios: &[FolioRow],
    ) -> Result<HashMap<(FolioRow, SignerIndex), Language>, Error> {
        let sql =
            "SELECT folio, position, language FROM signers WHERE language IS NOT NULL AND folio IN ({list})";
        let folios = folios.iter().map(|folio| Param::from(*folio));
        let chosen = self.query_in(sql, &[], folios, |row| {
            let signer: (FolioRow, SignerIndex) = (row.get("folio")?, row.get("position")?);
            Ok((signer, row.get::<Language>("language")?))
        })?;
        Ok(chosen.into_iter().collect())
    }

    /// Stores the language that this signer of the folio chose.
    pub fn set_signer_language(
        &mut self,
        folio: FolioRow,
        signer: SignerIndex,
        language: Language,
    ) -> Result<(), Error> {
        let sql = "UPDATE signers SET language = $1 WHERE folio = $2 AND position = $3";
        let language = enum_columns::language(language).into();
        self.execute(sql, &[language, folio.into(), sql_int(signer.0)?.into()])
            .map(drop)
    }
}

fn company(row: &crate::value::Row<'_>) -> Result<CompanyRow, Error> {
    Ok(CompanyRow {
        id: CompanyId(row.get("seq")?),
        name: row.get("name")?,
        embedding_origins: row
            .get::<String>("embedding_origins")?
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        colour: row.get("colour")?,
        logo: row.get("logo_digest")?,
        timezone: row.get("timezone")?,
        contact: CompanyContact::from_row(row)?,
        auto_return: row.get("auto_return")?,
        read_to_end: row.get("read_to_end")?,
        picture: row.get("signature_picture")?,
    })
}
