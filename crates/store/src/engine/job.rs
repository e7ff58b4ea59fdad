//! A transaction on its way through a queue.

use crate::error::Error;
use crate::tx::Tx;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// A transaction's body. It is given the transaction, or the reason why there is none.
pub(crate) type Job = Box<dyn FnOnce(Result<&mut Tx<'_>, Error>) -> Ran + Send>;

/// What came of a body, still to be answered: success is not told before the commit.
pub(crate) struct Ran {
    /// Whether what it wrote should be committed.
    pub(crate) keep: bool,
    answer: Box<dyn FnOnce(Result<(), Error>) + Send>,
}

impl Ran {
    /// Tells the caller, given what came of the commit.
    pub(crate) fn answer(self, committed: Result<(), Error>) {
        (self.answer)(committed);
    }
}

/// The place where a body's answer will arrive. Whoever leaves it gives the body up, unless it is to be committed
/// already.
pub(crate) struct Awaited<T, E> {
    /// Hears that the body is done and will be committed. What is sent here once this is closed does not arrive, and the
    /// sender knows: so it is never both, given up by the one and committed by the other.
    kept: oneshot::Receiver<()>,
    answer: oneshot::Receiver<Result<T, E>>,
}

impl<T, E: From<Error>> Awaited<T, E> {
    /// Waits for the answer, however long it takes.
    pub(crate) async fn however_long(mut self) -> Result<T, E> {
        (&mut self.answer).await.unwrap_or_else(|_| closed())
    }

    /// Waits so long for the body, and as long again for a commit that is under way then.
    pub(crate) async fn within(mut self, patience: Duration) -> Result<T, E> {
        if let Ok(answered) = timeout(patience, &mut self.answer).await {
            return answered.unwrap_or_else(|_| closed());
        }
        self.kept.close();
        if self.kept.try_recv().is_err() {
            return Err(Error::Unavailable("it does not answer".into()).into());
        }
        match timeout(patience, &mut self.answer).await {
            Ok(answered) => answered.unwrap_or_else(|_| closed()),
            Err(_) => Err(Error::Unavailable("it fell silent over a commit".into()).into()),
        }
    }
}

fn closed<T, E: From<Error>>() -> Result<T, E> {
    Err(Error::Closed.into())
}

/// Packs a body, with the place where its answer will arrive. A body whose caller has gone is not begun, and rolled back
/// where the caller goes while it runs.
pub(crate) fn job<T, E>(
    act: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Job, Awaited<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (sender, answer) = oneshot::channel();
    let (keeping, kept) = oneshot::channel();
    let job = Box::new(move |tx: Result<&mut Tx<'_>, Error>| {
        if sender.is_closed() {
            return Ran {
                keep: false,
                answer: Box::new(|_| ()),
            };
        }
        let outcome = match tx {
            // A panic is this transaction's alone: it is rolled back, and the thread goes on.
            Ok(tx) => {
                catch_unwind(AssertUnwindSafe(|| act(tx))).unwrap_or_else(|_| Err(Error::Panicked.into()))
            }
            Err(error) => Err(error.into()),
        };
        let keep = outcome.is_ok() && keeping.send(()).is_ok();
        // A caller that went away does not wait for its answer.
        let answer = Box::new(move |committed: Result<(), Error>| {
            let _ = sender.send(outcome.and_then(|value| committed.map(|()| value).map_err(E::from)));
        });
        Ran { keep, answer }
    });
    (job, Awaited { kept, answer })
}
