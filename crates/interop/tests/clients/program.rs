//! Runs a client's program against a server of its own, and checks what the server holds afterwards.

use crate::sample;
use crate::transcript::Transcript;
use interop::Recorder;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::TestApp;

/// Seconds after which a program counts as stuck.
const MAX_SECONDS: &str = "150";

/// A program in another language, and what it is run with.
#[derive(Debug)]
pub(crate) struct Program {
    words: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
}

/// The path of a program's source.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(name)
}

impl Program {
    pub(crate) fn new(program: impl Into<OsString>) -> Self {
        Self {
            words: vec![program.into()],
            variables: Vec::new(),
        }
    }

    pub(crate) fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.words.push(argument.into());
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// Runs the program, which takes every step, and checks every step.
    pub(crate) async fn exercise(self) -> Transcript {
        let app = TestApp::builder().delivering().at_home().start().await;
        let company = app.company("Ñandú & Cía.").await;
        let recorder = Recorder::start(app.address()).await.unwrap();
        let directory = tempfile::tempdir().unwrap();
        let output = directory.path().join("output");
        let (document, large) = (
            directory.path().join(sample::FILE_NAME),
            directory.path().join("large.pdf"),
        );
        fs::create_dir(&output).unwrap();
        fs::write(&document, sample::document()).unwrap();
        fs::write(&large, sample::large_document()).unwrap();

        // A program that is stuck fails its test instead of holding up the run.
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", MAX_SECONDS]).args(&self.words);
        // Neither proxies nor other settings of the developer's.
        command
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command
            .env("LC_ALL", "C.UTF-8")
            .env("HOME", directory.path())
            .env("BASE", format!("http://{}", recorder.address()))
            .env("DIRECT_BASE", format!("http://{}", app.address()))
            .env("KEY", company.header())
            .env("OUT", &output)
            .env("PDF", &document)
            .env("LARGE_PDF", &large)
            .env("FOLIO_NAME", sample::NAME)
            .env("FOLIO_MESSAGE", sample::MESSAGE)
            .env("LATIN1_NAME", sample::LATIN1_NAME)
            .env("LATIN1_MESSAGE", sample::LATIN1_MESSAGE)
            .env("LATIN1_FILE_NAME", sample::LATIN1_FILE_NAME)
            .env("SIGNERS", sample::signers().to_string())
            .env("BULK_SIGNER", sample::bulk_signer().to_string())
            .env("CORRECTIONS", sample::corrections().to_string())
            .env("NUMBER", sample::NUMBER)
            .env("OBSERVATION", sample::OBSERVATION)
            .env("RETURN_URL", sample::RETURN_URL)
            .envs(self.variables)
            .current_dir(&output);
        let printed = tokio::task::spawn_blocking(move || parts::run(&mut command));
        let printed = printed.await.unwrap().unwrap();

        let transcript = Transcript::read(&printed, &output, recorder.received());
        transcript.check(&company).await;
        transcript
    }
}
