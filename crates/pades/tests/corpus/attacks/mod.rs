//! Attacks on signed files, by family. None may come out as valid, and each gets its reason.

mod annotations;
pub(crate) mod appearances;
mod incremental;
mod manipulated;
mod shadow;
mod shared_objects;
pub(crate) mod sneaky;
mod wrapped;

use std::path::PathBuf;

use pades::sign::{NewSignature, Permission};
use pades::verify::{FileVerdict, Language, Reason, Verdict};

use crate::build::{Doc, Xref, append};
use crate::people::Person;
use crate::signing::{PreparedPdf, invisible};
use crate::verifying::verified;

/// Every attack and what is held against it.
const REASONS: &str = include_str!("reasons.txt");

/// A file made to deceive.
pub(crate) struct Attack {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The attacked document, its owner, and how it was signed.
pub(crate) struct Victim {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) dialect: Xref,
    pub(crate) certified: bool,
}

impl Victim {
    pub(crate) fn attack(&self, name: &str, bytes: Vec<u8>) -> Attack {
        Attack {
            name: format!("{name} on {}", self.name),
            bytes,
        }
    }

    /// The victim with an incremental update.
    pub(crate) fn update(&self, objects: &[(u32, Vec<u8>)]) -> Vec<u8> {
        append(&self.bytes, objects, SIZE, "/Root 1 0 R", self.dialect)
    }
}

/// The number of the signature's field.
pub(crate) fn field_of(bytes: &[u8]) -> u32 {
    let at = bytes.windows(7).rposition(|w| w == b"/FT/Sig").unwrap();
    let start = bytes[..at].windows(7).rposition(|w| w == b" 0 obj\n").unwrap();
    let line = bytes[..start].iter().rposition(|b| *b == b'\n').unwrap() + 1;
    String::from_utf8_lossy(&bytes[line..start]).parse().unwrap()
}

/// Where the digits of the last signature start and have ended.
pub(crate) fn contents_of(bytes: &[u8]) -> (usize, usize) {
    let start = bytes.windows(10).rposition(|w| w == b"/Contents<").unwrap() + 10;
    (
        start,
        start + bytes[start..].iter().position(|b| *b == b'>').unwrap(),
    )
}

/// Beyond every object number the victims use.
pub(crate) const SIZE: u32 = 500;

pub(crate) fn body(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// The document under attack: two pages, a text field, and a reference to an object that does not exist.
pub(crate) fn document() -> Doc {
    let mut doc = Doc::contract(2);
    let field = doc.add("<</FT/Tx/T(valor)/V(100)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 6 0 R>>");
    doc.set(6, "<</Type/Page/Parent 2 0 R/Contents 7 0 R/Annots[8 0 R]/Resources<</Font<</F1 3 0 R>>/XObject<</X 300 0 R>>>>>>");
    assert_eq!(field, 8);
    doc.extend(1, "/AcroForm<</Fields[8 0 R]>>");
    doc
}

pub(crate) fn victims(person: &Person) -> Vec<Victim> {
    let mut victims = Vec::new();
    for dialect in [Xref::Table, Xref::Stream] {
        let paper = PreparedPdf::new(document().write(dialect));
        let certify = NewSignature {
            certify: Some(Permission::FillAndSign),
            ..invisible("Certifica")
        };
        for (certified, paper) in [
            (false, paper.clone().signed(person, &invisible("Firma"))),
            (true, paper.signed(person, &certify)),
        ] {
            let kind = if certified { "certified" } else { "approved" };
            victims.push(Victim {
                name: format!("{kind} {dialect:?}"),
                bytes: paper.bytes,
                dialect,
                certified,
            });
        }
    }
    victims
}

fn all(person: &Person) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for victim in victims(person) {
        attacks.extend(manipulated::all(&victim));
        attacks.extend(incremental::all(&victim));
        attacks.extend(wrapped::all(&victim));
        if victim.certified {
            attacks.extend(annotations::all(&victim));
        }
    }
    attacks.extend(shadow::all(person));
    attacks.extend(sneaky::all(person));
    attacks.extend(shared_objects::all(person));
    attacks.extend(appearances::all(person));
    attacks
}

#[test]
fn no_attack_is_believed() {
    let person = Person::new("Ana");
    for victim in victims(&person) {
        assert_eq!(
            verified(&victim.bytes, &person).verdict,
            FileVerdict::Valid,
            "{}",
            victim.name
        );
    }
    let attacks = all(&person);
    assert!(attacks.len() >= 120, "only {} attacks are left", attacks.len());
    let (mut believed, mut table) = (Vec::new(), String::new());
    for attack in &attacks {
        let report = verified(&attack.bytes, &person);
        let reasons = report.signatures.iter().flat_map(|signature| &signature.reasons);
        // Where a part of the signed revision cannot be read, what was added to it is not believed, and not condemned.
        let is_unknown = |reason: &Reason| matches!(reason, Reason::UnknownReferences(_));
        let held: Vec<String> = reasons
            .filter(|reason| reason.verdict() == Verdict::Invalid || is_unknown(reason))
            .map(|reason| format!("{reason:?}"))
            .collect();
        let found = match report.verdict {
            FileVerdict::Unreadable(refused) => format!("Unreadable({refused:?})"),
            FileVerdict::Invalid | FileVerdict::Indeterminate => held.join(", "),
            _ => String::new(),
        };
        if found.is_empty() {
            believed.push(format!("{}: {}", attack.name, report.text(Language::English)));
        }
        table += &format!("{} | {found}\n", attack.name);
    }
    assert!(
        believed.is_empty(),
        "{} of {}:\n{}",
        believed.len(),
        attacks.len(),
        believed.join("\n")
    );
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("reasons.txt"), &table).unwrap();
    let expected: Vec<&str> = REASONS.lines().collect();
    let other: Vec<_> = table.lines().filter(|line| !expected.contains(line)).collect();
    assert!(
        table == REASONS,
        "the reasons are others than in reasons.txt; all of them are in {}:\n{}",
        folder.display(),
        other.join("\n")
    );
}
