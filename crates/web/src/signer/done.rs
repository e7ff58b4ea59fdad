//! The page after signing: the signed folio, the copies, and the return link.

use super::frame::Frame;
use super::view::{Desk, Step};
use askama::Template;

/// The page of a signer who has signed.
#[derive(Debug, Template)]
#[template(path = "signer/done.html")]
pub(crate) struct DonePage {
    pub(crate) f: Frame,
    pub(crate) desk: Desk,
    pub(crate) name: String,
    /// Whether the signer has just signed.
    pub(crate) just_now: bool,
    pub(crate) signed_at: Option<String>,
    /// How many others still have to sign.
    pub(crate) missing: usize,
    pub(crate) copies: Vec<Copy>,
    /// The evidence, a file a part.
    pub(crate) evidence: Vec<Copy>,
    pub(crate) back: Back,
}

/// A file to keep.
#[derive(Debug, Clone)]
pub(crate) struct Copy {
    pub(crate) name: String,
    pub(crate) address: String,
}

/// Where the signer returns to.
#[derive(Debug, Clone)]
pub(crate) struct Back {
    pub(crate) address: String,
    pub(crate) host: String,
}

impl Back {
    /// To the address that was stored, shown by its host.
    pub(crate) fn to(address: &str) -> Self {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        Self {
            address: address.to_owned(),
            host: host.to_owned(),
        }
    }
}
