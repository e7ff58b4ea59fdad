//! What happened to a document after a signature. Denied unless on a short list: signature fields filled or
//! added, the security store, document timestamps, and information that is never drawn.

use rustc_hash::FxHashSet;

use super::fields::{SignatureField, signature_fields, words};
use super::loose;
use super::reason::Change;
use super::references::{Memory, References};
use super::rules::Rules;
use crate::file::{Damage, Document, Entry};
use crate::inspect::{Limits, catalog};
use crate::syntax::{Dict, Kind, Ref, Value};

/// A signed revision and the file it has become.
#[derive(Debug)]
pub(super) struct Comparison<'d> {
    old: &'d Document<'d>,
    new: &'d Document<'d>,
    references: References,
    /// Objects that did not exist in the signed revision.
    added: FxHashSet<u32>,
    /// Objects that have another version now and are not excused yet.
    redefined: FxHashSet<u32>,
}

/// The harmless changes that were found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Harmless {
    /// New fields that are drawn: harmless only if their signatures deserve it.
    pub(super) visible: Vec<(Ref, String)>,
}

impl From<Damage> for Change {
    fn from(damage: Damage) -> Self {
        Self::Unreadable(damage)
    }
}

/// Compares a signed revision with the whole file.
pub(super) fn compare<'d>(
    old: &'d Document<'d>,
    new: &'d Document<'d>,
    rules: &Rules,
    limits: &Limits,
    memory: &mut Memory,
) -> Result<Harmless, Change> {
    let mut comparison = Comparison::new(old, new, memory)?;
    let harmless = comparison.form(rules, limits)?;
    comparison.catalog()?;
    comparison.information()?;
    match comparison.redefined.iter().min() {
        None => Ok(harmless),
        Some(number) => Err(comparison.name(*number)),
    }
}

impl<'d> Comparison<'d> {
    fn new(old: &'d Document<'d>, new: &'d Document<'d>, memory: &mut Memory) -> Result<Self, Change> {
        let later = new
            .sections()
            .len()
            .checked_sub(old.sections().len())
            .ok_or(Change::History)?;
        let (added_sections, kept) = new.sections().split_at_checked(later).ok_or(Change::History)?;
        if !kept
            .iter()
            .map(|section| &section.spans)
            .eq(old.sections().iter().map(|section| &section.spans))
        {
            return Err(Change::History);
        }
        let root = |doc: &Document<'_>| doc.trailer().ok()?.get("Root")?.as_ref();
        if root(old).is_none() || root(old) != root(new) {
            return Err(Change::Catalog);
        }
        let references = References::of(old, memory)?;
        let mut this = Self {
            old,
            new,
            references,
            added: FxHashSet::default(),
            redefined: FxHashSet::default(),
        };
        for (number, _) in added_sections.iter().flat_map(|section| &section.entries) {
            this.sort(*number)?;
        }
        loose::check(old.bytes().len(), new, added_sections, memory)?;
        Ok(this)
    }

    /// Puts a listed object among the added or the redefined.
    fn sort(&mut self, number: u32) -> Result<(), Change> {
        let (before, now) = (self.old.entry(number), self.new.entry(number));
        if before == now {
            return Ok(());
        }
        let offset = match now {
            Entry::Free => return Err(Change::Removed(number)),
            Entry::At { offset, .. } => offset,
            Entry::In { stream, .. } => match self.new.entry(stream) {
                Entry::At { offset, .. } => offset,
                _ => return Err(Change::Moved(number)),
            },
        };
        if offset < self.old.bytes().len() {
            return Err(Change::Moved(number));
        }
        if before == Entry::Free {
            if self.references.mentions(number) {
                return Err(Change::CameToLife(number));
            }
            self.added.insert(number);
        } else {
            self.redefined.insert(number);
        }
        Ok(())
    }

    /// Whether a value is a reference to an object that is new.
    fn is_added(&self, value: &Value<'_>) -> Option<Ref> {
        value.as_ref().filter(|id| self.added.contains(&id.number))
    }

    /// Whether two values of the two revisions are the same bytes, or both missing.
    fn same(before: Option<&Value<'_>>, now: Option<&Value<'_>>) -> bool {
        before.map(|value| value.raw) == now.map(|value| value.raw)
    }

    /// The keys of two dictionaries whose values differ.
    fn differing(before: &Dict<'d>, now: &Dict<'d>) -> Vec<String> {
        let keys = before
            .entries
            .iter()
            .chain(&now.entries)
            .map(|(key, _)| String::from_utf8_lossy(key).into_owned());
        keys.filter(|key| !Self::same(before.get(key), now.get(key)))
            .collect()
    }

    fn dicts(&self, id: Ref) -> Result<Option<(Dict<'d>, Dict<'d>)>, Change> {
        let before = self.old.get(id)?.map(|value| value.kind);
        let now = self.new.get(id)?.map(|value| value.kind);
        match (before, now) {
            (Some(Kind::Dict(before)), Some(Kind::Dict(now))) if !now.ambiguous && self.is_plain(id) => {
                Ok(Some((before, now)))
            }
            _ => Ok(None),
        }
    }

    /// Whether the object has no stream.
    fn is_plain(&self, id: Ref) -> bool {
        matches!(self.new.entry(id.number), Entry::In { .. }) || self.new.stream(id).is_err()
    }

    fn form(&mut self, rules: &Rules, limits: &Limits) -> Result<Harmless, Change> {
        let before = signature_fields(self.old, limits)?;
        let now = signature_fields(self.new, limits)?;
        let mut harmless = Harmless::default();
        for field in &now {
            match before.iter().find(|old| old.id == field.id) {
                Some(old) => self.filled(old, field, rules)?,
                None => {
                    if self.new_field(field, rules)? {
                        harmless.visible.push((field.id, words(&field.name)));
                    }
                }
            }
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
        let drawn = Self::differing(&old.dict, &new.dict);
        let allowed = drawn.iter().all(|key| matches!(key.as_str(), "V" | "AP" | "M"));
        if old.value.is_some() || !allowed || !self.is_plain(new.id) || !self.own_appearance(&new.dict) {
            return Err(Change::Field(name()));
        }
        rules.permit(&new.name, self.is_timestamp(value))?;
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
        let value = self.new.get(id).ok().flatten();
        value
            .as_ref()
            .and_then(Value::as_dict)
            .is_some_and(|dict| dict.name("Type") == Some(b"DocTimeStamp"))
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
        let proper = self.added.contains(&field.id.number)
            && self.is_plain(field.id)
            && field.dict.entries.iter().all(|(key, _)| known(key))
            && matches!(field.dict.name("Type"), None | Some(b"Annot"))
            && self.own_appearance(&field.dict);
        if !proper {
            return Err(Change::Field(name()));
        }
        if let Some(value) = field.value {
            if !self.added.contains(&value.number) {
                return Err(Change::Field(name()));
            }
            rules.permit(&field.name, self.is_timestamp(value))?;
        }
        self.placed(field)?;
        Ok(field.dict.has("AP") && has_area(&field.dict))
    }

    /// The page of a new field may have changed only by having it among its annotations.
    fn placed(&mut self, field: &SignatureField<'d>) -> Result<(), Change> {
        let Some(page) = field.dict.get("P").and_then(Value::as_ref) else {
            return Ok(());
        };
        let Some((before, now)) = self.dicts(page)? else {
            return Err(Change::Page(page.number));
        };
        if Self::differing(&before, &now).iter().any(|key| key != "Annots") {
            return Err(Change::Page(page.number));
        }
        let list = |doc: &'d Document<'d>, dict: &Dict<'d>| {
            doc.look_array(dict, "Annots").map(Option::unwrap_or_default)
        };
        let (old_list, new_list) = (list(self.old, &before)?, list(self.new, &now)?);
        self.grown(&old_list, &new_list)
            .ok_or(Change::Page(page.number))?;
        if let Some(id) = now.get("Annots").and_then(Value::as_ref) {
            let fresh = self.added.contains(&id.number);
            if !fresh && !self.references.only_from(id.number, page.number) {
                return Err(Change::Page(page.number));
            }
            self.redefined.remove(&id.number);
        }
        self.redefined.remove(&page.number);
        Ok(())
    }

    /// Whether a list is the old one with new signature fields after it.
    fn grown(&self, before: &[Value<'d>], now: &[Value<'d>]) -> Option<()> {
        let (kept, more) = now.split_at_checked(before.len())?;
        let same = kept
            .iter()
            .map(|item| item.raw)
            .eq(before.iter().map(|item| item.raw));
        let fields = more.iter().all(|item| {
            let dict = self.is_added(item).and_then(|id| self.new.get(id).ok().flatten());
            dict.as_ref()
                .and_then(Value::as_dict)
                .is_some_and(|dict| dict.name("FT") == Some(b"Sig"))
        });
        (same && fields).then_some(())
    }

    fn catalog(&mut self) -> Result<(), Change> {
        let (root, before) = catalog(self.old)?;
        let (_, now) = catalog(self.new)?;
        for key in Self::differing(&before, &now) {
            match key.as_str() {
                "AcroForm" | "DSS" | "Extensions" | "Version" => {}
                "Metadata"
                    if self
                        .is_added(now.get("Metadata").ok_or(Change::Catalog)?)
                        .is_some() => {}
                _ => return Err(Change::Catalog),
            }
        }
        if !self.is_plain(root) {
            return Err(Change::Catalog);
        }
        self.acro_form(root, &before, &now)?;
        self.store(root, &before, &now)?;
        if let Some(id) = now.get("Metadata").and_then(Value::as_ref)
            && self.references.only_from(id.number, root.number)
        {
            self.redefined.remove(&id.number);
        }
        if let Some(id) = before.get("Extensions").and_then(Value::as_ref)
            && self.references.only_from(id.number, root.number)
        {
            self.redefined.remove(&id.number);
        }
        self.redefined.remove(&root.number);
        Ok(())
    }

    fn acro_form(&mut self, root: Ref, before: &Dict<'d>, now: &Dict<'d>) -> Result<(), Change> {
        let Some(form) = self.new.look_dict(now, "AcroForm")? else {
            return if before.has("AcroForm") {
                Err(Change::Form)
            } else {
                Ok(())
            };
        };
        let old_form = self.old.look_dict(before, "AcroForm")?.unwrap_or_default();
        for key in Self::differing(&old_form, &form) {
            match key.as_str() {
                "Fields" | "SigFlags" => {}
                // Fonts and defaults matter only where text is typed, which a new form has no field for.
                "DR" | "DA" if !before.has("AcroForm") => {}
                _ => return Err(Change::Form),
            }
        }
        let old_list = self.old.look_array(&old_form, "Fields")?.unwrap_or_default();
        let new_list = self.new.look_array(&form, "Fields")?.unwrap_or_default();
        self.grown(&old_list, &new_list).ok_or(Change::Form)?;
        let mut owner = root.number;
        if let Some(id) = now.get("AcroForm").and_then(Value::as_ref) {
            let known =
                self.added.contains(&id.number) || before.get("AcroForm").and_then(Value::as_ref) == Some(id);
            if !known || !self.is_plain(id) {
                return Err(Change::Form);
            }
            self.redefined.remove(&id.number);
            owner = id.number;
        }
        if let Some(id) = form.get("Fields").and_then(Value::as_ref)
            && !self.added.contains(&id.number)
        {
            if !self.references.only_from(id.number, owner) {
                return Err(Change::Form);
            }
            self.redefined.remove(&id.number);
        }
        Ok(())
    }

    /// The security store may grow; its lists are excused only if nothing else refers to them.
    fn store(&mut self, root: Ref, before: &Dict<'d>, now: &Dict<'d>) -> Result<(), Change> {
        if before.has("DSS") && !now.has("DSS") {
            return Err(Change::Catalog);
        }
        let Some(old_store) = self.old.look_dict(before, "DSS")? else {
            return Ok(());
        };
        let mut owner = root.number;
        if let Some(id) = before.get("DSS").and_then(Value::as_ref) {
            if !self.references.only_from(id.number, root.number) || !self.is_plain(id) {
                return Ok(());
            }
            self.redefined.remove(&id.number);
            owner = id.number;
        }
        for key in ["Certs", "CRLs", "OCSPs", "VRI"] {
            if let Some(id) = old_store.get(key).and_then(Value::as_ref)
                && self.references.only_from(id.number, owner)
                && self.is_plain(id)
            {
                self.redefined.remove(&id.number);
            }
        }
        Ok(())
    }

    /// The information dictionary is never drawn; it must hold plain values and belong to the trailer alone.
    fn information(&mut self) -> Result<(), Change> {
        let Some(id) = self.new.trailer()?.get("Info").and_then(Value::as_ref) else {
            return Ok(());
        };
        if self.references.mentions(id.number) || !self.redefined.contains(&id.number) {
            return Ok(());
        }
        if let Some((_, now)) = self.dicts(id)?
            && now
                .entries
                .iter()
                .all(|(_, value)| !matches!(value.kind, Kind::Dict(_) | Kind::Array(_) | Kind::Ref(_)))
        {
            self.redefined.remove(&id.number);
        }
        Ok(())
    }

    /// What an object that changed is to a person.
    fn name(&self, number: u32) -> Change {
        let kind = self
            .old
            .get(Ref {
                number,
                generation: 0,
            })
            .ok()
            .flatten();
        let Some(dict) = kind.as_ref().and_then(Value::as_dict) else {
            return Change::Object(number);
        };
        match dict.name("Type") {
            Some(b"Page" | b"Pages") => Change::Page(number),
            _ if dict.has("FT") => Change::Field(
                dict.get("T")
                    .and_then(Value::as_string)
                    .map(|name| words(&name))
                    .unwrap_or_default(),
            ),
            _ => Change::Object(number),
        }
    }
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
