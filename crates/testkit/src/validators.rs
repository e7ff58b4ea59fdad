//! Second opinions about signed documents: pyHanko, with its analysis of differences, and poppler's pdfsig.

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
    let names: Vec<String> = (0..pdfs.len()).map(|number| format!("{number}.pdf")).collect();
    for (name, pdf) in names.iter().zip(pdfs) {
        std::fs::write(path.join(name), pdf).unwrap();
    }
    std::fs::write(path.join("root.der"), root).unwrap();
    std::fs::write(
        path.join("judge.py"),
        include_str!("../../pades/tests/corpus/judge.py"),
    )
    .unwrap();
    let python = std::env::var("FIRMEZA_TEST_PYTHON").expect("run through `cargo xtask test`");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(path).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            errors.is_empty() || !output.stdout.is_empty(),
            "{program}: {errors}"
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let mut arguments = vec!["judge.py", "root.der"];
    arguments.extend(names.iter().map(String::as_str));
    let words = run(&python, &arguments);
    let validated = |name: &String| Validation {
        pdfsig: run("pdfsig", &["-nocert", name])
            .matches("Signature is Valid")
            .count(),
        pyhanko: words
            .lines()
            .filter_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(' '))
            .map(str::to_owned)
            .collect(),
    };
    names.iter().map(validated).collect()
}
