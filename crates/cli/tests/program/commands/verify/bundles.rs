//! Evidence bundles: of a whole story, and of the same story tampered with.

use super::{TestFiles, is_intact};
use crate::support::block_on;
use app::SigningParty;
use app::signing::sign::Signed;
use domain::{
    Actor, Change, Code, DocumentNumber, Event, EventKind, Folio, FolioId, Origin, PersonFields, PersonName,
    Refusal, SignerIndex, Timestamp,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::Duration;
use testkit::{START, TestApp, correction, folio, pdf, signers};

pub(super) struct Story {
    pub(super) bundle: Value,
    pub(super) text: Vec<u8>,
    /// The first signer's copy.
    pub(super) copy: String,
    /// The same as a document for people.
    pub(super) report: Vec<u8>,
    /// The evidence as it was after the first signature.
    pub(super) early: Vec<u8>,
    sent: Vec<u8>,
    pub(super) signed: Vec<u8>,
    pub(super) last: Vec<u8>,
    /// The evidence after the first signer's name and document number were corrected.
    pub(super) corrected: Vec<u8>,
    /// The first signer's copy from then.
    pub(super) corrected_copy: Vec<u8>,
    /// The evidence after the folio was erased.
    pub(super) erased: Vec<u8>,
    pub(super) root: Vec<u8>,
    stranger: Vec<u8>,
}

/// A contract, sent without an extension to its name, whose second signer moved: resent, a wrong code, signed by both in two
/// languages, extended.
pub(super) async fn story() -> Story {
    let app = TestApp::start().await;
    let acme = app.company("Acme Ñandú S.A.").await;
    let fields = folio()
        .signers(&signers(2))
        .documents([("Contrato", pdf::contract())]);
    let id = acme.created(fields).await;
    let document = acme.document_of(&id).await;
    app.advance(Duration::from_mins(5));
    let moved = correction("1002", "nueva@example.com", "3001234567");
    acme.resend(&id, &[moved]).await.ok();
    app.send_code(&id, SignerIndex(0)).await;
    let wrong = Code::typed("000000").unwrap();
    let refused = app.give_code(&id, SignerIndex(0), wrong).await;
    assert!(matches!(refused, Signed::WrongCode { .. }), "{refused:?}");
    app.advance(Duration::from_mins(2));
    app.sign_by_email(&id, SignerIndex(0), "maria.1001@example.com")
        .await;
    let signed = acme.download(&document).await.body;
    let early = acme.evidence(&id).await.body;
    app.sign_by_email(&id, SignerIndex(1), "nueva@example.com").await;
    app.app().extend_due().await.unwrap();
    let text = acme.evidence(&id).await.body;
    let other = TestApp::start().await;
    let folio: FolioId = id.parse().unwrap();
    let party = SigningParty::Signer {
        folio,
        signer_index: SignerIndex(0),
    };
    let copy = app
        .app()
        .evidence_for(
            &app.proven_session(party).await,
            folio,
            1,
            domain::Client::default(),
        )
        .await
        .unwrap();
    let last = acme.download(&document).await.body;
    change(&app, folio, |stored, at| {
        let now = PersonFields {
            name: PersonName::new("María Páez 1001").unwrap(),
            document_number: DocumentNumber::new("1010").unwrap(),
            contact: stored[SignerIndex(0)].contact.clone(),
        };
        stored.correct_person(SignerIndex(0), &now, service(), at)
    })
    .await;
    let corrected = acme.evidence(&id).await.body;
    let corrected_copy = app
        .app()
        .evidence_for(
            &app.proven_session(party).await,
            folio,
            1,
            domain::Client::default(),
        )
        .await
        .unwrap();
    change(&app, folio, |stored, at| stored.erase(None, service(), at)).await;
    Story {
        corrected,
        corrected_copy: corrected_copy.text.into_bytes(),
        erased: acme.evidence(&id).await.body,
        report: app.app().evidence_report(&copy).await.unwrap(),
        copy: copy.text,
        bundle: serde_json::from_slice(&text).unwrap(),
        text,
        early,
        sent: pdf::contract(),
        signed,
        last,
        root: app.app().notary.root().as_der().to_vec(),
        stranger: other.app().notary.root().as_der().to_vec(),
    }
}

fn service() -> Origin {
    Origin {
        actor: Actor::Service,
        client: domain::Client::default(),
    }
}

/// Does something to the folio, and erases it if the act says so.
async fn change(
    app: &TestApp,
    id: FolioId,
    act: impl Fn(&Folio, Timestamp) -> Result<Change, Refusal> + Send + 'static,
) {
    let now = app.app().clock.now();
    let changed = app.app().store.write(move |tx| {
        let company = tx.company_of_folio(id)?.expect("a folio of a company").id;
        let stored = tx.lock_folios_to_erase(company, &[id])?.pop().expect("the folio");
        let change = act(&stored.folio, now).expect("an act that is allowed");
        if change.drop {
            return tx.erase_folios(company, now, &[(&stored, change)]).map(drop);
        }
        tx.apply(company, now, &[(&stored, change)])
    });
    changed
        .await
        .unwrap_or_else(|error: store::Error| panic!("{error}"));
}

#[test]
fn a_whole_story_is_checked_with_its_documents() {
    let story = block_on(story());
    let pretty = serde_json::to_vec_pretty(&story.bundle).unwrap();
    let test_files = TestFiles::new(&[
        ("evidencia.json", &story.text),
        ("bonita.json", &pretty),
        ("enviado.pdf", &story.sent),
        ("primera.pdf", &story.signed),
        ("final.pdf", &story.last),
        ("root.crt", &story.root),
        ("otra.crt", &story.stranger),
    ]);
    let found = test_files.verify_json(&["final.pdf", "evidencia.json", "enviado.pdf", "primera.pdf"]);
    assert!(is_intact(&found), "{found:#}");
    let bundle = &found["files"][1];
    assert_eq!(bundle["faults"], json!([]));
    assert_eq!(bundle["roots"][0]["source"], "embedded");
    assert_eq!(bundle["folio"]["state"], "signed");
    assert_eq!(bundle["whole"], true);
    assert_eq!(
        bundle["documents"][0]["files"],
        json!(["final.pdf", "enviado.pdf", "primera.pdf"])
    );
    let versions: Vec<&Value> = [0, 2, 3]
        .iter()
        .map(|file| &found["files"][*file]["evidence"][0]["version"])
        .collect();
    assert_eq!(json!(versions), json!(["current", "original", "earlier"]));
    assert_eq!(found["files"][3]["roots"][0]["source"], "evidence");

    assert!(
        is_intact(&test_files.verify_json(&["bonita.json"])),
        "blanks mean nothing"
    );
    let all = ["final.pdf", "evidencia.json", "enviado.pdf", "primera.pdf"];
    let found = test_files.verify_json(&[&["--root", "root.crt"], &all[..]].concat());
    assert_eq!(found["valid"], true, "{found:#}");
    let found = test_files.verify_json(&["--root", "otra.crt", "evidencia.json"]);
    assert_eq!(found["files"][0]["verdict"], "invalid");
    assert_eq!(found["files"][0]["faults"][0]["name"], "seal_time_untrusted");

    let told: Vec<String> = events(&story.bundle)
        .iter()
        .map(|event| event["what"].as_str().unwrap().to_owned())
        .filter(|what| what != "evidence_downloaded")
        .collect();
    for what in [
        "created",
        "resent",
        "code_sent",
        "code_refused",
        "signed",
        "completed",
        "extended",
    ] {
        assert!(told.iter().any(|told| told == what), "{what}: {told:?}");
    }
    let said = test_files.verify(&["evidencia.json", "final.pdf"]).stdout;
    for words in [
        "evidencia.json: ÍNTEGRO, EMISOR DESCONOCIDO",
        "final.pdf: VÁLIDO",
        "Todo lo que dice la evidencia concuerda.",
        "de Acme Ñandú S.A.",
        "María Pérez 1001 (CC 1001): firmó el 2026-03-02T14:37:00Z desde 203.0.113.7",
        "es el archivo final.pdf",
        "Según evidencia.json: es el documento como está ahora (Contrato)",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

fn events(bundle: &Value) -> Vec<Value> {
    let events = bundle["evidence"]["history"]["events"].as_array().unwrap();
    events
        .iter()
        .map(|event| serde_json::from_str(event["body"].as_str().unwrap()).unwrap())
        .collect()
}

/// Gives the bundle a matching seal digest, as an attacker without the service's key could.
fn reseal(bundle: &mut Value) {
    let hash = Sha256::digest(bundle["evidence"].to_string().as_bytes());
    bundle["seal"]["sha256"] = hash
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
        .into();
}

#[test]
#[allow(clippy::too_many_lines, reason = "one table of what can be tampered with")]
fn whatever_is_tampered_with_is_found_and_named() {
    let story = block_on(story());
    let test_files = TestFiles::new(&[]);
    let faults = |bytes: &[u8]| -> Vec<String> {
        test_files.put("evidencia.json", bytes);
        let found = test_files.verify_json(&["evidencia.json"]);
        let faults = found["files"][0]["faults"].as_array().unwrap();
        faults
            .iter()
            .map(|fault| fault["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let changed = |pointer: &str, value: Value| {
        let mut bundle = story.bundle.clone();
        *bundle.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        bundle
    };
    let zeros = "0".repeat(64);
    let signed = events(&story.bundle)
        .iter()
        .position(|event| event["what"] == "signed")
        .unwrap();
    let body = format!("/evidence/history/events/{signed}/body");
    let forged = story.bundle.pointer(&body).unwrap().as_str().unwrap();
    let forged = forged.replace("\"channel\":\"email\"", "\"channel\":\"sms\"");
    let hash = format!("/evidence/history/events/{signed}/hash");
    for (pointer, value, fault) in [
        (body.as_str(), json!(forged), "event"),
        (&hash, json!(zeros), "event"),
        (
            "/evidence/history/events/0/values/0/value",
            json!("Otra Persona"),
            "value_changed",
        ),
        (
            "/evidence/history/events/0/values/0/salt",
            json!("00".repeat(16)),
            "value_changed",
        ),
        (
            "/evidence/history/events/0/values/0/at",
            json!("/signers/7/name"),
            "value_stray",
        ),
        ("/evidence/history/events/0/values", json!([]), "value_missing"),
        ("/evidence/history/before", json!("f".repeat(64)), "beginning"),
        ("/evidence/history/head", json!(zeros), "end"),
        ("/evidence/history/events/1/number", json!(7), "misplaced"),
        ("/evidence/folio/state", json!("cancelled"), "folio"),
        ("/evidence/folio/observation", json!("Otro motivo"), "folio"),
        ("/evidence/folio/signature_type", json!("sms_code"), "folio"),
        (
            "/evidence/folio/created_at",
            json!("2026-03-02T14:30:01Z"),
            "folio",
        ),
        ("/evidence/folio/id", json!("0".repeat(32)), "misplaced"),
        ("/evidence/documents/0/original/sha256", json!(zeros), "document"),
        ("/evidence/documents/0/current/sha256", json!(zeros), "document"),
        ("/evidence/signers/0/name", json!("Otra Persona"), "signer"),
        ("/evidence/signers/0/email", json!("otra@example.com"), "signer"),
        ("/evidence/signers/0/mobile", json!("3009999999"), "signer"),
        (
            "/evidence/signers/1/email",
            json!("maria.1002@example.com"),
            "signer",
        ),
        ("/evidence/signers/0/address", json!("198.51.100.1"), "signer"),
        (
            "/evidence/signers/1/acted_at",
            json!("2026-03-02T14:30:00Z"),
            "signer",
        ),
        ("/evidence/signers/1/certificates/0", json!(zeros), "signer"),
        (
            "/evidence/consents/0/text",
            json!("Acepto otra cosa"),
            "consent_text",
        ),
        ("/evidence/consents", json!([]), "consent_missing"),
        ("/evidence/certificates/2/sha256", json!(zeros), "certificate"),
        ("/evidence/certificates/0/der", json!("AAAA"), "certificate"),
        ("/evidence/revocation_lists/0", json!("AAAA"), "revocation_list"),
    ] {
        let mut bundle = changed(pointer, value);
        let plain = faults(bundle.to_string().as_bytes());
        assert!(
            plain.iter().any(|name| name == "seal_digest"),
            "{pointer}: {plain:?}"
        );
        reseal(&mut bundle);
        let resealed = faults(bundle.to_string().as_bytes());
        assert!(
            resealed.iter().any(|name| name.starts_with("seal")),
            "{pointer}: {resealed:?}"
        );
        assert!(
            resealed.iter().any(|name| name == fault),
            "{pointer}: {resealed:?}"
        );
    }
    for (pointer, value, fault) in [
        ("/evidence/company", json!("Otra S.A."), "seal_digest"),
        (
            "/evidence/messages/0/recipient",
            json!("otra@example.com"),
            "seal_digest",
        ),
        ("/evidence/made/at", json!("2030-01-01T00:00:00Z"), "seal_digest"),
        ("/seal/sha256", json!(zeros), "seal_digest"),
        ("/seal/cms", json!("no es base64"), "seal_form"),
        ("/seal/cms", json!("AAAA"), "seal"),
        ("/evidence/version", json!(2), "unknown_version"),
        ("/evidence/format", json!("otro"), "not_evidence"),
        ("/evidence/signers", json!("nadie"), "shape"),
    ] {
        let bundle = changed(pointer, value);
        assert_eq!(faults(bundle.to_string().as_bytes()), [fault], "{pointer}");
    }
    let text = String::from_utf8(story.text.clone()).unwrap();
    let twice = text.replacen("{\"evidence\":{", "{\"evidence\":{\"company\":\"Otra S.A.\",", 1);
    assert_eq!(
        faults(twice.as_bytes()),
        ["ambiguous"],
        "two readers, two companies"
    );
    assert_eq!(faults(b"{}"), ["not_evidence"]);
    assert_eq!(faults(&story.text), Vec::<String>::new(), "untouched");
}

#[test]
fn what_a_signers_copy_withholds_is_listed() {
    let story = block_on(story());
    let test_files = TestFiles::new(&[
        ("evidencia.json", &story.text),
        ("copia.json", story.copy.as_bytes()),
    ]);
    let found = test_files.verify_json(&["evidencia.json", "copia.json"]);
    assert!(is_intact(&found), "{found:#}");
    assert_eq!(found["files"][0]["withheld"], json!([]));
    let withheld = found["files"][1]["withheld"].as_array().unwrap();
    let email = json!({ "event": 1, "field": "/signers/1/email", "erased": false });
    assert!(withheld.contains(&email), "{withheld:#?}");
    let said = test_files.verify(&["copia.json"]).stdout;
    let count = format!("Valores reservados en esta copia: {}", withheld.len());
    for words in [
        count.as_str(),
        "evento 1: /address, /signers/1/document_number, /signers/1/email, /signers/1/mobile",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!test_files.verify(&["evidencia.json"]).stdout.contains("reservad"));

    // An erased value, a withheld value and a missing value are reported differently.
    let mut bundle: Value = serde_json::from_str(&story.copy).unwrap();
    let first = &mut bundle["evidence"]["history"]["events"][0];
    first["values"][0] = json!({ "at": first["values"][0]["at"], "erased": true });
    test_files.put("copia.json", bundle.to_string().as_bytes());
    let found = test_files.verify_json(&["copia.json"]);
    assert_eq!(found["files"][0]["withheld"][0]["erased"], true, "{found:#}");
    let names = |found: &Value| -> Vec<Value> {
        let faults = found["files"][0]["faults"].as_array().unwrap().iter();
        faults.map(|fault| fault["name"].clone()).collect()
    };
    assert_eq!(names(&found), ["seal_digest"], "the chain holds all the same");
    assert!(
        test_files
            .verify(&["copia.json"])
            .stdout
            .contains("Valor borrado: 1")
    );
    bundle["evidence"]["history"]["events"][0]["values"]
        .as_array_mut()
        .unwrap()
        .remove(0);
    test_files.put("copia.json", bundle.to_string().as_bytes());
    assert_eq!(
        names(&test_files.verify_json(&["copia.json"])),
        ["seal_digest", "value_missing"]
    );
}

/// The first part of a long history.
async fn part() -> Vec<u8> {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let event = Event {
        at: START,
        origin: Origin {
            actor: Actor::Service,
            client: domain::Client::default(),
        },
        what: EventKind::EvidenceDownloaded {
            sha256: "ab".repeat(32),
        },
    };
    let events = vec![(id.parse::<FolioId>().unwrap(), event); app::evidence::EVENTS_PER_BUNDLE];
    let appended = app.app().store.write(move |tx| tx.append_events(&events));
    appended.await.unwrap();
    acme.evidence(&id).await.body
}

#[test]
fn a_part_of_a_history_is_not_taken_for_all_of_it() {
    let test_files = TestFiles::new(&[("parte.json", &block_on(part()))]);
    let found = test_files.verify_json(&["parte.json"]);
    assert_eq!(found["files"][0]["verdict"], "unknown_issuer", "{found:#}");
    assert_eq!(found["files"][0]["whole"], false);
    let said = test_files.verify(&["parte.json"]).stdout;
    assert!(
        said.contains("la parte del historial que trae: los eventos 1 a 2000 de 2001"),
        "{said}"
    );
    assert!(
        !said.contains("todo lo que dice la evidencia concuerda"),
        "{said}"
    );
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A signed document, the evidence before its signer's certificate was revoked and after, and the root.
pub(super) async fn revoked() -> [Vec<u8>; 4] {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().signers(&signers(1))).await;
    app.sign_by_email(&id, SignerIndex(0), "maria.1001@example.com")
        .await;
    let before = acme.evidence(&id).await.body;
    let evidence: Value = serde_json::from_slice(&before).unwrap();
    let certificate = text(&evidence["evidence"]["signers"][0]["certificates"][0]);
    let reason = pki::authority::Reason::KeyCompromise;
    let since = Some(app.app().clock.now());
    app.app()
        .revoke_certificate(certificate, reason, since)
        .await
        .unwrap();
    let after = acme.evidence(&id).await.body;
    let signed = acme.download(&acme.document_of(&id).await).await.body;
    [signed, before, after, app.app().notary.root().as_der().to_vec()]
}

#[test]
fn the_lists_that_evidence_brings_tell_offline_what_was_revoked() {
    let [signed, before, after, root] = block_on(revoked());
    let test_files = TestFiles::new(&[
        ("contrato.pdf", &signed),
        ("antes.json", &before),
        ("despues.json", &after),
        ("root.crt", &root),
    ]);
    for trust in [&["--root", "root.crt"][..], &[]] {
        let found = test_files.verify_json(&[trust, &["antes.json", "contrato.pdf"]].concat());
        assert_eq!(found["files"][1]["verdict"], "valid", "{found:#}");
        let found = test_files.verify_json(&[trust, &["despues.json", "contrato.pdf"]].concat());
        assert_eq!(found["files"][1]["verdict"], "invalid", "{found:#}");
        let reasons = &found["files"][1]["signatures"][0]["reasons"];
        assert_eq!(reasons[0]["name"], "revoked", "{found:#}");
        assert_eq!(
            found["files"][0]["faults"],
            json!([]),
            "the seal is another key's"
        );
    }
    let list = |bundle: &[u8]| {
        let bundle: Value = serde_json::from_slice(bundle).unwrap();
        bundle["evidence"]["revocation_lists"].clone()
    };
    assert_ne!(list(&before), list(&after));
}

#[test]
fn the_seal_must_be_the_services_own() {
    let story = block_on(story());
    let other = block_on(self::story());
    let test_files = TestFiles::new(&[]);
    let mut bundle = story.bundle.clone();
    bundle["seal"] = other.bundle["seal"].clone();
    reseal(&mut bundle);
    test_files.put("evidencia.json", bundle.to_string().as_bytes());
    let found = test_files.verify_json(&["evidencia.json"]);
    assert_eq!(found["files"][0]["faults"][0]["name"], "seal");
    let mut bundle = other.bundle.clone();
    bundle["evidence"]["certificates"] = story.bundle["evidence"]["certificates"].clone();
    test_files.put("evidencia.json", bundle.to_string().as_bytes());
    let found = test_files.verify_json(&["evidencia.json"]);
    assert_eq!(found["files"][0]["faults"][0]["name"], "seal_digest");
}
