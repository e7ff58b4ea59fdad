//! What Firmeza does, one file per act. An act checks who asks, asks the domain, and has the store keep what
//! the domain answers. No HTTP, no SQL, no words for people.

pub mod access;
pub mod admit;
pub mod api_key;
pub mod approve_folios;
pub mod backup;
pub mod bell;
pub mod cancel_folios;
mod case;
pub mod check_documents;
pub mod clerk;
pub mod clock;
pub mod codes;
pub mod consent;
pub mod create_folio;
pub mod deliveries;
pub mod download_document;
mod draw_sheets;
pub mod drop_expired;
pub mod drop_folios;
pub mod error;
pub mod evidence;
pub mod extend_folios;
pub mod free_signer;
pub mod history_key;
pub mod holder;
pub mod inspect_all;
pub mod judge_each;
pub mod know_document;
pub mod links;
pub mod list_folios;
pub mod manage_keys;
pub mod manage_users;
pub mod networks;
pub mod notary;
pub mod once;
pub mod open_link;
pub mod overview;
pub mod panel;
pub mod prove_contact;
pub mod read_bulk;
pub mod read_folios;
pub mod recorder;
pub mod reject_folio;
pub mod resend_emails;
pub mod revoke_certificate;
pub mod rotate_master_key;
pub mod secrets;
pub mod send_code;
pub mod sessions;
pub mod show_folio;
pub mod show_page;
pub mod sign_folio;
pub mod start_bulk;
pub mod sweep_blobs;
pub mod tidy;
mod tip_key;
pub mod visits;
pub mod webhooks;

pub use access::{Access, Caller, Who};
pub use api_key::ApiKey;
pub use bell::Bell;
pub use clock::Clock;
pub use codes::{CodeOutcome, TypedCodes};
pub use deliveries::Deliveries;
pub use error::Error;
pub use holder::Holder;
pub use judge_each::{Judged, Judgements};
pub use links::Links;
pub use notary::{Notary, NotarySettings, TimeStamping, TokenSettings};
pub use once::{Answered, Once, Ticket};
pub use recorder::Recorder;
pub use secrets::{MasterKey, Sealer, SystemRandom};
pub use send_code::CodePurpose;
pub use sessions::{Session, Sessions};
pub use show_page::Pages;
pub use webhooks::WebhookPolicy;

use blobs::Blobs;
use check_documents::DocumentChecks;
use codes::Codes;
use panel::Panel;
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use tip_key::TipKey;
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
    /// What time it is.
    pub clock: Clock,
    /// Addresses that carry authority.
    pub links: Links,
    /// The installation's choices.
    pub policy: Arc<Policy>,
    /// Records that need not be waited for.
    pub recorder: Recorder,
    /// Seals what messages carry in secret while they wait.
    pub outbox_secrets: Sealer,
    /// Seals what webhooks are signed with.
    pub webhook_secrets: Sealer,
    /// Rung after a commit that planned something for webhooks.
    pub courier: Bell,
    /// Rung after a commit that wrote messages.
    pub bell: Bell,
    /// Rung after a commit that wrote an email to a person of the panel.
    pub letter_bell: Bell,
    /// Rung after a commit that completed a folio.
    pub extender: Bell,
    /// Rung after a commit that changed folios.
    pub clerk: Bell,
    /// Sessions of signers.
    pub sessions: Sessions,
    /// The installation's own authority.
    pub notary: Arc<Notary>,
    codes: Codes,
    tips: Arc<TipKey>,
    recorded: Arc<visits::Recorded>,
    panel: Arc<Panel>,
    evidence_turns: Arc<evidence::Turns>,
    document_checks: Arc<DocumentChecks>,
    /// What came of messages here.
    pub deliveries: Deliveries,
    /// What draws pages of documents.
    pub pages: Arc<Pages>,
}

impl App {
    /// Puts the parts together and starts the recorder; signers' pages are at `sign_app`. Needs a tokio runtime.
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
        Self {
            store,
            blobs,
            clock,
            links: Links::new(master, sign_app),
            policy: Arc::new(policy),
            recorder,
            outbox_secrets: Sealer::new(master, rotate_master_key::usage(store::SealedColumn::Outbox).0),
            webhook_secrets: Sealer::new(master, rotate_master_key::usage(store::SealedColumn::Webhooks).0),
            courier: Bell::default(),
            bell: Bell::default(),
            letter_bell: Bell::default(),
            extender: Bell::default(),
            clerk: Bell::default(),
            sessions: Sessions::new(master),
            notary: Arc::new(notary),
            codes: Codes::new(master),
            tips: Arc::new(TipKey::new(master)),
            recorded: Arc::default(),
            panel: Arc::new(Panel::new(master)),
            evidence_turns: Arc::new(evidence::Turns::new()),
            document_checks: Arc::default(),
            deliveries: Deliveries::default(),
            pages: Arc::new(Pages::of_this_program()),
        }
    }

    /// The same with another page renderer.
    #[must_use]
    pub fn drawing_with(self, pages: Pages) -> Self {
        Self {
            pages: Arc::new(pages),
            ..self
        }
    }

    /// Writes down what was recorded and not yet kept; nothing may be recorded afterwards.
    pub async fn close(self) {
        self.recorder.close().await;
    }
}
