//! Search words of a folio: its name, and its signers' names, email addresses and document numbers.
//!
//! Words are lower case and without accents, so that spelling variants match. A prefix of a word matches.

use crate::limits;
use std::collections::BTreeSet;

/// The words of a folio and its signers (name, email, number), each once, at most [`limits::SEARCH_WORDS`]. What people
/// look for first comes first: where there are too many, parts of email addresses are left out.
pub fn words<'a>(
    name: &str,
    signers: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
) -> BTreeSet<String> {
    let signers: Vec<_> = signers.into_iter().collect();
    let mut words = BTreeSet::new();
    let mut add = |word: String| {
        if words.len() < limits::SEARCH_WORDS {
            words.insert(word);
        }
    };
    for (_, _, number) in &signers {
        add(plain(number.chars().filter(|c| c.is_alphanumeric())));
        split(number).for_each(&mut add);
    }
    joined(name).for_each(&mut add);
    split(name).for_each(&mut add);
    signers
        .iter()
        .flat_map(|(name, ..)| split(name))
        .for_each(&mut add);
    signers
        .iter()
        .flat_map(|(_, email, _)| split(email))
        .for_each(add);
    words
}

/// The prefixes that a query looks for, at most [`limits::SEARCH_TERMS`]. Numbers may contain dots and
/// hyphens.
pub fn terms(typed: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for chunk in typed.split_whitespace() {
        if chunk.chars().all(is_of_number) {
            terms.push(plain(chunk.chars().filter(char::is_ascii_digit)));
        } else {
            terms.extend(split(chunk));
        }
    }
    terms.retain(|term| !term.is_empty());
    terms.sort_by_key(|term| std::cmp::Reverse(term.len()));
    terms.truncate(limits::SEARCH_TERMS);
    terms
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

fn split(text: &str) -> impl Iterator<Item = String> {
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
        words(
            "Contrato N.º 17",
            [("María Peña", "maria.pena@ejemplo.co", "900.123.456-7")],
        )
    }

    #[test]
    fn words_are_plain() {
        let words: Vec<_> = listed().into_iter().collect();
        assert_eq!(
            words,
            [
                "123",
                "17",
                "456",
                "7",
                "900",
                "9001234567",
                "co",
                "contrato",
                "ejemplo",
                "maria",
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
            "17 ejem",
            "",
        ] {
            assert!(found(&terms(typed), &listed()), "{typed}");
        }
        for typed in ["contratos", "ana", "maria gomez", "234"] {
            assert!(!found(&terms(typed), &listed()), "{typed}");
        }
        for number in ["E-123456", "1 020 304", "AB.12-34"] {
            let words = words("", [("", "", number)]);
            assert!(found(&terms(number), &words), "{number} is found as it is shown");
        }
    }

    #[test]
    fn numbers_in_names_are_found_as_they_are_written() {
        let words = words("Contrato 2026-015, otrosí (v.2) CT-1.500-7", []);
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
        let words = words(
            name,
            signers
                .iter()
                .map(|(name, email, number)| (&**name, &**email, &**number)),
        );
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
        assert_eq!(words(&long, []).len(), limits::SEARCH_WORDS);
        assert_eq!(terms(&long).len(), limits::SEARCH_TERMS);
        assert_eq!(terms(&"ñ".repeat(90))[0].chars().count(), limits::SEARCH_WORD);
        assert!(terms(".- …").is_empty());
    }
}
