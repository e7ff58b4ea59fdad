//! Who acts on a folio, and from where.

use crate::client::Client;
use crate::ids::{KeyId, SignerIndex};
use serde::Serialize;

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "who", rename_all = "snake_case")]
pub enum Actor {
    /// A company's system, by its API key.
    Integration {
        /// The key, not its secret.
        key: KeyId,
    },
    /// A signer, by index in the folio.
    Signer {
        /// The index.
        signer: SignerIndex,
    },
    /// A person in the panel, by email address.
    User {
        /// The address the person signs in with.
        email: String,
    },
    /// The service itself.
    Service,
}

/// Who acts, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Who.
    pub actor: Actor,
    /// From where, and with what.
    pub client: Client,
}

/// Who sent a folio, as people call them. What it says of signers is this sender's statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sender {
    /// A person in the panel.
    Person {
        /// The full name, as the company entered it.
        name: String,
    },
    /// A company's system.
    System {
        /// The label of its API key.
        name: String,
    },
}
