//! Whether a text that a user of the panel typed mentions a person: it has one of the person's values, the whole of it.

use crate::search::split;

/// Letters of a value that tell it from others. Fewer are in too many texts.
const MIN_LETTERS: usize = 4;

/// The words of a text, in their order.
#[derive(Debug, Clone)]
pub struct TextWords(Vec<String>);

impl TextWords {
    /// The words of a text.
    pub fn of(text: &str) -> Self {
        Self(split(text).collect())
    }

    /// Whether all words of a name are in the text, in whatever order.
    pub fn have_name(&self, name: &str) -> bool {
        let own: Vec<String> = split(name).collect();
        is_telling(&own.concat()) && own.iter().all(|word| self.0.contains(word))
    }

    /// Whether a number or an address is in the text, however it is grouped.
    pub fn have_number_or_address(&self, value: &str) -> bool {
        let whole: String = split(value).collect();
        is_telling(&whole) && (0..self.0.len()).any(|start| self.begins_at(start, &whole))
    }

    fn begins_at(&self, start: usize, whole: &str) -> bool {
        let mut rest = whole;
        for word in self.0.iter().skip(start) {
            match rest.strip_prefix(word.as_str()) {
                Some("") => return true,
                Some(left) => rest = left,
                None => return false,
            }
        }
        false
    }
}

fn is_telling(letters: &str) -> bool {
    letters.chars().count() >= MIN_LETTERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_mentioned_by_all_of_its_words() {
        let has = |text: &str| TextWords::of(text).have_name("María Pérez Peña");
        assert!(has("Contrato: PEREZ PENA, maria (arriendo)"));
        assert!(!has("María Pérez"), "another may have this name");
        assert!(!has("Mariana Pérez Peña"));
        assert!(!TextWords::of("Li, Contratos").have_name("Li"), "too short");
    }

    #[test]
    fn a_number_or_an_address_is_mentioned_however_it_is_grouped() {
        let text = "CC 79.543.210, cel. +57 315 765 4321 <Zoraida@Quintanilla.example.com>";
        let has = |value: &str| TextWords::of(text).have_number_or_address(value);
        assert!(has("79543210") && has("79-543-210"));
        assert!(has("3157654321") && has("573157654321"));
        assert!(has("zoraida@quintanilla.example.com"));
        assert!(!has("9543210"), "a part of a longer number");
        assert!(!has("quintanilla@zoraida.example.com"));
        assert!(!has("210") && !has(""), "too short");
    }
}
