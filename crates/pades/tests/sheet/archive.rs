//! Documents for archives stay so: a PDF/A upload is PDF/A after sheet, signatures and timestamp.

use crate::build::{CATALOG, Doc, Xref, stream};
use crate::cms_tools::run;
use crate::drawing::output;
use crate::people::Person;
use crate::tools::{ToolVerdict, validate};
use crate::{PdfWithSheet, time, with_sheet};
use pades::sign::{add_validation_data, timestamp};
use pades::verify::{FileVerdict, Language, Policy, verify};

const PEOPLE: [(&str, &str); 3] = [
    ("María Fernanda Gutiérrez", "Arrendadora"),
    ("山田太郎", "Arrendatario"),
    ("محمد بن سلمان", "Testigo"),
];

/// A document that says that it is PDF/A of a part, level B.
fn archival(part: u8, dialect: Xref) -> Vec<u8> {
    let mut doc = Doc::contract(2);
    let xmp = format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" \
         xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\"><pdfaid:part>{part}</pdfaid:part>\
         <pdfaid:conformance>B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
    );
    let metadata = doc.add(stream("/Type/Metadata/Subtype/XML", xmp.as_bytes()));
    // The profile of a printing press: plain red, green and blue mean nothing beside it.
    let profile = doc.add(stream("/N 4", b"not read by anything here"));
    doc.extend(
        CATALOG,
        &format!(
            "/Metadata {metadata} 0 R/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(FOGRA39)\
             /DestOutputProfile {profile} 0 R>>]"
        ),
    );
    doc.write(dialect)
}

/// With revocation lists and a timestamp, as the service extends what is signed.
pub(crate) fn extended(mut paper: PdfWithSheet, person: &Person) -> Vec<u8> {
    let lists = person.lists(&[]);
    let lists: Vec<&[u8]> = lists.iter().map(Vec::as_slice).collect();
    let added = add_validation_data(&paper.state, &[], &lists, &[]).unwrap();
    paper.bytes.extend_from_slice(&added.increment);
    let unsigned = timestamp(&added.next, "Sello", 8192).unwrap();
    let token = Person::stamp(&person.clock(), unsigned.digest(), time());
    paper
        .bytes
        .extend_from_slice(&unsigned.embed(&token).unwrap().increment);
    paper.bytes
}

#[test]
fn a_document_for_archives_stays_one() {
    let person = Person::new("Ana");
    let folder = output("archive");
    std::fs::write(folder.join("archive.py"), include_str!("archive.py")).unwrap();
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    for (part, dialect) in [
        (1, Xref::Table),
        (2, Xref::Stream),
        (3, Xref::Packed),
        (3, Xref::Table),
    ] {
        let before = archival(part, dialect);
        let mut paper = with_sheet(&before, &PEOPLE, &person);
        for (place, who) in PEOPLE.into_iter().enumerate() {
            paper.fill(place, who, &person);
        }
        let after = extended(paper, &person);
        std::fs::write(folder.join("before.pdf"), &before).unwrap();
        std::fs::write(folder.join("after.pdf"), &after).unwrap();
        let words = run(
            &folder,
            &python,
            &["archive.py", "before.pdf", "after.pdf", &part.to_string()],
        );
        assert_eq!(words, "", "PDF/A-{part}b, {dialect:?}");
        let report = verify(&after, &Policy::new(&person.roots(), time()));
        assert_eq!(
            report.verdict,
            FileVerdict::Valid,
            "{}",
            report.text(Language::English)
        );
        let verdicts = validate(&[("after", &after)], &person.root());
        // pdfsig does not look into document timestamps.
        let expected = ToolVerdict {
            pdfsig: 4,
            ..ToolVerdict::all_valid(5)
        };
        assert_eq!(verdicts, [expected], "PDF/A-{part}b, {dialect:?}");
    }
}
