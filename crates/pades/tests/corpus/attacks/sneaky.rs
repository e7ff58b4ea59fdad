//! Sneaky signatures: what may be added, a signature, is used to draw over the page.

use pades::sign::{Appearance, Field, Lock, NewSignature, Permission};

use super::{Attack, SIZE, body, document, field_of};
use crate::build::{Xref, append, stream};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible, time};

fn drawn(name: &str) -> NewSignature<'_> {
    NewSignature {
        appearance: Some(Appearance::text([200.0, 50.0], &["Usted debe 1000"])),
        ..NewSignature::new(Field::Visible(name, [72.0, 700.0, 272.0, 750.0]), time(), 4096)
    }
}

/// The newest catalog of a file, with one more field in its form.
pub(crate) fn enlisted(bytes: &[u8], field: u32) -> Vec<u8> {
    let start = bytes.windows(9).rposition(|w| w == b"\n1 0 obj\n").unwrap() + 9;
    let length = bytes[start..].windows(7).position(|w| w == b"\nendobj").unwrap();
    let mut catalog = String::from_utf8(bytes[start..start + length].to_vec()).unwrap();
    let list = catalog.find("/Fields[").unwrap();
    let end = list + catalog[list..].find(']').unwrap();
    catalog.insert_str(end, &format!(" {field} 0 R"));
    catalog.into_bytes()
}

pub(crate) fn all(person: &Person) -> Vec<Attack> {
    let stranger = Person::new("Mallory");
    let mut attacks = Vec::new();
    let mut add = |name: String, bytes| attacks.push(Attack { name, bytes });
    for dialect in [Xref::Table, Xref::Stream] {
        let paper = PreparedPdf::new(document().write(dialect));
        let with = |level| NewSignature {
            certify: Some(level),
            ..invisible("Certifica")
        };
        let certified = paper.clone().signed(person, &with(Permission::FillAndSign));
        let noted = paper.clone().signed(person, &with(Permission::Annotate));
        let approved = paper.clone().signed(person, &invisible("Firma"));
        add(
            format!("drawn by a stranger on a certified file {dialect:?}"),
            certified.clone().signed(&stranger, &drawn("Otra")).bytes,
        );
        add(
            format!("drawn by a friend on a certified file {dialect:?}"),
            certified.clone().signed(person, &drawn("Otra")).bytes,
        );
        add(
            format!("drawn on a file open to notes {dialect:?}"),
            noted.signed(person, &drawn("Otra")).bytes,
        );
        add(
            format!("drawn by a stranger {dialect:?}"),
            approved.clone().signed(&stranger, &drawn("Otra")).bytes,
        );
        let closed = NewSignature {
            lock: Some(Lock::Only(&["Otra"])),
            ..invisible("Firma")
        };
        let closed = paper.clone().signed(person, &closed);
        add(
            format!("a locked field {dialect:?}"),
            closed.signed(person, &invisible("Otra")).bytes,
        );
        let own = field_of(&approved.bytes);
        let field =
            "<</FT/Sig/T(Otra)/Type/Annot/Subtype/Widget/Rect[72 700 272 750]/P 4 0 R/AP<</N 401 0 R>>>>";
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[{own} 0 R 400 0 R]>>"
        );
        let form =
            format!("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[8 0 R {own} 0 R 400 0 R]/SigFlags 3>>>>");
        let look = stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 200 50]",
            b"1 g 0 0 200 50 re f",
        );
        let objects = [
            (400, body(field)),
            (401, look.clone()),
            (4, body(&page)),
            (1, body(&form)),
        ];
        add(
            format!("drawn and never signed {dialect:?}"),
            append(&approved.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let painted = field.replace("/AP<</N 401 0 R>>", "/MK<</BG[1 1 1]>>");
        let objects = [(400, body(&painted)), (4, body(&page)), (1, body(&form))];
        add(
            format!("painted and never signed {dialect:?}"),
            append(&approved.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let acting = field.replace("/AP<</N 401 0 R>>", "/AA<</PO<</S/JavaScript/JS(1)>>>>");
        let objects = [(400, body(&acting)), (4, body(&page)), (1, body(&form))];
        add(
            format!("a field that acts {dialect:?}"),
            append(&approved.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let borrowed = field.replace("401 0 R", "5 0 R");
        let objects = [(400, body(&borrowed)), (4, body(&page)), (1, body(&form))];
        add(
            format!("a field that shows the page's own contents {dialect:?}"),
            append(&approved.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let empty = "<</FT/Sig/T(Otra)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R>>";
        let stamp =
            "<</FT/Sig/Type/Annot/Subtype/Stamp/Rect[72 700 272 750]/AP<</N 401 0 R>>/A<</S/Launch/F(x)>>>>";
        let objects = [
            (400, body(empty)),
            (401, look.clone()),
            (402, body(stamp)),
            (4, body(&page.replace("400 0 R", "400 0 R 402 0 R"))),
            (1, body(&form)),
        ];
        add(
            format!("a stamp beside an empty field {dialect:?}"),
            append(&approved.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let posing = field.replace("/Subtype/Widget", "/Subtype/Stamp");
        let objects = [
            (400, body(&posing)),
            (401, look),
            (4, body(&page)),
            (1, body(&form)),
        ];
        add(
            format!("a field that is a stamp {dialect:?}"),
            append(&approved.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let objects = [
            (400, body("<</FT/Sig/Kids[401 0 R]>>")),
            (401, body("<</FT/Tx/T(valor)/V(999)>>")),
            (1, body(&form)),
        ];
        add(
            format!("fields under one without a name {dialect:?}"),
            append(&approved.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let sealed = paper.signed(person, &with(Permission::Nothing));
        let objects = [(400, body(empty)), (1, enlisted(&sealed.bytes, 400))];
        add(
            format!("an empty field on a closed file {dialect:?}"),
            append(&sealed.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
        let objects = [
            (400, body(&empty.replace("/P 4 0 R", "/P 4 0 R/V 401 0 R"))),
            (
                401,
                body(
                    "<</Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[0 0 0 0]/Contents<00>>>",
                ),
            ),
            (1, enlisted(&sealed.bytes, 400)),
        ];
        add(
            format!("a signature that poses as a timestamp on a closed file {dialect:?}"),
            append(&sealed.bytes, &objects, SIZE, "/Root 1 0 R", dialect),
        );
    }
    attacks
}
