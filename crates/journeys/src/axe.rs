//! axe-core inside the page: what keeps people from using it.

use crate::browser::Browser;
use parts::{AXE, Venv};
use std::fmt::Write;
use std::sync::LazyLock;

static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let file = Venv::of(&AXE).and_then(|venv| venv.file("axe_playwright_python/axe.min.js"));
    std::fs::read_to_string(file.expect("axe-core")).unwrap()
});

const RUN: &str = "return axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', \
     'best-practice'], resultTypes: ['violations'] }).then(r => r.violations)";

/// The same for colours alone: an email has neither a bar nor landmarks.
const CONTRAST: &str = "return axe.run(document, { runOnly: { type: 'rule', values: ['color-contrast'] }, \
     resultTypes: ['violations'] }).then(r => r.violations)";

/// Puts the bar at the bottom into another position.
fn bar(position: &str) -> String {
    format!("for (const bar of document.querySelectorAll('.bar')) bar.style.position = '{position}'")
}

impl Browser {
    /// Asserts that axe-core finds no barrier on the page.
    pub async fn is_accessible(&self, what: &str) {
        self.passes(what, RUN).await;
    }

    /// Asserts that all text of the page stands out from what is behind it.
    pub async fn is_readable(&self, what: &str) {
        self.passes(what, CONTRAST).await;
    }

    async fn passes(&self, what: &str, checks: &str) {
        let script = tokio::task::spawn_blocking(|| SCRIPT.as_str()).await.unwrap();
        // The page's own policy lets no script in; the driver asks no policy. In a frame, the frame is what it checks.
        self.run(script, &[]).await;
        // What the bar happens to cover is reached by scrolling.
        self.run(&bar("static"), &[]).await;
        let found = self.run(checks, &[]).await;
        self.run(&bar(""), &[]).await;
        let mut told = String::new();
        for violation in found.as_array().expect("a list") {
            writeln!(told, "{}: {}", violation["id"], violation["help"]).unwrap();
            for node in violation["nodes"].as_array().into_iter().flatten() {
                writeln!(told, "  {} {}", node["html"], node["failureSummary"]).unwrap();
            }
        }
        assert!(told.is_empty(), "{what}:\n{told}");
    }
}
