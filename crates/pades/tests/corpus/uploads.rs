//! Accepted uploads can be signed and are valid afterwards: the corpus, its mutations, and documents by other hands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex};

use pades::rehearse::rehearse;
use pades::sheet::{Act, Colour, Fact, Sheet, Signer, appearance};
use pades::sign::{Field, NewSignature, Permission, add_validation_data, sign, timestamp};
use pades::verify::{FileVerdict, Language, Policy, Reason, Verdict, verify};
use pdf::Limits;
use pdf::increment::Appended;
use pdf::inspect::{Hidden, Refused, inspect_document, open};
use pdf::prepare::Prepared;
use pki::authority::LocalKey;
use pki::time::TimeStampAuthority;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use crate::cases::build::{CATALOG, DIALECTS, Doc, PAGES, Xref, append, startxref, stream};
use crate::cases::mutate::{UPLOADS, damage, damaged, run};
use crate::cases::{Expect, features};
use crate::people::Person;
use crate::second_signatures::base;
use crate::signing::time;
use crate::tools::{self, PyHankoVerdict};

/// Mutations in an ordinary run. `cargo xtask test --long` sets another number.
const MUTATIONS: u32 = 2_000;
/// Signed mutations of an ordinary run that pyHanko is asked about as well.
const JUDGED: usize = 25;

/// A number of the long run, or that of an ordinary one.
fn asked(variable: &str, ordinary: u32) -> u32 {
    std::env::var(variable).map_or(ordinary, |number| number.parse().unwrap())
}

/// Takes a document in as it is.
pub(crate) fn accept(bytes: &[u8]) -> Result<Prepared, Refused> {
    let limits = Limits::default();
    let doc = open(bytes, &limits)?;
    let mut prepared = inspect_document(&doc, &limits)?.prepare(Sha256::new_with_prefix(bytes));
    rehearse(&doc.with_fresh_budget(&limits), &mut prepared, &limits)?;
    Ok(prepared)
}

/// Takes a document in as the service does: repaired, where that is needed.
pub(crate) fn take_in(bytes: Vec<u8>) -> Result<(Vec<u8>, Prepared), Refused> {
    let taken = pades::accept::accept(&bytes, &Sha256::new_with_prefix(&bytes), &Limits::default())?;
    let bytes = taken.repaired.map_or(bytes, |repaired| repaired.bytes);
    Ok((bytes, taken.prepared))
}

/// The service and its signers.
pub(crate) struct Office {
    pub(crate) person: Person,
    clock: TimeStampAuthority<LocalKey>,
}

pub(crate) static OFFICE: LazyLock<Office> = LazyLock::new(|| {
    let person = Person::new("Ana");
    let clock = person.clock();
    Office { person, clock }
});

impl Office {
    /// The whole life of a document: sheet and certification, two signers, extension.
    fn sign_all(&self, bytes: &[u8], prepared: Prepared) -> Result<Vec<u8>, String> {
        let mut file = bytes.to_vec();
        let mut signing_state = prepared;
        let mut append = |appended: Appended| {
            file.extend_from_slice(&appended.increment);
            // The state goes through storage, as it does between two acts.
            Prepared::from_bytes(&appended.next.to_bytes()).unwrap()
        };
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let fields = ["Firmante-1-a1b2", "Firmante-2-a1b2"];
        if signing_state.signatures() == 0 {
            let signers = fields.map(|field| Signer {
                field,
                name: "Ana Muñoz",
                role: "Firmante",
            });
            let certification = NewSignature {
                certify: Some(Permission::FillAndSign),
                sheet: Some(Sheet {
                    title: "contrato.pdf",
                    facts: &[Fact {
                        label: "Folio",
                        value: "Contrato",
                    }],
                    reference: "a1b2",
                    address: "https://firma.example/v/a1b2",
                    signers: &signers,
                    accent: Colour(0, 0, 0),
                    language: pades::Language::Spanish,
                }),
                ..NewSignature::new(Field::Invisible("Servicio-a1b2"), time(), 2_000)
            };
            signing_state = append(self.finish(sign(&signing_state, &certification).map_err(|e| text(&e))?)?);
        }
        for field in fields {
            let act = Act {
                name: "Ana Muñoz",
                role: "Firmante",
                document: "CC 52123456",
                time: &time().to_zoned(jiff::tz::TimeZone::UTC),
                address: "192.0.2.1",
                channel: "correo",
                consent: "versión 1.es",
                picture: None,
                accent: Colour(0, 0, 0),
                language: pades::Language::Spanish,
            };
            let appearance = appearance(&signing_state, field, &act).ok();
            let kind = if appearance.is_some() {
                Field::Existing(field)
            } else {
                Field::Invisible(field)
            };
            let request = NewSignature {
                appearance,
                ..NewSignature::new(kind, time(), 2_000)
            };
            signing_state = append(self.finish(sign(&signing_state, &request).map_err(|e| text(&e))?)?);
        }
        signing_state = append(self.stamped(&signing_state, "Tiempo-1-a")?);
        let lists = self.person.lists(&[]);
        let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
        let issuer = self.person.issuer.certificate().as_der();
        signing_state =
            append(add_validation_data(&signing_state, &[issuer], &lists, &[]).map_err(|e| text(&e))?);
        append(self.stamped(&signing_state, "Tiempo-1-b")?);
        Ok(file)
    }

    fn finish(&self, unsigned: pades::sign::Unsigned) -> Result<Appended, String> {
        let signature = self.person.key().sign(unsigned.digest()).unwrap();
        unsigned
            .embed(&signature.finish(None))
            .map_err(|error| error.to_string())
    }

    fn stamped(&self, signing_state: &Prepared, field: &str) -> Result<Appended, String> {
        let unsigned = timestamp(signing_state, field, 4096).map_err(|error| error.to_string())?;
        let token = Person::stamp(&self.clock, unsigned.digest(), time());
        unsigned.embed(&token).map_err(|error| error.to_string())
    }

    /// The changes that the verifier holds against signatures, each with the field of its signature.
    fn changes(&self, bytes: &[u8]) -> Vec<(String, Reason)> {
        let report = verify(bytes, &Policy::new(&self.person.roots(), time()));
        let of_one = |signature: pades::verify::SignatureReport| {
            let field = signature.field;
            let changes = signature.reasons.into_iter();
            let changes = changes.filter(|reason| matches!(reason, Reason::Changed(_)));
            changes.map(move |reason| (field.clone(), reason))
        };
        report.signatures.into_iter().flat_map(of_one).collect()
    }

    /// Signs an accepted document and verifies what was made of it.
    pub(crate) fn outcome(&self, bytes: &[u8], prepared: Prepared) -> Result<Vec<u8>, String> {
        let foreign = prepared.signatures() as usize;
        let made = if foreign == 0 { 5 } else { 4 };
        let signed = self.sign_all(bytes, prepared)?;
        let report = verify(&signed, &Policy::new(&self.person.roots(), time()));
        let valid = report
            .signatures
            .iter()
            .filter(|signature| signature.verdict == Verdict::Valid)
            .count();
        // Signatures that a document came with may be anyone's.
        if valid < made || foreign == 0 && report.signatures.len() != made {
            return Err(format!(
                "{valid} of {made} valid: {}",
                report.text(Language::English)
            ));
        }
        // What their signers signed is not changed by ours.
        if foreign > 0 {
            let before = self.changes(bytes);
            let after = self.changes(&signed);
            if let Some(change) = after.iter().find(|change| !before.contains(change)) {
                return Err(format!("changed by our increments: {change:?}"));
            }
        }
        Ok(signed)
    }
}

#[test]
fn every_accepted_file_of_the_corpus_lives_its_whole_life() {
    let mut failures = Vec::new();
    for case in features::all() {
        if matches!(case.expect, Expect::Refused(_)) || case.name.contains("thousand") {
            continue;
        }
        let outcome = match accept(&case.bytes) {
            Ok(prepared) => OFFICE.outcome(&case.bytes, prepared).map(drop),
            Err(refused) => Err(format!("refused: {refused}")),
        };
        failures.extend(outcome.err().map(|failure| format!("{}: {failure}", case.name)));
    }
    assert!(
        failures.is_empty(),
        "{}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn signatures_that_a_document_came_with_stay_as_they_were() {
    let stranger = Person::new("Otra");
    for has_text in [false, true] {
        let upload = base(&stranger, has_text);
        let (bytes, prepared) = take_in(upload.clone()).unwrap();
        assert!(bytes == upload, "a signed document is not repaired");
        assert_eq!(prepared.signatures(), 1);
        OFFICE.outcome(&bytes, prepared).unwrap();
    }
}

#[test]
fn what_could_not_be_verified_is_refused_at_upload() {
    // Two fields of one name below another field.
    let mut twice = Doc::contract(1);
    let parent = twice.size() + 2;
    let kid =
        format!("<</FT/Tx/T(nombre)/Parent {parent} 0 R/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>");
    let (one, two) = (twice.add(&kid), twice.add(&kid));
    twice.set(parent, format!("<</T(datos)/Kids[{one} 0 R {two} 0 R]>>"));
    twice.extend(CATALOG, &format!("/AcroForm<</Fields[{parent} 0 R]>>"));
    assert_eq!(accept(&twice.table()).unwrap_err(), Refused::Unverifiable);

    // A trailer that leads to the catalog twice.
    let mut doubled = Doc::contract(1);
    doubled.trailer.push_str("/Otra[1 0 R]");
    assert_eq!(accept(&doubled.table()).unwrap_err(), Refused::Unverifiable);

    let mut broken = Doc::contract(1);
    let object = broken.add("<</Key (never closed>>");
    broken.extend(CATALOG, &format!("/PieceInfo {object} 0 R"));
    assert!(matches!(
        accept(&broken.table()).unwrap_err(),
        Refused::Damaged(_)
    ));

    // A number that is referred to and has no object is not given to a new one.
    let mut dangling = Doc::contract(1);
    dangling.extend(CATALOG, "/PieceInfo 30 0 R");
    let bytes = dangling.table();
    OFFICE.outcome(&bytes, accept(&bytes).unwrap()).unwrap();

    // A form that a page uses as well: the verifier would not let it change.
    let mut shared = Doc::contract(1);
    let form = shared.add("<</Fields[]>>");
    shared.extend(CATALOG, &format!("/AcroForm {form} 0 R"));
    shared.on_page(&format!("/PieceInfo {form} 0 R"));
    assert_eq!(accept(&shared.table()).unwrap_err(), Refused::Unverifiable);
}

#[test]
fn what_must_not_be_signed_is_left_out_of_the_signed_catalog() {
    let mut doc = Doc::contract(1);
    let metadata = doc.add(stream("/Type/Metadata/Subtype/XML", b"<not-xmp/>"));
    doc.extend(
        CATALOG,
        &format!("/Metadata {metadata} 0 R/OpenAction<</S/JavaScript/JS(print();)>>"),
    );
    let bytes = doc.table();
    let signed = OFFICE.outcome(&bytes, accept(&bytes).unwrap()).unwrap();
    let added = String::from_utf8_lossy(&signed[bytes.len()..]).into_owned();
    assert!(added.contains("/Type/Catalog"));
    assert!(!added.contains("/OpenAction") && !added.contains("/Metadata"));
}

/// Ordinary documents with a fault that the first increment mends.
fn mended() -> Vec<(String, Vec<u8>, usize)> {
    let mut files = Vec::new();
    let mut add = |name: &str, doc: &Doc| {
        for dialect in DIALECTS {
            let bytes = doc.write(dialect);
            let file = OFFICE.outcome(&bytes, accept(&bytes).unwrap()).unwrap();
            assert!(file.starts_with(&bytes));
            files.push((format!("{name}-{dialect:?}"), file, bytes.len()));
        }
    };
    let mut unsized_pages = Doc::contract(2);
    unsized_pages.set(PAGES, "<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>");
    add("unsized", &unsized_pages);

    let mut informed = Doc::contract(1);
    informed.trailer.push_str("/Info<</Title(Contrato)>>");
    add("informed", &informed);

    // The list of fields in the catalog, in a form of its own, and alone.
    let field = "<</FT/Tx/T(nombre)/V(Ana)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>";
    for place in ["catalog", "form", "list"] {
        let mut twice = Doc::contract(1);
        let (one, two) = (twice.add(field), twice.add(field));
        twice.on_page(&format!("/Annots[{one} 0 R {two} 0 R]"));
        let mut fields = format!("[{one} 0 R {two} 0 R]");
        if place == "list" {
            fields = format!("{} 0 R", twice.add(&fields));
        }
        let mut form = format!("<</Fields {fields}>>");
        if place != "catalog" {
            form = format!("{} 0 R", twice.add(&form));
        }
        twice.extend(CATALOG, &format!("/AcroForm {form}"));
        add(place, &twice);
    }
    files
}

#[test]
fn what_is_mended_before_the_certification_is_valid_in_pyhanko() {
    let judged = judge(&mended(), 5);
    assert_eq!(judged.complaints, [""; 0]);
    assert_eq!(judged.unread, [""; 0]);
}

/// The documents that the published attack prepares (Mainka, Mladenov, Rohlmann: Shadow Attacks, NDSS 2021), each with
/// the update that shows the hidden content after signing.
fn shadowed() -> Vec<(&'static str, Doc, Vec<(u32, Vec<u8>)>)> {
    let text = |text: &str| stream("", format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET").as_bytes());
    let page = |rest: &str| {
        format!("<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>{rest}>>>>")
            .into_bytes()
    };
    let whole = "q 612 0 0 792 0 0 cm /X Do Q";
    let overlay = |kind: &str, data: &[u8], drawn: &str| {
        let mut doc = Doc::contract(1);
        doc.set(20, stream(kind, data));
        doc.set(4, page("/XObject<</X 20 0 R>>"));
        doc.set(
            5,
            stream(
                "",
                format!("BT /F1 12 Tf 72 720 Td (Debe 9000) Tj ET {drawn}").as_bytes(),
            ),
        );
        (
            doc,
            vec![(20, stream("/Type/XObject/Subtype/Form/BBox[0 0 0 0]", b""))],
        )
    };
    let pixel = "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8";
    let image = overlay(pixel, b"\xff", whole);
    let pixels = "/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceRGB/BitsPerComponent 8";
    let paper = overlay(pixels, &b"\xff\xfe\xfa".repeat(4), whole);
    let halves = overlay(
        pixel,
        b"\xff",
        "q 612 0 0 396 0 0 cm /X Do Q q 612 0 0 396 0 396 cm /X Do Q",
    );
    let blank = "/Type/XObject/Subtype/Form/BBox[0 0 1 1]";
    let form = overlay(blank, b"1 g 0 0 1 1 re f", whole);
    let supplied = overlay(
        &format!("{blank}/Resources<</ProcSet[/PDF]>>"),
        b"1 g 0 0 1 1 re f",
        whole,
    );
    let grown = overlay(
        &format!("{blank}/Matrix[612 0 0 792 0 0]"),
        b"1 g 0 0 1 1 re f",
        "/X Do",
    );
    let mut field = Doc::contract(1);
    field.set(
        20,
        "<</FT/Tx/T(monto)/V(9000)/DA(/F1 12 Tf)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R/AP<</N 21 0 R>>>>",
    );
    field.set(
        21,
        stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F1 3 0 R>>>>",
            b"/Tx BMC BT /F1 12 Tf 2 5 Td (10) Tj ET EMC",
        ),
    );
    field.on_page("/Annots[20 0 R]");
    field.extend(CATALOG, "/AcroForm<</Fields[20 0 R]>>");
    let mut family = field.clone();
    family.set(20, "<</FT/Tx/T(monto)/V(9000)/DA(/F1 12 Tf)/Kids[22 0 R]>>");
    family.set(
        22,
        "<</Type/Annot/Subtype/Widget/Parent 20 0 R/Rect[9 9 99 29]/P 4 0 R/AP<</N 21 0 R>>>>",
    );
    family.set(4, Doc::page(5, "/Annots[22 0 R]"));
    let shown_anew = vec![(21, text("9000"))];
    let font = Doc::contract(1);
    let other_font = vec![(3, b"<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>".to_vec())];
    let mut catalog = Doc::contract(1);
    catalog.set(20, "<</Type/Catalog/Pages 21 0 R>>");
    catalog.set(21, "<</Type/Pages/Kids[22 0 R]/Count 1/MediaBox[0 0 612 792]>>");
    catalog.set(22, "<</Type/Page/Parent 21 0 R/Contents 23 0 R>>");
    catalog.set(23, text("Debe 9000"));
    let mut tree = catalog.clone();
    tree.objects.remove(&20);
    let other_pages = vec![(CATALOG, b"<</Type/Catalog/Pages 21 0 R>>".to_vec())];
    vec![
        ("hide, under an image", image.0, image.1),
        ("hide, under an image of some pixels", paper.0, paper.1),
        ("hide, under an image, twice", halves.0, halves.1),
        ("hide, under a form", form.0, form.1),
        ("hide, under a form with resources", supplied.0, supplied.1),
        ("hide, under a form with a matrix", grown.0, grown.1),
        ("replace, by the value of a field", field, shown_anew.clone()),
        ("replace, by the value of a field above", family, shown_anew),
        ("replace, by a font", font, other_font),
        (
            "hide and replace, by another catalog",
            catalog,
            other_pages.clone(),
        ),
        ("hide and replace, by another page", tree, other_pages),
    ]
}

#[test]
fn shadowed_documents_are_refused_or_their_second_face_is_invalid() {
    let (mut accepted, mut flattened) = (Vec::new(), Vec::new());
    for (name, doc, update) in shadowed() {
        let upload = doc.table();
        let Ok((bytes, prepared)) = take_in(upload.clone()) else {
            continue;
        };
        if bytes == upload {
            accepted.push(name);
        } else {
            flattened.push(name);
            let hidden = b"Debe 9000";
            assert!(bytes.windows(hidden.len()).all(|word| word != hidden));
        }
        let signed = OFFICE.outcome(&bytes, prepared).unwrap();
        let shown = append(&signed, &update, 900, "/Root 1 0 R", Xref::Table);
        let report = verify(&shown, &Policy::new(&OFFICE.person.roots(), time()));
        assert_ne!(report.verdict, FileVerdict::Valid, "{name}");
    }
    // Every document with a font is built like this one.
    assert_eq!(accepted, ["replace, by a font"]);
    assert_eq!(
        flattened,
        [
            "hide and replace, by another catalog",
            "hide and replace, by another page"
        ]
    );
    // The seventh: a second version of an object that no cross-reference lists.
    let mut bytes = Doc::contract(1).table();
    let at = startxref(&bytes);
    bytes.splice(at..at, b"5 0 obj\n<<>>\nendobj\n".iter().copied());
    let moved = String::from_utf8_lossy(&bytes[at + 20..]).replace(&at.to_string(), &(at + 20).to_string());
    bytes.truncate(at + 20);
    bytes.extend_from_slice(moved.as_bytes());
    assert_eq!(
        take_in(bytes).unwrap_err(),
        Refused::HiddenContent(Hidden::Shadow(5))
    );
}

#[test]
fn the_widgets_below_a_text_field_may_show_its_value() {
    let shown = |value: &str, looks: &str| {
        let mut doc = Doc::contract(1);
        doc.set(
            20,
            format!("<</FT/Tx/T(monto)/V({value})/DA(/F1 12 Tf)/Kids[21 0 R 22 0 R]>>"),
        );
        for (number, look) in [(21, 23), (22, 24)] {
            doc.set(
                number,
                format!(
                    "<</Type/Annot/Subtype/Widget/Parent 20 0 R/Rect[9 9 99 29]/P 4 0 R/AP<</N {look} 0 R>>>>"
                ),
            );
        }
        let bounds = "/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F1 3 0 R>>>>";
        doc.set(23, stream(bounds, b"/Tx BMC EMC"));
        let content = format!("/Tx BMC BT /F1 12 Tf 2 5 Td ({looks}) Tj ET EMC");
        doc.set(24, stream(bounds, content.as_bytes()));
        doc.on_page("/Annots[21 0 R 22 0 R]");
        doc.extend(CATALOG, "/AcroForm<</Fields[20 0 R]>>");
        accept(&doc.table()).map(drop)
    };
    assert_eq!(shown("9000", "$ 9.000"), Ok(()));
    assert_eq!(shown("", "Escriba el monto"), Ok(()));
    assert_eq!(shown("9000", "10"), Err(Refused::HiddenContent(Hidden::Field)));
}

#[test]
fn rectangles_of_one_colour_are_taken_unless_they_cover_what_is_seen() {
    let pixel = "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8";
    let page = |content: &str| drawn(pixel, b"\xff", content);
    let text = "BT /F1 12 Tf 72 720 Td (Contrato) Tj ET";
    let cover = "q 612 0 0 792 0 0 cm /X Do Q";
    assert_eq!(
        page(&format!("{text} {cover}")),
        Err(Refused::HiddenContent(Hidden::Cover))
    );
    // A background, a rule, and the recognised text of a scan.
    assert_eq!(page(&format!("{cover} {text}")), Ok(()));
    assert_eq!(page(&format!("{text} q 400 0 0 1 72 700 cm /X Do Q")), Ok(()));
    assert_eq!(page(&format!("3 Tr {text} {cover}")), Ok(()));
    let line = "q 400 0 0 1 72 700 cm /X Do Q ";
    assert_eq!(page(&format!("{cover} {text} {}", line.repeat(40))), Ok(()));
    // Saved states are counted, however many there are.
    let deep = format!("{}{cover}{}", "q ".repeat(40), " Q".repeat(40));
    assert_eq!(
        page(&format!("{text} {deep}")),
        Err(Refused::HiddenContent(Hidden::Cover))
    );
    let shrunk = format!(
        "0.001 0 0 0.001 0 0 cm q 612000 0 0 792000 0 0 cm {} {} /X Do",
        "q ".repeat(31),
        "q Q ".repeat(32)
    );
    assert_eq!(
        page(&format!("{text} {shrunk}")),
        Err(Refused::HiddenContent(Hidden::Cover))
    );
    let unmatched = "612 0 0 792 0 0 cm Q /X Do";
    assert_eq!(
        page(&format!("{text} {unmatched}")),
        Err(Refused::HiddenContent(Hidden::Cover))
    );
    // A picture is no cover, however small it is.
    let pixels = "/Type/XObject/Subtype/Image/Width 4/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8";
    let picture = |samples: &[u8]| drawn(pixels, samples, &format!("{text} {cover}"));
    assert_eq!(picture(b"\xff\xff\xff\xff\xff\xff\xff\xf0"), Ok(()));
    assert_eq!(picture(&[0xff; 8]), Err(Refused::HiddenContent(Hidden::Cover)));
}

/// What becomes of a document whose page draws these contents, and in them this object under the name `X`.
fn drawn(entries: &str, data: &[u8], contents: &str) -> Result<(), Refused> {
    let mut doc = Doc::contract(1);
    let object = doc.add(stream(entries, data));
    let named = format!("/Resources<</XObject<</X {object} 0 R>>");
    doc.set(4, Doc::page(5, "").replace("/Resources<<", &named));
    doc.set(5, stream("", contents.as_bytes()));
    accept(&doc.table()).map(drop)
}

/// What pyHanko says about signed files.
#[derive(Default)]
pub(crate) struct Judged {
    valid: usize,
    /// Of these, files whose upload its strict mode does not read.
    lenient: usize,
    /// Files of which it says why it does not read them: bytes of the upload that our reader takes.
    pub(crate) unread: Vec<String>,
    pub(crate) complaints: Vec<String>,
}

/// A signed file, with a name and the length of the upload.
pub(crate) type Signed = (String, Vec<u8>, usize);

/// Asks pyHanko about signed files, each with this many signatures.
pub(crate) fn judge(signed: &[Signed], signatures: usize) -> Judged {
    let files: Vec<_> = signed
        .iter()
        .map(|(name, bytes, length)| (name.as_str(), bytes.as_slice(), *length))
        .collect();
    let mut judged = Judged::default();
    let verdicts = tools::pyhanko(&files, &OFFICE.person.root());
    for ((name, _, _), verdict) in signed.iter().zip(verdicts) {
        let PyHankoVerdict {
            valid,
            lenient,
            remarks,
        } = verdict;
        if valid == signatures {
            judged.valid += 1;
            judged.lenient += usize::from(lenient);
        } else if remarks.starts_with("unread ") {
            judged.unread.push(format!("{name}: {remarks}"));
        } else {
            judged.complaints.push(format!(
                "{name}: {valid} of {signatures} valid in pyHanko: {remarks}"
            ));
        }
    }
    println!(
        "pyHanko: {} valid, {} of them in its lenient mode, {} not, {} not read",
        judged.valid,
        judged.lenient,
        judged.complaints.len(),
        judged.unread.len()
    );
    judged.unread.iter().for_each(|line| println!("{line}"));
    judged
}

#[test]
fn what_is_accepted_of_damaged_files_is_valid_once_signed() {
    let mutations = asked("FIRMEZA_TEST_MUTATIONS", MUTATIONS);
    let judged = asked("FIRMEZA_TEST_PYHANKO_SAMPLE", u32::try_from(JUDGED).unwrap()) as usize;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // Each thread damages documents of its own.
    let seeds: Vec<&'static [Vec<u8>]> = UPLOADS.chunks(UPLOADS.len().div_ceil(threads)).collect();
    let cases = mutations / u32::try_from(seeds.len()).unwrap();
    let signed = Mutex::new(Vec::new());
    let accepted = Mutex::new(0u32);
    std::thread::scope(|scope| {
        for seeds in seeds {
            let (signed, accepted) = (&signed, &accepted);
            scope.spawn(move || {
                run(cases, &damaged(seeds), |(seed, mutations)| {
                    let mut bytes = seeds[seed].clone();
                    damage(&mut bytes, &mutations);
                    let Ok((bytes, prepared)) = take_in(bytes) else {
                        return Ok(());
                    };
                    let unsigned = prepared.signatures() == 0;
                    let outcome = OFFICE.outcome(&bytes, prepared);
                    prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
                    *accepted.lock().unwrap() += 1;
                    let mut signed = signed.lock().unwrap();
                    if unsigned && bytes != seeds[seed] && signed.len() < judged {
                        let name = format!("{}", signed.len());
                        signed.push((name, outcome.unwrap(), bytes.len()));
                    }
                    Ok(())
                });
            });
        }
    });
    let signed = signed.into_inner().unwrap();
    println!(
        "{} of {mutations} mutations accepted, signed and valid",
        accepted.into_inner().unwrap()
    );
    let judged_now = judge(&signed, 5);
    assert!(
        judged_now.complaints.is_empty(),
        "{}",
        judged_now.complaints.join("\n")
    );
    // It does not read every odd spelling that mutations make, but most.
    assert!(judged_now.valid * 2 > judged, "{} of {judged}", judged_now.valid);
}

/// The PDFs below a directory, sorted.
fn pdfs(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pdfs(&path, found);
        } else if path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("pdf"))
        {
            found.push(path);
        }
    }
    found.sort();
}

/// The documents that qpdf finds clean.
#[derive(Default)]
struct Clean {
    all: usize,
    /// How many of them are refused, for each reason.
    refused: BTreeMap<String, usize>,
    /// Those that are refused for a reason that says nothing to their senders.
    unexplained: Vec<String>,
}

/// Whether a customer accepts such a reason: it says what the document itself has, or lacks.
fn is_explained(refused: Refused) -> bool {
    !matches!(
        refused,
        Refused::NotPdf | Refused::Damaged(_) | Refused::TooComplex(_) | Refused::Unverifiable
    )
}

impl Clean {
    fn count(&mut self, file: &Path, refused: Option<Refused>) {
        let checked = Command::new("qpdf").arg("--check").arg(file).output().unwrap();
        if checked.status.success() {
            self.all += 1;
            if let Some(reason) = refused {
                *self.refused.entry(reason.to_string()).or_default() += 1;
                if !is_explained(reason) {
                    self.unexplained.push(format!("{}: {reason}", file.display()));
                }
            }
        }
    }

    fn print(&self) {
        let refused: usize = self.refused.values().sum();
        println!(
            "{refused} of {} documents that qpdf finds clean are refused:",
            self.all
        );
        for (reason, count) in &self.refused {
            println!("{count:5}  {reason}");
        }
    }
}

/// Only in the long run, which sets the directory of these documents: none of them is part of the project.
#[test]
fn documents_by_other_hands_are_refused_or_valid_once_signed() {
    let Some(directory) = std::env::var_os("FIRMEZA_TEST_FOREIGN_PDFS") else {
        return;
    };
    let mut files = Vec::new();
    pdfs(Path::new(&directory), &mut files);
    assert!(!files.is_empty());
    let (mut accepted, mut failures, mut signed) = (0, Vec::new(), Vec::new());
    let mut clean = Clean::default();
    for file in &files {
        let upload = std::fs::read(file).unwrap();
        let name = file.strip_prefix(&directory).unwrap().display().to_string();
        match take_in(upload.clone()) {
            Err(refused) => {
                println!("refused\t{name}\t{refused}");
                clean.count(file, Some(refused));
            }
            Ok((bytes, prepared)) => {
                clean.count(file, None);
                accepted += 1;
                if bytes != upload {
                    println!("repaired\t{name}\t{}", accept(&upload).unwrap_err());
                }
                let unsigned = prepared.signatures() == 0;
                match OFFICE.outcome(&bytes, prepared) {
                    Ok(file) if unsigned => signed.push((name.replace('/', "_"), file, bytes.len())),
                    Ok(_) => {}
                    Err(failure) => failures.push(format!("{name}: {failure}")),
                }
            }
        }
    }
    println!("{accepted} of {} documents accepted", files.len());
    clean.print();
    failures.extend(clean.unexplained);
    failures.extend(judge(&signed, 5).complaints);
    assert!(
        failures.is_empty(),
        "{}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
