//! What the clients of the program ask for, as the libraries take it.

use app::folios::create::{FolioRequest, UploadedDocument};
use domain::{
    Contact, DocumentNumber, DocumentType, Email, FieldError, FolioMessage, FolioName, Mobile, NewDocument,
    NewFolio, NewSigner, PersonName, ReturnUrl, SignatureType,
};

/// A folio over a document that is kept already.
pub(super) fn folio(document: NewDocument) -> Result<NewFolio, FieldError> {
    let (name, message) = texts()?;
    Ok(NewFolio {
        name,
        message,
        signature_type: SignatureType::EmailCode,
        return_url: return_url()?,
        send_email: false,
        signers: signers()?,
        documents: vec![document],
        expires_at: None,
        language: None,
    })
}

/// The same, asked for.
pub(super) fn request(document: UploadedDocument) -> Result<FolioRequest, FieldError> {
    let (name, message) = texts()?;
    Ok(FolioRequest {
        name,
        message,
        signature_type: SignatureType::EmailCode,
        return_url: return_url()?,
        send_email: true,
        signers: signers()?,
        documents: vec![document],
        language: None,
    })
}

pub(super) fn return_url() -> Result<ReturnUrl, FieldError> {
    ReturnUrl::new("https://example.com/gracias", domain::limits::RETURN_URL)
}

pub(super) fn signers() -> Result<Vec<NewSigner>, FieldError> {
    [
        (
            "María Fernanda Pérez Gómez",
            "1020304050",
            "maria.perez@example.com",
            "3001234567",
        ),
        (
            "Juan Camilo Rodríguez",
            "1098765432",
            "juan.rodriguez@example.com",
            "3109876543",
        ),
    ]
    .into_iter()
    .map(|(name, number, email, mobile)| {
        Ok(NewSigner {
            name: PersonName::new(name)?,
            document_type: DocumentType::from_code("CC")?,
            document_number: DocumentNumber::new(number)?,
            contact: Contact {
                email: Email::new(email)?,
                mobile: Mobile::new(mobile)?,
            },
        })
    })
    .collect()
}

fn texts() -> Result<(FolioName, FolioMessage), FieldError> {
    Ok((
        FolioName::new("Contrato de arrendamiento, calle 100")?,
        FolioMessage::new("Por favor lea y firme el contrato antes del viernes.")?,
    ))
}
