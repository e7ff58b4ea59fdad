//! Clients that work until the service or its database goes away, and remember what they were told.

use crate::support::{
    Answer, Client, Dice, Order, Request, cancel, document_ids, done, download, folio_id, read, resend,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folio whose creation was answered.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) order: Order,
    pub(crate) id: String,
    pub(crate) documents: Vec<String>,
    pub(crate) cancelled: Told<String>,
    /// The first signer's corrected address.
    pub(crate) email: Told<String>,
}

/// What a client was told of a change it asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told<T> {
    /// The last change that was answered.
    pub(crate) done: Option<T>,
    /// One that was asked for afterwards, and never answered.
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
pub(crate) fn work(mut client: Client, mut dice: Dice, loss: Loss, answers: &AtomicUsize) -> Journal {
    let mut journal = Journal::default();
    let mut ask = |request: Request| match client.try_send(request) {
        Ok(answer) if loss == Loss::Failure && answer.status >= 500 => None,
        outcome => outcome.ok(),
    };
    while journal.step(&mut dice, &mut ask).is_some() {
        answers.fetch_add(1, Ordering::Relaxed);
    }
    journal
}

impl Journal {
    fn step(&mut self, dice: &mut Dice, ask: &mut impl FnMut(Request) -> Option<Answer>) -> Option<()> {
        let chosen = dice.below(self.known.len());
        match (dice.below(20), self.known.get_mut(chosen)) {
            (0..4, Some(folio)) => folio.cancel(dice, ask),
            (4..8, Some(folio)) => folio.resend(dice, ask),
            (8..13, Some(folio)) => folio.download(dice, ask),
            _ => self.create(dice, ask),
        }
    }

    fn create(&mut self, dice: &mut Dice, ask: &mut impl FnMut(Request) -> Option<Answer>) -> Option<()> {
        let order = self.unanswered.insert(Order::any(dice));
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
            cancelled: Told::default(),
            email: Told::default(),
        }
    }

    fn cancel(&mut self, dice: &mut Dice, ask: &mut impl FnMut(Request) -> Option<Answer>) -> Option<()> {
        let why = format!("Ya no hace falta: {:016x}", dice.next());
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

    fn resend(&mut self, dice: &mut Dice, ask: &mut impl FnMut(Request) -> Option<Answer>) -> Option<()> {
        let email = format!("otra.{:016x}@example.com", dice.next());
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

    fn download(&mut self, dice: &mut Dice, ask: &mut impl FnMut(Request) -> Option<Answer>) -> Option<()> {
        if self.documents.is_empty() {
            let detail = done(&ask(read(&self.id))?);
            self.documents = document_ids(&detail["data"]);
        }
        let place = dice.below(self.documents.len());
        let answer = ask(download(&self.documents[place]))?;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(
            answer.body == self.order.papers[place].bytes(),
            "a download differs"
        );
        Some(())
    }
}
