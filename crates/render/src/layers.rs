//! Whether the renderer shows what belongs to a layer. It knows no visibility expressions. It asks the properties of every
//! marked content, whatever its tag is: other programs do so of layers alone.

use hayro::hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier};
use hayro::hayro_syntax::page::Resources;
use hayro::hayro_syntax::xref::XRef;
use rustc_hash::FxHashSet;

/// The layers of a document that are off, as the renderer reads them.
pub(super) struct Layers {
    off: FxHashSet<ObjectIdentifier>,
}

impl Layers {
    pub(super) fn of(xref: &XRef) -> Self {
        let catalog = xref.get::<Dict<'_>>(xref.root_id()).unwrap_or_default();
        let properties = catalog.get::<Dict<'_>>(b"OCProperties".as_slice());
        let properties = properties.unwrap_or_default();
        let shown = properties.get::<Dict<'_>>(b"D".as_slice()).unwrap_or_default();
        let mut off = FxHashSet::default();
        let base = shown.get::<Name<'_>>(b"BaseState".as_slice());
        if base.as_deref() == Some(b"OFF".as_slice()) {
            off.extend(listed(&properties, b"OCGs"));
        }
        for on in listed(&shown, b"ON") {
            off.remove(&on);
        }
        off.extend(listed(&shown, b"OFF"));
        Self { off }
    }

    /// Whether the renderer shows what belongs to a layer, and by what it reads of it. `id` is missing where the layer is
    /// no object of its own: the renderer takes it for the state of several layers.
    pub(super) fn show(&self, layer: &Dict<'_>, id: Option<ObjectIdentifier>) -> bool {
        if layer.contains_key(b"VE".as_slice()) {
            return false;
        }
        let is_on = |layer: &ObjectIdentifier| !self.off.contains(layer);
        let kind = layer.get::<Name<'_>>(b"Type".as_slice());
        if let Some(id) = id
            && kind.as_deref() != Some(b"OCMD".as_slice())
        {
            return is_on(&id);
        }
        let layers = members(layer);
        let policy = layer.get::<Name<'_>>(b"P".as_slice());
        match policy.as_deref() {
            // What is shown while layers are off is hidden by default.
            Some(b"AllOff" | b"AnyOff") => false,
            Some(b"AllOn") => layers.iter().all(is_on),
            _ => layers.is_empty() || layers.iter().any(is_on),
        }
    }

    /// Whether the renderer shows an object by the layer that the object names, or every program hides it.
    pub(super) fn show_object(&self, object: &Dict<'_>) -> bool {
        let key = b"OC".as_slice();
        let layer = object.get::<Dict<'_>>(key);
        layer.is_none_or(|layer| {
            self.show(&layer, object.get_ref(key).map(Into::into)) || self.is_hidden_by_all(&layer)
        })
    }

    /// Whether an object is hidden because layers are on. So scanners add an image for readers that know no layers.
    fn is_hidden_by_all(&self, layer: &Dict<'_>) -> bool {
        let layers = members(layer);
        let mut are_on = layers.iter().map(|layer| !self.off.contains(layer));
        let policy = layer.get::<Name<'_>>(b"P".as_slice());
        !layer.contains_key(b"VE".as_slice())
            && match policy.as_deref() {
                Some(b"AllOff") => are_on.any(|on| on),
                Some(b"AnyOff") => !layers.is_empty() && are_on.all(|on| on),
                _ => false,
            }
    }

    /// The same of marked content, by its properties.
    pub(super) fn show_marked(&self, properties: &Object<'_>, resources: &Resources<'_>) -> bool {
        match properties {
            Object::Name(name) => self.show_entry(&resources.properties, name),
            Object::Dict(inline) => self.show_entry(inline, b"OC"),
            _ => true,
        }
    }

    /// The renderer takes an entry that is an object of its own for a layer, and no other.
    fn show_entry(&self, holder: &Dict<'_>, key: &[u8]) -> bool {
        let Some(id) = holder.get_ref(key) else {
            return true;
        };
        let layer = holder.get::<Dict<'_>>(key).unwrap_or_default();
        self.show(&layer, Some(id.into()))
    }
}

/// The layers whose state a policy goes by.
fn members(layer: &Dict<'_>) -> Vec<ObjectIdentifier> {
    let key = b"OCGs".as_slice();
    match layer.get::<Array<'_>>(key) {
        Some(_) => listed(layer, key),
        None => layer
            .get_ref(key)
            .map(ObjectIdentifier::from)
            .into_iter()
            .collect(),
    }
}

/// The objects that a list refers to.
fn listed(holder: &Dict<'_>, key: &[u8]) -> Vec<ObjectIdentifier> {
    let list = holder.get::<Array<'_>>(key);
    let items = list.iter().flat_map(Array::raw_iter);
    let ids = items.filter_map(|item| item.as_obj_ref());
    ids.map(ObjectIdentifier::from).collect()
}
