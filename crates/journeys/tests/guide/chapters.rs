//! The examples in the chapters.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The languages whose examples run, as fenced blocks name them.
pub(crate) const LANGUAGES: [&str; 7] = ["bash", "sh", "python", "javascript", "java", "php", "csharp"];

/// A fenced block that runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Example {
    pub(crate) language: String,
    /// What it shows: `prueba=` of the block.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The chapters in a language: file name and text, in their order.
fn chapters(folder: &str) -> BTreeMap<String, String> {
    let folder = parts::workspace().join("docs").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(file).unwrap())
        })
        .collect()
}

/// The examples of a chapter.
fn examples_of(text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let code: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or_default();
        if !LANGUAGES.contains(&language) {
            continue;
        }
        let name = words.find_map(|word| word.strip_prefix("prueba="));
        examples.push(Example {
            language: language.to_owned(),
            name: name.unwrap_or_else(|| panic!("no prueba= in {info}")).to_owned(),
            text: code.join("\n") + "\n",
        });
    }
    examples
}

/// Every example of both languages, each once.
pub(crate) fn examples() -> BTreeSet<Example> {
    let texts = ["integradores", "integrators"].into_iter().flat_map(chapters);
    texts.flat_map(|(_, text)| examples_of(&text)).collect()
}

#[test]
fn both_editions_have_the_same_examples() {
    let (spanish, english) = (chapters("integradores"), chapters("integrators"));
    assert_eq!(spanish.len(), english.len());
    for ((spanish_file, spanish), (english_file, english)) in spanish.iter().zip(&english) {
        assert_eq!(spanish_file[..3], english_file[..3]);
        assert_eq!(examples_of(spanish), examples_of(english), "{spanish_file}");
        let headings = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
        let rows = |text: &str| text.lines().filter(|line| line.starts_with('|')).count();
        assert_eq!(headings(spanish), headings(english), "headings of {spanish_file}");
        assert_eq!(rows(spanish), rows(english), "rows of tables of {spanish_file}");
    }
}

#[test]
fn every_operation_is_shown_in_six_languages() {
    let examples = examples();
    let shown = [
        "crear",
        "crear-base64",
        "consultar",
        "consultar-varios",
        "reenviar",
        "descargar",
        "anular",
        "masiva",
        "consultar-masiva",
        "evidencia",
        "webhook",
    ];
    for name in shown {
        let languages: BTreeSet<&str> = examples
            .iter()
            .filter(|example| example.name == name)
            .map(|example| example.language.as_str())
            .collect();
        let shell = if name == "webhook" { "sh" } else { "bash" };
        let expected = BTreeSet::from([shell, "python", "javascript", "java", "php", "csharp"]);
        assert_eq!(languages, expected, "{name}");
    }
}
