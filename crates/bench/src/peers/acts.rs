//! Signers' acts through the libraries, without HTTP, and beside them what an act cannot do without: a key pair, three
//! signatures, the hash of an increment and a durable commit. A request to `/prepare?acts,folios,bytes` makes what
//! `/act` then signs, one act after the other; `/bare?count` does the unavoidable that many times. The data are in the
//! directory, or where the program's own variables say.

use super::{http, sample};
use crate::AnyError;
use crate::pdf::{self, MARK_BYTES};
use app::operator::keys::KeyRequest;
use app::signing::sign::{Attempt, Signed};
use app::{
    App, Caller, Clock, CodePurpose, MasterKey, Notary, NotarySettings, Policy, Session, SigningParty,
    TypedCodes, Who,
};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use blobs::{Blobs, Location};
use bytes::Bytes;
use domain::{Code, FileName, FolioId, NewBulk, SignerIndex, Timestamp};
use parts::{Error, Result};
use sha2::{Digest, Sha256};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::{Settings, Store};
use tokio::sync::Mutex;
use tokio_postgres::NoTls;

/// Bytes that a signer's act appends to a document.
const INCREMENT_BYTES: usize = 10_000;

const COMPANY: &str = "Medida";
/// Documents above this size are large.
const LARGE_DOCUMENT_BYTES: usize = 1 << 20;

/// Where the codes are that were sent.
enum Codes {
    Sqlite(PathBuf),
    Postgres(tokio_postgres::Client),
}

struct Acts {
    app: App,
    caller: Caller,
    codes: Codes,
    made: AtomicU64,
    ready: Mutex<Vec<(Session, Attempt)>>,
    bare: Mutex<rusqlite::Connection>,
}

pub(super) async fn serve(port: u16, directory: &Path) -> Result<()> {
    let acts = Acts::open(directory).await.map_err(Error::while_("the acts"))?;
    let acts = Arc::new(acts);
    http::serve(port, move |request| {
        let acts = acts.clone();
        async move {
            let query = request.uri().query().unwrap_or_default();
            let numbers: Vec<usize> = query
                .split(',')
                .filter_map(|number| number.parse().ok())
                .collect();
            let done = match (request.uri().path(), numbers.as_slice()) {
                ("/prepare", [count, folios, bytes]) => acts.prepare(*count, *folios, *bytes).await,
                ("/act", _) => acts.act().await,
                ("/bare", [count]) => acts.bare(*count).await,
                _ => Err("no such thing".into()),
            };
            done.map_err(Error::while_("an act"))?;
            Ok(Bytes::from_static(b"{}"))
        }
    })
    .await
}

impl Acts {
    async fn open(directory: &Path) -> Result<Self, AnyError> {
        let location = match env::var("FIRMEZA_BLOBS_URL") {
            Ok(address) => Location::S3(address),
            Err(_) => Location::Directory(directory.join("documents")),
        };
        let blobs = Blobs::open(&location, &directory.join("incoming"))?;
        let (settings, codes) = if let Ok(address) = env::var("FIRMEZA_DATABASE_URL") {
            let (client, connection) = tokio_postgres::connect(&address, NoTls).await?;
            // It ends with its client.
            tokio::spawn(connection);
            (Settings::Postgres(address), Codes::Postgres(client))
        } else {
            let file = directory.join("acts.sqlite");
            (Settings::Sqlite(file.clone()), Codes::Sqlite(file))
        };
        let master = MasterKey::random(&mut app::SystemRandom);
        let key = master.history_key();
        // A connection to PostgreSQL is opened with a runtime of its own.
        let opened = tokio::task::spawn_blocking(move || Store::open(&settings, Some(key)));
        let store = opened.await??;
        let company = store.write(|tx| tx.add_company(COMPANY, Timestamp::from_micros(0)));
        let company = company.await.map_err(|error: store::Error| error)?;
        let base_url: url::Url = "https://firmeza.example.com".parse()?;
        let notary = NotarySettings {
            base_url: base_url.clone(),
            timezone: jiff::tz::TimeZone::UTC,
            time_stamping: Vec::new(),
            trusted: pki::trusted_list::TrustedList::default(),
            token: None,
            certifying: None,
            issuing: None,
            sandbox: false,
        };
        let notary = Notary::open(&store, &master, &Clock::System, notary).await?;
        let app = App::new(
            store,
            blobs,
            Clock::System,
            &master,
            &base_url,
            notary,
            // Every act of the figure is for the same address.
            Policy {
                codes_to_recipient_a_day: 0,
                ..Policy::default()
            },
        );
        let bare = rusqlite::Connection::open(directory.join("bare.sqlite"))?;
        bare.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             CREATE TABLE increments (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL);",
        )?;
        let operator = app.operator();
        let key = operator.add_key(COMPANY.to_owned(), KeyRequest::with_label(String::new()));
        let caller = Caller {
            company,
            who: Who::Key(key.await?.id),
            name: "bench".into(),
            address: [127, 0, 0, 1].into(),
        };
        Ok(Self {
            app,
            caller,
            codes,
            made: AtomicU64::new(0),
            ready: Mutex::default(),
            bare: Mutex::new(bare),
        })
    }

    /// Makes that many acts, each over so many folios with a document of that size, and has their codes sent.
    async fn prepare(&self, acts: usize, folios: usize, bytes: usize) -> Result<(), AnyError> {
        let mut ready = self.ready.lock().await;
        for _ in 0..acts {
            let mut ids = Vec::with_capacity(folios);
            for _ in 0..folios {
                ids.push(self.folio(bytes).await?);
            }
            let party = match ids.as_slice() {
                [folio] => SigningParty::Signer {
                    folio: *folio,
                    signer_index: SignerIndex(0),
                },
                _ => self.bulk(ids).await?,
            };
            let session = self.app.sessions.begin(party, 0, self.app.clock.now());
            let purpose = CodePurpose::Sign {
                consent: app::signing::consent::Consent::SPANISH,
            };
            self.app
                .send_codes(&session, purpose, domain::Client::default())
                .await?;
            let codes = TypedCodes {
                email: Some(self.last_code().await?),
                sms: None,
            };
            let attempt = Attempt {
                codes,
                picture: None,
                client: domain::Client::at([127, 0, 0, 1].into()),
            };
            ready.push((session, attempt));
        }
        Ok(())
    }

    async fn folio(&self, bytes: usize) -> Result<FolioId, AnyError> {
        let mut contract = pdf::contract(bytes);
        // Large documents are all the same, and kept once: an act does not read them anyway.
        let number = if bytes > LARGE_DOCUMENT_BYTES {
            0
        } else {
            self.made.fetch_add(1, Ordering::Relaxed)
        };
        contract.bytes[contract.mark_at..contract.mark_at + MARK_BYTES].copy_from_slice(&pdf::mark(number));
        let mut upload = self.app.start_upload(&[]);
        upload.push(contract.bytes.into()).await?;
        let document = upload.finish(FileName::new("contrato.pdf")).await?;
        let new = sample::request(document).map_err(|problem| format!("the folio {problem}"))?;
        match self.app.create_folio(self.caller.clone(), new, None).await? {
            app::IdempotentResult::Fresh(folio) => Ok(folio),
            app::IdempotentResult::Replayed(_) => Err("no key was given".into()),
        }
    }

    async fn bulk(&self, folios: Vec<FolioId>) -> Result<SigningParty, AnyError> {
        let signers = sample::signers().map_err(|problem| format!("the signers {problem}"))?;
        let signer = signers.into_iter().next().ok_or("the folio has no signer")?;
        let new = NewBulk {
            folios,
            signer,
            return_url: sample::return_url().map_err(|problem| format!("the address {problem}"))?,
        };
        match self.app.start_bulk(self.caller.clone(), new, None).await? {
            app::IdempotentResult::Fresh(started) => Ok(SigningParty::Bulk(started.id)),
            app::IdempotentResult::Replayed(_) => Err("no key was given".into()),
        }
    }

    async fn last_code(&self) -> Result<Code, AnyError> {
        let sql = "SELECT secret FROM outbox WHERE secret IS NOT NULL ORDER BY seq DESC LIMIT 1";
        let sealed: Vec<u8> = match &self.codes {
            Codes::Sqlite(file) => rusqlite::Connection::open(file)?.query_row(sql, [], |row| row.get(0))?,
            Codes::Postgres(client) => client.query_one(sql, &[]).await?.get(0),
        };
        let digits = self.app.outbox_secrets.open("code", &sealed).ok_or("no code")?;
        Ok(Code::typed(std::str::from_utf8(&digits)?).ok_or("no code")?)
    }

    async fn act(&self) -> Result<(), AnyError> {
        for (session, attempt) in std::mem::take(&mut *self.ready.lock().await) {
            match self.app.sign_folios(&session, attempt).await? {
                Signed::Done(_) => {}
                other => return Err(format!("not signed: {other:?}").into()),
            }
        }
        Ok(())
    }

    async fn bare(&self, count: usize) -> Result<(), AnyError> {
        let cryptography = BareCryptography::new()?;
        let connection = self.bare.lock().await;
        for _ in 0..count {
            cryptography.act()?;
            let sql = "INSERT INTO increments (bytes) VALUES (?1)";
            connection.execute(sql, [&cryptography.increment])?;
        }
        Ok(())
    }
}

/// What no act can do without: a key pair, three signatures, the hash of an increment.
pub(super) struct BareCryptography {
    issuer: EcdsaKeyPair,
    random: SystemRandom,
    increment: Vec<u8>,
}

impl BareCryptography {
    pub(super) fn new() -> Result<Self, Unspecified> {
        Ok(Self {
            issuer: EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING)?,
            random: SystemRandom::new(),
            increment: vec![b'x'; INCREMENT_BYTES],
        })
    }

    pub(super) fn act(&self) -> Result<(), Unspecified> {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING)?;
        let certificate = self.issuer.sign(&self.random, key.public_key().as_ref())?;
        let signature = key.sign(&self.random, &Sha256::digest(&self.increment))?;
        let timestamp = self.issuer.sign(&self.random, signature.as_ref())?;
        std::hint::black_box((certificate, signature, timestamp));
        Ok(())
    }
}
