//! What a file says steers no terminal.

use super::TestFiles;
use super::bundles::story;
use crate::support::block_on;
use serde_json::json;

fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || !pki::escape::is_deceptive(c))
}

#[test]
fn names_and_fields_are_spelt_out() {
    const HOSTILE: &str = "Acme\u{1b}[2J\u{9b}1A\u{202e}\u{200b}\nfinal.pdf: VÁLIDO";
    let story = block_on(story());
    let mut bundle = story.bundle.clone();
    bundle["evidence"]["company"] = json!(HOSTILE);
    bundle["evidence"]["signers"][0]["name"] = json!(HOSTILE);
    bundle["evidence"]["consents"][0]["name"] = json!(HOSTILE);
    bundle["evidence"]["certificates"][2]["role"] = json!(HOSTILE);
    let mut pdf = story.last.clone();
    let (from, to) = (b"(Firmante-1-", b"(\x1b[2K\x1b[1AXY-");
    let mut changed = 0;
    while let Some(at) = pdf.windows(from.len()).position(|bytes| bytes == from) {
        pdf[at..at + to.len()].copy_from_slice(to);
        changed += 1;
    }
    assert!(changed > 0, "the field's name is there to be changed");
    let name = "raro\u{1b}[2K\u{202e}.pdf";
    let test_files = TestFiles::new(&[(name, &pdf), ("evidencia.json", bundle.to_string().as_bytes())]);
    for files in [
        &[name][..],
        &["evidencia.json"],
        &["evidencia.json", name],
        &["nada\u{1b}[2J.pdf"],
    ] {
        let said = test_files.verify(files).stdout;
        assert!(is_plain(&said), "{said:?}");
        let said = test_files.verify(&[&["--json"], files].concat()).stdout;
        assert!(is_plain(&said), "{said:?}");
        assert!(serde_json::from_str::<serde_json::Value>(&said).is_ok(), "{said}");
    }
    let said = test_files.verify(&["evidencia.json"]).stdout;
    assert!(
        said.contains("Acme\\u{1b}[2J\\u{9b}1A\\u{202e}\\u{200b}\\u{a}final.pdf: VÁLIDO"),
        "{said}"
    );
    assert!(!said.lines().any(|line| line.starts_with("final.pdf")), "{said}");
    let said = test_files.verify(&[name]).stdout;
    // In a PDF's own encoding that byte is an accent.
    assert!(said.contains("«˙[2K˙[1AXY-"), "{said}");
    let refused = test_files.verify(&["--root", "nada\u{1b}[2J.crt", "evidencia.json"]);
    assert!(
        is_plain(&refused.stderr) && refused.stderr.contains("nada\\u{1b}[2J.crt"),
        "{refused:?}"
    );
}
