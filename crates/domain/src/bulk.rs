//! A bulk signature: one signer, many folios, one session.

use crate::company::CompanyId;
use crate::contact::ReturnUrl;
use crate::field_error::FieldError;
use crate::ids::{BulkId, FolioId, Random};
use crate::limits;
use crate::signer::NewSigner;
use crate::time::Timestamp;

/// A bulk signature as the caller asks for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBulk {
    /// The folios, in order.
    pub folios: Vec<FolioId>,
    /// Who will sign them.
    pub signer: NewSigner,
    /// Where the signer returns to.
    pub return_url: ReturnUrl,
}

/// A bulk signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bulk {
    /// Its identifier.
    pub id: BulkId,
    /// Whose it is.
    pub company: CompanyId,
    /// The folios, in order.
    pub folios: Vec<FolioId>,
    /// Who will sign them.
    pub signer: NewSigner,
    /// Where the signer returns to.
    pub return_url: ReturnUrl,
    /// When it was started.
    pub created_at: Timestamp,
    /// When its address stops working.
    pub expires_at: Timestamp,
}

impl Bulk {
    /// Starts the operation; whether each folio admits it is each folio's to say.
    pub fn start(new: NewBulk, company: CompanyId, at: Timestamp, random: &mut dyn Random) -> Self {
        Self {
            id: BulkId::random(random),
            company,
            folios: new.folios,
            signer: new.signer,
            return_url: new.return_url,
            created_at: at,
            expires_at: at.after(limits::BULK_LIFETIME),
        }
    }
}

/// The folios of a bulk signature: at least one, at most fifty, none twice.
pub fn check_folios(folios: &[FolioId]) -> Result<(), FieldError> {
    if folios.is_empty() {
        return Err(FieldError::Missing);
    }
    if folios.len() > limits::BULK_FOLIOS {
        return Err(FieldError::TooMany {
            max: limits::BULK_FOLIOS,
        });
    }
    let mut seen = std::collections::HashSet::new();
    if folios.iter().all(|folio| seen.insert(folio)) {
        Ok(())
    } else {
        Err(FieldError::Duplicate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bulk_signature_has_one_to_fifty_folios_and_none_twice() {
        let folios = |count: usize| -> Vec<FolioId> {
            (0..count)
                .map(|number| FolioId::from_bytes((number as u128).to_be_bytes()))
                .collect()
        };
        assert_eq!(check_folios(&[]), Err(FieldError::Missing));
        assert_eq!(check_folios(&folios(1)), Ok(()));
        assert_eq!(check_folios(&folios(limits::BULK_FOLIOS)), Ok(()));
        let max = limits::BULK_FOLIOS;
        assert_eq!(check_folios(&folios(max + 1)), Err(FieldError::TooMany { max }));
        let twice = [folios(3), folios(1)].concat();
        assert_eq!(check_folios(&twice), Err(FieldError::Duplicate));
    }
}
