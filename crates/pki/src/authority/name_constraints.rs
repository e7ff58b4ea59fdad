//! The names that an authority may give to certificates below it (RFC 5280, section 4.2.1.10). They bind
//! whether or not the extension is critical.

use crate::cms::name::{self, is_below};
use crate::cms::read_der::{Malformed, Value, Values, context, context_primitive};
use crate::cms::{Certificate, oid};

const WHAT: &str = "name constraints";
/// A certificate with more subtrees or names is refused.
const MAX_SUBTREES: usize = 64;

/// Whether a certificate constrains the names below it.
pub fn has_name_constraints(certificate: &Certificate) -> bool {
    certificate.extension(oid::NAME_CONSTRAINTS).is_some()
}

/// Whether the authority may give every name of the certificates below it.
pub(super) fn permits(authority: &Certificate, below: &[Certificate]) -> Result<bool, Malformed> {
    let Some(extension) = authority.extension(oid::NAME_CONSTRAINTS) else {
        return Ok(true);
    };
    let mut fields = Values::of_sequence(extension.value, WHAT)?;
    let permitted = bases(fields.optional(context(0), WHAT)?)?;
    let excluded = bases(fields.optional(context(1), WHAT)?)?;
    fields.end(WHAT)?;
    for (place, certificate) in below.iter().enumerate() {
        // An authority that renews its own key is not bound by its constraints; the leaf is.
        if place > 0 && certificate.is_self_issued() {
            continue;
        }
        for name in names(certificate)? {
            let mut own = permitted.iter().filter(|base| base.tag == name.tag).peekable();
            if own.peek().is_some() && !own.any(|base| within(base, &name) == Some(true)) {
                return Ok(false);
            }
            let same = excluded.iter().filter(|base| base.tag == name.tag);
            // A name that cannot be compared may be an excluded one.
            if same.clone().any(|base| within(base, &name) != Some(false)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The names at which subtrees begin.
fn bases(subtrees: Option<Value<'_>>) -> Result<Vec<Value<'_>>, Malformed> {
    let Some(subtrees) = subtrees else {
        return Ok(Vec::new());
    };
    let mut bases = Vec::new();
    for subtree in subtrees.inner(WHAT)?.up_to(MAX_SUBTREES, WHAT)? {
        let mut fields = subtree.inner(WHAT)?;
        bases.push(fields.next(WHAT)?);
        fields.end(WHAT)?;
    }
    Ok(bases)
}

/// The subject, as a directory name, and the alternative names.
fn names(certificate: &Certificate) -> Result<Vec<Value<'_>>, Malformed> {
    let mut names = Vec::new();
    if let Some(extension) = certificate.extension(oid::SUBJECT_ALT_NAME) {
        names = Values::of_sequence(extension.value, WHAT)?.up_to(MAX_SUBTREES, WHAT)?;
    }
    let subject = certificate.subject_der();
    // Certificates without alternative names may have an address in the subject's name.
    if names.is_empty() {
        for contents in name::values(subject, oid::EMAIL_ADDRESS)? {
            names.push(Value {
                tag: context_primitive(1),
                contents,
                raw: contents,
            });
        }
    }
    if !Values::of_sequence(subject, WHAT)?.is_empty() {
        names.push(Value {
            tag: context(4),
            contents: subject,
            raw: subject,
        });
    }
    Ok(names)
}

/// Whether a name is in the subtree of another of its kind; `None` where they cannot be compared.
fn within(base: &Value<'_>, name: &Value<'_>) -> Option<bool> {
    if base.tag == context(4) {
        return is_below(name.contents, base.contents);
    }
    let text = |value: &Value<'_>| {
        std::str::from_utf8(value.contents)
            .ok()
            .map(str::to_ascii_lowercase)
    };
    if base.tag == context_primitive(1) {
        let (base, name) = (text(base)?, text(name)?);
        let host = name.rsplit_once('@').map_or("", |(_, host)| host);
        return Some(if base.contains('@') {
            base == name
        } else if base.starts_with('.') {
            host.ends_with(&base)
        } else {
            base == host
        });
    }
    if base.tag == context_primitive(2) {
        let (base, name) = (text(base)?, text(name)?);
        let is_subdomain =
            |rest: &str| base.is_empty() || rest.is_empty() || rest.ends_with('.') || base.starts_with('.');
        return Some(name.strip_suffix(&base).is_some_and(is_subdomain));
    }
    if base.tag == context_primitive(6) {
        let (base, name) = (text(base)?, text(name)?);
        let host = host(&name)?;
        return Some(if base.starts_with('.') {
            host.ends_with(&base)
        } else {
            host == base
        });
    }
    if base.tag == context_primitive(7) {
        let (address, mask) = base.contents.split_at(base.contents.len() / 2);
        if !matches!(address.len(), 4 | 16) || address.len() != mask.len() {
            return None;
        }
        let same = |((own, base), mask): ((&u8, &u8), &u8)| own & mask == base & mask;
        let own = name.contents.iter();
        return Some(name.contents.len() == address.len() && own.zip(address).zip(mask).all(same));
    }
    None
}

/// The host of a URI; `None` if it has none, which a constraint then cannot be met by.
fn host(uri: &str) -> Option<&str> {
    let (_, rest) = uri.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    (!host.is_empty()).then_some(host)
}
