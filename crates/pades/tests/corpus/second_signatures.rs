//! Second signatures of other programs: the first one stays valid under them. `PDFBox` and pyHanko sign themselves; the
//! structures of Acrobat, iText and DSS are written by hand, with a key that counts.

use pades::verify::{Change, Policy, Reason, Report, Verdict, verify};
use pki::cms::Certificate;

use crate::attacks::body;
use crate::build::{Doc, Xref, startxref, stream};
use crate::by_hand::{self, SIGNATURE};
use crate::cms_tools::{OpenSsl, P256, RSA, SIGNING, run};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible, time};
use crate::verifying::{assert_valid, assert_verdict_valid, newest_object, verified};

/// The libraries of `PDFBox`, where Debian puts them.
const PDFBOX: &str = "/usr/share/java/pdfbox2.jar:/usr/share/java/fontbox2.jar:/usr/share/java/commons-logging.jar:\
                      /usr/share/java/bcprov.jar:/usr/share/java/bcpkix.jar:/usr/share/java/bcutil.jar";

/// Documents of several structures: annotations in an array of their own, a form with text, an empty field.
fn documents() -> Vec<(&'static str, Vec<u8>)> {
    let plain = Doc::contract(2);
    let mut listed = Doc::contract(2);
    listed.set(20, "[21 0 R]");
    listed.set(
        21,
        "<</Type/Annot/Subtype/Link/Rect[9 9 99 29]/Border[0 0 0]/Dest[6 0 R/Fit]>>",
    );
    listed.on_page("/Annots 20 0 R");
    let mut form = Doc::contract(2);
    form.set(
        20,
        "<</FT/Tx/T(valor)/V(100)/DA(/Helv 9 Tf 0 g)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R>>",
    );
    form.set(
        21,
        "<</Fields[20 0 R]/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 3 0 R>>>>>>",
    );
    form.on_page("/Annots[20 0 R]");
    form.extend(1, "/AcroForm 21 0 R");
    let mut field = Doc::contract(1);
    field.set(
        20,
        "<</FT/Sig/T(Ajena)/Type/Annot/Subtype/Widget/F 4/Rect[9 9 99 29]/P 4 0 R>>",
    );
    field.on_page("/Annots[20 0 R]");
    field.extend(1, "/AcroForm<</Fields[20 0 R]>>");
    vec![
        ("plain", plain.table()),
        ("packed", plain.write(Xref::Packed)),
        ("listed", listed.table()),
        ("form", form.table()),
        ("field", field.table()),
    ]
}

/// A file, and what its second signer is asked for.
struct Second {
    name: String,
    kind: &'static str,
    bytes: Vec<u8>,
}

fn check(name: &str, bytes: &[u8], roots: &[Certificate], tools: &OpenSsl, count: usize) {
    // The clock of the machine made these certificates, so it is the one to check them by.
    let now = tools.certificate("ajeno").not_before().max(time());
    let report = verify(bytes, &Policy::new(roots, now));
    assert_verdict_valid(name, &report);
    assert_eq!(report.signatures.len(), count, "{name}");
}

#[test]
fn first_signatures_stay_valid_under_those_of_pdfbox() {
    let person = Person::new("Ana");
    for key in [P256, RSA] {
        let tools = OpenSsl::new();
        tools.signer("ajeno", key, SIGNING);
        tools.run(&[
            "pkcs12",
            "-export",
            "-inkey",
            "ajeno.key",
            "-in",
            "ajeno.pem",
            "-passout",
            "pass:clave",
            "-out",
            "ajeno.p12",
        ]);
        tools.write("SignTwice.java", include_bytes!("SignTwice.java"));
        let mut seconds = Vec::new();
        for (name, bytes) in documents() {
            for kind in ["invisible", "visible", "last-page", "field"] {
                if (kind == "field") != (name == "field") {
                    continue;
                }
                let paper = PreparedPdf::new(bytes.clone()).signed(&person, &invisible("Nuestra"));
                seconds.push(Second {
                    name: format!("{kind} on {name}"),
                    kind,
                    bytes: paper.bytes,
                });
            }
        }
        let mut arguments: Vec<String> = ["-cp", PDFBOX, "SignTwice.java", "ajeno.p12"]
            .map(String::from)
            .into();
        for (at, second) in seconds.iter().enumerate() {
            tools.write(&format!("{at}.pdf"), &second.bytes);
            arguments.push(format!("{}:{at}.pdf", second.kind));
            // A third signature, by the same program.
            if second.kind != "field" {
                arguments.push(format!("invisible:{at}.pdf"));
            }
        }
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        run(tools.path(), "java", &arguments);
        let roots = [tools.certificate("ca"), person.root.certificate().clone()];
        for (at, second) in seconds.iter().enumerate() {
            let bytes = tools.read(&format!("{at}.pdf"));
            assert!(bytes.starts_with(&second.bytes), "{}", second.name);
            let count = if second.kind == "field" { 2 } else { 3 };
            check(&second.name, &bytes, &roots, &tools, count);
            let ours = PreparedPdf::new(bytes).signed(&person, &invisible("Otra nuestra"));
            check(
                &format!("{}, then ours", second.name),
                &ours.bytes,
                &roots,
                &tools,
                count + 1,
            );
        }
    }
}

#[test]
fn first_signatures_stay_valid_under_those_of_pyhanko() {
    let person = Person::new("Ana");
    let tools = OpenSsl::new();
    tools.signer("ajeno", P256, SIGNING);
    tools.write("sign.py", include_bytes!("sign.py"));
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    let mut seconds = Vec::new();
    for (name, bytes) in documents() {
        for kind in ["approval", "visible", "separate", "twice"] {
            if name == "field" && kind != "approval" {
                continue;
            }
            let paper = PreparedPdf::new(bytes.clone()).signed(&person, &invisible("Nuestra"));
            seconds.push(Second {
                name: format!("{kind} on {name}"),
                kind,
                bytes: paper.bytes,
            });
        }
    }
    let mut arguments: Vec<String> = ["sign.py", "ajeno.key", "ajeno.pem", "ca.pem"]
        .map(String::from)
        .into();
    for (at, second) in seconds.iter().enumerate() {
        tools.write(&format!("{at}.pdf"), &second.bytes);
        arguments.push(format!("{}:{at}.pdf", second.kind));
    }
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    run(tools.path(), &python, &arguments);
    let roots = [tools.certificate("ca"), person.root.certificate().clone()];
    for (at, second) in seconds.iter().enumerate() {
        let bytes = tools.read(&format!("{at}.pdf"));
        let count = if second.kind == "twice" { 3 } else { 2 };
        check(&second.name, &bytes, &roots, &tools, count);
    }
}

/// A signed document with an empty field, 20, and a text field, 21, if there is a form with text.
pub(crate) fn base(person: &Person, has_text: bool) -> Vec<u8> {
    let mut doc = Doc::contract(1);
    doc.set(
        20,
        "<</FT/Sig/T(espera)/Subtype/Widget/F 4/Rect[9 9 99 29]/P 4 0 R/AP 22 0 R>>",
    );
    doc.set(22, "<</N 23 0 R>>");
    doc.set(
        23,
        stream("/Type/XObject/Subtype/Form/BBox[0 0 90 20]", b"% DSBlank"),
    );
    doc.set(24, "<</Unused true>>");
    if has_text {
        doc.set(
            21,
            "<</FT/Tx/T(valor)/V(100)/DA(/Helv 9 Tf 0 g)/Type/Annot/Subtype/Widget/Rect[9 49 99 69]/P 4 0 R>>",
        );
        doc.on_page("/Annots[20 0 R 21 0 R]");
        doc.extend(1, "/AcroForm<</Fields[20 0 R 21 0 R]>>");
    } else {
        doc.on_page("/Annots[20 0 R]");
        doc.extend(1, "/AcroForm<</Fields[20 0 R]>>");
    }
    PreparedPdf::new(doc.table())
        .signed(person, &invisible("Primera"))
        .bytes
}

/// The catalog and the page of a signed document with these entries of the form instead of its own, and one more field.
pub(crate) fn enlisted(bytes: &[u8], form: &str, fields: &str) -> Vec<(u32, Vec<u8>)> {
    let text = |number| String::from_utf8(newest_object(bytes, number)).unwrap();
    let add = |body: String, key: &str| {
        let at = body.find(key).unwrap();
        let end = at + body[at..].find(']').unwrap();
        format!("{}{fields}{}", &body[..end], &body[end..])
    };
    let catalog = add(text(1), "/Fields[").replace("/AcroForm<<", &format!("/AcroForm<<{form}"));
    let mut objects = vec![(1, catalog.into_bytes())];
    if !fields.is_empty() {
        objects.push((4, add(text(4), "/Annots[").into_bytes()));
    }
    objects
}

const FONTS: &str =
    "/DA(/Helv 0 Tf 0 g )/DR<</Encoding<</PDFDocEncoding 402 0 R>>/Font<</Helv 400 0 R/ZaDb 401 0 R>>>>";

/// The fonts and the encoding that Acrobat adds to a form.
fn acrobat_fonts() -> Vec<(u32, Vec<u8>)> {
    vec![
        (
            400,
            body("<</BaseFont/Helvetica/Encoding 402 0 R/Name/Helv/Subtype/Type1/Type/Font>>"),
        ),
        (
            401,
            body("<</BaseFont/ZapfDingbats/Name/ZaDb/Subtype/Type1/Type/Font>>"),
        ),
        (
            402,
            body(
                "<</Type/Encoding/Differences[24/breve/caron/circumflex/dotaccent/hungarumlaut/ogonek/ring/tilde \
                 39/quotesingle 96/grave 128/bullet/dagger 160/Euro 164/currency 166/brokenbar 168/dieresis/copyright \
                 192/Agrave/Aacute]>>",
            ),
        ),
    ]
}

/// The drawing of a signature as Acrobat and iText nest it: a form that runs another, which runs two layers.
fn nested_looks() -> Vec<(u32, Vec<u8>)> {
    let form = |entries: &str, content: &[u8]| {
        stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 100 40]{entries}"),
            content,
        )
    };
    vec![
        (
            410,
            form(
                "/Resources<</XObject<</FRM 411 0 R>>>>",
                b"q 1 0 0 1 0 0 cm /FRM Do Q",
            ),
        ),
        (
            411,
            form(
                "/Resources<</XObject<</n0 412 0 R/n2 413 0 R>>>>",
                b"q 1 0 0 1 0 0 cm /n0 Do Q\nq 1 0 0 1 0 0 cm /n2 Do Q",
            ),
        ),
        (412, form("/Resources<<>>", b"% DSBlank\n")),
        (
            413,
            form(
                "/Resources<</Font<</F1 3 0 R>>>>",
                b"q BT /F1 9 Tf 2 20 Td (Segunda) Tj ET Q",
            ),
        ),
    ]
}

struct Structure {
    name: &'static str,
    has_text: bool,
    objects: fn(&[u8]) -> Vec<(u32, Vec<u8>)>,
}

fn field(entries: &str) -> (u32, Vec<u8>) {
    let value = format!("/V {SIGNATURE} 0 R");
    (
        430,
        body(&format!(
            "<</FT/Sig/T(Segunda)/Type/Annot/Subtype/Widget{value}{entries}>>"
        )),
    )
}

/// What other programs write with a second signature.
fn structures() -> Vec<Structure> {
    let structure = |name, has_text, objects| Structure {
        name,
        has_text,
        objects,
    };
    vec![
        structure(
            "Acrobat: a new visible field, its fonts in a form without text",
            false,
            |bytes| {
                let looks = "/F 132/MK<<>>/P 4 0 R/Rect[50 50 150 90]/AP<</N 410 0 R>>";
                [
                    enlisted(bytes, FONTS, " 430 0 R"),
                    acrobat_fonts(),
                    nested_looks(),
                    vec![field(looks)],
                ]
                .concat()
            },
        ),
        structure("Acrobat: its fonts in a form with text", true, |bytes| {
            let looks = "/F 132/MK<<>>/P 4 0 R/Rect[50 50 150 90]/AP<</N 410 0 R>>";
            [
                enlisted(bytes, FONTS, " 430 0 R"),
                acrobat_fonts(),
                nested_looks(),
                vec![field(looks)],
            ]
            .concat()
        }),
        structure(
            "Acrobat: a field is filled, with a type, defaults and flags",
            true,
            |bytes| {
                let text = format!(
                    "<</FT/Sig/T(espera)/Subtype/Widget/F 132/Rect[9 9 99 29]/P 4 0 R/AP<</N 410 0 R>>\
                 /Type/Annot/DA(/Helv 0 Tf 0 g )/MK<<>>/Ff 1/V {SIGNATURE} 0 R>>"
                );
                [
                    enlisted(bytes, FONTS, ""),
                    acrobat_fonts(),
                    nested_looks(),
                    vec![(20, body(&text))],
                ]
                .concat()
            },
        ),
        structure("a field is filled and keeps its drawing", false, |bytes| {
            let kept = String::from_utf8(newest_object(bytes, 20)).unwrap();
            let kept = kept.replace("/T(espera)", &format!("/T(espera)/V {SIGNATURE} 0 R"));
            vec![(20, body(&kept))]
        }),
        structure(
            "a field is filled and its drawing is exchanged in place",
            false,
            |bytes| {
                let kept = String::from_utf8(newest_object(bytes, 20)).unwrap();
                let kept = kept.replace("/T(espera)", &format!("/T(espera)/V {SIGNATURE} 0 R"));
                let look = stream(
                    "/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<<>>",
                    b"q 0 0 90 20 re f Q",
                );
                vec![(20, body(&kept)), (22, body("<</N 23 0 R>>")), (23, look)]
            },
        ),
        structure(
            "iText: highlighting, no border, a dictionary of looks of its own",
            false,
            |bytes| {
                let looks =
                    "/F 132/H/N/BS<</W 0>>/Border[0 0 0]/P 4 0 R/Rect[50 50 150 90]/AP 431 0 R/DR<<>>";
                let dictionary = vec![(431, body("<</N 410 0 R>>"))];
                [
                    enlisted(bytes, "", " 430 0 R"),
                    nested_looks(),
                    dictionary,
                    vec![field(looks)],
                ]
                .concat()
            },
        ),
        structure("iText: a widget that does not name its page", false, |bytes| {
            let looks = "/F 132/Rect[50 50 150 90]/AP<</N 410 0 R>>";
            [
                enlisted(bytes, "", " 430 0 R"),
                nested_looks(),
                vec![field(looks)],
            ]
            .concat()
        }),
        structure("a field and its widget are two objects", false, |bytes| {
            let mut objects = enlisted(bytes, "", " 430 0 R");
            let page = String::from_utf8(objects[1].1.clone()).unwrap();
            objects[1].1 = body(&page.replace("430 0 R", "432 0 R"));
            let value = format!("/V {SIGNATURE} 0 R");
            objects.push((430, body(&format!("<</FT/Sig/T(Segunda){value}/Kids[432 0 R]>>"))));
            objects.push((
                432,
                body("<</Type/Annot/Subtype/Widget/Parent 430 0 R/F 132/P 4 0 R/Rect[50 50 150 90]/AP<</N 410 0 R>>>>"),
            ));
            [objects, nested_looks()].concat()
        }),
        structure(
            "DSS: a store of fresh arrays, beside the signature",
            false,
            |bytes| {
                let mut objects = enlisted(bytes, "", " 430 0 R");
                let catalog = String::from_utf8(objects[0].1.clone()).unwrap();
                objects[0].1 = body(&catalog.replace("/Pages ", "/DSS 440 0 R/Pages "));
                let point = "/F 132/P 4 0 R/Rect[0 0 0 0]/AP 431 0 R";
                objects.extend([
                    (431, body("<</N 433 0 R>>")),
                    (
                        433,
                        stream("/Type/XObject/Subtype/Form/BBox[0.0 0.0 0.0 0.0]", b""),
                    ),
                    (
                        440,
                        body("<</Type/DSS/Certs 441 0 R/VRI<</AA<</Cert 442 0 R>>>>>>"),
                    ),
                    (441, body("[443 0 R]")),
                    (442, body("[443 0 R]")),
                    (443, stream("", b"certificate")),
                    field(point),
                ]);
                objects
            },
        ),
    ]
}

#[test]
fn first_signatures_stay_valid_under_the_structures_of_other_programs() {
    let person = Person::new("Ana");
    for Structure {
        name,
        has_text,
        objects,
    } in structures()
    {
        let base = base(&person, has_text);
        let bytes = by_hand::signed(&base, &objects(&base), "", &person);
        assert_valid(name, &bytes, &person, 2);
    }
}

#[test]
fn an_object_that_nothing_refers_to_may_be_freed_and_no_other() {
    let person = Person::new("Ana");
    let base = base(&person, false);
    for (number, verdict) in [
        (24, Verdict::Valid),
        (23, Verdict::Invalid),
        (5, Verdict::Invalid),
    ] {
        let start = base.len();
        let update = format!(
            "xref\n0 1\n{number:010} 65535 f\r\n{number} 1\n0000000000 00001 f\r\n\
             trailer\n<</Size 60/Root 1 0 R/Prev {}>>\nstartxref\n{start}\n%%EOF\n",
            startxref(&base)
        );
        let report = verified(&[base.as_slice(), update.as_bytes()].concat(), &person);
        assert_eq!(report.signatures[0].verdict, verdict, "{number}: {report:?}");
    }
}

pub(crate) fn of<'r>(report: &'r Report, field: &str) -> &'r pades::verify::SignatureReport {
    report.signatures.iter().find(|one| one.field == field).unwrap()
}

/// The same structures, with a change in each that is not harmless.
#[test]
fn what_only_looks_like_another_program_is_refused() {
    let person = Person::new("Ana");
    let looks = "/F 132/P 4 0 R/Rect[50 50 150 90]/AP<</N 410 0 R>>";
    let with_form = |form: &str, fonts: Vec<(u32, Vec<u8>)>| {
        let base = base(&person, true);
        let objects = [
            enlisted(&base, form, " 430 0 R"),
            fonts,
            nested_looks(),
            vec![field(looks)],
        ]
        .concat();
        (base, objects)
    };
    let font = |body_of: &str| {
        let mut fonts = acrobat_fonts();
        fonts[0].1 = body(body_of);
        fonts
    };
    let encoding = |differences: &str| {
        let mut fonts = acrobat_fonts();
        fonts[2].1 = body(&format!("<</Type/Encoding/Differences[{differences}]>>"));
        fonts
    };
    for (name, (base, objects)) in [
        (
            "letters of another font under its name",
            with_form(FONTS, font("<</BaseFont/Symbol/Subtype/Type1/Type/Font>>")),
        ),
        (
            "a font with a program of its own",
            with_form(
                FONTS,
                font("<</BaseFont/Helvetica/Subtype/Type1/Type/Font/FontDescriptor 403 0 R>>"),
            ),
        ),
        (
            "a font of another kind",
            with_form(FONTS, font("<</BaseFont/Helvetica/Subtype/Type3/Type/Font>>")),
        ),
        (
            "a code with another letter",
            with_form(FONTS, encoding("49/nine")),
        ),
        ("a code that is no number", with_form(FONTS, encoding("(x)/nine"))),
        (
            "an encoding upon another",
            with_form(FONTS, {
                let mut fonts = acrobat_fonts();
                fonts[2].1 = body("<</Type/Encoding/BaseEncoding/MacExpertEncoding>>");
                fonts
            }),
        ),
        (
            "white text by default",
            with_form(&FONTS.replace("0 g )", "1 g )"), acrobat_fonts()),
        ),
        (
            "another name for a font",
            with_form(&FONTS.replace("/ZaDb", "/Cour"), acrobat_fonts()),
        ),
        (
            "readers draw the text themselves",
            with_form("/NeedAppearances true", Vec::new()),
        ),
    ] {
        let report = verified(&by_hand::signed(&base, &objects, "", &person), &person);
        let reasons = &of(&report, "Primera").reasons;
        assert!(
            reasons.contains(&Reason::Changed(Change::Form)),
            "{name}: {reasons:?}"
        );
    }

    let point = "/F 132/P 4 0 R/Rect[0 0 0 0]";
    let shared = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<<>>",
        b"q 0 0 90 20 re f Q",
    );
    let widget = |entries: &str| {
        vec![
            (
                430,
                body(&format!("<</FT/Sig/T(Segunda)/Kids[432 0 R]/V {SIGNATURE} 0 R>>")),
            ),
            (
                432,
                body(&format!("<</Type/Annot/Subtype/Widget/F 132/P 4 0 R{entries}>>")),
            ),
        ]
    };
    let listed = |fields: Vec<(u32, Vec<u8>)>| {
        let base = base(&person, false);
        let objects = [enlisted(&base, "", " 430 0 R"), nested_looks(), fields].concat();
        (base, objects)
    };
    for (name, (base, objects)) in [
        ("a border", listed(vec![field(&format!("{point}/Border[0 0 1]"))])),
        (
            "a wide border",
            listed(vec![field(&format!("{point}/BS<</W 9>>"))]),
        ),
        (
            "no way to be marked",
            listed(vec![field(&format!("{point}/H/Toggle"))]),
        ),
        (
            "looks that exist elsewhere",
            listed(vec![field("/F 132/P 4 0 R/Rect[50 50 150 90]/AP 22 0 R")]),
        ),
        (
            "a widget of another field",
            listed(widget("/Parent 20 0 R/Rect[50 50 150 90]/AP<</N 410 0 R>>")),
        ),
        (
            "a widget with an action",
            listed(widget("/Parent 430 0 R/Rect[0 0 0 0]/A<</S/URI/URI(x)>>")),
        ),
        ("no widget", listed(widget("/Parent 430 0 R/Rect[0 0 0 0]/T(x)"))),
    ] {
        let report = verified(&by_hand::signed(&base, &objects, "", &person), &person);
        assert_eq!(of(&report, "Primera").verdict, Verdict::Invalid, "{name}");
    }

    // A drawing that another field shares is not exchanged in place, and none for a timestamp.
    let mut doc = Doc::contract(1);
    let slot = |name: &str, value: &str| {
        body(&format!(
            "<</FT/Sig/T({name})/Subtype/Widget/F 4/Rect[9 9 99 29]/P 4 0 R/AP 22 0 R{value}>>"
        ))
    };
    doc.set(20, slot("espera", ""));
    doc.set(21, slot("otra", ""));
    doc.set(22, "<</N 23 0 R>>");
    doc.set(
        23,
        stream("/Type/XObject/Subtype/Form/BBox[0 0 90 20]", b"% DSBlank"),
    );
    doc.on_page("/Annots[20 0 R 21 0 R]");
    doc.extend(1, "/AcroForm<</Fields[20 0 R 21 0 R]>>");
    let base_of_two = PreparedPdf::new(doc.table())
        .signed(&person, &invisible("Primera"))
        .bytes;
    let value = format!("/V {SIGNATURE} 0 R");
    let exchanged = [
        (20, slot("espera", &value)),
        (22, body("<</N 23 0 R>>")),
        (23, shared.clone()),
    ];
    let report = verified(&by_hand::signed(&base_of_two, &exchanged, "", &person), &person);
    assert_eq!(of(&report, "Primera").verdict, Verdict::Invalid);
    let alone = base(&person, false);
    let kept = String::from_utf8(newest_object(&alone, 20)).unwrap();
    let kept = kept.replace("/T(espera)", &format!("/T(espera){value}"));
    let stamped = by_hand::stamped(
        &alone,
        &[(20, body(&kept)), (22, body("<</N 23 0 R>>")), (23, shared)],
        &person,
    );
    let report = verified(&stamped, &person);
    assert_eq!(of(&report, "Primera").verdict, Verdict::Invalid);
}

#[test]
fn two_signers_that_are_not_known_do_not_condemn_each_other() {
    let person = Person::new("Ana");
    let base = base(&person, false);
    let looks = "/F 132/P 4 0 R/Rect[50 50 150 90]/AP<</N 410 0 R>>";
    let objects = [
        enlisted(&base, "", " 430 0 R"),
        nested_looks(),
        vec![field(looks)],
    ]
    .concat();
    let bytes = by_hand::signed(&base, &objects, "", &person);
    let stranger = Person::new("Otra");
    let report = verified(&bytes, &stranger);
    let verdicts: Vec<_> = report.signatures.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [Verdict::Indeterminate; 2], "{report:?}");
    // A page of a known signer is not drawn over by one who is not.
    let bytes = by_hand::signed(&base, &objects, "", &stranger);
    assert_eq!(
        of(&verified(&bytes, &person), "Primera").verdict,
        Verdict::Invalid
    );
}
