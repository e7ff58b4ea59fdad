//! Clients that work until the service or its database goes away, and record every response.

use crate::support::{
    Client, HttpResponse, Order, Request, TestRandom, cancel, document_ids, done, download, folio_id, read,
    resend,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folio whose creation was answered.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) order: Order,
    pub(crate) id: String,
    pub(crate) documents: Vec<String>,
    pub(crate) cancelled: ClientView<String>,
    /// The first signer's corrected address.
    pub(crate) email: ClientView<String>,
}

/// The responses to the changes that a client requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientView<T> {
    /// The last change that was answered.
    pub(crate) done: Option<T>,
    /// A later change whose request got no response.
    pub(crate) perhaps: Option<T>,
}

/// What a client knows at the end.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    pub(crate) known: Vec<Known>,
    /// A create that was never answered.
    pub(crate) unanswered: Option<Order>,
}

/// What an end of the work may look like to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// No answer.
    Silence,
    /// No answer, or one that says that something is broken.
    Failure,
}

/// Works until the first request that is not done, counting those that are.
pub(crate) fn work(mut client: Client, mut random: TestRandom, loss: Loss, answers: &AtomicUsize) -> Journal {
    let mut journal = Journal::default();
    let mut ask = |request: Request| match client.try_send(request) {
        Ok(answer) if loss == Loss::Failure && answer.status >= 500 => None,
        outcome => outcome.ok(),
    };
    while journal.step(&mut random, &mut ask).is_some() {
        answers.fetch_add(1, Ordering::Relaxed);
    }
    journal
}

impl Journal {
    fn step(
        &mut self,
        random: &mut TestRandom,
        ask: &mut impl FnMut(Request) -> Option<HttpResponse>,
    ) -> Option<()> {
        let chosen = random.below(self.known.len());
        match (random.below(20), self.known.get_mut(chosen)) {
            (0..4, Some(folio)) => folio.cancel(random, ask),
            (4..8, Some(folio)) => folio.resend(random, ask),
            (8..13, Some(folio)) => folio.download(random, ask),
            _ => self.create(random, ask),
        }
    }

    fn create(
        &mut self,
        random: &mut TestRandom,
        ask: &mut impl FnMut(Request) -> Option<HttpResponse>,
    ) -> Option<()> {
        let order = self.unanswered.insert(Order::any(random));
        let answer = ask(order.request())?;
        let id = folio_id(&done(&answer));
        let order = self.unanswered.take()?;
        self.known.push(Known::new(order, id));
        Some(())
    }
}

impl Known {
    pub(crate) fn new(order: Order, id: String) -> Self {
        Self {
            order,
            id,
            documents: Vec::new(),
            cancelled: ClientView::default(),
            email: ClientView::default(),
        }
    }

    fn cancel(
        &mut self,
        random: &mut TestRandom,
        ask: &mut impl FnMut(Request) -> Option<HttpResponse>,
    ) -> Option<()> {
        let why = format!("Ya no hace falta: {:016x}", random.next());
        if self.cancelled.done.is_some() {
            let answer = done(&ask(cancel(&self.id, &why))?);
            assert_eq!(answer["data"]["failedFolios"], 1, "{answer}");
            return Some(());
        }
        self.cancelled.perhaps = Some(why.clone());
        let answer = done(&ask(cancel(&self.id, &why))?);
        assert_eq!(answer["data"]["cancelledFolios"], 1, "{answer}");
        self.cancelled.done = self.cancelled.perhaps.take();
        Some(())
    }

    fn resend(
        &mut self,
        random: &mut TestRandom,
        ask: &mut impl FnMut(Request) -> Option<HttpResponse>,
    ) -> Option<()> {
        let email = format!("otra.{:016x}@example.com", random.next());
        let request = resend(&self.id, &self.order.signers[0], &email);
        if self.cancelled.done.is_some() {
            assert_eq!(ask(request)?.status, 400);
            return Some(());
        }
        self.email.perhaps = Some(email);
        done(&ask(request)?);
        self.email.done = self.email.perhaps.take();
        Some(())
    }

    fn download(
        &mut self,
        random: &mut TestRandom,
        ask: &mut impl FnMut(Request) -> Option<HttpResponse>,
    ) -> Option<()> {
        if self.documents.is_empty() {
            let detail = done(&ask(read(&self.id))?);
            self.documents = document_ids(&detail["data"]);
        }
        let place = random.below(self.documents.len());
        let answer = ask(download(&self.documents[place]))?;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(
            answer.body == self.order.papers[place].bytes(),
            "a download differs"
        );
        Some(())
    }
}
