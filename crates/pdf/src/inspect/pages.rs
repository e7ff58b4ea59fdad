//! The page tree: every page once, of a size that can be seen.

use std::collections::{BTreeMap, BTreeSet};

use super::actions::Actions;
use super::{Hidden, Refused, blank_covers, layers};
use crate::annotation_flags::{HIDDEN, NO_VIEW, PRINT};
use crate::damage::Damage;
use crate::file::Document;
use crate::limits::Limits;
use crate::syntax::{Dict, Kind, Ref, Value};

/// A page of the document.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) id: Ref,
    /// Width and height as shown, in points.
    pub(super) size: [f64; 2],
    /// Every annotation is an object of its own.
    pub(super) plain_annotations: bool,
    /// It states no size and inherits none.
    pub(super) states_no_size: bool,
}

/// The size of a page that states none, as readers have it: the letter of the United States.
pub const DEFAULT_MEDIA_BOX: &[u8] = b"[0 0 612 792]";
const DEFAULT_SIDES: [f64; 4] = [0.0, 0.0, 612.0, 792.0];

/// Attributes that a node of the page tree hands down to its kids.
#[derive(Debug, Clone, Copy, Default)]
struct Inherited {
    media_box: Option<[f64; 4]>,
    crop_box: Option<[f64; 4]>,
    sideways: bool,
}

impl Inherited {
    /// Width and height of the part of a page that is shown.
    fn size(self, [left, bottom, right, top]: [f64; 4]) -> [f64; 2] {
        let seen = self
            .crop_box
            .map(|[l, b, r, t]| [l.max(left), b.max(bottom), r.min(right), t.min(top)]);
        let seen = seen.filter(|[l, b, r, t]| l < r && b < t);
        let [left, bottom, right, top] = seen.unwrap_or([left, bottom, right, top]);
        let (width, height) = (right - left, top - bottom);
        if self.sideways {
            [height, width]
        } else {
            [width, height]
        }
    }
}

/// Objects that were checked before, by the role they had: one object may be an image here and an annotation there.
#[derive(Debug, Default)]
struct Seen {
    /// Resources, and their length.
    resources: BTreeMap<Ref, usize>,
    images: BTreeSet<Ref>,
    /// Objects and resources of forms, which are looked at for layers alone.
    inner_objects: BTreeSet<Ref>,
    inner_resources: BTreeSet<Ref>,
    contents: BTreeSet<Ref>,
    annotations: BTreeSet<Ref>,
    layers: BTreeSet<Ref>,
    /// Drawings of one colour, with the area of each in its own space.
    blanks: BTreeMap<Ref, f64>,
}

/// Visits every page in order.
pub(super) fn walk<'d>(
    doc: &'d Document<'d>,
    catalog: &Dict<'d>,
    limits: &Limits,
    actions: &mut Actions<'d>,
) -> Result<Vec<Page>, Refused> {
    let root = catalog
        .get("Pages")
        .and_then(Value::as_ref)
        .ok_or(Damage::Entry("Pages"))?;
    let mut pages: Vec<Page> = Vec::new();
    let mut pending = vec![(root, Inherited::default())];
    let mut nodes = BTreeSet::new();
    let mut seen = Seen::default();
    let mut stated = None;
    while let Some((id, mut inherited)) = pending.pop() {
        if !nodes.insert(id) {
            return Err(Damage::PageTree.into());
        }
        let node = doc.get(id)?;
        let Some(Kind::Dict(dict)) = node.map(|value| value.kind) else {
            return Err(Damage::PageTree.into());
        };
        if dict.ambiguous {
            return Err(Damage::Ambiguous.into());
        }
        if let Some(area) = doc.lookup_array(&dict, "MediaBox")? {
            inherited.media_box = Some(rectangle(doc, &area)?);
        }
        // Only the size of the sheet depends on these two: odd values count as missing.
        if let Ok(Some(area)) = doc.lookup(&dict, "CropBox")
            && let Ok(area) = rectangle(doc, area.as_array().unwrap_or_default())
        {
            inherited.crop_box = Some(area);
        }
        if let Ok(Some(turn)) = doc.lookup(&dict, "Rotate") {
            inherited.sideways = turn.as_int().is_some_and(|turn| turn % 180 != 0);
        }
        if id == root {
            stated = Some(doc.lookup(&dict, "Count")?.and_then(|count| count.as_int()));
        }
        let kids = doc.lookup_array(&dict, "Kids")?;
        match (dict.name("Type"), kids) {
            (Some(b"Pages") | None, Some(kids)) => {
                for kid in kids.iter().rev() {
                    pending.push((kid.as_ref().ok_or(Damage::PageTree)?, inherited));
                }
                if pending.len() > limits.pages + 1 {
                    return Err(Refused::TooManyPages { limit: limits.pages });
                }
                resources(doc, &dict, limits, &mut seen)?;
            }
            (Some(b"Page") | None, None) if id != root => {
                if pages.len() >= limits.pages {
                    return Err(Refused::TooManyPages { limit: limits.pages });
                }
                let number = u32::try_from(pages.len() + 1).unwrap_or(u32::MAX);
                // The renderer cannot be told the size of such a page in an encrypted document.
                let default = doc.encryption().is_none().then_some(DEFAULT_SIDES);
                let media_box = inherited.media_box.or(default);
                let media_box = media_box.ok_or(Damage::Entry("MediaBox"))?;
                check_size(media_box, number, limits)?;
                resources(doc, &dict, limits, &mut seen)?;
                contents(doc, &dict, &mut seen.contents)?;
                actions.page(&dict)?;
                let plain_annotations = annotations(doc, &dict, actions, &mut seen)?;
                pages.push(Page {
                    id,
                    size: inherited.size(media_box),
                    plain_annotations,
                    states_no_size: inherited.media_box.is_none(),
                });
            }
            _ => return Err(Damage::PageTree.into()),
        }
        if nodes.len() > limits.pages.saturating_mul(3) + 8 {
            return Err(Refused::TooManyPages { limit: limits.pages });
        }
    }
    if pages.is_empty() {
        return Err(Refused::NoPages);
    }
    let count = stated.flatten().and_then(|count| usize::try_from(count).ok());
    if count != Some(pages.len()) {
        return Err(Damage::PageTree.into());
    }
    let sizes = pages.iter().map(|page| (page.id, page.size));
    blank_covers::check(doc, &seen.blanks, sizes)?;
    Ok(pages)
}

/// Four numbers as left, bottom, right, top.
fn rectangle(doc: &Document<'_>, area: &[Value<'_>]) -> Result<[f64; 4], Damage> {
    let mut side = [0.0; 4];
    if area.len() != 4 {
        return Err(Damage::Entry("MediaBox"));
    }
    for (slot, value) in side.iter_mut().zip(area) {
        let number = match value.kind {
            Kind::Ref(id) => doc.get(id)?.and_then(|value| value.as_number()),
            _ => value.as_number(),
        };
        *slot = number.ok_or(Damage::Entry("MediaBox"))?;
    }
    let [a, b, c, d] = side;
    Ok([a.min(c), b.min(d), a.max(c), b.max(d)])
}

fn check_size([left, bottom, right, top]: [f64; 4], number: u32, limits: &Limits) -> Result<(), Damage> {
    let fits = |side: f64| (limits.page_side_min..=limits.page_side_max).contains(&side);
    if fits(right - left) && fits(top - bottom) {
        Ok(())
    } else {
        Err(Damage::PageSize(number))
    }
}

/// The streams a page draws must end where they say; they are not decoded.
fn contents<'d>(doc: &'d Document<'d>, page: &Dict<'d>, seen: &mut BTreeSet<Ref>) -> Result<(), Damage> {
    let Some(contents) = page.get("Contents") else {
        return Ok(());
    };
    let Some(id) = contents.as_ref() else {
        return content_array(doc, contents, seen);
    };
    match doc.get(id)? {
        Some(value) if value.as_array().is_some() => content_array(doc, &value, seen),
        Some(_) if seen.insert(id) => doc.stream(id).map(|_| ()),
        _ => Ok(()),
    }
}

fn content_array<'d>(
    doc: &'d Document<'d>,
    list: &Value<'d>,
    seen: &mut BTreeSet<Ref>,
) -> Result<(), Damage> {
    for item in list.as_array().ok_or(Damage::Entry("Contents"))? {
        let id = item.as_ref().ok_or(Damage::Entry("Contents"))?;
        if seen.insert(id) && doc.get(id)?.is_some() {
            doc.stream(id)?;
        }
    }
    Ok(())
}

fn annotations<'d>(
    doc: &'d Document<'d>,
    page: &Dict<'d>,
    actions: &mut Actions<'d>,
    seen: &mut Seen,
) -> Result<bool, Refused> {
    let mut plain = true;
    for item in doc.lookup_array(page, "Annots")?.unwrap_or_default() {
        plain &= item.as_ref().is_some();
        if item.as_ref().is_some_and(|id| !seen.annotations.insert(id)) {
            continue;
        }
        if let Kind::Dict(annotation) = doc.resolve(&item)?.kind {
            if annotation.ambiguous {
                return Err(Damage::Ambiguous.into());
            }
            actions.annotation(&annotation)?;
            layer(doc, &annotation, &mut seen.layers)?;
            if is_only_printed(doc, &annotation)? {
                return Err(Refused::HiddenContent(Hidden::Layers));
            }
        }
    }
    Ok(plain)
}

/// Whether an annotation is drawn on paper and not on screen, where the signer would read it.
fn is_only_printed<'d>(doc: &'d Document<'d>, annotation: &Dict<'d>) -> Result<bool, Damage> {
    let flags = doc.lookup(annotation, "F")?.and_then(|flags| flags.as_int());
    let stated = flags.unwrap_or(0) & (HIDDEN | PRINT | NO_VIEW);
    if stated != (PRINT | NO_VIEW) || !annotation.has("AP") {
        return Ok(false);
    }
    let area = doc.lookup(annotation, "Rect")?;
    let Some(area) = area.as_ref().and_then(Value::as_array) else {
        return Ok(false);
    };
    // Readers differ in how they repair odd numbers.
    Ok(rectangle(doc, area).map_or(true, |[left, bottom, right, top]| left < right && bottom < top))
}

/// Refuses images in the resources beyond the limit of pixels, and layers named there that are not shown.
fn resources<'d>(
    doc: &'d Document<'d>,
    owner: &Dict<'d>,
    limits: &Limits,
    seen: &mut Seen,
) -> Result<(), Refused> {
    let shared = owner.get("Resources").and_then(Value::as_ref);
    if let Some(id) = shared
        && let Some(known) = seen.resources.get(&id)
    {
        // Not read again here, but by readers that do not remember it.
        return Ok(doc.charge_bytes(*known)?);
    }
    let Some(value) = doc.lookup(owner, "Resources")? else {
        return Ok(());
    };
    seen.resources.extend(shared.map(|id| (id, value.raw.len())));
    let own = match value.kind {
        Kind::Dict(own) if !own.ambiguous => own,
        Kind::Dict(_) => return Err(Damage::Ambiguous.into()),
        _ => return Err(Damage::Entry("Resources").into()),
    };
    if let Some(Kind::Dict(named)) = doc.lookup(&own, "Properties")?.map(|value| value.kind) {
        for (_, item) in &named.entries {
            layers::membership(doc, item, &mut seen.layers)?;
        }
    }
    let Some(drawn) = doc.lookup_dict(&own, "XObject")? else {
        return Ok(());
    };
    let mut forms = Vec::new();
    for (_, item) in &drawn.entries {
        let Some(id) = item.as_ref() else { continue };
        if !seen.images.insert(id) {
            continue;
        }
        let Some(Kind::Dict(object)) = doc.get(id)?.map(|value| value.kind) else {
            continue;
        };
        layer(doc, &object, &mut seen.layers)?;
        seen.blanks
            .extend(blank_covers::blank_area(doc, id, &object).map(|area| (id, area)));
        if object.name("Subtype") == Some(b"Image") {
            let side = |key| {
                doc.lookup(&object, key)
                    .map(|value| value.and_then(|v| v.as_int()).unwrap_or(0))
            };
            let pixels = side("Width")?.max(0).saturating_mul(side("Height")?.max(0));
            if u64::try_from(pixels).unwrap_or(0) > limits.image_pixels {
                return Err(Refused::ImageTooLarge);
            }
        } else if object.has("Resources") {
            forms.push(object);
        }
    }
    inner_layers(doc, forms, seen)
}

/// Refuses layers that are not shown, where forms name them, and the forms inside these. What cannot be read there is
/// left to the renderer.
fn inner_layers<'d>(doc: &'d Document<'d>, mut forms: Vec<Dict<'d>>, seen: &mut Seen) -> Result<(), Refused> {
    while let Some(form) = forms.pop() {
        if let Some(id) = form.get("Resources").and_then(Value::as_ref)
            && (seen.resources.contains_key(&id) || !seen.inner_resources.insert(id))
        {
            continue;
        }
        let Some(Kind::Dict(own)) = readable(doc.lookup(&form, "Resources"))?.map(|value| value.kind) else {
            continue;
        };
        if let Some(Kind::Dict(named)) = readable(doc.lookup(&own, "Properties"))?.map(|value| value.kind) {
            for (_, item) in &named.entries {
                layers::membership(doc, item, &mut seen.layers)?;
            }
        }
        let Some(Kind::Dict(drawn)) = readable(doc.lookup(&own, "XObject"))?.map(|value| value.kind) else {
            continue;
        };
        for (_, item) in &drawn.entries {
            let Some(id) = item.as_ref() else { continue };
            if seen.images.contains(&id) || !seen.inner_objects.insert(id) {
                continue;
            }
            if let Some(Kind::Dict(object)) = readable(doc.get(id))?.map(|value| value.kind) {
                layer(doc, &object, &mut seen.layers)?;
                forms.extend(object.has("Resources").then_some(object));
            }
        }
    }
    Ok(())
}

/// What could be read, if no limit was exceeded.
fn readable<T>(found: Result<Option<T>, Damage>) -> Result<Option<T>, Damage> {
    match found {
        Err(damage) if !damage.is_excess() => Ok(None),
        found => found,
    }
}

/// The layers that a drawn object belongs to.
fn layer<'d>(doc: &'d Document<'d>, drawn: &Dict<'d>, seen: &mut BTreeSet<Ref>) -> Result<(), Refused> {
    drawn
        .get("OC")
        .map_or(Ok(()), |layer| layers::membership(doc, layer, seen))
}
