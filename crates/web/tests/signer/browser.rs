//! A browser without a screen: cookies, forms, and what it says of where they come from.

use reqwest::{Method, RequestBuilder};
use std::fmt::Write;
use testkit::{TestApp, TestResponse};

/// What a person has before them.
pub(crate) struct Page<'a> {
    pub(crate) app: &'a TestApp,
    pub(crate) answer: TestResponse,
    pub(crate) cookie: Option<String>,
}

/// A client that follows no redirects: tests look at them.
pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap()
}

pub(crate) async fn send(request: RequestBuilder) -> TestResponse {
    let response = request.send().await.unwrap();
    TestResponse {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.bytes().await.unwrap().into(),
    }
}

pub(crate) fn request(app: &TestApp, method: Method, path: &str) -> RequestBuilder {
    client().request(method, format!("http://{}{path}", app.address()))
}

/// Opens an address that the service gave out.
pub(crate) async fn open<'a>(app: &'a TestApp, url: &url::Url) -> Page<'a> {
    let path = &url[url::Position::BeforePath..];
    let answer = send(request(app, Method::GET, path)).await;
    let cookie = answer.header("set-cookie").map(|cookie| {
        let (pair, _) = cookie.split_once(';').unwrap();
        pair.to_owned()
    });
    Page { app, answer, cookie }
}

impl Page<'_> {
    /// The value of the first hidden field of that name.
    pub(crate) fn hidden(&self, name: &str) -> String {
        let text = self.answer.text();
        let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    }

    /// The address of the first form of the page itself.
    pub(crate) fn action(&self) -> String {
        let text = self.answer.text();
        let (_, main) = text.split_once("<main").unwrap();
        let (_, rest) = main.split_once("action=\"").unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.with_cookie(request(self.app, Method::GET, path))
    }

    /// A form as a browser sends it from a page of ours.
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        let request = request(self.app, Method::POST, path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .body(encoded(fields));
        self.with_cookie(request)
    }

    fn with_cookie(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        }
    }
}

pub(crate) fn encoded(fields: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in fields {
        let value = url::form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>();
        write!(text, "{name}={value}&").unwrap();
    }
    text
}
