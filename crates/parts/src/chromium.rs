//! Chromium, driven by its `WebDriver`: what people see.

use std::process::Command;

use crate::find_program::find;
use crate::packages::Need;
use crate::{End, Error, Part, Result, Scratch, answers, free_port, provide};

const NAME: &str = "chromedriver";

/// A driver on 127.0.0.1 that starts a browser for each session; both are gone when this is dropped.
#[derive(Debug)]
pub struct Chromium {
    scratch: Scratch,
    port: u16,
}

impl Chromium {
    pub const PART: Part = Part {
        needs: &[
            Need::Program {
                name: "chromium",
                package: "chromium",
            },
            Need::Program {
                name: NAME,
                package: "chromium-driver",
            },
            Need::File {
                path: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                package: "fonts-dejavu-core",
            },
        ],
    };

    /// What a browser must be started with: no window, and no wish to reach the network by itself.
    pub const ARGUMENTS: &'static [&'static str] = &[
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-extensions",
        "--disable-sync",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication",
        "--metrics-recording-only",
        "--mute-audio",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-pings",
        "--hide-scrollbars",
        "--lang=es-CO",
    ];

    pub fn start() -> Result<Self> {
        provide(&[&Self::PART])?;
        let mut chromium = Self {
            scratch: Scratch::new()?,
            port: free_port()?,
        };
        let program = find(NAME).ok_or_else(|| Error::new("chromedriver is not installed"))?;
        let home = chromium.scratch.directory().to_path_buf();
        let mut command = Command::new(program);
        command
            .arg(format!("--port={}", chromium.port))
            .env("HOME", &home)
            .env("TMPDIR", &home)
            .current_dir(home);
        chromium.scratch.start(NAME, &mut command, End::KillGroup)?;
        let port = chromium.port;
        chromium.scratch.wait_until(NAME, || answers(port, "/status"))?;
        Ok(chromium)
    }

    /// Where the driver listens.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}
