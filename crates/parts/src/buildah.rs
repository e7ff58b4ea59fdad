//! buildah: builds an image from a Containerfile and runs it, without a daemon and without a registry.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::find_program::program;
use crate::install::install_once;
use crate::packages::Need;
use crate::{Error, Part, Result, Scratch, provide, run, tools};

/// What a base image has beside the essential packages of Debian.
const MORE_PACKAGES: &str = "binutils,ca-certificates";
/// Files of packages that no build reads.
const LEFT_OUT: [&str; 3] = ["/usr/share/doc/*", "/usr/share/locale/*", "/usr/share/man/*"];

/// Images and containers in a directory of their own.
#[derive(Debug)]
pub struct Buildah {
    scratch: Scratch,
}

impl Buildah {
    pub const PART: Part = Part {
        needs: &[
            Need::Program {
                name: "buildah",
                package: "buildah",
            },
            Need::Program {
                name: "mmdebstrap",
                package: "mmdebstrap",
            },
        ],
    };

    pub fn new() -> Result<Self> {
        provide(&[&Self::PART])?;
        let scratch = Scratch::new()?;
        Ok(Self { scratch })
    }

    /// Makes an image of that name, from which others are built: the Debian of this machine, and files as pairs of where
    /// they are and where they go.
    pub fn add_base(&self, name: &str, files: &[(&Path, &str)]) -> Result<()> {
        let container = self.run(&["from", "scratch"])?;
        self.run(&[
            "add",
            "--quiet",
            &container,
            &debian()?.display().to_string(),
            "/",
        ])?;
        for (file, place) in files {
            self.run(&["copy", "--quiet", &container, &file.display().to_string(), place])?;
        }
        self.run(&["commit", "--quiet", "--rm", &container, name])
            .map(drop)
    }

    /// Builds the Containerfile of a directory; the image has that name.
    pub fn build(&self, context: &Path, name: &str) -> Result<()> {
        // Processes of the build share the network and the users of this machine: nothing else works within a container.
        let options = ["build", "--pull-never", "--isolation=chroot", "--tag", name];
        run(self.command()?.args(options).arg(context)).map(drop)
    }

    /// What an image says of itself, as a template of Go's writes it.
    pub fn inspect(&self, image: &str, template: &str) -> Result<String> {
        self.run(&["inspect", "--type=image", "--format", template, image])
    }

    /// A container of an image, and its files.
    pub fn container(&self, image: &str) -> Result<(String, PathBuf)> {
        let container = self.run(&["from", "--pull-never", image])?;
        let files = self.run(&["mount", &container])?;
        Ok((container, files.into()))
    }

    /// Runs something in a container: `options… -- program arguments…` follow.
    pub fn run_in(&self, container: &str, options: &[String]) -> Result<Command> {
        let mut command = self.command()?;
        command.args(["run", "--isolation=chroot"]).args(options);
        command.args([container, "--"]);
        Ok(command)
    }

    fn run(&self, arguments: &[&str]) -> Result<String> {
        let printed = run(self.command()?.args(arguments))?;
        Ok(printed.trim().to_owned())
    }

    fn command(&self) -> Result<Command> {
        let own = |name: &str| self.scratch.directory().join(name);
        let mut command = Command::new(program("buildah")?);
        command.arg("--root").arg(own("storage"));
        command.arg("--runroot").arg(own("state"));
        // The one driver that wants nothing of the file system.
        command.arg("--storage-driver=vfs");
        Ok(command)
    }
}

/// The files of a small Debian of this machine's release, as an archive: what is built here runs there.
fn debian() -> Result<PathBuf> {
    let system = fs::read_to_string("/etc/os-release")?;
    let suite = system
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let suite = suite.ok_or_else(|| Error::new("/etc/os-release names no release of Debian"))?;
    let directory = tools().join("debian");
    let archive = directory.join("root.tar");
    install_once(&directory, &format!("{suite} {MORE_PACKAGES}"), || {
        let mut command = Command::new(program("mmdebstrap")?);
        command.args(["--variant=essential", "--include", MORE_PACKAGES]);
        for files in LEFT_OUT {
            command.arg(format!("--dpkgopt=path-exclude={files}"));
        }
        run(command.arg(suite).arg(&archive)).map(drop)
    })?;
    Ok(archive)
}
