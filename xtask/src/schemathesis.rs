//! schemathesis against the running program: its answers must be those its own `OpenAPI` document promises.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use parts::{End, Error, Result, Scratch, Venv};

use crate::step::run_within;

pub(crate) const NAME: &str = "schemathesis";

const SERVER: &str = "firmeza";
const COMPANY: &str = "Ensayo";
const CHECKS: &str =
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
const RUN_TIMEOUT: Duration = Duration::from_mins(30);

pub(crate) fn run(venv: &Venv) -> Result<()> {
    let mut scratch = Scratch::new()?;
    let port = parts::free_port()?;
    let installation = Installation {
        data: scratch.directory().join("data"),
        port,
    };

    scratch.start(SERVER, installation.command().arg("serve"), End::KillGroup)?;
    scratch.wait_until(SERVER, || parts::answers(port, "/ready"))?;
    let key = installation.new_key()?;

    let mut st = Command::new(venv.program("st"));
    st.arg("run").arg(format!("http://127.0.0.1:{port}/openapi.json"));
    st.args(["--header", &format!("x-api-key: Bearer {key}")]);
    st.args([
        "--checks",
        CHECKS,
        "--max-examples",
        "25",
        "--request-timeout",
        "120",
    ]);
    // The same requests every time: a failure belongs to the change that caused it.
    st.args([
        "--seed",
        "1",
        "--generation-database",
        "none",
        "--suppress-health-check",
        "all",
    ]);
    // Where it leaves its own files.
    st.current_dir(scratch.directory());
    run_within(RUN_TIMEOUT, &mut st).map_err(|cause| scratch.with_log(SERVER, &cause))
}

/// A fresh installation of the program just built.
struct Installation {
    data: PathBuf,
    port: u16,
}

impl Installation {
    fn command(&self) -> Command {
        let mut command = Command::new(program());
        // Whatever the developer has set for an installation of their own is not meant for this one.
        for (name, _) in env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"FIRMEZA_")) {
            command.env_remove(name);
        }
        command
            .env("FIRMEZA_DATA_DIR", &self.data)
            .env("FIRMEZA_LISTEN", format!("127.0.0.1:{}", self.port))
            .current_dir(self.data.parent().unwrap_or(Path::new("/")));
        command
    }

    fn new_key(&self) -> Result<String> {
        parts::run(self.command().args(["company", "add", COMPANY]))?;
        let printed = parts::run(self.command().args(["key", "add", "--company", COMPANY]))?;
        let last = printed
            .lines()
            .last()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        last.map(str::to_owned)
            .ok_or_else(|| Error::new("`firmeza key add` printed no key"))
    }
}

fn program() -> PathBuf {
    parts::target().join("debug").join("firmeza")
}
