//! A mail server with STARTTLS and authentication: aiosmtpd, in a Python environment of its own.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::venv::{AIOSMTPD, Venv};
use crate::{End, PDF_VALIDATORS, Result, Scratch, free_port, provide, run};

const NAME: &str = "aiosmtpd";
const USER: &str = "firmeza";
const PASSWORD: &str = "p@ss:w/rd";

/// A throwaway server on 127.0.0.1, whose certificate is for `localhost`.
#[derive(Debug)]
pub struct MailServer {
    scratch: Scratch,
    port: u16,
    private_port: u16,
}

impl MailServer {
    pub fn start() -> Result<Self> {
        provide(&[&PDF_VALIDATORS])?;
        let venv = Venv::of(&AIOSMTPD)?;
        let mut server = Self {
            scratch: Scratch::new()?,
            port: free_port()?,
            private_port: free_port()?,
        };
        let own = server.scratch.directory().to_path_buf();
        certificates(&own)?;
        fs::write(own.join("server.py"), include_str!("mail_server.py"))?;
        let mut command = Command::new(venv.program("python"));
        command
            .current_dir(&own)
            .arg("server.py")
            .args([server.port.to_string(), server.private_port.to_string()])
            .args(["server.crt", "server.key", USER, PASSWORD, "taken"]);
        server.scratch.start(NAME, &mut command, End::KillGroup)?;
        let port = server.port;
        server
            .scratch
            .wait_until(NAME, || TcpStream::connect(("localhost", port)).is_ok())?;
        Ok(server)
    }

    /// Its address for STARTTLS, with the right password.
    pub fn url(&self) -> String {
        format!(
            "smtp://{USER}:p%40ss%3Aw%2Frd@localhost:{}?tls=required",
            self.port
        )
    }

    /// Its address for TLS from the first byte.
    pub fn private_url(&self) -> String {
        format!("smtps://{USER}:p%40ss%3Aw%2Frd@localhost:{}", self.private_port)
    }

    /// The certificate of the authority that vouches for it, as PEM.
    pub fn authority(&self) -> PathBuf {
        self.scratch.directory().join("ca.crt")
    }

    /// What it took: a JSON text each.
    pub fn taken(&self) -> Vec<String> {
        let text = fs::read_to_string(self.scratch.directory().join("taken")).unwrap_or_default();
        // A line that is being written has no end yet.
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        whole.map(str::to_owned).collect()
    }
}

fn certificates(directory: &Path) -> Result<()> {
    let make = |name: &str, more: &[&str]| {
        let (key, certificate) = (format!("{name}.key"), format!("{name}.crt"));
        run(Command::new("openssl")
            .current_dir(directory)
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
            ])
            .args(["-nodes", "-days", "2", "-keyout", &key, "-out", &certificate])
            .args(more))
    };
    make("ca", &["-subj", "/CN=Our authority"])?;
    make(
        "server",
        &[
            "-CA",
            "ca.crt",
            "-CAkey",
            "ca.key",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ],
    )?;
    Ok(())
}
