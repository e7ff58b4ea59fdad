//! Signature fields that were filled or added, and the pages they stand on.

use rustc_hash::FxHashSet;

use super::{Comparison, Harmless};
use crate::file::Document;
use crate::syntax::{Dict, Kind, Ref, Value};
use crate::verify::fields::{SignatureField, words};
use crate::verify::reason::Change;
use crate::verify::rules::Rules;

impl<'d> Comparison<'d> {
    pub(super) fn form(
        &mut self,
        before: &[SignatureField<'d>],
        now: &[SignatureField<'d>],
        rules: &Rules,
    ) -> Result<Harmless, Change> {
        let mut harmless = Harmless::default();
        let mut added = Vec::new();
        for field in now {
            if let Some(old) = before.iter().find(|old| old.id == field.id) {
                self.filled(old, field, rules)?;
                continue;
            }
            if self.new_field(field, rules)? {
                harmless.visible.push((field.id, words(&field.name)));
            }
            added.push(field);
        }
        // A page may have several of them, so all are known before it is looked at.
        for field in added {
            self.placed(field)?;
        }
        Ok(harmless)
    }

    /// An existing field: unchanged, or empty before and filled now.
    fn filled(
        &mut self,
        old: &SignatureField<'d>,
        new: &SignatureField<'d>,
        rules: &Rules,
    ) -> Result<(), Change> {
        let name = || words(&new.name);
        if old.name != new.name {
            return Err(Change::Field(name()));
        }
        if !self.redefined.contains(&new.id.number) {
            return Ok(());
        }
        let Some(value) = new.value.filter(|value| self.added.contains(&value.number)) else {
            return Err(Change::Field(name()));
        };
        let allowed = Self::differing(&old.dict, &new.dict).all(|key| match key {
            b"V" | b"AP" => true,
            b"M" => new.dict.get("M").is_none_or(|time| time.as_string().is_some()),
            b"F" => hiding(&old.dict).is_some() && hiding(&old.dict) == hiding(&new.dict),
            b"Ff" => new.dict.get("Ff").is_none_or(|flags| flags.as_int().is_some()),
            _ => false,
        });
        let own = self.is_plain(new.id) && !self.references.lends(new.id.number);
        if old.value.is_some() || !allowed || !own || !self.own_appearance(&new.dict) {
            return Err(Change::Field(name()));
        }
        let is_redrawn = !Self::same(old.dict.get("AP"), new.dict.get("AP"));
        rules.permit(&new.name, !is_redrawn && self.is_timestamp(value))?;
        self.redefined.remove(&new.id.number);
        Ok(())
    }

    /// Whether the appearance is made of new objects only.
    fn own_appearance(&self, field: &Dict<'d>) -> bool {
        match field.get("AP").map(|value| &value.kind) {
            None => true,
            Some(Kind::Dict(looks)) => looks.entries.iter().all(|(key, value)| {
                key.as_ref() == b"N" && (self.is_added(value).is_some() || matches!(value.kind, Kind::Null))
            }),
            Some(_) => false,
        }
    }

    fn is_timestamp(&self, id: Ref) -> bool {
        self.memory.traits(self.new, id).timestamp
    }

    /// A new field, which must be for signatures and act on nothing. Says whether it is drawn.
    fn new_field(&mut self, field: &SignatureField<'d>, rules: &Rules) -> Result<bool, Change> {
        let name = || words(&field.name);
        let known = |key: &[u8]| {
            matches!(
                key,
                b"Type"
                    | b"Subtype"
                    | b"FT"
                    | b"T"
                    | b"TU"
                    | b"V"
                    | b"P"
                    | b"Rect"
                    | b"F"
                    | b"Ff"
                    | b"AP"
                    | b"M"
                    | b"NM"
                    | b"Lock"
                    | b"SV"
                    | b"DA"
                    | b"MK"
                    | b"DR"
                    | b"Q"
                    | b"CreationDate"
            )
        };
        let is_widget = field.dict.name("Subtype") == Some(b"Widget");
        let proper = self.added.contains(&field.id.number)
            && self.is_plain(field.id)
            && field.dict.entries.iter().all(|(key, _)| known(key))
            && matches!(field.dict.name("Type"), None | Some(b"Annot"))
            && field.dict.has("T")
            && (is_widget || !field.dict.has("Subtype"))
            && self.own_appearance(&field.dict);
        if !proper {
            return Err(Change::Field(name()));
        }
        if field
            .value
            .is_some_and(|value| !self.added.contains(&value.number))
        {
            return Err(Change::Field(name()));
        }
        let is_drawn = is_drawn(&field.dict);
        let is_timestamp = field.value.is_some_and(|value| self.is_timestamp(value));
        rules.permit(&field.name, !is_drawn && is_timestamp)?;
        self.fields.insert(field.id);
        if is_widget {
            self.widgets.insert(field.id);
        }
        Ok(is_drawn)
    }

    /// The page of a new field may have changed only by having it among its annotations.
    fn placed(&mut self, field: &SignatureField<'d>) -> Result<(), Change> {
        let Some(page) = field.dict.get("P").and_then(Value::as_ref) else {
            return Ok(());
        };
        if self.pages.contains(&page) {
            return Ok(());
        }
        let Some((before, now)) = self.dicts(page)? else {
            return Err(Change::Page(page.number));
        };
        if Self::differing(&before, &now).any(|key| key != b"Annots") {
            return Err(Change::Page(page.number));
        }
        let list = |doc: &'d Document<'d>, dict: &Dict<'d>| {
            doc.look_array(dict, "Annots").map(Option::unwrap_or_default)
        };
        let (old_list, new_list) = (list(self.old, &before)?, list(self.new, &now)?);
        if !Self::is_grown(&old_list, &new_list, &self.widgets) {
            return Err(Change::Page(page.number));
        }
        if let Some(id) = now.get("Annots").and_then(Value::as_ref) {
            let fresh = self.added.contains(&id.number);
            if !fresh && !self.references.only_from(id.number, page.number) {
                return Err(Change::Page(page.number));
            }
            self.redefined.remove(&id.number);
        }
        self.redefined.remove(&page.number);
        self.pages.insert(page);
        Ok(())
    }

    /// Whether a list is the old one with some of these new fields after it.
    pub(super) fn is_grown(before: &[Value<'d>], now: &[Value<'d>], fields: &FxHashSet<Ref>) -> bool {
        let Some((kept, more)) = now.split_at_checked(before.len()) else {
            return false;
        };
        let mut items = more.iter().map(Value::as_ref);
        kept.iter()
            .zip(before)
            .all(|(now, before)| now.says_the_same(before))
            && items.all(|id| id.is_some_and(|id| fields.contains(&id)))
    }
}

/// The flags of a field that keep it out of sight.
fn hiding(field: &Dict<'_>) -> Option<i64> {
    const INVISIBLE: i64 = 1;
    const HIDDEN: i64 = 1 << 1;
    const NO_VIEW: i64 = 1 << 5;
    let flags = field.get("F").map_or(Some(0), Value::as_int)?;
    Some(flags & (INVISIBLE | HIDDEN | NO_VIEW))
}

/// Whether a field shows something. Some readers paint the colours of one that has no appearance.
fn is_drawn(field: &Dict<'_>) -> bool {
    (field.has("AP") || field.has("MK")) && has_area(field)
}

/// Whether a field has an area in which something could be drawn.
fn has_area(field: &Dict<'_>) -> bool {
    let sides: Option<Vec<f64>> = field
        .get("Rect")
        .and_then(Value::as_array)
        .and_then(|area| area.iter().map(Value::as_number).collect());
    match sides.as_deref() {
        Some(&[left, bottom, right, top]) => (right - left).abs() > 0.0 && (top - bottom).abs() > 0.0,
        _ => field.has("Rect"),
    }
}
