//! Second opinions about signed documents: pyHanko, with its analysis of differences, and poppler's pdfsig.

use std::process::Command;

/// What the judges say of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Signatures that pdfsig finds valid.
    pub pdfsig: usize,
    /// What pyHanko says of each signature and document timestamp, `valid` when nothing is wrong.
    pub pyhanko: Vec<String>,
}

/// Asks both about a file whose certificates lead to that root. Blocks.
pub fn judge(pdf: &[u8], root: &[u8]) -> Judgement {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("file.pdf"), pdf).unwrap();
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
    let words = run(&python, &["judge.py", "root.der", "file.pdf"]);
    Judgement {
        pdfsig: run("pdfsig", &["-nocert", "file.pdf"])
            .matches("Signature is Valid")
            .count(),
        pyhanko: words
            .lines()
            .filter_map(|line| line.strip_prefix("file.pdf "))
            .map(str::to_owned)
            .collect(),
    }
}
