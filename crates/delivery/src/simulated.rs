//! The world outside of a simulation: mail servers, gateways and the receivers of webhooks.

use crate::{Failure, MessageId};
use std::fmt::Debug;
use std::pin::Pin;

/// The answer of the world outside, after a while.
pub type Answer<'w, T> = Pin<Box<dyn Future<Output = T> + Send + 'w>>;

/// What a simulation has outside of its instances.
pub trait World: Debug + Send + Sync {
    /// Takes a message to a signer, or says why not.
    fn take_message<'w>(
        &'w self,
        id: &'w MessageId,
        to: &'w str,
        text: &'w str,
    ) -> Answer<'w, Result<(), Failure>>;

    /// Takes a webhook event and answers with a status, or fails.
    fn take_webhook<'w>(&'w self, id: &'w str, body: &'w str) -> Answer<'w, Result<u16, String>>;
}
