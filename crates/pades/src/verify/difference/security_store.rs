//! The document's security store may grow. No item may be removed: without a revocation list a revoked
//! certificate would be valid again.

use pdf::file::Document;
use pdf::syntax::{Dict, Kind, Ref, Value};
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

use super::Comparison;
use crate::verify::reason::Change;

/// The lists of a store.
const LISTS: [&str; 3] = ["Certs", "CRLs", "OCSPs"];
/// The lists of a store about one signature.
const SIGNATURE_LISTS: [&str; 3] = ["Cert", "CRL", "OCSP"];

impl<'d> Comparison<'d> {
    /// Compares the stores. Their lists are harmless only if nothing else refers to them.
    pub(super) fn store(&mut self, root: Ref, before: &Dict<'d>, now: &Dict<'d>) -> Result<(), Change> {
        if !before.has("DSS") {
            return Ok(());
        }
        let Some(old_store) = self.old.lookup_dict(before, "DSS")? else {
            return Ok(());
        };
        let new_store = self.new.lookup_dict(now, "DSS")?.ok_or(Change::ValidationData)?;
        self.grown(&LISTS, &old_store, &new_store)?;
        self.grown_signatures(&old_store, &new_store)?;
        let mut owner = root.number;
        if let Some(id) = before.get("DSS").and_then(Value::as_ref) {
            if !self.references.only_from(id.number, root.number) || !self.is_plain(id) {
                return Ok(());
            }
            self.redefined.remove(&id.number);
            owner = id.number;
        }
        for key in LISTS.into_iter().chain(["VRI"]) {
            if let Some(id) = old_store.get(key).and_then(Value::as_ref)
                && self.references.only_from(id.number, owner)
                && self.is_plain(id)
            {
                self.redefined.remove(&id.number);
            }
        }
        Ok(())
    }

    /// The entries about each signature may grow too.
    fn grown_signatures(&self, old_store: &Dict<'d>, new_store: &Dict<'d>) -> Result<(), Change> {
        // A value that was no dictionary had no entries.
        let Ok(Some(old)) = self.old.lookup_dict(old_store, "VRI") else {
            return Ok(());
        };
        let new = self
            .new
            .lookup_dict(new_store, "VRI")?
            .ok_or(Change::ValidationData)?;
        let new = new.index();
        for (key, value) in &old.entries {
            let Kind::Dict(before) = self.old.resolve(value)?.kind else {
                continue;
            };
            let now = new.value(key).map(|value| self.new.resolve(value)).transpose()?;
            let Some(Kind::Dict(now)) = now.map(|value| value.kind) else {
                return Err(Change::ValidationData);
            };
            self.grown(&SIGNATURE_LISTS, &before, &now)?;
        }
        Ok(())
    }

    /// Whether every item of these lists is still there, as the same object or as another with the same bytes.
    fn grown(&self, lists: &[&'static str], before: &Dict<'d>, now: &Dict<'d>) -> Result<(), Change> {
        for key in lists {
            let old = items(self.old, before, key);
            let new = items(self.new, now, key);
            let mut missing = old.difference(&new).peekable();
            if missing.peek().is_none() {
                continue;
            }
            let copies: FxHashSet<_> = new
                .difference(&old)
                .filter_map(|id| digest(self.new, *id))
                .collect();
            if !missing.all(|id| digest(self.old, *id).is_some_and(|digest| copies.contains(&digest))) {
                return Err(Change::ValidationData);
            }
        }
        Ok(())
    }
}

/// The objects in a list; none if it is no array.
fn items<'d>(doc: &'d Document<'d>, owner: &Dict<'d>, key: &'static str) -> FxHashSet<Ref> {
    let list = doc.lookup_array(owner, key).ok().flatten().unwrap_or_default();
    list.iter().filter_map(Value::as_ref).collect()
}

fn digest(doc: &Document<'_>, id: Ref) -> Option<[u8; 32]> {
    let bytes = doc.decoded(id).ok()?;
    doc.charge_bytes(bytes.len()).ok()?;
    Some(Sha256::digest(bytes).into())
}
