//! What people see: by poppler and by us, kept to be looked at.

use render::Rendered;

use crate::build::Xref;
use crate::cms_tools::run;
use crate::drawing::{GreyImage, output, pool, source};
use crate::people::Person;
use crate::{A4, NAMES, contract, with_sheet};

/// Draws the pages after the twelfth by both, keeps the images, and says how much they differ.
fn compare(name: &str, bytes: &[u8], pages: u32) {
    let folder = output("sheet");
    let file = format!("{name}.pdf");
    std::fs::write(folder.join(&file), bytes).unwrap();
    let pool = pool();
    for page in 12..12 + pages {
        let stem = format!("{name}-{}-poppler", page + 1);
        let number = (page + 1).to_string();
        let arguments = [
            "-png",
            "-cropbox",
            "-singlefile",
            "-scale-to-x",
            "1200",
            "-scale-to-y",
            "-1",
        ];
        let arguments = [&arguments[..], &["-f", &number, "-l", &number, &file, &stem]].concat();
        run(&folder, "pdftoppm", &arguments);
        let Rendered::Faithful(picture) = pool.image(&source(bytes), page, 1200).unwrap() else {
            panic!("{name}: page {number} is not faithful");
        };
        std::fs::write(folder.join(format!("{name}-{number}-ours.png")), &picture.file).unwrap();
        let theirs = GreyImage::read(&std::fs::read(folder.join(format!("{stem}.png"))).unwrap());
        let difference = GreyImage::read(&picture.file).difference(&theirs);
        assert!(difference < 12.0, "{name}: page {number} differs by {difference}");
    }
    let text = run(&folder, "pdftotext", &["-f", "13", "-layout", &file, "-"]);
    std::fs::write(folder.join(format!("{name}.txt")), &text).unwrap();
    let ours: String = (12..12 + pages)
        .map(|page| pool.text(&source(bytes), page).unwrap().text)
        .collect();
    // Lines are broken differently on narrow paper.
    let [text, ours] = [text, ours].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    for wanted in [
        "Contrato de",
        "Folio",
        "2026-000123",
        "Firmantes",
        "HOJA DE FIRMAS",
    ] {
        assert!(
            text.contains(wanted) && ours.contains(wanted),
            "{name}: {wanted}\n{text}\n{ours}"
        );
    }
}

#[test]
fn sheets_of_all_sizes_look_the_same_to_poppler_and_to_us() {
    let person = Person::new("Ana");
    for (name, area, signers, acts, pages) in [
        ("a4-one", A4, 1, 0, 1),
        ("a4-four", A4, 4, 2, 1),
        ("a4-ten", A4, 10, 10, 1),
        ("a4-twelve", A4, 12, 12, 2),
        ("letter-six", "[0 0 612 792]", 6, 3, 1),
        ("landscape-five", "[0 0 841.89 595.276]", 5, 5, 1),
        ("small-three", "[10 10 430 605]", 3, 1, 2),
        ("slides-four", "[0 0 960 540]", 4, 4, 1),
    ] {
        let paper = with_sheet(&contract(area, Xref::Stream), &NAMES[..signers], &person);
        compare(name, &paper.signed(&NAMES[..acts], &person), pages);
    }
}

#[test]
fn names_and_hash_can_be_copied_from_the_sheet() {
    let document = contract(A4, Xref::Table);
    let folder = output("sheet");
    let person = Person::new("Ana");
    let sheet = with_sheet(&document, &NAMES, &person).signed(&NAMES, &person);
    std::fs::write(folder.join("text.pdf"), &sheet).unwrap();
    let text = run(&folder, "pdftotext", &["-f", "13", "-raw", "text.pdf", "-"]);
    let hash: String = <sha2::Sha256 as sha2::Digest>::digest(&document)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(
        text.split_whitespace().collect::<String>().contains(&hash),
        "{text}"
    );
    for (name, _) in NAMES.iter().take(10) {
        assert!(text.contains(name), "{name} is not in\n{text}");
    }
    assert!(
        text.contains("15 de noviembre de 2026, 07:00:07 (UTC−5)"),
        "{text}"
    );
}
