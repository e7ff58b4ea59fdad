//! Names in every script: drawn with the letters of a font, in the right order, and read back by others.

use pades::sheet::TextDocument;

use crate::build::Xref;
use crate::cms_tools::run;
use crate::drawing::{output, pool, source};
use crate::people::Person;
use crate::{A4, ACCENT, contract, with_sheet};

/// A name in each script, and a role.
const PEOPLE: [(&str, &str); 20] = [
    ("محمد بن سلمان آل سعود", "Firmante"),
    ("דוד בן־גוריון", "Firmante"),
    ("山田太郎", "代表取締役"),
    ("王小明 欧阳修", "Firmante"),
    ("김철수", "Firmante"),
    ("नरेन्द्र कुमार श्रीवास्तव", "Firmante"),
    ("ประยุทธ์ จันทร์โอชา", "Firmante"),
    ("Ana 👩‍👧 Gómez 🎉", "Firmante"),
    ("Ελένη Παπαδοπούλου", "Firmante"),
    ("Александра Воробьёва", "Firmante"),
    ("Nguyễn Thị Minh Khai", "Firmante"),
    ("ელენე ჯავახიშვილი", "Firmante"),
    ("Անահիտ Սարգսյան", "Firmante"),
    ("አበበ ቢቂላ", "Firmante"),
    ("রবীন্দ্রনাথ ঠাকুর", "Firmante"),
    ("இராமானுசன்", "Firmante"),
    ("အောင်ဆန်းစုကြည်", "Firmante"),
    ("نرگس محمدی‌زاده", "Firmante"),
    ("ശ്രീനിവാസ രാമാനുജൻ", "Firmante"),
    ("សុខ សុភាព", "Firmante"),
];

fn bare(text: &str) -> String {
    let hidden = |letter: &char| letter.is_whitespace() || ('\u{200b}'..='\u{202e}').contains(letter);
    text.chars().filter(|letter| !hidden(letter)).collect()
}

#[test]
fn names_of_every_script_are_drawn_and_can_be_copied() {
    let person = Person::new("Ana");
    let folder = output("scripts");
    let before = contract(A4, Xref::Stream);
    let mut sheet = with_sheet(&before, &PEOPLE, &person);
    let mut bytes = sheet.bytes.clone();
    for (place, who) in PEOPLE.into_iter().enumerate() {
        sheet.fill(place, who, &person);
        let added = sheet.bytes.len() - bytes.len();
        assert!(added < 24_000, "{}: {added} bytes", who.0);
        bytes.clone_from(&sheet.bytes);
    }
    std::fs::write(folder.join("names.pdf"), &bytes).unwrap();
    for page in ["13", "14"] {
        let stem = format!("names-{page}");
        let arguments = [
            "-png",
            "-r",
            "110",
            "-singlefile",
            "-f",
            page,
            "-l",
            page,
            "names.pdf",
            &stem,
        ];
        run(&folder, "pdftoppm", &arguments);
    }
    let text = bare(&run(
        &folder,
        "pdftotext",
        &["-f", "13", "-raw", "names.pdf", "-"],
    ));
    let missing: Vec<&str> = PEOPLE
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !text.contains(&bare(name)))
        .collect();
    assert!(missing.is_empty(), "{missing:?} is not in\n{text}");
    let ours: String = (12..14)
        .map(|page| pool().text(&source(&bytes), page).unwrap().text)
        .collect();
    std::fs::write(folder.join("names-ours.txt"), &ours).unwrap();
    for name in ["山田太郎", "김철수", "Ελένη Παπαδοπούλου", "ประยุทธ์ จันทร์โอชา"]
    {
        assert!(bare(&ours).contains(&bare(name)), "{name} is not in\n{ours}");
    }
}

#[test]
fn long_names_wrap_and_nothing_is_cut() {
    let person = Person::new("Ana");
    let folder = output("scripts");
    let long = "María de los Ángeles Fernández de Córdoba y Bermúdez de Castro ".repeat(4);
    let long: String = long.chars().take(199).chain(['Z']).collect();
    let chinese = "欧阳司马上官诸葛夏侯皇甫尉迟公羊".repeat(12);
    let arabic = "عبد الرحمن بن محمد بن عبد الله آل سعود ".repeat(5);
    let people = [
        (long.as_str(), "Representante legal suplente de la sociedad"),
        (chinese.as_str(), "法定代表人"),
        (arabic.trim_end(), "Firmante"),
        ("x".repeat(200).leak(), "Firmante"),
    ];
    let bytes = with_sheet(&contract(A4, Xref::Table), &people, &person).signed(&people, &person);
    std::fs::write(folder.join("long.pdf"), &bytes).unwrap();
    let arguments = [
        "-png",
        "-r",
        "110",
        "-singlefile",
        "-f",
        "13",
        "-l",
        "13",
        "long.pdf",
        "long",
    ];
    run(&folder, "pdftoppm", &arguments);
    let text = bare(&run(&folder, "pdftotext", &["-f", "13", "-raw", "long.pdf", "-"]));
    assert!(!text.contains('…'), "{text}");
    for (name, _) in &people[..2] {
        assert!(text.contains(&bare(name)), "{name} is not in\n{text}");
    }
    // Poppler gives the words of several lines from right to left back line by line.
    for word in people[2].0.split(' ') {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
    assert!(text.contains(people[3].0), "{text}");
}

#[test]
fn a_document_of_text_holds_every_script() {
    let folder = output("scripts");
    let mut document = TextDocument::new(
        ["Constancia", "Constancia 山田太郎"],
        "Folio 1",
        ACCENT,
        pades::Language::Spanish,
    );
    for (name, _) in PEOPLE {
        document.fact("Firmante", name);
        document.paragraph(&format!(
            "{name} firmó el documento con un código de un solo uso enviado a su correo."
        ));
    }
    document.fact(
        &"Una etiqueta muy larga ".repeat(3),
        &"Un valor aún más largo ".repeat(12),
    );
    let bytes = document.finish(|page, pages| format!("Página {page} de {pages}"));
    std::fs::write(folder.join("document.pdf"), &bytes).unwrap();
    let arguments = [
        "-png",
        "-r",
        "80",
        "-singlefile",
        "-f",
        "1",
        "-l",
        "1",
        "document.pdf",
        "document",
    ];
    run(&folder, "pdftoppm", &arguments);
    let text = bare(&run(&folder, "pdftotext", &["-raw", "document.pdf", "-"]));
    for (name, _) in PEOPLE {
        assert!(
            text.matches(&bare(name)).count() >= 2,
            "{name} is not twice in\n{text}"
        );
    }
    assert!(!text.contains('…'), "{text}");
}
