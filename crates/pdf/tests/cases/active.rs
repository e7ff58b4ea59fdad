//! What acts on its own, hides or locks: refused where it can hurt, accepted where it cannot.

use pdf::inspect::{Forbidden, Hidden, Lock, Refused};

use super::build::{CATALOG, Doc, FIRST_PAGE, Xref, stream};
use super::{Case, Expect, RefusalCheck};

const SCRIPT: RefusalCheck = |r| matches!(r, Refused::Forbidden(Forbidden::JavaScript));
const LAUNCH: RefusalCheck = |r| matches!(r, Refused::Forbidden(Forbidden::Launch));
const SUBMIT: RefusalCheck = |r| matches!(r, Refused::Forbidden(Forbidden::Submit));
const MEDIA: RefusalCheck = |r| matches!(r, Refused::Forbidden(Forbidden::Multimedia));
const XFA: RefusalCheck = |r| matches!(r, Refused::Forbidden(Forbidden::Xfa));
const PORTFOLIO: RefusalCheck = |r| matches!(r, Refused::Forbidden(Forbidden::Portfolio));
const LAYERS: RefusalCheck = |r| matches!(r, Refused::HiddenContent(Hidden::Layers));
const CHANGES: RefusalCheck = |r| matches!(r, Refused::HiddenContent(Hidden::Action));
const CERTIFIED: RefusalCheck = |r| matches!(r, Refused::LockedAgainstSigning(Lock::Certified));
const FIELDS: RefusalCheck = |r| matches!(r, Refused::LockedAgainstSigning(Lock::Fields));

pub(crate) fn all() -> Vec<Case> {
    [
        catalogs(),
        annotations(),
        two_uses(),
        layers(),
        layer_lists(),
        memberships(),
        printed(),
        locks(),
        families(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn both(cases: &mut Vec<Case>, name: &str, doc: &Doc, reason: Option<RefusalCheck>) {
    for dialect in [Xref::Table, Xref::Packed] {
        let expect = reason.map_or(Expect::Pages(1), Expect::Refused);
        cases.push(Case::new(
            format!("{name}-{dialect:?}"),
            doc.write(dialect),
            expect,
        ));
    }
}

fn catalogs() -> Vec<Case> {
    let rows: [(&str, &str, Option<RefusalCheck>); 19] = [
        (
            "open-script-that-prints",
            "/OpenAction<</S/JavaScript/JS(this.print({bUI: true, bSilent: false});)>>",
            None,
        ),
        (
            "open-script-that-prints-and-more",
            "/OpenAction<</S/JavaScript/JS(print(true);app.alert(1);)>>",
            Some(SCRIPT),
        ),
        (
            "open-script-that-prints-and-goes-on",
            "/OpenAction<</S/JavaScript/JS(print();)/Next<</S/JavaScript/JS(1)>>>>",
            Some(SCRIPT),
        ),
        (
            "open-script",
            "/OpenAction<</S/JavaScript/JS(app.alert(1))>>",
            Some(SCRIPT),
        ),
        (
            "open-script-in-hexadecimal",
            "/OpenAction<</S/J#61vaScript/JS(1)>>",
            Some(SCRIPT),
        ),
        (
            "open-script-key-in-hexadecimal",
            "/Open#41ction<</S/JavaScript/JS(1)>>",
            Some(SCRIPT),
        ),
        (
            "script-after-goto",
            "/OpenAction<</S/GoTo/D[4 0 R/Fit]/Next<</S/JavaScript/JS(1)>>>>",
            Some(SCRIPT),
        ),
        (
            "script-in-next-list",
            "/OpenAction<</S/GoTo/D[4 0 R/Fit]/Next[<</S/URI/URI(a)>><</S/JavaScript/JS(1)>>]>>",
            Some(SCRIPT),
        ),
        (
            "script-before-print",
            "/AA<</WP<</S/JavaScript/JS(1)>>>>",
            Some(SCRIPT),
        ),
        (
            "named-scripts",
            "/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(1)>>]>>>>",
            Some(SCRIPT),
        ),
        (
            "named-scripts-in-kids",
            "/Names<</JavaScript<</Kids[4 0 R]>>>>",
            Some(SCRIPT),
        ),
        ("no-named-scripts", "/Names<</JavaScript<</Names[]>>>>", None),
        (
            "launch-on-open",
            "/OpenAction<</S/Launch/F(calc.exe)>>",
            Some(LAUNCH),
        ),
        (
            "submit-on-open",
            "/OpenAction<</S/SubmitForm/F(http://x)>>",
            Some(SUBMIT),
        ),
        ("hide-on-open", "/OpenAction<</S/Hide/T(a)>>", Some(CHANGES)),
        (
            "layers-on-open",
            "/OpenAction<</S/SetOCGState/State[/OFF]>>",
            Some(CHANGES),
        ),
        ("xfa", "/AcroForm<</Fields[]/XFA[(a) 5 0 R]>>", Some(XFA)),
        ("portfolio", "/Collection<</View/D>>", Some(PORTFOLIO)),
        ("open-print", "/OpenAction<</S/Named/N/Print>>", None),
    ];
    let mut cases = Vec::new();
    for (name, entries, reason) in rows {
        let mut doc = Doc::contract(1);
        doc.extend(CATALOG, entries);
        both(&mut cases, name, &doc, reason);
    }
    cases
}

fn annotations() -> Vec<Case> {
    let rows: [(&str, &str, Option<RefusalCheck>); 14] = [
        (
            "page-open-script",
            "/AA<</O<</S/JavaScript/JS(1)>>>>",
            Some(SCRIPT),
        ),
        (
            "page-close-script",
            "/AA<</C<</S/JavaScript/JS(1)>>>>",
            Some(SCRIPT),
        ),
        (
            "click-script",
            "/Annots[<</Subtype/Link/Rect[0 0 9 9]/A<</S/JavaScript/JS(1)>>>>]",
            None,
        ),
        (
            "mouse-up-script",
            "/Annots[<</Subtype/Widget/Rect[0 0 9 9]/AA<</U<</S/JavaScript/JS(1)>>>>>>]",
            None,
        ),
        (
            "typing-scripts",
            "/Annots[<</Subtype/Widget/Rect[0 0 9 9]/AA<</K<</S/JavaScript/JS(1)>>/F<</S/JavaScript/JS(1)>>>>>>]",
            None,
        ),
        (
            "hover-script",
            "/Annots[<</Subtype/Widget/Rect[0 0 9 9]/AA<</E<</S/JavaScript/JS(1)>>>>>>]",
            Some(SCRIPT),
        ),
        (
            "visible-script",
            "/Annots[<</Subtype/Widget/Rect[0 0 9 9]/AA<</PV<</S/JavaScript/JS(1)>>>>>>]",
            Some(SCRIPT),
        ),
        (
            "click-launch",
            "/Annots[<</Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F(a)>>>>]",
            Some(LAUNCH),
        ),
        (
            "click-submit",
            "/Annots[<</Subtype/Widget/Rect[0 0 9 9]/A<</S/SubmitForm/F(a)>>>>]",
            Some(SUBMIT),
        ),
        (
            "click-import",
            "/Annots[<</Subtype/Widget/Rect[0 0 9 9]/A<</S/ImportData/F(a)>>>>]",
            Some(SUBMIT),
        ),
        ("video", "/Annots[<</Subtype/Screen/Rect[0 0 9 9]>>]", Some(MEDIA)),
        (
            "rich-media",
            "/Annots[<</Subtype/RichMedia/Rect[0 0 9 9]>>]",
            Some(MEDIA),
        ),
        (
            "three-dimensional",
            "/Annots[<</Subtype/3D/Rect[0 0 9 9]>>]",
            Some(MEDIA),
        ),
        (
            "note",
            "/Annots[<</Subtype/Text/Rect[0 0 9 9]/Contents(Nota)>>]",
            None,
        ),
    ];
    let mut cases = Vec::new();
    for (name, entries, reason) in rows {
        let mut doc = Doc::contract(1);
        doc.on_page(entries);
        both(&mut cases, name, &doc, reason);
    }
    cases
}

/// Annotations that are also named as something that is drawn.
fn two_uses() -> Vec<Case> {
    let rows: [(&str, &str, Option<RefusalCheck>); 3] = [
        ("launch", "/Subtype/Link/A<</S/Launch/F(a)>>", Some(LAUNCH)),
        (
            "hover-script",
            "/Subtype/Widget/AA<</E<</S/JavaScript/JS(1)>>>>",
            Some(SCRIPT),
        ),
        ("link", "/Subtype/Link/A<</S/URI/URI(a)>>", None),
    ];
    let mut cases = Vec::new();
    for (name, entries, reason) in rows {
        let mut doc = Doc::contract(1);
        let drawn = doc.add(format!("<</Rect[0 0 9 9]{entries}>>"));
        doc.set(
            FIRST_PAGE,
            format!(
                "<</Type/Page/Parent 2 0 R/Resources<</XObject<</X {drawn} 0 R>>>>/Annots[{drawn} 0 R]>>"
            ),
        );
        both(&mut cases, &format!("drawn-{name}"), &doc, reason);
        let mut doc = Doc::contract(1);
        let read = doc.add(stream(&format!("/Rect[0 0 9 9]{entries}"), b"BT ET"));
        doc.set(
            FIRST_PAGE,
            format!("<</Type/Page/Parent 2 0 R/Contents[5 0 R {read} 0 R]/Annots[{read} 0 R]>>"),
        );
        both(&mut cases, &format!("read-{name}"), &doc, reason);
    }
    cases
}

fn layers() -> Vec<Case> {
    let rows: [(&str, &str, &str, Option<RefusalCheck>); 9] = [
        ("layer-off-and-unused", "", "/OFF[8 0 R]", None),
        ("layers-off-at-base", "", "/BaseState/OFF/ON[8 0 R]", Some(LAYERS)),
        (
            "layer-only-on-screen",
            "/Usage<</Print<</PrintState/OFF>>>>",
            "/AS[<</Event/Print/Category[/Print]/OCGs[8 0 R]>>]",
            Some(LAYERS),
        ),
        (
            "layer-only-on-paper",
            "/Usage<</View<</ViewState/OFF>>>>",
            "/AS[<</Event/View/Category[/View]/OCGs[8 0 R]>>]",
            Some(LAYERS),
        ),
        (
            "layer-on-everywhere",
            "/Usage<</Print<</PrintState/ON>>>>",
            "/AS[<</Event/Print/Category[/Print]/OCGs[8 0 R]>>]",
            None,
        ),
        (
            "layer-only-from-near",
            "/Usage<</Zoom<</min 4>>>>",
            "/AS[<</Event/View/Category[/View/Zoom]/OCGs[8 0 R]>>]",
            Some(LAYERS),
        ),
        (
            "layer-of-a-user",
            "/Usage<</User<</Type/Ind/Name(Ana)>>>>",
            "/AS[<</Event/View/Category[/User]/OCGs[8 0 R]>>]",
            Some(LAYERS),
        ),
        (
            "layer-of-a-language",
            "/Usage<</Language<</Lang(es)/Preferred/ON>>>>",
            "/AS[<</Event/Export/Category[/Language]/OCGs[8 0 R]>>]",
            Some(LAYERS),
        ),
        (
            "layer-with-a-language-of-which-nothing-is-made",
            "/Usage<</Language<</Lang(es)>>>>",
            "/AS[<</Event/View/Category[/View/Zoom]/OCGs[8 0 R]>>]",
            None,
        ),
    ];
    let mut cases = Vec::new();
    for (name, usage, shown, reason) in rows {
        let mut doc = Doc::contract(1);
        doc.set(8, format!("<</Type/OCG/Name(Capa){usage}>>"));
        doc.extend(CATALOG, &format!("/OCProperties<</OCGs[8 0 R]/D<<{shown}>>>>"));
        both(&mut cases, name, &doc, reason);
    }
    for (name, page) in [
        ("layer-off-on-a-page", "/Resources<</Properties<</L 8 0 R>>>>"),
        ("layer-off-in-a-form", "/Resources<</XObject<</X 9 0 R>>>>"),
        (
            "layer-off-of-a-note",
            "/Annots[<</Subtype/Link/Rect[0 0 9 9]/OC 8 0 R>>]",
        ),
    ] {
        let mut doc = Doc::contract(1);
        doc.set(8, "<</Type/OCG/Name(Capa)>>");
        doc.set(
            9,
            stream(
                "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Properties<</L 8 0 R>>>>",
                b"",
            ),
        );
        doc.set(FIRST_PAGE, format!("<</Type/Page/Parent 2 0 R{page}>>"));
        doc.extend(CATALOG, "/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>");
        both(&mut cases, name, &doc, Some(LAYERS));
    }
    cases
}

/// Layers that are off, and the lists that name them.
fn layer_lists() -> Vec<Case> {
    let none = Doc::page(5, "");
    let named = "<</Type/Page/Parent 2 0 R/Resources<</Properties 9 0 R>>>>".to_owned();
    let catalog = "<</Type/Page/Parent 2 0 R/Resources 1 0 R>>".to_owned();
    let rows = [
        (
            "of-their-own",
            "/OCProperties 10 0 R",
            "<</OCGs 11 0 R/D 12 0 R/Configs[9 0 R]>>",
            "<</OFF[8 0 R]>>",
            none,
            None,
        ),
        (
            "behind-another-key",
            "/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>/X 9 0 R>>",
            "null",
            "<</L 8 0 R>>",
            named.clone(),
            Some(LAYERS),
        ),
        (
            "that-a-page-uses",
            "/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]/Order 9 0 R>>>>",
            "null",
            "<</L 8 0 R>>",
            named,
            Some(LAYERS),
        ),
        (
            "in-a-catalog-that-a-page-uses",
            "/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>/Properties<</L 8 0 R>>",
            "null",
            "null",
            catalog,
            Some(LAYERS),
        ),
    ];
    let mut cases = Vec::new();
    for (name, entries, properties, list, page, reason) in rows {
        let mut doc = Doc::contract(1);
        doc.set(8, "<</Type/OCG/Name(Capa)>>");
        doc.set(9, list);
        doc.set(10, properties);
        doc.set(11, "[8 0 R]");
        doc.set(12, "<</OFF 13 0 R/Order[8 0 R]>>");
        doc.set(13, "[8 0 R]");
        if reason.is_some() {
            for unused in 11..14 {
                doc.objects.remove(&unused);
            }
        }
        doc.set(FIRST_PAGE, page);
        doc.extend(CATALOG, entries);
        both(&mut cases, &format!("layer-off-in-lists-{name}"), &doc, reason);
    }
    cases
}

/// Content that is shown by the state of several layers.
fn memberships() -> Vec<Case> {
    let rows: [(&str, &str, Option<RefusalCheck>); 6] = [
        ("all-on", "/Type/OCMD/OCGs[8 0 R]/P/AllOn", None),
        ("any-on", "/Type/OCMD/OCGs 8 0 R", None),
        ("all-off", "/Type/OCMD/OCGs[8 0 R]/P/AllOff", Some(LAYERS)),
        ("any-off", "/Type/OCMD/OCGs[8 0 R]/P/Any#4fff", Some(LAYERS)),
        ("expression", "/Type/OCMD/VE[/Not 8 0 R]", Some(LAYERS)),
        ("no-type", "/OCGs[8 0 R]/P/AllOff", Some(LAYERS)),
    ];
    let places = [
        ("named", "/Resources<</Properties<</L 9 0 R>>>>"),
        ("drawn", "/Resources<</XObject<</X 10 0 R>>>>"),
        ("noted", "/Annots[<</Subtype/Link/Rect[0 0 9 9]/OC 9 0 R>>]"),
        ("named-inside", "/Resources<</XObject<</X 11 0 R>>>>"),
        ("drawn-inside", "/Resources<</XObject<</X 14 0 R>>>>"),
    ];
    let form = |resources: &str| {
        let entries = format!("/Subtype/Form/BBox[0 0 9 9]/Resources{resources}");
        stream(&entries, b"0 0 9 9 re f")
    };
    let mut cases = Vec::new();
    for (name, entries, reason) in rows {
        for (place, on_page) in places {
            let mut doc = Doc::contract(1);
            doc.set(8, "<</Type/OCG/Name(Capa)>>");
            doc.set(9, format!("<<{entries}>>"));
            doc.set(
                10,
                stream("/Subtype/Form/BBox[0 0 9 9]/OC 9 0 R", b"0 0 9 9 re f"),
            );
            // A form that draws another, and itself.
            doc.set(11, form("<</XObject<</X 12 0 R/Y 11 0 R>>>>"));
            doc.set(12, form(" 13 0 R"));
            doc.set(13, "<</Properties<</M 9 0 R>>>>");
            doc.set(14, form("<</XObject<</X 10 0 R>>>>"));
            doc.set(FIRST_PAGE, format!("<</Type/Page/Parent 2 0 R{on_page}>>"));
            doc.extend(CATALOG, "/OCProperties<</OCGs[8 0 R]/D<<>>>>");
            both(&mut cases, &format!("layers-{name}-{place}"), &doc, reason);
        }
    }
    cases
}

/// Annotations that are on paper, on screen, or on both.
fn printed() -> Vec<Case> {
    let look = "/AP<</N 10 0 R>>";
    let area = "/Rect[72 700 272 750]";
    let rows: [(&str, &str, &str, &str, Option<RefusalCheck>); 7] = [
        ("only", "36", area, look, Some(LAYERS)),
        ("only-locked", "164", area, look, Some(LAYERS)),
        ("only-indirect", "8 0 R", area, look, Some(LAYERS)),
        ("never", "38", area, look, None),
        ("too", "4", area, look, None),
        ("only-without-a-place", "36", "/Rect[0 0 0 0]", look, None),
        ("only-without-a-look", "36", area, "", None),
    ];
    let mut cases = Vec::new();
    for kind in ["Stamp", "FreeText"] {
        for (name, flags, area, look, reason) in rows {
            let mut doc = Doc::contract(1);
            doc.set(8, "36");
            doc.set(9, format!("<</Subtype/{kind}{area}/F {flags}{look}>>"));
            doc.set(10, stream("/Subtype/Form/BBox[0 0 200 50]", b"0 0 200 50 re f"));
            doc.on_page("/Annots[9 0 R]");
            both(&mut cases, &format!("printed-{name}-{kind}"), &doc, reason);
        }
    }
    cases
}

fn locks() -> Vec<Case> {
    let rows: [(&str, &str, &str, Option<RefusalCheck>); 8] = [
        (
            "certified-no-changes",
            "",
            "/Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]",
            Some(CERTIFIED),
        ),
        (
            "certified-filling",
            "",
            "/Reference[<</TransformMethod/DocMDP/TransformParams<</P 2>>>>]",
            None,
        ),
        (
            "certified-comments",
            "",
            "/Reference[<</TransformMethod/DocMDP/TransformParams<</P 3>>>>]",
            None,
        ),
        (
            "locks-all",
            "",
            "/Reference[<</TransformMethod/FieldMDP/TransformParams<</Action/All>>>>]",
            Some(FIELDS),
        ),
        (
            "locks-all-but-one",
            "",
            "/Reference[<</TransformMethod/FieldMDP/TransformParams<</Action/Exclude/Fields[(a)]>>>>]",
            Some(FIELDS),
        ),
        (
            "locks-one",
            "",
            "/Reference[<</TransformMethod/FieldMDP/TransformParams<</Action/Include/Fields[(a)]>>>>]",
            None,
        ),
        (
            "lock-entry-all",
            "/Lock<</Type/SigFieldLock/Action/All>>",
            "",
            Some(FIELDS),
        ),
        (
            "lock-entry-final",
            "/Lock<</Type/SigFieldLock/Action/Include/Fields[]/P 1>>",
            "",
            Some(CERTIFIED),
        ),
    ];
    let signed = || Expect::Signed {
        pages: 1,
        signatures: 1,
    };
    let mut cases = Vec::new();
    for (name, on_field, on_signature, reason) in rows {
        let mut doc = Doc::contract(1);
        doc.set(8, format!("<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 3]/Contents<00>{on_signature}>>"));
        doc.set(
            9,
            format!("<</FT/Sig/T(firma)/V 8 0 R/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R{on_field}>>"),
        );
        doc.on_page("/Annots[9 0 R]");
        doc.extend(CATALOG, "/AcroForm<</Fields[9 0 R]/SigFlags 3>>");
        let expect = reason.map_or(signed(), Expect::Refused);
        cases.push(Case::new(name, doc.table(), expect));
        // The same signature, written into its field.
        let signature = String::from_utf8(doc.objects.remove(&8).unwrap()).unwrap();
        let field = String::from_utf8(doc.objects[&9].clone()).unwrap();
        doc.set(9, field.replace("/V 8 0 R", &format!("/V{signature}")));
        let expect = reason.map_or(signed(), Expect::Refused);
        cases.push(Case::new(format!("{name}-directly"), doc.table(), expect));
    }
    cases
}

/// Signatures in fields above or below others.
fn families() -> Vec<Case> {
    let rows = [
        (
            "signed-kid-behind-a-widget",
            "/T(padre)/Kids[11 0 R 9 0 R]",
            "/Parent 10 0 R/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R",
        ),
        (
            "signed-kid-without-a-name",
            "/T(padre)/Kids[9 0 R]",
            "/T(otro)/FT/Tx",
        ),
        (
            "signed-kid-of-a-widget",
            "/T(padre)/Kids[11 0 R]",
            "/Parent 10 0 R/Subtype/Widget/Rect[0 0 0 0]/P 4 0 R/Kids[9 0 R]",
        ),
        (
            "signed-parent-of-a-field",
            "/FT/Sig/T(padre)/V 8 0 R/Kids[11 0 R]",
            "/Parent 10 0 R/FT/Tx/T(otro)",
        ),
    ];
    let locked = "/Reference[<</TransformMethod/FieldMDP/TransformParams<</Action/All>>>>]";
    let mut cases = Vec::new();
    for (name, parent, kid) in rows {
        let field = if name.ends_with("without-a-name") {
            ""
        } else {
            "/T(firma)"
        };
        let signed = Expect::Signed {
            pages: 1,
            signatures: 1,
        };
        for (kind, lock, expect) in [("", "", signed), ("-locked", locked, Expect::Refused(FIELDS))] {
            let mut doc = Doc::contract(1);
            doc.set(8, format!("<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 3]/Contents<00>{lock}>>"));
            doc.set(9, format!("<</FT/Sig{field}/V 8 0 R/Parent 10 0 R>>"));
            doc.set(10, format!("<<{parent}>>"));
            doc.set(11, format!("<<{kid}>>"));
            doc.extend(CATALOG, "/AcroForm<</Fields[10 0 R]/SigFlags 3>>");
            cases.push(Case::new(format!("{name}{kind}"), doc.table(), expect));
        }
    }
    cases
}
