//! Which signer a document number names, and which lists of signers a folio may have.

use crate::sample::{contact, created, new_signer};
use domain::folio::check_signers;
use domain::{DocumentNumber, DocumentType, FieldError, Folio, Refusal, SignerIndex, limits};

/// A folio whose signers have these documents.
fn folio(documents: &[(DocumentType, &str)]) -> Folio {
    let mut folio = created(documents.len(), None).folio;
    for (signer, (document_type, number)) in folio.signers.iter_mut().zip(documents) {
        signer.document_type = *document_type;
        signer.document_number = DocumentNumber::new(*number).unwrap();
    }
    folio
}

#[test]
fn a_number_names_its_signer_as_the_card_shows_it() {
    use DocumentType::{CitizenCard, ForeignerCard, TaxNumber};
    let folio = folio(&[
        (CitizenCard, "1020304050"),
        (CitizenCard, "80-12"),
        (CitizenCard, "8012"),
        (ForeignerCard, "AB123c"),
        (TaxNumber, "9.9"),
    ]);
    let find = |document_type, number: &str| {
        folio.signer_by_document(document_type, &DocumentNumber::new(number).unwrap())
    };
    for (document_type, number, index) in [
        (CitizenCard, "1020304050", 0),
        (CitizenCard, "1.020.304.050", 0),
        (CitizenCard, "80-12", 1),
        (CitizenCard, "8012", 2),
        (ForeignerCard, "ab-123-C", 3),
        (TaxNumber, "99", 4),
    ] {
        assert_eq!(find(document_type, number), Ok(SignerIndex(index)), "{number}");
    }
    for (document_type, number) in [
        (CitizenCard, "80.12"),
        (CitizenCard, "1020304051"),
        (CitizenCard, "."),
        (ForeignerCard, "1020304050"),
        (ForeignerCard, "1.020.304.050"),
        (CitizenCard, "AB123c"),
    ] {
        assert_eq!(
            find(document_type, number),
            Err(Refusal::UnknownSigner),
            "{number}"
        );
    }
}

#[test]
fn a_folio_has_one_to_ten_signers_and_no_number_twice() {
    let signers = |count: usize| -> Vec<_> {
        (0..count)
            .map(|index| new_signer(index, DocumentType::CitizenCard, contact("a@example.com")))
            .collect()
    };
    assert_eq!(check_signers(&[]), Err(FieldError::Missing));
    assert_eq!(check_signers(&signers(1)), Ok(()));
    let max = limits::SIGNERS;
    assert_eq!(check_signers(&signers(max)), Ok(()));
    assert_eq!(check_signers(&signers(max + 1)), Err(FieldError::TooMany { max }));
    let twice = [signers(2), signers(1)].concat();
    assert_eq!(check_signers(&twice), Err(FieldError::Duplicate));
}

#[test]
fn limits_that_people_see_are_what_they_say() {
    assert_eq!(limits::LOGO_BYTES, 262_144);
    assert_eq!((limits::SIGNERS, limits::BULK_FOLIOS), (10, 50));
}
