//! Changes of the catalog, the form, the security store and the information dictionary.

use pdf::inspect::catalog;
use pdf::syntax::{Dict, Kind, Ref, Value};
use rustc_hash::FxHashSet;

use super::Comparison;
use super::resources::is_default_text;
use crate::verify::fields::SignatureField;
use crate::verify::reason::Change;

impl<'d> Comparison<'d> {
    /// `fields` are the signature fields of the signed revision.
    pub(super) fn catalog(&mut self, fields: &[SignatureField<'d>]) -> Result<(), Change> {
        let (root, before) = catalog(self.old)?;
        let (_, now) = catalog(self.new)?;
        if self.references.is_used_by_name(root.number) {
            // Another object may use the entries of the catalog by name, and draw those that the catalog never draws.
            return if self.redefined.contains(&root.number) {
                Err(Change::Catalog)
            } else {
                Ok(())
            };
        }
        for key in Self::differing(&before, &now) {
            let fine = match key {
                b"AcroForm" => true,
                b"DSS" => self.is_plain_under(&now, "DSS")?,
                b"Extensions" => self.is_plain_under(&now, "Extensions")?,
                b"Version" => now.get("Version").is_none_or(is_version),
                b"Metadata" => now
                    .get("Metadata")
                    .and_then(|value| self.is_added(value))
                    .is_some_and(|id| self.cache.traits(self.new, id).metadata),
                _ => false,
            };
            if !fine {
                return Err(Change::Catalog);
            }
        }
        if !self.is_plain(root) {
            return Err(Change::Catalog);
        }
        self.acro_form(root, &before, &now, fields)?;
        self.store(root, &before, &now)?;
        if let Some(id) = now.get("Metadata").and_then(Value::as_ref)
            && self.references.only_from(id.number, root.number)
            && self.cache.traits(self.new, id).metadata
        {
            self.redefined.remove(&id.number);
        }
        if let Some(id) = before.get("Extensions").and_then(Value::as_ref)
            && self.references.only_from(id.number, root.number)
            && self.is_plain(id)
        {
            self.redefined.remove(&id.number);
        }
        self.redefined.remove(&root.number);
        Ok(())
    }

    /// Whether there is nothing under a key but a dictionary, without a stream.
    fn is_plain_under(&self, owner: &Dict<'d>, key: &str) -> Result<bool, Change> {
        let Some(value) = owner.get(key) else {
            return Ok(true);
        };
        let Some(id) = value.as_ref() else {
            return Ok(value.as_dict().is_some());
        };
        let is_dict = self.new.get(id)?.is_some_and(|found| found.as_dict().is_some());
        Ok(is_dict && self.is_plain(id))
    }

    fn acro_form(
        &mut self,
        root: Ref,
        before: &Dict<'d>,
        now: &Dict<'d>,
        fields: &[SignatureField<'d>],
    ) -> Result<(), Change> {
        let Some(form) = self.new.lookup_dict(now, "AcroForm")? else {
            return if before.has("AcroForm") {
                Err(Change::Form)
            } else {
                Ok(())
            };
        };
        let old_form = self.old.lookup_dict(before, "AcroForm")?.unwrap_or_default();
        let old_list = self.old.lookup_array(&old_form, "Fields")?.unwrap_or_default();
        let for_signatures: FxHashSet<Ref> = fields.iter().map(|field| field.id).collect();
        let is_for_signature =
            |field: &Value<'_>| field.as_ref().is_some_and(|id| for_signatures.contains(&id));
        // The form's defaults also draw text of fields and notes that are on a page and not in the form.
        let has_text = !old_list.iter().all(is_for_signature)
            || old_form.has("NeedAppearances")
            || fields.iter().any(|field| field.dict.has("Kids"))
            || self.references.has_text();
        for key in Self::differing(&old_form, &form) {
            match key {
                b"Fields" => {}
                b"SigFlags" if form.get("SigFlags").is_none_or(|flags| flags.as_int().is_some()) => {}
                // Fonts and defaults matter only for typed text; many programs add them with every signature.
                b"DR"
                    if self.is_plain_under(&form, "DR")?
                        && self.resources_grown(&old_form, &form, has_text)? => {}
                b"DA"
                    if !old_form.has("DA")
                        && form.get("DA").is_some_and(|text| is_default_text(text, has_text)) => {}
                // Without typed text there is nothing that readers would draw themselves.
                b"NeedAppearances" if !self.references.has_text() && !form.has("NeedAppearances") => {}
                _ => return Err(Change::Form),
            }
        }
        let new_list = self.new.lookup_array(&form, "Fields")?.unwrap_or_default();
        if !Self::is_grown(&old_list, &new_list, &self.fields) {
            return Err(Change::Form);
        }
        let mut owner = root.number;
        let mut own = true;
        if let Some(id) = now.get("AcroForm").and_then(Value::as_ref) {
            let fresh = self.added.contains(&id.number);
            let known = fresh || before.get("AcroForm").and_then(Value::as_ref) == Some(id);
            own = fresh || self.references.only_from(id.number, root.number);
            let changed = self.redefined.remove(&id.number);
            if !known || changed && !own || !self.is_plain(id) {
                return Err(Change::Form);
            }
            owner = id.number;
        }
        if let Some(id) = form.get("DR").and_then(Value::as_ref)
            && self.redefined.contains(&id.number)
            && self.references.only_from(id.number, owner)
            && self.is_plain(id)
            && self.resources_grown(&old_form, &form, has_text)?
        {
            self.redefined.remove(&id.number);
        }
        if let Some(id) = form.get("Fields").and_then(Value::as_ref)
            && !self.added.contains(&id.number)
        {
            let changed = self.redefined.remove(&id.number);
            if changed && !own || !self.references.only_from(id.number, owner) {
                return Err(Change::Form);
            }
        }
        Ok(())
    }

    /// The information dictionary is never drawn; it must hold plain values, and only the trailer may refer to it.
    pub(super) fn information(&mut self) -> Result<(), Change> {
        let Some(id) = self.new.trailer()?.get("Info").and_then(Value::as_ref) else {
            return Ok(());
        };
        if self.references.mentions(id.number) || !self.redefined.contains(&id.number) {
            return Ok(());
        }
        if let Some((before, now)) = self.dicts(id)?
            && Self::differing(&before, &now)
                .filter_map(|key| now.value(key))
                .all(|value| !matches!(value.kind, Kind::Dict(_) | Kind::Array(_) | Kind::Ref(_)))
        {
            self.redefined.remove(&id.number);
        }
        Ok(())
    }
}

/// Whether a value is a version of PDF.
fn is_version(value: &Value<'_>) -> bool {
    matches!(
        value.as_name(),
        Some([b'1', b'.', b'0'..=b'7'] | [b'2', b'.', b'0'])
    )
}
