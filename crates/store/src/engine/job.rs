//! A transaction on its way through a queue.

use crate::error::Error;
use crate::tx::Tx;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// A transaction's body, with somebody to tell what came of it.
pub(crate) trait Body: Send {
    /// Runs it, given the transaction or the reason why there is none; whether what it wrote should be committed.
    fn run(&mut self, tx: Result<&mut Tx<'_>, Error>) -> bool;

    /// Whether it may be run again, where what it wrote was undone.
    fn is_repeatable(&self) -> bool;

    /// Tells the caller what the body said last, given what came of the commit: success is not told before.
    fn answer(self: Box<Self>, committed: Result<(), Error>);
}

pub(crate) type Job = Box<dyn Body>;

/// Tells the caller why there is no transaction.
pub(crate) fn refuse(mut job: Job, error: Error) {
    job.run(Err(error));
    job.answer(Ok(()));
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

/// Packs a body, with the place where its answer will arrive.
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

/// The same for a body that may be run again.
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
    /// Until the caller has been told that what the body wrote will be committed.
    keeping: Option<oneshot::Sender<()>>,
    sender: oneshot::Sender<Result<T, E>>,
}

impl<A, T, E> Body for Asked<A, T, E>
where
    A: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    /// A body whose caller has gone is not begun, and not kept where the caller goes while it runs.
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
            // A caller that went away does not wait for its answer.
            let _ = self
                .sender
                .send(outcome.and_then(|value| committed.map(|()| value).map_err(E::from)));
        }
    }
}
