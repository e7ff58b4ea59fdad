//! Who asks for an act.

use crate::api_key::ApiKey;
use crate::error::Error;
use domain::{Actor, CompanyId, KeyId, Origin, Timestamp};
use std::net::IpAddr;
use store::{KeyLookup, Tx};

/// A company's system that has shown a live key.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// Whom it acts for.
    pub company: CompanyId,
    /// With which key.
    pub key: KeyId,
    /// From where.
    pub address: IpAddr,
}

impl Caller {
    /// How the history names it.
    pub const fn origin(&self) -> Origin {
        Origin {
            actor: Actor::Integration { key: self.key },
            address: Some(self.address),
        }
    }
}

/// The right to ask: a caller, or a key that is still to be looked up in the act's own transaction.
#[derive(Debug, Clone, Copy)]
pub enum Access {
    /// Looked up already.
    Admitted(Caller),
    /// To be looked up.
    Presented {
        /// What the store knows the key by.
        key: KeyLookup,
        /// From where it came.
        address: IpAddr,
    },
}

impl Access {
    /// A well-formed key, live or not.
    pub fn presented(key: &ApiKey, address: IpAddr) -> Self {
        Self::Presented {
            key: key.lookup(),
            address,
        }
    }

    /// The caller, if the key is live at that time.
    pub fn admit(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<Caller, Error> {
        match self {
            Self::Admitted(caller) => Ok(*caller),
            Self::Presented { key, address } => {
                let live = tx.live_key(key, now)?.ok_or(Error::Denied)?;
                Ok(Caller {
                    company: live.company,
                    key: live.id,
                    address: *address,
                })
            }
        }
    }
}

impl From<Caller> for Access {
    fn from(caller: Caller) -> Self {
        Self::Admitted(caller)
    }
}
