//! What people received.

use crate::app::TestApp;
use crate::wait::until;
use store::Mail;

impl TestApp {
    /// Everything in the built-in mailbox, newest first.
    pub async fn mailbox(&self) -> Vec<Mail> {
        let mails = self.app().store.read(|tx| tx.mailbox(0, 500));
        mails.await.unwrap()
    }

    /// The newest message to that address whose subject or text contains the words, once it is there.
    pub async fn mail_to(&self, recipient: &str, words: &str) -> Mail {
        let fits = |mail: &Mail| {
            mail.recipient == recipient && (mail.subject.contains(words) || mail.text.contains(words))
        };
        until(&format!("a message to {recipient} with {words:?}"), async || {
            self.mailbox().await.into_iter().find(fits)
        })
        .await
    }
}
