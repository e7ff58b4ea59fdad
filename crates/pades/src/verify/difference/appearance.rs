//! What the appearance of a field can paint. Readers disagree about an appearance whose box, matrix or
//! rectangle is missing, malformed or without area: some paint it unscaled over the page. So an appearance
//! counts as painting nothing, or within the rectangle of its field, only if all readers must agree.

use pdf::file::Document;
use pdf::syntax::{Dict, Kind, Ref, Value, is_delimiter, is_plain_number, is_space};
use rustc_hash::FxHashSet;

use super::Comparison;
use crate::verify::references::AppearanceKind;

/// Coordinates beyond this overflow the numbers of some readers.
const MAX_COORDINATE: f64 = 100_000.0;
/// `PDFium` does not scale an appearance narrower than a thousandth of a point.
const MIN_SIDE: f64 = 0.01;
/// A matrix with a smaller determinant counts as singular.
const MIN_DETERMINANT: f64 = 0.000_1;
/// Streams that draw one appearance, at most.
const MAX_STREAMS: usize = 64;

/// What an appearance paints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Painted {
    /// Nothing, in every reader.
    Nothing,
    /// Something, inside the rectangle of the field.
    Inside,
    /// Something that is not known to stay inside the rectangle.
    Anywhere,
}

/// The width and height of a field's rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    width: f64,
    height: f64,
}

impl Area {
    const NONE: Self = Self {
        width: 0.0,
        height: 0.0,
    };

    /// The area of a field; `None` if it is malformed. A field that is no annotation needs none.
    pub(super) fn of(field: &Dict<'_>) -> Option<Self> {
        if !field.has("Rect") && !field.has("Subtype") {
            return Some(Self::NONE);
        }
        let [left, bottom, right, top] = numbers(field, "Rect")?;
        Some(Self {
            width: (right - left).abs(),
            height: (top - bottom).abs(),
        })
    }

    /// Whether it is a point, in which no reader paints a field that has no appearance.
    pub(super) fn is_point(self) -> bool {
        self.width == 0.0 && self.height == 0.0
    }

    fn is_wide(self) -> bool {
        self.width >= MIN_SIDE && self.height >= MIN_SIDE
    }
}

impl<'d> Comparison<'d> {
    /// What the appearance of a widget paints; `None` if it is not made of one stream, which is new or one of `parts`:
    /// objects of its appearance in the signed revision.
    pub(super) fn painted(
        &self,
        widget: &Dict<'d>,
        id: Ref,
        parts: &[Ref],
        area: Option<Area>,
    ) -> Option<Painted> {
        let Some(value) = widget.get("AP") else {
            return Some(Painted::Nothing);
        };
        let object = value.as_ref();
        if object.is_some_and(|object| !self.is_own(object, id, parts) || !self.is_plain(object)) {
            return None;
        }
        let looks = self.new.resolve(value).ok()?;
        let looks = looks.as_dict().filter(|looks| !looks.ambiguous)?;
        // The other entries draw a pressed or hovered field.
        if looks.entries.iter().any(|(key, _)| key.as_ref() != b"N") {
            return None;
        }
        let Some(normal) = looks.get("N") else {
            return Some(Painted::Nothing);
        };
        // A dictionary of states is no stream: some readers draw one of them without being told which.
        let owner = object.unwrap_or(id);
        let id = normal.as_ref().filter(|id| self.is_own(*id, owner, parts))?;
        let kind = self.cache.appearance_kind(id, || self.classify(id));
        Some(match kind {
            AppearanceKind::None => return None,
            AppearanceKind::Blank => Painted::Nothing,
            AppearanceKind::Clipped if area.is_some_and(Area::is_wide) => Painted::Inside,
            AppearanceKind::Clipped | AppearanceKind::Unclipped => Painted::Anywhere,
        })
    }

    /// Whether an object is new, or one of these with another version, which nothing but `owner` referred to.
    fn is_own(&self, id: Ref, owner: Ref, parts: &[Ref]) -> bool {
        self.added.contains(&id.number)
            || parts.contains(&id) && self.references.only_from(id.number, owner.number)
    }

    /// The kind of a stream as an appearance.
    fn classify(&self, id: Ref) -> AppearanceKind {
        let Ok(stream) = self.new.stream(id) else {
            return AppearanceKind::None;
        };
        let Some(content) = self.content(id) else {
            return AppearanceKind::Unclipped;
        };
        if is_blank(&content) {
            return AppearanceKind::Blank;
        }
        if has_box(&stream.dict) && stream.dict.name("Subtype") == Some(b"Form") && self.stays_inside(id) {
            AppearanceKind::Clipped
        } else {
            AppearanceKind::Unclipped
        }
    }

    /// The operators of a stream.
    fn content(&self, id: Ref) -> Option<Vec<u8>> {
        let content = self.new.decoded(id).ok()?;
        self.new.charge_bytes(content.len()).ok()?;
        Some(content)
    }

    /// Whether no stream that draws the appearance can undo the clipping to its box. pdf.js lets a form restore the
    /// graphics state that was saved before the form began.
    fn stays_inside(&self, form: Ref) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = vec![form];
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > MAX_STREAMS {
                return false;
            }
            let Ok(stream) = self.new.stream(id) else {
                return false;
            };
            let Some(content) = self.content(id) else {
                return false;
            };
            if is_blank(&content) {
                continue;
            }
            let known = match self.new.lookup_dict(&stream.dict, "Resources") {
                Ok(Some(resources)) => self.drawn_by(&resources, &mut pending).is_some(),
                // Without resources of its own a form uses those of the page, by their names.
                Ok(None) => !content.contains(&b'/'),
                Err(_) => false,
            };
            if !known || !is_balanced(&content) {
                return false;
            }
        }
        true
    }

    /// The streams whose operators run where these resources are used; `None` if one of them cannot be known.
    fn drawn_by(&self, resources: &Dict<'d>, streams: &mut Vec<Ref>) -> Option<()> {
        for (_, value) in self.category(resources, "XObject")?.entries {
            let id = value.as_ref()?;
            match self.new.stream(id).ok()?.dict.name("Subtype")? {
                b"Image" => {}
                b"Form" => streams.push(id),
                _ => return None,
            }
        }
        for (_, value) in self.category(resources, "Pattern")?.entries {
            if let Some(id) = value.as_ref()
                && self.new.stream(id).is_ok()
            {
                streams.push(id);
            }
        }
        for (_, value) in self.category(resources, "Font")?.entries {
            self.font(&value)?;
        }
        for (_, value) in self.category(resources, "ExtGState")?.entries {
            let Kind::Dict(state) = self.new.resolve(&value).ok()?.kind else {
                return None;
            };
            if let Some(Kind::Dict(mask)) = self.new.lookup(&state, "SMask").ok()?.map(|mask| mask.kind) {
                streams.push(mask.get("G")?.as_ref()?);
            }
            for font in self
                .new
                .lookup_array(&state, "Font")
                .ok()?
                .iter()
                .flatten()
                .take(1)
            {
                self.font(font)?;
            }
        }
        Some(())
    }

    fn category(&self, resources: &Dict<'d>, key: &'static str) -> Option<Dict<'d>> {
        let found = self.new.lookup_dict(resources, key).ok()?.unwrap_or_default();
        (!found.ambiguous).then_some(found)
    }

    /// The letters of a Type 3 font are operators too; no producer of signatures uses one.
    fn font(&self, font: &Value<'d>) -> Option<()> {
        let Kind::Dict(font) = self.new.resolve(font).ok()?.kind else {
            return None;
        };
        (font.name("Subtype")? != b"Type3").then_some(())
    }
}

/// The objects that make up the appearance of a widget: its dictionary, if that is an object, and its stream.
pub(super) fn appearance_objects<'d>(doc: &'d Document<'d>, widget: &Dict<'d>) -> Vec<Ref> {
    let Some(value) = widget.get("AP") else {
        return Vec::new();
    };
    let looks = doc.resolve(value).ok();
    let normal = looks
        .as_ref()
        .and_then(Value::as_dict)
        .and_then(|looks| looks.get("N")?.as_ref());
    value.as_ref().into_iter().chain(normal).collect()
}

/// The numbers under a key: exactly `N`, in digits, and small enough for every reader.
fn numbers<const N: usize>(dict: &Dict<'_>, key: &str) -> Option<[f64; N]> {
    let items = dict.get(key)?.as_array()?;
    let read = |item: &Value<'_>| {
        let number = item.as_number().filter(|_| is_plain_number(item.raw))?;
        (number.abs() <= MAX_COORDINATE).then_some(number)
    };
    let found: Vec<f64> = items.iter().map(read).collect::<Option<_>>()?;
    found.try_into().ok()
}

/// Whether a form has a box with an area, also after its matrix was applied.
fn has_box(form: &Dict<'_>) -> bool {
    let Some([left, bottom, right, top]) = numbers(form, "BBox") else {
        return false;
    };
    // pyHanko writes the upper corner first; every reader takes any two opposite corners.
    let (width, height) = (f64::abs(right - left), f64::abs(top - bottom));
    let matrix = match form.get("Matrix") {
        None => Some([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        Some(_) => numbers(form, "Matrix"),
    };
    let Some([a, b, c, d, _, _]) = matrix else {
        return false;
    };
    let wide = f64::abs(a * width) + f64::abs(c * height);
    let high = f64::abs(b * width) + f64::abs(d * height);
    [width, height, wide, high].iter().all(|side| *side >= MIN_SIDE)
        && [wide, high].iter().all(|side| *side <= MAX_COORDINATE)
        && f64::abs(a * d - b * c) >= MIN_DETERMINANT
}

/// Whether there is no operator in a content stream, only white space and comments.
fn is_blank(content: &[u8]) -> bool {
    content.split(|byte| matches!(byte, b'\r' | b'\n')).all(|line| {
        let code = line.iter().position(|byte| *byte == b'%').unwrap_or(line.len());
        let (code, comment) = line.split_at(code);
        // Another byte may end a comment for some reader.
        code.iter().all(|byte| is_space(*byte)) && comment.iter().all(|byte| (b' '..=b'~').contains(byte))
    })
}

/// Whether a content stream restores no state that it did not save, for every reader.
fn is_balanced(content: &[u8]) -> bool {
    let mut saved = 0_usize;
    let mut at = 0;
    while let Some(&byte) = content.get(at) {
        let rest = content.get(at..).unwrap_or_default();
        let length = match byte {
            b'%' => rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')),
            b'(' => string(rest),
            b'/' => Some(1 + token(rest.get(1..).unwrap_or_default())),
            b'<' if rest.get(1) == Some(&b'<') => Some(2),
            // Hexadecimal digits have no letter that matters here.
            b'<' => rest.iter().position(|byte| *byte == b'>'),
            _ if is_space(byte) || is_delimiter(byte) => Some(1),
            _ => {
                let word = rest.get(..token(rest)).unwrap_or_default();
                match word {
                    b"q" => saved += 1,
                    b"Q" => match saved.checked_sub(1) {
                        Some(left) => saved = left,
                        None => return false,
                    },
                    // Readers disagree about where the data of an inline image ends.
                    b"BI" => return false,
                    // Some readers take such a word apart.
                    _ if word.iter().any(|byte| matches!(byte, b'q' | b'Q')) => return false,
                    _ => {}
                }
                Some(word.len())
            }
        };
        match length {
            Some(length) => at += length,
            // A comment may be the end; a string must have one.
            None => return byte == b'%',
        }
    }
    true
}

/// The length of the regular characters at the beginning.
fn token(rest: &[u8]) -> usize {
    rest.iter()
        .position(|byte| is_space(*byte) || is_delimiter(*byte))
        .unwrap_or(rest.len())
}

/// The length of the string at the beginning, with its parentheses.
fn string(rest: &[u8]) -> Option<usize> {
    let mut open = 0_usize;
    let mut escaped = false;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => open += 1,
            b')' if open == 1 => return Some(at + 1),
            b')' => open -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    use pdf::Meter;
    use pdf::syntax::Parser;

    /// Whether a test holds for the dictionary with these entries.
    fn holds(entries: &str, test: impl FnOnce(&Dict<'_>) -> bool) -> bool {
        let dictionary = format!("<<{entries}>>");
        let meter = Meter::new(1_000, 1_000, 10);
        let value = Parser::new(dictionary.as_bytes(), 0, &meter).value().unwrap();
        test(value.as_dict().unwrap())
    }

    #[test]
    fn a_line_is_no_point_and_has_no_width() {
        let area = |rect: &str| holds_area(&format!("/Rect[{rect}]"));
        assert_eq!(area("5 5 5 5"), Some((true, false)));
        assert_eq!(area("5 5 5 9"), Some((false, false)));
        assert_eq!(area("5 5 9 5"), Some((false, false)));
        assert_eq!(area("9 9 5 5"), Some((false, true)));
        assert_eq!(area("0 0 0.01 0.01"), Some((false, true)));
        assert_eq!(area("0 0 0.009 1"), Some((false, false)));
        assert_eq!(area("0 0 1 0.009"), Some((false, false)));
        assert_eq!(area("0 0 100000 1"), Some((false, true)));
        assert_eq!(area("0 0 100001 1"), None);
        assert_eq!(area("0 0 1"), None);
        assert_eq!(holds_area(""), Some((true, false)), "no annotation");
        assert_eq!(holds_area("/Subtype/Widget"), None);
    }

    /// Whether the area of a field is a point, and whether it is wide.
    fn holds_area(entries: &str) -> Option<(bool, bool)> {
        let mut found = None;
        holds(entries, |field| {
            found = Area::of(field).map(|area| (area.is_point(), area.is_wide()));
            true
        });
        found
    }

    #[test]
    fn a_form_has_a_box_with_an_area_before_and_after_its_matrix() {
        for sound in [
            "/BBox[0 0 10 20]",
            "/BBox[10 20 0 0]",
            "/BBox[0 0 0.01 0.01]",
            "/BBox[0 0 100000 1]",
            "/BBox[0 0 10 20]/Matrix[0 1 -1 0 0 0]",
            "/BBox[0 0 10 20]/Matrix[1 0 0 1 7 9]",
            "/BBox[0 0 10 20]/Matrix[2 1 1 2 0 0]",
            "/BBox[0 0 10 20]/Matrix[0.01 0 0 0.01 0 0]",
            "/BBox[0 0 50000 1]/Matrix[2 0 0 2 0 0]",
        ] {
            assert!(holds(sound, has_box), "{sound}");
        }
        for unsound in [
            "",
            "/BBox[0 0 0 20]",
            "/BBox[0 0 10 0]",
            "/BBox[0 0 0.009 20]",
            "/BBox[0 0 10 0.009]",
            "/BBox[0 0 100001 1]",
            "/BBox[5 5 5.005 25]/Matrix[9 0 0 1 0 0]",
            "/BBox[0 0 10 20]/Matrix[1 0 0 1 0]",
            "/BBox[0 0 10 20]/Matrix[1 1 1 1 0 0]",
            "/BBox[0 0 10 20]/Matrix[2 4 1 2 0 0]",
            "/BBox[0 0 10 20]/Matrix[0 1 0 1 0 0]",
            "/BBox[0 0 10 20]/Matrix[1 0 1 0 0 0]",
            "/BBox[0 0 1000 1000]/Matrix[0.009 0 0 0.01 0 0]",
            "/BBox[0 0 50001 1]/Matrix[2 0 0 2 0 0]",
            "/BBox[0 0 1 50001]/Matrix[2 0 0 2 0 0]",
            "/BBox[0 0 60000 60000]/Matrix[1 0 1 2 0 0]",
            "/BBox[0 0 60000 60000]/Matrix[2 1 0 1 0 0]",
            "/BBox[0 0 0.1 0.1]/Matrix[0.05 0 0 1 0 0]",
            "/BBox[0 0 0.1 0.1]/Matrix[1 0 0 0.05 0 0]",
        ] {
            assert!(!holds(unsound, has_box), "{unsound}");
        }
    }

    #[test]
    fn only_space_and_comments_are_blank() {
        for blank in ["", " \n\t", "% DSBlank\n", "%%%\r\n  % again"] {
            assert!(is_blank(blank.as_bytes()), "{blank:?}");
        }
        for drawn in ["f", "% x\rf", "% x\u{c}f", "%\0f", "% a\n f", "(%)Tj"] {
            assert!(!is_blank(drawn.as_bytes()), "{drawn:?}");
        }
    }

    #[test]
    fn a_state_that_was_not_saved_is_not_restored() {
        for balanced in [
            "",
            "q Q",
            "q q Q Q q",
            "/Q Do q(Q) Tj Q",
            "(a\\(Q) Tj",
            "((Q)Q) Tj",
            "<</Q 1>> BDC EMC",
            "% Q\nq Q",
            "q% Q",
            "[(q)-5<00>]TJ",
        ] {
            assert!(is_balanced(balanced.as_bytes()), "{balanced}");
        }
        for escaping in [
            "Q",
            "q Q Q",
            "fQ",
            "0Q",
            "qq Q Q",
            "BI ID Q EI",
            "BI ID EI",
            "<<Q>>",
            "(Q",
            "<Q",
            "<00",
            "% x\rQ",
            "(\\\\)Q(",
        ] {
            assert!(!is_balanced(escaping.as_bytes()), "{escaping}");
        }
    }
}
