//! One signer who requests many slow pages does not delay other signers.

use crate::browser::{open, send};
use domain::SignerIndex;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::{TestApp, folio, pdf, until};

/// A worker to which large documents take as long as a file is there, and no document can be read. It leaves out the
/// limits, looks at the length of the document, greets, and answers.
fn worker(gate: &std::path::Path) -> String {
    format!(
        "#!/bin/sh\n\
         length=$(dd bs=1 count=48 2>/dev/null | tail -c 4 | od -An -tu4)\n\
         if [ $length -gt 5000 ]; then while [ -e '{}' ]; do sleep 0.02; done; fi\n\
         printf '\\003\\000\\000\\000G\\001\\001\\002\\000\\000\\000F\\000'\n",
        gate.display()
    )
}

#[tokio::test]
async fn forty_slow_pages_of_one_signer_keep_no_other_company_waiting() {
    let directory = tempfile::tempdir().unwrap();
    let (program, gate) = (directory.path().join("worker"), directory.path().join("gate"));
    std::fs::write(&program, worker(&gate)).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let app = TestApp::builder().drawing_with(program).start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Otra").await);
    let slow = acme
        .created(folio().documents([("a.pdf", pdf::lease(7)), ("b.pdf", pdf::lease(8))]))
        .await;
    let quick = other.created(folio()).await;
    let read = acme.read(&slow).await;
    let documents = [0, 1].map(|n| read.at(&format!("/data/documents/{n}/documentId")));
    let page = open(
        &app,
        &app.app().links.signer(slow.parse().unwrap(), SignerIndex(0)),
    )
    .await;
    let quick_page = open(
        &app,
        &app.app().links.signer(quick.parse().unwrap(), SignerIndex(0)),
    )
    .await;

    std::fs::write(&gate, "").unwrap();
    let mut paths = Vec::new();
    for (document, pages) in documents.iter().zip([7, 8]) {
        for number in 1..=pages {
            for width in [720, 1080, 1440] {
                paths.push(format!(
                    "/sign/{slow}-0/documents/{document}/pages/{number}.png?w={width}"
                ));
            }
        }
    }
    paths.truncate(40);
    let (refused, drawn) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let flood = futures_util::future::join_all(paths.iter().map(async |path| {
        let answer = send(page.get(path)).await;
        if answer.status == 429 {
            assert_eq!(answer.header("retry-after"), Some("2"));
            refused.fetch_add(1, Ordering::Relaxed);
        } else {
            drawn.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let others = async {
        // Two are drawn and twenty-four wait.
        until("what is too much is refused", async || {
            (refused.load(Ordering::Relaxed) == 14).then_some(())
        })
        .await;
        let document = other.document_of(&quick).await;
        let path = format!("/sign/{quick}-0/documents/{document}/pages/1.png?w=720");
        let answer = send(quick_page.get(&path)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(
            drawn.load(Ordering::Relaxed),
            0,
            "not one of the slow ones was waited for"
        );
        std::fs::remove_file(&gate).unwrap();
    };
    tokio::join!(flood, others);
    assert_eq!(drawn.into_inner(), 26);
    assert_eq!(refused.into_inner(), 14);
}
