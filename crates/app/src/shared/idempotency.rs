//! Idempotent requests: an act runs once per idempotency key.
//!
//! The response is stored in the transaction of the act: both are there, or neither.

use crate::{App, Caller, Error};
use domain::limits::IDEMPOTENCY_LIFETIME;
use domain::{CompanyId, FolioId};
use store::{KeyClaim, StoredResponse, Tx};

/// A request with an idempotency key.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    /// The key the caller chose.
    pub key: String,
    /// A hash of the request: a key that comes with another hash is refused.
    pub fingerprint: [u8; 32],
}

/// Renders the response to store; nothing for outcomes that are not stored.
pub type RenderResponse<T> = Box<dyn Fn(&Result<T, Error>) -> Option<StoredResponse> + Send>;

/// An idempotency key, and how its response is rendered.
pub struct Idempotent<T> {
    /// The request.
    pub idempotency_key: IdempotencyKey,
    /// Renders its response.
    pub render: RenderResponse<T>,
}

impl<T> std::fmt::Debug for Idempotent<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Idempotent").field(&self.idempotency_key).finish()
    }
}

/// The result of an idempotent act.
#[derive(Debug)]
pub enum IdempotentResult<T> {
    /// Done just now.
    Fresh(T),
    /// Done before: the first answer again.
    Replayed(StoredResponse),
}

impl App {
    /// Runs an act's transaction, once per key if there is one. The caller must still be live: the body may
    /// have taken long. The act does nothing outside its transaction, and may be run again.
    pub(crate) async fn write_idempotent<T: Send + 'static>(
        &self,
        caller: Caller,
        idempotent: Option<Idempotent<T>>,
        act: impl Fn(&mut Tx<'_>, &Caller) -> Result<T, Error> + Send + 'static,
    ) -> Result<IdempotentResult<T>, Error> {
        let now = self.clock.now();
        let Some(Idempotent {
            idempotency_key,
            render,
        }) = idempotent
        else {
            let written = self.store.write_retryable(move |tx| {
                caller.must_be_live(tx, now)?;
                act(tx, &caller)
            });
            return written.await.map(IdempotentResult::Fresh);
        };
        // A refused act is rolled back, and its answer kept all the same: so the transaction itself succeeds.
        let outcome = self.store.write_retryable(move |tx| {
            caller.must_be_live(tx, now)?;
            let company = caller.company;
            match claim(tx, company, &idempotency_key)? {
                KeyClaim::Replayed(answer) => return Ok(Ok(IdempotentResult::Replayed(answer))),
                KeyClaim::OtherRequest => return Err(Error::KeyReused),
                KeyClaim::Fresh => {}
            }
            let outcome = tx.savepoint(|tx| act(tx, &caller));
            match render(&outcome) {
                Some(answer) => tx.store_response(company, &idempotency_key.key, &answer)?,
                None => return Err(outcome.err().unwrap_or(Error::Overloaded)),
            }
            Ok(outcome.map(IdempotentResult::Fresh))
        });
        outcome.await?
    }

    /// Stores the response to a request that read folios, or was refused before its act; returns the one to send. `shown` are
    /// the folios whose data the response has: if one was erased since it was read, the response is not kept.
    pub async fn store_response(
        &self,
        company: CompanyId,
        idempotency_key: IdempotencyKey,
        answer: StoredResponse,
        shown: Vec<FolioId>,
    ) -> Result<StoredResponse, Error> {
        let kept = self.store.write_retryable(move |tx| {
            if !tx.keep_all_from_erasure(company, &shown)? {
                return Ok(answer.clone());
            }
            match claim(tx, company, &idempotency_key)? {
                KeyClaim::Replayed(before) => Ok(before),
                KeyClaim::OtherRequest => Err(Error::KeyReused),
                KeyClaim::Fresh => {
                    tx.store_response(company, &idempotency_key.key, &answer)?;
                    Ok(answer.clone())
                }
            }
        });
        kept.await
    }
}

/// Claims the key. A response is kept by the database's clock: an instance whose clock jumps forgets none too early, and the
/// act is not done twice.
fn claim(tx: &mut Tx<'_>, company: CompanyId, idempotency_key: &IdempotencyKey) -> Result<KeyClaim, Error> {
    let now = tx.database_clock()?;
    Ok(tx.claim_idempotency_key(
        company,
        &idempotency_key.key,
        &idempotency_key.fingerprint,
        now,
        now.before(IDEMPOTENCY_LIFETIME),
    )?)
}
