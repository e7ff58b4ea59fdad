//! Nothing is signed whose bytes were not found whole in storage.

use crate::test_folio::test_folio;
use app::signing::document_checks::{DocumentCheck, StoredDocument};
use app::signing::sign::{LeftOut, Signed};
use app::{Error, SigningParty};
use domain::{Channel, SignerIndex, Template};
use std::time::Duration;
use testkit::{Company, TestApp, attempt, folio, pdf, signer, signers, until};

/// Longer than a failed check is remembered.
const LATER: Duration = Duration::from_secs(10);

async fn state(company: &Company<'_>, folio: &str) -> String {
    company.read(folio).await.at("/data/folioData/stateName")
}

#[tokio::test]
async fn no_code_is_sent_for_a_document_that_is_lost_or_damaged() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let contract = pdf::saying("Contrato que se pierde");
    let fields = folio()
        .signers(&signers(1))
        .documents([("contrato.pdf", contract.clone())]);
    let test_folio = test_folio(&company, &app, fields).await;
    for damage in [true, false] {
        if damage {
            app.damage_document(&contract).await;
        } else {
            app.lose_document(&contract).await;
        }
        let refused = test_folio.send(0).await;
        assert!(matches!(refused, Err(Error::DocumentUnavailable)), "{refused:?}");
        app.advance(LATER);
    }
    let messages = company.messages(&test_folio.folio.to_string()).await;
    assert!(messages.iter().all(|message| message.template != Template::Code));
    assert_eq!(state(&company, &test_folio.folio.to_string()).await, "PENDIENTE");
    app.mend_document(&contract).await;
    test_folio.sign(0).await;
    assert_eq!(state(&company, &test_folio.folio.to_string()).await, "FIRMADO");
}

#[tokio::test]
async fn nothing_is_signed_where_the_document_was_lost_after_the_code() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let contract = pdf::saying("Contrato que se daña");
    let fields = folio()
        .signers(&signers(1))
        .documents([("contrato.pdf", contract.clone())]);
    let test_folio = test_folio(&company, &app, fields).await;
    let code = test_folio.code(0).await;
    app.damage_document(&contract).await;
    // Another instance has not looked for it yet: it does, and the code is good for another try.
    let other = app.another_instance().await;
    let refused = test_folio.at(&other).try_code(0, code.clone()).await;
    assert!(matches!(refused, Err(Error::DocumentUnavailable)), "{refused:?}");
    assert_eq!(state(&company, &test_folio.folio.to_string()).await, "PENDIENTE");
    app.mend_document(&contract).await;
    app.advance(LATER);
    let signed = test_folio.at(&other).try_code(0, code).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
}

#[tokio::test]
async fn a_document_is_looked_for_again_a_day_later() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let contract = pdf::saying("Contrato de ayer");
    let fields = folio()
        .signers(&signers(2))
        .documents([("contrato.pdf", contract.clone())]);
    let test_folio = test_folio(&company, &app, fields).await;
    test_folio.sign(0).await;
    app.lose_document(&contract).await;
    test_folio.send(1).await.unwrap();
    app.advance(Duration::from_hours(24));
    let refused = test_folio.send(1).await;
    assert!(matches!(refused, Err(Error::DocumentUnavailable)), "{refused:?}");
    app.mend_document(&contract).await;
    app.advance(LATER);
    test_folio.sign(1).await;
}

#[tokio::test]
async fn a_folio_of_a_bulk_signature_that_lacks_a_document_is_left_out_by_itself() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let contracts = [0, 1, 2].map(|n| pdf::saying(&format!("Contrato {n}")));
    let mut folios = Vec::new();
    for contract in &contracts {
        let fields = folio().signers(&signers(1));
        folios.push(
            company
                .created(fields.documents([("contrato.pdf", contract.clone())]))
                .await,
        );
    }
    app.lose_document(&contracts[1]).await;
    let started = company.start_bulk(&folios, &signer("1001")).await;
    let party = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    app.ask_for_codes(party).await.unwrap();
    // The failed check is no longer remembered when the signer types the code.
    app.advance(LATER);
    let code = app.code_for("maria.1001@example.com").await;
    let signed = app.sign_as(party, attempt(Channel::Email, code)).await;
    let Ok(Signed::Done(outcomes)) = signed else {
        panic!("{signed:?}");
    };
    let outcomes: Vec<_> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(outcomes, [Ok(()), Err(LeftOut::Broken), Ok(())]);
    assert_eq!(state(&company, &folios[1]).await, "PENDIENTE");
    // Only the broken one is left.
    app.advance(Duration::from_mins(1));
    let refused = app.ask_for_codes(party).await;
    assert!(matches!(refused, Err(Error::DocumentUnavailable)), "{refused:?}");
}

#[tokio::test]
async fn large_documents_are_checked_in_the_background_while_signing_waits() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let plans = [20 << 20, (20 << 20) + 1].map(|size| ("plano.pdf", pdf::of_bytes(size)));
    let fields = folio().signers(&signers(1)).documents(plans);
    let test_folio = test_folio(&company, &app, fields).await;
    let waiting = test_folio.send(0).await;
    assert!(
        matches!(waiting, Err(Error::DocumentsBeingChecked { .. })),
        "{waiting:?}"
    );
    until("the documents are whole", async || test_folio.send(0).await.ok()).await;
    let code = app.code_for(&crate::test_folio::email(0)).await;
    let signed = test_folio.try_code(0, code).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
}

#[tokio::test]
async fn a_storage_that_does_not_answer_says_nothing_of_any_document() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let part = app.lose_a_part().await;
    if part == testkit::Part::Documents {
        let refused = test_folio.send(0).await;
        assert!(matches!(refused, Err(Error::Internal(_))), "{refused:?}");
    }
    app.bring_it_back(part).await;
    if part == testkit::Part::Documents {
        test_folio.sign(0).await;
    }
}

#[tokio::test]
async fn each_document_gets_its_own_check_result() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let contracts = [0, 1, 2].map(|n| pdf::saying(&format!("Anexo {n}")));
    let documents = contracts.iter().map(|one| ("anexo.pdf", one.clone()));
    let id = company.created(folio().documents(documents)).await;
    app.lose_document(&contracts[0]).await;
    app.damage_document(&contracts[2]).await;
    let party = SigningParty::Signer {
        folio: id.parse().unwrap(),
        signer_index: SignerIndex(0),
    };
    let signing = app.app().signing(party, None);
    let signing = signing.await.unwrap();
    let own = &signing.folios[0].folio;
    let documents: Vec<_> = StoredDocument::all_of(own).collect();
    let checks = app.app().check_documents(&documents).await.unwrap();
    let expected = [
        DocumentCheck::Missing,
        DocumentCheck::Whole,
        DocumentCheck::Damaged,
    ];
    assert_eq!(checks, expected);
    assert!(app.app().lacks_a_document(&own.documents));
}
