//! Events of a folio, each bound to the one before by its hash.
//!
//! The hash covers the event's JSON text exactly as it is stored, so the chain can be checked with a
//! SHA-256 tool alone. Personal values are stored beside the text, and their digests inside it (see
//! [`crate::personal`]).

mod chain;
mod details;
mod kind;
mod origin;

pub use chain::{ChainedEvent, Event, HistoryHead, hash_after, hex};
pub use details::{
    AcceptedText, Delivery, DocumentRef, PersonRef, RepairedRef, SentMessage, ShownDocument,
    SignatureDetails, SignerRef,
};
pub use kind::EventKind;
pub use origin::{Actor, Origin, Sender};
