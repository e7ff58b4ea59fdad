//! How hard a password is to guess: zxcvbn's estimate, to which words that people of Colombia choose are added, and what
//! others know of the user.

use domain::limits::{PASSWORD_MAX, PASSWORD_MIN};
use unicode_normalization::UnicodeNormalization;
use zxcvbn::matching::patterns::MatchPattern;
use zxcvbn::{Entropy, Score, zxcvbn};

/// Characters that are analysed: later ones can only make the password stronger.
const MAX_CHECKED_CHARS: usize = 40;
/// Different symbols that are read as letters, as in `p@$$word`: zxcvbn tries all combinations of them.
const SYMBOLS_READ_AS_LETTERS: usize = 2;
/// The symbols that zxcvbn reads as letters.
const LETTERLIKE: &str = "@({[<!|$+%";
/// Fewer letters make no word that would be looked for.
const MIN_WORD_CHARS: usize = 3;

/// Words that people choose, without accents.
const COMMON: &str = include_str!("common_words.txt");

/// Whom a password is for: others know as much of the user, and try it first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PasswordOwner {
    /// The address the user signs in with.
    pub email: String,
    /// The full name.
    pub name: String,
    /// What the company is called.
    pub company: String,
}

/// Why a password may not be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    /// Too few characters.
    #[error("a password has at least {PASSWORD_MIN} characters")]
    Short,
    /// Too many characters.
    #[error("a password has at most {PASSWORD_MAX} characters")]
    Long,
    /// It is made of the user's address or name, or of the company's.
    #[error(
        "such a password is guessed from the address, the name or the company: use a sentence without them"
    )]
    Personal,
    /// It is made of words, names or passwords that many people use.
    #[error("such a password is made of common words, and is guessed: use a sentence of four or more words")]
    Common,
    /// It repeats itself, goes along the keyboard or the alphabet, or is a date.
    #[error("such a password follows a pattern, and is guessed: use a sentence of four or more words")]
    Pattern,
}

/// Refuses what is guessed in fewer than a hundred million tries.
pub(super) fn check(text: &str, owner: &PasswordOwner) -> Result<(), WeakPassword> {
    let text = bounded(text);
    let personal = owner.words();
    let known: Vec<&str> = personal
        .iter()
        .map(String::as_str)
        .chain(COMMON.split_whitespace())
        .collect();
    let entropy = zxcvbn(&text, &known);
    if entropy.score() >= Score::Three {
        return Ok(());
    }
    Err(weakness(&entropy, &personal))
}

/// The text as it is looked at: bounded in what it costs, and without accents, which do not hold up a guesser.
fn bounded(text: &str) -> String {
    let bare = text.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c));
    let mut symbols = String::new();
    let characters = bare.take(MAX_CHECKED_CHARS).map(|c| {
        if !LETTERLIKE.contains(c) || symbols.contains(c) {
            return c;
        }
        if symbols.len() < SYMBOLS_READ_AS_LETTERS {
            symbols.push(c);
            return c;
        }
        '#'
    });
    characters.collect()
}

/// What makes it weak, as far as that helps to find a better one.
fn weakness(entropy: &Entropy, personal: &[String]) -> WeakPassword {
    let words = entropy.sequence().iter().filter_map(|part| match &part.pattern {
        MatchPattern::Dictionary(word) => Some(&word.matched_word),
        _ => None,
    });
    let mut words = words.peekable();
    let has_words = words.peek().is_some();
    if words.any(|word| personal.contains(word)) {
        WeakPassword::Personal
    } else if has_words {
        WeakPassword::Common
    } else {
        WeakPassword::Pattern
    }
}

impl PasswordOwner {
    /// The words that others know of the user, in lower case and without accents.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for text in [&self.email, &self.name, &self.company] {
            let plain: String = text
                .nfkd()
                .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
                .flat_map(char::to_lowercase)
                .collect();
            let parts = plain.split(|c: char| !c.is_alphanumeric());
            let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            words.push(parts.concat());
            let long = parts.iter().filter(|part| part.chars().count() >= MIN_WORD_CHARS);
            words.extend(long.map(|part| (*part).to_owned()));
            words.push(plain.split('@').next().unwrap_or_default().to_owned());
            words.push(plain);
        }
        words.retain(|word| word.chars().count() >= MIN_WORD_CHARS);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner() -> PasswordOwner {
        PasswordOwner {
            email: "maria.perez@losandes.example".to_owned(),
            name: "María Fernanda Pérez".to_owned(),
            company: "Inmobiliaria Los Andes S.A.S.".to_owned(),
        }
    }

    #[test]
    fn what_is_guessed_first_is_refused_and_it_is_said_why() {
        for (weak, why) in [
            ("qwerty12345", WeakPassword::Common),
            ("Colombia2026", WeakPassword::Common),
            ("Contraseña12", WeakPassword::Common),
            ("C0ntr4s3ñ4!", WeakPassword::Common),
            ("millonarios1", WeakPassword::Common),
            ("Medellin2025*", WeakPassword::Common),
            ("diciembre2026", WeakPassword::Common),
            ("password123", WeakPassword::Common),
            ("Firmeza2026", WeakPassword::Common),
            ("Maria.Perez1", WeakPassword::Personal),
            ("LosAndes2026", WeakPassword::Personal),
            ("mariafernanda", WeakPassword::Personal),
            ("zerep.airam", WeakPassword::Personal),
            ("aaaaaaaaaaaa", WeakPassword::Pattern),
            ("1212121212", WeakPassword::Pattern),
            ("abcdefghijkl", WeakPassword::Pattern),
        ] {
            assert_eq!(check(weak, &owner()), Err(why), "{weak}");
        }
    }

    #[test]
    fn sentences_and_random_texts_are_taken() {
        for good in [
            "tres tristes tigres",
            "una frase que nadie sabe",
            "Bogotá es fría en enero",
            "vx7k-m2qp-09da",
            "mi perro come mangos verdes",
            &"larga y repetida ".repeat(7),
        ] {
            assert_eq!(check(good, &owner()), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_is_looked_at_is_bounded() {
        let text = bounded(&"@({[<!|$+%".repeat(100));
        assert_eq!(text.chars().count(), MAX_CHECKED_CHARS);
        assert_eq!(&text[..10], "@(########");
    }
}
