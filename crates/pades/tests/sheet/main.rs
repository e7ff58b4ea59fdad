//! The signature sheet: clean for qpdf, valid for validators, legible for people, whatever names they have.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::semicolon_if_nothing_returned,
    dead_code,
    reason = "tests, with generators shared with others"
)]

mod archive;
#[path = "../../../pdf/tests/cases/build.rs"]
mod build;
#[path = "../../../pki/tests/cms_tools/mod.rs"]
mod cms_tools;
#[path = "../../../render/tests/render/drawing.rs"]
mod drawing;
mod hostile;
mod looks;
#[path = "../corpus/people.rs"]
mod people;
mod scripts;
mod tagged;
#[path = "../corpus/tools.rs"]
mod tools;

use jiff::{Timestamp, Zoned};
use pades::sheet::{Act, Colour, Fact, Picture, Sheet, SheetError, Signer, appearance};
use pades::sign::{Field, NewSignature, Permission, SignError, sign};
use pades::verify::{FileVerdict, Language, Policy, verify};
use pdf::Limits;
use pdf::inspect::inspect;
use pdf::prepare::Prepared;
use sha2::{Digest, Sha256};

use crate::build::{DIALECTS, Doc, PAGES, Xref};
use crate::people::Person;
use crate::tools::ToolVerdict;

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
        format!("<</Type/Pages/Kids[{kids}]/Count 12/MediaBox{area}>>"),
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
pub(crate) struct PdfWithSheet {
    pub(crate) bytes: Vec<u8>,
    pub(crate) state: Prepared,
}

/// A document with a sheet for these signers, certified.
pub(crate) fn with_sheet(document: &[u8], people: &[(&str, &str)], person: &Person) -> PdfWithSheet {
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
        language: Language::Spanish,
    };
    certified(document, &sheet, person)
}

/// The service's own signature, which brings the sheet.
fn certifying<'s>(sheet: &Sheet<'s>) -> NewSignature<'s> {
    NewSignature {
        certify: Some(Permission::FillAndSign),
        sheet: Some(*sheet),
        ..NewSignature::new(Field::Invisible("Certificación"), time(), 4096)
    }
}

pub(crate) fn certified(document: &[u8], sheet: &Sheet<'_>, person: &Person) -> PdfWithSheet {
    let mut paper = PdfWithSheet {
        bytes: document.to_vec(),
        state: prepared(document),
    };
    paper.sign(&certifying(sheet), person);
    paper
}

/// A signature as a hand draws one: loops, a line below them, and a dot.
fn strokes() -> Vec<Vec<[u16; 2]>> {
    let loops = (0..120_u16).map(|step| {
        let turn = f64::from(step) / 9.0;
        let [x, y] = [
            40.0 + f64::from(step) * 4.2 + 30.0 * turn.sin(),
            90.0 + 60.0 * turn.cos(),
        ];
        [x as u16, y as u16]
    });
    vec![
        loops.collect(),
        vec![[60, 180], [300, 170], [590, 185]],
        vec![[580, 20]],
    ]
}

impl PdfWithSheet {
    fn sign(&mut self, request: &NewSignature<'_>, person: &Person) {
        // The state goes through storage, as it does between two acts.
        let state = Prepared::from_bytes(&self.state.to_bytes()).unwrap();
        let unsigned = sign(&state, request).unwrap();
        let signature = person.key().sign(unsigned.digest()).unwrap();
        let appended = unsigned.embed(&signature.finish(None)).unwrap();
        self.bytes.extend_from_slice(&appended.increment);
        self.state = appended.next;
        assert_eq!(self.state.length(), self.bytes.len() as u64);
        assert_eq!(self.state.sha256(), <[u8; 32]>::from(Sha256::digest(&self.bytes)));
    }

    /// The document signed by the first so many of the people, each in the field of its own.
    pub(crate) fn signed(mut self, people: &[(&str, &str)], person: &Person) -> Vec<u8> {
        for (place, who) in people.iter().enumerate() {
            self.fill(place, *who, person);
        }
        self.bytes
    }

    /// Signs in a field of the sheet.
    pub(crate) fn fill(&mut self, place: usize, (name, role): (&str, &str), person: &Person) {
        let field = format!("Firma{}", place + 1);
        let time_there = local();
        let strokes = strokes();
        let act = Act {
            name,
            role,
            document: "Cédula de ciudadanía 52.123.456",
            time: &time_there,
            address: "190.24.118.33",
            channel: "Código enviado a m•••a@correo.example.co",
            consent: "versión 1.es, huella e14b3a5ede58bfe7",
            picture: match place % 3 {
                0 => None,
                1 => Some(Picture::Drawn {
                    area: [600, 200],
                    strokes: &strokes,
                }),
                _ => Some(Picture::Typed(name)),
            },
            accent: ACCENT,
            language: Language::Spanish,
        };
        let request = NewSignature {
            appearance: Some(appearance(&self.state, &field, &act).unwrap()),
            name: Some(name),
            ..NewSignature::new(Field::Existing(&field), time(), 4096)
        };
        self.sign(&request, person);
    }
}

#[test]
fn a_sheet_that_comes_with_the_certification_is_filled_by_every_signer() {
    let person = Person::new("Ana");
    let mut names = Vec::new();
    let mut papers = Vec::new();
    for dialect in DIALECTS {
        for area in [A4, "[0 0 300 200]/Rotate 90/CropBox[9 9 99 99]"] {
            let upload = contract(area, dialect);
            let all = with_sheet(&upload, &NAMES[..3], &person).signed(&NAMES[..3], &person);
            assert!(all.starts_with(&upload));
            let report = verify(&all, &Policy::new(&person.roots(), time()));
            let words = report.text(Language::English);
            assert_eq!(report.verdict, FileVerdict::Valid, "{dialect:?} {area}: {words}");
            assert_eq!(report.signatures.len(), 4);
            names.push(format!("{dialect:?}-{}", names.len()));
            papers.push(all);
        }
    }
    let files: Vec<_> = names
        .iter()
        .zip(&papers)
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    for (name, verdict) in names.iter().zip(tools::validate(&files, &person.root())) {
        assert_eq!(verdict, ToolVerdict::all_valid(4), "{name}");
    }
}

#[test]
fn a_field_of_the_sheet_can_be_filled_by_the_signature_that_brings_it() {
    let person = Person::new("Ana");
    let signers = [Signer {
        field: "Firma1",
        name: "Ana",
        role: "",
    }];
    let sheet = Sheet {
        title: "Contrato",
        facts: &[],
        reference: "",
        address: "https://a.example",
        signers: &signers,
        accent: ACCENT,
        language: Language::Spanish,
    };
    for dialect in DIALECTS {
        let bytes = contract(A4, dialect);
        let state = prepared(&bytes);
        let mut paper = PdfWithSheet { bytes, state };
        let request = NewSignature {
            sheet: Some(sheet),
            ..NewSignature::new(Field::Existing("Firma1"), time(), 4096)
        };
        paper.sign(&request, &person);
        let report = verify(&paper.bytes, &Policy::new(&person.roots(), time()));
        assert_eq!(report.verdict, FileVerdict::Valid, "{dialect:?}");
        assert_eq!(report.signatures.len(), 1);
    }
}

#[test]
fn a_signed_document_gets_no_sheet() {
    let person = Person::new("Ana");
    let paper = with_sheet(&contract(A4, Xref::Table), &NAMES[..1], &person);
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
        language: Language::Spanish,
    };
    let second = NewSignature {
        sheet: Some(sheet),
        ..NewSignature::new(Field::Invisible("Segunda"), time(), 4096)
    };
    for state in [&paper.state, &prepared(&paper.bytes)] {
        assert_eq!(
            sign(state, &second).err(),
            Some(SignError::Sheet(SheetError::Signed))
        );
    }
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
            language: Language::Spanish,
        };
        match sign(&state, &certifying(&sheet)) {
            Ok(_) => None,
            Err(SignError::Sheet(refused)) => Some(refused),
            Err(other) => panic!("{other}"),
        }
    };
    let address = "https://a.example";
    assert_eq!(attempt(address, &[signer]), None);
    assert_eq!(attempt(address, &[]), Some(SheetError::Signers { limit: 100 }));
    assert_eq!(
        attempt(address, &[signer; 101]),
        Some(SheetError::Signers { limit: 100 })
    );
    assert_eq!(attempt(address, &[signer, signer]), Some(SheetError::FieldName));
    for field in ["", "a.b", "ñ", "a\nb"] {
        assert_eq!(
            attempt(address, &[Signer { field, ..signer }]),
            Some(SheetError::FieldName)
        );
    }
    assert_eq!(attempt(&"x".repeat(3000), &[signer]), Some(SheetError::Address));
}

#[test]
fn pages_of_the_document_stay_untouched() {
    let document = contract(A4, Xref::Table);
    let after = with_sheet(&document, &NAMES, &Person::new("Ana")).bytes;
    assert!(after.starts_with(&document));
    let increment = String::from_utf8_lossy(&after[document.len()..]).into_owned();
    assert!(!increment.contains(&format!("\n{} 0 obj", build::FIRST_PAGE)));
    let found = inspect(&after, &Limits::default()).unwrap();
    assert_eq!((found.pages, found.signatures), (14, 1));
    let added = after.len() - document.len();
    assert!(added < 64_000, "{added} bytes");
}
