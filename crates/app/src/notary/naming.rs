//! Names of certificates, and the names and addresses of revocation lists.

use super::broken;
use crate::Error;
use pki::authority::{Country, Subject};
use url::Url;

/// The names of the certificates of a new or rotated authority: two installations must not look the same to a reader
/// that trusts both.
pub(super) fn names() -> Result<impl Fn(&str) -> Result<Subject, Error>, Error> {
    let identifier = identifier()?;
    let country = Country::new("CO").map_err(broken)?;
    Ok(move |what: &str| {
        let name = format!("Firmeza {what} {identifier}");
        Subject::of_installation(&name, Some("Firmeza"), Some(country)).map_err(broken)
    })
}

/// Eight random hexadecimal digits.
pub(super) fn identifier() -> Result<String, Error> {
    let mut identifier = [0; 4];
    aws_lc_rs::rand::fill(&mut identifier).map_err(|_| Error::Internal("no randomness".into()))?;
    Ok(data_encoding::HEXUPPER.encode(&identifier))
}

/// The name of the root's list.
pub(super) const ROOT_LIST: &str = "root.crl";

/// The address of a list.
pub(super) fn list_url(base: &Url, name: &str) -> String {
    format!("{}/authority/{name}", base.as_str().trim_end_matches('/'))
}

/// Under which name an issuer's list is handed out.
pub(super) fn list_name(generation: usize) -> String {
    match generation {
        1 => "issuer.crl".to_owned(),
        later => format!("issuer-{later}.crl"),
    }
}
