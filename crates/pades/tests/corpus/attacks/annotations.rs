//! Evil annotations: a certified document allows some changes, so something is drawn over its pages.

use super::{Attack, Victim, body, field_of};
use crate::build::stream;

pub(crate) fn all(victim: &Victim) -> Vec<Attack> {
    let drawing = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 200 50]",
        b"1 g 0 0 200 50 re f",
    );
    let kinds = [
        "FreeText",
        "Stamp",
        "Redact",
        "Text",
        "Square",
        "Line",
        "Ink",
        "Highlight",
        "Watermark",
        "Popup",
        "Caret",
        "Link",
        "Widget",
    ];
    let mut attacks = Vec::new();
    for kind in kinds {
        let note = format!(
            "<</Type/Annot/Subtype/{kind}/Rect[72 700 272 750]/P 4 0 R/AP<</N 401 0 R>>/Contents(x)>>"
        );
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[{} 0 R 400 0 R]>>",
            field_of(&victim.bytes)
        );
        let objects = [(400, body(&note)), (401, drawing.clone()), (4, body(&page))];
        attacks.push(victim.attack(&format!("annotation {kind}"), victim.update(&objects)));
    }
    let look =
        "<</FT/Tx/T(valor)/V(100)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 6 0 R/AP<</N 401 0 R>>>>";
    attacks.push(victim.attack(
        "field drawn anew",
        victim.update(&[(8, body(look)), (401, drawing)]),
    ));
    attacks
}
