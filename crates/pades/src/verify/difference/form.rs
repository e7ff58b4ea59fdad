//! Signature fields that were filled or added, and their pages.

use pdf::annotation_flags::{HIDDEN, INVISIBLE, LOCKED, LOCKED_CONTENTS, NO_VIEW, PRINT, READ_ONLY};
use pdf::file::{Document, Entry};
use pdf::syntax::{Dict, Kind, Ref, Value};
use rustc_hash::FxHashSet;

use super::appearance::{Area, Painted, appearance_objects};
use super::{Comparison, Harmless, is_string};
use crate::verify::fields::SignatureField;
use crate::verify::reason::Change;
use crate::verify::references::is_timestamp;
use crate::verify::rules::Rules;

/// Widgets of one field, at most.
const MAX_WIDGETS: usize = 16;

impl<'d> Comparison<'d> {
    pub(super) fn form(
        &mut self,
        before: &[SignatureField<'d>],
        now: &[SignatureField<'d>],
        rules: &Rules,
    ) -> Result<Harmless, Change> {
        let mut harmless = Harmless::default();
        let mut pages = Vec::new();
        for field in now {
            if let Some(old) = before.iter().find(|old| old.id == field.id) {
                self.filled(old, field, rules)?;
                continue;
            }
            if self.new_field(field, rules, &mut pages)? {
                harmless.visible.push((field.id, field.shown_name()));
            }
        }
        // A page may have several of them, so all are collected before the page is compared.
        self.placed(&pages)?;
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
        if old.value.is_some() || !self.is_newly_signed(new) {
            return Err(Change::Field(name()));
        }
        let mut changed = vec![(new.id, old.dict.clone(), new.dict.clone())];
        for kid in self.old_widgets(&old.dict)? {
            if self.redefined.contains(&kid.number) {
                let (before, now) = self.dicts(kid)?.ok_or_else(|| Change::Field(name()))?;
                changed.push((kid, before, now));
            }
        }
        let is_timestamp = self.is_timestamp(new);
        for (id, before, now) in &changed {
            if !self.is_same_but_for_looks(*id, before, now) {
                return Err(Change::Field(name()));
            }
            if self.looks_the_same(before, now) {
                continue;
            }
            let parts = appearance_objects(self.old, before);
            match self.painted(now, *id, &parts, Area::of(now)) {
                None => return Err(Change::Field(name())),
                Some(Painted::Anywhere) => return Err(Change::Unbounded(name())),
                // A timestamp is no signature of a person and authorises no visible change.
                Some(_) if is_timestamp => return Err(Change::VisibleField(name())),
                Some(_) => {}
            }
        }
        rules.permit(&new.name, is_timestamp)?;
        for (id, _, now) in &changed {
            for part in appearance_objects(self.new, now) {
                self.redefined.remove(&part.number);
            }
            self.redefined.remove(&id.number);
        }
        Ok(())
    }

    /// Whether nothing about a widget of a filled field has changed that is seen, but for its appearance.
    fn is_same_but_for_looks(&self, id: Ref, before: &Dict<'d>, now: &Dict<'d>) -> bool {
        let allowed = Self::differing(before, now).all(|key| match key {
            b"V" | b"AP" => true,
            b"M" | b"DA" => now.value(key).is_none_or(is_string),
            b"F" => showing(before).is_some() && showing(before) == showing(now),
            b"Ff" | b"Q" => now.value(key).is_none_or(|number| number.as_int().is_some()),
            b"Type" => now.name("Type") == Some(b"Annot"),
            b"MK" => !has_colours(before) && !has_colours(now),
            // PDFBox takes the area from a field that it fills without drawing it.
            b"Rect" => !before.has("AP") && !has_colours(before) && Area::of(now).is_some_and(Area::is_point),
            _ => false,
        });
        allowed && self.is_plain(id) && !self.references.is_used_by_name(id.number)
    }

    /// Whether a widget has the appearance of the signed revision, or still none.
    fn looks_the_same(&self, before: &Dict<'d>, now: &Dict<'d>) -> bool {
        let is_redefined = |part: &Ref| self.redefined.contains(&part.number);
        Self::same(before.get("AP"), now.get("AP"))
            && !appearance_objects(self.new, now).iter().any(is_redefined)
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
    fn new_field(
        &mut self,
        field: &SignatureField<'d>,
        rules: &Rules,
        pages: &mut Vec<Option<Ref>>,
    ) -> Result<bool, Change> {
        let name = || field.shown_name();
        let proper = self.added.contains(&field.id.number)
            && self.is_plain(field.id)
            && field
                .dict
                .entries
                .iter()
                .all(|(key, value)| is_proper(key, value))
            && field.dict.has("T")
            && (field.value.is_none() || self.is_newly_signed(field));
        let (Some(widgets), true) = (self.new_widgets(field), proper) else {
            return Err(Change::Field(name()));
        };
        let mut is_drawn = false;
        for (id, widget) in &widgets {
            let Some(area) = Area::of(widget) else {
                return Err(Change::Field(name()));
            };
            is_drawn |= match self.painted(widget, *id, &[], Some(area)) {
                None => return Err(Change::Field(name())),
                Some(Painted::Anywhere) => return Err(Change::Unbounded(name())),
                Some(Painted::Inside) => true,
                // MuPDF marks every empty signature field; other readers paint its colours.
                Some(Painted::Nothing) => !area.is_point() || has_colours(widget),
            };
        }
        let is_timestamp = self.is_timestamp(field);
        // A timestamp is no signature of a person and authorises no visible change.
        if is_timestamp && is_drawn {
            return Err(Change::VisibleField(name()));
        }
        rules.permit(&field.name, is_timestamp)?;
        self.fields.insert(field.id);
        for (id, widget) in widgets {
            if widget.name("Subtype") == Some(b"Widget") {
                self.widgets.insert(id);
                pages.push(widget.get("P").and_then(Value::as_ref));
            }
        }
        Ok(is_drawn)
    }

    /// The places where a new field is drawn, which may be the field itself; `None` if one of them is not plainly that.
    fn new_widgets(&self, field: &SignatureField<'d>) -> Option<Vec<(Ref, Dict<'d>)>> {
        let mut widgets = vec![(field.id, field.dict.clone())];
        let Some(kids) = field.dict.get("Kids") else {
            return Some(widgets);
        };
        if field.dict.has("Subtype") || kids.as_ref().is_some_and(|id| !self.added.contains(&id.number)) {
            return None;
        }
        let kids = self.new.lookup_array(&field.dict, "Kids").ok()??;
        if kids.len() > MAX_WIDGETS {
            return None;
        }
        for kid in &kids {
            let id = self.is_added(kid)?;
            let found = self.new.get(id).ok()??;
            let dict = found
                .as_dict()
                .filter(|dict| !dict.ambiguous && self.is_plain(id))?;
            // pyHanko leaves the parent out.
            let parent = dict.get("Parent").map(Value::as_ref);
            let belongs = parent.is_none_or(|parent| parent == Some(field.id))
                && dict.name("Subtype") == Some(b"Widget")
                && !["T", "V", "FT", "Kids"].iter().any(|key| dict.has(key));
            let mut others = dict.entries.iter().filter(|(key, _)| key.as_ref() != b"Parent");
            if !belongs || !others.all(|(key, value)| is_proper(key, value)) {
                return None;
            }
            widgets.push((id, dict.clone()));
        }
        Some(widgets)
    }

    /// The widgets of a field of the signed revision that are objects of their own.
    fn old_widgets(&self, field: &Dict<'d>) -> Result<Vec<Ref>, Change> {
        let kids = self.old.lookup_array(field, "Kids")?.unwrap_or_default();
        Ok(kids.iter().take(MAX_WIDGETS).filter_map(Value::as_ref).collect())
    }

    /// The pages of new widgets may have changed only in their annotations, by these widgets.
    fn placed(&mut self, pages: &[Option<Ref>]) -> Result<(), Change> {
        for page in pages.iter().flatten() {
            if !self.pages.contains(page) && !self.has_grown(*page)? {
                return Err(Change::Page(page.number));
            }
        }
        // The widget of some programs does not name its page.
        if pages.iter().any(Option::is_none) {
            for page in self.changed_pages() {
                if !self.pages.contains(&page) {
                    self.has_grown(page)?;
                }
            }
        }
        Ok(())
    }

    /// The pages that have another version, or whose list of annotations has.
    fn changed_pages(&self) -> Vec<Ref> {
        let mut numbers: Vec<u32> = self
            .redefined
            .iter()
            .flat_map(|number| [Some(*number), self.references.only_owner(*number)])
            .flatten()
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let page = |number| {
            let generation = match self.old.entry(number) {
                Entry::At { generation, .. } => generation,
                _ => 0,
            };
            let id = Ref { number, generation };
            let found = self.old.get(id).ok().flatten()?;
            (found.as_dict()?.name("Type") == Some(b"Page")).then_some(id)
        };
        numbers.into_iter().filter_map(page).collect()
    }

    /// Whether a page is the same but for new widgets on it; then its changes are harmless.
    fn has_grown(&mut self, page: Ref) -> Result<bool, Change> {
        let Some((before, now)) = self.dicts(page)? else {
            return Ok(false);
        };
        let is_page = match now.name("Type") {
            None => now.get("Parent").is_some_and(|parent| parent.as_ref().is_some()),
            Some(kind) => kind == b"Page",
        };
        if !is_page || Self::differing(&before, &now).any(|key| key != b"Annots") {
            return Ok(false);
        }
        let list = |doc: &'d Document<'d>, dict: &Dict<'d>| {
            doc.lookup_array(dict, "Annots").map(Option::unwrap_or_default)
        };
        let (old_list, new_list) = (list(self.old, &before)?, list(self.new, &now)?);
        if !Self::is_grown(&old_list, &new_list, &self.widgets) {
            return Ok(false);
        }
        if let Some(id) = now.get("Annots").and_then(Value::as_ref) {
            let fresh = self.added.contains(&id.number);
            if !fresh && !self.references.only_from(id.number, page.number) {
                return Ok(false);
            }
            self.redefined.remove(&id.number);
        }
        self.redefined.remove(&page.number);
        self.pages.insert(page);
        Ok(true)
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
        // How the field is marked while the mouse is pressed on it.
        b"H" => matches!(value.as_name(), Some(b"N" | b"I" | b"O" | b"P" | b"T")),
        b"T" | b"TU" | b"TM" | b"M" | b"NM" | b"DA" | b"CreationDate" => is_string(value),
        b"V" | b"AP" | b"MK" | b"DR" | b"Lock" | b"SV" => {
            value.as_dict().is_some() || value.as_ref().is_some()
        }
        b"P" => value.as_ref().is_some(),
        b"Kids" => value.as_array().is_some() || value.as_ref().is_some(),
        b"F" => value.as_int().is_some_and(|flags| flags & !PLAIN_FLAGS == 0),
        b"Ff" | b"Q" => value.as_int().is_some(),
        b"BS" => value
            .as_dict()
            .is_some_and(|style| !style.ambiguous && style.int("W") == Some(0)),
        b"Border" => is_borderless(value),
        // Checked as the field's area.
        b"Rect" => true,
        _ => false,
    }
}

/// Whether a border has no width: two radii, the width, and perhaps dashes.
fn is_borderless(border: &Value<'_>) -> bool {
    let Some([horizontal, vertical, width]) = border.as_array() else {
        return false;
    };
    [horizontal, vertical, width]
        .iter()
        .all(|number| number.as_int() == Some(0))
}

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
