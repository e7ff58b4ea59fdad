//! What texts may hold, tried with whatever can be written.

use domain::{
    DocumentNumber, Email, FieldError, FileName, FolioMessage, FolioName, Mobile, Observation, PersonName,
    ReturnUrl,
};
use proptest::prelude::*;

/// Written out from the Unicode tables: what turns text around, or hides in it.
const DIRECTION: &str =
    "\u{061c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}";
const SEPARATORS: &str = "\u{2028}\u{2029}\u{feff}";

const PASTED: &str = "\u{feff}\u{200b}\u{200e}\u{200f}";
const HIDDEN: &str = "\u{ad}\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}\u{180c}\u{180d}\u{180e}\u{180f}\u{200c}\u{200d}\
    \u{3164}\u{ffa0}";

/// Blocks of characters that only act on others.
fn is_formatting(c: char) -> bool {
    matches!(u32::from(c), 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfff0..=0xfffb | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
}

fn dangerous(c: char) -> bool {
    let control = matches!(u32::from(c), 0..=0x1f | 0x7f..=0x9f);
    control || DIRECTION.contains(c) || SEPARATORS.contains(c)
}

/// Any text, rich in what could do harm.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "\\PC{0,12}",
        2 => any::<String>(),
        2 => prop::sample::select(vec!["/", "\\", "..", ".", ".pdf", ".PDF", "\0", "\r\n", "\"", ":", " ", "ñ", "🖋"])
            .prop_map(str::to_owned),
        2 => prop::sample::select((DIRECTION.to_owned() + SEPARATORS + PASTED + HIDDEN).chars().collect::<Vec<_>>())
            .prop_map(String::from),
        1 => ("[a-zñ ]", 1_usize..260).prop_map(|(letter, count)| letter.repeat(count)),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn file_names_are_harmless_whatever_was_sent(sent in nasty()) {
        let name = FileName::new(&sent);
        prop_assert!(!name.as_str().chars().any(|c| dangerous(c) || r"/\".contains(c)), "{name:?}");
        let length = name.as_str().chars().count();
        prop_assert!((1..=200).contains(&length), "{length} characters");
        prop_assert_eq!(&FileName::new(name.as_str()), &name, "a name that was kept stays as it is");
        let on_disk = name.for_download();
        prop_assert!(!on_disk.chars().any(|c| dangerous(c) || r#"/\<>:"|?*"#.contains(c)), "{on_disk:?}");
        prop_assert!(on_disk.to_ascii_lowercase().ends_with(".pdf") && !on_disk.starts_with('.'), "{on_disk:?}");
    }

    #[test]
    fn texts_are_taken_within_their_limits_and_unchanged_but_for_pasted_marks(text in nasty()) {
        let sent = text.clone();
        let text: String = text.chars().filter(|c| !PASTED.contains(*c)).collect();
        let length = text.chars().count();
        let one_line = !text.chars().any(dangerous);
        let lines = !text.chars().any(|c| dangerous(c) && !"\n\r\t".contains(c));
        let blank = text.trim().is_empty();
        let judged = |most: usize, least: usize, clean: bool| {
            !blank && clean && (least..=most).contains(&length)
        };
        let taken = |made: Result<String, FieldError>, good: bool| match made {
            Ok(kept) => good && kept == text,
            Err(_) => !good,
        };
        let name = FolioName::new(&*sent).map(|made| made.as_str().to_owned());
        prop_assert!(taken(name, judged(100, 1, one_line)));
        let message = FolioMessage::new(&*sent).map(|made| made.as_str().to_owned());
        prop_assert!(taken(message, judged(500, 1, lines)));
        let reason = Observation::new(&*sent).map(|made| made.as_str().to_owned());
        prop_assert!(taken(reason, judged(500, 10, lines)));
    }

    #[test]
    fn a_name_loses_pasted_marks_and_has_nothing_hidden(text in nasty()) {
        let seen: String = text.chars().filter(|c| !PASTED.contains(*c)).collect();
        let clean = !seen.chars().any(|c| dangerous(c) || HIDDEN.contains(c) || is_formatting(c));
        let good = !seen.trim().is_empty() && clean && seen.chars().count() <= 200;
        match PersonName::new(&*text) {
            Ok(name) => prop_assert!(good && name.as_str() == seen, "{text:?}"),
            Err(_) => prop_assert!(!good, "{text:?}"),
        }
    }

    #[test]
    fn whatever_is_taken_for_an_address_is_free_of_breaks(text in nasty(), local in "\\PC{1,5}", rest in "\\PC{0,9}") {
        for text in [&text, &format!("{local}@{rest}.co"), &format!("https://{rest}"), &format!("300{rest}")] {
            if let Ok(email) = Email::new(text.as_str()) {
                prop_assert!(!email.as_str().chars().any(|c| dangerous(c) || c.is_whitespace() || "<>,;\"".contains(c)));
                prop_assert!(email.as_str().matches('@').count() == 1 && email.as_str().chars().count() <= 254);
            }
            if let Ok(url) = ReturnUrl::new(text.as_str(), 500) {
                prop_assert!(!url.as_str().chars().any(|c| dangerous(c) || c.is_whitespace()));
                let (scheme, _) = url.as_str().split_once("://").unwrap();
                prop_assert!(scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)));
            }
            if let Ok(mobile) = Mobile::new(text) {
                let digits = mobile.as_str().trim_start_matches('+');
                prop_assert!(digits.bytes().all(|b| b.is_ascii_digit()) && (7..=15).contains(&digits.len()));
            }
            if let Ok(number) = DocumentNumber::new(text.as_str()) {
                prop_assert!(number.as_str().is_ascii() && (1..=32).contains(&number.as_str().len()));
            }
        }
    }
}

#[test]
fn limits_count_characters_to_the_last_one() {
    let wide = |count: usize| "ñ".repeat(count);
    for (taken, refused, most) in [
        (
            FolioName::new(wide(100)).is_ok(),
            FolioName::new(wide(101)).err(),
            100,
        ),
        (
            FolioMessage::new(wide(500)).is_ok(),
            FolioMessage::new(wide(501)).err(),
            500,
        ),
        (
            Observation::new(wide(500)).is_ok(),
            Observation::new(wide(501)).err(),
            500,
        ),
        (
            PersonName::new(wide(200)).is_ok(),
            PersonName::new(wide(201)).err(),
            200,
        ),
    ] {
        assert!(taken, "{most}");
        assert_eq!(refused, Some(FieldError::TooLong { max: most }));
    }
    assert!(Observation::new(wide(10)).is_ok());
    assert_eq!(Observation::new(wide(9)), Err(FieldError::TooShort { min: 10 }));
}
