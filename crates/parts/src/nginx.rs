//! nginx serving a directory: the yardstick of downloads.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::find_program::find;
use crate::packages::{Need, is_root};
use crate::{End, Error, Part, Result, Scratch, answers, free_port, provide};

const NAME: &str = "nginx";

/// A throwaway server on 127.0.0.1 with one worker.
#[derive(Debug)]
pub struct Nginx {
    scratch: Scratch,
    port: u16,
}

impl Nginx {
    pub const PART: Part = Part {
        needs: &[Need::Program {
            name: "nginx",
            package: "nginx",
        }],
    };

    /// Serves the files of a directory.
    pub fn serve(directory: &Path) -> Result<Self> {
        provide(&[&Self::PART])?;
        let mut nginx = Self {
            scratch: Scratch::new()?,
            port: free_port()?,
        };
        let own = nginx.scratch.directory().to_path_buf();
        // As root, its worker would become a user that cannot read the directory.
        let user = if is_root() { "user root;" } else { "" };
        let conf = include_str!("nginx.conf")
            .replace("{user}", user)
            .replace("{own}", &own.display().to_string())
            .replace("{port}", &nginx.port.to_string())
            .replace("{root}", &directory.canonicalize()?.display().to_string());
        fs::write(own.join("nginx.conf"), conf)?;
        let program = find(NAME).ok_or_else(|| Error::new("nginx is not installed"))?;
        let mut command = Command::new(program);
        command
            .arg("-e")
            .arg(own.join("nginx.log"))
            .arg("-p")
            .arg(&own)
            .arg("-c")
            .arg(own.join("nginx.conf"));
        nginx.scratch.start(NAME, &mut command, End::KillGroup)?;
        let port = nginx.port;
        nginx.scratch.wait_until(NAME, || answers(port, "/-/ready"))?;
        Ok(nginx)
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The process number of the master, whose only child is the worker.
    pub fn id(&self) -> Option<u32> {
        self.scratch.id(NAME)
    }
}
