//! The language in which the panel and its emails speak to a user.

use super::User;
use crate::{App, Error};
use domain::Language;

impl App {
    /// Has the panel speak that language to the user from now on.
    pub async fn set_user_language(&self, user: &User, language: Language) -> Result<(), Error> {
        let seq = user.seq;
        let kept = self
            .store
            .write_retryable(move |tx| tx.set_user_language(seq, language));
        Ok(kept.await?)
    }
}
