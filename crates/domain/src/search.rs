//! The words by which a folio is found: its name, and its signers' names, email addresses and document numbers.
//!
//! Words are lower case and without accents, so that it does not matter how somebody types them; the beginning of a
//! word finds it.

use crate::limits;
use std::collections::BTreeSet;

/// The words of a folio and its signers, each once, at most [`limits::SEARCH_WORDS`].
pub fn words<'a>(
    name: &str,
    signers: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut add = |word: String| {
        if words.len() < limits::SEARCH_WORDS {
            words.insert(word);
        }
    };
    split(name).for_each(&mut add);
    for (name, email, number) in signers {
        add(plain(number.chars().filter(|c| c.is_alphanumeric())));
        split(name).for_each(&mut add);
        split(email).for_each(&mut add);
    }
    words
}

/// The beginnings of words that somebody looks for, at most [`limits::SEARCH_TERMS`]. Numbers may have the dots and
/// hyphens that people write into them.
pub fn terms(typed: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for chunk in typed.split_whitespace() {
        if chunk
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'))
        {
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
                "17",
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
        for typed in ["contratos", "ana", "maria gomez", "123"] {
            assert!(!found(&terms(typed), &listed()), "{typed}");
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
