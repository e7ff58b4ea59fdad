//! What a form asks for, by the rules of the API's create: from the page of a new folio, and from a row of a file of people.

use super::draft_form::{DraftForm, SignerForm};
use app::Notary;
use app::folios::create::FolioRequest;
use domain::folio::check_signers;
use domain::{
    Contact, DocumentNumber, DocumentType, Email, FieldError, FolioMessage, FolioName, Mobile, NewSigner,
    PersonName, ReturnUrl, SignatureType, limits,
};

/// What is wrong with fields, by their names in the form.
pub(crate) type FieldFaults = Vec<(String, FieldError)>;

/// The folio that a form asks for, without its documents; or everything that is wrong with it. Signers return to `home` where
/// the form says nothing.
pub(crate) fn folio_request(
    form: &DraftForm,
    home: &str,
    notary: &Notary,
) -> Result<FolioRequest, FieldFaults> {
    let mut faults = Faults::default();
    let name = faults.take("name", FolioName::new(form.name.clone()));
    let message = faults.take("message", FolioMessage::new(form.message.clone()));
    let url = if form.return_url.is_empty() {
        home.to_owned()
    } else {
        form.return_url.clone()
    };
    let url = faults.take("returnUrl", ReturnUrl::new(url, limits::RETURN_URL));
    let language = match form.language.as_str() {
        "" => Ok(None),
        code => code.parse().map(Some),
    };
    let language = faults.take("language", language);
    let signers = new_signers(&form.signers, notary, &mut faults);
    let request = || {
        Some(FolioRequest {
            name: name?,
            message: message?,
            signature_type: if form.sms {
                SignatureType::SmsCode
            } else {
                SignatureType::EmailCode
            },
            return_url: url?,
            send_email: form.send,
            signers: signers?,
            documents: Vec::new(),
            language: language?,
        })
    };
    request().ok_or(faults.0)
}

#[derive(Default)]
struct Faults(FieldFaults);

impl Faults {
    /// The value; what is wrong with it is noted.
    fn take<T>(&mut self, field: impl Into<String>, read: Result<T, FieldError>) -> Option<T> {
        read.map_err(|problem| self.0.push((field.into(), problem))).ok()
    }
}

fn new_signers(typed: &[SignerForm], notary: &Notary, faults: &mut Faults) -> Option<Vec<NewSigner>> {
    let filled = typed.iter().enumerate();
    let filled = filled.filter(|(index, signer)| *index == 0 || !signer.is_blank());
    let read: Vec<Option<NewSigner>> = filled
        .map(|(index, signer)| new_signer(index, signer, notary, faults))
        .collect();
    let signers: Vec<NewSigner> = read.into_iter().collect::<Option<_>>()?;
    faults.take("signers", check_signers(&signers).map(|()| signers))
}

fn new_signer(index: usize, typed: &SignerForm, notary: &Notary, faults: &mut Faults) -> Option<NewSigner> {
    let name = PersonName::new(typed.name.clone()).and_then(|name| {
        let own = notary.is_own_name(name.as_str());
        if own {
            Err(FieldError::ServiceName)
        } else {
            Ok(name)
        }
    });
    let name = faults.take(format!("name{index}"), name);
    let kind = faults.take(format!("kind{index}"), DocumentType::from_code(&typed.kind));
    let number = faults.take(
        format!("number{index}"),
        DocumentNumber::new(typed.number.clone()),
    );
    let email = faults.take(format!("email{index}"), Email::new(typed.email.clone()));
    let mobile = faults.take(format!("mobile{index}"), Mobile::new(&typed.mobile));
    Some(NewSigner {
        name: name?,
        document_type: kind?,
        document_number: number?,
        contact: Contact {
            email: email?,
            mobile: mobile?,
        },
    })
}
