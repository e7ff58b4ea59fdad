//! The independent tools: qpdf, pdfsig and pyHanko.

use std::path::Path;

use crate::cms_tools::{attempt, run};

/// What the tools say about a file, in numbers of signatures.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ToolVerdict {
    pub(crate) pdfsig: usize,
    pub(crate) pyhanko: usize,
    pub(crate) qpdf_warnings: usize,
    pub(crate) remarks: String,
}

impl ToolVerdict {
    pub(crate) fn all_valid(signatures: usize) -> Self {
        Self {
            pdfsig: signatures,
            pyhanko: signatures,
            qpdf_warnings: 0,
            remarks: String::new(),
        }
    }
}

/// The number of complaints qpdf has about a file.
pub(crate) fn qpdf_warnings(directory: &Path, file: &str) -> usize {
    let output = attempt(directory, "qpdf", &["--check", file]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = text
        .lines()
        .filter(|line| !line.contains("operation succeeded with warnings"))
        .count();
    lines.max(usize::from(!output.status.success()))
}

/// Runs a program with pyHanko that judges files under the root `root.der`; what it prints.
fn ask_pyhanko(directory: &Path, program: &str, names: &[String]) -> String {
    std::fs::write(directory.join("judge.py"), program).unwrap();
    let python = std::env::var("FIRMEZA_TEST_PYTHON")
        .unwrap_or_else(|_| panic!("FIRMEZA_TEST_PYTHON is not set; run through `cargo xtask test`"));
    let mut arguments = vec!["judge.py", "root.der"];
    arguments.extend(names.iter().map(String::as_str));
    run(directory, &python, &arguments)
}

/// What pyHanko's long-term validation says of each signature, timestamps of the document left out: a line each.
pub(crate) fn validate_long_term(files: &[(&str, &[u8])], root: &[u8]) -> String {
    let directory = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(directory.path().join(name), bytes).unwrap();
    }
    std::fs::write(directory.path().join("root.der"), root).unwrap();
    let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    ask_pyhanko(directory.path(), include_str!("judge_lta.py"), &names)
}

/// What pyHanko says about a file.
pub(crate) struct PyHankoVerdict {
    /// How many signatures are valid.
    pub(crate) valid: usize,
    /// Whether its strict mode does not read the upload.
    pub(crate) lenient: bool,
    /// Its remarks about the other signatures.
    pub(crate) remarks: String,
}

/// Asks pyHanko about files that were made of uploads of these lengths.
pub(crate) fn pyhanko(files: &[(&str, &[u8], usize)], root: &[u8]) -> Vec<PyHankoVerdict> {
    let directory = tempfile::tempdir().unwrap();
    let pairs: Vec<_> = files.iter().map(|(name, bytes, _)| (*name, *bytes)).collect();
    let names = write(directory.path(), &pairs);
    let words = names
        .iter()
        .zip(files)
        .map(|(name, (_, _, length))| format!("{name}@{length}"));
    judge(directory.path(), &names, &words.collect::<Vec<_>>(), root)
}

fn write(directory: &Path, files: &[(&str, &[u8])]) -> Vec<String> {
    let names: Vec<String> = files.iter().map(|(name, _)| format!("{name}.pdf")).collect();
    for (name, (_, bytes)) in names.iter().zip(files) {
        std::fs::write(directory.join(name), bytes).unwrap();
    }
    names
}

fn judge(path: &Path, names: &[String], asked: &[String], root: &[u8]) -> Vec<PyHankoVerdict> {
    std::fs::write(path.join("root.der"), root).unwrap();
    let words = ask_pyhanko(path, include_str!("judge.py"), asked);
    let verdict = |name: &String| {
        let lines: Vec<_> = words
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("{name} ")))
            .collect();
        let valid = lines.iter().filter(|line| **line == "valid").count();
        let lenient = lines.contains(&"lenient");
        let remarks = lines
            .into_iter()
            .filter(|line| !["valid", "lenient"].contains(line));
        PyHankoVerdict {
            valid,
            lenient,
            remarks: remarks.collect::<Vec<_>>().join("; "),
        }
    };
    names.iter().map(verdict).collect()
}

/// Asks all tools about all files.
pub(crate) fn validate(files: &[(&str, &[u8])], root: &[u8]) -> Vec<ToolVerdict> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let names = write(path, files);
    let judged = judge(path, &names, &names, root);
    let check = |(name, said): (&String, PyHankoVerdict)| {
        let pdfsig = attempt(path, "pdfsig", &["-nocert", name]);
        let pdfsig = String::from_utf8_lossy(&pdfsig.stdout)
            .matches("Signature is Valid")
            .count();
        ToolVerdict {
            pdfsig,
            pyhanko: said.valid,
            qpdf_warnings: qpdf_warnings(path, name),
            remarks: said.remarks,
        }
    };
    names.iter().zip(judged).map(check).collect()
}
