//! The durable write path without HTTP: sixteen tasks persist documents and write rows. A request to
//! `/prepare` makes the data, one to `/write` writes it.

use super::http;
use crate::pdf::{self, MARK_BYTES};
use blobs::{Blobs, Location};
use bytes::Bytes;
use domain::{Actor, CompanyId, FileName, Folio, KeyId, NewDocument, Origin, Random, Timestamp};
use parts::{Error, Result};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use store::{HistoryKey, Settings, Store};

const TASKS: usize = 16;

#[derive(Clone)]
struct BareWritePath {
    blobs: Blobs,
    store: Store,
    company: CompanyId,
    prepared: Arc<Mutex<Vec<Bytes>>>,
}

pub(super) async fn serve(port: u16, directory: &Path) -> Result<()> {
    let location = Location::Directory(directory.join("documents"));
    let blobs = Blobs::open(&location, &directory.join("incoming")).map_err(Error::while_("the blobs"))?;
    let settings = Settings::Sqlite(directory.join("bare.sqlite"));
    let key = HistoryKey::new(&[0; 32], |salt| app::SystemRandom.fill(salt));
    let store = Store::open(&settings, Some(key)).map_err(Error::while_("the store"))?;
    let added = store.write(|tx| tx.add_company("Medida", Timestamp::from_micros(0)));
    let company = added
        .await
        .map_err(|error: store::Error| Error::new(error.to_string()))?;
    let bare = BareWritePath {
        blobs,
        store,
        company,
        prepared: Arc::default(),
    };
    let documents = Arc::new(Mutex::new(0));
    http::serve(port, move |request| {
        let (bare, documents) = (bare.clone(), documents.clone());
        async move {
            let count = request
                .uri()
                .query()
                .and_then(|query| query.parse().ok())
                .unwrap_or(0);
            if request.uri().path() == "/prepare" {
                bare.prepare(&documents, count);
            } else {
                bare.write().await?;
            }
            Ok(Bytes::from_static(b"{}"))
        }
    })
    .await
}

impl BareWritePath {
    fn prepare(&self, made: &Mutex<u64>, count: u64) {
        let contract = pdf::contract(pdf::DOCUMENT);
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        for number in *made..*made + count {
            let mut bytes = contract.bytes.clone();
            bytes[contract.mark_at..contract.mark_at + MARK_BYTES].copy_from_slice(&pdf::mark(number));
            prepared.push(bytes.into());
        }
        *made += count;
    }

    async fn write(&self) -> Result<()> {
        let tasks: Vec<_> = (0..TASKS)
            .map(|_| {
                let bare = self.clone();
                tokio::spawn(async move {
                    while let Some(document) = bare.next() {
                        bare.create(document).await?;
                    }
                    Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
                })
            })
            .collect();
        for task in tasks {
            task.await
                .map_err(Error::while_("a task"))?
                .map_err(Error::while_("a create"))?;
        }
        Ok(())
    }

    fn next(&self) -> Option<Bytes> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    async fn create(&self, document: Bytes) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let mut upload = self.blobs.upload();
        upload.push(document).await?;
        let pending = upload.finish_uninspected().await?;
        let document = NewDocument {
            name: FileName::new("Contrato de arrendamiento.pdf"),
            sha256: *pending.id().as_bytes(),
            size: pending.len(),
            pages: 1,
            repair: None,
        };
        let new = super::sample::folio(document).map_err(|problem| format!("the folio {problem}"))?;
        let origin = Origin {
            actor: Actor::Integration {
                key: KeyId::from_bytes([7; 16]),
            },
            client: domain::Client::at([127, 0, 0, 1].into()),
        };
        let now = app::Clock::System.now();
        let created = Folio::create(new, self.company, origin, now, &mut app::SystemRandom);
        self.blobs.persist(vec![pending]).await?;
        Ok(self
            .store
            .write(move |tx| tx.insert_folio(&created, &[vec![0; 595]]))
            .await?)
    }
}
