//! The commands that are printed for auditors, in the guides and in a report, as an auditor types them.

use super::TestFiles;
use super::bundles::{revoked, story, text};
use crate::support::block_on;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const GUIDE: &str = include_str!("../../../../../../docs/auditors.md");
/// What only one block of the guide has.
const BYTES: &str = "original.sha256";
const SIGNATURES: &str = "pdfsig -dump";
const ANCHORS: &str = "anchor.txt";
const REVOCATION: &str = "revocation_lists";

/// The commands of a document, one text for each block.
fn printed_commands(document: &str) -> Vec<&str> {
    let blocks = document.split("```bash\n").skip(1);
    blocks.map(|block| block.split("\n```").next().unwrap()).collect()
}

/// Runs commands as a person types them, with the program and pyHanko among the others. Returns whether all succeeded, and
/// what they said. With `later`, the clock is five years ahead.
fn typed(directory: &Path, commands: &str, later: bool) -> (bool, String) {
    let python = PathBuf::from(std::env::var("FIRMEZA_TEST_PYTHON").expect("run through `cargo xtask test`"));
    let program = Path::new(env!("CARGO_BIN_EXE_firmeza"));
    let own = [python.parent().unwrap(), program.parent().unwrap()].map(Path::to_path_buf);
    let others = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&others))).unwrap();
    let mut words = vec!["bash", "-e", "-o", "pipefail", "-c", commands];
    if later {
        words.splice(0..0, ["faketime", "+5 years"]);
    }
    let output = std::process::Command::new(words[0])
        .args(&words[1..])
        .current_dir(directory)
        .env("PATH", path)
        .output()
        .unwrap();
    let [said, complained] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    (output.status.success(), said + &complained)
}

/// Types the first step, which writes the certificates that others need, and then the blocks with these marks.
fn assert_typed(directory: &Path, marks: &[&str]) {
    for mark in ["root.pem -noout"].iter().chain(marks) {
        let (done, said) = typed(directory, block(mark), false);
        assert!(done, "{mark}: {said}");
    }
}

/// The block of the guide with that mark.
fn block(mark: &str) -> &'static str {
    let commands = printed_commands(GUIDE);
    commands
        .into_iter()
        .find(|command| command.contains(mark))
        .unwrap()
}

/// The commands of `docs/auditors.md` and `docs/auditores.md`, as an auditor would type them: no service runs.
#[test]
fn what_the_docs_tell_auditors_to_type_works_now_and_in_five_years() {
    let story = block_on(story());
    let commands = printed_commands(GUIDE);
    let spanish = printed_commands(include_str!("../../../../../../docs/auditores.md"));
    assert_eq!(commands, spanish, "both documents have the same commands");
    let test_files = TestFiles::new(&[
        ("evidencia.json", &story.text),
        ("constancia.pdf", &story.report),
        ("contrato.pdf", &story.last),
        ("root.crt", &story.root),
    ]);
    let evidence = &story.bundle["evidence"];
    let last = format!(
        "evento {}, {}",
        evidence["history"]["length"],
        text(&evidence["history"]["head"])
    );
    for later in [false, true] {
        let mut said = String::new();
        for command in &commands {
            let (done, words) = typed(test_files.directory(), command, later);
            assert!(done, "later: {later}\n{command}\n{words}");
            said += &words;
        }
        assert!(!said.contains("FALSE"), "{said}");
        for expected in [
            last.as_str(),
            text(&evidence["consents"][0]["text"]).lines().next().unwrap(),
            text(&evidence["documents"][0]["current"]["sha256"]),
            "The signature is judged VALID.",
            "CMS Verification successful",
            "Time stamp:",
            "installation",
            "/sender/name",
            "203.0.113.7",
            ".pem: OK",
        ] {
            assert!(said.contains(expected), "{expected}: {said}");
        }
        let codes = said
            .lines()
            .filter(|line| line.starts_with("event ") && line.ends_with(": OK"));
        assert_eq!(codes.count(), 2, "each signature's code: {said}");
    }
}

/// Each step ends with an error where what it looks at was changed.
#[test]
fn what_the_docs_tell_auditors_to_type_finds_what_was_changed() {
    let story = block_on(story());
    let whole = String::from_utf8(story.text.clone()).unwrap();
    let signed = story.bundle["evidence"]["history"]["events"]
        .as_array()
        .unwrap()
        .iter();
    let mut bodies = signed.map(|event| serde_json::from_str::<Value>(text(&event["body"])).unwrap());
    let digits = bodies
        .find_map(|body| body["code_digits"].as_str().map(str::to_owned))
        .unwrap();
    let member = |digits: &str| format!("\\\"code_digits\\\":\\\"{digits}\\\"");
    let other = if digits == "000001" { "000002" } else { "000001" };
    let code = whole.replace(&member(&digits), &member(other));
    assert_ne!(code, whole);
    let address = whole.replace("203.0.113.7", "203.0.113.8");
    let state = whole.replace("\"state\":\"signed\"", "\"state\":\"pending\"");
    for (mark, changed) in [
        ("seal.cms", &state),
        ("history.before", &code),
        ("values.txt", &address),
        ("codes.txt", &code),
    ] {
        let test_files = TestFiles::new(&[("evidencia.json", changed.as_bytes()), ("root.crt", &story.root)]);
        assert_typed(test_files.directory(), &[]);
        let (done, said) = typed(test_files.directory(), block(mark), false);
        assert!(!done, "{mark}: {said}");
    }
}

#[test]
fn what_the_docs_tell_auditors_to_type_finds_a_changed_document() {
    let story = block_on(story());
    let mut changed = story.last.clone();
    let at = changed
        .windows(8)
        .position(|window| window == b"Contrato")
        .unwrap();
    changed[at] = b'K';
    let test_files = TestFiles::new(&[
        ("evidencia.json", &story.text),
        ("constancia.pdf", &story.report),
        ("contrato.pdf", &changed),
        ("root.crt", &story.root),
    ]);
    assert_typed(test_files.directory(), &[]);
    let assert_found = |mark: &str| {
        let (done, said) = typed(test_files.directory(), block(mark), false);
        assert!(!done, "{mark}: {said}");
    };
    for mark in [
        BYTES,
        SIGNATURES,
        "pyhanko sign validate",
        "pyhanko sign adesverify",
    ] {
        assert_found(mark);
    }
    // What was sent is as it was, and something follows what was signed.
    test_files.put("contrato.pdf", &[&story.last[..], b"\n"].concat());
    assert_found(BYTES);
}

#[test]
fn what_the_docs_tell_auditors_to_type_finds_a_rewritten_history() {
    let story = block_on(story());
    let mut bundle = story.bundle.clone();
    for event in bundle["evidence"]["history"]["events"].as_array_mut().unwrap() {
        event["hash"] = json!("0".repeat(64));
    }
    let test_files = TestFiles::new(&[
        ("evidencia.json", bundle.to_string().as_bytes()),
        ("contrato.pdf", &story.last),
        ("root.crt", &story.root),
    ]);
    assert_typed(test_files.directory(), &[SIGNATURES]);
    let (done, said) = typed(test_files.directory(), block(ANCHORS), false);
    assert!(!done, "{said}");
}

#[test]
fn what_the_docs_tell_auditors_to_type_finds_a_revoked_certificate() {
    let [signed, before, after, root] = block_on(revoked());
    let test_files = TestFiles::new(&[
        ("evidencia.json", &before),
        ("contrato.pdf", &signed),
        ("root.crt", &root),
    ]);
    assert_typed(test_files.directory(), &[SIGNATURES, REVOCATION]);
    test_files.put("evidencia.json", &after);
    let (done, said) = typed(test_files.directory(), block(REVOCATION), false);
    assert!(!done && said.contains("certificate revoked"), "{said}");
}

/// The command that a report prints, on the files as they are called when they are downloaded.
#[test]
fn the_command_that_a_report_prints_works_as_printed() {
    let story = block_on(story());
    let id = text(&story.bundle["evidence"]["folio"]["id"]);
    let test_files = TestFiles::new(&[
        (&format!("evidencia-{id}.json"), story.copy.as_bytes()),
        (&format!("constancia-{id}.pdf"), &story.report),
        ("Contrato.pdf", &story.last),
        ("root.crt", &story.root),
    ]);
    let (done, report) = typed(
        test_files.directory(),
        "pdftotext -layout constancia-*.pdf -",
        false,
    );
    assert!(done, "{report}");
    let lines = report.lines().map(str::trim);
    let mut lines = lines.skip_while(|line| !line.starts_with("firmeza verify"));
    let mut command = String::new();
    for line in lines.by_ref() {
        command.extend([line, "\n"]);
        if !line.ends_with('\\') {
            break;
        }
    }
    assert!(command.contains("Contrato.pdf"), "{command}");
    let (done, said) = typed(test_files.directory(), &command, false);
    assert!(done, "{command}{said}");
}
