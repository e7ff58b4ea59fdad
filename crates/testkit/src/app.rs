//! The test application, and its builder.

use crate::invariants;
use crate::response::TestResponse;
use crate::row_counts::RowCounts;
use crate::server::{Server, ServerPlan};
use crate::stack::Stack;
use crate::transport_settings::TransportSettings;
use crate::wait::STALL_TIMEOUT;
use app::{App, Clock, Policy, WebhookPolicy};
use delivery::{SmsSettings, SmtpSettings, WebhookWorkerSettings};
use domain::Timestamp;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use web::RateLimits;

/// What every test's clock shows at first: 2 March 2026, 9:30 in Bogotá.
pub const START: Timestamp = Timestamp::from_micros(1_772_461_800_000_000);

/// What opens the mailbox of every test application.
pub const MAILBOX_TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A server, its data and a clock that moves only when the test moves it.
#[derive(Debug)]
pub struct TestApp {
    server: Server,
    plan: ServerPlan,
    pub(crate) http: reqwest::Client,
    stack: Arc<Stack>,
    killed: bool,
}

/// What a provider of email shows to test applications that take its reports.
pub const EMAIL_REPORTS_TOKEN: &str = "fedcba9876543210fedcba9876543210";

/// How a test application differs from the usual one.
#[derive(Debug)]
pub struct Builder {
    policy: Policy,
    settings: web::Settings,
    transports: Option<TransportSettings>,
    worker: delivery::OutboxSettings,
    renderer: Option<PathBuf>,
    webhook_worker: Option<WebhookWorkerSettings>,
    database: Option<String>,
    clock: Clock,
    port: Option<u16>,
}

impl Builder {
    /// Uses the empty database at that address of a `PostgreSQL` server, whatever the environment asks for.
    #[must_use]
    pub fn database(mut self, url: String) -> Self {
        self.database = Some(url);
        self
    }

    /// Requests a minute, and creates among them.
    #[must_use]
    pub fn rate_limits(mut self, requests: u32, creates: u32) -> Self {
        self.settings.rate_limits = RateLimits { requests, creates };
        self
    }

    /// Grace period before a body must keep the minimum rate.
    #[must_use]
    pub fn body_grace(mut self, grace: Duration) -> Self {
        self.settings.body_grace = grace;
        self
    }

    /// Bytes of documents in one request.
    #[must_use]
    pub fn request_bytes(mut self, bytes: u64) -> Self {
        self.settings.request_bytes = bytes;
        self
    }

    /// Proxies whose `x-forwarded-for` is trusted.
    #[must_use]
    pub fn trusted_proxies(mut self, networks: &str) -> Self {
        self.settings.trusted_proxies = networks.parse().unwrap();
        self
    }

    /// Changes the installation's choices.
    #[must_use]
    pub fn policy(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(&mut self.policy);
        self
    }

    /// Has messages delivered, into the built-in mailbox; otherwise they wait.
    #[must_use]
    pub fn delivering(mut self) -> Self {
        self.transports.get_or_insert_default();
        self.settings.mailbox = Some(web::MailboxToken::new(MAILBOX_TOKEN));
        self
    }

    /// Has emails delivered by that mail server.
    #[must_use]
    pub fn smtp(mut self, server: SmtpSettings) -> Self {
        self.transports.get_or_insert_default().smtp = Some(server);
        self
    }

    /// Has text messages delivered by that gateway.
    #[must_use]
    pub fn sms(mut self, gateway: SmsSettings) -> Self {
        self.transports.get_or_insert_default().sms = Some(gateway);
        self
    }

    /// Sends webhooks, also to addresses on this machine.
    #[must_use]
    pub fn with_webhooks(mut self) -> Self {
        self.policy.webhooks = WebhookPolicy {
            plain_http: true,
            loopback: true,
            ..WebhookPolicy::default()
        };
        self.webhook_worker = Some(WebhookWorkerSettings {
            poll: Duration::from_millis(20),
            attempt: STALL_TIMEOUT,
            shutdown_timeout: STALL_TIMEOUT,
            settle_timeout: STALL_TIMEOUT,
            ..WebhookWorkerSettings::default()
        });
        self
    }

    /// Takes reports of a provider of email.
    #[must_use]
    pub fn taking_email_reports(mut self) -> Self {
        self.settings.email_reports = web::EmailReportsToken::new(EMAIL_REPORTS_TOKEN);
        self
    }

    /// Changes how the outbox's worker works.
    #[must_use]
    pub fn worker(mut self, change: impl FnOnce(&mut delivery::OutboxSettings)) -> Self {
        change(&mut self.worker);
        self
    }

    /// Has pages of documents drawn by that program.
    #[must_use]
    pub fn drawing_with(mut self, program: impl Into<PathBuf>) -> Self {
        self.renderer = Some(program.into());
        self
    }

    /// Is reached at an address of this machine, as a browser on it does.
    #[must_use]
    pub fn at_home(mut self) -> Self {
        "http://127.0.0.1".clone_into(&mut self.settings.base_url);
        self
    }

    /// Goes by the system's clock, as others do with whom it speaks of the time. Tests can move it forward.
    #[must_use]
    pub fn at_system_time(mut self) -> Self {
        self.clock = Clock::sandbox(0);
        self
    }

    /// Is reached at the address at which it listens, by others too that send browsers there.
    #[must_use]
    pub fn at_port(mut self, port: u16) -> Self {
        self.settings.base_url = format!("http://127.0.0.1:{port}");
        self.port = Some(port);
        self
    }

    /// Starts it.
    pub async fn start(self) -> TestApp {
        let database = self.database;
        let provide = move || database.map_or_else(Stack::provide, Stack::on_database);
        let stack = tokio::task::spawn_blocking(provide).await.unwrap();
        let plan = ServerPlan {
            policy: self.policy,
            settings: self.settings,
            clock: self.clock,
            port: self.port,
            transports: self.transports,
            worker: self.worker,
            renderer: self.renderer,
            webhook_worker: self.webhook_worker,
        };
        TestApp::on(Arc::new(stack), plan).await
    }
}

impl TestApp {
    /// The usual application.
    pub async fn start() -> Self {
        Self::builder().start().await
    }

    /// One that differs.
    pub fn builder() -> Builder {
        Builder {
            // Many folios of a test are for the same address.
            policy: Policy {
                codes_to_recipient_a_day: 0,
                ..Policy::default()
            },
            settings: web::Settings {
                base_url: "https://firmeza.example.com".to_owned(),
                timezone: jiff::tz::TimeZone::get("America/Bogota").unwrap(),
                rate_limits: RateLimits::default(),
                request_bytes: 100 << 20,
                body_grace: STALL_TIMEOUT,
                part_timeout: STALL_TIMEOUT,
                watched_directories: vec![("data", std::env::temp_dir())],
                trusted_proxies: web::TrustedProxies::default(),
                mailbox: None,
                email_reports: None,
            },
            transports: None,
            worker: delivery::OutboxSettings {
                poll: Duration::from_millis(20),
                shutdown_timeout: STALL_TIMEOUT,
                settle_timeout: STALL_TIMEOUT,
                ..delivery::OutboxSettings::default()
            },
            renderer: None,
            webhook_worker: None,
            database: None,
            clock: Clock::manual(START),
            port: None,
        }
    }

    async fn on(stack: Arc<Stack>, plan: ServerPlan) -> Self {
        let server = Server::start(stack.clone(), plan.clone()).await;
        Self {
            server,
            plan,
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            stack,
            killed: false,
        }
    }

    /// Another instance on the same data and by the same clock.
    pub async fn another_instance(&self) -> Self {
        Self::on(self.stack.clone(), self.plan.clone()).await
    }

    /// The same, but its messages wait for others to send them.
    pub async fn another_instance_that_sends_nothing(&self) -> Self {
        let plan = ServerPlan {
            transports: None,
            ..self.plan.clone()
        };
        Self::on(self.stack.clone(), plan).await
    }

    /// Ends the server at once, as a crash would; its data stay, for other instances.
    pub fn kill(mut self) {
        self.server.kill();
        self.killed = true;
    }

    /// The acts below the server.
    pub fn app(&self) -> &App {
        &self.server.app
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// What the listener for operators answers.
    pub async fn monitoring(&self, path: &str) -> TestResponse {
        let url = format!("http://{}{path}", self.server.monitoring);
        let response = self.http.get(url).send().await.unwrap();
        TestResponse {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.unwrap().into(),
        }
    }

    /// Where its rows are.
    pub fn database(&self) -> &store::Settings {
        &self.stack.database
    }

    /// Runs statements on the database, past the program. `<bytes 00ff>` in them means those bytes.
    pub async fn tamper(&self, sql: &str) {
        let sql = sql.to_owned();
        self.on_stack(move |stack| stack.tamper(&sql)).await;
    }

    /// Ends the heartbeats of all other instances, as a few seconds without one do.
    pub async fn end_other_heartbeats(&self) {
        let this = self.app().heartbeat.instance;
        self.tamper(&format!("DELETE FROM instances WHERE NOT id = <bytes {this}>"))
            .await;
    }

    /// Moves the clock on.
    pub fn advance(&self, span: Duration) {
        self.plan.clock.advance(span);
    }

    /// Moves the clock on by that span, and by as much as the storage's is ahead of [`START`]: the storage dates blobs by its own.
    pub fn advance_past_storage(&self, span: Duration) {
        #[expect(
            clippy::disallowed_methods,
            reason = "the storage dates its files by the system's clock"
        )]
        let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let start = Duration::from_micros(START.as_micros().unsigned_abs());
        self.advance(real.saturating_sub(start) + span);
    }

    /// Sets the clock back.
    pub fn set_back(&self, span: Duration) {
        let Clock::Manual(micros) = &self.plan.clock else {
            panic!("tests have a clock of their own");
        };
        let back = i64::try_from(span.as_micros()).unwrap();
        micros.fetch_sub(back, std::sync::atomic::Ordering::SeqCst);
    }

    /// How many rows there are of each kind.
    pub async fn census(&self) -> RowCounts {
        self.on_stack(|stack| RowCounts::take(&stack.database)).await
    }

    /// Does something that blocks with the data.
    pub(crate) async fn on_stack<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Stack) -> T + Send + 'static,
    ) -> T {
        let stack = self.stack.clone();
        tokio::task::spawn_blocking(move || act(&stack)).await.unwrap()
    }

    /// How many blobs are stored.
    pub async fn blobs_kept(&self) -> usize {
        let listed = self.app().blobs.list(None, 1000).await.unwrap();
        listed.len()
    }

    /// How many temporary files of uploads there are.
    pub fn temp_file_count(&self) -> usize {
        invariants::temp_file_count(&self.stack.temp_files())
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        if std::thread::panicking() || self.killed {
            return;
        }
        self.server.stop();
        assert_eq!(self.app().recorder.depth(), 0, "events were not recorded");
        // The last instance looks after the data; before that, others may be at work on it.
        if Arc::strong_count(&self.stack) == 1 {
            let stack = self.stack.clone();
            let checked = std::thread::spawn(move || invariants::check(&stack));
            if let Err(panic) = checked.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}
