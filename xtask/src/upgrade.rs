//! `cargo xtask upgrade`: the version that was released last and this one at once on one database, as while the instances of
//! an installation are replaced one after the other. Folios are created and signed through each in turn.

use std::path::{Path, PathBuf};
use std::process::Command;

use parts::{CURL, End, Error, Postgres, Result, Scratch, answers, free_port};

use crate::git::{last_release, output, unpack};
use crate::package::{self, Profile};
use crate::step::step;

/// The sandbox's own company and sample document, which the first start makes.
const COMPANY: &str = "Demo";
const SAMPLE: &str = "ejemplo.pdf";
const NOTHING_RELEASED: &str = "no version is released yet: there is none to upgrade from";
const DOCUMENT_NUMBER: &str = "1020304050";
const SIGNERS: &str = r#"signers=[{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1020304050","cellPhoneNumber":"3001234567"}]"#;

/// Builds what stands in the workspace, and tries it beside `from`, or beside the last release.
pub(crate) fn run(from: Option<&str>, profile: Profile) -> Result<()> {
    let released = last_release()?;
    if from.or(released.as_deref()).is_none() {
        println!("{NOTHING_RELEASED}");
        return Ok(());
    }
    let root = parts::workspace();
    step("this version", || package::build(&root, profile))?;
    beside(from, &package::program(&root, profile), profile)
}

/// Tries a program that was built beside `from`, or beside the last release, if there is one.
pub(crate) fn beside(from: Option<&str>, newer: &Path, profile: Profile) -> Result<()> {
    let released = last_release()?;
    let Some(from) = from.or(released.as_deref()) else {
        println!("{NOTHING_RELEASED}");
        return Ok(());
    };
    let older = step(from, || older(from, newer, profile))?;
    step("both versions at once", || check(&older, newer))
}

/// The older program. What is committed last needs no build of its own: it stands beside itself.
fn older(from: &str, newer: &Path, profile: Profile) -> Result<PathBuf> {
    if from == "HEAD" {
        return Ok(newer.to_owned());
    }
    // A directory for each commit: cargo goes by the times of files, and those of a commit are old.
    let commit = output(&["rev-parse", "--verify", &format!("{from}^{{commit}}")])?;
    let root = parts::target().join("upgrade").join(commit.trim());
    unpack(commit.trim(), &root)?;
    package::build(&root, profile)?;
    Ok(package::program(&root, profile))
}

fn check(older: &Path, newer: &Path) -> Result<()> {
    parts::provide(&[&CURL])?;
    let postgres = Postgres::start()?;
    let mut fleet = Fleet::new(postgres.create_database("upgrade")?)?;
    let old = fleet.start("older", older)?;
    fleet.key = last_line(&fleet.run(older, &["key", "add", "--company", COMPANY, "--label", "upgrade"])?);
    fleet.create_and_sign(&old, &old)?;
    let new = fleet.start("newer", newer)?;
    if answers(old.port, "/ready") {
        fleet.create_and_sign(&old, &new)?;
        fleet.create_and_sign(&new, &old)?;
    } else {
        // Then no balancer sends it requests.
        println!("the older version says that it cannot work with the new database");
    }
    fleet.stop(&old)?;
    fleet.create_and_sign(&new, &new)?;
    for folio in &fleet.signed {
        fleet.expect_signed(&new, folio)?;
    }
    fleet.run(newer, &["inspect"])?;
    println!("{} folios were created and signed", fleet.signed.len());
    Ok(())
}

/// A running instance.
struct Instance {
    name: &'static str,
    port: u16,
}

/// The instances of one installation.
struct Fleet {
    scratch: Scratch,
    database: String,
    key: String,
    signed: Vec<String>,
}

impl Fleet {
    fn new(database: String) -> Result<Self> {
        let scratch = Scratch::new()?;
        // The machine's own settings file is read only where there is none.
        std::fs::write(scratch.directory().join("firmeza.toml"), "")?;
        Ok(Self {
            scratch,
            database,
            key: String::new(),
            signed: Vec::new(),
        })
    }

    /// Starts an instance, and waits until balancers would send it requests.
    fn start(&mut self, name: &'static str, program: &Path) -> Result<Instance> {
        let port = free_port()?;
        let mut command = self.command(program);
        command
            .arg("serve")
            .env("FIRMEZA_LISTEN", format!("127.0.0.1:{port}"));
        self.scratch.start(name, &mut command, End::KillGroup)?;
        self.scratch.wait_until(name, || answers(port, "/ready"))?;
        Ok(Instance { name, port })
    }

    fn stop(&mut self, instance: &Instance) -> Result<()> {
        let id = self.scratch.id(instance.name);
        let id = id.ok_or_else(|| Error::new(format!("the {} version has ended", instance.name)))?;
        parts::run(Command::new("kill").args(["-TERM", &id.to_string()]))?;
        self.scratch.wait_end(instance.name)
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Result<String> {
        parts::run(self.command(program).args(arguments))
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"FIRMEZA_") {
                command.env_remove(name);
            }
        }
        let own = self.scratch.directory();
        command
            .current_dir(own)
            .env("FIRMEZA_DATA_DIR", own.join("data"))
            .env("FIRMEZA_DATABASE_URL", &self.database)
            .env("FIRMEZA_METRICS_LISTEN", "off");
        command
    }

    /// Creates a folio through one instance and signs it through another.
    fn create_and_sign(&mut self, creator: &Instance, signer: &Instance) -> Result<()> {
        let document = self.scratch.directory().join("data").join(SAMPLE);
        let document = format!("documents[]=@{};type=application/pdf", document.display());
        let mut form = Vec::new();
        for field in [
            SIGNERS,
            "folioName=Actualización",
            "folioMessage=Por favor firme.",
            "signatureType=1",
            "urlReturn=https://example.com/gracias",
            "fileType=file",
            "sendEmail=true",
            &document,
        ] {
            form.extend(["-F", field]);
        }
        let created = self.ask(creator, "/api/integrations/sign", &form)?;
        let folio =
            folio_id(&created).ok_or_else(|| Error::new(format!("no folio was created: {created}")))?;
        let act = format!(r#"{{"folioId":"{folio}","documentNumber":"{DOCUMENT_NUMBER}","action":"sign"}}"#);
        self.ask(signer, "/sandbox/signers", &["-d", &act])?;
        self.expect_signed(creator, &folio)?;
        println!(
            "created through the {}, signed through the {}",
            creator.name, signer.name
        );
        self.signed.push(folio);
        Ok(())
    }

    fn expect_signed(&self, reader: &Instance, folio: &str) -> Result<()> {
        let path = format!("/api/integrations/consult?folioId={folio}");
        let read = self.ask(reader, &path, &[])?;
        if read.contains(r#""stateName":"FIRMADO""#) {
            Ok(())
        } else {
            Err(Error::new(format!(
                "the {} version reads an unsigned folio: {read}",
                reader.name
            )))
        }
    }

    fn ask(&self, instance: &Instance, path: &str, arguments: &[&str]) -> Result<String> {
        let mut curl = Command::new("curl");
        curl.args([
            "--silent",
            "--show-error",
            "--fail-with-body",
            "--max-time",
            "120",
        ])
        .args(["-H", &format!("x-api-key: Bearer {}", self.key)])
        .args(arguments)
        .arg(format!("http://127.0.0.1:{}{path}", instance.port));
        parts::run(&mut curl).map_err(Error::while_(format!("{path} of the {} version", instance.name)))
    }
}

fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim().to_owned()
}

/// The identifier in the response to a create.
fn folio_id(created: &str) -> Option<String> {
    let (_, rest) = created.split_once(r#""folioId":""#)?;
    rest.split_once('"').map(|(id, _)| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::folio_id;

    #[test]
    fn the_folio_is_found_in_the_response() {
        let created = r#"{"success":true,"data":{"folioId":"00ff","signProcessUrl":"https://x"}}"#;
        assert_eq!(folio_id(created).as_deref(), Some("00ff"));
        assert_eq!(folio_id(r#"{"success":false}"#), None);
    }
}
