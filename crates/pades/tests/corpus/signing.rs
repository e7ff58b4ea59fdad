//! Signing the corpus: the upload stays a prefix, and independent programs accept the result.

use jiff::Timestamp;
use pades::sign::{
    Appearance, Field, Lock, NewSignature, Permission, SignError, add_validation_data, sign, timestamp,
};
use pdf::Limits;
use pdf::increment::Appended;
use pdf::inspect::inspect;
use pdf::prepare::Prepared;
use pki::authority::Revoked;
use sha2::{Digest, Sha256};

use crate::build::{CATALOG, DIALECTS, Doc};
use crate::cases::{Expect, features};
use crate::people::Person;
use crate::tools::{self, ToolVerdict};
use crate::verifying::assert_valid;

pub(crate) fn time() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

pub(crate) fn prepared(bytes: &[u8]) -> Prepared {
    inspect(bytes, &Limits::default())
        .unwrap()
        .prepare(Sha256::new_with_prefix(bytes))
}

/// A document as its bytes and its state.
#[derive(Debug, Clone)]
pub(crate) struct PreparedPdf {
    pub(crate) bytes: Vec<u8>,
    pub(crate) state: Prepared,
}

impl PreparedPdf {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let state = prepared(&bytes);
        Self { bytes, state }
    }

    /// Signs with a timestamp of the signature value.
    pub(crate) fn signed_at(self, person: &Person, request: &NewSignature<'_>, now: Timestamp) -> Self {
        let clock = person.clock();
        let key = person.key();
        let unsigned = sign(&self.state, request).unwrap();
        let signature = key.sign(unsigned.digest()).unwrap();
        let token = Person::stamp(&clock, &signature.timestamp_digest(), now);
        self.append(unsigned.embed(&signature.finish(Some(&token))).unwrap())
    }

    /// Adds the authority's certificates and revocation lists.
    pub(crate) fn with_validation_data(self, person: &Person, revoked: &[Revoked]) -> Self {
        let lists = person.lists(revoked);
        let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
        let certificates = [person.root.certificate(), person.issuer.certificate()];
        let appended =
            add_validation_data(&self.state, &certificates.map(|one| one.as_der()), &lists, &[]).unwrap();
        self.append(appended)
    }

    /// Adds a timestamp of the document.
    pub(crate) fn stamped(self, person: &Person, name: &str, now: Timestamp) -> Self {
        let unsigned = timestamp(&self.state, name, 4096).unwrap();
        let token = Person::stamp(&person.clock(), unsigned.digest(), now);
        self.append(unsigned.embed(&token).unwrap())
    }

    pub(crate) fn append(mut self, appended: Appended) -> Self {
        self.bytes.extend_from_slice(&appended.increment);
        assert_eq!(appended.next.length(), self.bytes.len() as u64);
        assert_eq!(
            appended.next.sha256(),
            <[u8; 32]>::from(Sha256::digest(&self.bytes))
        );
        self.state = appended.next;
        self
    }

    pub(crate) fn signed(self, person: &Person, request: &NewSignature<'_>) -> Self {
        // The state goes through storage, as it does between two acts.
        let state = Prepared::from_bytes(&self.state.to_bytes()).unwrap();
        let key = person.key();
        let unsigned = sign(&state, request).unwrap();
        let signature = key.sign(unsigned.digest()).unwrap();
        self.append(unsigned.embed(&signature.finish(None)).unwrap())
    }
}

pub(crate) fn invisible(name: &str) -> NewSignature<'_> {
    NewSignature::new(Field::Invisible(name), time(), 4096)
}

#[test]
fn every_accepted_file_can_be_signed_twice_and_read_again() {
    let person = Person::new("Ana");
    for case in features::all() {
        if matches!(case.expect, Expect::Refused(_)) || case.name.contains("thousand") {
            continue;
        }
        let paper = PreparedPdf::new(case.bytes.clone());
        let before = inspect(&case.bytes, &Limits::default()).unwrap();
        let twice = paper
            .signed(&person, &invisible("Firma1"))
            .signed(&person, &invisible("Firma2"));
        if matches!(case.expect, Expect::Pages(_)) {
            assert_valid(&case.name, &twice.bytes, &person, 2);
        }
        assert!(twice.bytes.starts_with(&case.bytes), "{}", case.name);
        let after =
            inspect(&twice.bytes, &Limits::default()).unwrap_or_else(|r| panic!("{}: {r}", case.name));
        assert_eq!(after.pages, before.pages, "{}", case.name);
        assert_eq!(after.signatures, before.signatures + 2, "{}", case.name);
        let again = after.prepare(Sha256::new_with_prefix(&twice.bytes));
        assert_eq!(
            again.to_bytes(),
            twice.state.to_bytes(),
            "{}: the states agree",
            case.name
        );
    }
}

#[test]
fn independent_programs_accept_what_was_signed() {
    let person = Person::new("Ana");
    let mut papers = Vec::new();
    for dialect in DIALECTS {
        let paper = PreparedPdf::new(Doc::contract(2).write(dialect));
        let certified = paper.clone().signed(
            &person,
            &NewSignature {
                certify: Some(Permission::FillAndSign),
                appearance: Some(Appearance::text(
                    [180.0, 40.0],
                    &["Firmado por Ana Muñoz", "15 nov 2026"],
                )),
                reason: Some("Acepto (todo) el contrato; ñ"),
                name: Some("Ana"),
                location: Some("Bogotá"),
                ..NewSignature::new(
                    Field::Visible("Certifica", [36.0, 36.0, 216.0, 76.0]),
                    time(),
                    4096,
                )
            },
        );
        let approved = certified
            .clone()
            .signed(&person, &invisible("Firma1"))
            .signed(&person, &invisible("Firma2"));
        let locked = paper
            .clone()
            .signed(
                &person,
                &NewSignature {
                    lock: Some(Lock::Only(&["Firma1"])),
                    ..invisible("Firma1")
                },
            )
            .signed(&person, &invisible("Firma2"));
        papers.extend([
            (
                format!("plain-{dialect:?}"),
                paper.signed(&person, &invisible("Firma1")),
                1,
            ),
            (format!("certified-{dialect:?}"), certified, 1),
            (format!("approved-{dialect:?}"), approved, 3),
            (format!("locked-{dialect:?}"), locked, 2),
        ]);
    }
    let lock = "<</Type/SigFieldLock/Action/Include/Fields[(firma)]>>";
    for dialect in DIALECTS {
        let request = NewSignature::new(Field::Existing("firma"), time(), 4096);
        for (name, slot) in [("slot", with_slot(lock)), ("slot-of-its-own", with_slot("9 0 R"))] {
            papers.push((
                format!("{name}-{dialect:?}"),
                PreparedPdf::new(slot.write(dialect)).signed(&person, &request),
                1,
            ));
        }
    }
    let files: Vec<_> = papers
        .iter()
        .map(|(name, paper, _)| (name.as_str(), paper.bytes.as_slice()))
        .collect();
    for (name, paper, count) in &papers {
        assert_valid(name, &paper.bytes, &person, *count);
    }
    let verdicts = tools::validate(&files, &person.root());
    for ((name, _, count), verdict) in papers.iter().zip(verdicts) {
        assert_eq!(verdict, ToolVerdict::all_valid(*count), "{name}");
    }
}

/// A contract with an empty field that has this lock; object 9 is a lock of one field.
fn with_slot(lock: &str) -> Doc {
    let mut doc = Doc::contract(1);
    doc.set(9, "<</Type/SigFieldLock/Action/Include/Fields[(firma)]>>");
    let field = doc.add(format!(
        "<</FT/Sig/T(firma)/Type/Annot/Subtype/Widget/Rect[9 9 99 29]/P 4 0 R/Lock {lock}>>"
    ));
    doc.on_page(&format!("/Annots[{field} 0 R]"));
    doc.extend(CATALOG, &format!("/AcroForm<</Fields[{field} 0 R]/SigFlags 1>>"));
    doc
}

#[test]
fn what_a_fields_own_lock_forbids_is_not_tried() {
    let person = Person::new("Ana");
    for (lock, last) in [
        ("9 0 R", false),
        ("<</Type/SigFieldLock/Action/All>>", true),
        ("<</Type/SigFieldLock/Action/Exclude/Fields[(otra)]>>", true),
        ("<</Type/SigFieldLock/Action/Include/Fields[(firma)]/P 1>>", true),
    ] {
        let request = NewSignature::new(Field::Existing("firma"), time(), 4096);
        let signed = PreparedPdf::new(with_slot(lock).table()).signed(&person, &request);
        let next = sign(&signed.state, &invisible("Firma2")).map(drop);
        assert_eq!(next.err(), last.then_some(SignError::Locked), "{lock}");
    }
}

/// Names are bytes in the encoding of their document, and not always UTF-8.
#[test]
fn a_fields_own_lock_is_repeated_byte_by_byte() {
    let person = Person::new("Ana");
    let mut doc = with_slot("9 0 R");
    doc.set(
        9,
        b"<</Type/SigFieldLock/Action/Include/Fields[(A\xf1o)(firma)]>>",
    );
    let upload = doc.table();
    let request = NewSignature::new(Field::Existing("firma"), time(), 4096);
    let signed = PreparedPdf::new(upload.clone()).signed(&person, &request);
    let names = b"/Fields [(A\xf1o)(firma)]";
    let added = &signed.bytes[upload.len()..];
    assert!(added.windows(names.len()).any(|word| word == names));
}

#[test]
fn what_cannot_be_signed_says_why() {
    let person = Person::new("Ana");
    let paper = PreparedPdf::new(Doc::contract(1).table());
    let refused = |state: &Prepared, request: &NewSignature<'_>| sign(state, request).unwrap_err();
    let missing = NewSignature::new(Field::Existing("nada"), time(), 100);
    assert_eq!(refused(&paper.state, &missing), SignError::NoSuchField);
    assert_eq!(refused(&paper.state, &invisible("")), SignError::NameTaken);
    assert_eq!(refused(&paper.state, &invisible("a.b")), SignError::NameTaken);
    let once = paper.clone().signed(&person, &invisible("Firma1"));
    assert_eq!(refused(&once.state, &invisible("Firma1")), SignError::NameTaken);
    let certify = NewSignature {
        certify: Some(Permission::FillAndSign),
        ..invisible("Firma2")
    };
    assert_eq!(refused(&once.state, &certify), SignError::NotFirst);
    let last = NewSignature {
        certify: Some(Permission::Nothing),
        ..invisible("Firma1")
    };
    let closed = paper.clone().signed(&person, &last);
    assert_eq!(refused(&closed.state, &invisible("Firma2")), SignError::Locked);
    let small = NewSignature {
        reserve: 10,
        ..invisible("Firma1")
    };
    let small = sign(&paper.state, &small).unwrap();
    assert_eq!(
        small.embed(&[1; 11]).unwrap_err(),
        SignError::TooLarge {
            needed: 11,
            reserved: 10
        }
    );
}

/// Files that pyHanko refuses to read, signed or not.
const UNREAD_BY_PYHANKO: [&str; 1] = ["junk-before-header"];

#[test]
fn signing_adds_no_complaint_to_any_file_of_the_corpus() {
    let person = Person::new("Ana");
    let mut names = Vec::new();
    let mut papers = Vec::new();
    for case in features::all() {
        if matches!(case.expect, Expect::Pages(pages) if pages < 1000) {
            let paper = PreparedPdf::new(case.bytes.clone()).signed(&person, &invisible("Firma1"));
            papers.push((case.bytes, paper.signed(&person, &invisible("Firma2")).bytes));
            names.push(case.name);
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let files: Vec<_> = names
        .iter()
        .zip(&papers)
        .map(|(name, (_, after))| (name.as_str(), after.as_slice()))
        .collect();
    let mut complaints = Vec::new();
    for ((name, (before, _)), verdict) in names
        .iter()
        .zip(&papers)
        .zip(tools::validate(&files, &person.root()))
    {
        std::fs::write(directory.path().join("before.pdf"), before).unwrap();
        let warnings = tools::qpdf_warnings(directory.path(), "before.pdf");
        let pyhanko = if UNREAD_BY_PYHANKO.contains(&name.as_str()) {
            0
        } else {
            2
        };
        if verdict.pdfsig != 2 || verdict.pyhanko != pyhanko || verdict.qpdf_warnings > warnings {
            complaints.push(format!(
                "{name}: {verdict:?}, qpdf warned {warnings} times before"
            ));
        }
    }
    assert!(
        complaints.is_empty(),
        "{} of {}:\n{}",
        complaints.len(),
        names.len(),
        complaints.join("\n")
    );
}
