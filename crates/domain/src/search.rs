//! Search words of a folio: its identifier and name, and its signers' names, email addresses, document and mobile numbers.
//!
//! Words are lower case and without accents, so that spelling variants match. A prefix of a word matches.

use crate::contact::Mobile;
use crate::limits;
use std::collections::BTreeSet;

/// Ends the word of a whole email address: a query with it finds that address alone, and none that is longer.
const EMAIL_END: char = '@';
/// Digits that are a telephone number where they are typed in groups.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = limits::MOBILE_MIN..=limits::MOBILE_MAX;

/// What a signer is found by.
#[derive(Debug, Clone, Copy)]
pub struct SignerTexts<'a> {
    /// Full name.
    pub name: &'a str,
    /// Email address.
    pub email: &'a str,
    /// Document number.
    pub document_number: &'a str,
    /// Mobile number.
    pub mobile: &'a str,
}

/// The words of a folio and its signers, each once, at most [`limits::SEARCH_WORDS`]. What people look for first comes
/// first: where there are too many, parts of email addresses are left out.
pub fn words<'a>(
    id: &str,
    name: &str,
    signers: impl IntoIterator<Item = SignerTexts<'a>>,
) -> BTreeSet<String> {
    let signers: Vec<_> = signers.into_iter().collect();
    let mut words = BTreeSet::new();
    let mut add = |word: String| {
        if words.len() < limits::SEARCH_WORDS {
            words.insert(word);
        }
    };
    add(plain(id.chars()));
    for signer in &signers {
        let number = signer.document_number;
        add(number_word(number));
        add(whole_email(signer.email));
        phone_numbers(signer.mobile).into_iter().for_each(&mut add);
        split(number).for_each(&mut add);
    }
    joined(name).for_each(&mut add);
    split(name).for_each(&mut add);
    signers
        .iter()
        .flat_map(|signer| split(signer.name))
        .for_each(&mut add);
    signers
        .iter()
        .flat_map(|signer| split(signer.email))
        .for_each(add);
    words
}

/// Every word by which a folio with one of these texts may be in the index, whatever kind of text each is: what an
/// erasure removes. Of a folio with too many words some were never there.
pub fn words_of_any<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for text in texts {
        words.insert(number_word(text));
        words.insert(whole_email(text));
        words.extend(phone_numbers(text));
        words.extend(joined(text));
        words.extend(split(text));
    }
    words
}

/// What names are sorted by: without accents, and without regard to capitals.
pub fn sort_key(name: &str) -> String {
    name.trim().chars().map(folded).collect()
}

/// The word of a document number, however it is written.
pub fn number_word(number: &str) -> String {
    plain(number.chars().filter(|c| c.is_alphanumeric()))
}

/// The prefixes that a query looks for, at most [`limits::SEARCH_TERMS`]. Numbers may contain dots and hyphens; telephone
/// numbers may be written in groups.
pub fn terms(typed: &str) -> Vec<String> {
    if let Some(number) = phone_term(typed) {
        return vec![number];
    }
    let mut terms: Vec<String> = Vec::new();
    for chunk in typed.split_whitespace() {
        if chunk.chars().all(is_of_number) {
            terms.push(plain(chunk.chars().filter(char::is_ascii_digit)));
        } else if is_email(chunk) {
            terms.push(plain(chunk.chars()));
        } else {
            terms.extend(split(chunk));
        }
    }
    terms.retain(|term| !term.is_empty());
    terms.sort_by_key(|term| std::cmp::Reverse(term.len()));
    terms.truncate(limits::SEARCH_TERMS);
    terms
}

/// The term of exactly the email address that was typed, if it is one.
pub fn email_term(typed: &str) -> Option<String> {
    let typed = typed.trim();
    let whole = is_email(typed) && !typed.contains(char::is_whitespace);
    whole.then(|| whole_email(typed))
}

fn is_email(chunk: &str) -> bool {
    let mut parts = chunk.split('@');
    let (local, domain) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    !local.is_empty() && !domain.is_empty() && parts.next().is_none()
}

/// A whole email address as one word. One that is longer than a word is cut, and has no end.
fn whole_email(email: &str) -> String {
    let mut word = plain(email.chars());
    if word.chars().count() < limits::SEARCH_WORD {
        word.push(EMAIL_END);
    }
    word
}

/// A mobile number as it is stored, and as it is dialled.
fn phone_numbers(mobile: &str) -> [String; 2] {
    let dialled = Mobile::stored(mobile.to_owned());
    let dialled = dialled.international();
    let digits = |text: &str| plain(text.chars().filter(char::is_ascii_digit));
    [digits(mobile), digits(&dialled)]
}

/// The digits of a telephone number that is typed in groups, or with its leading plus.
fn phone_term(typed: &str) -> Option<String> {
    let typed = typed.trim();
    let grouped = typed.starts_with(['+', '(']) || typed.contains(char::is_whitespace);
    let written = typed
        .chars()
        .all(|c| is_of_number(c) || c.is_whitespace() || matches!(c, '+' | '(' | ')'));
    let digits = plain(typed.chars().filter(char::is_ascii_digit));
    (grouped && written && PHONE_DIGITS.contains(&digits.len())).then_some(digits)
}

/// Whether every beginning begins one of the words.
pub fn found(terms: &[String], words: &BTreeSet<String>) -> bool {
    let begins = |term: &String| {
        let next = words.range::<String, _>(term..).next();
        next.is_some_and(|word| word.starts_with(term.as_str()))
    };
    terms.iter().all(begins)
}

/// Numbers with dots and hyphens in them, without these, as [`terms`] makes them of what is typed.
fn joined(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !is_of_number(c))
        .map(|number| number.trim_matches(['.', '-']))
        .filter(|number| number.contains(['.', '-']))
        .map(|number| plain(number.chars().filter(char::is_ascii_digit)))
}

const fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | '-')
}

pub(crate) fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(|part| plain(part.chars()))
}

fn plain(letters: impl Iterator<Item = char>) -> String {
    letters
        .flat_map(char::to_lowercase)
        .map(bare)
        .filter(|c| c.is_alphanumeric())
        .take(limits::SEARCH_WORD)
        .collect()
}

/// The letter in lower case and without its accent.
pub fn folded(letter: char) -> char {
    bare(letter.to_lowercase().next().unwrap_or(letter))
}

/// The letter without its accent.
const fn bare(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        'ý' | 'ÿ' => 'y',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> BTreeSet<String> {
        let maria = signer("María Peña", "maria.pena@ejemplo.co", "900.123.456-7");
        words("0a4d55a8d778e5022fab701977c5d840", "Contrato N.º 17", [maria])
    }

    fn signer<'a>(name: &'a str, email: &'a str, document_number: &'a str) -> SignerTexts<'a> {
        SignerTexts {
            name,
            email,
            document_number,
            mobile: "3001234567",
        }
    }

    #[test]
    fn words_are_plain() {
        let words: Vec<_> = listed().into_iter().collect();
        assert_eq!(
            words,
            [
                "0a4d55a8d778e5022fab701977c5d840",
                "123",
                "17",
                "3001234567",
                "456",
                "573001234567",
                "7",
                "900",
                "9001234567",
                "co",
                "contrato",
                "ejemplo",
                "maria",
                "mariapenaejemploco@",
                "n",
                "pena",
                "º"
            ]
        );
    }

    #[test]
    fn folios_are_found_however_it_is_typed() {
        for typed in [
            "contr",
            "MARÍA peña",
            "900.123",
            "9001234567",
            "maria.pena@ejemplo.co",
            "Maria.Pena@ejem",
            "17 ejem",
            "0a4d55a8d778e5022fab701977c5d840",
            "0A4D55",
            "3001234567",
            "300 123 4567",
            "+57 300 123 45 67",
            "(300) 123-4567",
            "",
        ] {
            assert!(found(&terms(typed), &listed()), "{typed}");
        }
        for typed in [
            "contratos",
            "ana",
            "maria gomez",
            "234",
            "4d55a8",
            "300 123 4568",
            "pena@ejemplo.co",
        ] {
            assert!(!found(&terms(typed), &listed()), "{typed}");
        }
        for number in ["E-123456", "1 020 304", "AB.12-34"] {
            let words = words("", "", [signer("", "", number)]);
            assert!(found(&terms(number), &words), "{number} is found as it is shown");
        }
    }

    #[test]
    fn an_erasure_finds_every_word_of_a_folio_but_its_identifier() {
        let texts = [
            "Contrato N.º 17",
            "María Peña",
            "maria.pena@ejemplo.co",
            "900.123.456-7",
            "3001234567",
        ];
        let mut left = listed();
        left.retain(|word| !words_of_any(texts).contains(word));
        assert_eq!(Vec::from_iter(left), ["0a4d55a8d778e5022fab701977c5d840"]);
    }

    #[test]
    fn a_whole_email_address_finds_no_longer_one() {
        let of = |email: &str| words("", "", [signer("", email, "1")]);
        let term = [email_term(" ana@example.com ").unwrap()];
        assert!(found(&term, &of("ana@example.com")));
        assert!(!found(&term, &of("ana@example.com.co")));
        assert!(found(&terms("ana@example.com"), &of("ana@example.com.co")));
        let long = format!("{}@example.com", "a".repeat(40));
        assert!(found(&[email_term(&long).unwrap()], &of(&long)));
        for other in ["ana", "ana@", "@example.com", "a@b@c", "ana@example.com luis"] {
            assert_eq!(email_term(other), None, "{other}");
        }
    }

    #[test]
    fn numbers_in_names_are_found_as_they_are_written() {
        let words = words("", "Contrato 2026-015, otrosí (v.2) CT-1.500-7", []);
        for typed in [
            "2026-015",
            "2026015",
            "contrato 2026-0",
            "2026",
            "015",
            "CT-1.500-7",
            "1.500-7",
            "v.2",
        ] {
            assert!(found(&terms(typed), &words), "{typed}");
        }
        for typed in ["2026-016", "026-015", "15007-2026"] {
            assert!(!found(&terms(typed), &words), "{typed}");
        }
    }

    #[test]
    fn all_of_ten_signers_are_found() {
        let signers: Vec<_> = (0..10)
            .map(|n| {
                let name = format!("Nombre{n} Segundo{n} Apellido{n} Otro{n}");
                let email = format!("persona{n}.alias{n}@correo{n}.empresa{n}.co");
                (name, email, format!("1.020.30{n}.400"))
            })
            .collect();
        let name =
            "Contrato de arrendamiento de vivienda urbana con opción de compra, torre 3, apartamento 502";
        let texts = signers
            .iter()
            .map(|(name, email, number)| signer(name, email, number));
        let words = words("", name, texts);
        for (name, email, number) in &signers {
            for typed in [name, email, number] {
                assert!(found(&terms(typed), &words), "{typed}");
            }
        }
    }

    #[test]
    fn there_is_an_end_to_it() {
        let long = (0..300)
            .map(|n| format!("palabra{n}"))
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(words("", &long, []).len(), limits::SEARCH_WORDS);
        assert_eq!(terms(&long).len(), limits::SEARCH_TERMS);
        assert_eq!(terms(&"ñ".repeat(90))[0].chars().count(), limits::SEARCH_WORD);
        assert!(terms(".- …").is_empty());
    }
}
