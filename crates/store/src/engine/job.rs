//! A queued transaction, and its caller's side.

use crate::error::Error;
use crate::tx::Tx;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// A transaction's body with the channel to its caller.
pub(crate) trait Body: Send {
    /// Runs the body, given the transaction or the reason why there is none; returns whether to commit its
    /// writes.
    fn run(&mut self, tx: Result<&mut Tx<'_>, Error>) -> bool;

    /// Whether the body may be run again after its writes were rolled back.
    fn is_repeatable(&self) -> bool;

    /// Sends the caller the body's result, or the error of the commit. Success is sent only after the
    /// commit.
    fn answer(self: Box<Self>, committed: Result<(), Error>);
}

pub(crate) type Job = Box<dyn Body>;

/// Sends the caller the reason why there is no transaction.
pub(crate) fn refuse(mut job: Job, error: Error) {
    job.run(Err(error));
    job.answer(Ok(()));
}

/// The caller's side of a queued transaction. Dropping it cancels the body, unless its commit was
/// acknowledged.
pub(crate) struct Awaited<T, E> {
    /// Receives the acknowledgement that the body will be committed. Once this end is closed, sending
    /// fails: the caller cannot give up a transaction that the writer commits.
    kept: oneshot::Receiver<()>,
    answer: oneshot::Receiver<Result<T, E>>,
}

impl<T, E: From<Error>> Awaited<T, E> {
    /// Waits for the result without a timeout.
    pub(crate) async fn however_long(mut self) -> Result<T, E> {
        (&mut self.answer).await.unwrap_or_else(|_| closed())
    }

    /// Waits up to `limit` for the result, and as long again if a commit is in progress then.
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

/// A job for a body, and the caller's side of it.
pub(crate) fn job<T, E>(
    act: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Job, Awaited<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let mut act = Some(act);
    let act = move |tx: &mut Tx<'_>| act.take().map_or_else(closed, |act| act(tx));
    asked(act, false)
}

/// Like `job`, for a body that may be run again.
pub(crate) fn repeatable_job<T, E>(
    act: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Job, Awaited<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    asked(act, true)
}

fn asked<T, E>(
    act: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    repeatable: bool,
) -> (Job, Awaited<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (sender, answer) = oneshot::channel();
    let (keeping, kept) = oneshot::channel();
    let asked = Asked {
        act,
        repeatable,
        outcome: None,
        keeping: Some(keeping),
        sender,
    };
    (Box::new(asked), Awaited { kept, answer })
}

struct Asked<A, T, E> {
    act: A,
    repeatable: bool,
    outcome: Option<Result<T, E>>,
    /// Present until the caller has the acknowledgement that the body will be committed.
    keeping: Option<oneshot::Sender<()>>,
    sender: oneshot::Sender<Result<T, E>>,
}

impl<A, T, E> Body for Asked<A, T, E>
where
    A: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    /// A body whose caller has gone is not started, and is rolled back if the caller goes while it runs.
    fn run(&mut self, tx: Result<&mut Tx<'_>, Error>) -> bool {
        if self.keeping.is_some() && self.sender.is_closed() {
            return false;
        }
        let outcome = match tx {
            // A panic is this transaction's alone: it is rolled back, and the thread goes on.
            Ok(tx) => catch_unwind(AssertUnwindSafe(|| (self.act)(tx)))
                .unwrap_or_else(|_| Err(Error::Panicked.into())),
            Err(error) => Err(error.into()),
        };
        let is_wanted = |keeping: oneshot::Sender<()>| keeping.send(()).is_ok();
        let keep = outcome.is_ok() && self.keeping.take().is_none_or(is_wanted);
        self.outcome = Some(outcome);
        keep
    }

    fn is_repeatable(&self) -> bool {
        self.repeatable
    }

    fn answer(self: Box<Self>, committed: Result<(), Error>) {
        if let Some(outcome) = self.outcome {
            // The caller may have gone.
            let _ = self
                .sender
                .send(outcome.and_then(|value| committed.map(|()| value).map_err(E::from)));
        }
    }
}
