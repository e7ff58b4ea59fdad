//! The browser of a panel user, without a screen.

use crate::app::TestApp;
use crate::company::Company;
use crate::form::Form;
use crate::response::TestResponse;
use app::operator::users::UserRequest;
use app::panel::{Password, PasswordOwner};
use domain::{Email, PersonName, Role};
use reqwest::{Method, RequestBuilder};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The password of every panel user.
pub const PASSWORD: &str = "tres tristes tigres";

/// A browser that keeps cookies and follows no redirects, and the address its user signs in with.
#[derive(Debug)]
pub struct PanelBrowser<'a> {
    /// Where the browser is pointed.
    pub app: &'a TestApp,
    /// The address to sign in with.
    pub email: String,
    http: reqwest::Client,
    cookies: Mutex<BTreeMap<String, String>>,
}

impl<'a> Company<'a> {
    /// Adds a panel user of the company, who has not signed in yet; the browser of that user.
    pub async fn panel_user(&self, email: &str, role: Role) -> PanelBrowser<'a> {
        let name = format!("Persona {email}");
        let owner = PasswordOwner {
            email: email.to_owned(),
            name: name.clone(),
            company: self.name().to_owned(),
        };
        let request = UserRequest {
            company: self.name().to_owned(),
            email: Email::new(email).unwrap(),
            name: PersonName::new(name).unwrap(),
            role,
            password: Password::new(PASSWORD, &owner).unwrap(),
        };
        let added = self.app.app().operator().add_user(request).await.unwrap();
        assert!(added.is_some(), "{email} is a user already");
        PanelBrowser::new(self.app, email)
    }

    /// The same, signed in.
    pub async fn signed_in(&self, email: &str, role: Role) -> PanelBrowser<'a> {
        let browser = self.panel_user(email, role).await;
        browser.sign_in().await;
        browser
    }
}

impl<'a> PanelBrowser<'a> {
    /// A browser at that instance.
    pub fn new(app: &'a TestApp, email: &str) -> Self {
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none());
        Self {
            app,
            email: email.to_owned(),
            http: http.build().unwrap(),
            cookies: Mutex::default(),
        }
    }

    /// Signs in, and insists that it worked.
    pub async fn sign_in(&self) {
        let answer = self.try_password(PASSWORD).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
    }

    /// Sends the sign-in form.
    pub async fn try_password(&self, password: &str) -> TestResponse {
        let fields = [("email", self.email.as_str()), ("password", password)];
        self.post_bare("/panel/sign-in", &fields).await
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::GET, path)).await
    }

    /// Sends a form with the session's CSRF token.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let csrf = self.csrf().await;
        let mut fields = fields.to_vec();
        fields.push(("csrf", &csrf));
        self.post_bare(path, &fields).await
    }

    /// The CSRF token of the session; empty without one.
    pub async fn csrf(&self) -> String {
        let mut page = self.get("/panel/account").await;
        // A user who has yet to set up a second factor is redirected there.
        if let Some(place) = page
            .header("location")
            .filter(|place| place.ends_with("second-factor"))
        {
            page = self.get(place).await;
        }
        let page = page.text();
        let found = page.split_once("name=\"csrf\" value=\"");
        let token = found.and_then(|(_, rest)| rest.split_once('"'));
        token.map_or_else(String::new, |(token, _)| token.to_owned())
    }

    /// A form as a browser sends it, with these fields and no others.
    pub async fn post_bare(&self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .body(encoded(fields));
        self.send(request).await
    }

    /// Sends a form with a file and the session's CSRF token.
    pub async fn upload(&self, path: &str, field: &str, file: &[u8]) -> TestResponse {
        let csrf = self.csrf().await;
        let head = format!(
            "--frontier\r\ncontent-disposition: form-data; name=\"csrf\"\r\n\r\n{csrf}\r\n--frontier\r\n\
             content-disposition: form-data; name=\"{field}\"; filename=\"file\"\r\n\r\n"
        );
        let body = [head.as_bytes(), file, b"\r\n--frontier--\r\n"].concat();
        let request = self
            .request(Method::POST, path)
            .header("content-type", "multipart/form-data; boundary=frontier")
            .header("sec-fetch-site", "same-origin")
            .body(body);
        self.send(request).await
    }

    /// A form with files, as a browser sends it.
    pub async fn post_form(&self, path: &str, form: Form) -> TestResponse {
        let request = self
            .request(Method::POST, path)
            .header("content-type", Form::content_type())
            .header("sec-fetch-site", "same-origin")
            .body(form.into_bytes());
        self.send(request).await
    }

    /// Makes a template of the roles Arrendatario and Codeudor; its address.
    pub async fn template(&self, name: &str, document: Vec<u8>) -> String {
        let saved = self.try_template(name, document).await;
        let address = saved
            .header("location")
            .unwrap_or_else(|| panic!("{}", saved.text()));
        address.strip_suffix("?done=saved").unwrap().to_owned()
    }

    /// Tries to make a template; the last answer.
    pub async fn try_template(&self, name: &str, document: Vec<u8>) -> TestResponse {
        let mut form = Form::new().text("csrf", self.csrf().await).text("do", "template");
        for (field, value) in [
            ("name", "Contrato de arriendo"),
            ("message", "Por favor revise y firme."),
            ("name0", "Zoraida Quintanilla"),
            ("kind0", "CC"),
            ("number0", "79543210"),
            ("email0", "zoraida@quintanilla.example.com"),
            ("mobile0", "3157654321"),
            ("name1", ""),
            ("signatureType", "1"),
            ("sendEmail", "true"),
        ] {
            form = form.text(field, value.as_bytes());
        }
        let kept = self
            .post_form(
                "/panel/folios/new",
                form.file("documents", "arriendo.pdf", document),
            )
            .await;
        let address = kept
            .header("location")
            .unwrap_or_else(|| panic!("{}", kept.text()));
        let draft = address
            .strip_prefix("/panel/templates/new?draft=")
            .unwrap()
            .to_owned();
        let page = self.get(address).await.text();
        assert!(
            page.contains("arriendo.pdf") && page.contains("Firmante 2"),
            "{page}"
        );
        let fields = [
            ("draft", draft.as_str()),
            ("template-name", name),
            ("role0", "Arrendatario"),
            ("role1", "Codeudor"),
        ];
        self.post("/panel/templates", &fields).await
    }

    /// A request to be completed.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://{}{path}", self.app.address());
        let request = self.http.request(method, url);
        let cookies = self.cookies.lock().unwrap();
        let cookies: Vec<String> = cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if cookies.is_empty() {
            return request;
        }
        request.header("cookie", cookies.join("; "))
    }

    /// Sends a request, keeps the cookies, and reads the answer.
    pub async fn send(&self, request: RequestBuilder) -> TestResponse {
        let response = request.send().await.unwrap();
        let headers = response.headers().clone();
        self.keep_cookies(&headers);
        TestResponse {
            status: response.status().as_u16(),
            headers,
            body: response.bytes().await.unwrap().into(),
        }
    }

    fn keep_cookies(&self, headers: &http::HeaderMap) {
        let mut cookies = self.cookies.lock().unwrap();
        for cookie in headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            let (name, rest) = cookie.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if cookie.contains("Max-Age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// A cookie, by the end of its name.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.cookies.lock().unwrap();
        let found = cookies.iter().find(|(known, _)| known.ends_with(name));
        found.map(|(_, value)| value.clone())
    }

    /// Forgets a cookie, by the end of its name.
    pub fn forget(&self, name: &str) {
        self.cookies
            .lock()
            .unwrap()
            .retain(|known, _| !known.ends_with(name));
    }
}

/// A form's body.
pub fn encoded(fields: &[(&str, &str)]) -> String {
    let mut text = url::form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(fields);
    text.finish()
}
