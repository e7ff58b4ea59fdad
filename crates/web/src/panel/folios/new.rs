//! `/panel/folios/new`: a new folio, by the same rules as the API's. It works without a script: further signers unfold.

use super::{address, caller};
use crate::page::{FormFields, PageResult, PanelLang};
use crate::panel::auth::{PanelRequest, RequireSupervisor};
use crate::panel::folios::receive_form::{NewFolioForm, ReceiveError, receive};
use crate::panel::layout::{PanelLayout, Section};
use app::folios::create::{FolioRequest, UploadedDocument};
use app::{Error, IdempotencyKey, Idempotent, IdempotentResult, Notary, SystemRandom};
use askama::Template;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use domain::event::hex;
use domain::folio::check_signers;
use domain::{
    Contact, DocumentNumber, DocumentType, Email, FieldError, FolioId, FolioMessage, FolioName, KeyId,
    Language, Mobile, NewSigner, PersonName, ReturnUrl, SignatureType, limits,
};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::StoredResponse;

/// The kinds of identification, as they are offered.
const KINDS: [DocumentType; 4] = [
    DocumentType::CitizenCard,
    DocumentType::ForeignerCard,
    DocumentType::TaxNumber,
    DocumentType::MinorCard,
];

/// The page.
#[derive(Debug, Template)]
#[template(path = "panel/new_folio.html")]
pub(crate) struct NewPage {
    pub(crate) f: PanelLayout,
    /// A random token that identifies this form, for idempotency.
    pub(crate) once: String,
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) sms: bool,
    /// A code; empty for the company's language.
    pub(crate) language: String,
    pub(crate) return_url: String,
    pub(crate) send: bool,
    pub(crate) signers: Vec<SignerForm>,
    /// The errors, by field.
    pub(crate) errors: BTreeMap<String, String>,
}

/// What was typed about a signer.
#[derive(Debug, Clone, Default)]
pub(crate) struct SignerForm {
    /// The position in the form, from 0.
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) number: String,
    pub(crate) email: String,
    pub(crate) mobile: String,
}

impl SignerForm {
    pub(crate) fn legend(&self, l: PanelLang) -> String {
        l.signer_number(self.index + 1)
    }

    fn is_blank(&self) -> bool {
        [&self.name, &self.number, &self.email, &self.mobile]
            .iter()
            .all(|text| text.is_empty())
    }
}

impl NewPage {
    /// An empty form.
    pub(crate) fn blank(f: PanelLayout, return_url: String) -> Self {
        Self {
            f,
            once: String::new(),
            name: String::new(),
            message: String::new(),
            sms: false,
            language: String::new(),
            return_url,
            send: true,
            signers: (0..limits::SIGNERS)
                .map(|index| SignerForm {
                    index,
                    ..SignerForm::default()
                })
                .collect(),
            errors: BTreeMap::new(),
        }
    }

    /// The form as it was sent.
    fn sent(f: PanelLayout, form: &FormFields) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        let signer = |index: usize| SignerForm {
            index,
            name: text(&format!("name{index}")),
            kind: text(&format!("kind{index}")),
            number: text(&format!("number{index}")),
            email: text(&format!("email{index}")),
            mobile: text(&format!("mobile{index}")),
        };
        Self {
            f,
            once: text("once"),
            name: text("name"),
            message: form.get("message").trim().to_owned(),
            sms: form.get("signatureType") == "2",
            language: text("language"),
            return_url: text("returnUrl"),
            send: form.has("sendEmail"),
            signers: (0..limits::SIGNERS).map(signer).collect(),
            errors: BTreeMap::new(),
        }
    }

    pub(crate) fn error(&self, field: &str) -> Option<&String> {
        self.errors.get(field)
    }

    pub(crate) fn error_of(&self, field: &str, index: usize) -> Option<&String> {
        self.errors.get(&format!("{field}{index}"))
    }

    /// Whether the signer at that position is shown unfolded.
    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.signers.iter().skip(index).any(|signer| !signer.is_blank())
    }

    pub(crate) fn kinds(&self, index: usize) -> [(&'static str, &'static str, bool); 4] {
        let chosen = self.signers.get(index).map_or("", |signer| signer.kind.as_str());
        KINDS.map(|kind| {
            (
                kind.code(),
                self.f.l.document_type_name(kind),
                kind.code() == chosen,
            )
        })
    }

    /// The value; an invalid one is recorded, and `None`.
    fn take<T>(&mut self, field: String, read: Result<T, FieldError>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(problem) => {
                self.errors.insert(field, self.f.l.problem(&problem));
                None
            }
        }
    }

    fn new_signers(&mut self, notary: &Notary) -> Option<Vec<NewSigner>> {
        let typed = self.signers.iter().cloned();
        let typed: Vec<SignerForm> = typed
            .filter(|signer| signer.index == 0 || !signer.is_blank())
            .collect();
        let read: Vec<Option<NewSigner>> = typed
            .into_iter()
            .map(|signer| self.new_signer(signer, notary))
            .collect();
        let signers: Vec<NewSigner> = read.into_iter().collect::<Option<_>>()?;
        self.take("signers".to_owned(), check_signers(&signers).map(|()| signers))
    }

    fn new_signer(&mut self, typed: SignerForm, notary: &Notary) -> Option<NewSigner> {
        let index = typed.index;
        let name = PersonName::new(typed.name).and_then(|name| {
            let own = notary.is_own_name(name.as_str());
            if own {
                Err(FieldError::ServiceName)
            } else {
                Ok(name)
            }
        });
        let name = self.take(format!("name{index}"), name);
        let kind = self.take(format!("kind{index}"), DocumentType::from_code(&typed.kind));
        let number = self.take(format!("number{index}"), DocumentNumber::new(typed.number));
        let email = self.take(format!("email{index}"), Email::new(typed.email));
        let mobile = self.take(format!("mobile{index}"), Mobile::new(&typed.mobile));
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

    /// The folio to create; `None` where a field is invalid, and then the page has the errors.
    fn request(&mut self, documents: Vec<UploadedDocument>, notary: &Notary) -> Option<FolioRequest> {
        let (name, message) = (
            FolioName::new(self.name.clone()),
            FolioMessage::new(self.message.clone()),
        );
        let name = self.take("name".to_owned(), name);
        let message = self.take("message".to_owned(), message);
        let url = ReturnUrl::new(self.return_url.clone(), limits::RETURN_URL);
        let url = self.take("returnUrl".to_owned(), url);
        let language = match self.language.as_str() {
            "" => Ok(None),
            code => code.parse().map(Some),
        };
        let language = self.take("language".to_owned(), language);
        let signers = self.new_signers(notary);
        let documents = if documents.is_empty() {
            Err(FieldError::Missing)
        } else {
            Ok(documents)
        };
        let documents = self.take("documents".to_owned(), documents);
        Some(FolioRequest {
            name: name?,
            message: message?,
            signature_type: if self.sms {
                SignatureType::SmsCode
            } else {
                SignatureType::EmailCode
            },
            return_url: url?,
            send_email: self.send,
            signers: signers?,
            documents: documents?,
            language: language?,
        })
    }

    /// Sending the same form again creates no second folio. A changed form is another folio.
    fn idempotent(&self, documents: &[UploadedDocument]) -> Option<Idempotent<FolioId>> {
        if self.once.is_empty() {
            return None;
        }
        let mut all = Sha256::new();
        let mut add = |part: &[u8]| {
            all.update(part.len().to_be_bytes());
            all.update(part);
        };
        let told = format!("{} {} {}", self.sms, self.send, self.language);
        for text in [&self.once, &self.name, &self.message, &self.return_url, &told] {
            add(text.as_bytes());
        }
        for one in &self.signers {
            for text in [&one.name, &one.kind, &one.number, &one.email, &one.mobile] {
                add(text.as_bytes());
            }
        }
        for document in documents {
            add(document.name.as_str().as_bytes());
            add(&document.sha256.unwrap_or_default());
        }
        let fingerprint = all.finalize().into();
        Some(Idempotent {
            idempotency_key: IdempotencyKey {
                key: format!("panel {}", hex(&fingerprint)),
                fingerprint,
            },
            render: Box::new(|created| {
                let id = created.as_ref().ok()?;
                Some(StoredResponse {
                    status: StatusCode::SEE_OTHER.as_u16(),
                    body: id.to_string(),
                })
            }),
        })
    }
}

pub(crate) async fn page(RequireSupervisor(request): RequireSupervisor) -> Response {
    let home = format!("{}/verify", request.web.settings.base_url.trim_end_matches('/'));
    request.page(&NewPage {
        once: KeyId::random(&mut SystemRandom).to_string(),
        ..NewPage::blank(request.frame(Section::Folios), home)
    })
}

pub(crate) async fn create(
    RequireSupervisor(request): RequireSupervisor,
    http_request: Request,
) -> PageResult {
    let NewFolioForm { form, documents } = match receive(&request, http_request).await {
        Ok(sent) => sent,
        Err(ReceiveError::Response(response)) => return Err(response.into()),
        Err(ReceiveError::TooLarge) => {
            let mut page = NewPage::blank(request.frame(Section::Folios), String::new());
            page.once = KeyId::random(&mut SystemRandom).to_string();
            let max_bytes = request.l.size(request.web.settings.request_bytes);
            page.errors
                .insert("documents".to_owned(), request.l.too_large_together(&max_bytes));
            return Ok(request.page_with_errors(&page));
        }
    };
    let mut page = NewPage::sent(request.frame(Section::Folios), &form);
    let Some(folio_request) = page.request(documents, &request.web.app.notary) else {
        return Ok(request.page_with_errors(&page));
    };
    finish(&request, page, folio_request).await
}

async fn finish(request: &PanelRequest, mut page: NewPage, folio_request: FolioRequest) -> PageResult {
    let idempotent = page.idempotent(&folio_request.documents);
    match request
        .web
        .app
        .create_folio(caller(request), folio_request, idempotent)
        .await
    {
        Ok(IdempotentResult::Fresh(id)) => Ok(request.redirect(&format!("{}?done=created", address(id)))),
        Ok(IdempotentResult::Replayed(kept)) => match kept.body.parse() {
            Ok(id) => Ok(request.redirect(&format!("{}?done=created", address(id)))),
            Err(_) => Ok(request.redirect("/panel/folios")),
        },
        Err(Error::Unfit(unfit)) => {
            page.errors
                .insert("documents".to_owned(), request.l.unfit(&unfit));
            Ok(request.page_with_errors(&page))
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}
