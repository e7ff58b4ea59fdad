//! The signers of a company's last folios, as a form for a new one offers them.

use crate::error::Error;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::Param;
use domain::CompanyId;

/// A signer as a folio has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignerContact {
    /// The folio.
    pub folio: FolioRow,
    /// Full name.
    pub name: String,
    /// The type of the identification.
    pub document_type: String,
    /// Its number.
    pub document_number: String,
    /// Email address.
    pub email: String,
    /// Mobile number.
    pub mobile: String,
}

impl Tx<'_> {
    /// The signers of these folios of the company, but for those that were erased.
    pub fn signer_contacts(
        &mut self,
        company: CompanyId,
        folios: &[FolioRow],
    ) -> Result<Vec<SignerContact>, Error> {
        let sql = "SELECT s.folio, s.name, s.document_type, s.document_number, s.email, s.mobile
                   FROM signers s JOIN folios f ON f.seq = s.folio
                   WHERE s.folio IN ({list}) AND f.company = $1 AND f.erased_at IS NULL";
        let folios = folios.iter().map(|folio| Param::from(*folio));
        self.query_in(sql, &[company.0.into()], folios, |row| {
            Ok(SignerContact {
                folio: row.get("folio")?,
                name: row.get("name")?,
                document_type: row.get("document_type")?,
                document_number: row.get("document_number")?,
                email: row.get("email")?,
                mobile: row.get("mobile")?,
            })
        })
    }
}
