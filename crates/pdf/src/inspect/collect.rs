//! Copies the objects that an increment may restate, byte by byte.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::form::Form;
use super::pages::{DEFAULT_MEDIA_BOX, Page};
use super::structure::structure;
use crate::damage::Damage;
use crate::file::{Document, Entry, SectionKind};
use crate::increment::{array_of, edit, entry};
use crate::prepare::{AppendState, EncryptedState, ObjectCopy, SigningPermission, SlotField};
use crate::syntax::{Dict, Ref, Value};

/// Collects the state for increments from a document that has been accepted.
pub(super) fn collect(
    doc: &Document<'_>,
    root: Ref,
    catalog: &Dict<'_>,
    pages: &[Page],
    form: &Form,
    highest: u32,
    prints_when_opened: bool,
) -> Result<AppendState, Damage> {
    let fields = &form.fields;
    let first = pages.first().ok_or(Damage::PageTree)?;
    let newest = doc.sections().first().ok_or(Damage::NoEnd)?;
    let mut copier = ObjectCopier {
        doc,
        objects: BTreeMap::new(),
        bytes: 0,
    };
    copier.copy_with(root, &["AcroForm", "DSS", "Perms", "Extensions"])?;
    let is_signed = fields.iter().any(|field| field.signature.is_some());
    if !is_signed {
        copier.strip_catalog(root, catalog, prints_when_opened)?;
    }
    let page_root = catalog
        .get("Pages")
        .and_then(Value::as_ref)
        .ok_or(Damage::Entry("Pages"))?;
    copier.copy_with(page_root, &["Kids"])?;
    if !is_signed && pages.iter().any(|page| page.states_no_size) {
        copier.edit(page_root, &[("MediaBox", DEFAULT_MEDIA_BOX)])?;
    }
    // Strict validators cannot tell a new annotation from old ones that are written into the page itself, and take it
    // for a change of the page.
    let field_page = pages
        .iter()
        .find(|page| page.plain_annotations)
        .unwrap_or(first)
        .id;
    copier.copy_with(field_page, &["Annots"])?;
    if !is_signed {
        for page in pages.iter().filter(|page| !page.plain_annotations) {
            copier.copy_with(page.id, &["Annots"])?;
        }
    }
    if let Some(value) = catalog.get("AcroForm") {
        copier.copy_inside(value, &["Fields", "DR"])?;
        copier.leave_out(root, &form.repeated)?;
    }
    if let Some(store) = catalog.get("DSS") {
        copier.copy_inside(store, &["Certs", "CRLs", "OCSPs", "VRI"])?;
    }
    if let Some(tree) = structure(doc, catalog)?.filter(|_| !is_signed) {
        copier.copy(tree.root)?;
        for id in tree.others {
            copier.copy(id)?;
        }
        let next_key = tree.next_key.to_string();
        copier.edit(tree.root, &[("ParentTreeNextKey", next_key.as_bytes())])?;
    }
    let validation_data = validation_data(doc, catalog)?;
    let mut slots = Vec::new();
    for field in fields
        .iter()
        .filter(|field| field.for_signature && field.signature.is_none())
    {
        copier.copy_with(field.id, &["Lock"])?;
        slots.push(SlotField {
            name: field.name.clone(),
            id: field.id,
        });
    }
    let field_names = fields.iter().map(|field| top(&field.name).to_vec()).collect();
    let written = |key: &str| {
        newest
            .trailer
            .get(key)
            .map(|value| value.raw.to_vec())
            .unwrap_or_default()
    };
    let signatures = fields.iter().filter_map(|field| field.signature);
    let certified = signatures.clone().any(|signature| signature.certifies.is_some());
    Ok(AppendState {
        startxref: doc.startxref() as u64,
        size: next_number(doc).max(highest + 1),
        streams: newest.kind == SectionKind::Stream,
        ends_line: matches!(doc.bytes().last(), Some(b'\n' | b'\r')),
        root,
        pages: page_root,
        field_page,
        page_count: u32::try_from(pages.len()).unwrap_or(u32::MAX),
        paper: first.size,
        info: written("Info"),
        id: written("ID"),
        encryption: doc.encryption().map(|encryption| EncryptedState {
            stated: written("Encrypt"),
            encryption: encryption.clone(),
        }),
        signatures: u32::try_from(signatures.clone().count()).unwrap_or(u32::MAX),
        permission: if certified {
            SigningPermission::Certified
        } else {
            SigningPermission::Open
        },
        slots,
        field_names,
        validation_data,
        objects: copier.objects,
    })
}

/// Certificates, and revocation lists, of a document's store that are hashed.
const MAX_VALIDATION_ITEMS: usize = 1024;

/// The hashes of the certificates and revocation lists in the document's store. One that cannot be read is missing
/// here and may be added again.
fn validation_data(doc: &Document<'_>, catalog: &Dict<'_>) -> Result<BTreeSet<[u8; 32]>, Damage> {
    let mut found = BTreeSet::new();
    let store = doc.lookup(catalog, "DSS")?;
    let Some(store) = store.as_ref().and_then(Value::as_dict) else {
        return Ok(found);
    };
    for key in ["Certs", "CRLs"] {
        let list = doc.lookup(store, key)?;
        let items = list.as_ref().and_then(Value::as_array).unwrap_or_default();
        let ids: BTreeSet<Ref> = items
            .iter()
            .filter_map(Value::as_ref)
            .take(MAX_VALIDATION_ITEMS)
            .collect();
        for id in ids {
            match doc.decoded(id) {
                Ok(item) => found.extend([<[u8; 32]>::from(Sha256::digest(item))]),
                Err(damage) if damage.is_excess() => return Err(damage),
                Err(_) => {}
            }
        }
    }
    Ok(found)
}

/// The first part of a field's full name.
fn top(name: &[u8]) -> &[u8] {
    name.split(|byte| *byte == b'.').next().unwrap_or_default()
}

/// The first object number that no section uses, also where `/Size` is too small.
fn next_number(doc: &Document<'_>) -> u32 {
    let stated = doc
        .sections()
        .iter()
        .filter_map(|section| section.trailer.int("Size"))
        .max()
        .unwrap_or(0);
    let listed = doc
        .sections()
        .iter()
        .flat_map(|section| &section.entries)
        .map(|(number, _)| number + 1)
        .max();
    listed.unwrap_or(1).max(
        u32::try_from(stated)
            .ok()
            .filter(|size| *size <= 1 << 23)
            .unwrap_or(0),
    )
}

/// Copies objects out of a document.
struct ObjectCopier<'h, 'd> {
    doc: &'h Document<'d>,
    objects: BTreeMap<u32, ObjectCopy>,
    /// The size of the copies.
    bytes: usize,
}

/// Bytes of all copies of one document.
const MAX_COPIED_BYTES: usize = 4 << 20;

impl<'h> ObjectCopier<'h, '_> {
    /// Copies an object, unless it is a stream, and returns its value.
    fn copy(&mut self, id: Ref) -> Result<Option<Value<'h>>, Damage> {
        let doc = self.doc;
        let Some((value, end)) = doc.find(id)? else {
            return Ok(None);
        };
        // An increment never restates a stream.
        let is_packed = matches!(doc.entry(id.number), Entry::In { .. });
        if end.is_none() && !is_packed && doc.stream(id).is_ok() {
            return Ok(Some(value));
        }
        self.bytes += value.raw.len();
        if self.bytes > MAX_COPIED_BYTES {
            return Err(Damage::TooComplex);
        }
        let copy = ObjectCopy {
            generation: id.generation,
            body: value.raw.to_vec(),
        };
        self.objects.insert(id.number, copy);
        Ok(Some(value))
    }

    /// Leaves out of the copied catalog what must not be in a signed document: a script that prints when the document
    /// is opened, and metadata for which strict validators refuse every later signature.
    fn strip_catalog(
        &mut self,
        root: Ref,
        catalog: &Dict<'_>,
        prints_when_opened: bool,
    ) -> Result<(), Damage> {
        let mut changes: Vec<(&str, &[u8])> = Vec::new();
        if prints_when_opened {
            changes.push(("OpenAction", b""));
        }
        if catalog
            .get("Metadata")
            .is_some_and(|value| self.is_bare(value) || !self.is_xmp(value))
        {
            changes.push(("Metadata", b""));
        }
        self.edit(root, &changes)
    }

    /// Changes entries of a copy.
    fn edit(&mut self, id: Ref, changes: &[(&str, &[u8])]) -> Result<(), Damage> {
        if let Some(copy) = self.objects.get_mut(&id.number).filter(|_| !changes.is_empty()) {
            copy.body = edit(&copy.body, changes)?;
        }
        Ok(())
    }

    /// Leaves these fields out of the form's list, wherever that is written.
    fn leave_out(&mut self, root: Ref, fields: &[Ref]) -> Result<(), Damage> {
        if fields.is_empty() {
            return Ok(());
        }
        let body = |this: &Self, id: Ref| this.objects.get(&id.number).map(|copy| copy.body.clone());
        let catalog = body(self, root).ok_or(Damage::Missing(root.number))?;
        let form = entry(&catalog, "AcroForm")?.ok_or(Damage::Entry("AcroForm"))?;
        let form_id = form.as_ref();
        let form = match form_id {
            Some(id) => body(self, id).ok_or(Damage::Missing(id.number))?,
            None => form.raw.to_vec(),
        };
        let list = entry(&form, "Fields")?.ok_or(Damage::Entry("Fields"))?;
        let list_id = list.as_ref();
        let list = match list_id {
            Some(id) => body(self, id).ok_or(Damage::Missing(id.number))?,
            None => list.raw.to_vec(),
        };
        let mut kept = Vec::from(b"[");
        for item in array_of(&list)? {
            if item.as_ref().is_none_or(|id| !fields.contains(&id)) {
                kept.extend_from_slice(item.raw);
                kept.push(b' ');
            }
        }
        kept.push(b']');
        if let Some(copy) = list_id.and_then(|id| self.objects.get_mut(&id.number)) {
            copy.body = kept;
            return Ok(());
        }
        let form = edit(&form, &[("Fields", &kept)])?;
        match form_id.and_then(|id| self.objects.get_mut(&id.number)) {
            Some(copy) => copy.body = form,
            None => self.edit(root, &[("AcroForm", &form)])?,
        }
        Ok(())
    }

    /// Whether metadata of an encrypted document stands there in the clear and does not say so itself: pyHanko decrypts
    /// it nevertheless, and fails.
    fn is_bare(&self, metadata: &Value<'_>) -> bool {
        let stream = metadata.as_ref().and_then(|id| self.doc.stream(id).ok());
        self.doc
            .encryption()
            .zip(stream)
            .is_some_and(|(encryption, stream)| encryption.is_bare_metadata(&stream.dict))
    }

    /// Whether this may be XMP metadata: it is none if it can be read and does not say that it is.
    fn is_xmp(&self, metadata: &Value<'_>) -> bool {
        let Some(id) = metadata.as_ref() else {
            return false;
        };
        match self.doc.decoded(id) {
            Ok(text) => {
                // UTF-16 without its zeros.
                let text: Vec<u8> = text.into_iter().filter(|byte| *byte != 0).collect();
                memchr::memmem::find(&text, b"xmpmeta").is_some()
            }
            Err(Damage::Filter(_)) => true,
            Err(_) => false,
        }
    }

    /// Copies an object, and the objects it refers to under these keys.
    fn copy_with(&mut self, id: Ref, keys: &[&str]) -> Result<(), Damage> {
        match self.copy(id)? {
            Some(owner) => self.copy_inside(&owner, keys),
            None => Ok(()),
        }
    }

    /// Copies the objects that a dictionary refers to under these keys; `owner` may be a reference to the dictionary.
    fn copy_inside(&mut self, owner: &Value<'_>, keys: &[&str]) -> Result<(), Damage> {
        let found;
        let owner = match owner.as_ref() {
            Some(id) => {
                found = self.doc.get(id)?;
                found.as_ref()
            }
            None => Some(owner),
        };
        let Some(dict) = owner.and_then(Value::as_dict) else {
            return Ok(());
        };
        for id in keys.iter().filter_map(|key| dict.get(key)?.as_ref()) {
            self.copy(id)?;
        }
        Ok(())
    }
}
