//! Follows the operators of a page through everything that they draw.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro::hayro_syntax::page::Resources;
use hayro::hayro_syntax::xref::XRef;
use rustc_hash::FxHashSet;

use crate::contents::saved_states::SavedStates;
use crate::fonts::{FontId, Fonts};
use crate::layers::Layers;
use crate::paint_probe::{Paints, Pattern};
use crate::{colour_spaces, filters, image_samples};

/// An operator that no page uses, appended to the contents: a parser that reads it has read everything before.
const END: &[u8] = b"\nFirmezaEnd\n";

/// Forms, patterns and glyphs nested deeper than this are not read. The renderer draws fifty levels.
const MAX_DEPTH: usize = 28;

/// Objects beyond this are a doubt, each counted once for every way to draw it. Ordinary pages have some hundreds.
const MAX_VISITS: usize = 20_000;

/// Operators that change what is seen. The renderer skips one with operands that do not fit it.
const OPERATORS: [&[u8]; 27] = [
    b"cm", b"Do", b"sh", b"gs", b"cs", b"CS", b"sc", b"scn", b"SC", b"SCN", b"g", b"G", b"rg", b"RG", b"k",
    b"K", b"Tf", b"Td", b"TD", b"Tm", b"Tj", b"TJ", b"'", b"\"", b"Tr", b"Tz", b"BDC",
];

/// How complete the contents of a page are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a doubt of its own")]
pub(crate) struct Contents {
    /// Every part can be decoded, parsed and painted.
    pub(crate) whole: bool,
    /// Every image can be painted, with all its samples.
    pub(crate) filled: bool,
    /// Every letter is drawn, with glyphs of its own font.
    pub(crate) lettered: bool,
    /// The fonts that stand in for those without a program lack no letter.
    pub(crate) supplied: bool,
}

/// Where a dictionary stands in the document.
type Place = *const u8;

/// The resources of an object itself.
struct Own<'a> {
    resources: Resources<'a>,
    place: Place,
}

impl<'a> Own<'a> {
    /// The dictionary of them, if there is one.
    fn find(object: &Dict<'a>) -> Option<Dict<'a>> {
        object.get(b"Resources".as_slice())
    }

    fn new(resources: Dict<'a>) -> Self {
        Self {
            place: resources.data().as_ptr(),
            resources: Resources::new(resources),
        }
    }
}

/// Where operators find their resources, and what may be painted there.
pub(super) struct Scope<'s, 'a> {
    resources: &'s Resources<'a>,
    /// Where these resources stand; null for those of the page.
    place: Place,
    depth: usize,
    /// In a pattern or glyph that takes its colour from outside, images other than stencils are not drawn.
    uncoloured: bool,
    font: CurrentFont,
    group: Group,
}

impl<'s, 'a> Scope<'s, 'a> {
    pub(super) fn page(resources: &'s Resources<'a>) -> Self {
        Self {
            resources,
            place: std::ptr::null(),
            depth: 0,
            uncoloured: false,
            font: CurrentFont::Unset,
            group: Group::Isolated,
        }
    }

    /// The scope inside an object: with its own resources, or else with those around it.
    fn inner(&self, own: Option<&'s Own<'a>>) -> Self {
        let around = (self.resources, self.place);
        let (resources, place) = own.map_or(around, |own| (&own.resources, own.place));
        Self {
            resources,
            place,
            depth: self.depth + 1,
            uncoloured: self.uncoloured,
            font: CurrentFont::Unset,
            group: self.group,
        }
    }
}

/// The font of text: the renderer draws ASCII in Helvetica if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum CurrentFont {
    Unset,
    Found(FontId),
    Missing,
}

/// The transparency group that contents are painted in. The renderer takes each for an isolated one: what is in it is
/// blended with nothing but the rest of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    /// A page counts as one.
    Isolated,
    /// Blended with what was painted before it.
    Open,
    /// Each part hides those before it, also where it is translucent.
    Knockout,
}

impl Group {
    fn of(group: &Dict<'_>) -> Self {
        let is = |key: &[u8]| group.get::<bool>(key).unwrap_or(false);
        match (is(b"K"), is(b"I")) {
            (true, _) => Self::Knockout,
            (false, true) => Self::Isolated,
            (false, false) => Self::Open,
        }
    }
}

/// An object, and all that it is drawn with: with another font or other resources it may lack something.
#[derive(PartialEq, Eq, Hash)]
struct Visit {
    object: ObjectIdentifier,
    uncoloured: bool,
    font: CurrentFont,
    group: Group,
    /// The resources around it, if it looks for something in them.
    around: Option<Place>,
}

pub(super) struct Reader<'f, 'a> {
    paints: Paints<'f, 'a>,
    layers: Layers,
    settings: &'f InterpreterSettings,
    fonts: &'f mut Fonts,
    pub(super) found: Contents,
    /// Whether the page leaves a graphics state behind in which the renderer draws annotations.
    pub(super) leaks: bool,
    /// Whether a group is blended with what was painted before it.
    pub(super) blends: bool,
    /// What was read before.
    seen: FxHashSet<Visit>,
}

impl<'f, 'a> Reader<'f, 'a> {
    pub(super) fn new(xref: &'a XRef, settings: &'f InterpreterSettings, fonts: &'f mut Fonts) -> Self {
        Self {
            paints: Paints::new(xref, settings),
            layers: Layers::of(xref),
            settings,
            fonts,
            found: Contents {
                whole: true,
                filled: true,
                lettered: true,
                supplied: true,
            },
            leaks: false,
            blends: false,
            seen: FxHashSet::default(),
        }
    }

    pub(super) fn operators(&mut self, contents: &[u8], scope: &Scope<'_, 'a>) {
        let marked = [contents, END].concat();
        let mut operations = TypedIter::new(&marked);
        let resources = scope.resources;
        let mut ended = false;
        let mut font = scope.font;
        let mut states = SavedStates::new(font, scope.depth > 0);
        // Open marked content: whether it belongs to a layer.
        let mut layers = Vec::new();
        while let Some(operation) = operations.next() {
            ended = false;
            states.follow(&operation);
            match operation {
                TypedInstruction::SaveState(_) => states.save(font),
                TypedInstruction::RestoreState(_) => font = states.restore(font),
                TypedInstruction::XObject(drawn) => match resources.get_x_object(drawn.0) {
                    Some(object) => self.object(&object, scope, font),
                    None => self.found.whole = false,
                },
                TypedInstruction::InlineImage(image) => {
                    self.found.filled &= image_samples::are_drawn(image.0, resources, scope.uncoloured);
                }
                TypedInstruction::TextFont(chosen) => {
                    font = match resources.get_font(chosen.0) {
                        Some(dict) => CurrentFont::Found(self.font(&dict, scope)),
                        None => CurrentFont::Missing,
                    };
                }
                TypedInstruction::ShowText(shown) => self.letters(font, true, shown.0.as_bytes()),
                TypedInstruction::ShowTexts(shown) => {
                    for part in shown.0.iter::<Object<'_>>() {
                        if let Object::String(text) = part {
                            self.letters(font, true, text.as_bytes());
                        }
                    }
                }
                TypedInstruction::NextLineAndShowText(shown) => {
                    self.letters(font, false, shown.0.as_bytes());
                }
                TypedInstruction::ShowTextWithParameters(shown) => {
                    self.letters(font, false, shown.2.as_bytes());
                }
                TypedInstruction::ColorSpaceStroke(space) => self.colour_space(space.0, resources),
                TypedInstruction::ColorSpaceNonStroke(space) => self.colour_space(space.0, resources),
                TypedInstruction::StrokeColorNamed(colour) => {
                    if let Some(name) = colour.1 {
                        self.pattern(name, scope);
                    }
                }
                TypedInstruction::NonStrokeColorNamed(colour) => {
                    if let Some(name) = colour.1 {
                        self.pattern(name, scope);
                    }
                }
                TypedInstruction::Shading(shading) => {
                    self.found.whole &= self.paints.shading_is_drawn(shading.0, resources);
                }
                TypedInstruction::SetGraphicsState(state) => self.graphics_state(state.0, scope, &mut font),
                TypedInstruction::BeginMarkedContentWithProperties(content) => {
                    layers.push(**content.0 == *b"OC");
                    self.found.whole &= self.layers.show_marked(content.1, resources);
                }
                TypedInstruction::BeginMarkedContent(_) => layers.push(false),
                TypedInstruction::EndMarkedContent(_) => {
                    layers.pop();
                }
                TypedInstruction::Fallback(operator) => {
                    ended = END.trim_ascii() == &**operator;
                    self.found.whole &= !OPERATORS.contains(&&**operator);
                }
                _ => {}
            }
        }
        // A layer that is not closed hides also what follows, outside these contents.
        self.found.whole &= ended && states.are_usual && !layers.contains(&true);
        self.leaks |= states.leak && scope.depth == 0;
    }

    fn letters(&mut self, font: CurrentFont, replaced: bool, text: &[u8]) {
        if let CurrentFont::Found(font) = font {
            let is_drawn = self.fonts.have_glyphs(font, text);
            let has_program = self.fonts.have_program(font);
            self.found.lettered &= is_drawn || !has_program;
            self.found.supplied &= is_drawn || has_program;
        } else {
            let drawn = text.is_ascii() && (replaced || font == CurrentFont::Missing);
            self.found.lettered &= drawn || text.is_empty();
        }
    }

    fn font(&mut self, font: &Dict<'a>, scope: &Scope<'_, 'a>) -> FontId {
        let id = self.fonts.look_at(font, self.settings);
        self.found.lettered &= self.fonts.are_own(id);
        let kind = font.get::<Name<'_>>(b"Subtype".as_slice());
        if kind.as_deref() == Some(b"Type3".as_slice()) {
            self.drawn_font(font, scope);
        }
        id
    }

    /// Reads the glyphs of a font that are drawn by contents of their own.
    fn drawn_font(&mut self, font: &Dict<'a>, scope: &Scope<'_, 'a>) {
        let glyphs = font.get::<Dict<'_>>(b"CharProcs".as_slice()).unwrap_or_default();
        let shared = Own::find(font).map(Own::new);
        for name in glyphs.keys() {
            let Some(glyph) = glyphs.get::<Stream<'_>>(&*name) else {
                continue;
            };
            let own = Own::find(glyph.dict());
            let around = (own.is_none() && shared.is_none()).then_some(scope.place);
            if !self.is_next(&glyph, scope, CurrentFont::Unset, around) {
                continue;
            }
            let own = own.map(Own::new);
            match glyph.decoded_data() {
                Ok(contents) if filters::are_known(&glyph) => {
                    let mut inner = scope.inner(own.as_ref().or(shared.as_ref()));
                    inner.uncoloured |= !has_colours(&contents);
                    self.operators(&contents, &inner);
                }
                _ => self.found.lettered = false,
            }
        }
    }

    fn colour_space(&mut self, name: &Name<'_>, resources: &Resources<'a>) {
        self.found.whole &= colour_spaces::named(name, resources).is_some();
    }

    fn pattern(&mut self, name: &Name<'_>, scope: &Scope<'_, 'a>) {
        match self.paints.pattern(name, scope.resources) {
            Pattern::Undrawn => self.found.whole = false,
            Pattern::Shading => {}
            Pattern::Tiling => {
                let Some(Object::Stream(tile)) = scope.resources.get_pattern(name) else {
                    return;
                };
                if !self.is_next(&tile, scope, CurrentFont::Unset, None) {
                    return;
                }
                let dict = tile.dict();
                // A pattern finds nothing in the resources of the page.
                let own = Own::new(Own::find(dict).unwrap_or_default());
                match tile.decoded_data() {
                    Ok(contents) if filters::are_known(&tile) => {
                        let mut inner = scope.inner(Some(&own));
                        inner.uncoloured |= dict.get::<u8>(b"PaintType".as_slice()) != Some(1);
                        inner.group = Group::Isolated;
                        self.operators(&contents, &inner);
                    }
                    _ => self.found.whole = false,
                }
            }
        }
    }

    fn graphics_state(&mut self, name: &Name<'_>, scope: &Scope<'_, 'a>, font: &mut CurrentFont) {
        let Some(state) = scope.resources.get_ext_g_state(name) else {
            self.found.whole = false;
            return;
        };
        if let Some(chosen) = state.get::<Array<'_>>(b"Font".as_slice()) {
            *font = match chosen.iter::<Dict<'_>>().next() {
                Some(dict) => CurrentFont::Found(self.font(&dict, scope)),
                None => CurrentFont::Missing,
            };
        }
        // The renderer changes colours by a transfer function; readers on screens do not.
        for key in [b"TR".as_slice(), b"TR2"] {
            let function = state.get::<Object<'_>>(key);
            self.found.whole &= matches!(function, None | Some(Object::Name(_) | Object::Null(_)));
        }
        match scope.group {
            Group::Isolated => {}
            Group::Open => self.blends |= blends(&state),
            Group::Knockout => self.found.whole &= !blends(&state) && !is_translucent(&state),
        }
        if let Some(mask) = state.get::<Dict<'_>>(b"SMask".as_slice()) {
            self.found.whole &= self.paints.mask_is_drawn(name, scope.resources);
            if let Some(group) = mask.get::<Stream<'_>>(b"G".as_slice()) {
                self.form(&group, scope);
            }
        }
    }

    /// Whether an object is to be read: not before with this font and the resources around it, and not too deep.
    fn is_next(
        &mut self,
        object: &Stream<'_>,
        scope: &Scope<'_, 'a>,
        font: CurrentFont,
        around: Option<Place>,
    ) -> bool {
        let visit = Visit {
            object: object.obj_id(),
            uncoloured: scope.uncoloured,
            font,
            group: scope.group,
            around,
        };
        if self.seen.contains(&visit) {
            return false;
        }
        let fits = scope.depth < MAX_DEPTH && self.seen.len() < MAX_VISITS;
        self.found.whole &= fits;
        fits && self.seen.insert(visit)
    }

    /// Reads a form or an image that is drawn by its name.
    fn object(&mut self, object: &Stream<'a>, scope: &Scope<'_, 'a>, font: CurrentFont) {
        let dict = object.dict();
        match dict.get::<Name<'_>>(b"Subtype".as_slice()).as_deref() {
            Some(b"Image") => {
                self.found.whole &= self.layers.show_object(dict);
                let space = dict.get::<Name<'_>>(b"ColorSpace".as_slice());
                let space = space.or_else(|| dict.get(b"CS".as_slice()));
                let is_looked_for = space.is_some_and(|space| !colour_spaces::is_device(&space));
                let around = is_looked_for.then_some(scope.place);
                if self.is_next(object, scope, CurrentFont::Unset, around) {
                    self.found.filled &= image_samples::are_drawn(object, scope.resources, scope.uncoloured);
                }
            }
            Some(b"Form") => {
                let inside = Scope { font, ..*scope };
                self.form(object, &inside);
            }
            _ => self.found.whole = false,
        }
    }

    /// Reads a form, however it is drawn.
    pub(super) fn form(&mut self, form: &Stream<'a>, scope: &Scope<'_, 'a>) {
        let dict = form.dict();
        let own = Own::find(dict);
        let around = own.is_none().then_some(scope.place);
        let group = dict.get::<Dict<'_>>(b"Group".as_slice());
        let group = group.map_or(scope.group, |group| Group::of(&group));
        let scope = &Scope { group, ..*scope };
        if !self.is_next(form, scope, scope.font, around) {
            return;
        }
        self.found.whole &= self.layers.show_object(dict);
        let own = own.map(Own::new);
        self.found.whole &= dict.get::<[f32; 4]>(b"BBox".as_slice()).is_some();
        match form.decoded_data() {
            Ok(contents) if filters::are_known(form) => {
                let mut inner = scope.inner(own.as_ref());
                inner.font = scope.font;
                self.operators(&contents, &inner);
            }
            _ => self.found.whole = false,
        }
    }
}

/// Whether a graphics state has a blend mode that is not the normal one.
fn blends(state: &Dict<'_>) -> bool {
    let key = b"BM".as_slice();
    let list = state.get::<Array<'_>>(key);
    let listed = list.iter().flat_map(Array::iter::<Name<'_>>);
    let mut modes = state.get::<Name<'_>>(key).into_iter().chain(listed);
    modes.any(|mode| !matches!(&*mode, b"Normal" | b"Compatible"))
}

/// Whether what is painted in a graphics state lets something of what is under it through.
fn is_translucent(state: &Dict<'_>) -> bool {
    let opacities = [b"ca".as_slice(), b"CA"];
    let mut opacities = opacities.iter().filter_map(|key| state.get::<f32>(*key));
    opacities.any(|opacity| opacity < 1.0) || state.get::<Dict<'_>>(b"SMask".as_slice()).is_some()
}

/// Whether a glyph has colours of its own, as its first operator says.
fn has_colours(glyph: &[u8]) -> bool {
    let mut operations = TypedIter::new(glyph);
    while let Some(operation) = operations.next() {
        match operation {
            TypedInstruction::ColorGlyph(_) => return true,
            TypedInstruction::ShapeGlyph(_) => return false,
            _ => {}
        }
    }
    false
}
