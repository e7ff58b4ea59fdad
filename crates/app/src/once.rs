//! Acts that are done once, however often they are asked for with the same idempotency key.
//!
//! The answer is kept in the transaction of the act: either both are there, or neither.

use crate::{App, Caller, Error};
use domain::limits::IDEMPOTENCY_LIFETIME;
use domain::{CompanyId, Timestamp};
use store::{Kept, KeptAnswer, Tx};

/// A request that wants to be done once.
#[derive(Debug, Clone)]
pub struct Ticket {
    /// The key the caller chose.
    pub key: String,
    /// What tells this request from another.
    pub fingerprint: [u8; 32],
}

/// Writes an outcome as the answer to keep; nothing for outcomes that are not worth keeping.
pub type Render<T> = Box<dyn FnOnce(&Result<T, Error>) -> Option<KeptAnswer> + Send>;

/// A ticket, and how its answer is written.
pub struct Once<T> {
    /// The request.
    pub ticket: Ticket,
    /// Its answer.
    pub render: Render<T>,
}

impl<T> std::fmt::Debug for Once<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Once").field(&self.ticket).finish()
    }
}

/// What came of an act that may have been done before.
#[derive(Debug)]
pub enum Answered<T> {
    /// Done just now.
    Now(T),
    /// Done before: the first answer again.
    Before(KeptAnswer),
}

impl App {
    /// Runs an act's transaction, once if asked to. The caller's key or session must still be live then: the body may
    /// have been long on its way.
    pub(crate) async fn write_once<T: Send + 'static>(
        &self,
        caller: Caller,
        once: Option<Once<T>>,
        act: impl FnOnce(&mut Tx<'_>, &Caller) -> Result<T, Error> + Send + 'static,
    ) -> Result<Answered<T>, Error> {
        let now = self.clock.now();
        let Some(Once { ticket, render }) = once else {
            let written = self.store.write(move |tx| {
                caller.must_be_live(tx, now)?;
                act(tx, &caller)
            });
            return written.await.map(Answered::Now);
        };
        // A refused act is rolled back, and its answer kept all the same: so the transaction itself succeeds.
        let outcome = self.store.write(move |tx| {
            caller.must_be_live(tx, now)?;
            let company = caller.company;
            match claim(tx, company, &ticket, now)? {
                Kept::Same(answer) => return Ok(Ok(Answered::Before(answer))),
                Kept::Other => return Err(Error::KeyReused),
                Kept::Nothing => {}
            }
            let outcome = tx.attempt(|tx| act(tx, &caller));
            match render(&outcome) {
                Some(answer) => tx.settle_answer(company, &ticket.key, &answer)?,
                None => return Err(outcome.err().unwrap_or(Error::Overloaded)),
            }
            Ok(outcome.map(Answered::Now))
        });
        outcome.await?
    }

    /// The same for an act that does nothing outside its transaction, and may be run again.
    pub(crate) async fn write_once_repeatable<T: Send + 'static>(
        &self,
        caller: Caller,
        once: Option<Once<T>>,
        act: impl Fn(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<Answered<T>, Error> {
        if once.is_some() {
            return self.write_once(caller, once, move |tx, _| act(tx)).await;
        }
        let now = self.clock.now();
        let written = self.store.write_repeatable(move |tx| {
            caller.must_be_live(tx, now)?;
            act(tx)
        });
        written.await.map(Answered::Now)
    }

    /// Keeps the answer to a request that never came as far as its act; gives the one to answer.
    pub async fn keep(
        &self,
        company: CompanyId,
        ticket: Ticket,
        answer: KeptAnswer,
    ) -> Result<KeptAnswer, Error> {
        let now = self.clock.now();
        let kept = self
            .store
            .write(move |tx| match claim(tx, company, &ticket, now)? {
                Kept::Same(before) => Ok(before),
                Kept::Other => Err(Error::KeyReused),
                Kept::Nothing => {
                    tx.settle_answer(company, &ticket.key, &answer)?;
                    Ok(answer)
                }
            });
        kept.await
    }
}

fn claim(tx: &mut Tx<'_>, company: CompanyId, ticket: &Ticket, now: Timestamp) -> Result<Kept, Error> {
    let oldest = now.before(IDEMPOTENCY_LIFETIME);
    Ok(tx.claim_answer(company, &ticket.key, &ticket.fingerprint, now, oldest)?)
}
