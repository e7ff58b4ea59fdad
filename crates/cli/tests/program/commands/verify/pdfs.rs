//! Signed PDFs: valid, changed, unsigned, and no PDFs at all.

use super::TestFiles;
use crate::support::block_on;
use domain::SignerIndex;
use serde_json::json;
use testkit::{TestApp, folio, pdf, signers};

struct SignedPdfs {
    sent: Vec<u8>,
    signed: Vec<u8>,
    extended: Vec<u8>,
    root: Vec<u8>,
}

/// A contract that two people sign, at three moments of its life.
async fn papers() -> SignedPdfs {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().signers(&signers(2))).await;
    let document = acme.document_of(&id).await;
    for (place, email) in ["maria.1001@example.com", "maria.1002@example.com"]
        .iter()
        .enumerate()
    {
        app.sign_by_email(&id, SignerIndex(place), email).await;
    }
    let signed = acme.download(&document).await.body;
    app.app().extend_due().await.unwrap();
    SignedPdfs {
        sent: pdf::contract(),
        signed,
        extended: acme.download(&document).await.body,
        root: app.app().notary.root().as_der().to_vec(),
    }
}

#[test]
fn a_signed_pdf_is_intact_by_its_own_root_and_valid_by_a_given_one() {
    let papers = block_on(papers());
    let test_files = TestFiles::new(&[
        ("enviado.pdf", &papers.sent),
        ("firmado.pdf", &papers.signed),
        ("final.pdf", &papers.extended),
        ("root.crt", &papers.root),
    ]);
    let found = test_files.verify_json(&["final.pdf"]);
    assert_eq!(found["files"][0]["verdict"], "unknown_issuer");
    assert_eq!(found["files"][0]["signatures"][0]["verdict"], "unknown_issuer");
    assert_eq!(found["files"][0]["roots"][0]["source"], "embedded");
    let of_signatures = |found: &serde_json::Value, member: &str| -> Vec<serde_json::Value> {
        let signatures = found["files"][0]["signatures"].as_array().unwrap();
        signatures.iter().map(|one| one[member].clone()).collect()
    };
    let kinds = ["approval", "approval", "certification", "timestamp", "timestamp"];
    assert_eq!(json!(of_signatures(&found, "kind")), json!(kinds));
    let levels = json!(["B-LTA", "B-LTA", "B-LTA", null, null]);
    assert_eq!(json!(of_signatures(&found, "level")), levels);
    assert_eq!(of_signatures(&found, "indication"), vec!["INDETERMINATE"; 5]);
    assert_eq!(
        found["files"][0]["signatures"][0]["signer"]["document"],
        "IDCCO-1001"
    );

    let found = test_files.verify_json(&["--root", "root.crt", "final.pdf", "firmado.pdf"]);
    assert_eq!(found["valid"], true);
    assert_eq!(found["files"][1]["roots"][0]["source"], "given");
    assert_eq!(of_signatures(&found, "indication"), vec!["TOTAL-PASSED"; 5]);
    let levels = json!(of_signatures(
        &test_files.verify_json(&["--root", "root.crt", "firmado.pdf"]),
        "level"
    ));
    assert_eq!(levels, json!(["B-T", "B-T", "B-T"]));

    let said = test_files.verify(&["final.pdf"]);
    assert_eq!(said.code, Some(3), "intact, but of an unknown issuer");
    let said = said.stdout;
    for words in [
        "final.pdf: ÍNTEGRO, EMISOR DESCONOCIDO",
        "Las firmas están íntegras, pero no se conoce su emisor.",
        "Raíz desconocida",
        "La trae el propio archivo",
        "nivel B-LTA",
        "(CC 1001)",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = test_files.verify(&["firmado.pdf"]);
    assert_eq!(
        said.code,
        Some(3),
        "a file without its root proves nothing by itself"
    );
    assert!(said.stdout.contains("indíquelo con --root"), "{}", said.stdout);
}

/// A trusted list with one granted authority.
fn trusted_list(root: &[u8]) -> String {
    let information = format!(
        "<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/CA/QC</ServiceTypeIdentifier>\
         <ServiceDigitalIdentity><DigitalId><X509Certificate>{}</X509Certificate></DigitalId></ServiceDigitalIdentity>\
         <ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted</ServiceStatus>",
        data_encoding::BASE64.encode(root)
    );
    format!(
        "<TrustServiceStatusList xmlns=\"http://uri.etsi.org/02231/v2#\"><TrustServiceProviderList><TrustServiceProvider>\
         <TSPServices><TSPService><ServiceInformation>{information}</ServiceInformation></TSPService></TSPServices>\
         </TrustServiceProvider></TrustServiceProviderList></TrustServiceStatusList>"
    )
}

#[test]
fn a_trusted_list_vouches_for_the_issuer_of_a_signed_pdf() {
    let papers = block_on(papers());
    let stranger = block_on(async {
        let app = TestApp::start().await;
        app.app().notary.root().as_der().to_vec()
    });
    let (list, other) = (trusted_list(&papers.root), trusted_list(&stranger));
    let cut = list.replace("</TrustServiceStatusList>", "");
    let test_files = TestFiles::new(&[
        ("final.pdf", &papers.extended),
        ("lista.xml", list.as_bytes()),
        ("otra.xml", other.as_bytes()),
        ("cortada.xml", cut.as_bytes()),
    ]);
    let found = test_files.verify_json(&["--trusted-list", "lista.xml", "final.pdf"]);
    assert_eq!(found["files"][0]["verdict"], "valid");
    assert_eq!(found["files"][0]["roots"][0]["source"], "trusted_list");
    let found = test_files.verify_json(&["--trusted-list", "otra.xml", "final.pdf"]);
    assert_eq!(found["files"][0]["verdict"], "unknown_issuer");
    let both = [
        "--trusted-list",
        "otra.xml",
        "--trusted-list",
        "lista.xml",
        "final.pdf",
    ];
    assert_eq!(test_files.verify_json(&both)["files"][0]["verdict"], "valid");
    let refused = test_files.verify(&["--trusted-list", "cortada.xml", "final.pdf"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("--trusted-list cortada.xml"),
        "{refused:?}"
    );
}

#[test]
fn every_file_must_be_valid() {
    let papers = block_on(papers());
    let mut changed = papers.extended.clone();
    let at = changed.windows(8).position(|bytes| bytes == b"Contrato").unwrap();
    changed[at] = b'K';
    let stranger = block_on(async {
        let app = TestApp::start().await;
        app.app().notary.root().as_der().to_vec()
    });
    let pem = format!(
        "-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n",
        data_encoding::BASE64_MIME.encode(&papers.root)
    );
    let test_files = TestFiles::new(&[
        ("final.pdf", &papers.extended),
        ("cambiado.pdf", &changed),
        ("enviado.pdf", &papers.sent),
        ("notas.txt", b"no soy un PDF"),
        ("otra.crt", &stranger),
        ("root.pem", pem.as_bytes()),
    ]);
    let verdict = |arguments: &[&str]| {
        let found = test_files.verify_json(arguments);
        let last = found["files"].as_array().unwrap().last().unwrap().clone();
        (
            found["valid"].as_bool().unwrap(),
            last["verdict"].as_str().unwrap().to_owned(),
            last["message"].as_str().unwrap().to_owned(),
        )
    };
    let of = |valid, name: &str, message: &str| (valid, name.to_owned(), message.to_owned());
    assert_eq!(
        verdict(&["--root", "root.pem", "final.pdf"]),
        of(true, "valid", "Todas las firmas del documento son válidas.")
    );
    assert_eq!(
        verdict(&["final.pdf", "cambiado.pdf"]),
        of(false, "invalid", "El documento tiene una firma que no es válida.")
    );
    assert_eq!(
        verdict(&["enviado.pdf"]),
        of(false, "unsigned", "El documento no está firmado.")
    );
    assert_eq!(
        verdict(&["notas.txt"]),
        of(false, "unreadable", "El archivo no es un documento PDF.")
    );
    assert_eq!(verdict(&["nada.pdf"]).1, "unreadable");
    assert_eq!(
        verdict(&["--root", "otra.crt", "final.pdf"]).1,
        "unknown_issuer",
        "another installation's root does not vouch for it"
    );
    let reasons = &test_files.verify_json(&["cambiado.pdf"])["files"][0]["signatures"][0]["reasons"];
    assert_eq!(reasons[0]["name"], "digest_mismatch");
    let refused = test_files.verify(&["--root", "notas.txt", "final.pdf"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("--root notas.txt"), "{refused:?}");
    assert_eq!(test_files.verify(&[]).code, Some(2));
}
