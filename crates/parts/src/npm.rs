//! Packages of npm, pinned, kept between runs. Node itself is in a Python environment: distributions have it too old.

use std::path::PathBuf;
use std::process::Command;

use crate::install::install_once;
use crate::venv::NODE;
use crate::{Error, Result, Venv, run, tools};

/// What a directory of packages holds: its name and the packages, every one pinned, one to a line.
#[derive(Debug)]
pub struct NpmPackages {
    name: &'static str,
    pinned: &'static str,
}

/// Draws pages, as Firefox does: pdf.js, and a canvas for it to draw on outside a browser.
pub const PDFJS: NpmPackages = NpmPackages {
    name: "pdfjs",
    pinned: include_str!("../npm/pdfjs.txt"),
};

/// The HTTP clients that programs for Node use besides its own `fetch`: axios, with form-data, and got.
pub const NODE_CLIENTS: NpmPackages = NpmPackages {
    name: "http_clients",
    pinned: include_str!("../npm/http_clients.txt"),
};

/// openapi-typescript and openapi-fetch, with TypeScript; and Redocly and Spectral, which check `OpenAPI` documents.
pub const OPENAPI_TOOLS: NpmPackages = NpmPackages {
    name: "client_generators",
    pinned: include_str!("../npm/client_generators.txt"),
};

/// Checks and compiles TypeScript: the script `tsc`; and the types of Node's own modules.
pub const TYPESCRIPT: NpmPackages = NpmPackages {
    name: "typescript",
    pinned: include_str!("../npm/typescript.txt"),
};

/// An identity provider: panva's oidc-provider.
pub const IDENTITY_PROVIDER: NpmPackages = NpmPackages {
    name: "identity_provider",
    pinned: include_str!("../npm/identity_provider.txt"),
};

/// A directory of packages, and the Node that runs them.
#[derive(Debug)]
pub struct NodeModules {
    node: Venv,
    directory: PathBuf,
}

impl NodeModules {
    /// These packages: installed if they are not there or their pins have changed.
    pub fn of(packages: &NpmPackages) -> Result<Self> {
        let node = Venv::of(&NODE)?;
        let directory = tools().join("npm").join(packages.name);
        install_once(&directory, packages.pinned, || {
            run(Command::new(node.program("npm"))
                .args([
                    "install",
                    "--no-save",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                ])
                .arg("--prefix")
                .arg(&directory)
                .args(packages.pinned.lines()))
            .map_err(Error::while_(format!("npm packages of {}", packages.name)))
            .map(drop)
        })?;
        Ok(Self { node, directory })
    }

    /// The program that runs scripts.
    pub fn node(&self) -> PathBuf {
        self.node.program("node")
    }

    /// Where the packages are, each in a directory with its name.
    pub fn directory(&self) -> PathBuf {
        self.directory.join("node_modules")
    }
}
