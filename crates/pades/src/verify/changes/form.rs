//! Signature fields that were filled or added, and their pages.

use pdf::file::Document;
use pdf::syntax::{Dict, Kind, Ref, Value};
use rustc_hash::FxHashSet;

use super::appearance::{Area, Painted};
use super::{Comparison, Harmless, is_string};
use crate::verify::fields::SignatureField;
use crate::verify::reason::Change;
use crate::verify::references::is_timestamp;
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
                harmless.visible.push((field.id, field.shown_name()));
            }
            added.push(field);
        }
        // A page may have several of them, so all are collected before the page is compared.
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
        let name = || new.shown_name();
        if old.name != new.name {
            return Err(Change::Field(name()));
        }
        if !self.redefined.contains(&new.id.number) {
            return Ok(());
        }
        if !self.is_newly_signed(new) {
            return Err(Change::Field(name()));
        }
        let allowed = Self::differing(&old.dict, &new.dict).all(|key| match key {
            b"V" | b"AP" => true,
            b"M" => new.dict.get("M").is_none_or(is_string),
            b"F" => showing(&old.dict).is_some() && showing(&old.dict) == showing(&new.dict),
            b"Ff" => new.dict.get("Ff").is_none_or(|flags| flags.as_int().is_some()),
            _ => false,
        });
        let own = self.is_plain(new.id) && !self.references.is_used_by_name(new.id.number);
        let Some(painted) = self.painted(&new.dict, Area::of(&new.dict)) else {
            return Err(Change::Field(name()));
        };
        if old.value.is_some() || !allowed || !own {
            return Err(Change::Field(name()));
        }
        if painted == Painted::Anywhere {
            return Err(Change::Unbounded(name()));
        }
        let is_timestamp = self.is_timestamp(new);
        // A timestamp is no signature of a person and authorises no visible change.
        if is_timestamp && !Self::same(old.dict.get("AP"), new.dict.get("AP")) {
            return Err(Change::VisibleField(name()));
        }
        rules.permit(&new.name, is_timestamp)?;
        self.redefined.remove(&new.id.number);
        Ok(())
    }

    /// Whether the signature in a field is a new object, or stands directly in the field.
    fn is_newly_signed(&self, field: &SignatureField<'d>) -> bool {
        field.direct_signature().is_some()
            || field
                .value
                .is_some_and(|value| self.added.contains(&value.number))
    }

    fn is_timestamp(&self, field: &SignatureField<'d>) -> bool {
        match (field.direct_signature(), field.value) {
            (Some(signature), _) => is_timestamp(signature),
            (None, Some(value)) => self.cache.traits(self.new, value).timestamp,
            (None, None) => false,
        }
    }

    /// A new field, which must be for signatures and without actions. Returns whether it is drawn.
    fn new_field(&mut self, field: &SignatureField<'d>, rules: &Rules) -> Result<bool, Change> {
        let name = || field.shown_name();
        let is_widget = field.dict.name("Subtype") == Some(b"Widget");
        let proper = self.added.contains(&field.id.number)
            && self.is_plain(field.id)
            && field
                .dict
                .entries
                .iter()
                .all(|(key, value)| is_proper(key, value))
            && field.dict.has("T")
            && (field.value.is_none() || self.is_newly_signed(field));
        let (Some(area), true) = (Area::of(&field.dict), proper) else {
            return Err(Change::Field(name()));
        };
        let is_drawn = match self.painted(&field.dict, Some(area)) {
            None => return Err(Change::Field(name())),
            Some(Painted::Anywhere) => return Err(Change::Unbounded(name())),
            Some(Painted::Inside) => true,
            // MuPDF marks every empty signature field; other readers paint its colours.
            Some(Painted::Nothing) => !area.is_point() || has_colours(&field.dict),
        };
        let is_timestamp = self.is_timestamp(field);
        // A timestamp is no signature of a person and authorises no visible change.
        if is_timestamp && is_drawn {
            return Err(Change::VisibleField(name()));
        }
        rules.permit(&field.name, is_timestamp)?;
        self.fields.insert(field.id);
        if is_widget {
            self.widgets.insert(field.id);
        }
        Ok(is_drawn)
    }

    /// The page of a new field may have changed only in its annotations, by this field.
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
        let is_page = match now.name("Type") {
            None => now.get("Parent").is_some_and(|parent| parent.as_ref().is_some()),
            Some(kind) => kind == b"Page",
        };
        if !is_page || Self::differing(&before, &now).any(|key| key != b"Annots") {
            return Err(Change::Page(page.number));
        }
        let list = |doc: &'d Document<'d>, dict: &Dict<'d>| {
            doc.lookup_array(dict, "Annots").map(Option::unwrap_or_default)
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

/// Whether an entry of a new field is known, draws nothing by itself and is of the type that readers expect:
/// with another type some of them drop the page or its other annotations.
fn is_proper(key: &[u8], value: &Value<'_>) -> bool {
    let is_name = |name: &[u8]| value.as_name() == Some(name);
    match key {
        _ if value.is_null() => matches!(key, b"AP" | b"V" | b"Lock" | b"SV" | b"MK" | b"TU" | b"M"),
        b"Type" => is_name(b"Annot"),
        b"Subtype" => is_name(b"Widget"),
        b"FT" => is_name(b"Sig"),
        b"T" | b"TU" | b"M" | b"NM" | b"DA" | b"CreationDate" => is_string(value),
        b"V" => value.as_ref().is_some() || value.as_dict().is_some(),
        b"P" => value.as_ref().is_some(),
        b"F" => value.as_int().is_some_and(|flags| flags & !PLAIN_FLAGS == 0),
        b"Ff" | b"Q" => value.as_int().is_some(),
        b"AP" => value.as_dict().is_some(),
        b"MK" | b"DR" | b"Lock" | b"SV" => value.as_dict().is_some() || value.as_ref().is_some(),
        // Checked as the field's area.
        b"Rect" => true,
        _ => false,
    }
}

const INVISIBLE: i64 = 1;
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_VIEW: i64 = 1 << 5;
const READ_ONLY: i64 = 1 << 6;
const LOCKED: i64 = 1 << 7;
const LOCKED_CONTENTS: i64 = 1 << 9;

/// The flags a new field may have. With one of the others, readers do not turn or scale the field with the
/// page, and it leaves its rectangle.
const PLAIN_FLAGS: i64 = INVISIBLE | HIDDEN | PRINT | NO_VIEW | READ_ONLY | LOCKED | LOCKED_CONTENTS;

/// The flags of a field that decide whether and where it is seen.
fn showing(field: &Dict<'_>) -> Option<i64> {
    let flags = field.get("F").map_or(Some(0), Value::as_int)?;
    Some(flags & !(PRINT | READ_ONLY | LOCKED | LOCKED_CONTENTS))
}

/// Whether a field has colours, a caption or an icon, which some readers paint without an appearance.
fn has_colours(field: &Dict<'_>) -> bool {
    match field.get("MK").map(|value| &value.kind) {
        None => false,
        Some(Kind::Dict(colours)) => colours.entries.iter().any(|(key, _)| key.as_ref() != b"R"),
        Some(_) => true,
    }
}
