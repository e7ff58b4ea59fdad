//! Templates of folios, and many folios of a file of people.

use domain::Role::{Reader, Supervisor};
use domain::limits;
use testkit::{Company, Form, PanelBrowser, TestApp, TestResponse, pdf};

async fn upload(person: &PanelBrowser<'_>, template: &str, file: &[u8]) -> TestResponse {
    person.upload(&format!("{template}/import"), "people", file).await
}

/// A file with a row for each of these folios.
fn people(count: usize) -> String {
    let heading = "Nombre del folio,Arrendatario: nombre,Arrendatario: número de documento,Arrendatario: correo,\
                   Arrendatario: celular,Codeudor: nombre,Codeudor: número de documento,Codeudor: correo,\
                   Codeudor: celular\r\n";
    let row = |at: usize| {
        format!(
            "Apto {at},Ana Ruiz {at},{},ana{at}@example.com,3001234567,Luis Gil {at},{},luis{at}@example.com,3007654321\r\n",
            1_000_000 + at,
            2_000_000 + at
        )
    };
    std::iter::once(heading.to_owned())
        .chain((1..=count).map(row))
        .collect()
}

async fn folios_of(company: &Company<'_>, person: &PanelBrowser<'_>) -> usize {
    while company.app().app().project_changes().await.unwrap() > 0 {}
    let listed = person.get("/panel/folios.json").await.json();
    listed["folios"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_template_keeps_everything_but_the_people() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let other = acme.signed_in("otra@acme.example", Supervisor).await;
    let address = person.template("Arriendo", pdf::saying("arriendo")).await;
    let rows = app.rows_of("folio_templates").await.join("\n");
    assert!(!rows.contains("Zoraida") && !rows.contains("79543210"), "{rows}");

    // The whole company uses it.
    let used = other.post(&format!("{address}/use"), &[]).await;
    let draft = used.header("location").unwrap().to_owned();
    let form = other.get(&draft).await.text();
    for text in [
        "<legend>Arrendatario</legend>",
        "<legend>Codeudor</legend>",
        "Por favor revise y firme.",
        "arriendo.pdf",
    ] {
        assert!(form.contains(text), "{text}: {form}");
    }
    // A role is asked for.
    let once = draft.split("draft=").nth(1).unwrap();
    let mut fields = Form::new().text("csrf", other.csrf().await).text("once", once);
    for (name, value) in [
        ("name", "Arriendo apto 501"),
        ("message", "Por favor revise y firme."),
        ("role0", "Arrendatario"),
        ("name0", "Ana Ruiz"),
        ("kind0", "CC"),
        ("number0", "1001"),
        ("email0", "ana@example.com"),
        ("mobile0", "3001234567"),
        ("role1", "Codeudor"),
        ("name1", ""),
        ("signatureType", "1"),
        ("sendEmail", "true"),
    ] {
        fields = fields.text(name, value.as_bytes());
    }
    let wrong = other.post_form("/panel/folios/new", fields).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("id=\"name1-error\""), "{}", wrong.text());
    let removed = Form::new()
        .text("csrf", other.csrf().await)
        .text("once", once)
        .text("name", "Arriendo apto 501")
        .text("message", "Por favor revise y firme.")
        .text("name0", "Ana Ruiz")
        .text("kind0", "CC")
        .text("number0", "1001")
        .text("email0", "ana@example.com")
        .text("mobile0", "3001234567");
    let made = other.post_form("/panel/folios/new", removed).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let folio = made
        .header("location")
        .unwrap()
        .split(['/', '?'])
        .nth(3)
        .unwrap()
        .to_owned();
    let document = acme.document_of(&folio).await;
    assert_eq!(acme.download(&document).await.body, pdf::saying("arriendo"));

    let taken = person.try_template("Arriendo", pdf::saying("otro")).await;
    assert_eq!(taken.status, 422);
    assert!(
        taken.text().contains("Ya hay una plantilla con ese nombre"),
        "{}",
        taken.text()
    );
    let second = person.template("Poder", pdf::saying("poder")).await;
    let renamed = person
        .post(&format!("{second}/rename"), &[("template-name", "Arriendo")])
        .await;
    assert_eq!(renamed.status, 422);
    let renamed = person
        .post(
            &format!("{second}/rename"),
            &[("template-name", "Poder especial")],
        )
        .await;
    assert_eq!(renamed.status, 303);
    let list = person.get("/panel/templates").await.text();
    assert!(
        list.contains("Poder especial") && list.contains("1 documento · 2 firmantes"),
        "{list}"
    );
    assert_eq!(person.post(&format!("{second}/delete"), &[]).await.status, 303);
    assert_eq!(person.get(&second).await.status, 404);
    let acts = app.rows_of("audit").await.join("\n");
    for act in ["template_saved", "template_renamed", "template_deleted"] {
        assert!(acts.contains(act), "{act}: {acts}");
    }
    let reader = acme.signed_in("lectora@acme.example", Reader).await;
    assert_eq!(reader.get("/panel/templates").await.status, 403);
}

#[tokio::test]
async fn a_file_of_people_becomes_all_its_folios_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let address = person.template("Arriendo", pdf::saying("arriendo")).await;
    let checked = upload(&person, &address, people(3).as_bytes()).await;
    let question = checked
        .header("location")
        .unwrap_or_else(|| panic!("{}", checked.text()))
        .to_owned();
    assert_eq!(
        folios_of(&acme, &person).await,
        0,
        "nothing before it is confirmed"
    );
    let page = person.get(&question).await.text();
    assert!(
        page.contains("Crear los 3 folios") && page.contains("Luis Gil 2"),
        "{page}"
    );
    let file = question.split("file=").nth(1).unwrap();
    let make = format!("{address}/import/make");
    let fields = [("file", file), ("count", "3")];
    let (first, second) = tokio::join!(person.post(&make, &fields), person.post(&make, &fields));
    for made in [first, second, person.post(&make, &fields).await] {
        assert_eq!(made.status, 303, "{}", made.text());
        let to = made.header("location").unwrap();
        assert_eq!(to, "/panel/folios?mark=mine&done=imported&n=3");
    }
    assert_eq!(folios_of(&acme, &person).await, 3);
    let list = person
        .get("/panel/folios?mark=mine&done=imported&n=3")
        .await
        .text();
    assert!(list.contains("Se crearon 3 folios del archivo."), "{list}");
    let listed = person.get("/panel/folios.json").await.json();
    let folio = listed["folios"][0]["folioId"].as_str().unwrap();
    let read = acme.read(folio).await;
    assert_eq!(read.at("/data/folioData/stateName"), "PENDIENTE");
    assert!(read.at("/data/signers/1/documentNumber").starts_with("200000"));
    let document = acme.document_of(folio).await;
    assert_eq!(acme.download(&document).await.body, pdf::saying("arriendo"));
    assert_eq!(app.rows_of("outbox").await.len(), 6, "each signer is written to");
    let rows = app.rows_of("folio_drafts").await.join("\n");
    assert!(!rows.contains("Luis Gil"), "{rows}");
    assert!(app.rows_of("audit").await.join("\n").contains("Arriendo (3)"));
    // Another user's file is none.
    let checked = upload(&person, &address, people(1).as_bytes()).await;
    let file = checked
        .header("location")
        .unwrap()
        .split("file=")
        .nth(1)
        .unwrap()
        .to_owned();
    let other = acme.signed_in("otra@acme.example", Supervisor).await;
    let theirs = other.post(&make, &[("file", &file), ("count", "1")]).await;
    assert!(theirs.header("location").unwrap().ends_with("done=gone"));
    assert_eq!(folios_of(&acme, &person).await, 3);
}

#[tokio::test]
async fn each_error_of_a_file_is_told_with_its_row_and_column() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let address = person.template("Arriendo", pdf::saying("arriendo")).await;
    let sample = person.get(&format!("{address}/people.csv")).await;
    let headings = sample.text();
    assert!(
        headings.starts_with("\u{feff}\"Nombre del folio\";\"Arrendatario: nombre\";"),
        "{headings}"
    );

    // As Excel in Spanish writes it: semicolons, Windows-1252, a cell of two lines, an empty row.
    let heading = headings.trim_start_matches('\u{feff}').trim_end();
    let good =
        "Apto;Ana Ruiz;C.C.;1001;ana@example.com;3001234567;Luis Gil;;1002;luis@example.com;3007654321";
    let text = format!(
        "{heading}\r\n{good}\r\n\"Apto\n501\";Íñigo Núñez;CC;1,02E+09;íñigo;3001234567;Luis Gil;XX;1002;luis@example.com;300\r\n\
         ;;;;;;;;;;\r\n{};de más\r\n",
        good.replace("1002", "1001")
    );
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&text);
    let wrong = upload(&person, &address, &bytes).await;
    assert_eq!(wrong.status, 422);
    let page = wrong.text();
    let has = |row: &str, column: &str, text: &str| {
        let line = format!("\">{row}</td><td data-label=\"Encabezado\">{column}</td><td>{text}");
        assert!(page.contains(&line), "{line}\n{page}");
    };
    has("3", "Nombre del folio", "Tiene caracteres");
    has(
        "3",
        "Arrendatario: número de documento",
        "Excel abrevió el número",
    );
    has("3", "Arrendatario: correo", "Escriba un correo completo");
    has("3", "Codeudor: tipo de documento", "Use CC, CE, NIT o TI");
    has("3", "Codeudor: celular", "Escriba un celular");
    has("5", "—", "La fila tiene más celdas");
    assert!(
        !page.contains("\">2</td>") && !page.contains("\">4</td>"),
        "{page}"
    );
    assert_eq!(
        app.rows_of("folio_drafts").await.len(),
        1,
        "only the draft of the template"
    );

    let twice = heading.replace("Codeudor: celular", "Arrendatario: nombre");
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&twice);
    let page = upload(&person, &address, &bytes).await.text();
    for text in [
        "Esta columna aparece dos veces",
        "Falta esta columna",
        "Codeudor: celular",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    for (file, text) in [
        (b"PK\x03\x04book".to_vec(), "Es un libro de Excel"),
        (vec![], "Elija un archivo"),
        (headings.clone().into_bytes(), "no tiene filas"),
        (people(limits::IMPORTED_FOLIOS + 1).into_bytes(), "más de 200"),
        (vec![b'x'; limits::IMPORT_BYTES + 1], "más de 200 kB"),
        (
            [b"Nombre".as_slice(), &[0; 4]].concat(),
            "No es un archivo de texto",
        ),
    ] {
        let answer = upload(&person, &address, &file).await;
        assert_eq!(answer.status, 422, "{text}");
        assert!(answer.text().contains(text), "{text}: {}", answer.text());
    }
    assert_eq!(folios_of(&acme, &person).await, 0);
    // In English, with commas and a line for Excel.
    let english = people(2).replace("Arrendatario: nombre", "arrendatario:  name");
    let answer = upload(&person, &address, format!("sep=,\n{english}").as_bytes()).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
}

#[tokio::test]
async fn two_hundred_folios_are_made_at_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let address = person.template("Arriendo", pdf::saying("arriendo")).await;
    let checked = upload(&person, &address, people(limits::IMPORTED_FOLIOS).as_bytes()).await;
    let question = checked
        .header("location")
        .unwrap_or_else(|| panic!("{}", checked.text()))
        .to_owned();
    assert!(person.get(&question).await.body.len() < 100_000);
    let file = question.split("file=").nth(1).unwrap();
    let made = person
        .post(
            &format!("{address}/import/make"),
            &[("file", file), ("count", "200")],
        )
        .await;
    assert_eq!(made.status, 303, "{}", made.text());
    assert_eq!(folios_of(&acme, &person).await, limits::IMPORTED_FOLIOS);
}

#[tokio::test]
async fn documents_that_take_much_memory_make_fewer_folios_at_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", Supervisor).await;
    let address = person
        .template("Arriendo", pdf::with_catalogue_of(400 << 10))
        .await;
    let make = async |count: usize| {
        let checked = upload(&person, &address, people(count).as_bytes()).await;
        let question = checked.header("location").unwrap().to_owned();
        let file = question.split("file=").nth(1).unwrap();
        let count = count.to_string();
        let fields = [("file", file), ("count", count.as_str())];
        person.post(&format!("{address}/import/make"), &fields).await
    };
    let refused = make(limits::IMPORTED_FOLIOS).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    let text = refused.text();
    assert!(text.contains("demasiado complejo para tantos folios"), "{text}");
    assert_eq!(folios_of(&acme, &person).await, 0);
    let (_, most) = text.split_once("como máximo ").unwrap();
    let most: usize = most.split('.').next().unwrap().parse().unwrap();
    assert!((100..limits::IMPORTED_FOLIOS).contains(&most), "{most}");
    assert_eq!(make(3).await.status, 303);
    assert_eq!(folios_of(&acme, &person).await, 3);
}
