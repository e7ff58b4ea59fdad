//! What Firmeza does, one file per act. An act checks who asks, asks the domain, and has the store keep what
//! the domain answers. No HTTP, no SQL, no words for people.

pub mod evidence;
pub mod folios;
pub mod messages;
pub mod notary;
pub mod operator;
pub mod panel;
pub mod people;
pub mod sandbox;
pub mod shared;
pub mod signing;
pub mod webhooks;
pub mod workers;

pub use folios::batch::{BatchOutcome, BatchOutcomes};
pub use notary::{Notary, NotarySettings, TimeStamping, TimestampTransport, TokenSettings};
pub use shared::access::{Access, Caller, Who};
pub use shared::api_key::ApiKey;
pub use shared::clock::Clock;
pub use shared::delivery_counts::DeliveryCounts;
pub use shared::error::Error;
pub use shared::idempotency::{IdempotencyKey, Idempotent, IdempotentResult};
pub use shared::reminder_counts::ReminderCounts;
pub use shared::secrets::{MasterKey, Sealer, SystemRandom};
pub use shared::sweep_counts::SweepCounts;
pub use signing::codes::{CodeOutcome, TypedCodes};
pub use signing::counts::SigningCounts;
pub use signing::links::Links;
pub use signing::pages::PageRenderer;
pub use signing::party::SigningParty;
pub use signing::send_code::CodePurpose;
pub use signing::session::{Session, Sessions};
pub use webhooks::WebhookPolicy;
pub use workers::heartbeat::Heartbeat;
pub use workers::recorder::Recorder;
pub use workers::request_log::{RequestLog, RequestRecord};
pub use workers::wakeup::{Wakeup, Wakeups};

use blobs::Blobs;
use folios::checked_versions::CheckedVersions;
use operator::backup::PageRanges;
use panel::Panel;
use shared::admission::AdmissionQueue;
use shared::signing_state_key::SigningStateKey;
use signing::codes::Codes;
use signing::document_checks::DocumentChecks;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use url::Url;

/// Choices of the installation that acts depend on.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Bytes of one document.
    pub document_bytes: u64,
    /// Documents of one folio.
    pub documents: usize,
    /// What a PDF may be like.
    pub pdf: pdf::Limits,
    /// Resends to one signer in ten minutes; 0 for any number.
    pub resends_in_ten_minutes: usize,
    /// Resends to one signer in a day; 0 for any number.
    pub resends_in_a_day: usize,
    /// Codes sent to one address or number in a day, over all folios; 0 for any number.
    pub codes_to_recipient_a_day: usize,
    /// How long a new folio can be signed; without end when absent.
    pub folio_lifetime: Option<Duration>,
    /// Where webhooks may be.
    pub webhooks: WebhookPolicy,
    /// How long the scrubber takes for all documents; it does not run when absent.
    pub scrub_round: Option<Duration>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            document_bytes: 25 << 20,
            documents: 20,
            pdf: pdf::Limits::default(),
            resends_in_ten_minutes: 10,
            resends_in_a_day: 50,
            codes_to_recipient_a_day: domain::limits::CODES_TO_RECIPIENT_A_DAY,
            folio_lifetime: None,
            webhooks: WebhookPolicy::default(),
            scrub_round: Some(Duration::from_hours(24 * 30)),
        }
    }
}

/// Everything acts need. Clones share it.
#[derive(Debug, Clone)]
pub struct App {
    /// Rows.
    pub store: Store,
    /// Document bytes.
    pub blobs: Blobs,
    /// The storage that damaged documents are mended from.
    spare_blobs: Option<Blobs>,
    /// The backup that what acts appended to them is mended from.
    spare_backup: Option<Arc<Path>>,
    /// What this instance knows of that backup's pages.
    spare_ranges: PageRanges,
    /// What time it is.
    pub clock: Clock,
    /// Addresses that carry authority.
    pub links: Links,
    /// The installation's choices.
    pub policy: Arc<Policy>,
    /// Records that need not be waited for.
    pub recorder: Recorder,
    /// The log of API requests.
    pub request_log: RequestLog,
    /// Seals what messages carry in secret while they wait.
    pub outbox_secrets: Sealer,
    /// Seals what webhooks are signed with.
    pub webhook_secrets: Sealer,
    /// What tells other instances that this one runs.
    pub heartbeat: Heartbeat,
    /// Hints to idle workers that a commit left them something to do.
    pub wakeups: Wakeups,
    /// Sessions of signers.
    pub sessions: Sessions,
    /// The installation's own authority.
    pub notary: Arc<Notary>,
    codes: Codes,
    signing_state_key: Arc<SigningStateKey>,
    recorded_visits: Arc<signing::visits::RecordedVisits>,
    panel: Arc<Panel>,
    identity_providers: Arc<panel::identity_provider::IdentityProviders>,
    evidence_admission: AdmissionQueue,
    export_admission: AdmissionQueue,
    import_admission: AdmissionQueue,
    document_checks: Arc<DocumentChecks>,
    checked_versions: Arc<CheckedVersions>,
    /// Outcomes of the messages that this instance sent.
    pub delivery_counts: DeliveryCounts,
    /// Reminders that this instance queued.
    pub reminder_counts: ReminderCounts,
    /// What the sweeper of this instance did.
    pub sweep_counts: SweepCounts,
    /// What signers did at this instance.
    pub signing_counts: SigningCounts,
    /// Draws pages of documents.
    pub pages: Arc<PageRenderer>,
}

impl App {
    /// Puts the parts together and starts the recorder and the log of requests; signers' pages are at `sign_app`. Needs a tokio runtime.
    pub fn new(
        store: Store,
        blobs: Blobs,
        clock: Clock,
        master: &MasterKey,
        sign_app: &Url,
        notary: Notary,
        policy: Policy,
    ) -> Self {
        let recorder = Recorder::start(store.clone());
        let request_log = RequestLog::start(store.clone());
        Self {
            store,
            blobs,
            spare_blobs: None,
            spare_backup: None,
            spare_ranges: PageRanges::default(),
            clock,
            links: Links::new(master, sign_app),
            policy: Arc::new(policy),
            recorder,
            request_log,
            outbox_secrets: Sealer::new(master, operator::master_key::usage(store::SealedColumn::Outbox).0),
            webhook_secrets: Sealer::new(
                master,
                operator::master_key::usage(store::SealedColumn::Webhooks).0,
            ),
            heartbeat: Heartbeat::new(domain::InstanceId::random(&mut SystemRandom)),
            wakeups: Wakeups::default(),
            sessions: Sessions::new(master),
            notary: Arc::new(notary),
            codes: Codes::new(master),
            signing_state_key: Arc::new(SigningStateKey::new(master)),
            recorded_visits: Arc::default(),
            panel: Arc::new(Panel::new(master)),
            identity_providers: Arc::default(),
            evidence_admission: AdmissionQueue::new(evidence::ADMISSION_LIMITS),
            export_admission: AdmissionQueue::new(people::ADMISSION_LIMITS),
            import_admission: AdmissionQueue::new(folios::import::ADMISSION_LIMITS),
            document_checks: Arc::default(),
            checked_versions: Arc::default(),
            delivery_counts: DeliveryCounts::default(),
            reminder_counts: ReminderCounts::default(),
            sweep_counts: SweepCounts::default(),
            signing_counts: SigningCounts::default(),
            pages: Arc::new(PageRenderer::of_this_program()),
        }
    }

    /// The same with a storage that damaged documents are mended from.
    #[must_use]
    pub fn with_spare_blobs(self, spare: Blobs) -> Self {
        Self {
            spare_blobs: Some(spare),
            ..self
        }
    }

    /// The same with the directory of a backup that what acts appended to damaged documents is mended from.
    #[must_use]
    pub fn with_spare_backup(self, directory: &Path) -> Self {
        Self {
            spare_backup: Some(directory.into()),
            ..self
        }
    }

    /// The same with another page renderer.
    #[must_use]
    pub fn with_pages(self, pages: PageRenderer) -> Self {
        Self {
            pages: Arc::new(pages),
            ..self
        }
    }

    /// The same as an instance that has said that it runs.
    #[must_use]
    pub fn with_instance(self, instance: domain::InstanceId) -> Self {
        Self {
            heartbeat: Heartbeat::new(instance),
            ..self
        }
    }

    /// Writes down what was recorded and not yet kept; nothing may be recorded afterwards.
    pub async fn close(self) {
        self.close_within(workers::recorder::SHUTDOWN_TIMEOUT).await;
    }

    /// The same, with that time for the database to take it.
    pub fn close_within(self, timeout: Duration) -> impl Future<Output = ()> {
        let Self {
            recorder,
            request_log,
            ..
        } = self;
        async move {
            tokio::join!(recorder.close(timeout), request_log.close());
        }
    }
}
