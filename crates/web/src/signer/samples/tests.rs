use super::*;
use crate::assets::{READER_SCRIPT, SCRIPT, STYLE};

#[test]
fn every_page_is_whole_and_small() {
    let samples = all();
    assert_eq!(samples.len(), Lang::ALL.len() * 47);
    for Sample { name, html } in samples {
        assert!(html.trim_end().ends_with("</html>"), "{name}");
        assert!(html.contains("<h1"), "{name}");
        assert!(!html.contains("m.."), "{name}: a sentence ends twice");
        // On the wire with the script, before images of pages. A list of fifty folios is the largest.
        let bytes = html.len() + SCRIPT.text.len() + READER_SCRIPT.text.len();
        assert!(bytes < 100_000, "{name}: {bytes} bytes");
        assert!(html.contains(&STYLE.text), "{name}");
    }
}

#[test]
fn the_code_of_an_error_can_be_copied() {
    let mut seen = 0;
    for Sample { name, html } in all() {
        if name.starts_with("internal.") {
            let button = html.split("<button type=\"button\"").nth(1).unwrap();
            let (button, _) = button.split_once("</button>").unwrap();
            // Without a script it does nothing, and is not shown.
            assert!(
                button.contains(" data-copy=\"7f3a9c21d4\"") && button.contains(" hidden>Cop"),
                "{name}: {button}"
            );
            seen += 1;
        }
    }
    assert_eq!(seen, Lang::ALL.len());
}

#[test]
fn what_is_accepted_is_read_without_unfolding_anything() {
    let mut asked = 0;
    for Sample { name, html } in all() {
        let Some((before, _)) = html.split_once("<input type=\"checkbox\" id=\"consent\"") else {
            continue;
        };
        asked += 1;
        let count = |tag: &str| before.matches(tag).count();
        assert_eq!(count("<details"), count("</details>"), "{name}");
        let (_, beside) = before.rsplit_once("consent-title").unwrap();
        let (_, code) = name.rsplit_once('.').unwrap();
        let l = Lang::ALL.into_iter().find(|l| l.code() == code).unwrap();
        for line in text(l).lines() {
            let said = match Consent::shown_in(line) {
                // A bulk signature has other documents.
                Some(_) if name.starts_with("bulk") => "<li data-said>«Otrosí.pdf» (0 ".to_owned(),
                Some(shown) => format!("<li data-said>{shown}</li>"),
                None => format!("<li>{line}"),
            };
            assert!(beside.contains(&said), "{name}: {line}");
        }
    }
    assert_eq!(asked, Lang::ALL.len() * 5);
}

#[test]
fn a_phone_can_fill_in_every_code() {
    let mut asked = 0;
    for Sample { name, html } in all() {
        for field in html.split("<input id=\"code").skip(1) {
            let (field, _) = field.split_once('>').unwrap();
            for part in [" autocomplete=\"one-time-code\"", " inputmode=\"numeric\""] {
                assert!(field.contains(part), "{name}: {part}: {field}");
            }
            // Of a text message, the script asks the phone for the code, too.
            let by_sms = field.starts_with("Sms\"") || name.starts_with("folio-code-wrong.");
            assert_eq!(field.contains(" data-sms"), by_sms, "{name}: {field}");
            asked += 1;
        }
    }
    assert_eq!(asked, Lang::ALL.len() * 9);
}

#[test]
fn hostile_texts_stay_texts() {
    for Sample { name, html } in all() {
        let scripts = html.matches("<script").count();
        assert_eq!(
            scripts,
            1 + usize::from(html.contains("/assets/reader.")),
            "{name}"
        );
        assert!(
            !html.contains("<img src=x") && !html.contains("<svg onload"),
            "{name}"
        );
        assert!(
            !html.contains(" style=\"") && !html.contains(" onclick"),
            "{name}"
        );
    }
}

#[test]
fn the_languages_say_the_same_things() {
    let spanish = pages(Lang::Es);
    for l in [Lang::En, Lang::Pt] {
        for (es, other) in spanish.iter().zip(pages(l)) {
            let tags = |html: &str| html.matches('<').count();
            assert_eq!(tags(&es.html), tags(&other.html), "{}", other.name);
            assert_eq!(
                es.name.trim_end_matches("es"),
                other.name.trim_end_matches(l.code())
            );
        }
    }
}
