//! Names and texts made to break a drawing.

use pades::sheet::{Act, Fact, Sheet, Signer, appearance};
use render::Rendered;

use crate::build::Xref;
use crate::drawing::{output, pool, source};
use crate::people::Person;
use crate::tools::qpdf_warnings;
use crate::{A4, ACCENT, certified, contract, local};

const HOSTILE: [&str; 14] = [
    "",
    " \t\n\u{0}\u{7}\u{1b}[31m",
    ") Tj ET Q endstream endobj << /JS (app.alert(1)) >> (\\",
    "<</AcroForm 1 0 R>> %%EOF\nstartxref\n0\n",
    "محمد بن سلمان آل سعود",
    "\u{202e}dlrow olleh\u{2066}\u{2069}",
    "שָׁלוֹם עֲלֵיכֶם",
    "👩‍👩‍👧‍👦🏳️‍🌈👨🏽‍⚖️",
    "山田太郎 김철수 ประยุทธ์",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
    "𝕁𝕠𝕤é \u{10ffff}\u{e000}\u{fffd}",
    "ﷺ﷽ ꧅ 𒐫",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "(((((((((((((((((((((((((((((((((((\\\\\\\\\\\\\\\\\\\\\\>>>>>>>>>>>>>>>>>>>>",
];

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = HOSTILE.iter().map(|&text| text.to_owned()).collect();
    texts.push("x".repeat(200_000));
    texts.push("una palabra ".repeat(20_000));
    texts.push(HOSTILE.concat());
    texts
}

#[test]
fn no_text_breaks_the_sheet_or_an_appearance() {
    let document = contract(A4, Xref::Table);
    let (folder, pool, person) = (output("hostile"), pool(), Person::new("Ana"));
    for (number, text) in texts().iter().enumerate() {
        let fact = Fact {
            label: text,
            value: text,
        };
        let sheet = Sheet {
            title: text,
            facts: &[fact; 3],
            reference: text,
            address: "https://firmas.example.co/v/1",
            signers: &[Signer {
                field: "Firma1",
                name: text,
                role: text,
            }],
            accent: ACCENT,
            language: pades::Language::Spanish,
        };
        let paper = certified(&document, &sheet, &person);
        let time = local();
        let act = Act {
            name: text,
            role: text,
            document: text,
            time: &time,
            address: text,
            channel: text,
            consent: text,
            picture: Some(pades::sheet::Picture::Typed(text)),
            accent: ACCENT,
            language: pades::Language::Spanish,
        };
        let appearance = appearance(&paper.state, "Firma1", &act).unwrap();
        assert!(appearance.content.is_ascii());
        assert!(
            appearance.content.len() < 100_000,
            "{number}: {} bytes",
            appearance.content.len()
        );
        let short: String = text.chars().filter(|letter| *letter != '\0').take(200).collect();
        let all = paper.signed(&[(&short, &short)], &person);
        let file = format!("{number}.pdf");
        std::fs::write(folder.join(&file), &all).unwrap();
        assert_eq!(qpdf_warnings(&folder, &file), 0, "{number}: {short}");
        let drawn = pool.image(&source(&all), 12, 1200);
        let Ok(Rendered::Faithful(picture)) = drawn else {
            panic!("{number}: {drawn:?}")
        };
        std::fs::write(folder.join(format!("{number}.png")), &picture.file).unwrap();
    }
}
