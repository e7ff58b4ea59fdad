//! Appearances that readers do not agree about: a field that seems to draw nothing, or little, and is painted over the
//! page by one of them.

use super::sneaky::enlisted;
use super::{Attack, SIZE, body, field_of};
use crate::build::{Doc, Xref, append, stream};
use crate::by_hand::{self, SIGNATURE};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible};

/// Paints more than a page.
pub(crate) const FLOOD: &[u8] = b"1 0 0 rg -2000 -2000 9000 9000 re f";

/// A new field with these entries, and the objects it needs: the field is object 400, its appearance 401.
pub(crate) struct DrawnField {
    pub(crate) name: &'static str,
    pub(crate) field: &'static str,
    pub(crate) look: Vec<u8>,
}

impl DrawnField {
    fn new(name: &'static str, field: &'static str, look: &str) -> Self {
        let look = stream(&format!("/Type/XObject/Resources<<>>{look}"), FLOOD);
        Self { name, field, look }
    }

    /// The objects of an update that adds the field to the first page.
    pub(crate) fn objects(&self, base: &[u8], entries: &str) -> Vec<(u32, Vec<u8>)> {
        let own = field_of(base);
        let field = format!(
            "<</Type/Annot/Subtype/Widget/FT/Sig/T(Otra)/P 4 0 R{}{}{entries}>>",
            if self.field.contains("/F ") { "" } else { "/F 4" },
            self.field
        );
        let page = Doc::page(5, &format!("/Annots[{own} 0 R 400 0 R]"));
        let letters = body(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 403 0 R>>/Resources<<>>>>",
        );
        let restoring = stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]",
            b"Q Q Q Q 9 9 9 9 re f",
        );
        vec![
            (1, enlisted(base, 400)),
            (4, body(&page)),
            (400, body(&field)),
            (401, self.look.clone()),
            (402, stream("/Type/XObject/Subtype/Form", FLOOD)),
            (403, restoring),
            (404, letters),
        ]
    }
}

/// Fields of which some reader draws something, though they have no area.
pub(crate) fn without_area() -> Vec<DrawnField> {
    let point = "/Rect[50 50 50 50]/AP<</N 401 0 R>>";
    vec![
        DrawnField::new("no box", point, "/Subtype/Form"),
        DrawnField::new("a box that dangles", point, "/Subtype/Form/BBox 499 0 R"),
        DrawnField::new("a box", point, "/Subtype/Form/BBox[0 0 200 200]"),
        DrawnField::new(
            "a box on a line",
            "/Rect[50 50 50 90]/AP<</N 401 0 R>>",
            "/Subtype/Form/BBox[0 0 200 200]",
        ),
        DrawnField {
            look: body("<</Off 402 0 R>>"),
            ..DrawnField::new("states instead of a drawing", point, "")
        },
        DrawnField::new("colours", "/Rect[50 50 50 50]/MK<</BG[1 0 0]/BC[0 0 1]>>", ""),
        DrawnField::new("no rectangle", "", ""),
        DrawnField::new("an area without a drawing", "/Rect[50 50 150 90]", ""),
    ]
}

/// Appearances that may leave the rectangle of a field that has an area.
fn beyond_their_area() -> Vec<DrawnField> {
    let area = "/Rect[50 50 150 90]/AP<</N 401 0 R>>";
    let form = "/Subtype/Form/BBox[0 0 100 40]";
    let with = |name, entries: &str| DrawnField::new(name, area, &format!("{form}{entries}"));
    let mut drawn = vec![
        DrawnField::new("no box", area, "/Subtype/Form"),
        DrawnField::new("a box that dangles", area, "/Subtype/Form/BBox 499 0 R"),
        DrawnField::new("a box of three numbers", area, "/Subtype/Form/BBox[0 0 100]"),
        DrawnField::new("a box of names", area, "/Subtype/Form/BBox[/a/b/c/d]"),
        DrawnField::new("a box of references", area, "/Subtype/Form/BBox[0 0 100 499 0 R]"),
        DrawnField::new("a box without area", area, "/Subtype/Form/BBox[0 0 0 40]"),
        DrawnField::new(
            "a box beyond all numbers",
            area,
            "/Subtype/Form/BBox[0 0 99999999999 40]",
        ),
        DrawnField::new("no form", area, "/Subtype/PS/BBox[0 0 100 40]"),
        with("a matrix of five numbers", "/Matrix[1 0 0 1 0]"),
        with("a matrix of names", "/Matrix[/a/b/c/d/e/f]"),
        with("a matrix that dangles", "/Matrix 499 0 R"),
        with("a singular matrix", "/Matrix[1 1 1 1 0 0]"),
        with("a matrix of zeros", "/Matrix[0 0 0 0 0 0]"),
        DrawnField {
            look: body("<</Off 402 0 R>>"),
            ..DrawnField::new("states instead of a drawing", area, "")
        },
        DrawnField::new(
            "another drawing under the mouse",
            "/Rect[50 50 150 90]/AP<</N 401 0 R/R 402 0 R>>",
            form,
        ),
        DrawnField::new(
            "a field that does not turn",
            "/Rect[50 50 150 90]/F 20/AP<</N 401 0 R>>",
            form,
        ),
    ];
    drawn.extend(restoring_states());
    drawn.extend([
        DrawnField {
            look: stream("/Type/XObject/Subtype/Form/BBox[0 0 100 40]", b"/A Do"),
            ..DrawnField::new("resources of the page", area, "")
        },
        DrawnField {
            look: stream(
                "/Type/XObject/Subtype/Form/BBox[0 0 100 40]/Resources<</Font<</T 404 0 R>>>>",
                b"BT /T 9 Tf (a) Tj ET",
            ),
            ..DrawnField::new("letters that are drawings", area, "")
        },
    ]);
    drawn
}

/// Appearances that restore a graphics state they did not save: pdf.js then clips to their area no longer.
pub(crate) fn restoring_states() -> Vec<DrawnField> {
    let restoring = |name, content: &[u8]| DrawnField {
        look: stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 100 40]/Resources<</XObject<</A 403 0 R>>>>",
            content,
        ),
        ..DrawnField::new(name, "/Rect[50 50 150 90]/AP<</N 401 0 R>>", "")
    };
    vec![
        restoring("a state that was not saved", b"Q Q Q Q 0 0 999 999 re f"),
        restoring("a state that a form did not save", b"/A Do"),
        restoring(
            "a state that is restored in one word",
            b"q fQ 0Q 0 0 999 999 re f",
        ),
    ]
}

pub(crate) fn all(person: &Person) -> Vec<Attack> {
    let mut attacks = Vec::new();
    let paper = |dialect| {
        PreparedPdf::new(Doc::contract(1).write(dialect))
            .signed(person, &invisible("Firma"))
            .bytes
    };
    for dialect in [Xref::Table, Xref::Stream] {
        let base = paper(dialect);
        for drawn in without_area() {
            let objects = drawn.objects(&base, "");
            attacks.push(Attack {
                name: format!("unsigned field without area, {} {dialect:?}", drawn.name),
                bytes: append(&base, &objects, SIZE, "/Root 1 0 R", dialect),
            });
        }
    }
    // The same with a key that counts.
    let base = paper(Xref::Table);
    let value = format!("/V {SIGNATURE} 0 R");
    let colourless = without_area()
        .into_iter()
        .filter(|drawn| drawn.field.contains("/AP"));
    for (kind, drawn) in colourless
        .map(|drawn| ("no area", drawn))
        .chain(beyond_their_area().into_iter().map(|drawn| ("an area", drawn)))
    {
        attacks.push(Attack {
            name: format!("signed field with {kind}, {}", drawn.name),
            bytes: by_hand::signed(&base, &drawn.objects(&base, &value), "", person),
        });
    }
    let fine = DrawnField::new(
        "",
        "/Rect[50 50 150 90]/AP<</N 401 0 R>>",
        "/Subtype/Form/BBox[0 0 100 40]",
    );
    attacks.push(Attack {
        name: "a timestamp that is drawn".into(),
        bytes: by_hand::stamped(&base, &fine.objects(&base, &value), person),
    });
    let empty = DrawnField::new("", "/Rect[50 50 150 90]", "");
    attacks.push(Attack {
        name: "a timestamp with an area".into(),
        bytes: by_hand::stamped(&base, &empty.objects(&base, &value), person),
    });
    attacks
}
