//! API keys and panel sessions are checked before anything else is done for a request.

use crate::{Access, App, Caller, Error, Who};
use domain::Timestamp;
use store::Tx;

impl App {
    /// The caller, if the key is live and has the permission; before a body is read.
    pub async fn authenticate(&self, access: Access) -> Result<Caller, Error> {
        let now = self.clock.now();
        let authenticated = authenticated(access, now, |_, _| Ok(()));
        let (caller, found) = self.store.read_inline(authenticated).await?;
        self.note_use(&caller, now);
        found.map(|()| caller)
    }

    /// Looks the key up and finds a few rows, in one transaction.
    pub(crate) async fn authenticated_read_inline<T: Send + 'static>(
        &self,
        access: Access,
        act: impl FnOnce(&mut Tx<'_>, &Caller) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let now = self.clock.now();
        let (caller, found) = self.store.read_inline(authenticated(access, now, act)).await?;
        self.note_use(&caller, now);
        found
    }

    /// The same on a pooled connection, for reads of many rows.
    pub(crate) async fn authenticated_read<T: Send + 'static>(
        &self,
        access: Access,
        act: impl FnOnce(&mut Tx<'_>, &Caller) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let now = self.clock.now();
        let (caller, found) = self.store.read(authenticated(access, now, act)).await?;
        self.note_use(&caller, now);
        found
    }

    fn note_use(&self, caller: &Caller, now: Timestamp) {
        if let Who::Key(key) = caller.who {
            self.recorder.record_key_use(key, now);
        }
    }
}

fn authenticated<T>(
    access: Access,
    now: Timestamp,
    act: impl FnOnce(&mut Tx<'_>, &Caller) -> Result<T, Error>,
) -> impl FnOnce(&mut Tx<'_>) -> Result<(Caller, Result<T, Error>), Error> {
    move |tx| {
        let caller = access.authenticate(tx, now)?;
        let found = match act(tx, &caller) {
            // The key was used all the same.
            Err(error @ (Error::NotFound | Error::Foreign)) => Err(error),
            found => Ok(found?),
        };
        Ok((caller, found))
    }
}
