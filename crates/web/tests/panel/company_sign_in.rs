//! Signing in by the company's own identity provider, which is a real one (panva's oidc-provider): who is let in, with which
//! role, with which second factor, and what an attacker cannot do.

use app::WebhookPolicy;
use domain::Role::{Administrator, Reader, Supervisor};
use domain::{ProviderId, Role};
use parts::{IdentityProvider, free_port};
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::{Company, PASSWORD, PanelBrowser, TestApp, TestResponse, encoded};

const ADMIN: &str = "ana@andes.example";
const CLIENT: &str = "firmeza";
const SECRET: &str = "s3cret-of-firmeza";

/// An application that identity providers on this machine send browsers back to.
async fn started() -> TestApp {
    TestApp::builder()
        .at_port(free_port().unwrap())
        .at_system_time()
        .delivering()
        .policy(|policy| {
            policy.webhooks = WebhookPolicy {
                plain_http: true,
                loopback: true,
                ..WebhookPolicy::default()
            };
        })
        .start()
        .await
}

/// A person whom a provider knows.
fn person(email: &str, groups: &[&str], amr: &[&str]) -> Value {
    json!({
        "sub": format!("sub-of-{email}"), "amr": amr,
        "claims": { "email": email, "email_verified": true, "name": format!("Persona {email}"), "groups": groups },
    })
}

/// A company with its provider, and its administrator's browser.
struct Stage<'a> {
    app: &'a TestApp,
    company: Company<'a>,
    admin: PanelBrowser<'a>,
    provider: IdentityProvider,
    id: ProviderId,
    settings: Value,
}

impl<'a> Stage<'a> {
    /// A provider that was saved, and not tried yet.
    async fn saved(app: &'a TestApp, name: &str, admin: &str, more: &[(&str, &str)]) -> Self {
        let company = app.company(name).await;
        let admin_browser = company.signed_in(admin, Administrator).await;
        let mut settings = json!({
            "key": { "id": "1", "algorithm": "ES256" }, "claims_in_token": false, "clients": [],
            "people": { "ana": person(admin, &["jefes"], &["pwd"]) },
        });
        let text = settings.to_string();
        let provider = tokio::task::spawn_blocking(move || IdentityProvider::start(&text).unwrap());
        let provider = provider.await.unwrap();
        let issuer = provider.issuer();
        let mut fields = vec![
            ("issuer", issuer.as_str()),
            ("client_id", CLIENT),
            ("secret", SECRET),
            ("scopes", "email profile groups"),
            ("groups_claim", "groups"),
            ("reader_groups", "todos"),
            ("supervisor_groups", "ventas\nfirmas"),
            ("administrator_groups", "jefes"),
        ];
        fields.retain(|(field, _)| !more.iter().any(|(other, _)| other == field));
        fields.extend(more);
        let saved = admin_browser.post("/panel/company/sign-in", &fields).await;
        assert_eq!(saved.status, 303, "{}", saved.text());
        let state = app.app().identity_provider(company.id).await.unwrap().unwrap();
        settings["clients"] = json!([{
            "client_id": CLIENT, "client_secret": SECRET, "redirect_uris": [app.app().redirect_address(state.id)],
            "response_types": ["code"], "grant_types": ["authorization_code"],
        }]);
        provider.set(&settings.to_string()).unwrap();
        Self {
            app,
            company,
            admin: admin_browser,
            provider,
            id: state.id,
            settings,
        }
    }

    /// A provider that counts.
    async fn enabled(app: &'a TestApp, more: &[(&str, &str)]) -> Self {
        let stage = Self::saved(app, "Los Andes", ADMIN, more).await;
        stage.turn_on().await;
        stage
    }

    async fn turn_on(&self) {
        let tried = self.tried("ana").await;
        assert_eq!(tried.status, 200, "{}", tried.text());
        let on = self.admin.post("/panel/company/sign-in/on", &[]).await;
        assert_eq!(on.status, 303, "{}", on.text());
    }

    /// What the administrator's try comes to, as that person of the provider.
    async fn tried(&self, login: &str) -> TestResponse {
        let away = self.admin.get("/panel/company/sign-in/try").await;
        assert_eq!(away.status, 303, "{}", away.text());
        let back = at_provider(away.header("location").unwrap(), login).await;
        self.admin.get(&back).await
    }

    /// Changes what the provider knows.
    fn now(&mut self, change: impl FnOnce(&mut Value)) {
        change(&mut self.settings);
        self.provider.set(&self.settings.to_string()).unwrap();
    }

    fn knows(&mut self, login: &str, person: Value) {
        self.now(|settings| settings["people"][login] = person);
    }

    fn start(&self) -> String {
        format!("/panel/sign-in/with/{}", self.id)
    }

    /// A browser that went to the provider, and the address with which it comes back.
    async fn returning(&self, login: &str) -> (PanelBrowser<'a>, String) {
        let browser = PanelBrowser::new(self.app, login);
        let away = browser.get(&self.start()).await;
        assert_eq!(away.status, 303, "{}", away.text());
        let back = at_provider(away.header("location").unwrap(), login).await;
        (browser, back)
    }

    /// The sign-in of that person of the provider.
    async fn sign_in(&self, login: &str) -> (PanelBrowser<'a>, TestResponse) {
        let (browser, back) = self.returning(login).await;
        let answer = browser.get(&back).await;
        (browser, answer)
    }

    async fn role(&self, email: &str) -> Option<Role> {
        let members = self.app.app().members(self.company.id).await.unwrap();
        let member = members.into_iter().find(|member| member.email == email);
        member.map(|member| member.role)
    }

    async fn is_linked(&self, email: &str) -> bool {
        let members = self.app.app().members(self.company.id).await.unwrap();
        let member = members.into_iter().find(|member| member.email == email);
        member.unwrap().has_identity
    }

    async fn acts(&self) -> Vec<String> {
        let filter = store::ActFilter::default();
        let acts = self.app.app().acts(self.company.id, filter, None, 100).await;
        acts.unwrap().into_iter().map(|act| act.what).collect()
    }
}

/// Signs in on the provider's pages, and returns the path to which it sends the browser back.
async fn at_provider(address: &str, login: &str) -> String {
    let body = encoded(&[("login", login), ("word", "clave")]);
    at_provider_with(address, body).await
}

async fn at_provider_with(address: &str, body: String) -> String {
    let redirects = reqwest::redirect::Policy::none();
    let http = reqwest::Client::builder().no_proxy().redirect(redirects);
    let http = http.build().unwrap();
    let origin = url::Url::parse(address).unwrap();
    let mut cookies = BTreeMap::new();
    let mut next = origin.clone();
    let mut form = None;
    for _ in 0..8 {
        let line: Vec<String> = cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let request = match form.take() {
            None => http.get(next.clone()),
            Some(form) => http
                .post(next.clone())
                .header("content-type", "application/x-www-form-urlencoded")
                .body(form),
        };
        let answer = request.header(COOKIE, line.join("; ")).send().await.unwrap();
        for cookie in answer.headers().get_all(SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
        }
        let status = answer.status();
        match answer.headers().get(LOCATION) {
            Some(place) => next = next.join(place.to_str().unwrap()).unwrap(),
            None if status == 200 => form = Some(body.clone()),
            None => panic!("{next}: {status} {}", answer.text().await.unwrap()),
        }
        if next.origin() != origin.origin() {
            return format!("{}?{}", next.path(), next.query().unwrap_or_default());
        }
    }
    panic!("the provider never sends the browser back")
}

fn with_parameter(path: &str, name: &str, value: &str) -> String {
    let address = url::Url::parse(&format!("http://127.0.0.1{path}")).unwrap();
    let mut changed = address.clone();
    let kept: Vec<_> = address.query_pairs().filter(|(known, _)| known != name).collect();
    changed
        .query_pairs_mut()
        .clear()
        .extend_pairs(kept)
        .append_pair(name, value);
    format!("{}?{}", changed.path(), changed.query().unwrap())
}

#[track_caller]
fn assert_refused(answer: &TestResponse, why: &str) {
    assert_eq!(answer.status, 403, "{}", answer.text());
    assert!(answer.text().contains(why), "{}", answer.text());
}

#[tokio::test]
async fn a_provider_counts_only_after_an_administrator_tried_it() {
    let app = started().await;
    let mut stage = Stage::saved(&app, "Los Andes", ADMIN, &[]).await;
    let page = stage.admin.get("/panel/company/sign-in").await.text();
    assert!(!page.contains(SECRET), "the secret is not shown");
    assert!(page.contains(&app.app().redirect_address(stage.id)), "{page}");
    let early = stage.admin.post("/panel/company/sign-in/on", &[]).await;
    assert_eq!(early.status, 422, "{}", early.text());
    let browser = PanelBrowser::new(&app, "nadie");
    assert_refused(&browser.get(&stage.start()).await, "no usa ahora esta forma");

    let tried = stage.tried("ana").await;
    assert_eq!(tried.status, 200, "{}", tried.text());
    for said in ["La prueba", ADMIN, "jefes", "Administración", "pwd"] {
        assert!(tried.text().contains(said), "{said}: {}", tried.text());
    }
    assert_eq!(
        stage.admin.post("/panel/company/sign-in/on", &[]).await.status,
        303
    );
    stage.knows("luis", person("luis@andes.example", &["todos"], &["pwd"]));
    let (_, answer) = stage.sign_in("luis").await;
    assert_refused(&answer, "Pida una invitación");

    // Another client counts only when it was tried, and its secret is never sent in the name of another.
    let issuer = stage.provider.issuer();
    let other = [
        ("issuer", issuer.as_str()),
        ("client_id", "otro"),
        ("scopes", "email"),
    ];
    let without = stage.admin.post("/panel/company/sign-in", &other).await;
    assert_eq!(without.status, 422);
    assert!(without.text().contains("escriba también su secreto"));
    let with = [&other[..], &[("secret", "x")]].concat();
    assert_eq!(
        stage.admin.post("/panel/company/sign-in", &with).await.status,
        303
    );
    assert_refused(&browser.get(&stage.start()).await, "no usa ahora esta forma");
    let acts = stage.acts().await;
    for act in [
        "provider_changed",
        "provider_tried",
        "provider_enabled",
        "provider_refused",
    ] {
        assert!(acts.iter().any(|known| known == act), "{act}: {acts:?}");
    }
    for path in ["/panel/audit", "/panel/audit.csv"] {
        assert!(!stage.admin.get(path).await.text().contains(SECRET));
    }
}

#[tokio::test]
async fn groups_make_accounts_and_give_roles_at_each_sign_in() {
    let app = started().await;
    let mut stage = Stage::enabled(&app, &[("creates_users", "yes")]).await;
    stage.knows(
        "luis",
        person("Luis@Andes.example", &["otros", "ventas"], &["pwd"]),
    );
    let (luis, answer) = stage.sign_in("luis").await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/panel/folios"))
    );
    assert_eq!(luis.get("/panel/folios/new").await.status, 200);
    assert_eq!(stage.role("luis@andes.example").await, Some(Supervisor));
    let account = luis.get("/panel/account").await.text();
    assert!(account.contains("sin contraseña en este panel"), "{account}");

    // The provider's own name for the person counts, whatever the address is now.
    stage.knows("luis", {
        let mut moved = person("Luis@Andes.example", &["todos"], &["pwd"]);
        moved["claims"]["email"] = json!("lucho@otra.example");
        moved
    });
    let (again, answer) = stage.sign_in("luis").await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(stage.role("luis@andes.example").await, Some(Reader));
    assert_eq!(again.get("/panel/folios/new").await.status, 403);
    assert_eq!(
        luis.get("/panel/folios").await.status,
        303,
        "the session of the old role has ended"
    );

    stage.knows("luis", person("Luis@Andes.example", &["otros"], &["pwd"]));
    let (_, answer) = stage.sign_in("luis").await;
    assert_refused(&answer, "ninguno de los grupos");
    // The only administrator with a password stays one, whatever the groups say.
    stage.knows("ana", person(ADMIN, &["todos"], &["pwd"]));
    let (_, answer) = stage.sign_in("ana").await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(stage.role(ADMIN).await, Some(Administrator));
}

#[tokio::test]
async fn an_address_links_only_if_it_is_the_persons_own() {
    let app = started().await;
    let mut stage = Stage::enabled(&app, &[("email_domains", "andes.example")]).await;
    for email in ["rosa@andes.example", "sara@andes.example"] {
        stage.company.panel_user(email, Reader).await;
    }
    let mut rosa = person("rosa@andes.example", &["todos"], &["pwd"]);
    for (verified, why) in [(json!(false), "no confirma"), (json!(null), "no confirma")] {
        rosa["claims"]["email_verified"] = verified;
        stage.knows("rosa", rosa.clone());
        let (_, answer) = stage.sign_in("rosa").await;
        assert_refused(&answer, why);
    }
    rosa["claims"]["email_verified"] = json!(true);
    stage.knows("rosa", rosa.clone());
    assert_eq!(stage.sign_in("rosa").await.1.status, 303);
    // Another person of the provider who got the address takes nothing over.
    rosa["sub"] = json!("another");
    stage.knows("rosa2", rosa);
    assert_refused(&stage.sign_in("rosa2").await.1, "ya está vinculado");
    stage.knows("eva", person("eva@otra.example", &["todos"], &["pwd"]));
    assert_refused(&stage.sign_in("eva").await.1, "de ese dominio");

    stage.knows("sara", person("sara@andes.example", &["todos"], &["pwd"]));
    let members = app.app().members(stage.company.id).await.unwrap();
    let sara = members
        .iter()
        .find(|member| member.email == "sara@andes.example")
        .unwrap();
    let off = format!("/panel/users/{}/disable", sara.id);
    assert_eq!(stage.admin.post(&off, &[("sure", "yes")]).await.status, 303);
    assert_refused(&stage.sign_in("sara").await.1, "está desactivado");
    assert!(!stage.is_linked("sara@andes.example").await);

    // An administrator takes the link away, and the next person with the address gets it.
    let rosa = members
        .iter()
        .find(|member| member.email == "rosa@andes.example")
        .unwrap();
    let unlink = format!("/panel/users/{}/identity", rosa.id);
    assert_eq!(stage.admin.post(&unlink, &[]).await.status, 303);
    assert_eq!(stage.sign_in("rosa2").await.1.status, 303);
}

#[tokio::test]
async fn a_second_factor_is_the_providers_or_our_own() {
    let app = started().await;
    let mut stage = Stage::enabled(&app, &[("creates_users", "yes")]).await;
    app.tamper("UPDATE companies SET second_factor_required = 1")
        .await;
    stage.knows("luis", person("luis@andes.example", &["todos"], &["pwd"]));
    let (luis, answer) = stage.sign_in("luis").await;
    assert_eq!(answer.status, 303);
    let asked = luis.get("/panel/folios").await;
    assert_eq!(asked.header("location"), Some("/panel/account/second-factor"));
    stage.knows("luis", person("luis@andes.example", &["todos"], &["pwd", "otp"]));
    let (luis, answer) = stage.sign_in("luis").await;
    assert_eq!(answer.status, 303);
    assert_eq!(luis.get("/panel/folios").await.status, 200);

    // A person without a password sets up a second factor of our own, shortly after the sign-in alone.
    let (page, phone) = set_up_page(&luis).await;
    app.advance(Duration::from_mins(11));
    let late = luis
        .post(
            "/panel/account/second-factor",
            &[("secret", &page), ("code", &phone.code(app.app().clock.now()))],
        )
        .await;
    assert_eq!(late.status, 422);
    assert!(late.text().contains("entre de nuevo"), "{}", late.text());
}

/// The page on which a person without a password sets up a second factor: the form's secret, and the app that scanned it.
async fn set_up_page(person: &PanelBrowser<'_>) -> (String, testkit::Authenticator) {
    let (page, secret, phone) = scanned(person).await;
    assert!(!page.contains("name=\"password\""), "{page}");
    (secret, phone)
}

/// The page on which a second factor is set up: its text, the form's secret, and the app that scanned it.
async fn scanned(person: &PanelBrowser<'_>) -> (String, String, testkit::Authenticator) {
    let page = person.get("/panel/account/second-factor").await.text();
    let between = |before: &str, after: &str| {
        let (_, rest) = page.split_once(before).unwrap();
        rest.split_once(after).unwrap().0.to_owned()
    };
    let secret = between("name=\"secret\" value=\"", "\"");
    let key = between("<code class=\"secret\">", "<");
    (page, secret, testkit::Authenticator::with_key(&key))
}

#[tokio::test]
async fn our_own_code_is_asked_for_where_the_provider_asked_for_none() {
    let app = started().await;
    let mut stage = Stage::enabled(&app, &[("creates_users", "yes")]).await;
    stage.knows("luis", person("luis@andes.example", &["todos"], &["pwd"]));
    let (luis, answer) = stage.sign_in("luis").await;
    assert_eq!(answer.status, 303);
    let (secret, phone) = set_up_page(&luis).await;
    let code = phone.code(app.app().clock.now());
    let done = luis
        .post(
            "/panel/account/second-factor",
            &[("secret", &secret), ("code", &code)],
        )
        .await;
    assert_eq!(done.status, 200, "{}", done.text());
    let (luis, answer) = stage.sign_in("luis").await;
    assert_eq!(answer.header("location"), Some("/panel/sign-in/code"));
    assert_eq!(luis.get("/panel/folios").await.status, 303, "not signed in yet");
    app.advance(Duration::from_secs(31));
    let code = phone.code(app.app().clock.now());
    let entered = luis.post_bare("/panel/sign-in/code", &[("code", &code)]).await;
    assert_eq!(entered.status, 303, "{}", entered.text());
    assert_eq!(luis.get("/panel/folios").await.status, 200);
}

#[tokio::test]
async fn nothing_is_linked_and_no_role_changes_before_our_own_code() {
    let app = started().await;
    let mut stage = Stage::enabled(&app, &[]).await;
    let email = "rosa@andes.example";
    let rosa = stage.company.signed_in(email, Supervisor).await;
    let (page, secret, phone) = scanned(&rosa).await;
    assert!(page.contains("name=\"password\""), "{page}");
    let code = phone.code(app.app().clock.now());
    let fields = [
        ("secret", secret.as_str()),
        ("code", &code),
        ("password", PASSWORD),
    ];
    let done = rosa.post("/panel/account/second-factor", &fields).await;
    assert_eq!(done.status, 200, "{}", done.text());
    stage.knows("rosa", person(email, &["todos"], &["pwd"]));
    let (thief, answer) = stage.sign_in("rosa").await;
    assert_eq!(answer.header("location"), Some("/panel/sign-in/code"));
    let wrong = thief
        .post_bare("/panel/sign-in/code", &[("code", "000000")])
        .await;
    assert_eq!(wrong.status, 422, "{}", wrong.text());
    assert!(!stage.is_linked(email).await);
    assert_eq!(stage.role(email).await, Some(Supervisor));
    assert_eq!(rosa.get("/panel/folios/new").await.status, 200);

    app.advance(Duration::from_secs(31));
    let code = phone.code(app.app().clock.now());
    let entered = thief.post_bare("/panel/sign-in/code", &[("code", &code)]).await;
    assert_eq!(
        (entered.status, entered.header("location")),
        (303, Some("/panel/folios")),
        "{}",
        entered.text()
    );
    assert!(stage.is_linked(email).await);
    assert_eq!(stage.role(email).await, Some(Reader));
    assert_eq!(thief.get("/panel/folios/new").await.status, 403);

    // What is waiting for its code ends when the person is unlinked, and when the provider counts no more.
    let (late, answer) = stage.sign_in("rosa").await;
    assert_eq!(answer.header("location"), Some("/panel/sign-in/code"));
    let members = app.app().members(stage.company.id).await.unwrap();
    let member = members.iter().find(|member| member.email == email).unwrap();
    let unlink = format!("/panel/users/{}/identity", member.id);
    assert_eq!(stage.admin.post(&unlink, &[]).await.status, 303);
    let (off, answer) = stage.sign_in("rosa").await;
    assert_eq!(answer.header("location"), Some("/panel/sign-in/code"));
    assert_eq!(
        stage.admin.post("/panel/company/sign-in/off", &[]).await.status,
        303
    );
    for browser in [late, off] {
        app.advance(Duration::from_secs(31));
        let code = phone.code(app.app().clock.now());
        let answer = browser.post_bare("/panel/sign-in/code", &[("code", &code)]).await;
        assert_eq!(answer.header("location"), Some("/panel/sign-in?done=late"));
    }
    assert!(!stage.is_linked(email).await);
}

#[tokio::test]
async fn keys_that_the_provider_rotated_are_asked_for_again() {
    let app = started().await;
    let mut stage = Stage::enabled(&app, &[("creates_users", "yes")]).await;
    for (id, algorithm, in_token) in [("2", "RS256", true), ("3", "EdDSA", false)] {
        stage.now(|settings| {
            settings["key"] = json!({ "id": id, "algorithm": algorithm });
            settings["claims_in_token"] = json!(in_token);
        });
        // Keys are asked for again twice a minute at most.
        app.advance(Duration::from_secs(31));
        let (_, answer) = stage.sign_in("ana").await;
        assert_eq!(answer.status, 303, "{algorithm}: {}", answer.text());
    }
}

#[tokio::test]
async fn an_answer_counts_once_in_the_browser_that_left() {
    let app = started().await;
    let stage = Stage::enabled(&app, &[]).await;
    let (browser, back) = stage.returning("ana").await;
    // An attacker's answer in a victim's browser (CSRF on the callback), with no sign-in on its way or with another one.
    let victim = PanelBrowser::new(&app, "victim");
    assert_refused(&victim.get(&back).await, "Empiece de nuevo");
    assert_eq!(victim.get(&stage.start()).await.status, 303);
    assert_refused(&victim.get(&back).await, "Empiece de nuevo");
    assert!(victim.cookie("firmeza_panel").is_none());
    // Another state, or none.
    let forged = with_parameter(&back, "state", "AAAA");
    let flow = browser.cookie("firmeza_provider").unwrap();
    assert_refused(&browser.get(&forged).await, "Empiece de nuevo");
    // A session that an attacker planted before is not the one that begins.
    let again = |cookie: String| {
        let request = browser.request(reqwest::Method::GET, &back);
        browser.send(request.header("cookie", cookie))
    };
    let planted = "firmeza_panel=planted-by-an-attacker";
    let entered = again(format!("firmeza_provider={flow}; {planted}")).await;
    assert_eq!(entered.status, 303, "{}", entered.text());
    let session = browser.cookie("firmeza_panel").unwrap();
    assert_ne!(session, "planted-by-an-attacker");
    assert_eq!(browser.get("/panel/folios").await.status, 200);
    // The same answer with the same cookie: the provider refuses the code, and we the state.
    browser.forget("firmeza_panel");
    let replayed = again(format!("firmeza_provider={flow}")).await;
    assert_refused(&replayed, "no respondió como se esperaba");
    assert!(!replayed.text().contains("invalid_grant"), "{}", replayed.text());
    let address = url::Url::parse(&format!("http://127.0.0.1{back}")).unwrap();
    let sent = address.query_pairs().find(|(name, _)| name == "state").unwrap().1;
    let (digest, now) = (
        <[u8; 32]>::from(Sha256::digest(sent.as_bytes())),
        app.app().clock.now(),
    );
    let used = app.app().store.write(move |tx| tx.use_sign_in(&digest, now));
    assert!(!used.await.unwrap(), "a completed sign-in is not completed again");
    // Too late.
    let (browser, back) = stage.returning("ana").await;
    app.advance(Duration::from_mins(11));
    assert_refused(&browser.get(&back).await, "Empiece de nuevo");
}

#[tokio::test]
async fn one_companys_provider_lets_nobody_into_another() {
    let app = started().await;
    let mut andes = Stage::enabled(&app, &[("creates_users", "yes")]).await;
    let mut otra = Stage::saved(&app, "Otra", "olga@otra.example", &[("creates_users", "yes")]).await;
    otra.turn_on().await;
    // The code of one provider at the address of the other (mix-up), with the cookie of either.
    let (browser, back) = otra.returning("ana").await;
    let (_, query) = back.split_once('?').unwrap();
    let crossed = format!("{}/callback?{query}", andes.start());
    assert_refused(&browser.get(&crossed).await, "Empiece de nuevo");
    let (browser, back) = otra.returning("ana").await;
    let other_issuer = with_parameter(&back, "iss", &andes.provider.issuer());
    assert_refused(&browser.get(&other_issuer).await, "no respondió como se esperaba");

    // A provider that claims another company's address makes no account with it, and does not learn whether there is one.
    for email in [ADMIN, "nadie@andes.example"] {
        otra.knows("mala", person(email, &["jefes"], &["pwd"]));
        let (browser, answer) = otra.sign_in("mala").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.text().contains("Confirme su correo"), "{}", answer.text());
        assert!(browser.cookie("firmeza_panel").is_none());
    }
    app.mail_to(ADMIN, "Otra quiso darle acceso").await;
    assert_eq!(otra.role(ADMIN).await, None);
    assert_eq!(andes.role(ADMIN).await, Some(Administrator));

    // Where there are several companies, a person confirms the address by the link, and signs in.
    andes.knows("luis", person("luis@andes.example", &["ventas"], &["pwd"]));
    let (_, answer) = andes.sign_in("luis").await;
    assert!(answer.text().contains("Confirme su correo"), "{}", answer.text());
    let mail = app.mail_to("luis@andes.example", "Su acceso al panel").await;
    let token = mail.text.split("/panel/reset?t=").nth(1).unwrap();
    let token = token.split_whitespace().next().unwrap();
    let browser = PanelBrowser::new(&app, "luis");
    let opened = browser.get(&format!("/panel/reset?t={token}")).await.text();
    let start = format!("{}?t={token}", andes.start());
    assert!(opened.contains(&start), "{opened}");
    let away = browser.get(&start).await;
    let back = at_provider(away.header("location").unwrap(), "luis").await;
    assert_eq!(browser.get(&back).await.status, 303);
    assert_eq!(andes.role("luis@andes.example").await, Some(Supervisor));
}

#[tokio::test]
async fn after_the_sign_in_a_browser_stays_in_the_panel() {
    let app = started().await;
    let stage = Stage::enabled(&app, &[]).await;
    for (next, place) in [
        ("/panel/account", "/panel/account"),
        ("https://evil.example/", "/panel/folios"),
        ("//evil.example/", "/panel/folios"),
        ("/panel/sign-out", "/panel/folios"),
    ] {
        let browser = PanelBrowser::new(&app, "ana");
        let away = browser.get(&format!("{}?next={next}", stage.start())).await;
        let back = at_provider(away.header("location").unwrap(), "ana").await;
        // What comes back with the answer changes nothing.
        let back = with_parameter(&back, "next", "https://evil.example/");
        assert_eq!(browser.get(&back).await.header("location"), Some(place), "{next}");
    }
    let (browser, _) = stage.returning("ana").await;
    let away = browser.get(&stage.start()).await;
    let cancelled = at_provider_with(away.header("location").unwrap(), encoded(&[("cancel", "yes")])).await;
    assert_refused(&browser.get(&cancelled).await, "no autorizó");
}

#[tokio::test]
async fn by_the_provider_alone_readers_have_no_other_way_and_administrators_have() {
    let app = started().await;
    let stage = Stage::enabled(&app, &[("required", "yes")]).await;
    let reader = stage.company.panel_user("rosa@andes.example", Reader).await;
    let answer = reader.try_password(PASSWORD).await;
    let place = answer.header("location").unwrap().to_owned();
    assert!(
        place.starts_with(&format!("/panel/sign-in?company={}", stage.id)),
        "{place}"
    );
    assert!(reader.cookie("firmeza_panel").is_none());
    let page = reader.get(&place).await.text();
    assert!(page.contains("Entrar con la cuenta de Los Andes"), "{page}");
    assert!(page.contains(&stage.start()), "{page}");
    assert_eq!(reader.try_password("no es esta clave").await.status, 422);
    // Instead of a link to choose a password, the way to sign in.
    let asked = reader
        .post_bare("/panel/forgotten", &[("email", "rosa@andes.example")])
        .await;
    assert_eq!(asked.status, 303);
    let mail = app.mail_to("rosa@andes.example", "Cómo entrar al panel").await;
    assert!(
        mail.text.contains(&app.app().sign_in_address(stage.id)),
        "{}",
        mail.text
    );

    // The provider is gone: administrators get in and turn it off.
    let admin = PanelBrowser::new(&app, ADMIN);
    admin.sign_in().await;
    assert_eq!(admin.post("/panel/company/sign-in/off", &[]).await.status, 303);
    reader.sign_in().await;
    let removed = admin
        .post("/panel/company/sign-in/remove", &[("sure", "yes")])
        .await;
    assert_eq!(removed.status, 303);
    assert!(
        app.app()
            .identity_provider(stage.company.id)
            .await
            .unwrap()
            .is_none()
    );
}

#[tokio::test]
async fn a_provider_that_fails_is_not_asked_at_once_again_and_strangers_learn_no_reason() {
    let app = started().await;
    let company = app.company("Los Andes").await;
    let admin = company.signed_in(ADMIN, Administrator).await;
    // It hangs up on everybody.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = listener.local_addr().unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            drop(stream);
        }
    });
    let issuer = format!("http://{place}");
    let fields = [("issuer", issuer.as_str()), ("client_id", CLIENT)];
    let saved = admin.post("/panel/company/sign-in", &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    app.tamper("UPDATE identity_providers SET tried_at = 1, enabled_at = 1")
        .await;
    let id = app.app().identity_provider(company.id).await.unwrap().unwrap().id;
    let start = format!("/panel/sign-in/with/{id}");
    let stranger = PanelBrowser::new(&app, "nadie");
    let began = async || {
        let answer = stranger.get(&start).await;
        assert_refused(&answer, "no respondió como se esperaba");
        assert!(!answer.text().contains("127.0.0.1: "), "{}", answer.text());
        asked.load(Ordering::SeqCst)
    };
    let first = began().await;
    assert!(first > 0);
    assert_eq!(began().await, first, "it is not asked again");
    app.advance(Duration::from_secs(11));
    let later = began().await;
    assert!(later > first, "it is asked again");
    // An administrator who tries it asks it anew, and sees what is wrong.
    let tried = admin.get("/panel/company/sign-in/try").await;
    assert_refused(&tried, "no respondió como se esperaba");
    assert!(tried.text().contains("127.0.0.1: "), "{}", tried.text());
    assert!(asked.load(Ordering::SeqCst) > later);
}

#[tokio::test]
async fn a_provider_is_asked_only_where_companies_may_point() {
    let app = TestApp::start().await;
    let company = app.company("Los Andes").await;
    let admin = company.signed_in(ADMIN, Administrator).await;
    for issuer in [
        "http://id.andes.example",
        "https://127.0.0.1",
        "https://169.254.169.254/latest",
        "https://localhost",
        "https://user:word@id.andes.example",
        "https://id.andes.example:22",
        "https://id.andes.example/?a=b",
        "ftp://id.andes.example",
    ] {
        let fields = [("issuer", issuer), ("client_id", CLIENT)];
        let answer = admin.post("/panel/company/sign-in", &fields).await;
        assert_eq!(answer.status, 422, "{issuer}");
        assert!(answer.text().contains("dirección https pública"), "{issuer}");
    }
    assert!(app.app().identity_provider(company.id).await.unwrap().is_none());
}
