//! Folios as they are shown, row by row, in texts that are borrowed from the answer: whoever writes them down has no use
//! for a copy of each.

use super::folios::{Places, own, signed_from};
use super::shown_signers::Signers;
use super::{shown_documents, shown_signers};
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Param, Row};
use domain::{
    CompanyId, Document, DocumentId, DocumentType, Folio, FolioId, FolioState, Observation, SignatureType,
    Signer, SignerState, Timestamp,
};
use std::net::IpAddr;

/// A folio, or something that belongs to one.
#[derive(Debug)]
pub enum Shown<'r> {
    /// A folio without what belongs to it.
    Folio(ShownFolio<'r>),
    /// A document of a folio.
    Document(ShownDocument<'r>),
    /// A signer of a folio.
    Signer(ShownSigner<'r>),
}

/// What is shown of a folio.
#[derive(Debug)]
pub struct ShownFolio<'r> {
    /// Its identifier.
    pub id: FolioId,
    /// Its name.
    pub name: &'r str,
    /// What its signers are told.
    pub message: &'r str,
    /// Why it ended, where somebody said so.
    pub observation: Option<&'r str>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// Its state.
    pub state: FolioState,
    /// Whether it was dropped.
    pub dropped: bool,
    /// How it is signed.
    pub signature_type: SignatureType,
}

/// What is shown of a document.
#[derive(Debug)]
pub struct ShownDocument<'r> {
    /// Its identifier.
    pub id: DocumentId,
    /// Its name.
    pub name: &'r str,
    /// When it came.
    pub created_at: Timestamp,
}

/// What is shown of a signer.
#[derive(Debug)]
pub struct ShownSigner<'r> {
    /// The name.
    pub name: &'r str,
    /// The kind of identification.
    pub document_type: DocumentType,
    /// Its number.
    pub document_number: &'r str,
    /// The address for letters.
    pub email: &'r str,
    /// The number for messages.
    pub mobile: &'r str,
    /// What the signer has done.
    pub state: SignerState,
    /// From where.
    pub signed_from: Option<IpAddr>,
    /// When.
    pub updated_at: Option<Timestamp>,
}

impl Tx<'_> {
    /// Shows the company's folios among these identifiers, in no particular order: each before its documents, and those
    /// before its signers, though parts of others may come between. All come with the number of their folio, in the order
    /// in which those were shown.
    pub fn show_folios(
        &mut self,
        company: CompanyId,
        ids: &[FolioId],
        mut show: impl FnMut(usize, Shown<'_>),
    ) -> Result<(), Error> {
        let mut count = 0;
        let mut older = Vec::new();
        let sql = concat!(
            "SELECT seq, id, name, message, observation, created_at, updated_at, state, dropped, signature_type,
                 shown_documents, shown_signers FROM folios WHERE ",
            own!(),
            " AND id IN ({list})"
        );
        let sought = ids.iter().map(Param::from);
        self.each_in(sql, &[company.0.into()], sought, |row| {
            let of = count;
            count += 1;
            let folio = folio(row)?;
            let belongings = belongings(row, folio.updated_at)?;
            show(of, Shown::Folio(folio));
            let Some((documents, signers)) = belongings else {
                older.push((row.get(0)?, of));
                return Ok(());
            };
            shown_documents::unpack(documents, |document| show(of, Shown::Document(document)))?;
            signers.each(|signer| show(of, Shown::Signer(signer)))
        })?;
        let older: Places = older.into_iter().collect();
        self.documents_of(&older, |of, row| {
            show(of, Shown::Document(document(row)?));
            Ok(())
        })?;
        self.signers_of(&older, |of, row| {
            show(of, Shown::Signer(signer(row)?));
            Ok(())
        })
    }
}

/// What the folio's own row keeps of its documents and signers, if that is all there is to show of them.
fn belongings<'r>(
    row: &'r Row<'_>,
    changed_at: Option<Timestamp>,
) -> Result<Option<(&'r [u8], Signers<'r>)>, Error> {
    let Some((documents, signers)) = row.maybe_bytes(10)?.zip(row.maybe_bytes(11)?) else {
        return Ok(None);
    };
    Ok(shown_signers::current(signers, changed_at)?.map(|signers| (documents, signers)))
}

fn folio<'r>(row: &'r Row<'_>) -> Result<ShownFolio<'r>, Error> {
    Ok(ShownFolio {
        id: row.get(1)?,
        name: row.text(2)?,
        message: row.text(3)?,
        observation: row.maybe_text(4)?,
        created_at: row.get(5)?,
        updated_at: row.get(6)?,
        state: row.get(7)?,
        dropped: row.get(8)?,
        signature_type: row.get(9)?,
    })
}

pub(super) fn document<'r>(row: &'r Row<'_>) -> Result<ShownDocument<'r>, Error> {
    Ok(ShownDocument {
        id: row.get(1)?,
        name: row.text(2)?,
        created_at: row.get(5)?,
    })
}

pub(super) fn signer<'r>(row: &'r Row<'_>) -> Result<ShownSigner<'r>, Error> {
    Ok(ShownSigner {
        name: row.text(1)?,
        document_type: row.get(2)?,
        document_number: row.text(3)?,
        email: row.text(4)?,
        mobile: row.text(5)?,
        state: row.get(6)?,
        signed_from: signed_from(row)?,
        updated_at: row.get(8)?,
    })
}

impl<'f> From<&'f Folio> for ShownFolio<'f> {
    fn from(folio: &'f Folio) -> Self {
        Self {
            id: folio.id,
            name: folio.name.as_str(),
            message: folio.message.as_str(),
            observation: folio.observation.as_ref().map(Observation::as_str),
            created_at: folio.created_at,
            updated_at: folio.updated_at,
            state: folio.state,
            dropped: folio.dropped,
            signature_type: folio.signature_type,
        }
    }
}

impl<'d> From<&'d Document> for ShownDocument<'d> {
    fn from(document: &'d Document) -> Self {
        Self {
            id: document.id,
            name: document.name.as_str(),
            created_at: document.created_at,
        }
    }
}

impl<'s> From<&'s Signer> for ShownSigner<'s> {
    fn from(signer: &'s Signer) -> Self {
        Self {
            name: signer.name.as_str(),
            document_type: signer.document_type,
            document_number: signer.document_number.as_str(),
            email: signer.contact.email.as_str(),
            mobile: signer.contact.mobile.as_str(),
            state: signer.state,
            signed_from: signer.signed_from,
            updated_at: signer.updated_at,
        }
    }
}
