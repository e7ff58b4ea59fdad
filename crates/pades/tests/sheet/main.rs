//! The signature sheet: clean for qpdf, valid for validators, legible for people, whatever names they have.

#![allow(
    clippy::unwrap_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::semicolon_if_nothing_returned,
    dead_code,
    reason = "tests, with generators shared with others"
)]

#[path = "../corpus/build.rs"]
mod build;
#[path = "../cms_tools/mod.rs"]
mod cms_tools;
#[path = "../render/drawing.rs"]
mod drawing;
mod hostile;
mod looks;
#[path = "../corpus/people.rs"]
mod people;
#[path = "../corpus/tools.rs"]
mod tools;

use jiff::{Timestamp, Zoned};
use pades::inspect::{Limits, inspect};
use pades::prepare::Prepared;
use pades::sheet::{Act, Colour, Fact, Sheet, SheetError, Signer};
use pades::sign::{Field, NewSignature, Permission};
use sha2::{Digest, Sha256};

use crate::build::{DIALECTS, Doc, PAGES, Xref};
use crate::people::Person;
use crate::tools::Verdict;

pub(crate) const ACCENT: Colour = Colour(0x1f, 0x4e, 0x79);

pub(crate) const NAMES: [(&str, &str); 12] = [
    ("María Fernanda Gutiérrez Ñáñez", "Arrendadora"),
    ("Juan Sebastián Ospina Restrepo", "Arrendatario"),
    ("Inversiones La Sabana S. A. S.", "Deudora solidaria"),
    ("Luz Ángela Cárdenas Muñoz", "Testigo"),
    ("João Gonçalves d’Araújo", "Testigo"),
    ("Wojciech Brzęczyszczykiewicz", "Apoderado"),
    ("Ελένη Παπαδοπούλου", "Representante legal"),
    ("Александра Воробьёва", "Codeudora"),
    ("Ana", "Fiadora"),
    ("Jean-François Müller-Weiß", "Garante"),
    (
        "Carlos Alberto del Sagrado Corazón de Jesús Fernández de Córdoba y Bermúdez de Castro",
        "Propietario",
    ),
    ("Zoë Brontë O’Neill", "Intérprete"),
];

pub(crate) fn prepared(bytes: &[u8]) -> Prepared {
    let inspected = inspect(bytes, &Limits::default()).unwrap_or_else(|refused| panic!("{refused}"));
    inspected.prepare(Sha256::new_with_prefix(bytes))
}

/// A document of this size and dialect.
pub(crate) fn contract(area: &str, dialect: Xref) -> Vec<u8> {
    let mut doc = Doc::contract(12);
    let kids: String = (0..12)
        .map(|page| format!("{} 0 R ", build::FIRST_PAGE + 2 * page))
        .collect();
    doc.set(
        PAGES,
        format!("<</Type/Pages/Kids[{kids}]/Count 12/Rotate 0/MediaBox{area}>>"),
    );
    doc.write(dialect)
}

pub(crate) const A4: &str = "[0 0 595.276 841.89]";

pub(crate) fn time() -> Timestamp {
    "2026-11-15T12:00:07Z".parse().unwrap()
}

pub(crate) fn local() -> Zoned {
    time().in_tz("America/Bogota").unwrap()
}

pub(crate) const FACTS: [Fact<'_>; 3] = [
    Fact {
        label: "Folio",
        value: "2026-000123",
    },
    Fact {
        label: "Archivo",
        value: "contrato-arrendamiento-apto-502.pdf",
    },
    Fact {
        label: "Enviado por",
        value: "Inmobiliaria El Roble Ltda., NIT 900.123.456-7",
    },
];

/// A document as its bytes and its state.
pub(crate) struct Paper {
    pub(crate) bytes: Vec<u8>,
    pub(crate) state: Prepared,
}

/// A document with a sheet for these signers.
pub(crate) fn with_sheet(document: &[u8], people: &[(&str, &str)]) -> Paper {
    let fields: Vec<String> = (1..=people.len())
        .map(|number| format!("Firma{number}"))
        .collect();
    let signers: Vec<Signer<'_>> = fields
        .iter()
        .zip(people)
        .map(|(field, (name, role))| Signer { field, name, role })
        .collect();
    let sheet = Sheet {
        title: "Contrato de arrendamiento de vivienda urbana",
        facts: &FACTS,
        reference: "Folio 2026-000123",
        address: "https://firmas.example.co/v/01JC9Q7Z3M8X4T5B6N2K",
        signers: &signers,
        accent: ACCENT,
    };
    add(document, &sheet)
}

pub(crate) fn add(document: &[u8], sheet: &Sheet<'_>) -> Paper {
    let appended = prepared(document).add_sheet(sheet).unwrap();
    let bytes = [document, &appended.increment].concat();
    assert_eq!(appended.next.length(), bytes.len() as u64);
    assert_eq!(appended.next.sha256(), <[u8; 32]>::from(Sha256::digest(&bytes)));
    Paper {
        bytes,
        state: appended.next,
    }
}

/// The document certified, and signed by the first so many of the people.
pub(crate) fn signed(paper: Paper, people: &[(&str, &str)], person: &Person) -> Vec<u8> {
    let Paper { mut bytes, mut state } = paper;
    let mut certifying = NewSignature::new(Field::Invisible("Certificación"), time(), 4096);
    certifying.certify = Some(Permission::FillAndSign);
    let mut sign = |state: &Prepared, request: &NewSignature<'_>| {
        let unsigned = state.sign(request).unwrap();
        let signature = person.key().sign(unsigned.digest()).unwrap();
        let appended = unsigned.embed(&signature.finish(None)).unwrap();
        bytes.extend_from_slice(&appended.increment);
        appended.next
    };
    state = sign(&state, &certifying);
    for (place, (name, role)) in people.iter().enumerate() {
        let field = format!("Firma{}", place + 1);
        let time_there = local();
        let act = Act {
            name,
            role,
            document: "Cédula de ciudadanía 52.123.456",
            time: &time_there,
            address: "190.24.118.33",
            channel: "Código enviado a m•••a@correo.example.co",
            accent: ACCENT,
        };
        let state_then = Prepared::from_bytes(&state.to_bytes()).unwrap();
        let mut request = NewSignature::new(Field::Existing(&field), time(), 4096);
        request.appearance = Some(state_then.appearance(&field, &act).unwrap());
        request.name = Some(name);
        state = sign(&state_then, &request);
    }
    bytes
}

#[test]
fn every_dialect_takes_a_sheet_and_the_signatures_on_it() {
    let person = Person::new("Ana");
    let sheets: Vec<_> = DIALECTS
        .iter()
        .map(|dialect| {
            signed(
                with_sheet(&contract(A4, *dialect), &NAMES[..3]),
                &NAMES[..2],
                &person,
            )
        })
        .collect();
    let names: Vec<String> = DIALECTS.iter().map(|dialect| format!("{dialect:?}")).collect();
    let files: Vec<_> = names
        .iter()
        .zip(&sheets)
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    for (name, verdict) in names.iter().zip(tools::validate(&files, &person.root())) {
        assert_eq!(verdict, Verdict::all_valid(3), "{name}");
    }
}

#[test]
fn a_signed_document_gets_no_sheet() {
    let person = Person::new("Ana");
    let document = signed(with_sheet(&contract(A4, Xref::Table), &NAMES[..1]), &[], &person);
    let sheet = Sheet {
        title: "",
        facts: &[],
        reference: "",
        address: "https://a.example",
        signers: &[Signer {
            field: "Otra",
            name: "Ana",
            role: "",
        }],
        accent: ACCENT,
    };
    assert_eq!(
        prepared(&document).add_sheet(&sheet).err(),
        Some(SheetError::Signed)
    );
}

#[test]
fn what_makes_no_sheet_is_refused() {
    let state = prepared(&contract(A4, Xref::Table));
    let signer = Signer {
        field: "Firma1",
        name: "Ana",
        role: "",
    };
    let attempt = |address: &str, signers: &[Signer<'_>]| {
        let sheet = Sheet {
            title: "",
            facts: &[],
            reference: "",
            address,
            signers,
            accent: ACCENT,
        };
        state.add_sheet(&sheet).map(|_| ())
    };
    let address = "https://a.example";
    assert_eq!(attempt(address, &[signer]), Ok(()));
    assert_eq!(attempt(address, &[]), Err(SheetError::Signers { limit: 100 }));
    assert_eq!(
        attempt(address, &[signer; 101]),
        Err(SheetError::Signers { limit: 100 })
    );
    assert_eq!(attempt(address, &[signer, signer]), Err(SheetError::FieldName));
    for field in ["", "a.b", "ñ", "a\nb"] {
        assert_eq!(
            attempt(address, &[Signer { field, ..signer }]),
            Err(SheetError::FieldName)
        );
    }
    assert_eq!(attempt(&"x".repeat(3000), &[signer]), Err(SheetError::Address));
}

#[test]
fn pages_of_the_document_stay_untouched() {
    let document = contract(A4, Xref::Table);
    let after = with_sheet(&document, &NAMES).bytes;
    assert!(after.starts_with(&document));
    let increment = String::from_utf8_lossy(&after[document.len()..]).into_owned();
    assert!(!increment.contains(&format!("\n{} 0 obj", build::FIRST_PAGE)));
    let found = inspect(&after, &Limits::default()).unwrap();
    assert_eq!((found.pages, found.signatures), (14, 0));
    let added = after.len() - document.len();
    assert!(added < 56_000, "{added} bytes");
}
