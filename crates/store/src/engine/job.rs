//! A transaction on its way through a queue.

use crate::error::Error;
use crate::tx::Tx;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::sync::oneshot;

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

/// Packs a body, with the place where its answer will arrive. A body whose caller has gone is not begun.
pub(crate) fn job<T, E>(
    act: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T, E>>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
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
        let keep = outcome.is_ok();
        // A caller that went away does not wait for its answer.
        let answer = Box::new(move |committed: Result<(), Error>| {
            let _ = sender.send(outcome.and_then(|value| committed.map(|()| value).map_err(E::from)));
        });
        Ran { keep, answer }
    });
    (job, receiver)
}
