//! Searches of folios that a panel user keeps under a name. One that mentions a person ends with their last folio
//! (`folios/mentions.rs`).

use crate::panel::User;
use crate::{App, Caller, Error, IdempotentResult};
use domain::limits;
use store::{SavedSearch, SavedSearchRow};

impl App {
    /// The user's searches, by name.
    pub async fn saved_searches(&self, user: &User) -> Result<Vec<SavedSearch>, Error> {
        let (company, user) = (user.company, user.seq);
        let found = self.store.read(move |tx| tx.saved_searches(company, user));
        Ok(found.await?)
    }

    /// Keeps a search, in place of one of that name. False where the user has [`limits::SAVED_SEARCHES`] others.
    pub async fn save_search(
        &self,
        caller: Caller,
        user: &User,
        name: String,
        query: String,
    ) -> Result<bool, Error> {
        let user = user.seq;
        let saved = self.write_idempotent(caller, None, move |tx, caller| {
            let max = limits::SAVED_SEARCHES;
            Ok(tx.save_search(caller.company, user, &name, &query, max)?)
        });
        Ok(matches!(saved.await?, IdempotentResult::Fresh(true)))
    }

    /// Deletes a search of the user, if there is one of that number.
    pub async fn delete_saved_search(
        &self,
        caller: Caller,
        user: &User,
        row: SavedSearchRow,
    ) -> Result<(), Error> {
        let user = user.seq;
        let deleted = self.write_idempotent(caller, None, move |tx, caller| {
            Ok(tx.delete_saved_search(caller.company, user, row)?)
        });
        deleted.await.map(drop)
    }
}
