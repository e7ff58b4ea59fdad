//! A queued transaction, and its caller's side.

use super::Timeouts;
use crate::error::Error;
use crate::tx::Tx;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::Span;

/// A transaction's body with the channel to its caller.
pub(crate) trait QueuedBody: Send {
    /// Runs the body, given the transaction or the reason why there is none; returns whether to commit its
    /// writes.
    fn run(&mut self, tx: Result<&mut Tx<'_>, Error>) -> bool;

    /// Whether the body may be run again after its writes were rolled back.
    fn is_retryable(&self) -> bool;

    /// Sends the caller the body's result, or the error of the commit. Success is sent only after the
    /// commit.
    fn reply(self: Box<Self>, committed: Result<(), Error>);
}

pub(crate) type Job = Box<dyn QueuedBody>;

/// Sends the caller the reason why there is no transaction.
pub(crate) fn refuse(mut job: Job, error: Error) {
    job.run(Err(error));
    job.reply(Ok(()));
}

/// The caller's side of a queued transaction. Dropping it cancels the body, unless its commit was
/// acknowledged.
pub(crate) struct PendingTx<T, E> {
    /// Receives the acknowledgement that the body will be committed. Once this end is closed, sending
    /// fails: the caller cannot give up a transaction that the writer commits.
    commit_acked: oneshot::Receiver<()>,
    reply: oneshot::Receiver<Result<T, E>>,
}

impl<T, E: From<Error>> PendingTx<T, E> {
    /// Waits for the result without a timeout.
    pub(crate) async fn wait(mut self) -> Result<T, E> {
        (&mut self.reply).await.unwrap_or_else(|_| closed())
    }

    /// Waits for the result, and a little longer if a commit is in progress then.
    pub(crate) async fn wait_timeout(mut self, timeouts: Timeouts) -> Result<T, E> {
        if let Ok(replied) = timeout(timeouts.answer, &mut self.reply).await {
            return replied.unwrap_or_else(|_| closed());
        }
        self.commit_acked.close();
        if self.commit_acked.try_recv().is_err() {
            return Err(Error::Unavailable("it does not respond".into()).into());
        }
        match timeout(timeouts.commit, &mut self.reply).await {
            Ok(replied) => replied.unwrap_or_else(|_| closed()),
            Err(_) => Err(Error::Unconfirmed("the commit takes too long".into()).into()),
        }
    }
}

fn closed<T, E: From<Error>>() -> Result<T, E> {
    Err(Error::Closed.into())
}

/// A job for a body, and the caller's side of it. Its span begins now: it includes the time in the queue.
pub(crate) fn job<T, E>(
    span: Span,
    body: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Job, PendingTx<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let mut body = Some(body);
    let body = move |tx: &mut Tx<'_>| body.take().map_or_else(closed, |body| body(tx));
    queued_tx(span, body, false)
}

/// Like `job`, for a body that may be run again.
pub(crate) fn retryable_job<T, E>(
    span: Span,
    body: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
) -> (Job, PendingTx<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    queued_tx(span, body, true)
}

fn queued_tx<T, E>(
    span: Span,
    body: impl FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    retryable: bool,
) -> (Job, PendingTx<T, E>)
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (sender, reply) = oneshot::channel();
    let (commit_ack, commit_acked) = oneshot::channel();
    let queued_tx = QueuedTx {
        body,
        retryable,
        outcome: None,
        commit_ack: Some(commit_ack),
        sender,
        caller: Span::current(),
        span,
    };
    (Box::new(queued_tx), PendingTx { commit_acked, reply })
}

struct QueuedTx<A, T, E> {
    body: A,
    retryable: bool,
    outcome: Option<Result<T, E>>,
    /// Present until the caller has the acknowledgement that the body will be committed.
    commit_ack: Option<oneshot::Sender<()>>,
    sender: oneshot::Sender<Result<T, E>>,
    /// The request or the run that waits: what the body logs belongs to it.
    caller: Span,
    /// The transaction itself. It ends with the reply.
    span: Span,
}

impl<A, T, E> QueuedBody for QueuedTx<A, T, E>
where
    A: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    /// A body whose caller has gone is not started, and is rolled back if the caller goes while it runs.
    fn run(&mut self, tx: Result<&mut Tx<'_>, Error>) -> bool {
        if self.commit_ack.is_some() && self.sender.is_closed() {
            return false;
        }
        let (_caller, _span) = (self.caller.enter(), self.span.enter());
        let outcome = match tx {
            // A panic ends only this transaction: it is rolled back, and the thread runs the next one.
            Ok(tx) => catch_unwind(AssertUnwindSafe(|| (self.body)(tx)))
                .unwrap_or_else(|_| Err(Error::Panicked.into())),
            Err(error) => Err(error.into()),
        };
        let caller_waits = |commit_ack: oneshot::Sender<()>| commit_ack.send(()).is_ok();
        let keep = outcome.is_ok() && self.commit_ack.take().is_none_or(caller_waits);
        self.outcome = Some(outcome);
        keep
    }

    fn is_retryable(&self) -> bool {
        self.retryable
    }

    fn reply(self: Box<Self>, committed: Result<(), Error>) {
        if let Some(outcome) = self.outcome {
            // The caller may have gone.
            let _ = self
                .sender
                .send(outcome.and_then(|value| committed.map(|()| value).map_err(E::from)));
        }
    }
}
