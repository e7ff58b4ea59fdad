//! `System.Net.Http`, of Mono. The one of .NET is not to be had from Debian, `PyPI` or npm: the form that it writes is
//! replayed here, as its source has it (`MultipartFormDataContent`, `ContentDispositionHeaderValue`).

use crate::program::{Program, source};
use crate::sample::{self, FILE_NAME, PERCENT_ENCODED_FILE_NAME};
use data_encoding::BASE64;
use parts::MONO;
use std::fmt::Write;
use std::process::Command;
use testkit::TestApp;

const PROGRAM: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/mono-client.exe");

#[tokio::test]
async fn mono_http_client() {
    parts::provide(&[&MONO]).unwrap();
    parts::run(
        Command::new("mcs")
            .args(["-r:System.Net.Http.dll", &format!("-out:{PROGRAM}")])
            .arg(source("mono").join("Client.cs")),
    )
    .unwrap();
    let run = Program::new("mono").arg(PROGRAM).exercise().await;
    run.assert_kept_alive();
    run.assert_sent("Content-Disposition: form-data; name=folioName");
    // Emoji are lost in the second of these names.
    let word = BASE64.encode(FILE_NAME.as_bytes());
    let lossy = PERCENT_ENCODED_FILE_NAME.replace("%F0%9F%93%84", "%EF%BF%BD%EF%BF%BD");
    run.assert_sent(format!(
        "Content-Disposition: form-data; name=\"documents[]\"; filename=\"=?utf-8?B?{word}?=\"; filename*=utf-8''{lossy}"
    ));
    run.assert_sent("Content-Type: text/plain; charset=ISO-8859-1");
    run.assert_sent("Expect: 100-continue");
}

/// A form of .NET: its boundary is a GUID in quotes; the type of a part comes first; the name of a field is in quotes
/// only if it is no token; the name of a file is an encoded word if it is not ASCII, and once more in `filename*`.
#[tokio::test]
async fn a_form_of_dotnet() {
    const BOUNDARY: &str = "8d0c1f0e-6b1f-4c53-9c1a-8f6f5d1b2c3d";
    let app = TestApp::start().await;
    let company = app.company("Ñandú & Cía.").await;
    let signers = sample::signers().to_string();
    let texts = [
        ("signers", signers.as_str()),
        ("folioName", sample::NAME),
        ("folioMessage", sample::MESSAGE),
        ("signatureType", "1"),
        ("urlReturn", sample::RETURN_URL),
        ("fileType", "file"),
        ("sendEmail", "true"),
    ];
    let mut head = format!("--{BOUNDARY}\r\n");
    for (name, value) in texts {
        write!(
            head,
            "Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name={name}\r\n\r\n\
             {value}\r\n--{BOUNDARY}\r\n"
        )
        .unwrap();
    }
    let word = BASE64.encode(FILE_NAME.as_bytes());
    let lossy = PERCENT_ENCODED_FILE_NAME.replace("%F0%9F%93%84", "%EF%BF%BD%EF%BF%BD");
    // As .NET has it, and as .NET Framework had it.
    for extended in [PERCENT_ENCODED_FILE_NAME, &lossy] {
        let file = format!(
            "Content-Type: application/pdf\r\nContent-Disposition: form-data; name=\"documents[]\"; \
             filename=\"=?utf-8?B?{word}?=\"; filename*=utf-8''{extended}\r\n\r\n"
        );
        let end = format!("\r\n--{BOUNDARY}--\r\n");
        let body = [
            head.as_bytes(),
            file.as_bytes(),
            &sample::document(),
            end.as_bytes(),
        ]
        .concat();
        let content_type = format!("multipart/form-data; boundary=\"{BOUNDARY}\"");
        let created = company.post("sign", &content_type, body).await;
        created.ok();
        let read = company.read(&created.at("/data/folioId")).await;
        assert_eq!(read.at("/data/folioData/name"), sample::NAME);
        assert_eq!(read.at("/data/folioData/message"), sample::MESSAGE);
        assert_eq!(read.at("/data/documents/0/name"), FILE_NAME);
        let document = company.download(&read.at("/data/documents/0/documentId")).await;
        assert!(document.body == sample::document());
    }
}
