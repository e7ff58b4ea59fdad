//! Incremental saving: something is appended that changes what is read.

use super::shadow::packed;
use super::{Attack, SIZE, Victim, body, field_of};
use crate::build::{Xref, append, object, startxref, stream};

/// An update whose cross-references list the contents twice: where they were, and where others are.
fn twice(victim: &Victim, evil: &[u8]) -> Vec<u8> {
    let mut out = victim.bytes.clone();
    let was = out.windows(9).position(|w| w == b"\n5 0 obj\n").unwrap() + 1;
    let now = out.len();
    object(&mut out, 5, evil);
    let (at, past) = (out.len(), startxref(&victim.bytes));
    if victim.dialect == Xref::Table {
        out.extend_from_slice(format!("xref\n5 1\n{was:010} 00000 n\r\n5 1\n{now:010} 00000 n\r\ntrailer\n<</Root 1 0 R/Size {SIZE}/Prev {past}>>\n").as_bytes());
    } else {
        let places = [was, now, at].map(|place| u32::try_from(place).unwrap().to_be_bytes());
        let dict = format!(
            "/Type/XRef/Size {}/W[0 4 0]/Index[5 1 5 1 {SIZE} 1]/Root 1 0 R/Prev {past}",
            SIZE + 1
        );
        object(&mut out, SIZE, &stream(&dict, places.as_flattened()));
    }
    out.extend_from_slice(format!("startxref\n{at}\n%%EOF\n").as_bytes());
    out
}

/// The same with one entry in a table, and the other in the stream that the table names.
fn hybrid(victim: &Victim, evil: &[u8]) -> Vec<u8> {
    let mut out = victim.bytes.clone();
    let was = out.windows(9).position(|w| w == b"\n5 0 obj\n").unwrap() + 1;
    let now = out.len();
    object(&mut out, 5, evil);
    let (hidden, past) = (out.len(), startxref(&victim.bytes));
    let places = [now, hidden].map(|place| u32::try_from(place).unwrap().to_be_bytes());
    let dict = format!("/Type/XRef/Size {}/W[0 4 0]/Index[5 1 {SIZE} 1]", SIZE + 1);
    object(&mut out, SIZE, &stream(&dict, places.as_flattened()));
    let at = out.len();
    out.extend_from_slice(format!("xref\n5 1\n{was:010} 00000 n\r\ntrailer\n<</Root 1 0 R/Size {}/Prev {past}/XRefStm {hidden}>>\nstartxref\n{at}\n%%EOF\n", SIZE + 1).as_bytes());
    out
}

/// An update that lists other contents as a new object.
fn misnamed(victim: &Victim, evil: &[u8]) -> Vec<u8> {
    let mut out = victim.bytes.clone();
    let now = out.len();
    object(&mut out, 5, evil);
    let (at, past) = (out.len(), startxref(&victim.bytes));
    if victim.dialect == Xref::Table {
        out.extend_from_slice(
            format!("xref\n400 1\n{now:010} 00000 n\r\ntrailer\n<</Root 1 0 R/Size {SIZE}/Prev {past}>>\n")
                .as_bytes(),
        );
    } else {
        let places = [now, at].map(|place| u32::try_from(place).unwrap().to_be_bytes());
        let dict = format!(
            "/Type/XRef/Size {}/W[0 4 0]/Index[400 1 {SIZE} 1]/Root 1 0 R/Prev {past}",
            SIZE + 1
        );
        object(&mut out, SIZE, &stream(&dict, places.as_flattened()));
    }
    out.extend_from_slice(format!("startxref\n{at}\n%%EOF\n").as_bytes());
    out
}

/// An update that lists two objects in a stream which holds one.
fn missing(victim: &Victim) -> Vec<u8> {
    let mut out = victim.bytes.clone();
    let holder = out.len();
    object(&mut out, 400, &packed(&[(401, "<<>>")]));
    let (at, past) = (out.len(), startxref(&victim.bytes));
    let place = |place: usize| u32::try_from(place).unwrap();
    let mut rows = Vec::new();
    for (kind, second, third) in [(1, place(holder), 0), (2, 400, 0), (2, 400, 1), (1, place(at), 0)] {
        rows.push(kind);
        rows.extend_from_slice(&second.to_be_bytes());
        rows.push(third);
    }
    let dict = format!(
        "/Type/XRef/Size {}/W[1 4 1]/Index[400 3 {SIZE} 1]/Root 1 0 R/Prev {past}",
        SIZE + 1
    );
    object(&mut out, SIZE, &stream(&dict, &rows));
    out.extend_from_slice(format!("startxref\n{at}\n%%EOF\n").as_bytes());
    out
}

pub(crate) fn all(victim: &Victim) -> Vec<Attack> {
    let evil = stream("", b"BT /F1 12 Tf 72 720 Td (Usted debe 1000) Tj ET");
    let page = |contents: u32| body(&format!("<</Type/Page/Parent 2 0 R/Contents {contents} 0 R>>"));
    let form = format!(
        "/AcroForm<</Fields[8 0 R {} 0 R]/SigFlags 3>>",
        field_of(&victim.bytes)
    );
    let catalog = |extra: &str| body(&format!("<</Type/Catalog/Pages 2 0 R{form}{extra}>>"));
    let updates: Vec<(&str, Vec<(u32, Vec<u8>)>)> = vec![
        ("replaced contents", vec![(5, evil.clone())]),
        ("replaced page", vec![(4, page(400)), (400, evil.clone())]),
        (
            "replaced page tree",
            vec![
                (
                    2,
                    body("<</Type/Pages/Kids[400 0 R]/Count 1/MediaBox[0 0 612 792]>>"),
                ),
                (400, page(401)),
                (401, evil.clone()),
            ],
        ),
        (
            "added page",
            vec![
                (
                    2,
                    body("<</Type/Pages/Kids[4 0 R 6 0 R 400 0 R]/Count 3/MediaBox[0 0 612 792]>>"),
                ),
                (400, page(401)),
                (401, evil.clone()),
            ],
        ),
        (
            "removed page",
            vec![(
                2,
                body("<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 612 792]>>"),
            )],
        ),
        ("replaced catalog", vec![(1, catalog("/Lang(xx)"))]),
        (
            "catalog with other pages",
            vec![
                (1, body(&format!("<</Type/Catalog/Pages 400 0 R{form}>>"))),
                (400, body("<</Type/Pages/Kids[]/Count 0>>")),
            ],
        ),
        (
            "script on opening",
            vec![(1, catalog("/OpenAction<</S/JavaScript/JS(1)>>"))],
        ),
        ("layers", vec![(1, catalog("/OCProperties<</OCGs[]/D<<>>>>"))]),
        (
            "replaced font",
            vec![(3, body("<</Type/Font/Subtype/Type1/BaseFont/Symbol>>"))],
        ),
        (
            "changed field",
            vec![(
                8,
                body("<</FT/Tx/T(valor)/V(999)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 6 0 R>>"),
            )],
        ),
        (
            "moved field",
            vec![(
                8,
                body("<</FT/Tx/T(valor)/V(100)/Type/Annot/Subtype/Widget/Rect[99 9 199 29]/P 6 0 R>>"),
            )],
        ),
        (
            "missing object defined",
            vec![(
                300,
                stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", b"0 0 9 9 re f"),
            )],
        ),
        (
            "rotated page",
            vec![(
                6,
                body("<</Type/Page/Parent 2 0 R/Contents 7 0 R/Annots[8 0 R]/Rotate 90>>"),
            )],
        ),
        (
            "contents appended",
            vec![
                (
                    4,
                    body(
                        "<</Type/Page/Parent 2 0 R/Contents[5 0 R 400 0 R]/Resources<</Font<</F1 3 0 R>>>>>>",
                    ),
                ),
                (400, evil.clone()),
            ],
        ),
        (
            "annotations removed",
            vec![(
                6,
                body(
                    "<</Type/Page/Parent 2 0 R/Contents 7 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</X 300 0 R>>>>>>",
                ),
            )],
        ),
    ];
    let mut attacks: Vec<_> = updates
        .iter()
        .map(|(name, objects)| victim.attack(name, victim.update(objects)))
        .collect();
    let mut loose = victim.bytes.clone();
    object(&mut loose, 5, &evil);
    attacks.push(victim.attack("object behind the end", loose.clone()));
    loose.extend_from_slice(format!("startxref\n{}\n%%EOF\n", startxref(&victim.bytes)).as_bytes());
    attacks.push(victim.attack("object without cross-reference", loose));
    let mut trailer = victim.bytes.clone();
    object(&mut trailer, 5, &evil);
    trailer.extend_from_slice(
        format!(
            "trailer\n<</Root 1 0 R/Size 9/Prev {}>>\nstartxref\n{0}\n%%EOF\n",
            startxref(&victim.bytes)
        )
        .as_bytes(),
    );
    attacks.push(victim.attack("object with a trailer only", trailer));
    attacks.push(victim.attack(
        "comment behind the end",
        [&victim.bytes[..], b"% nothing\nBT (x) Tj ET"].concat(),
    ));
    let root = (400, catalog("/Pages 2 0 R"));
    let other = append(
        &victim.bytes,
        &[(5, evil.clone()), root],
        SIZE,
        "/Root 400 0 R",
        victim.dialect,
    );
    attacks.push(victim.attack("another root", other));
    attacks.push(victim.attack("contents listed twice", twice(victim, &evil)));
    attacks.push(victim.attack("contents in a table and a stream", hybrid(victim, &evil)));
    attacks.push(victim.attack("contents under another number", misnamed(victim, &evil)));
    let holder = packed(&[(5, "<</Length 0>>")]);
    attacks.push(victim.attack(
        "contents in a stream that no cross-reference lists",
        victim.update(&[(400, holder)]),
    ));
    if victim.dialect == Xref::Stream {
        attacks.push(victim.attack("an object that its stream lacks", missing(victim)));
    }
    attacks
}
