//! `/panel/people`: a person's data in the company's folios, by the number of their document: found, exported, corrected.

use super::auth::{PanelRequest, RequireAdministrator};
use super::csrf_form::CsrfForm;
use super::folios::caller;
use super::layout::{PanelLayout, Section};
use super::sample_data::{frame, sample};
use crate::http::conditional::attachment;
use crate::page::{Embedding, PageResult, PanelLang, headers};
use crate::signer::samples::Sample;
use app::Error;
use app::people::{PersonCorrection, PersonFolio, PersonFolios};
use askama::Template;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use axum::response::IntoResponse;
use domain::{Contact, DocumentNumber, Email, FolioId, FolioState, Mobile, PersonFields, PersonName};
use store::FolioRow;

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/people.html")]
pub(crate) struct PeoplePage {
    pub(crate) f: PanelLayout,
    pub(crate) number: String,
    /// Where the shown folios begin; empty for the newest.
    pub(crate) before: String,
    pub(crate) searched: bool,
    pub(crate) folios: Vec<FolioOfPerson>,
    /// Where the older folios are.
    pub(crate) older: Option<String>,
    pub(crate) typed: PersonForm,
    pub(crate) wrong: PersonErrors,
}

/// A folio, and how the person stands in it.
#[derive(Debug)]
pub(crate) struct FolioOfPerson {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) state: FolioState,
    pub(crate) signer: String,
    pub(crate) document_number: String,
    pub(crate) email: String,
    pub(crate) mobile: String,
}

/// The fields of a correction.
#[derive(Debug, Default)]
pub(crate) struct PersonForm {
    /// The one folio in which the person is corrected; empty for all.
    pub(crate) folio: String,
    pub(crate) document_number: String,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) mobile: String,
}

/// The errors of the forms.
#[derive(Debug, Default)]
pub(crate) struct PersonErrors {
    pub(crate) number: Option<String>,
    pub(crate) document_number: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) mobile: Option<String>,
}

impl From<&PersonFolio> for FolioOfPerson {
    fn from(found: &PersonFolio) -> Self {
        let (folio, signer) = (&found.stored.folio, &found.stored.folio[found.signer_index]);
        Self {
            id: folio.id.to_string(),
            name: folio.name.as_str().to_owned(),
            state: folio.state,
            signer: signer.name.as_str().to_owned(),
            document_number: signer.document_number.as_str().to_owned(),
            email: signer.contact.email.as_str().to_owned(),
            mobile: signer.contact.mobile.as_str().to_owned(),
        }
    }
}

impl PeoplePage {
    fn empty(f: PanelLayout, number: &str) -> Self {
        Self {
            f,
            number: number.to_owned(),
            before: String::new(),
            searched: false,
            folios: Vec::new(),
            older: None,
            typed: PersonForm::default(),
            wrong: PersonErrors::default(),
        }
    }

    fn with(self, found: &PersonFolios, before: Option<FolioRow>) -> Self {
        let folios: Vec<FolioOfPerson> = found.folios.iter().map(FolioOfPerson::from).collect();
        let newest = folios.first();
        let typed = newest.map_or_else(PersonForm::default, |newest| PersonForm {
            folio: String::new(),
            document_number: newest.document_number.clone(),
            name: newest.signer.clone(),
            email: newest.email.clone(),
            mobile: newest.mobile.clone(),
        });
        Self {
            before: before.map_or_else(String::new, |before| before.to_string()),
            searched: true,
            folios,
            older: found
                .older
                .map(|older| format!("{}&before={older}", address(&self.number))),
            typed,
            ..self
        }
    }
}

/// Where the folios of a person are.
fn address(number: &str) -> String {
    let number: String = form_urlencoded::byte_serialize(number.as_bytes()).collect();
    format!("/panel/people?number={number}")
}

/// The page with the folios of a person.
async fn found(request: &PanelRequest, number: &str, before: Option<FolioRow>) -> Result<PeoplePage, Error> {
    let page = PeoplePage::empty(request.frame(Section::Company), number);
    let wanted = match DocumentNumber::new(number.to_owned()) {
        Ok(wanted) => wanted,
        Err(problem) => {
            let number = Some(request.l.problem(&problem));
            let wrong = PersonErrors {
                number,
                ..PersonErrors::default()
            };
            return Ok(PeoplePage { wrong, ..page });
        }
    };
    let company = request.user().company;
    let folios = request.web.app.folios_of_person(company, wanted, before).await?;
    Ok(page.with(&folios, before))
}

/// `GET /panel/people?number=…`.
pub(crate) async fn page(RequireAdministrator(request): RequireAdministrator) -> PageResult {
    let number = request.query("number").unwrap_or_default();
    let number = number.trim();
    if number.is_empty() {
        return Ok(request.page(&PeoplePage::empty(request.frame(Section::Company), "")));
    }
    let before = request.query("before").and_then(|text| text.parse().ok());
    let page = found(&request, number, before).await;
    let page = page.map_err(|error| request.error_page(error))?;
    if page.wrong.number.is_some() {
        return Ok(request.page_with_errors(&page));
    }
    let notice = match request.done().as_deref() {
        Some("corrected") => Some(request.l.people_corrected()),
        _ => None,
    };
    Ok(request.page(&PeoplePage {
        f: request.frame(Section::Company).with_notice(notice),
        ..page
    }))
}

/// `POST /panel/people/export`: everything about the person, as a file.
pub(crate) async fn export(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let before = form.get("before").parse().ok();
    let number = form.get("number").trim();
    let Ok(wanted) = DocumentNumber::new(number.to_owned()) else {
        let page = found(&request, number, None).await;
        return Ok(request.page_with_errors(&page.map_err(|error| request.error_page(error))?));
    };
    let exported = request
        .web
        .app
        .export_person(caller(&request), wanted, before)
        .await;
    let bundle = exported.map_err(|error| request.error_page(error))?;
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(CONTENT_DISPOSITION, attachment("datos-personales.zip"));
    Ok((headers, bundle.file).into_response())
}

/// `POST /panel/people/correct`.
pub(crate) async fn correct(
    RequireAdministrator(request): RequireAdministrator,
    CsrfForm(form): CsrfForm,
) -> PageResult {
    let number = form.get("number").trim().to_owned();
    let page = found(&request, &number, None).await;
    let mut page = page.map_err(|error| request.error_page(error))?;
    let Ok(wanted) = DocumentNumber::new(number.clone()) else {
        return Ok(request.page_with_errors(&page));
    };
    if page.folios.is_empty() {
        return Err(request.error_page(Error::NotFound).into());
    }
    let typed = |name: &str| form.get(name).trim().to_owned();
    page.typed = PersonForm {
        folio: typed("folio"),
        document_number: typed("document_number"),
        name: typed("name"),
        email: typed("email"),
        mobile: typed("mobile"),
    };
    let only: Option<FolioId> = match page.typed.folio.as_str() {
        "" => None,
        id => Some(id.parse().map_err(|_| request.error_page(Error::NotFound))?),
    };
    let new = DocumentNumber::new(page.typed.document_number.clone());
    let name = PersonName::new(page.typed.name.clone());
    let email = Email::new(page.typed.email.clone());
    let mobile = Mobile::new(&page.typed.mobile);
    let (new, name, email, mobile) = match (new, name, email, mobile) {
        (Ok(new), Ok(name), Ok(email), Ok(mobile)) => (new, name, email, mobile),
        (new, name, email, mobile) => {
            page.wrong = PersonErrors {
                number: None,
                document_number: new.err().map(|problem| request.l.problem(&problem)),
                name: name.err().map(|problem| request.l.problem(&problem)),
                email: email.err().map(|problem| request.l.problem(&problem)),
                mobile: mobile.err().map(|problem| request.l.problem(&problem)),
            };
            return Ok(request.page_with_errors(&page));
        }
    };
    let fields = PersonFields {
        name,
        document_number: new.clone(),
        contact: Contact { email, mobile },
    };
    let corrected = request
        .web
        .app
        .correct_person(caller(&request), wanted, only, fields)
        .await;
    match corrected.map_err(|error| request.error_page(error))? {
        PersonCorrection::Done(_) => {
            Ok(request.redirect(&format!("{}&done=corrected", address(new.as_str()))))
        }
        PersonCorrection::NumberTaken(folio) => {
            page.wrong.document_number = Some(request.l.people_number_taken(folio));
            Ok(request.page_with_errors(&page))
        }
    }
}

/// The page with made-up data.
pub(crate) fn samples(l: PanelLang) -> Vec<Sample> {
    let empty = || {
        PeoplePage::empty(
            frame(l, Section::Company, app::panel::Role::Administrator),
            "1.020.304.050",
        )
    };
    let folio = FolioOfPerson {
        id: "0a4d55a8d778e5022fab701977c5d840".to_owned(),
        name: "Contrato de arrendamiento".to_owned(),
        state: FolioState::Signed,
        signer: "María Peña".to_owned(),
        document_number: "1.020.304.050".to_owned(),
        email: "maria@example.com".to_owned(),
        mobile: "3001234567".to_owned(),
    };
    let found = PeoplePage {
        searched: true,
        folios: vec![folio],
        older: Some("/panel/people?number=1.020.304.050&before=7".to_owned()),
        wrong: PersonErrors {
            document_number: Some(l.people_number_taken(FolioId::from_bytes([10; 16]))),
            name: Some(l.company_name_malformed().to_owned()),
            ..PersonErrors::default()
        },
        ..empty()
    };
    let none = PeoplePage {
        searched: true,
        ..empty()
    };
    vec![sample(l, "people", &found), sample(l, "people-none", &none)]
}
