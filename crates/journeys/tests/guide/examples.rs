//! Every example of every chapter, run against a server.

use crate::chapters::{Example, LANGUAGES, examples};
use crate::programs::Programs;
use parts::Scratch;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use testkit::{Company, FolioFields, TestApp};

/// The address in the chapters.
const EXAMPLE_BASE_URL: &str = "http://127.0.0.1:8080";
const MARIA: &str = "maria@example.com";

/// The signer of the examples.
fn maria() -> Value {
    json!({
        "name": "María Pérez", "email": MARIA, "documentType": "CC", "documentNumber": "1020304050",
        "cellPhoneNumber": "3001234567",
    })
}

fn folio() -> FolioFields {
    testkit::folio().signers(&json!([maria()]))
}

/// An example in which real values stand for the placeholders.
struct Prepared {
    example: Example,
    folios: [String; 2],
}

async fn prepare(company: &Company<'_>, mut example: Example) -> Prepared {
    let folios = [company.created(folio()).await, company.created(folio()).await];
    let base = format!("http://{}", company.app().address());
    let mut values = vec![
        (EXAMPLE_BASE_URL, base),
        ("Bearer API_KEY", company.header().to_owned()),
        ("OTHER_FOLIO_ID", folios[1].clone()),
        ("FOLIO_ID", folios[0].clone()),
    ];
    if example.text.contains("DOCUMENT_ID") {
        values.push(("DOCUMENT_ID", company.document_of(&folios[0]).await));
    }
    if example.text.contains("MASSIVE_ID") {
        let bulk = company.start_bulk(&folios, &maria()).await;
        values.push(("MASSIVE_ID", bulk.at("/data/massiveId")));
    }
    for (placeholder, value) in values {
        example.text = example.text.replace(placeholder, &value);
    }
    Prepared { example, folios }
}

/// Runs an example in a directory of its own, and says what is wrong with what came of it.
fn run(programs: &Programs, prepared: &Prepared) -> Result<(), String> {
    let example = &prepared.example;
    let scratch = Scratch::new().map_err(|error| error.to_string())?;
    let directory = scratch.directory();
    fs::write(directory.join("contrato.pdf"), testkit::pdf::contract()).map_err(|error| error.to_string())?;
    let printed = programs
        .prepare(&example.language, &example.text, directory)
        .and_then(|mut command| parts::run(&mut command))
        .map_err(|error| error.to_string())?;
    if has_worked(prepared, &printed, directory) {
        Ok(())
    } else {
        Err(printed)
    }
}

fn has_worked(prepared: &Prepared, printed: &str, directory: &Path) -> bool {
    let file = |name: &str| fs::read(directory.join(name)).unwrap_or_default();
    let has_folios = || prepared.folios.iter().all(|folio| printed.contains(folio));
    match prepared.example.name.as_str() {
        "crear" | "crear-base64" => printed.contains("\"signProcessUrl\":"),
        "consultar" => printed.contains("\"folioData\":") && printed.contains(&prepared.folios[0]),
        "consultar-varios" | "consultar-varios-formulario" => {
            has_folios() && !printed.contains("\"success\":false")
        }
        "reenviar" => printed.contains("\"success\":true"),
        "anular" | "reintentar" => printed.contains("\"cancelledFolios\":2"),
        "masiva" => printed.contains("\"signProcessMassiveUrl\":"),
        "consultar-masiva" => has_folios() && printed.contains("\"success\":true"),
        // No signer has signed: the bytes are those that were sent.
        "descargar" | "descargar-formulario" => file("contrato-firmado.pdf") == testkit::pdf::contract(),
        "evidencia" => String::from_utf8_lossy(&file("evidencia.json")).contains("\"firmeza-evidence\""),
        "evidencia-pdf" => file("evidencia.pdf").starts_with(b"%PDF-"),
        "verificar" => printed.contains("\"verdict\":\"unsigned\""),
        "firmante" => printed.contains("\"message\":\"Hecho.\""),
        "reloj" => printed.contains("\"epochSeconds\":"),
        "buzon" => printed.contains("https://firmas.example.com/sign"),
        other => panic!("what prueba={other} should do is not known"),
    }
}

#[tokio::test]
async fn every_example_runs() {
    let app = TestApp::builder().delivering().at_home().start().await;
    let company = app.company("Acme").await;
    let programs = tokio::task::spawn_blocking(Programs::provide)
        .await
        .unwrap()
        .unwrap();
    let examples: Vec<Example> = examples().into_iter().filter(|e| e.name != "webhook").collect();
    assert!(examples.len() > 50, "only {} examples", examples.len());

    // The languages side by side, each with a mailbox that has something in it.
    let mut tasks = tokio::task::JoinSet::new();
    for language in LANGUAGES {
        let mut prepared = Vec::new();
        for example in examples.iter().filter(|example| example.language == language) {
            prepared.push(prepare(&company, example.clone()).await);
        }
        app.mail_to(MARIA, "https://firmas.example.com/sign").await;
        let programs = programs.clone();
        tasks.spawn_blocking(move || {
            let failures = prepared.iter().filter_map(|prepared| {
                let failure = run(&programs, prepared).err()?;
                let Example { language, name, .. } = &prepared.example;
                Some(format!("{name} in {language}:\n{failure}\n"))
            });
            failures.collect::<String>()
        });
    }
    let failures: String = tasks.join_all().await.concat();
    assert!(failures.is_empty(), "{failures}");
}
