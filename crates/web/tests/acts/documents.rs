//! What acts make of documents, as independent tools see it.

use crate::test_folio::{MOBILE, test_folio};
use app::operator::integrity::check_integrity;
use app::signing::sign::{LeftOut, Signed};
use app::{Error, SigningParty};
use domain::{Channel, FolioId};
use pades::verify::{FileVerdict, Level, Policy, verify};
use std::time::Duration;
use testkit::{
    Company, TestApp, attempt, folio, pdf, signer, signers, validate, validate_archived, validate_long_term,
};

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn the_last_signature_seals_every_document() {
    let app = TestApp::start().await;
    let company = app.company("Acme Ñandú S.A.").await;
    let sent = [pdf::contract(), signed_elsewhere(&company, &app).await];
    let fields = folio().signers(&signers(3));
    let fields = fields.documents([
        ("contrato.pdf", sent[0].clone()),
        ("firmado.pdf", sent[1].clone()),
    ]);
    let test_folio = test_folio(&company, &app, fields).await;
    let id = test_folio.folio.to_string();
    let read = company.read(&id).await;
    let documents = [0, 1].map(|n| read.at(&format!("/data/documents/{n}/documentId")));
    for place in [1, 0, 2] {
        test_folio.sign(place).await;
    }
    let read = company.read(&id).await;
    assert_eq!(read.at("/data/folioData/stateName"), "FIRMADO");
    let root = app.app().notary.root().as_der().to_vec();
    let versions = async || {
        let mut files = Vec::new();
        for document in &documents {
            files.push(company.download(document).await.body);
        }
        files
    };
    for (place, file) in versions().await.iter().enumerate() {
        assert!(file.starts_with(&sent[place]), "the upload is a prefix");
        let judged = validate(file, &root);
        assert!(
            judged.pyhanko.iter().all(|verdict| verdict == "valid"),
            "{judged:?}"
        );
        // The service and three signers; the other one came with two, and two timestamps that pdfsig passes over.
        assert_eq!((judged.pdfsig, judged.pyhanko.len()), [(4, 4), (5, 7)][place]);
    }
    assert_eq!(app.app().extend_due().await.unwrap(), 1);
    assert_eq!(app.app().extend_due().await.unwrap(), 0);
    let extended = versions().await;
    let judged = validate(&extended[0], &root);
    assert_eq!(
        judged.pyhanko, ["valid"; 6],
        "the service, three signers, two timestamps"
    );
    let roots = [app.app().notary.root().clone()];
    let now = jiff::Timestamp::from_microsecond(app.app().clock.now().as_micros()).unwrap();
    assert_eq!(
        validate_long_term(&extended[0], &root, now),
        ["passed"; 4],
        "each signature has a timestamp and all its evidence"
    );
    // The lists hold for a week, and a signer's certificate for ten years.
    for years in [5, 12] {
        let later = now + jiff::SignedDuration::from_hours(8_766 * years);
        assert_eq!(
            validate_archived(&extended[0], &root, later),
            ["passed"; 4],
            "after {years} years, with the service stopped"
        );
    }
    let policy = Policy::new(&roots, now);
    let report = verify(&extended[0], &policy);
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:?}");
    let history = company.history(&id).await;
    let extended = history
        .iter()
        .rfind(|event| event.body.contains("\"what\":\"extended\""));
    assert!(extended.is_some());
}

#[tokio::test]
async fn sheets_wait_for_the_first_signature() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio().signers(&signers(2))).await;
    let read = company.read(&test_folio.folio.to_string()).await;
    let document = read.at("/data/documents/0/documentId");
    let (first, second) = tokio::join!(test_folio.code(0), test_folio.code(1));
    assert_eq!(
        app.census().await.of("increments"),
        1,
        "one sheet, whichever request drew it"
    );
    let download = async || company.download(&document).await.body;
    assert_eq!(download().await, pdf::contract(), "no signer has signed");
    test_folio.try_code(1, second).await.unwrap();
    test_folio.try_code(0, first).await.unwrap();
    assert_eq!(app.census().await.of("increments"), 3);
    let judged = validate(&download().await, app.app().notary.root().as_der());
    assert_eq!(judged.pyhanko, ["valid"; 3]);
}

#[tokio::test]
async fn sheets_that_wait_are_deleted_with_the_end_of_the_folio() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let begun = async || test_folio(&company, &app, folio().signers(&signers(2))).await;
    let kept = async || app.census().await.of("increments");
    let cancel = async |folio: FolioId| {
        let cancelled = company.cancel([folio.to_string()], "Ya no hace falta.").await;
        assert_eq!(cancelled.status, 200, "{}", cancelled.text());
    };
    let unsigned = begun().await;
    unsigned.send(0).await.unwrap();
    assert_eq!(kept().await, 1);
    cancel(unsigned.folio).await;
    assert_eq!(kept().await, 0);

    let half_signed = begun().await;
    half_signed.sign(0).await;
    let document = company.document_of(&half_signed.folio.to_string()).await;
    let before = company.download(&document).await.body;
    cancel(half_signed.folio).await;
    assert_eq!(kept().await, 2, "a sheet and a signature");
    assert!(company.download(&document).await.body == before);

    company.choose(|settings| settings.folio_days = Some(1)).await;
    let expired = begun().await;
    expired.send(0).await.unwrap();
    app.advance(DAY);
    assert_eq!(app.app().delete_expired_sheets().await.unwrap(), 0);
    assert_eq!(kept().await, 3);
    app.advance(DAY);
    assert_eq!(app.app().delete_expired_sheets().await.unwrap(), 1);
    assert_eq!(kept().await, 2);
    let inner = app.app();
    let checked = check_integrity(app.database(), &inner.store, &inner.blobs, None).await;
    assert_eq!(checked.unwrap().messages, [""; 0]);
}

/// A document that comes with signatures: another folio's.
async fn signed_elsewhere(company: &Company<'_>, app: &TestApp) -> Vec<u8> {
    let test_folio = test_folio(company, app, folio().signers(&signers(1))).await;
    test_folio.sign(0).await;
    app.app().extend_due().await.unwrap();
    let read = company.read(&test_folio.folio.to_string()).await;
    let document = read.at("/data/documents/0/documentId");
    company.download(&document).await.body
}

#[tokio::test]
async fn a_document_goes_from_folio_to_folio_and_stands_for_years() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let mut file = pdf::contract();
    for times in 1..=3 {
        let fields = folio().signers(&signers(1)).documents([("contrato.pdf", file)]);
        let test_folio = test_folio(&company, &app, fields).await;
        test_folio.sign(0).await;
        let (id, now) = (test_folio.folio, app.app().clock.now());
        assert_eq!(app.app().extend_due().await.unwrap(), 1);
        let left = app.app().store.read(move |tx| tx.unextended(&[id], now)).await;
        assert_eq!(left.unwrap(), [], "folio {times}");
        let document = company.document_of(&id.to_string()).await;
        file = company.download(&document).await.body;
    }
    let roots = [app.app().notary.root().clone()];
    let now = jiff::Timestamp::from_microsecond(app.app().clock.now().as_micros()).unwrap();
    let report = verify(&file, &Policy::new(&roots, now));
    assert_eq!(report.verdict, FileVerdict::Valid, "{report:?}");
    let levels: Vec<_> = report.signatures.iter().filter_map(|one| one.level).collect();
    assert_eq!(levels, [Level::Lta; 4], "the service and three signers");
    assert_eq!(report.signatures.len(), 10, "and six timestamps");
}

#[tokio::test]
async fn a_bulk_signature_signs_every_folio_with_both_codes() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let mut folios = Vec::new();
    for kind in ["1", "2", "1"] {
        let fields = folio().signers(&signers(1)).with("signatureType", kind);
        folios.push(company.created(fields).await);
    }
    let started = company.start_bulk(&folios, &signer("1001")).await;
    let url = url::Url::parse(&started.at("/data/signProcessMassiveUrl")).unwrap();
    let msv = url
        .query_pairs()
        .find(|(name, _)| name == "msv")
        .unwrap()
        .1
        .into_owned();
    let party = app.app().open_bulk_link(&msv).unwrap();
    assert!(matches!(party, SigningParty::Bulk(_)));
    company.cancel([&folios[2]], "Ya no hace falta firmarlo").await;
    app.ask_for_codes(party).await.unwrap();
    let mut both = attempt(Channel::Email, app.code_for("maria.1001@example.com").await);
    let only_email = app.sign_as(party, both.clone()).await.unwrap();
    assert_eq!(
        only_email,
        Signed::WrongCode {
            channel: Channel::Sms,
            tries_left: 4
        }
    );
    both.codes.sms = Some(app.code_for(MOBILE).await);
    let Signed::Done(outcomes) = app.sign_as(party, both).await.unwrap() else {
        panic!("the codes are right");
    };
    assert_eq!(
        outcomes
            .iter()
            .map(|(_, outcome)| outcome.is_ok())
            .collect::<Vec<_>>(),
        [true, true, false]
    );
    let read = company.read_several(&folios).await;
    let states: Vec<String> = (0..3)
        .map(|n| read.at(&format!("/data/{n}/data/folioData/stateName")))
        .collect();
    assert_eq!(states, ["FIRMADO", "FIRMADO", "ANULADO"]);
}

#[tokio::test]
async fn a_broken_folio_of_a_bulk_signature_is_left_out_by_itself() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let mut folios = Vec::new();
    for _ in 0..4 {
        folios.push(company.created(folio().signers(&signers(1))).await);
    }
    let started = company.start_bulk(&folios, &signer("1001")).await;
    let party = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    // One before its sheet is drawn, and one after.
    app.damage(&folios[0]).await;
    app.ask_for_codes(party).await.unwrap();
    app.damage(&folios[2]).await;
    let code = app.code_for("maria.1001@example.com").await;
    let signed = app.sign_as(party, attempt(Channel::Email, code));
    let Signed::Done(outcomes) = signed.await.unwrap() else {
        panic!("the code is right");
    };
    let outcomes: Vec<_> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    let broken = Err(LeftOut::Broken);
    assert_eq!(outcomes, [broken, Ok(()), broken, Ok(())]);
    let read = company.read_several(&folios).await;
    let states: Vec<String> = (0..4)
        .map(|n| read.at(&format!("/data/{n}/data/folioData/stateName")))
        .collect();
    assert_eq!(states, ["PENDIENTE", "FIRMADO", "PENDIENTE", "FIRMADO"]);
    app.ask_for_codes(party).await.unwrap();
    let code = app.code_for("maria.1001@example.com").await;
    let none = app.sign_as(party, attempt(Channel::Email, code)).await;
    assert!(
        matches!(none, Err(Error::Internal(_))),
        "only broken ones are left: {none:?}"
    );
}

#[tokio::test]
async fn names_of_every_kind_come_through() {
    let app = TestApp::start().await;
    let company = app.company("(Ñandú) \\ <b>S.A.</b>").await;
    let names = [
        "<script>alert(1)</script>) Tj (",
        "Ωμέγα Ελληνική 漢字 かな 🖋",
        "محمد عبد الله",
        "🖋✍",
        "José \\(paréntesis) /Type /Catalog >> endobj",
        &"Ñ".repeat(200),
    ];
    let numbers = ["900.123.456-7", "12 345 678", "AB-1", "X.1", "0", &"9".repeat(32)];
    let signers: serde_json::Value = names
        .iter()
        .zip(numbers)
        .zip(["NIT", "CC", "CE", "CC", "TI", "CC"])
        .enumerate()
        .map(|(place, ((name, number), kind))| {
            let mut signer = signer(number);
            signer["name"] = (*name).into();
            signer["documentType"] = kind.into();
            signer["email"] = crate::test_folio::email(place).into();
            signer
        })
        .collect();
    let fields = folio()
        .signers(&signers)
        .with("folioName", "Contrato (1) \\ <i>Ω</i> %PDF-1.7 endstream");
    let fields = fields.documents([("(a) \\ ñ Ω 漢 >> endobj.pdf", pdf::contract())]);
    let test_folio = test_folio(&company, &app, fields).await;
    for place in 0..names.len() {
        test_folio.sign(place).await;
    }
    app.app().extend_due().await.unwrap();
    let read = company.read(&test_folio.folio.to_string()).await;
    let file = company
        .download(&read.at("/data/documents/0/documentId"))
        .await
        .body;
    let judged = validate(&file, app.app().notary.root().as_der());
    assert_eq!(
        judged.pyhanko, ["valid"; 9],
        "the service, six signers, two timestamps"
    );
    assert_eq!(judged.pdfsig, 7);
}
