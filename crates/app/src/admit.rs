//! Looking up a key before anything else is done for its bearer.

use crate::{Access, App, Caller, Error};
use store::Tx;

impl App {
    /// The caller, if the key is live.
    pub async fn admit(&self, access: Access) -> Result<Caller, Error> {
        self.read_as(access, |_, caller| Ok(caller)).await
    }

    /// Looks the key up and reads, in one transaction.
    pub(crate) async fn read_as<T: Send + 'static>(
        &self,
        access: Access,
        act: impl FnOnce(&mut Tx<'_>, Caller) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let now = self.clock.now();
        let admitted = move |tx: &mut Tx<'_>| {
            let caller = access.admit(tx, now)?;
            Ok::<_, Error>((caller, act(tx, caller)?))
        };
        let (caller, found) = self.store.read(admitted).await?;
        self.recorder.note_key_use(caller.key, now);
        Ok(found)
    }
}
