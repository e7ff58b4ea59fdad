//! A browser for tests. Its methods wait for elements to appear.

use crate::device::Device;
use crate::driver::Driver;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a page may take, on a machine that may be busy with other things.
const PAGE_TIMEOUT: Duration = Duration::from_mins(2);
/// What the driver says of an element while its page gives way to the next one, still scrolls, or is laid out anew.
const PASSING_ERRORS: [&str; 6] = [
    "stale element",
    "click intercepted",
    "not interactable",
    "does not belong to the document",
    "detached",
    "aborted by navigation",
];
/// How the protocol names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one person at it.
#[derive(Debug)]
pub struct Browser {
    driver: Driver,
    pub(crate) device: Mutex<Device>,
}

impl Browser {
    /// A fresh one on that device; a story has one, and others [beside](Self::beside) it.
    pub async fn on(device: Device) -> Self {
        Self::with(Driver::start().await, device).await
    }

    /// Another person's, on that device.
    pub async fn beside(&self, device: Device) -> Self {
        Self::with(Driver::beside().await, device).await
    }

    async fn with(driver: Driver, device: Device) -> Self {
        let browser = Self {
            driver,
            device: Mutex::new(device),
        };
        browser.becomes(device).await;
        browser
    }

    /// The same on another device.
    pub async fn becomes(&self, device: Device) {
        *self.device.lock().unwrap() = device;
        self.emulate(device).await;
    }

    /// Shows pages as the device does.
    pub(crate) async fn emulate(&self, device: Device) {
        let touch = json!({ "enabled": device.is_mobile() });
        for (command, parameters) in [
            ("Emulation.setDeviceMetricsOverride", device.screen()),
            ("Emulation.setTouchEmulationEnabled", touch),
            ("Emulation.setEmulatedMedia", device.media()),
        ] {
            self.devtools(command, parameters).await;
        }
    }

    /// Runs no scripts of pages from now on.
    pub async fn without_javascript(self) -> Self {
        self.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true }))
            .await;
        self
    }

    /// A command of the browser's own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.driver.devtools(command, parameters).await
    }

    /// Opens an address and waits until the page is there.
    pub async fn open(&self, address: &str) {
        self.driver
            .post("/url", &json!({ "url": address }))
            .await
            .unwrap();
    }

    /// One page back.
    pub async fn back(&self) {
        self.driver.post("/back", &json!({})).await.unwrap();
    }

    /// The same page again.
    pub async fn reload(&self) {
        self.driver.post("/refresh", &json!({})).await.unwrap();
    }

    /// Where it is.
    pub async fn address(&self) -> String {
        text(self.driver.get("/url").await.unwrap())
    }

    /// The page's heading.
    pub async fn heading(&self) -> String {
        self.text("h1").await
    }

    /// Runs a function's body in the page.
    pub async fn run(&self, script: &str, arguments: &[Value]) -> Value {
        let done = self.try_run(script, arguments).await;
        done.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    async fn try_run(&self, script: &str, arguments: &[Value]) -> Result<Value, String> {
        let body = json!({ "script": script, "args": arguments });
        self.driver.post("/execute/sync", &body).await
    }

    async fn look_for(&self, selector: &str) -> Option<String> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self.driver.post("/element", &body).await.ok()?;
        Some(text(found[ELEMENT].clone()))
    }

    /// The first element like that, as soon as there is one.
    async fn find(&self, selector: &str) -> String {
        let begun = Instant::now();
        loop {
            if let Some(element) = self.look_for(selector).await {
                return element;
            }
            let late = begun.elapsed() > PAGE_TIMEOUT;
            assert!(!late, "no {selector} on the page:\n{}", self.visible_text().await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Does something with the first element like that; with the next one, where the page was just replaced by another. A
    /// page that still scrolls, from what was done before, is waited for.
    async fn act_on(&self, selector: &str, act: impl AsyncFn(&str) -> Result<Value, String>) -> Value {
        let begun = Instant::now();
        loop {
            let element = self.find(selector).await;
            match act(&element).await {
                Ok(done) => return done,
                Err(error) if PASSING_ERRORS.iter().any(|passing| error.contains(passing)) => {
                    assert!(begun.elapsed() < PAGE_TIMEOUT, "{selector}: {error}");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(error) => panic!("{selector}: {error}"),
            }
        }
    }

    /// Whether there is such an element now.
    pub async fn has(&self, selector: &str) -> bool {
        self.look_for(selector).await.is_some()
    }

    /// What the element says.
    pub async fn text(&self, selector: &str) -> String {
        let read = async |element: &str| self.driver.get(&format!("/element/{element}/text")).await;
        text(self.act_on(selector, read).await)
    }

    /// What the page says, as far as it can be seen.
    pub async fn visible_text(&self) -> String {
        let body = self.look_for("body").await;
        match body {
            // It may just have been replaced by another page, which is asked next time.
            Some(body) => {
                let said = self.driver.get(&format!("/element/{body}/text")).await;
                said.map(text).unwrap_or_default()
            }
            None => String::new(),
        }
    }

    /// Presses the element.
    pub async fn press(&self, selector: &str) {
        // A page that scrolls smoothly would still be moving when it is pressed.
        let there = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
        let press = async |element: &str| {
            let scroll = json!({ "script": there, "args": [{ ELEMENT: element }] });
            self.driver.post("/execute/sync", &scroll).await?;
            let path = format!("/element/{element}/click");
            self.driver.post(&path, &json!({})).await
        };
        self.act_on(selector, press).await;
    }

    /// Writes into the element in place of what it holds.
    pub async fn write(&self, selector: &str, words: &str) {
        let typed = json!({ "text": words });
        let write = async |element: &str| {
            let path = format!("/element/{element}");
            self.driver.post(&format!("{path}/clear"), &json!({})).await?;
            self.driver.post(&format!("{path}/value"), &typed).await
        };
        self.act_on(selector, write).await;
    }

    /// Puts a file into a form.
    pub async fn attach(&self, selector: &str, file: &std::path::Path) {
        let element = self.find(selector).await;
        let typed = json!({ "text": file });
        let path = format!("/element/{element}/value");
        self.driver.post(&path, &typed).await.unwrap();
    }

    /// Chooses an option by its value.
    pub async fn choose(&self, selector: &str, value: &str) {
        self.press(&format!("{selector} option[value='{value}']")).await;
    }

    /// Waits until the page says something.
    pub async fn sees(&self, words: &str) {
        let begun = Instant::now();
        loop {
            // While one page gives way to the next, there is no page to ask.
            let said = self
                .try_run("return document.body ? document.body.innerText : ''", &[])
                .await;
            if said.is_ok_and(|said| text(said).contains(words)) {
                return;
            }
            let late = begun.elapsed() > PAGE_TIMEOUT;
            assert!(
                !late,
                "`{words}` is not on the page:\n{}",
                self.visible_text().await
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until a script's answer is true. What it asks about may not be there yet.
    pub async fn until(&self, script: &str) {
        let begun = Instant::now();
        loop {
            let answer = self.try_run(script, &[]).await;
            if answer == Ok(json!(true)) {
                return;
            }
            assert!(begun.elapsed() < PAGE_TIMEOUT, "{script}: {answer:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// A second tab of the same person, in front; the first is returned.
    pub async fn new_tab(&self) -> String {
        let before = self.tab().await;
        let made = self
            .driver
            .post("/window/new", &json!({ "type": "tab" }))
            .await
            .unwrap();
        self.to_tab(&text(made["handle"].clone())).await;
        before
    }

    /// Brings a tab to the front.
    pub async fn to_tab(&self, tab: &str) {
        self.driver
            .post("/window", &json!({ "handle": tab }))
            .await
            .unwrap();
    }

    /// The tab that was opened last, in front.
    pub async fn to_newest_tab(&self) {
        let tabs = self.driver.get("/window/handles").await.unwrap();
        let newest = tabs.as_array().and_then(|tabs| tabs.last()).expect("a tab");
        self.to_tab(newest.as_str().expect("its name")).await;
    }

    /// The tab in front.
    pub async fn tab(&self) -> String {
        text(self.driver.get("/window").await.unwrap())
    }

    /// Closes the tab in front; another must be brought there.
    pub async fn close_tab(&self) {
        self.driver.delete("/window").await.unwrap();
    }

    /// Goes on inside a frame.
    pub async fn enter_frame(&self, selector: &str) {
        let frame = json!({ "id": { ELEMENT: self.find(selector).await } });
        self.driver.post("/frame", &frame).await.unwrap();
    }

    /// Goes on in the page around all frames.
    pub async fn leave_frames(&self) {
        self.driver.post("/frame", &json!({ "id": null })).await.unwrap();
    }

    /// Forgets who the person is.
    pub async fn forget_cookies(&self) {
        self.driver.delete("/cookie").await.unwrap();
    }
}

fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => panic!("not a text: {other}"),
    }
}
