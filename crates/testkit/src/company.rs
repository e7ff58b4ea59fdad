//! A company's system that uses the API, in sentences.

use crate::app::TestApp;
use crate::form::Form;
use crate::response::TestResponse;
use app::operator::keys::{IssuedKey, KeyRequest};
use domain::event::ChainedEvent;
use domain::{CompanyId, FolioId, KeyId, Permissions};
use reqwest::{Method, RequestBuilder};
use store::OutboxRow;

const API: &str = "/api/integrations";

/// A company, and the key its system shows.
#[derive(Debug, Clone)]
pub struct Company<'a> {
    pub(crate) app: &'a TestApp,
    /// Its number.
    pub id: CompanyId,
    name: String,
    key: Option<KeyId>,
    header: Option<String>,
    idempotency: Option<String>,
}

impl TestApp {
    /// A company with a live key.
    pub async fn company(&self, name: &str) -> Company<'_> {
        Company::join(self, name).await
    }
}

impl<'a> Company<'a> {
    async fn join(app: &'a TestApp, name: &str) -> Self {
        app.app().operator().add_company(name.to_owned()).await.unwrap();
        let named = name.to_owned();
        let id = app.app().store.read(move |tx| tx.company_named(&named)).await;
        let company = Self {
            app,
            id: id.unwrap().expect("it was just added"),
            name: name.to_owned(),
            key: None,
            header: None,
            idempotency: None,
        };
        let key = company.new_key(None).await;
        company.showing(&key)
    }

    /// Another key of the company, perhaps one that expires.
    pub async fn new_key(&self, expires_at: Option<domain::Timestamp>) -> IssuedKey {
        self.issue(KeyRequest {
            expires_at,
            ..KeyRequest::with_label("tests".to_owned())
        })
        .await
    }

    /// The same company with another key, which may be used for these things alone.
    pub async fn with_permissions(&self, permissions: Permissions) -> Self {
        let key = self.issue(KeyRequest {
            permissions,
            ..KeyRequest::with_label("tests".to_owned())
        });
        self.showing(&key.await)
    }

    async fn issue(&self, request: KeyRequest) -> IssuedKey {
        let operator = self.app.app().operator();
        operator.add_key(self.name.clone(), request).await.unwrap()
    }

    /// The same company with that key.
    #[must_use]
    pub fn showing(&self, key: &IssuedKey) -> Self {
        Self {
            key: Some(key.id),
            header: Some(format!("Bearer {}", key.key.reveal())),
            ..self.clone()
        }
    }

    /// The same with another `x-api-key`, or none.
    #[must_use]
    pub fn saying(&self, header: Option<&str>) -> Self {
        Self {
            header: header.map(str::to_owned),
            ..self.clone()
        }
    }

    /// The same at another instance.
    pub fn at<'b>(&self, app: &'b TestApp) -> Company<'b> {
        Company {
            app,
            id: self.id,
            name: self.name.clone(),
            key: self.key,
            header: self.header.clone(),
            idempotency: self.idempotency.clone(),
        }
    }

    /// The same with an idempotency key.
    #[must_use]
    pub fn once(&self, key: &str) -> Self {
        Self {
            idempotency: Some(key.to_owned()),
            ..self.clone()
        }
    }

    /// The instance it talks to.
    pub fn app(&self) -> &'a TestApp {
        self.app
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of `x-api-key`.
    pub fn header(&self) -> &str {
        self.header.as_deref().expect("a company that shows a key")
    }

    /// The name of the key it shows.
    pub fn key(&self) -> KeyId {
        self.key.expect("a company that shows a key")
    }

    /// Revokes the key it shows.
    pub async fn revoke(&self) {
        let operator = self.app.app().operator();
        assert!(operator.revoke_key(self.key().to_string()).await.unwrap());
    }

    /// A request to be completed; an address below the API is enough of a path.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let api = if path.starts_with('/') { "" } else { API };
        let slash = if path.starts_with('/') { "" } else { "/" };
        let url = format!("http://{}{api}{slash}{path}", self.app.address());
        let mut request = self.app.http.request(method, url);
        if let Some(header) = &self.header {
            request = request.header("x-api-key", header);
        }
        if let Some(key) = &self.idempotency {
            request = request.header("idempotency-key", key);
        }
        request
    }

    /// Sends a request and reads the answer.
    pub async fn send(&self, request: RequestBuilder) -> TestResponse {
        let response = request.send().await.unwrap();
        TestResponse {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap().into(),
        }
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::GET, path)).await
    }

    /// `POST` of a form.
    pub async fn post_form(&self, path: &str, form: impl Into<Form>) -> TestResponse {
        let body = form.into().into_bytes();
        self.post(path, &Form::content_type(), body).await
    }

    /// `POST` of anything.
    pub async fn post(&self, path: &str, content_type: &str, body: impl Into<reqwest::Body>) -> TestResponse {
        let request = self
            .request(Method::POST, path)
            .header("content-type", content_type)
            .body(body);
        self.send(request).await
    }

    /// What happened to a folio.
    pub async fn history(&self, folio: &str) -> Vec<ChainedEvent> {
        let (company, folio): (_, FolioId) = (self.id, folio.parse().unwrap());
        let history = self.app.app().store.read(move |tx| tx.history(company, folio));
        history.await.unwrap()
    }

    /// What the events of a folio say, oldest first.
    pub async fn events(&self, folio: &str) -> Vec<serde_json::Value> {
        let history = self.history(folio).await;
        history.iter().map(ChainedEvent::full_body).collect()
    }

    /// What waits to be sent about a folio.
    pub async fn messages(&self, folio: &str) -> Vec<OutboxRow> {
        let (company, folio): (_, FolioId) = (self.id, folio.parse().unwrap());
        let messages = self
            .app
            .app()
            .store
            .read(move |tx| tx.messages_of(company, folio));
        messages.await.unwrap()
    }
}
