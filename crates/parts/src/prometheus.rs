//! Prometheus: scrapes the metrics of the program, and judges the rules for alerts.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::find_program::find;
use crate::packages::Need;
use crate::{End, Error, Part, Result, Scratch, answers, free_port, provide, run};

const NAME: &str = "prometheus";
const TOOL: &str = "promtool";

/// A throwaway server on 127.0.0.1.
#[derive(Debug)]
pub struct Prometheus {
    _scratch: Scratch,
    port: u16,
}

impl Prometheus {
    pub const PART: Part = Part {
        needs: &[
            Need::Program {
                name: NAME,
                package: NAME,
            },
            Need::Program {
                name: TOOL,
                package: NAME,
            },
        ],
    };

    /// Scrapes the metrics at that port of this machine every second, as the job `firmeza`, with a file of rules.
    pub fn scrape(target: u16, rules: &Path) -> Result<Self> {
        provide(&[&Self::PART])?;
        let (mut scratch, port) = (Scratch::new()?, free_port()?);
        let own = scratch.directory().to_path_buf();
        let settings = include_str!("prometheus.yml")
            .replace("{target}", &target.to_string())
            .replace("{rules}", &rules.display().to_string());
        let file = own.join("prometheus.yml");
        fs::write(&file, settings)?;
        let mut command = Command::new(program(NAME)?);
        command
            .arg(format!("--config.file={}", file.display()))
            .arg(format!("--storage.tsdb.path={}", own.join("data").display()))
            .arg(format!("--web.listen-address=127.0.0.1:{port}"));
        scratch.start(NAME, &mut command, End::KillGroup)?;
        scratch.wait_until(NAME, || answers(port, "/-/ready"))?;
        Ok(Self {
            _scratch: scratch,
            port,
        })
    }

    /// What a query finds now, a line for each series.
    pub fn query(&self, expression: &str) -> Result<String> {
        let server = format!("http://127.0.0.1:{}", self.port);
        run(Command::new(program(TOOL)?).args(["query", "instant", &server, expression]))
    }

    /// Runs the tests of rules.
    pub fn test_rules(tests: &Path) -> Result<String> {
        provide(&[&Self::PART])?;
        run(Command::new(program(TOOL)?).args(["test", "rules"]).arg(tests))
    }
}

fn program(name: &str) -> Result<std::path::PathBuf> {
    find(name).ok_or_else(|| Error::new(format!("{name} is not installed")))
}
