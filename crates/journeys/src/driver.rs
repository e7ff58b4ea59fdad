//! The driver's side of the conversation: one driver a test program, JSON over HTTP.

use parts::Chromium;
use serde_json::{Value, json};
use std::sync::{LazyLock, Mutex};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Stories at the same time: as many browsers as a small machine bears.
const MAX_BROWSERS: usize = 2;

static BROWSER_PERMITS: Semaphore = Semaphore::const_new(MAX_BROWSERS);
static DRIVER: LazyLock<Mutex<Option<Chromium>>> = LazyLock::new(Mutex::default);

/// A session of the driver, with a browser of its own.
#[derive(Debug)]
pub(crate) struct Driver {
    http: reqwest::Client,
    session: String,
    _permit: Option<SemaphorePermit<'static>>,
}

/// Where the driver listens; it is started once, and ends with this process.
fn address() -> String {
    let mut driver = DRIVER.lock().unwrap();
    driver
        .get_or_insert_with(|| Chromium::start().expect("Chromium and its driver"))
        .url()
}

impl Driver {
    /// Begins when there is room for it.
    pub(crate) async fn start() -> Self {
        let permit = BROWSER_PERMITS.acquire().await.unwrap();
        Self::begin(Some(permit)).await
    }

    /// Starts beside a driver that holds a permit: tests that each held one and waited for another would
    /// deadlock.
    pub(crate) async fn beside() -> Self {
        Self::begin(None).await
    }

    async fn begin(permit: Option<SemaphorePermit<'static>>) -> Self {
        let address = tokio::task::spawn_blocking(address).await.unwrap();
        let http = client();
        let options = json!({
            "args": Chromium::ARGUMENTS,
            // Third-party cookies are blocked, as many people's browsers block them.
            "prefs": { "intl.accept_languages": "es-CO,es", "profile.cookie_controls_mode": 1 },
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "timeouts": { "implicit": 0, "pageLoad": 180_000, "script": 180_000 },
        } } });
        let made = say(http.post(format!("{address}/session")), &wanted)
            .await
            .unwrap();
        let id = made["sessionId"].as_str().expect("a session").to_owned();
        Self {
            http,
            session: format!("{address}/session/{id}"),
            _permit: permit,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Value, String> {
        hear(self.http.get(format!("{}{path}", self.session))).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        say(self.http.post(format!("{}{path}", self.session)), body).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<Value, String> {
        hear(self.http.delete(format!("{}{path}", self.session))).await
    }

    /// A command of the browser's own protocol.
    pub(crate) async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        let done = self.post("/goog/cdp/execute", &body).await;
        done.unwrap_or_else(|error| panic!("{command}: {error}"))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The browser ends before its permit is released; the test's own runtime may have stopped already.
        let session = self.session.clone();
        let ended = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let farewell = async { hear(client().delete(session)).await };
            runtime.unwrap().block_on(farewell)
        });
        // Nothing is left to do about a failure.
        let _ = ended.join();
    }
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

async fn say(request: reqwest::RequestBuilder, body: &Value) -> Result<Value, String> {
    let request = request
        .header("content-type", "application/json")
        .body(body.to_string());
    hear(request).await
}

async fn hear(request: reqwest::RequestBuilder) -> Result<Value, String> {
    let answer = request.send().await.map_err(|error| error.to_string())?;
    let body = answer.bytes().await.map_err(|error| error.to_string())?;
    let mut answer: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
    let value = answer["value"].take();
    match value.get("error") {
        Some(error) => Err(format!("{error}: {}", value["message"])),
        None => Ok(value),
    }
}
