//! Clients that generators make of the `OpenAPI` document: each creates, reads, resends, downloads, signs in bulk and
//! cancels. The programs that use them are in `generated`.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

use parts::{
    CLIENT_GENERATORS, GENERATED_CLIENTS, GO, JAVA_CLIENTS, NodeModules, OPENAPI_TOOLS, PHP_CLIENTS, Venv,
};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use testkit::{Company, TestApp, pdf};

/// A running server, its document, and a directory to work in.
struct Workshop {
    app: TestApp,
    directory: TempDir,
}

impl Workshop {
    async fn open() -> Self {
        let app = TestApp::builder().delivering().start().await;
        let directory = tempfile::tempdir().unwrap();
        let stranger = app.company("Described").await.saying(None);
        let document = stranger.get("/openapi.json").await.text();
        fs::write(directory.path().join("openapi.json"), document).unwrap();
        fs::write(directory.path().join("contrato.pdf"), pdf::contract()).unwrap();
        Self { app, directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.directory.path());
        // Neither proxies nor other settings of the developer's.
        command
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("LC_ALL", "C.UTF-8")
            .env("HOME", self.directory.path());
        command
    }

    /// Has openapi-generator make a client.
    async fn generate(&self, language: &str, options: &[&str]) {
        let mut command = self.command(generators().program("openapi-generator-cli"));
        command
            .args(["generate", "-i", "openapi.json", "-g", language, "-o", language])
            .args(options);
        run(command).await;
    }

    /// Runs a program that uses a client, and checks what it left behind.
    async fn exercise(&self, mut command: Command) {
        let company = self.app.company("Acme").await;
        command
            .env("BASE", format!("http://{}", self.app.address()))
            .env("KEY", company.header())
            .env("PDF", self.path("contrato.pdf"));
        let printed = run(command).await;
        assert_cancelled(&company, printed.trim()).await;
    }
}

async fn assert_cancelled(company: &Company<'_>, folio: &str) {
    let read = company.read(folio).await;
    assert_eq!(read.at("/data/folioData/stateName"), "ANULADO");
    assert!(read.at("/data/folioData/name").starts_with("Nómina"));
}

/// Runs a command to its end; what it printed.
async fn run(mut command: Command) -> String {
    let ran =
        tokio::task::spawn_blocking(move || parts::run(&mut command).map_err(|error| error.to_string()));
    ran.await.unwrap().unwrap()
}

fn generators() -> Venv {
    Venv::of(&CLIENT_GENERATORS).unwrap()
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("generated").join(name)
}

#[tokio::test]
async fn python() {
    let workshop = Workshop::open().await;
    // The generator knows files as octets only.
    fs::write(
        workshop.path("settings.yml"),
        "content_type_overrides:\n  application/pdf: application/octet-stream\n",
    )
    .unwrap();
    let mut generate = workshop.command(generators().program("openapi-python-client"));
    generate.args([
        "generate",
        "--path",
        "openapi.json",
        "--output-path",
        "firmeza_client",
    ]);
    generate.args(["--meta", "none", "--config", "settings.yml"]);
    run(generate).await;
    let mut command = workshop.command(generators().program("python"));
    command
        .arg(source("python.py"))
        .env("PYTHONPATH", workshop.directory.path());
    workshop.exercise(command).await;
}

#[tokio::test]
async fn typescript() {
    let workshop = Workshop::open().await;
    let modules = NodeModules::of(&OPENAPI_TOOLS).unwrap();
    symlink(modules.directory(), workshop.path("node_modules")).unwrap();
    fs::copy(source("typescript.mts"), workshop.path("main.mts")).unwrap();
    let script = |name: &str| modules.directory().join(name);
    let mut generate = workshop.command(modules.node());
    generate
        .arg(script("openapi-typescript/bin/cli.js"))
        .args(["openapi.json", "-o", "openapi.d.ts"]);
    run(generate).await;
    let mut compile = workshop.command(modules.node());
    compile.arg(script("typescript/bin/tsc")).args([
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--strict",
        "--skipLibCheck",
        "main.mts",
    ]);
    run(compile).await;
    let mut command = workshop.command(modules.node());
    command.arg("main.mjs");
    workshop.exercise(command).await;
}

#[tokio::test]
async fn java() {
    parts::provide(&[&JAVA_CLIENTS, &GENERATED_CLIENTS]).unwrap();
    let workshop = Workshop::open().await;
    let options = [
        "--library",
        "native",
        "--additional-properties=openApiNullable=false",
    ];
    workshop.generate("java", &options).await;
    // The generator's own archive has the JSON library that the client needs.
    let find = "import openapi_generator_cli, os; print(os.path.dirname(openapi_generator_cli.__file__))";
    let mut command = workshop.command(generators().program("python"));
    command.args(["-c", find]);
    let archive = Path::new(run(command).await.trim()).join("openapi-generator.jar");
    let jars = [
        "httpmime",
        "httpclient",
        "httpcore",
        "geronimo-annotation-1.3-spec",
    ];
    let jars = jars.map(|jar| format!("/usr/share/java/{jar}.jar")).join(":");
    let class_path = format!("classes:{}:{jars}", archive.display());
    let mut compile = workshop.command("sh");
    compile
        .args([
            "-c",
            "find java/src/main -name '*.java' > sources && mkdir classes && exec javac \"$@\"",
            "javac",
        ])
        .args([
            "-encoding",
            "UTF-8",
            "-nowarn",
            "-d",
            "classes",
            "-cp",
            &class_path,
            "@sources",
        ])
        .arg(source("Generated.java"));
    run(compile).await;
    let mut command = workshop.command("java");
    command.args([
        "-Dfile.encoding=UTF-8",
        "-XX:+UseSerialGC",
        "-cp",
        &class_path,
        "Generated",
    ]);
    workshop.exercise(command).await;
}

#[tokio::test]
async fn go() {
    parts::provide(&[&GO]).unwrap();
    let workshop = Workshop::open().await;
    let options = ["--additional-properties=withGoMod=false,packageName=firmeza"];
    workshop.generate("go", &options).await;
    fs::create_dir_all(workshop.path("path/src")).unwrap();
    fs::rename(workshop.path("go"), workshop.path("path/src/firmeza")).unwrap();
    let mut command = workshop.command("go");
    command
        .arg("run")
        .arg(source("generated.go"))
        .env("GO111MODULE", "off")
        .env("GOPATH", workshop.path("path"))
        .env("GOCACHE", workshop.path("cache"));
    workshop.exercise(command).await;
}

#[tokio::test]
async fn php() {
    parts::provide(&[&PHP_CLIENTS]).unwrap();
    let workshop = Workshop::open().await;
    workshop.generate("php", &[]).await;
    let mut command = workshop.command("php");
    command.arg(source("generated.php"));
    workshop.exercise(command).await;
}

/// It is made, and not compiled: its language is newer than what Mono knows.
#[tokio::test]
async fn csharp() {
    let workshop = Workshop::open().await;
    workshop.generate("csharp", &[]).await;
    let api = workshop.path("csharp/src/Org.OpenAPITools/Api/FoliosApi.cs");
    let text = fs::read_to_string(api).unwrap();
    assert!(text.contains("CreateFolioAsync") && text.contains("DownloadDocumentAsync"));
}

#[tokio::test]
async fn linters_have_no_finding() {
    let workshop = Workshop::open().await;
    // An address that is an installation's: the linters refuse localhost and example.com.
    let text = fs::read_to_string(workshop.path("openapi.json")).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["servers"][0]["url"] = "https://firmas.empresa.co".into();
    fs::write(workshop.path("openapi.json"), document.to_string()).unwrap();
    fs::write(workshop.path(".spectral.yaml"), "extends: [\"spectral:oas\"]\n").unwrap();
    let modules = NodeModules::of(&OPENAPI_TOOLS).unwrap();
    let script = |name: &str| modules.directory().join(name);
    let mut redocly = workshop.command(modules.node());
    redocly
        .arg(script("@redocly/cli/bin/cli.js"))
        .args(["lint", "--format=json", "openapi.json"])
        .env("REDOCLY_TELEMETRY", "off");
    let found: Value = serde_json::from_str(&run(redocly).await).unwrap();
    assert_eq!(
        found["totals"],
        json!({ "errors": 0, "warnings": 0, "ignored": 0 }),
        "{found}"
    );
    let mut spectral = workshop.command(modules.node());
    spectral
        .arg(script("@stoplight/spectral-cli/dist/index.js"))
        .args(["lint", "--fail-severity=hint", "openapi.json"]);
    run(spectral).await;
}
