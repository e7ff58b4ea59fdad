//! A server on a thread and a runtime of its own, so that a test can stop it from anywhere and wait for it.

use crate::stack::Stack;
use crate::transport_settings::TransportSettings;
use crate::wait::STALL_TIMEOUT;
use app::operator::storage_owner::check_storage_owner;
use app::{App, Clock, Notary, NotarySettings, PageRenderer, Policy};
use delivery::{OutboxWorker, ProviderClient, WebhookWorker, WebhookWorkerSettings};
use render::Launch;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use web::Web;
use web::http::server::{Connections, serve};

/// A server that runs.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// Where operators ask.
    pub(crate) monitoring: SocketAddr,
    pub(crate) app: App,
    stop: Option<oneshot::Sender<Killed>>,
    thread: Option<JoinHandle<()>>,
}

/// Said to a server that is not to stop in good order.
#[derive(Debug)]
pub(crate) struct Killed;

/// What a server is started with.
#[derive(Debug, Clone)]
pub(crate) struct ServerPlan {
    pub(crate) policy: Policy,
    pub(crate) settings: web::Settings,
    pub(crate) clock: Clock,
    pub(crate) transports: Option<TransportSettings>,
    pub(crate) worker: delivery::OutboxSettings,
    pub(crate) renderer: Option<PathBuf>,
    pub(crate) webhook_worker: Option<WebhookWorkerSettings>,
    /// Where it listens; anywhere when absent.
    pub(crate) port: Option<u16>,
}

impl Server {
    pub(crate) async fn start(stack: Arc<Stack>, plan: ServerPlan) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (started, ready) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("test-server".to_owned())
            .spawn(move || run(&stack, plan, started, stopped))
            .unwrap();
        let (address, monitoring, app) = ready.await.expect("the server starts");
        Self {
            address,
            monitoring,
            app,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Ends at once, leaving everything as it is. Blocks.
    pub(crate) fn kill(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(Killed);
        }
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends");
        }
    }

    /// Stops as an operator would stop it, and waits for its end. Blocks.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends well");
        }
    }
}

fn run(
    stack: &Stack,
    plan: ServerPlan,
    started: oneshot::Sender<(SocketAddr, SocketAddr, App)>,
    stopped: oneshot::Receiver<Killed>,
) {
    let ((store, master), blobs) = (stack.open_store(), stack.open_blobs());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async move {
        let sign_app = url::Url::parse("https://firmas.example.com").unwrap();
        let notary = NotarySettings {
            base_url: url::Url::parse(&plan.settings.base_url).unwrap(),
            timezone: plan.settings.timezone.clone(),
            time_stamping: Vec::new(),
            trusted: pki::trusted_list::TrustedList::default(),
            token: None,
            certifying: None,
            issuing: None,
            sandbox: plan.settings.mailbox.is_some(),
        };
        let notary = Notary::open(&store, &master, &plan.clock, notary).await.unwrap();
        let providers = ProviderClient::with_timeout(plan.policy.webhooks.clone(), STALL_TIMEOUT);
        let providers = Arc::new(providers.expect("TLS can be set up"));
        let app = App::new(store, blobs, plan.clock, &master, &sign_app, notary, plan.policy);
        let app = app.with_identity_providers(providers);
        app.beat().await.unwrap();
        let heartbeat = tokio::spawn(app.clone().run_heartbeat());
        if let Err(refused) = check_storage_owner(&app.store, &app.blobs).await {
            assert!(!refused.is_refusal(), "{refused}");
        }
        let app = match plan.renderer {
            None => app,
            Some(program) => {
                let launch = Launch {
                    program,
                    arguments: Vec::new(),
                };
                let mut limits = render::Limits::default();
                (limits.wall, limits.wait) = (STALL_TIMEOUT, STALL_TIMEOUT);
                app.with_pages(PageRenderer::with_limits(launch, limits))
            }
        };
        let listener = TcpListener::bind(("127.0.0.1", plan.port.unwrap_or(0)))
            .await
            .unwrap();
        let address = listener.local_addr().unwrap();
        let transports = plan.transports.as_ref().map(TransportSettings::open);
        let worker = transports.map(|transports| OutboxWorker::start(app.clone(), transports, plan.worker));
        let zone = plan.settings.timezone.clone();
        let webhook_worker = plan.webhook_worker.map(|settings| {
            WebhookWorker::start(app.clone(), zone, settings).expect("the webhook worker starts")
        });
        let https = plan.settings.base_url.starts_with("https:");
        let trusted_proxies = plan.settings.trusted_proxies.clone();
        let web = Web::new(app.clone(), plan.settings);
        let operators = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let monitoring = operators.local_addr().unwrap();
        let answers = web::monitoring(web.clone());
        let operators = tokio::spawn(serve(
            operators,
            answers,
            Connections::default(),
            std::future::pending(),
        ));
        let site = web::site(web);
        assert!(
            started.send((address, monitoring, app.clone())).is_ok(),
            "the test waits for the addresses"
        );
        let connections = Connections {
            https,
            trusted_proxies,
            head_timeout: STALL_TIMEOUT,
            write_timeout: STALL_TIMEOUT,
            shutdown_timeout: STALL_TIMEOUT,
            ..Connections::default()
        };
        let (kill, killed) = oneshot::channel();
        let stop = async move {
            if let Ok(Killed) = stopped.await {
                let _ = kill.send(());
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = serve(listener, site, connections, stop) => {}
            Ok(()) = killed => return,
        }
        operators.abort();
        let _ = operators.await;
        if let Some(worker) = worker {
            worker.stop().await;
        }
        if let Some(webhook_worker) = webhook_worker {
            webhook_worker.stop().await;
        }
        heartbeat.abort();
        app.end_heartbeat().await;
        app.close_within(STALL_TIMEOUT).await;
    });
}
