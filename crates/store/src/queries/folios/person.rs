//! The folios of a person, and their documents.

use crate::error::Error;
use crate::queries::folios::documents::DocumentFile;
use crate::queries::folios::folio::{StoredFolio, folios_where, own_company};
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::Param;
use domain::{CompanyId, DocumentId};

impl Tx<'_> {
    /// The newest folios of the company, older than the one of that number, that have this word: at most so many, newest
    /// first.
    pub fn folios_with_word(
        &mut self,
        company: CompanyId,
        word: &str,
        before: FolioRow,
        max: usize,
    ) -> Result<Vec<StoredFolio>, Error> {
        let seqs = self.newest_with_words(company, &[word.to_owned()], before, max)?;
        let sql = folios_where!(own_company!(), " AND seq IN ({list}) ORDER BY seq DESC");
        self.load_folios(sql, &[company.0.into()], seqs.iter().map(|seq| Param::from(*seq)))
    }

    /// A document of the company that was not erased, also of a dropped folio.
    pub fn find_document_of_any_folio(
        &mut self,
        company: CompanyId,
        id: DocumentId,
    ) -> Result<Option<DocumentFile>, Error> {
        self.document_file(company, id, "d.erased = 0")
    }
}
