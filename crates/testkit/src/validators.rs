//! Second opinions about signed documents: pyHanko, with its analysis of differences, and poppler's pdfsig.

use std::path::Path;
use std::process::Command;

/// The verdicts of both validators on a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Validation {
    /// Signatures that pdfsig finds valid.
    pub pdfsig: usize,
    /// What pyHanko says of each signature and document timestamp, `valid` when nothing is wrong.
    pub pyhanko: Vec<String>,
}

/// Asks both about a file whose certificates lead to that root. Blocks.
pub fn validate(pdf: &[u8], root: &[u8]) -> Validation {
    validate_all(&[pdf], root).remove(0)
}

/// The same about several files at once: pyHanko takes longer to start than to judge. Blocks.
pub fn validate_all(pdfs: &[impl AsRef<[u8]>], root: &[u8]) -> Vec<Validation> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let program = include_str!("../../pades/tests/corpus/judge.py");
    let judged = ask_pyhanko(path, program, pdfs, root, Vec::new());
    let validated = |(name, pyhanko): (String, Vec<String>)| Validation {
        pdfsig: run(path, Command::new("pdfsig").args(["-nocert", &name]))
            .matches("Signature is Valid")
            .count(),
        pyhanko,
    };
    judged.into_iter().map(validated).collect()
}

/// What pyHanko's long-term validation, offline and with revocation required, says of each signature that is no timestamp
/// of the document, as of a time: `passed` when nothing is missing. Blocks.
pub fn validate_long_term(pdf: &[u8], root: &[u8], at: jiff::Timestamp) -> Vec<String> {
    judge_long_term(pdf, root, vec![("FIRMEZA_TEST_NOW", at.to_string())])
}

/// The same after the revocation lists in the file have ended: what became of the newest timestamp's own certificates since,
/// no file can tell; they are believed. Blocks.
pub fn validate_archived(pdf: &[u8], root: &[u8], at: jiff::Timestamp) -> Vec<String> {
    let archived = ("FIRMEZA_TEST_ARCHIVED", "1".to_owned());
    judge_long_term(pdf, root, vec![("FIRMEZA_TEST_NOW", at.to_string()), archived])
}

fn judge_long_term(pdf: &[u8], root: &[u8], variables: Vec<(&str, String)>) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let program = include_str!("../../pades/tests/corpus/judge_lta.py");
    let judged = ask_pyhanko(directory.path(), program, &[pdf], root, variables);
    judged.into_iter().flat_map(|(_, said)| said).collect()
}

/// Has a program judge files with pyHanko; the name it knows each by, and what it says of its signatures.
fn ask_pyhanko(
    path: &Path,
    program: &str,
    pdfs: &[impl AsRef<[u8]>],
    root: &[u8],
    variables: Vec<(&str, String)>,
) -> Vec<(String, Vec<String>)> {
    let names: Vec<String> = (0..pdfs.len()).map(|number| format!("{number}.pdf")).collect();
    for (name, pdf) in names.iter().zip(pdfs) {
        std::fs::write(path.join(name), pdf).unwrap();
    }
    std::fs::write(path.join("root.der"), root).unwrap();
    std::fs::write(path.join("judge.py"), program).unwrap();
    let python = std::env::var("FIRMEZA_TEST_PYTHON").expect("run through `cargo xtask test`");
    let mut arguments = vec!["judge.py", "root.der"];
    arguments.extend(names.iter().map(String::as_str));
    let mut command = Command::new(&python);
    command.args(&arguments);
    command.envs(variables);
    let words = run(path, &mut command);
    let said = |name: String| {
        let own = words
            .lines()
            .filter_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(' '))
            .map(str::to_owned);
        let own = own.collect();
        (name, own)
    };
    names.into_iter().map(said).collect()
}

/// Runs a program that says something.
fn run(directory: &Path, command: &mut Command) -> String {
    let output = command.current_dir(directory).output();
    let program = command.get_program().to_string_lossy().into_owned();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.is_empty() || !output.stdout.is_empty(),
        "{program}: {errors}"
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
