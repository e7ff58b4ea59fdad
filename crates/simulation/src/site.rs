//! What a simulation begins with: an installation with a company, its API key and a webhook.

use crate::world::World;
use app::operator::keys::KeyRequest;
use app::{App, Caller, Clock, Notary, NotarySettings, Policy, TimeStamping, Who};
use blobs::{BlobId, Blobs, Location};
use domain::{CompanyId, KeyId, WantedKinds};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use store::ReminderDays;
use store::simulated::Database;
use tempfile::TempDir;
use url::Url;

const COMPANY: &str = "Acme";

/// The installation, made once: each simulation has a copy of its database.
struct Template {
    directory: TempDir,
    company: CompanyId,
    key: KeyId,
}

static TEMPLATE: LazyLock<Template> = LazyLock::new(|| {
    // Another thread, whose randomness and time are the system's.
    std::thread::spawn(Template::make)
        .join()
        .expect("an installation")
});

fn directory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

impl Template {
    fn make() -> Self {
        let directory = directory();
        let database = store::Settings::Sqlite(directory.path().join("firmeza.db"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let (company, key) = runtime.block_on(async {
            let master = testkit::master_key();
            let (store, master) = app::shared::history_key::open_store(&database, master).unwrap();
            let location = Location::Directory(directory.path().join("documents"));
            let blobs = Blobs::open(&location, &directory.path().join("uploads")).unwrap();
            let clock = Clock::manual(testkit::START.before(Duration::from_hours(24 * 40)));
            let notary = Notary::open(&store, &master, &clock, notary_settings(Vec::new()))
                .await
                .unwrap();
            let app = App::new(store, blobs, clock, &master, &sign_app(), notary, policy());
            let operator = app.operator();
            operator.add_company(COMPANY.to_owned()).await.unwrap();
            let request = KeyRequest::with_label("simulation".to_owned());
            let key = operator.add_key(COMPANY.to_owned(), request).await.unwrap();
            let company = app
                .store
                .read(|tx| tx.company_named(COMPANY))
                .await
                .unwrap()
                .unwrap();
            let address = Url::parse("https://hooks.example.com/").unwrap();
            let added = app.add_webhook(company, address, "Sistema".to_owned(), WantedKinds::All);
            added.await.unwrap().expect("a webhook");
            let scheduled = app.store.write(move |tx| {
                let mut settings = tx.company_settings(company)?.unwrap_or_default();
                settings.reminders = reminders();
                tx.set_company_settings(company, &settings)
            });
            scheduled
                .await
                .unwrap_or_else(|error: store::Error| panic!("{error}"));
            app.close().await;
            (company, key.id)
        });
        drop(runtime);
        Self {
            directory,
            company,
            key,
        }
    }
}

pub(crate) fn notary_settings(time_stamping: Vec<TimeStamping>) -> NotarySettings {
    NotarySettings {
        base_url: Url::parse("https://firmeza.example.com").unwrap(),
        timezone: jiff::tz::TimeZone::get("America/Bogota").unwrap(),
        time_stamping,
        trusted: pki::trusted_list::TrustedList::default(),
        token: None,
        certifying: None,
        issuing: None,
        sandbox: false,
    }
}

/// Clocks that are two days ahead have reminders queued.
const fn reminders() -> ReminderDays {
    ReminderDays {
        first: Some(1),
        every: Some(1),
        max: 2,
        before_expiry: None,
    }
}

pub(crate) fn sign_app() -> Url {
    Url::parse("https://firmas.example.com").unwrap()
}

pub(crate) fn policy() -> Policy {
    Policy {
        codes_to_recipient_a_day: 0,
        scrub_round: Some(Duration::from_mins(1)),
        ..Policy::default()
    }
}

/// The data of one simulation.
pub(crate) struct Site {
    pub(crate) world: Arc<World>,
    pub(crate) database: Rc<Database>,
    pub(crate) blobs: Blobs,
    /// The storage that damaged documents are mended from.
    pub(crate) spare: Blobs,
    /// Whether another timestamp authority is asked.
    pub(crate) foreign_timestamps: bool,
    pub(crate) caller: Caller,
    directory: TempDir,
}

impl Site {
    /// Blocks.
    pub(crate) fn copy(world: Arc<World>) -> Self {
        let template = &*TEMPLATE;
        let directory = directory();
        let path = directory.path().join("firmeza.db");
        std::fs::copy(template.directory.path().join("firmeza.db"), &path).unwrap();
        let database = Database::open(&path, testkit::master_key().history_key()).unwrap();
        let open = |name: &str| {
            let location = Location::Directory(directory.path().join(name));
            Blobs::open(&location, &directory.path().join("uploads")).unwrap()
        };
        let (blobs, spare) = (open("documents"), open("spare"));
        Self {
            foreign_timestamps: world.chance.one_in(2),
            database: Rc::new(database),
            blobs,
            spare,
            caller: Caller {
                company: template.company,
                who: Who::Key(template.key),
                name: "simulation".into(),
                address: testkit::SIGNER_ADDRESS,
            },
            world,
            directory,
        }
    }

    /// Flips a bit of a document in the storage, if it is there. The other storage keeps it as it was, if that is said.
    pub(crate) fn damage(&self, blob: BlobId, is_spared: bool) {
        let name = blob.to_string();
        let place = |storage: &str| self.directory.path().join(storage).join(&name[..2]).join(&name);
        let (here, spare) = (place("documents"), place("spare"));
        let Ok(mut bytes) = std::fs::read(&here) else {
            return;
        };
        if is_spared && !spare.exists() {
            std::fs::write(&spare, &bytes).unwrap();
        }
        let at = bytes.len() / 2;
        bytes[at] ^= 1;
        std::fs::write(&here, bytes).unwrap();
    }
}
